"""What is found out about one decision, and how bad a mistake is called."""

from typing import Final

import msgspec

GRADES: Final = {"blunder": 20, "mistake": 10, "slip": 5}
"""From how many points of 100, rounded, on a loss is called so, the worst first."""
SURE: Final = 3.5
"""Standard errors that a loss must be away from nothing, before it is called a mistake."""
WAIT: Final = "wait"
"""Stands where Hard would do nothing yet."""


class Line(msgspec.Struct, frozen=True):
    """How a game goes on: moves and steps in the project's notation, `solved` if both sides play best, to the end of the game."""

    moves: list[str]
    solved: bool


class Decision(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One decision, judged by what its seat could know.

    `number`: its place in the game; `input`: of the record, from 0. `played` and `best` are moves in the project's notation, `best`
    is Hard's, or `wait`. `silent`: it let the time run out. `options`: how many it had. Chances are of not being the durak, where a
    draw counts what is fair (1 - 1/players): `before` with the better of the two moves, `after` with the one that was made; `error`
    is the standard error of their difference, or of the chance if they are one move; `exact`: they are results of best play.
    `grade`: slip, mistake or blunder; then two lines show why.
    """

    number: int
    input: int
    bout: int
    seat: int
    played: str
    silent: bool
    best: str
    options: int
    before: float
    after: float
    error: float
    exact: bool
    grade: str | None = None
    better_line: Line | None = None
    played_line: Line | None = None

    @property
    def loss(self) -> float:
        """What the move has cost, as a chance."""
        return self.before - self.after


def points(chance: float) -> int:
    """A chance in points of 100, which says none and all only where they are exact."""
    rounded = round(100 * chance)
    return min(99, max(1, rounded)) if 0 < chance < 1 else rounded


def grade_of(loss: float, error: float) -> str | None:
    """What a loss is called: nothing if it is small, or if it may be chance."""
    if loss < SURE * error:
        return None
    return next((grade for grade, least in GRADES.items() if points(loss) >= least), None)
