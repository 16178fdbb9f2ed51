"""RULES 1.23, 1.24: a table on which everybody falls silent still ends, by its expiries alone."""

import random
from typing import Any

import pytest

from durak.protocol.rules.cards import PACK
from durak.protocol.rules.ruleset import PRESETS
from tests.server.table.driving import Driven, Fixed, created, run

MOST_EXPIRIES = 3_000
DECKS = range(3)
PLAYERS = range(2, 7)


def shuffled(seed: int) -> Fixed:
    deck = list(PACK)
    random.Random(seed).shuffle(deck)
    return Fixed(deck, jitter=seed * 12_345_679)


def expire(driven: Driven) -> Driven:
    """Let whatever expires expire, until the game is over."""
    for _ in range(MOST_EXPIRIES):
        if driven.table.status != "playing":
            return driven
        assert driven.table.deadline_ms is not None, f"the table waits for ever in the phase {driven.game.phase}"
        driven.wait(driven.table.deadline_ms - driven.now_ms)
    raise AssertionError(f"no end after {MOST_EXPIRIES} expiries")


@pytest.mark.parametrize("seed", DECKS)
@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("preset", PRESETS)
def test_1_23_with_a_turn_clock_a_table_of_silent_persons_ends(preset: str, players: int, seed: int) -> None:
    driven = created(preset, max_players=players, persons=players, start=True, entropy=shuffled(seed))
    result = expire(driven).game.result
    assert result is not None
    assert sorted(seat for group in result.places for seat in group) == list(range(players))


@pytest.mark.parametrize("seed", DECKS)
@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("discreet", [False, True])
@pytest.mark.parametrize("preset", PRESETS)
def test_1_23_without_a_turn_clock_a_table_of_silent_bots_ends(preset: str, discreet: bool, players: int, seed: int) -> None:
    expire(
        created(preset, max_players=players, persons=0, bots=players, turn_clock_s=None, discreet=discreet, entropy=shuffled(seed))
    )


@pytest.mark.parametrize("seed", DECKS)
@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("preset", PRESETS)
def test_1_23_without_a_turn_clock_a_table_of_silent_bots_and_leavers_ends(preset: str, players: int, seed: int) -> None:
    driven = created(
        preset, max_players=players, bots=players - 1, start=True, turn_clock_s=None, offer_ms=0, entropy=shuffled(seed)
    )
    expire(run(driven, "ann:rise"))


@pytest.mark.parametrize("seed", DECKS)
@pytest.mark.parametrize("preset", PRESETS)
def test_1_23_an_owner_who_came_and_left_again_keeps_no_table_waiting(preset: str, seed: int) -> None:
    driven = created(preset, max_players=4, bots=3, start=True, turn_clock_s=None, redeal=False, entropy=shuffled(seed))
    expire(run(driven, "ann:rise +1 ann:sit +1 ann:rise"))


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("preset", PRESETS)
def test_1_22_without_a_turn_clock_a_table_that_all_persons_drop_from_ends(preset: str, players: int) -> None:
    driven = created(preset, max_players=players, persons=players, start=True, turn_clock_s=None, entropy=shuffled(1))
    run(driven, " ".join(f"{occupant.player}:drop" for _, occupant in driven.table.occupants()))
    expire(driven)


@pytest.mark.parametrize("seed", range(20))
def test_1_23_whatever_the_options_a_table_of_silent_persons_ends(seed: int) -> None:
    rng = random.Random(seed)
    options: dict[str, Any] = {
        "throw_in": rng.choice(("all", "attacker_only")),
        "throw_timing": rng.choice(("any", "all_beaten")),
        "after_take": rng.choice(("window", "immediate", "none")),
        "window_ms": rng.choice((None, 1, 8_000)),
        "close_ms": rng.choice((0, 1_000)),
        "first_attacker": rng.choice(("lowest_trump", "winner_leads")),
        "redeal": rng.random() < 0.5,
        "forfeit_defence": rng.random() < 0.5,
        "limit_first_bout": rng.choice((None, 5)),
        "discreet": rng.random() < 0.5,
        "offer_ms": rng.choice((0, 6_000)),
        "turn_clock_s": rng.choice((15, 30, 60)),
    }
    players = rng.randint(2, 6)
    expire(created(max_players=players, persons=players, start=True, entropy=shuffled(seed), **options))
