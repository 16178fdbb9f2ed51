"""Who sits where: values that never change, so that copies of a table share them."""

from typing import Literal, assert_never

import msgspec

from durak.protocol.messages import Level
from durak.protocol.rules.result import Score

NO_SCORE = Score()
STAND_IN_LEVEL: Level = "normal"
"""Who plays on for a leaver (RULES 1.22)."""


class Refused(Exception):
    """A command outside the rules of the game is refused and nothing has changed; `code` is stable, `params` fill its sentence."""

    def __init__(self, code: str, **params: str | int) -> None:
        super().__init__(code)
        self.code = code
        self.params = params


class Present(msgspec.Struct, frozen=True, gc=False):
    """It plays from its chair."""


class Away(msgspec.Struct, frozen=True, gc=False):
    """A person whose connection is lost: when the grace period ends, it counts as having left.

    `since` is the table's sequence number when it went: of two whose grace ends at the same moment, the first to go leaves first.
    """

    grace_ends_ms: int
    since: int


class Gone(msgspec.Struct, frozen=True, gc=False):
    """It has left: a bot plays its hand on while there is one, its owner may come back to it, and after the game the chair is free.

    `away`: nobody was there to leave a hand, since the connection was lost before, or the seat was out of the game.
    """

    away: bool


Presence = Present | Away | Gone
PRESENT = Present()


class Occupant(msgspec.Struct, frozen=True):
    """Somebody on a chair. `level` is a bot's, a person has none; `seat` is the seat in the running or last game."""

    player: str
    name: str
    level: Level | None = None
    seat: int | None = None
    presence: Presence = PRESENT
    score: Score = NO_SCORE

    @property
    def kind(self) -> Literal["person", "bot"]:
        """What the wire calls it."""
        return "person" if self.level is None else "bot"

    @property
    def left(self) -> bool:
        """True if it has left the table."""
        return type(self.presence) is Gone  # asked often, and `isinstance` asks the metaclass of structs

    @property
    def away(self) -> bool:
        """True if nobody is connected for it, or was when it left."""
        match self.presence:
            case Present():
                return False
            case Away():
                return True
            case Gone(away=away):
                return away
            case _:
                assert_never(self.presence)


def stand_in_of(table: str, chair: int) -> str:
    """The player id of the bot that plays on for the leaver on this chair."""
    return f"stand-in:{table}:{chair}"
