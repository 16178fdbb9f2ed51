"""Statistics, against values worked out by hand and against a bootstrap over deals."""

from __future__ import annotations

import math
import random
from statistics import fmean

import pytest
from msgspec.structs import astuple

from durak.bots.arena.outcome import DealOutcome, GameOutcome, Times
from durak.bots.arena.ratings import ratings_of
from durak.bots.arena.statistics import Estimate, interval, statistics_of, student_t


def won(*bots: int, durak: int) -> GameOutcome:
    """A game that the seat `durak` has lost; the others went out in the order of their seats."""
    places = [[seat] for seat in range(len(bots)) if seat != durak]
    return GameOutcome(bots, [*places, [durak]], durak, False)


def drawn(*bots: int) -> GameOutcome:
    return GameOutcome(bots, [list(range(len(bots)))], None, True)


# ---------------------------------------------------------------- intervals


@pytest.mark.parametrize(
    ("freedom", "point"), [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (9, 2.262), (29, 2.045), (99, 1.984), (10**6, 1.960)]
)
def test_students_t_is_that_of_the_tables(freedom: int, point: float) -> None:
    assert student_t(freedom) == pytest.approx(point, abs=0.004)


def test_an_interval_by_hand() -> None:
    got = interval([0.0, 0.5, 1.0, 0.5])
    margin = 3.182 * math.sqrt((0.25 + 0.25) / 3) / 2
    assert got.mean == 0.5
    assert got.low == max(0.0, 0.5 - margin) == 0.0
    got = interval([0.4, 0.5, 0.6, 0.5])
    assert got.high - got.mean == pytest.approx(3.182 * math.sqrt(0.02 / 3) / 2, abs=2e-4)
    assert got.mean - got.low == pytest.approx(got.high - got.mean)


def test_of_one_deal_nothing_follows() -> None:
    assert interval([1.0]) == Estimate(1.0, 0.0, 1.0)


def test_never_or_always_in_a_few_deals_is_not_never_or_always() -> None:
    assert astuple(interval([0.0] * 10)) == (0.0, 0.0, pytest.approx(0.3085, abs=1e-4))
    assert astuple(interval([1.0] * 10)) == (1.0, pytest.approx(0.6915, abs=1e-4), 1.0)


def test_what_was_the_same_in_a_few_deals_need_not_always_be() -> None:
    assert astuple(interval([0.5] * 10)) == (0.5, pytest.approx(0.3458, abs=1e-4), pytest.approx(0.6542, abs=1e-4))


def test_the_interval_is_that_of_a_bootstrap_over_deals() -> None:
    """The two games of a deal go together, so that an interval which took them for independent would be too short by 30 %."""
    rng = random.Random(4)
    deals = []
    for number in range(200):
        strong = rng.random() < 0.6
        deals.append(DealOutcome(number, [won(0, 1, durak=1 if strong else 0), won(1, 0, durak=0 if strong else 1)]))
    got = statistics_of(deals, 2, 2).bots[0].score
    means = []
    for _ in range(4000):
        drawn_deals = rng.choices(deals, k=len(deals))
        scores = [game.score(game.bots.index(0)) for deal in drawn_deals for game in deal.games]
        means.append(fmean(scores))
    means.sort()
    assert got.low == pytest.approx(means[100], abs=0.008)
    assert got.high == pytest.approx(means[-100], abs=0.008)
    as_if_independent = 2 * 1.96 * math.sqrt(got.mean * (1 - got.mean) / 400)
    assert got.high - got.low > 1.3 * as_if_independent


def test_ninety_five_of_a_hundred_intervals_hold_the_truth() -> None:
    rng = random.Random(9)
    for deals in (8, 40):
        held = 0
        for _ in range(2000):
            got = interval([fmean(rng.choices((0.0, 0.5, 1.0), (3, 1, 6), k=4)) for _ in range(deals)])
            held += got.low <= 0.65 <= got.high
        assert 0.93 < held / 2000 < 0.97


# ---------------------------------------------------------------- scores


def test_two_players_by_hand() -> None:
    deals = [
        DealOutcome(0, [won(0, 1, durak=1), won(1, 0, durak=1)]),  # bot 0 wins, loses
        DealOutcome(1, [won(0, 1, durak=1), drawn(1, 0)]),  # wins, draws
    ]
    found = statistics_of(deals, 2, 2)
    assert (found.deals, found.games, found.draws) == (2, 4, 0.25)
    zero, one = found.bots
    assert (zero.games, zero.score.mean, zero.durak.mean) == (4, (0.5 + 0.75) / 2, 0.25)
    assert (one.games, one.score.mean, one.durak.mean) == (4, (0.5 + 0.25) / 2, 0.5)
    assert zero.score.mean + one.score.mean == 1
    pair = next(pair for pair in found.pairs if (pair.one, pair.other) == (0, 1))
    assert pair.ahead.mean == zero.score.mean
    assert [seat.mean for seat in found.seats] == [0.0, 0.75]


def test_a_draw_of_four_counts_as_what_is_fair_and_nobody_is_the_durak() -> None:
    found = statistics_of([DealOutcome(0, [drawn(0, 1, 2, 3)])], 4, 4)
    assert [bot.score.mean for bot in found.bots] == [0.75] * 4
    assert [bot.durak.mean for bot in found.bots] == [0.0] * 4
    assert all(pair.ahead.mean == 0.5 for pair in found.pairs)


def test_with_fewer_bots_than_seats_only_the_lone_seat_counts() -> None:
    games = [
        won(0, 1, 1, durak=0),
        won(1, 0, 1, durak=0),
        won(1, 1, 0, durak=0),
        won(1, 0, 0, durak=0),
        *[won(0, 1, 0, durak=2)] * 2,
    ]
    found = statistics_of([DealOutcome(0, games)], 2, 3)
    zero, one = found.bots
    assert (zero.games, zero.durak.mean) == (3, pytest.approx(1 / 3))
    assert (one.games, one.durak.mean) == (3, pytest.approx(1 / 3))
    pair = next(pair for pair in found.pairs if pair.one == 0)
    assert pair.durak == zero.durak
    # against two each: last of three; before one of them and the other is the durak; behind one and before the durak
    assert pair.ahead.mean == pytest.approx((0 + 0 + 1 + 1 + 0 + 1) / 6)


def test_places_decide_who_is_ahead() -> None:
    game = GameOutcome((0, 1, 2), [[1], [0, 2]], None, False)
    found = statistics_of([DealOutcome(0, [game])], 3, 3)
    ahead = {(pair.one, pair.other): pair.ahead.mean for pair in found.pairs}
    assert ahead == {(0, 1): 0.0, (0, 2): 0.5, (1, 0): 1.0, (1, 2): 1.0, (2, 0): 0.5, (2, 1): 0.0}


def test_bots_that_never_met_have_no_pair() -> None:
    found = statistics_of([DealOutcome(0, [won(0, 1, durak=0), won(1, 2, durak=0), won(2, 0, durak=0)])], 3, 2)
    assert len(found.pairs) == 6
    found = statistics_of([DealOutcome(0, [won(0, 1, durak=0), won(2, 1, durak=0)])], 3, 2)
    assert {(pair.one, pair.other) for pair in found.pairs} == {(0, 1), (1, 0), (2, 1), (1, 2)}


def test_forfeits_are_summed_over_all_seats_of_a_bot() -> None:
    game = GameOutcome((1, 0, 1), [[0], [1], [2]], 2, False, {0: {"illegal": 2}, 2: {"illegal": 1, "waited": 1}})
    found = statistics_of([DealOutcome(0, [game, won(0, 1, 1, durak=0), won(1, 0, 0, durak=0)])], 2, 3)
    assert [bot.forfeits for bot in found.bots] == [{}, {"illegal": 3, "waited": 1}]


# ---------------------------------------------------------------- times, ratings


def test_percentiles_of_times_are_right_to_six_percent() -> None:
    rng = random.Random(1)
    values = sorted(rng.lognormvariate(0, 2) for _ in range(5000))
    times, half = Times(), Times()
    times.add(values[::2])
    half.add(values[1::2])
    times.merge(half.counts)
    assert times.total == 5000
    for share in (0.5, 0.95, 0.99):
        assert times.percentile(share) == pytest.approx(values[int(share * 5000) - 1], rel=0.07)
    assert Times().percentile(0.5) is None


def test_ratings_follow_the_order_of_going_out() -> None:
    deals = [DealOutcome(number, [won(0, 1, 2, 3, durak=3)]) for number in range(40)]
    mus = [rating.mu for rating in ratings_of(deals, 4)]
    assert mus == sorted(mus, reverse=True)
    assert mus[0] - mus[3] > 10


def test_ratings_of_those_who_always_share_a_place_stay_equal() -> None:
    ratings = ratings_of([DealOutcome(number, [drawn(0, 1)]) for number in range(20)], 2)
    assert ratings[0].mu == pytest.approx(ratings[1].mu)
    assert ratings[0].sigma < 25 / 3


def test_a_table_full_of_one_bot_moves_it_once() -> None:
    ratings = ratings_of([DealOutcome(0, [won(0, 1, 1, 1, durak=0)])], 2)
    assert ratings[0].mu < 25 < ratings[1].mu


def test_the_more_games_the_surer_a_rating() -> None:
    rng = random.Random(3)
    deals = [DealOutcome(number, [won(0, 1, durak=int(rng.random() < 0.7))]) for number in range(1000)]
    few, many = ratings_of(deals[:50], 2), ratings_of(deals, 2)
    assert many[0].sigma < 0.5 * few[0].sigma
    assert many[0].mu > many[1].mu
