"""Fixed, simple players that others are measured against; they are never offered to a table."""

import random

from durak.bots.bot import Budget
from durak.bots.knowing.memory import Memory
from durak.bots.players.habits import add_nothing, answers, cost, leads, settle, throws
from durak.protocol.rules.actions import AnyAction, Beat, Forfeit, Lead, Take, Throw
from durak.protocol.rules.cards import suit_of
from durak.protocol.rules.view import GameView


class Greedy:
    """Lowest card first, trumps last; beats whatever it can and throws in whatever it may."""

    cheap = True

    def choose(self, view: GameView, memory: Memory, rng: random.Random, budget: Budget) -> AnyAction | None:
        """One of `view.legal`, or `None` to wait."""
        if view.phase == "lead" and view.legal:
            return Lead(_lowest(leads(view), view.trump))
        if view.phase != "bout":
            return settle(view)
        if Take() in view.legal:
            beaters = answers(view)
            if not all(beaters.values()):
                return Take()
            lowest = {target: _lowest(cards, view.trump) for target, cards in beaters.items()}
            target = min(lowest, key=lambda target: cost(lowest[target], view.trump))
            return Beat(lowest[target], target)
        cards = [card for card in throws(view) if self._may_go(card, view)]
        return Throw(_lowest(cards, view.trump)) if cards else add_nothing(view)

    def _may_go(self, card: str, view: GameView) -> bool:
        return True


class Cheap(Greedy):
    """Greedy that throws in no trump while stock remains."""

    def _may_go(self, card: str, view: GameView) -> bool:
        return view.stock == 0 or suit_of(card) != view.trump


class Random:
    """Any legal action but to forfeit a defence."""

    cheap = True

    def choose(self, view: GameView, memory: Memory, rng: random.Random, budget: Budget) -> AnyAction | None:
        """One of `view.legal`."""
        actions = [action for action in view.legal if not isinstance(action, Forfeit)]
        return rng.choice(actions) if actions else None


def _lowest(cards: list[str], trump: str) -> str:
    return min(cards, key=lambda card: cost(card, trump))
