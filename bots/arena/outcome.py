"""What is kept of a deal: how each of its games ended, the decisions made for bots, and how long decisions took."""

import math
from collections.abc import Iterable
from typing import Final

import msgspec

STEPS_PER_DECADE: Final = 20
"""Times are counted in steps of 12 %, so that those of a million decisions fit in a line."""
SHORTEST_MS: Final = 1e-3


class GameOutcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a game ended. `bots`: the bot's number, one entry per seat; `places`, `durak`, `draw` as in `GameResult`.

    `forfeits`: for each seat that did not decide itself, its kinds of fault and how often.
    """

    bots: tuple[int, ...]
    places: list[list[int]]
    durak: int | None
    draw: bool
    forfeits: dict[int, dict[str, int]] = {}

    def score(self, seat: int) -> float:
        """1 not durak, 0 durak; a draw is what is fair: (n - 1) / n at a table of n, with two players 1/2."""
        if self.draw:
            return (len(self.bots) - 1) / len(self.bots)
        return float(seat != self.durak)

    def place(self, seat: int) -> int:
        """The place in the order of going out, from 0; a shared place is one."""
        return next(place for place, seats in enumerate(self.places) if seat in seats)


class DealOutcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """All games of a deal, in the order of the schedule.

    `times`: for each bot how many decisions took how long (`Times`). `complaints`: for each bot that did not decide itself what was
    the matter the first time.
    """

    deal: int
    games: list[GameOutcome]
    times: dict[int, dict[int, int]] = {}
    complaints: dict[int, str] = {}


class Times:
    """How often decisions took how long: counts by step of 12 % in time."""

    def __init__(self) -> None:
        self.counts: dict[int, int] = {}

    def add(self, milliseconds: Iterable[float]) -> None:
        """Count these times."""
        for ms in milliseconds:
            step = round(STEPS_PER_DECADE * math.log10(max(ms, SHORTEST_MS)))
            self.counts[step] = self.counts.get(step, 0) + 1

    def merge(self, counts: dict[int, int]) -> None:
        """Count what others have counted."""
        for step, count in counts.items():
            self.counts[step] = self.counts.get(step, 0) + count

    @property
    def total(self) -> int:
        """The number of decisions."""
        return sum(self.counts.values())

    def percentile(self, share: float) -> float | None:
        """The time in milliseconds within which this share of decisions was made, to 6 %; `None` of none."""
        wanted = share * self.total
        so_far = 0
        for step in sorted(self.counts):
            so_far += self.counts[step]
            if so_far >= wanted:
                return float(f"{10 ** (step / STEPS_PER_DECADE):.3g}")
        return None
