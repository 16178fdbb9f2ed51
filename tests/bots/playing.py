"""Games between bots of this package, looked at decision by decision."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from durak.bots.arena.match import Match, OwnSeat, shuffled
from durak.bots.bot import Bot, Budget
from durak.bots.knowing.memory import Memory
from durak.protocol.process.compiled import is_compiled
from durak.protocol.rules.actions import AnyAction
from durak.protocol.rules.events import GameResult
from durak.protocol.rules.game import Game
from durak.protocol.rules.ruleset import Ruleset
from durak.protocol.rules.view import GameView

__all__ = ["NODES", "Watcher", "match", "play", "shuffled"]

NODES = 1000 if is_compiled() else 200
"""What a bot that searches may spend on a decision: ten playouts, interpreted two."""

Watcher = Callable[[Game, int, GameView, Memory, AnyAction | None], None]


class Watched(OwnSeat):
    """A seat whose every choice the watcher sees, before it is carried out."""

    match: Match
    watcher: Watcher

    def choose(self, view: GameView) -> AnyAction | None:
        action = super().choose(view)
        self.watcher(self.match.game, self.memory.seat, view, self.memory, action)
        return action


def match(
    rules: Ruleset, deck: Sequence[str], bots: Sequence[Bot], rng: random.Random, watcher: Watcher = lambda *_: None
) -> Match:
    """A game to be played."""
    seats = [Watched(bot, seat, rules, random.Random(rng.random()), Budget(nodes=NODES)) for seat, bot in enumerate(bots)]
    made = Match(rules, deck, seats, str(rng.random()))
    for seat in seats:
        seat.match, seat.watcher = made, watcher
    return made


def play(
    rules: Ruleset, deck: Sequence[str], bots: Sequence[Bot], rng: random.Random, watcher: Watcher = lambda *_: None
) -> GameResult:
    """One game to its end, in which every bot decides itself."""
    played = match(rules, deck, bots, rng, watcher)
    result = played.to_the_end()
    assert played.lapses == []
    return result
