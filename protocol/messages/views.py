"""A table as one viewer sees it, and what of that has changed."""

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import asdict, replace

from durak.protocol.messages.basis import Chair, ChairKind, Level, Status, TableId
from durak.protocol.rules.cards import Seat
from durak.protocol.rules.result import Score
from durak.protocol.rules.ruleset import Ruleset
from durak.protocol.rules.view import GameView

ClockKind = Literal["start", "offer", "turn", "window", "closing"]


class ChairView(msgspec.Struct, frozen=True):
    """Somebody at a table. `seat` is the seat in the running or last game, null if not in it. `away`: the connection is lost.

    `left`: has left the game, and a bot plays the hand on. `vote`: wants a rematch.
    """

    chair: Chair
    name: str
    kind: ChairKind
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

    kind: ClockKind
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
    status: Status
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
    status: Status | UnsetType = UNSET
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
