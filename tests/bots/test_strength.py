"""The levels are in order, and Normal beats lowest-card play at tables of two and of four. Fixed deals, so it never flickers."""

from __future__ import annotations

import pytest

from tests.bots.tournament import measure

pytestmark = pytest.mark.timeout(300)


def test_normal_beats_lowest_card_play_in_two() -> None:
    score = measure("normal", "greedy", players=2, deals=500)
    assert score.mean >= 0.60
    assert score.mean - score.margin > 0.55


def test_normal_beats_careful_lowest_card_play_in_two() -> None:
    score = measure("normal", "cheap", players=2, deals=500)
    assert score.mean - score.margin > score.fair


def test_normal_is_better_than_fair_against_three() -> None:
    score = measure("normal", "greedy", players=4, deals=300)
    assert score.mean - score.margin > score.fair


def test_normal_beats_easy_and_easy_beats_chance() -> None:
    assert measure("normal", "easy", players=2, deals=150).mean > 0.65
    assert measure("easy", "random", players=2, deals=150).mean > 0.7


@pytest.mark.parametrize("preset", ["gameweave", "challenge"])
def test_normal_beats_lowest_card_play_under_other_rules(preset: str) -> None:
    score = measure("normal", "greedy", players=2, deals=300, preset=preset)
    assert score.mean - score.margin > score.fair
