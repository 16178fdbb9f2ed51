"""Who sits where."""

from typing import Literal

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


class Occupant(msgspec.Struct, frozen=True):
    """Somebody on a chair; a change is another occupant, so that copies of a table share those who did not change.

    `seat` is the seat in the running or last game. `left`: a bot plays the hand on, unless the owner comes back; `gone`: the
    chair is free when the game is over.
    """

    player: str
    name: str
    kind: Literal["person", "bot"]
    level: Level | None = None
    seat: int | None = None
    away: bool = False
    left: bool = False
    gone: bool = False
    vote: bool = False
    score: Score = NO_SCORE


def stand_in_of(table: str, chair: int) -> str:
    """The player id of the bot that plays on for the leaver on this chair."""
    return f"stand-in:{table}:{chair}"
