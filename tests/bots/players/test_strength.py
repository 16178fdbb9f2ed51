"""The levels are in order, and Normal beats lowest-card play at tables of two and of four. Fixed deals, so it never flickers."""

from __future__ import annotations

import pytest

from durak.bots.arena.contestants import entrants
from durak.bots.arena.deals import Arena, play_deals
from durak.bots.arena.statistics import Estimate, statistics_of
from durak.bots.players.weights import policy_for
from durak.bots.search.duel import share_not_durak
from durak.bots.search.policy import GREEDY, Policy
from durak.protocol.process.compiled import is_compiled
from durak.protocol.rules.kernel import Kernel

pytestmark = pytest.mark.timeout(300)
searching = pytest.mark.skipif(not is_compiled(), reason="minutes of search, were it interpreted: pip install '.[test]'")


def measure(first: str, others: str, players: int, deals: int, *, preset: str = "classic", nodes: int | None = None) -> Estimate:
    """The score of one `first` against `players - 1` of `others`."""
    arena = Arena(entrants([first, others]), players, preset, 1, None, nodes, 2000.0)
    outcomes = list(play_deals(arena, range(deals)))
    return statistics_of(outcomes, 2, players).bots[0].score


def test_normal_beats_lowest_card_play_in_two() -> None:
    score = measure("normal", "greedy", players=2, deals=300)
    assert score.mean >= 0.60
    assert score.low > 0.55


def test_normal_beats_careful_lowest_card_play_in_two() -> None:
    assert measure("normal", "cheap", players=2, deals=300).low > 0.5


def test_normal_is_better_than_fair_against_three() -> None:
    assert measure("normal", "greedy", players=4, deals=120).low > 0.75


def test_normal_beats_easy_and_easy_beats_chance() -> None:
    assert measure("normal", "easy", players=2, deals=150).mean > 0.65
    assert measure("easy", "random", players=2, deals=150).mean > 0.7


@pytest.mark.parametrize("preset", ["gameweave", "challenge"])
def test_normal_beats_lowest_card_play_under_other_rules(preset: str) -> None:
    assert measure("normal", "greedy", players=2, deals=300, preset=preset).low > 0.5


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_the_ladder_stands_for_every_number_of_players(players: int) -> None:
    fair = 1 - 1 / players
    assert measure("normal", "easy", players=players, deals=20).low > fair
    assert measure("easy", "random", players=players, deals=20).low > fair


@searching
@pytest.mark.parametrize(("players", "deals"), [(2, 25), (4, 8)])
def test_hard_beats_lowest_card_play_with_a_hundred_playouts_a_move(players: int, deals: int) -> None:
    assert measure("hard", "greedy", players, deals, nodes=10_000).mean > 1 - 0.8 / players


@searching
def test_who_sees_all_cards_beats_who_does_not() -> None:
    assert measure("cheat", "greedy", 2, 15, nodes=10_000).mean > 0.75


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_normal_is_better_than_lowest_card_play_for_every_number_of_players(players: int) -> None:
    normal = policy_for(players)
    greedy = Policy(GREEDY, normal.some, normal.none)
    assert share_not_durak(Kernel(players), normal, greedy, 600, 1) > 1 - 1 / players + 0.02
