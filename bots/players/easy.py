"""Easy: plays its low cards, sometimes any card, and does not look ahead."""

import random
from typing import Final

from durak.bots.bot import Budget
from durak.bots.knowing.memory import Memory
from durak.bots.players.habits import add_nothing, answers, cost, leads, settle, throws
from durak.protocol.rules.actions import AnyAction, Beat, Lead, Take, Throw
from durak.protocol.rules.cards import suit_of
from durak.protocol.rules.view import GameView

WHIM: Final = 0.25
"""How often it plays any card that fits instead of the lowest."""
SHY: Final = 0.3
"""How often it keeps a card that it could throw in, or takes rather than spend a trump."""


class Easy:
    """Attacks low, defends with the lowest card that wins, with some randomness; remembers nothing."""

    cheap = True

    def choose(self, view: GameView, memory: Memory, rng: random.Random, budget: Budget) -> AnyAction | None:
        """One of `view.legal`, or `None` to wait."""
        if view.phase == "lead" and view.legal:
            return Lead(self._pick(leads(view), view.trump, rng))
        if view.phase != "bout":
            return settle(view)
        if Take() in view.legal:
            return self._defend(view, rng)
        plain = [card for card in throws(view) if suit_of(card) != view.trump]
        if plain and rng.random() >= SHY:
            return Throw(self._pick(plain, view.trump, rng))
        return add_nothing(view)

    def _defend(self, view: GameView, rng: random.Random) -> AnyAction:
        beaters = answers(view)
        target, cards = min(beaters.items(), key=lambda item: len(item[1]))
        if not cards:
            return Take()
        card = self._pick(cards, view.trump, rng)
        if suit_of(card) == view.trump != suit_of(target) and rng.random() < SHY:
            return Take()
        return Beat(card, target)

    def _pick(self, cards: list[str], trump: str, rng: random.Random) -> str:
        if rng.random() < WHIM:
            return rng.choice(cards)
        return min(cards, key=lambda card: cost(card, trump))
