"""Hard keeps its budget, in time and in nodes, and chooses the same with the same seed."""

from __future__ import annotations

import random
import time

import pytest

from durak.bots.bot import LEVELS, Budget
from durak.bots.hard import Hard, by_halving, by_tree, choices_of, consider
from durak.bots.memory import Memory
from durak.bots.normal import sight_of
from durak.bots.search.chance import Chance
from durak.bots.search.reading import position_of
from durak.bots.thinking import HARD
from durak.protocol.rules.cards import PACK
from durak.protocol.rules.game import Game
from durak.protocol.rules.ruleset import PRESETS
from durak.protocol.rules.view import GameView, seen, view_of

SEARCHES = {"by_tree": by_tree, "by_halving": by_halving}


def lead(players: int = 2) -> tuple[GameView, Memory]:
    """What the first attacker of a game sees."""
    deck = list(PACK)
    random.Random(1).shuffle(deck)
    game, events = Game.deal(PRESETS["classic"], deck, players)
    memory = Memory(game.kernel.attacker, PRESETS["classic"])
    view = view_of(game, memory.seat)
    memory.observe([told for event in events if (told := seen(event, memory.seat)) is not None], view)
    return view, memory


@pytest.mark.timeout(20)
@pytest.mark.parametrize("search", SEARCHES)
def test_a_search_whose_time_is_over_before_it_begins_ends(search: str) -> None:
    view, memory = lead()
    choices = choices_of(view, memory.seat)
    worlds = HARD.worlds(position_of(view, memory), sight_of(view, memory), Chance(1))
    found = SEARCHES[search](worlds, choices, time.perf_counter() - 1, 1e9)
    assert {choice.action for choice in found} == set(view.legal)


@pytest.mark.timeout(20)
@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("budget", [Budget(ms=1, nodes=1_000_000_000), Budget(ms=1_000_000, nodes=1_000), Budget(nodes=1_000)])
def test_whichever_budget_ends_first_ends_the_search(budget: Budget, players: int) -> None:
    view, memory = lead(players)
    assert Hard().choose(view, memory, random.Random(1), budget) in view.legal


@pytest.mark.parametrize("players", [2, 4])
def test_with_nodes_the_same_seed_thinks_the_same(players: int) -> None:
    view, memory = lead(players)
    first, second = (consider(view, memory, random.Random(3), Budget(nodes=5_000)) for _ in range(2))
    assert first == second


def test_a_search_with_more_nodes_than_the_tree_has_room_for_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("durak.bots.hard.ROOM", 12)
    view, memory = lead()
    assert len(consider(view, memory, random.Random(3), Budget(nodes=5_000))) == len(view.legal)


def test_only_levels_are_offered_to_tables() -> None:
    assert LEVELS == ("easy", "normal", "hard")
