"""Every bot, at every table: what it chooses is legal, and follows from what its seat has been told and nothing else."""

from __future__ import annotations

import random
from typing import Any

import pytest

from durak.bots.bot import BOTS, LEVELS, BadBudget, Budget, NoSuchBot, bot_named
from durak.bots.knowing.memory import Memory
from durak.bots.players.rivals import Cheat
from durak.protocol.process.compiled import is_compiled
from durak.protocol.rules.actions import AnyAction, Forfeit, Pass, Throw
from durak.protocol.rules.bits import array
from durak.protocol.rules.cards import INDEX, cards_of
from durak.protocol.rules.game import Game
from durak.protocol.rules.ruleset import PRESETS, Ruleset, ruleset_of
from durak.protocol.rules.view import GameView, view_of
from tests.bots.playing import NODES, match, play, shuffled


def any_rules(rng: random.Random) -> Ruleset:
    """A preset, or any combination of options."""
    preset = rng.choice(sorted(PRESETS))
    if rng.random() < 0.4:
        return PRESETS[preset]
    changes = {
        "throw_in": rng.choice(["all", "attacker_only"]),
        "throw_timing": rng.choice(["any", "all_beaten"]),
        "after_take": rng.choice(["window", "immediate", "none"]),
        "redeal": rng.random() < 0.5,
        "forfeit_defence": rng.random() < 0.5,
        "discreet": rng.random() < 0.5,
        "limit_first_bout": rng.choice([None, 5]),
        "offer_ms": rng.choice([0, 6000]),
    }
    return ruleset_of(preset, {**changes, "max_players": 6})


SEARCHED = 20 if is_compiled() else 9
"""Games of bots that search."""

FAIR = sorted(set(BOTS) - {"cheat"})


@pytest.fixture(autouse=True)
def small_yardsticks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Interpreted, a thousand playouts take seconds, and how many fit into four milliseconds is chance."""
    monkeypatch.setattr("durak.bots.players.rivals.MCTS_DEALS", 2)
    monkeypatch.setattr("durak.bots.players.rivals.MCTS_WALKS", 4)
    monkeypatch.setattr("durak.bots.players.rivals.FLAT_MS", 1e6)


@pytest.mark.parametrize("name", FAIR)
def test_what_a_bot_chooses_is_legal_in_whole_games_at_any_table(name: str) -> None:
    rng = random.Random(name)
    phases, open_at_once = set(), 0

    def watch(game: Game, seat: int, view: GameView, memory: Memory, action: AnyAction | None) -> None:
        nonlocal open_at_once
        phases.add(view.phase)
        assert view.legal
        if action is None:
            assert Pass() in view.legal or any(isinstance(legal, Throw) for legal in view.legal)
            assert any(pair.beaten is None for pair in view.table), "nobody else would act"
        else:
            assert action in view.legal
            assert not isinstance(action, Forfeit)
            open_at_once = max(open_at_once, sum(pair.beaten is None for pair in view.table))

    others = [other for other in sorted(BOTS) if bot_named(other).cheap]
    for number in range(300 if name in others else SEARCHED):
        players = 2 + number % 5
        names = [name] * players if number % 2 else [name, *rng.choices(others, k=players - 1)]
        play(any_rules(rng), shuffled(rng), [bot_named(name) for name in names], rng, watch)
    assert phases >= {"lead", "bout", "decide"}
    assert "redeal" in phases or name not in others
    assert open_at_once > 1


def test_what_sees_all_cards_plays_on_legally_too() -> None:
    rng = random.Random(7)
    for preset in sorted(PRESETS):
        cheat = Cheat()
        played = match(PRESETS[preset], shuffled(rng), [cheat, bot_named("greedy")], rng)
        cheat.game = played.game
        played.to_the_end()
        assert played.lapses == []


@pytest.mark.parametrize("name", FAIR)
def test_cards_that_a_seat_cannot_see_do_not_change_what_it_does(name: str) -> None:
    rng = random.Random(name)
    bot = bot_named(name)
    changed = 0

    def watch(game: Game, seat: int, view: GameView, memory: Memory, action: AnyAction | None) -> None:
        nonlocal changed
        if rng.random() < 0.8:
            return
        other = exchanged(game, seat, memory, rng)
        changed += list(other.kernel.hands) != list(game.kernel.hands)
        other_view = view_of(other, seat)
        assert other_view == view
        seed = rng.random()
        here = bot.choose(view, memory, random.Random(seed), Budget(nodes=NODES))
        there = bot.choose(other_view, memory, random.Random(seed), Budget(nodes=NODES))
        assert here == there

    for number in range(40 if bot.cheap else SEARCHED // 3):
        players = 2 + number % 5
        rules = PRESETS[("classic", "gameweave", "challenge")[number % 3]]
        play(rules, shuffled(rng), [bot] * players, rng, watch)
    assert changed > (100 if bot.cheap else 10)


def exchanged(game: Game, viewer: int, memory: Memory, rng: random.Random) -> Game:
    """The same game with the cards that this seat cannot know dealt out differently over other hands and stock."""
    twin = game.copy()
    kernel = twin.kernel
    stock = list(kernel.stock)[kernel.stock_top :]
    seats = [seat for seat in range(game.players) if seat != viewer]
    fixed = {seat: kernel.hands[seat] & memory.public.known[seat] for seat in seats}
    hidden = [card for seat in seats for card in cards_of(kernel.hands[seat] & ~fixed[seat])]
    pool = [INDEX[card] for card in hidden] + stock[:-1]
    rng.shuffle(pool)
    for seat in seats:
        size = int(kernel.hands[seat]).bit_count() - int(fixed[seat]).bit_count()
        kernel.hands[seat] = fixed[seat] | sum(1 << pool.pop() for _ in range(size))
    kernel.stock = array(list(kernel.stock)[: kernel.stock_top] + pool + stock[-1:])
    return twin


def test_on_a_discreet_table_a_seat_with_nothing_to_add_passes() -> None:
    rng = random.Random(5)
    passes = {"with": 0, "without": 0}

    def watch(game: Game, seat: int, view: GameView, memory: Memory, action: AnyAction | None) -> None:
        if action == Pass():
            passes["with" if any(isinstance(legal, Throw) for legal in view.legal) else "without"] += 1

    for _ in range(20):
        play(ruleset_of("classic", {"discreet": True}), shuffled(rng), [bot_named("normal")] * 4, rng, watch)
    assert min(passes.values()) > 10


def test_a_hand_full_of_one_plain_suit_is_dealt_anew_and_one_of_trumps_is_kept() -> None:
    rng = random.Random(1)
    seen = set()

    def watch(game: Game, seat: int, view: GameView, memory: Memory, action: AnyAction | None) -> None:
        if view.phase == "redeal":
            assert view.hand is not None
            trumps = sum(card.endswith(view.trump) for card in view.hand)
            seen.add((type(action).__name__, trumps >= 5, trumps == 0))

    for _ in range(1500):
        playing = match(PRESETS["challenge"], shuffled(rng), [bot_named("normal")] * 2, rng, watch)
        if playing.game.kernel.offers:
            playing.to_the_end()
    assert ("Keep", True, False) in seen
    assert ("Redeal", False, True) in seen
    assert ("Redeal", True, False) not in seen


def test_the_offered_levels_are_bots_and_hard_alone_is_not_cheap() -> None:
    assert [level for level in LEVELS if not bot_named(level).cheap] == ["hard"]
    with pytest.raises(NoSuchBot, match="no_such_bot"):
        bot_named("xyzzy")


@pytest.mark.parametrize(
    "nothing", [{"ms": 0}, {"ms": -1}, {"ms": float("nan")}, {"ms": float("inf")}, {"nodes": 0}, {"nodes": -5}]
)
def test_a_budget_of_nothing_is_refused(nothing: dict[str, Any]) -> None:
    with pytest.raises(BadBudget, match="bad_budget"):
        Budget(**nothing)
