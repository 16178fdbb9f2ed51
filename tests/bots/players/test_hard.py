"""Hard keeps its budget, in time and in nodes, and chooses the same with the same seed."""

from __future__ import annotations

import random
import time
from dataclasses import replace

import pytest

from durak.bots.bot import LEVELS, Budget
from durak.bots.knowing.memory import Memory
from durak.bots.players.hard import Hard, by_halving, choices_of, consider
from durak.bots.players.normal import sight_of
from durak.bots.players.thinking import HARD
from durak.bots.search.chance import Chance
from durak.bots.search.reading import position_of
from durak.protocol.rules.actions import Lead
from durak.protocol.rules.cards import PACK, set_of
from durak.protocol.rules.game import Game
from durak.protocol.rules.notation import read_position
from durak.protocol.rules.ruleset import PRESETS
from durak.protocol.rules.view import GameView, seen, view_of


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
@pytest.mark.parametrize("tree", [True, False])
def test_a_search_whose_time_is_over_before_it_begins_ends(tree: bool) -> None:
    view, memory = lead()
    choices = choices_of(view, memory.seat)
    worlds = HARD.worlds(position_of(view, memory), sight_of(view, memory), memory, Chance(1))
    search = replace(HARD, tree=tree).search(worlds, [move for move, _ in choices])
    found = by_halving(search, choices, time.perf_counter() - 1, 1e9)
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
    monkeypatch.setattr("durak.bots.players.thinking.ROOM", 12)
    view, memory = lead()
    assert len(consider(view, memory, random.Random(3), Budget(nodes=5_000))) == len(view.legal)


def test_all_moves_are_tried_on_the_same_deals_until_half_of_them_is_given_up() -> None:
    view, memory = lead()
    moves = [move for move, _ in choices_of(view, memory.seat)]
    search = HARD.search(HARD.worlds(position_of(view, memory), sight_of(view, memory), memory, Chance(1)), moves)
    assert search.try_all(40) == 40 * len(moves)
    assert list(search.times) == [40] * len(moves)
    better = sorted(range(len(moves)), key=search.mean)[len(moves) // 2 :]
    search.halve()
    assert [place for place in range(len(moves)) if search.alive[place]] == sorted(better)
    search.try_all(10)
    assert [int(times) for times in search.times] == [50 if place in better else 40 for place in range(len(moves))]


def test_only_levels_are_offered_to_tables() -> None:
    assert LEVELS == ("easy", "normal", "hard")


def told_of(game: Game, seat: int, known: dict[int, str]) -> tuple[GameView, Memory]:
    """What a seat sees that has followed the game and knows these cards of others' hands."""
    memory = Memory(seat, game.ruleset)
    view = view_of(game, seat)
    memory.restart(view)
    memory.public.discarded = game.kernel.discard
    for other, cards in known.items():
        memory.public.known[other] |= set_of(cards.split())
    return view, memory


def exact(position: str, seat: int, nodes: int = 1_000_000, known: dict[int, str] | None = None) -> list[bool]:
    """Of each choice, the best first, whether its chance is exact."""
    view, memory = told_of(read_position(position), seat, known or {})
    return [choice.exact for choice in consider(view, memory, random.Random(1), Budget(nodes=nodes))]


def test_with_the_trump_card_alone_under_the_stock_all_is_known_and_solved() -> None:
    assert exact("S | 6D 7H / 8S 9H | stock 10S", 0) == [True, True]
    assert exact("S | 6D 7H / 8S 9H | stock KC 10S", 0, nodes=3_000) == [False, False]
    assert exact("S | 6D 7H / 8S 9H | stock KC 10S", 0, known={1: "8S 9H"}) == [True, True]


def test_an_ending_with_a_stock_that_is_too_hard_is_searched() -> None:
    position = "S | 6D 7H 9C QD KD AH / 8S 9H JC JD 6C 7C | stock 10S"
    assert exact(position, 0, nodes=2_000) == [False] * 6


def test_with_three_seats_a_sure_escape_is_taken_if_both_hands_are_known() -> None:
    position = "S | AS 6D / 7H 8H 9C / 10C JC QC"
    assert exact(position, 0, known={1: "7H 8H 9C"})[0]
    view, memory = told_of(read_position(position), 0, {1: "7H 8H 9C"})
    found = consider(view, memory, random.Random(1), Budget(nodes=1_000_000))
    assert found[0].chance == 1
    assert exact(position, 0, nodes=3_000) == [False, False]  # whose card is whose?


@pytest.mark.parametrize(("others_choose", "mistakes"), [(True, range(2)), (False, range(4, 23))])
def test_a_tree_in_which_the_others_choose_finds_what_best_play_finds(others_choose: bool, mistakes: range) -> None:
    """Endings of 22 deals, all cards known, without the solver; who takes the other for Normal is mistaken more often."""
    tree = replace(HARD, judges=False, infers=False, solves=False, solved_cards=0, whims=0, others_choose=others_choose)
    rng = random.Random(5)
    endings = wrong = 0
    for _ in range(60):
        cards = rng.sample(PACK, 10)
        game = read_position(f"S | {' '.join(cards[:5])} / {' '.join(cards[5:])}")
        seat = game.kernel.attacker
        view, memory = told_of(game, seat, {1 - seat: " ".join(cards[5:])})
        best = consider(view, memory, random.Random(1), Budget(nodes=10_000_000))
        if best[0].chance > best[-1].chance:
            endings += 1
            found = consider(view, memory, random.Random(1), Budget(nodes=50_000), tree)[0].action
            wrong += found not in {choice.action for choice in best if choice.chance == best[0].chance}
    assert endings == 22
    assert wrong in mistakes


@pytest.mark.parametrize(
    ("players", "first", "chance"), [(2, "7D", 0.4971672289), (4, "7H", 0.7788320214), (6, "7H", 0.9388765586)]
)
def test_it_thinks_the_same_compiled_or_not(players: int, first: str, chance: float) -> None:
    """These numbers change with the networks and with Normal's weights, but not with how the code is run."""
    view, memory = lead(players)
    best = consider(view, memory, random.Random(3), Budget(nodes=20_000))[0]
    assert best.action == Lead(first)
    assert best.chance == pytest.approx(chance, abs=1e-9)
