"""The smallest bot: `durak arena normal lowest:Lowest` in this directory."""

import random

from durak.bots.bot import Budget
from durak.bots.knowing.memory import Memory
from durak.protocol.rules.actions import AnyAction
from durak.protocol.rules.cards import rank_of, suit_of
from durak.protocol.rules.view import GameView


class Lowest:
    """Plays its lowest card, trumps last; takes or passes when it has none to play."""

    def choose(self, view: GameView, memory: Memory, rng: random.Random, budget: Budget) -> AnyAction | None:
        """One of `view.legal`, or None to wait."""
        cards = {action.card: action for action in view.legal if hasattr(action, "card")}
        if not cards:
            return view.legal[0]
        return cards[min(cards, key=lambda card: (suit_of(card) == view.trump, rank_of(card)))]
