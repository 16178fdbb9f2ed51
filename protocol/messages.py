"""The wire: every message between a server and its clients, typed. PROTOCOL.md explains them; schema.py generates the schema.

Both encodings (codec.py) carry the same messages. ``t`` names the type. A client sends `ClientMessage`s, a server `ServerMessage`s.
"""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import asdict, replace

from durak.protocol.rules.actions import AnyAction
from durak.protocol.rules.cards import Seat
from durak.protocol.rules.result import Score
from durak.protocol.rules.ruleset import Ruleset
from durak.protocol.rules.view import GameView, SeenEvent

PROTOCOL_VERSION = 1
SUBPROTOCOL_MSGPACK = "durak.v1.msgpack"
SUBPROTOCOL_JSON = "durak.v1.json"
MAX_FRAME_BYTES = 4096
"""Largest frame a client may send."""

TableId = Annotated[str, Meta(pattern="^[0-9A-HJKMNP-TV-Z]{6}$", description="A table's id, which is also its join code.")]
Cid = Annotated[str, Meta(min_length=1, max_length=40, description="A command id chosen by the client.")]
Name = Annotated[str, Meta(min_length=1, max_length=24)]
Chair = Annotated[int, Meta(ge=0, le=5, description="A place at the table; chairs without a player are no seats of the game.")]
Level = Literal["easy", "normal", "hard"]
Speed = Literal["watch", "fast"]


# ---------------------------------------------------------------- client to server


class FromClient(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag_field="t"):
    """A message of a client."""


class Hello(FromClient, frozen=True, tag="hello"):
    """The first frame. With `table`, the connection attaches to it: to the player's own chair if there is one, else as a spectator.

    `seq` is the last sequence number the client has seen of that table, and asks for the events it missed.
    """

    token: Annotated[str, Meta(max_length=2000)]
    table: TableId | None = None
    seq: Annotated[int, Meta(ge=0)] | None = None


class Command(FromClient, frozen=True):
    """A command: answered by exactly one `ok` or `error` with the same `cid`."""

    cid: Cid


class Create(Command, frozen=True, tag="create"):
    """Create a table. `bots` fill chairs from the first free one; `sit` takes a chair; `start` begins at once.

    A table of bots only (`sit` false, at least two bots) begins by itself; `speed` "fast" lets its bots move without delay.
    """

    name: Annotated[str, Meta(max_length=40)] = ""
    preset: str = "classic"
    options: dict[str, Any] = {}
    bots: Annotated[list[Level], Meta(max_length=6)] = []
    sit: bool = True
    start: bool = False
    private: bool = False
    speed: Speed = "watch"


class Join(Command, frozen=True, tag="join"):
    """Take a chair at an open table, or come back to the chair one has left in a running game."""

    table: TableId
    chair: Chair | None = None


class Watch(Command, frozen=True, tag="watch"):
    """Look at a table, from one's own chair if there is one, else as a spectator."""

    table: TableId


class LeaveTable(Command, frozen=True, tag="leave"):
    """Leave the table for good; in a started game this counts as a loss (RULES 1.22)."""


class Start(Command, frozen=True, tag="start"):
    """The host begins the game with the chairs that are taken, at least two."""


class Fill(Command, frozen=True, tag="fill"):
    """The host fills free chairs with bots of these levels, in order."""

    bots: Annotated[list[Level], Meta(min_length=1, max_length=6)]


class Dismiss(Command, frozen=True, tag="dismiss"):
    """The host sends a bot away from an open table."""

    chair: Chair


class Act(Command, frozen=True, tag="act"):
    """A game action, with the bout (and for pass, redeal and keep the epoch) it was meant for (RULES 1.16)."""

    action: AnyAction
    bout: Annotated[int, Meta(ge=0)]
    epoch: Annotated[int, Meta(ge=0)] | None = None


class AutoPass(Command, frozen=True, tag="auto_pass"):
    """Pass by itself, with a random delay, until the bout ends."""

    on: bool


class Rematch(Command, frozen=True, tag="rematch"):
    """Vote for another game at this table; it begins when every person seated has voted."""


class Lobby(Command, frozen=True, tag="lobby"):
    """Begin or end receiving the list of tables."""

    on: bool


class Host(Command, frozen=True, tag="host"):
    """A bot host offers to play `capacity` seats at these levels. Needs a host's token."""

    levels: Annotated[list[Level], Meta(min_length=1, max_length=3)]
    capacity: Annotated[int, Meta(ge=1, le=100_000)]


TableCommand = LeaveTable | Start | Fill | Dismiss | Act | AutoPass | Rematch
AnyCommand = Create | Join | Watch | LeaveTable | Start | Fill | Dismiss | Act | AutoPass | Rematch | Lobby | Host
ClientMessage = Hello | AnyCommand


# ---------------------------------------------------------------- what a table looks like


class ChairView(msgspec.Struct, frozen=True):
    """Somebody at a table. `seat` is the seat in the running or last game, null if not in it. `away`: the connection is lost.

    `left`: has left the game, and a bot plays the hand on. `vote`: wants a rematch.
    """

    chair: Chair
    name: str
    kind: Literal["person", "bot"]
    level: Level | None
    seat: Seat | None
    host: bool
    away: bool
    left: bool
    vote: bool
    score: Score


class ClockView(msgspec.Struct, frozen=True):
    """The clock that runs: milliseconds left, and of how many. `seats`: who is waited for, empty if it concerns all.

    `start`: countdown to the game; `offer`: redeal period; `turn`: turn clock; `window`: throw-in window; `closing`: the bout is
    about to close.
    """

    kind: Literal["start", "offer", "turn", "window", "closing"]
    ms: int
    total_ms: int
    seats: list[Seat]


class YouView(msgspec.Struct, frozen=True):
    """The viewer's own relation to the table; chair and seat are null for a spectator.

    `can` names the commands that would be accepted now, besides the legal actions: join, leave, start, fill, dismiss, rematch,
    auto_pass.
    """

    chair: Chair | None
    seat: Seat | None
    auto_pass: bool
    can: list[str]


class TableView(msgspec.Struct, frozen=True):
    """A table as one viewer sees it.

    `chairs` lists those taken. `games`: games finished. `persons`: how many must vote for a rematch.
    """

    table: TableId
    name: str
    status: Literal["open", "playing", "finished"]
    private: bool
    rules: Ruleset
    chairs: list[ChairView]
    persons: int
    games: int
    clock: ClockView | None
    you: YouView
    game: GameView | None


class ViewChange(msgspec.Struct, frozen=True, omit_defaults=True):
    """What has changed in a view: the moment always, and of the rest what is there; a field that is missing is as it was."""

    clock: ClockView | None
    you: YouView
    game: GameView | None
    name: str | UnsetType = UNSET
    status: Literal["open", "playing", "finished"] | UnsetType = UNSET
    rules: Ruleset | UnsetType = UNSET
    chairs: list[ChairView] | UnsetType = UNSET
    persons: int | UnsetType = UNSET
    games: int | UnsetType = UNSET

    def applied_to(self, view: TableView) -> TableView:
        """The view after the change."""
        return replace(view, **{name: value for name, value in asdict(self).items() if value is not UNSET})

    @classmethod
    def to(cls, view: TableView) -> "ViewChange":
        """The change that gives this view, whatever it was before."""
        return cls(**{name: getattr(view, name) for name in cls.__struct_fields__})


# ---------------------------------------------------------------- table events (game events are in rules/view.py)


class TableEvent(msgspec.Struct, frozen=True, gc=False, tag_field="event"):
    """Something that happened at a table outside the rules of the game."""


class Created(TableEvent, frozen=True, tag="created"):
    """The table was created."""


class Sat(TableEvent, frozen=True, tag="sat"):
    """Somebody took a chair."""

    chair: Chair
    name: str
    kind: Literal["person", "bot"]


class Rose(TableEvent, frozen=True, tag="rose"):
    """Somebody gave a chair up."""

    chair: Chair
    name: str


class HostIs(TableEvent, frozen=True, tag="host_is"):
    """The role of the host has moved to this chair."""

    chair: Chair


class Started(TableEvent, frozen=True, tag="started"):
    """A game begins; `chairs` has one entry per seat."""

    game: int
    chairs: list[Chair]


class WentAway(TableEvent, frozen=True, tag="went_away"):
    """A chair's connection was lost."""

    chair: Chair


class CameBack(TableEvent, frozen=True, tag="came_back"):
    """A chair is connected again, or its owner has taken it over from the bot."""

    chair: Chair


class Voted(TableEvent, frozen=True, tag="voted"):
    """A chair wants a rematch."""

    chair: Chair


class TimedOut(TableEvent, frozen=True, tag="timed_out"):
    """A turn clock has run out, and the table acted for this seat (RULES 1.23)."""

    seat: Seat


class Voided(TableEvent, frozen=True, tag="voided"):
    """The operator has ended the running game, without result or score; whoever has not left sits at an open table again."""


class AutoPassSet(TableEvent, frozen=True, tag="auto_pass_set"):
    """The viewer's own switch; nobody else learns of it."""

    seat: Seat
    on: bool


AnyTableEvent = Created | Sat | Rose | HostIs | Started | WentAway | CameBack | Voted | TimedOut | Voided | AutoPassSet
ViewerEvent = AnyTableEvent | SeenEvent


# ---------------------------------------------------------------- server to client


class FromServer(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, tag_field="t"):
    """A message of a server. Clients ignore fields they do not know."""


class Welcome(FromServer, frozen=True, tag="welcome"):
    """The answer to `hello`. Silence for longer than two heartbeats means that the connection is lost."""

    player: str
    name: str
    kind: Literal["person", "bot", "host"]
    server: str
    protocol: int
    rules: str
    heartbeat_ms: int


class Ok(FromServer, frozen=True, tag="ok"):
    """A command was accepted: for a table's commands `seq` is its place in the table's sequence."""

    cid: Cid
    table: TableId | None = None
    seq: int | None = None


class Error(FromServer, frozen=True, tag="error"):
    """A refusal: a stable code, for people to be rendered by the client. Nothing has changed.

    `cid` is missing when the frame could not be understood. `rule`: paragraph of RULES.md. `params`: what the sentence needs.
    `legal`: what the seat may do now, with the `bout` and `epoch` to name, when a game action was refused.
    """

    code: str
    cid: Cid | None = None
    rule: str | None = None
    params: dict[str, str | int] = {}
    legal: list[AnyAction] | None = None
    bout: int | None = None
    epoch: int | None = None
    retry_after_ms: int | None = None


class SeqEvents(msgspec.Struct, frozen=True):
    """The events of one sequence number, as this viewer sees them."""

    seq: int
    events: list[ViewerEvent]


class TableState(FromServer, frozen=True, tag="table"):
    """The connection is attached to a table.

    `resumed` "events": `missed` holds all that the client has not seen; "snapshot": it asked for nothing, or for too much.
    """

    seq: int
    resumed: Literal["events", "snapshot"]
    missed: list[SeqEvents]
    watchers: int
    view: TableView


class Update(FromServer, frozen=True, tag="update"):
    """Something happened. `seq` grows by one with everything public; a change that only this viewer may know keeps it."""

    seq: int
    events: list[ViewerEvent]
    view: ViewChange


class Watchers(FromServer, frozen=True, tag="watchers"):
    """How many look on."""

    count: int


class Detached(FromServer, frozen=True, tag="detached"):
    """The connection is no longer attached to the table: left, closed (the table is gone), dismissed."""

    table: TableId
    reason: Literal["left", "closed", "dismissed", "frozen"]


class TableListing(msgspec.Struct, frozen=True):
    """A line of the lobby."""

    table: TableId
    name: str
    preset: str
    status: Literal["open", "playing", "finished"]
    chairs: int
    taken: int
    persons: int
    bots: int
    turn_clock_s: int | None
    discreet: bool
    watchers: int


class LobbyState(FromServer, frozen=True, tag="lobby"):
    """The tables to join or watch; `full` replaces the list, otherwise `tables` changes lines and `gone` removes them."""

    full: bool
    tables: list[TableListing]
    gone: list[TableId] = []


class Heartbeat(FromServer, frozen=True, tag="heartbeat"):
    """Sent when nothing else was for a few seconds, since a browser does not see WebSocket pings."""


class SeatOffer(FromServer, frozen=True, tag="seat"):
    """To a bot host: connect with this token, attach to the table, and play at this level.

    `delay_ms`: lowest and highest delay before an action, to be drawn afresh each time.
    """

    token: str
    table: TableId
    level: Level
    delay_ms: tuple[int, int]


ServerMessage = Welcome | Ok | Error | TableState | Update | Watchers | Detached | LobbyState | Heartbeat | SeatOffer


# ---------------------------------------------------------------- close codes of the WebSocket


class CloseCode:
    """4000-4099: reconnect and resume. 4100-4199: do not."""

    RESTARTING = 4000
    SLOW = 4001
    FAILED = 4002
    REPLACED = 4100
    BAD_TOKEN = 4101
    BAD_FRAME = 4102
    NO_HELLO = 4103
    FLOODING = 4104
    SEAT_GONE = 4105
