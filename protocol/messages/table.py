"""The conversation at a table: coming, playing, leaving, and what each who looks at it is shown."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from durak.protocol.messages.basis import Chair, Command, FromServer, Level, TableId
from durak.protocol.messages.events import ViewerEvent
from durak.protocol.messages.views import TableView, ViewChange
from durak.protocol.rules.actions import AnyAction


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


AttachedCommand = LeaveTable | Start | Fill | Dismiss | Act | AutoPass | Rematch
"""About the table that the connection is attached to, which they do not name."""
TableCommand = Join | Watch | AttachedCommand


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


DetachReason = Literal["left", "closed", "dismissed", "frozen"]


class Detached(FromServer, frozen=True, tag="detached"):
    """The connection is no longer attached to the table: left, closed (the table is gone), dismissed."""

    table: TableId
    reason: DetachReason


TableMessage = TableState | Update | Watchers | Detached
