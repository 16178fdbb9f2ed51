"""Whole games between bots in one process, without time: who acts next is drawn, as if by their delays."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from durak.bots.bot import Bot
from durak.bots.memory import Memory
from durak.protocol.rules.actions import AnyAction, Redeal
from durak.protocol.rules.cards import PACK
from durak.protocol.rules.events import GameEvent, GameResult
from durak.protocol.rules.game import Game
from durak.protocol.rules.ruleset import Ruleset
from durak.protocol.rules.view import GameView, seen, view_of

Watcher = Callable[[Game, int, GameView, Memory, AnyAction | None], None]


def shuffled(rng: random.Random) -> list[str]:
    """A pack to deal from."""
    deck = list(PACK)
    rng.shuffle(deck)
    return deck


class Playing:
    """A game with one bot per seat, each with the memory of its own seat only."""

    def __init__(
        self, rules: Ruleset, deck: Sequence[str], bots: Sequence[Bot], rng: random.Random, watcher: Watcher | None = None
    ) -> None:
        self.bots = bots
        self.rng = rng
        self.watcher = watcher
        self.memories = [Memory(seat, rules) for seat in range(len(bots))]
        self.game, events = Game.deal(rules, deck, len(bots))
        self._tell(events)

    def _tell(self, events: Sequence[GameEvent]) -> None:
        for seat, memory in enumerate(self.memories):
            memory.observe([told for event in events if (told := seen(event, seat)) is not None], None)

    def to_the_end(self) -> GameResult:
        """Play until the game is over."""
        game = self.game
        waiting: set[int] = set()
        while game.result is None:
            if game.quiet():
                self._tell(game.close())
                continue
            able = [seat for seat in range(game.players) if seat not in waiting and game.legal(seat)]
            if able:
                seat = self.rng.choice(able)
                if self._act(seat):
                    waiting.clear()
                else:
                    waiting.add(seat)
            else:
                assert game.phase == "redeal" or game.kernel.taking or not game.kernel.open_cards, "everybody waits for the others"
                self._tell(game.end_offer() if game.phase == "redeal" else game.close())
                waiting.clear()
        return game.result

    def _act(self, seat: int) -> bool:
        view, memory = view_of(self.game, seat), self.memories[seat]
        memory.observe((), view)
        action = self.bots[seat].choose(view, memory, self.rng)
        if self.watcher is not None:
            self.watcher(self.game, seat, view, memory, action)
        if action is None:
            return False
        deck = shuffled(self.rng) if isinstance(action, Redeal) else None
        self._tell(self.game.act(seat, action, bout=view.bout, epoch=view.epoch, deck=deck))
        return True


def play(
    rules: Ruleset, deck: Sequence[str], bots: Sequence[Bot], rng: random.Random, watcher: Watcher | None = None
) -> GameResult:
    """One game to its end."""
    return Playing(rules, deck, bots, rng, watcher).to_the_end()
