"""Whatever happens to a table, at whatever time, its promises hold; random_tables.py says which."""

import random

import pytest

from tests.server.table.driving import everything, folded
from tests.server.table.random_tables import (
    check_can,
    check_legal,
    every_action,
    players,
    random_life,
    random_table,
)

pytestmark = pytest.mark.long
SEEDS = range(20)
STEPS = 300
LEGAL_ACTIONS = 12
"""Random actions tried for each player, besides those that it is told are legal."""


@pytest.mark.parametrize("seed", SEEDS)
def test_promises_hold_after_every_step_and_the_journal_gives_the_same_table(seed: int) -> None:
    rng = random.Random(seed)
    driven = random_table(rng)
    accepted = random_life(rng, driven, STEPS)
    assert accepted > STEPS // 10
    assert everything(folded(driven)) == everything(driven.table)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_a_player_is_told_it_can_do_is_what_is_accepted(seed: int) -> None:
    rng = random.Random(1_000 + seed)
    driven = random_table(rng)
    for _ in range(20):
        random_life(rng, driven, rng.randint(1, 12))
        for player in players(driven.table):
            check_can(driven, player)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_legal_actions_that_a_player_is_shown_are_those_that_are_accepted(seed: int) -> None:
    rng = random.Random(2_000 + seed)
    driven = random_table(rng)
    for _ in range(20):
        random_life(rng, driven, rng.randint(1, 12))
        game = driven.table.game
        likely = [] if game is None else [action for seat in range(game.players) for action in game.legal(seat)]
        for player in players(driven.table):
            check_legal(driven, player, likely + rng.sample(every_action(driven.table), LEGAL_ACTIONS))


@pytest.mark.timeout(180)
def test_random_tables_see_everything_there_is() -> None:
    """So that the tests above have something to say."""
    kinds: dict[str, int] = {}
    events: dict[str, int] = {}
    games = 0
    for seed in range(25):
        rng = random.Random(3_000 + seed)
        driven = random_table(rng)
        random_life(rng, driven, STEPS)
        games += driven.table.games
        for entry in driven.entries:
            kinds[type(entry.input).__name__] = kinds.get(type(entry.input).__name__, 0) + 1
        for told in driven.told:
            for event in told.events:
                events[type(event).__name__] = events.get(type(event).__name__, 0) + 1
    assert games >= 40
    assert len(kinds) == 14, kinds
    assert len(events) == 25, events
