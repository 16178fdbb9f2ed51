"""The policies of searches decide as the bots of the same names, and know what the bots' memories know."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from durak.bots.bot import Budget, bot_named
from durak.bots.knowing.memory import Memory
from durak.bots.knowing.public import Public
from durak.bots.players.weights import policy_for
from durak.bots.search.chance import Chance
from durak.bots.search.policy import CHEAP, GREEDY, NORMAL, WAIT, Player
from durak.bots.search.position import Position
from durak.protocol.rules import state as s
from durak.protocol.rules.bits import BIT
from durak.protocol.rules.game import Game
from durak.protocol.rules.layout import RANK_IN_ALL_SUITS
from durak.protocol.rules.legality import legal_move
from durak.protocol.rules.ruleset import PRESETS
from durak.protocol.rules.view import seen, view_of
from tests.bots.playing import shuffled


class Twins:
    """One game, played by the typed engine with memories and by a position with public knowledge."""

    def __init__(self, preset: str, players: int, rng: random.Random) -> None:
        rules = PRESETS[preset]
        self.rng = rng
        self.memories = [Memory(seat, rules) for seat in range(players)]
        while True:
            self.game, events = Game.deal(rules, shuffled(rng), players)
            if self.game.phase != "redeal":
                break
            if not self.game.kernel.offers:
                events += self.game.end_offer()
                break
        self.tell(events)
        self.position = Position(self.game.kernel.copy(), Public())
        shown = self.game.dealt_trump or self.game.opening_trump
        self.position.begin(0 if shown is None else BIT[shown[1]])

    def tell(self, events: list) -> None:  # type: ignore[type-arg]
        for seat, memory in enumerate(self.memories):
            memory.observe([told for event in events if (told := seen(event, seat)) is not None], view_of(self.game, seat))

    def close(self, early: bool) -> None:
        if early:
            for seat, memory in enumerate(self.memories):
                memory.nobody_adds(view_of(self.game, seat))
        self.tell(self.game.close())
        self.position.close(early)

    def check(self) -> None:
        assert s.numbers_of(self.game.kernel) == s.numbers_of(self.position.kernel)
        for seat, memory in enumerate(self.memories):
            public = memory.public
            assert public.discarded == self.position.public.discarded
            for name in ("known", "barred", "declined", "unbeaten"):
                assert list(getattr(public, name)) == list(getattr(self.position.public, name)), (name, seat)


@pytest.mark.parametrize("preset", ["classic", "gameweave", "challenge"])
@pytest.mark.parametrize(("name", "kind"), [("greedy", GREEDY), ("cheap", CHEAP), ("normal", NORMAL)])
def test_a_policy_decides_as_the_bot_of_its_name(name: str, kind: int, preset: str) -> None:
    rng = random.Random(f"{name}/{preset}")
    bot = bot_named(name)
    player = Player(Chance(1))
    decisions = 0
    for number in range(30):
        players = 2 if preset == "challenge" else 2 + number % 5
        twins = Twins(preset, players, rng)
        game = twins.game
        policy = policy_for(players, kind)
        waiting: set[int] = set()
        while game.result is None:
            twins.check()
            if game.quiet():
                twins.close(early=True)
                continue
            able = [seat for seat in range(players) if game.legal(seat)]
            assert able == [seat for seat in range(players) if twins.position.able() >> seat & 1]
            able = [seat for seat in able if seat not in waiting]
            if not able:
                twins.close(early=False)
                waiting.clear()
                continue
            seat = rng.choice(able)
            action = bot.choose(view_of(game, seat), twins.memories[seat], rng, Budget())
            move = player.decide(twins.position, seat, policy)
            if action is None:
                assert move == WAIT
                waiting.add(seat)
                continue
            assert move == legal_move(game.kernel, seat, action), action
            twins.tell(game.act(seat, action))
            twins.position.apply(move)
            waiting.clear()
            decisions += 1
        twins.check()
        durak = twins.position.durak()
        assert (None if durak < 0 else durak) == game.result.durak
    assert decisions > 500


def moments(twins: Twins, player: Player, rng: random.Random) -> Iterator[Position]:
    """The position of the twins after each step of a game in which everybody's decisions are by any of three policies."""
    position, kernel = twins.position, twins.position.kernel
    players = kernel.players
    policies = [policy_for(players, kind) for kind in (0, 1, 3)]
    waiting = 0
    while kernel.phase != s.OVER:
        yield position
        if kernel.quiet():
            position.close(True)
            continue
        able = [seat for seat in range(players) if position.able() >> seat & 1 and not waiting >> seat & 1]
        if not able:
            position.close(False)
            waiting = 0
            continue
        seat = rng.choice(able)
        move = player.decide(position, seat, rng.choice(policies))
        if move < 0:
            waiting |= 1 << seat
        else:
            position.apply(move)
            waiting = 0


def test_what_is_known_and_barred_is_true_of_the_hands() -> None:
    rng = random.Random(4)
    player = Player(Chance(2))
    barred = 0
    for number in range(60):
        for position in moments(Twins("classic", 2 + number % 5, rng), player, rng):
            public, kernel = position.public, position.kernel
            assert public.discarded == kernel.discard
            for seat in range(kernel.players):
                assert public.known[seat] & ~kernel.hands[seat] == 0
                assert kernel.hands[seat] & ~public.known[seat] & public.barred[seat] * RANK_IN_ALL_SUITS == 0
                barred += public.barred[seat] != 0
    assert barred > 100
