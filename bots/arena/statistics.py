"""What games say about bots: means with 95 % intervals, clustered by deal.

All games of a deal are played with the same cards, so they are not independent; deals are. Each deal gives one mean, and the
interval follows from how these vary (Student's t with deals - 1 degrees of freedom).
"""

import math
from collections.abc import Callable, Iterable, Sequence
from statistics import NormalDist, fmean, stdev
from typing import Final

import msgspec

from durak.bots.arena.outcome import DealOutcome, GameOutcome, Times
from durak.bots.arena.schedule import lone_seat

TAIL: Final = 0.025

Measure = Callable[[GameOutcome], Iterable[float]]
"""The values of a game that count, none if it says nothing."""


class Estimate(msgspec.Struct, frozen=True):
    """A mean of values between 0 and 1 and its 95 % interval."""

    mean: float
    low: float
    high: float


class BotResult(msgspec.Struct, frozen=True):
    """How a bot did in the `games` in which it sat alone of its kind.

    `score`: see `GameOutcome.score`; `durak`: share of games lost as the durak. `forfeits`: decisions made for it, by kind, and
    `times`: of its own decisions, both in all its seats.
    """

    games: int
    score: Estimate
    durak: Estimate
    forfeits: dict[str, int]
    times: Times


class PairResult(msgspec.Struct, frozen=True):
    """How bot `one` did in the `games` where it sat alone of its kind, with `other` at the table.

    `ahead`: share of games (and of its seats) in which it went out before `other`, a shared place counting half.
    """

    one: int
    other: int
    games: int
    ahead: Estimate
    score: Estimate
    durak: Estimate


class Statistics(msgspec.Struct, frozen=True):
    """What an arena has found. `bots` and `seats` (the durak rate of a seat) have one entry each; `draws` is a share of games."""

    deals: int
    games: int
    draws: float
    bots: list[BotResult]
    pairs: list[PairResult]
    seats: list[Estimate]


def statistics_of(deals: Sequence[DealOutcome], bots: int, players: int) -> Statistics:
    """All numbers of these deals, at least one."""
    games = [game for deal in deals for game in deal.games]
    return Statistics(
        deals=len(deals),
        games=len(games),
        draws=fmean(game.draw for game in games),
        bots=[_bot(deals, bot) for bot in range(bots)],
        pairs=[
            _pair(deals, one, other)
            for one in range(bots)
            for other in range(bots)
            if one != other and any(lone_seat(game.bots, one) is not None and other in game.bots for game in deals[0].games)
        ],
        seats=[estimate(deals, lambda game, seat=seat: [game.durak == seat]) for seat in range(players)],  # type: ignore[misc]
    )


def estimate(deals: Sequence[DealOutcome], measure: Measure) -> Estimate:
    """The mean over all games, clustered by deal. Every deal counts alike, as it has the same games as every other."""
    means = [fmean(values) for deal in deals if (values := [value for game in deal.games for value in measure(game)])]
    return interval(means)


def interval(means: Sequence[float]) -> Estimate:
    """The mean of independent values from 0 to 1, and its 95 % interval.

    Of a single value nothing follows: 0 to 1. Where all are the same, as many others may be as stay unseen once in 40 times, and
    the interval reaches to what it would be if these were all 0 or all 1.
    """
    mean, count = fmean(means), len(means)
    if count == 1:
        return Estimate(mean, 0.0, 1.0)
    if len(set(means)) == 1:
        unseen = 1 - TAIL ** (1 / count)
        return Estimate(mean, mean * (1 - unseen), mean + (1 - mean) * unseen)
    margin = student_t(count - 1) * stdev(means) / math.sqrt(count)
    return Estimate(mean, max(0.0, mean - margin), min(1.0, mean + margin))


def student_t(freedom: int) -> float:
    """The 97.5 % point of Student's t: exact for 1 and 2 degrees of freedom, else expanded (Abramowitz and Stegun 26.7.5)."""
    share = 1 - TAIL
    if freedom == 1:
        return math.tan(math.pi * (share - 0.5))
    if freedom == 2:
        return (2 * share - 1) / math.sqrt(2 * share * (1 - share))
    z = NormalDist().inv_cdf(share)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + math.fsum(term / freedom**power for power, term in enumerate(terms, start=1))


def _bot(deals: Sequence[DealOutcome], bot: int) -> BotResult:
    times, forfeits = Times(), dict[str, int]()
    for deal in deals:
        times.merge(deal.times.get(bot, {}))
        for game in deal.games:
            for seat, kinds in game.forfeits.items():
                if game.bots[seat] == bot:
                    for kind, count in kinds.items():
                        forfeits[kind] = forfeits.get(kind, 0) + count
    score, durak = _scores(bot)
    games = sum(lone_seat(game.bots, bot) is not None for deal in deals for game in deal.games)
    return BotResult(games, estimate(deals, score), estimate(deals, durak), forfeits, times)


def _pair(deals: Sequence[DealOutcome], one: int, other: int) -> PairResult:
    def ahead(game: GameOutcome) -> Iterable[float]:
        seat = lone_seat(game.bots, one)
        if seat is None:
            return
        mine = game.place(seat)
        for its in (game.place(at) for at, bot in enumerate(game.bots) if bot == other):
            yield 0.5 if mine == its else float(mine < its)

    def met(measure: Measure) -> Measure:
        return lambda game: measure(game) if other in game.bots else ()

    score, durak = _scores(one)
    games = sum(lone_seat(game.bots, one) is not None and other in game.bots for deal in deals for game in deal.games)
    return PairResult(one, other, games, estimate(deals, ahead), estimate(deals, met(score)), estimate(deals, met(durak)))


def _scores(bot: int) -> tuple[Measure, Measure]:
    """Its score and whether it was the durak, in the games in which it sat alone of its kind."""

    def score(game: GameOutcome) -> Iterable[float]:
        seat = lone_seat(game.bots, bot)
        return () if seat is None else (game.score(seat),)

    def durak(game: GameOutcome) -> Iterable[float]:
        seat = lone_seat(game.bots, bot)
        return () if seat is None else (float(game.durak == seat),)

    return score, durak
