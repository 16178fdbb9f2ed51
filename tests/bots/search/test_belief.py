"""What the others' decisions tell of their cards: the history is told again as it was, and deals that fit it are near the truth."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from durak.bots.bot import Bot, Budget, bot_named
from durak.bots.knowing.memory import Memory
from durak.bots.players.hard import Hard
from durak.bots.players.history import History, belief_of
from durak.bots.players.normal import sight_of
from durak.bots.players.thinking import HARD
from durak.bots.players.weights import weights_for
from durak.bots.search.belief import BEATS, LACKS, LEADS, PASSES, TAKES, THROWS, Belief
from durak.bots.search.chance import Chance
from durak.bots.search.reading import position_of
from durak.bots.search.weighing import PASS, TAKE, beat, lead, throw
from durak.protocol.rules.actions import AnyAction, Beat, Lead, Pass, Take, Throw
from durak.protocol.rules.cards import INDEX, SUITS
from durak.protocol.rules.game import Game
from durak.protocol.rules.kernel import Kernel
from durak.protocol.rules.layout import ALL_CARDS
from durak.protocol.rules.ruleset import PRESETS
from durak.protocol.rules.view import GameView
from tests.bots.playing import Watcher, play, shuffled

DEALS = 400
KINDS = {Lead: LEADS, Throw: THROWS, Beat: BEATS, Take: TAKES, Pass: PASSES}
TABLES = [("classic", 2), ("classic", 3), ("classic", 6), ("challenge", 2), ("gameweave", 4)]


def normals(players: int) -> list[Bot]:
    return [bot_named("normal") for _ in range(players)]


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_the_history_is_what_every_seat_saw_and_did(preset: str, players: int) -> None:
    """With the hand that it had, Normal decides from the sight that is told again as it did."""
    rng = random.Random(5)
    compared = 0
    hands: dict[int, list[tuple[int, int, int]]] = {}
    memories: dict[int, Memory] = {}
    trumps: list[str] = []

    def watch(game: Game, seat: int, view: GameView, memory: Memory, action: AnyAction | None) -> None:
        memories[seat] = memory
        trumps.append(view.trump)
        if action is not None and type(action) in KINDS and view.phase in ("lead", "bout"):
            says = not isinstance(action, Pass) or len(view.table) < view.limit
            if says:
                card = INDEX[action.card] if isinstance(action, Lead | Throw | Beat) else 0
                hands[seat].append((int(KINDS[type(action)]), card, int(game.kernel.hands[seat])))

    for _ in range(4):
        hands.update({seat: [] for seat in range(players)})
        play(PRESETS[preset], shuffled(rng), normals(players), rng, watch)
        history = History(memories[0], players, SUITS.index(trumps[-1]))
        told = history.decisions
        for seat in range(1, players):
            mine = [n for n, who in enumerate(told.seats) if who == seat and told.kinds[n] != LACKS]
            assert [(told.kinds[n], told.cards[n]) for n in mine] == [(kind, card) for kind, card, _ in hands[seat]]
            for number, (kind, card, hand) in zip(mine, hands[seat], strict=True):
                sight = told.sights[number]
                assert hand & ~told.others[number] & ~told.hands[number] == 0, "a card of its hand lay elsewhere"
                sight.hand, sight.pool = hand, told.others[number] & ~hand
                weights = weights_for(players, stock=sight.stock > 0)
                decides: dict[int, Callable[..., int]] = {
                    LEADS: lambda s=sight, w=weights: lead(s, w),
                    THROWS: lambda s=sight, w=weights: throw(s, w),
                    PASSES: lambda s=sight, w=weights: 0 if throw(s, w) == PASS else -9,
                    TAKES: lambda s=sight, w=weights: 0 if beat(s, w) == TAKE else -9,
                    BEATS: lambda s=sight, w=weights: beat(s, w) % 36,
                }
                assert decides[kind]() == card
                compared += 1
    assert compared > 40


def looks(look: Callable[[GameView, Memory], None]) -> Watcher:
    """Lets a test look at what the first seat sees and remembers whenever it may act in a bout."""

    def watch(game: Game, seat: int, view: GameView, memory: Memory, action: AnyAction | None) -> None:
        if seat == 0 and view.legal and view.phase in ("lead", "bout"):
            look(view, memory)

    return watch


def dealt(belief: Belief, view: GameView, memory: Memory, chance: Chance) -> tuple[list[int], list[int]]:
    """The hands and the stock of its deal."""
    kernel = Kernel(view.players)
    sight = sight_of(view, memory)
    belief.put(kernel, sight, chance)
    return [int(kernel.hands[seat]) for seat in range(view.players)], [int(card) for card in kernel.stock]


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_every_deal_of_a_belief_is_one_that_may_be(preset: str, players: int) -> None:
    rng = random.Random(7)
    chance = Chance(3)
    looked = 0

    def look(view: GameView, memory: Memory) -> None:
        nonlocal looked
        looked += 1
        sight = sight_of(view, memory)
        belief = belief_of(memory, players, sight, chance)
        assert belief is not None
        for _ in range(3):
            for _step in range(30):
                belief.step(chance)
            hands, stock = dealt(belief, view, memory, chance)
            assert len(set(stock)) == len(stock) == view.stock
            assert not sight.bottom or 1 << stock[-1] == sight.bottom
            seen = sum(1 << card for card in stock)
            for seat in range(players):
                if seat != memory.seat:
                    assert hands[seat] & seen == 0, "a card lies in two places"
                    seen |= hands[seat]
                    assert hands[seat].bit_count() == view.counts[seat]
                    assert hands[seat] & sight.known[seat] == sight.known[seat]
            lying = sum(1 << INDEX[card] for pair in view.table for card in (pair.attack, pair.beaten) if card)
            assert seen | sight.hand | lying | memory.public.discarded == ALL_CARDS

    for _ in range(3):
        play(PRESETS[preset], shuffled(rng), normals(players), rng, looks(look))
    assert looked > 15


def loss(other: str, games: int, seed: int) -> dict[bool, float]:
    """The log loss of a hidden card to be in the other hand, with and without the others' decisions."""
    rng, total, cards = random.Random(seed), {True: 0.0, False: 0.0}, 0

    def watch(game: Game, seat: int, view: GameView, memory: Memory, action: AnyAction | None) -> None:
        nonlocal cards
        if seat != 0 or not view.legal or view.phase != "lead" or not view.stock:
            return
        position, sight = position_of(view, memory), sight_of(view, memory)
        pool = [card for card in range(36) if sight.pool >> card & 1]
        cards += len(pool)
        for infers in (True, False):
            worlds = replace(HARD, infers=infers).worlds(position, sight, memory, Chance(rng.getrandbits(60)))
            found = [0] * 36
            for _ in range(DEALS):
                assert worlds.deal()
                for card in pool:
                    found[card] += int(worlds.dealt.kernel.hands[1]) >> card & 1
            for card in pool:
                chance = min(0.98, max(0.02, found[card] / DEALS))
                total[infers] -= math.log(chance if game.kernel.hands[1] >> card & 1 else 1 - chance)

    for _ in range(games):
        play(PRESETS["classic"], shuffled(rng), [bot_named("normal"), bot_named(other)], rng, watch)
    return {infers: summed / cards for infers, summed in total.items()}


@pytest.mark.parametrize("other", ["normal", "greedy"])
def test_hidden_cards_are_guessed_better_with_the_others_decisions(other: str) -> None:
    losses = loss(other, 12, 1)
    assert losses[True] < 0.95 * losses[False]


def test_who_plays_as_normal_is_taken_for_normal_and_who_does_not_is_not() -> None:
    rng, chance = random.Random(8), Chance(5)
    drawn = [0, 0, 0]
    looked = 0

    def look(view: GameView, memory: Memory) -> None:
        nonlocal looked
        if len(memory.entries) > 60:
            belief = belief_of(memory, 3, sight_of(view, memory), chance)
            assert belief is not None
            for _ in range(20):
                for _step in range(30):
                    belief.step(chance)
                looked += 1
                choosers = belief.choosers(chance)
                for seat in range(3):
                    drawn[seat] += choosers >> seat & 1

    for _ in range(6):
        play(PRESETS["classic"], shuffled(rng), [bot_named(name) for name in ("normal", "normal", "random")], rng, looks(look))
    assert looked > 300
    assert drawn[1] < 0.1 * looked
    assert drawn[2] > 0.8 * looked


def test_after_a_snapshot_the_history_begins_there_and_with_a_gap_there_is_none() -> None:
    rng = random.Random(2)
    late = 0

    def look(view: GameView, memory: Memory) -> None:
        nonlocal late
        fresh = Memory(memory.seat, memory.rules)
        fresh.restart(view)
        chance = Chance(1)
        assert belief_of(fresh, view.players, sight_of(view, fresh), chance) is not None
        if len(memory.entries) > 20 and late < 3:
            gap = Memory(memory.seat, memory.rules)
            gap.public.assign(memory.public)
            gap.stock, gap.trump_card = memory.stock, memory.trump_card
            gap.limit, gap.attacks = memory.limit, memory.attacks
            gap.entries = memory.entries[:8]
            assert belief_of(gap, view.players, sight_of(view, gap), chance) is None
            assert Hard().choose(view, gap, random.Random(1), Budget(nodes=2_000)) in [*view.legal, None]
            late += 1

    for _ in range(3):
        play(PRESETS["classic"], shuffled(rng), normals(3), rng, looks(look))
    assert late == 3


def test_with_the_same_chance_a_belief_goes_the_same_way() -> None:
    """The numbers at the end change with Normal's weights, but not with how the code is run."""
    rng = random.Random(4)
    compared = summed = 0

    def look(view: GameView, memory: Memory) -> None:
        nonlocal compared, summed
        both = []
        for _ in range(2):
            chance = Chance(9)
            belief = belief_of(memory, view.players, sight_of(view, memory), chance)
            assert belief is not None
            for _step in range(100):
                belief.step(chance)
            both.append(dealt(belief, view, memory, chance))
        assert both[0] == both[1]
        compared += 1
        summed += both[0][0][1] % 1009

    play(PRESETS["classic"], shuffled(rng), normals(3), rng, looks(look))
    assert (compared, summed) == (28, 12753)
