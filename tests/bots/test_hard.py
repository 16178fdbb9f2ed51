"""Hard keeps its budget, in time and in nodes."""

from __future__ import annotations

import random
import time

import pytest

from durak.bots.bot import Budget
from durak.bots.hard import Hard, choices_of, searched
from durak.bots.memory import Memory
from durak.bots.normal import sight_of
from durak.bots.search.chance import Chance
from durak.bots.search.reading import position_of
from durak.protocol.rules.cards import PACK
from durak.protocol.rules.game import Game
from durak.protocol.rules.ruleset import PRESETS
from durak.protocol.rules.view import GameView, seen, view_of


def lead() -> tuple[GameView, Memory]:
    """What the first attacker of a game of two sees."""
    deck = list(PACK)
    random.Random(1).shuffle(deck)
    game, events = Game.deal(PRESETS["classic"], deck, 2)
    memory = Memory(game.kernel.attacker, PRESETS["classic"])
    view = view_of(game, memory.seat)
    memory.observe([told for event in events if (told := seen(event, memory.seat)) is not None], view)
    return view, memory


@pytest.mark.timeout(20)
def test_a_search_whose_time_is_over_before_it_begins_ends() -> None:
    view, memory = lead()
    choices = choices_of(view, memory.seat)
    found = searched(position_of(view, memory), sight_of(view, memory), choices, Chance(1), time.perf_counter() - 1, 1e9)
    assert {choice.action for choice in found} == set(view.legal)


@pytest.mark.timeout(20)
@pytest.mark.parametrize("budget", [Budget(ms=1, nodes=1_000_000_000), Budget(ms=1_000_000, nodes=1_000), Budget(nodes=1_000)])
def test_whichever_budget_ends_first_ends_the_search(budget: Budget) -> None:
    view, memory = lead()
    assert Hard().choose(view, memory, random.Random(1), budget) in view.legal


def test_with_nodes_the_same_seed_chooses_the_same() -> None:
    view, memory = lead()
    chosen = [Hard().choose(view, memory, random.Random(3), Budget(nodes=5_000)) for _ in range(2)]
    assert chosen[0] == chosen[1]
