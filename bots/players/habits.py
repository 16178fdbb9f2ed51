"""What all bots do alike: which of their actions are throw-ins, when to wait, and the two decisions that need no talent."""

from typing import Final

from durak.protocol.rules.actions import AnyAction, Beat, Finish, Forfeit, Keep, Lead, Pass, Redeal, Throw
from durak.protocol.rules.cards import rank_of, suit_of
from durak.protocol.rules.view import GameView

TRUMP: Final = 9
AVERAGE: Final = 4 + TRUMP / 4
"""What a card of the pack is worth on average, in ranks, a trump counting nine more."""


def cost(card: str, trump: str) -> int:
    """The order in which cards are given away: by rank, trumps last."""
    return rank_of(card) + (TRUMP if suit_of(card) == trump else 0)


def leads(view: GameView) -> list[str]:
    """The cards that may be led."""
    return [action.card for action in view.legal if isinstance(action, Lead)]


def throws(view: GameView) -> list[str]:
    """The cards that may be thrown in."""
    return [action.card for action in view.legal if isinstance(action, Throw)]


def answers(view: GameView) -> dict[str, list[str]]:
    """For each open card, the cards that beat it."""
    beaters: dict[str, list[str]] = {pair.attack: [] for pair in view.table if pair.beaten is None}
    for action in view.legal:
        if isinstance(action, Beat) and action.target is not None:
            beaters[action.target].append(action.card)
    return beaters


def add_nothing(view: GameView) -> AnyAction | None:
    """Pass once all is beaten or taken; wait while the defender has to answer, as a new rank would cancel the pass anyway.

    What all can see decides: whether the seat holds a matching card does not (RULES 1.15).
    """
    if not view.taking and any(pair.beaten is None for pair in view.table):
        return None
    return Pass() if Pass() in view.legal else None


def settle(view: GameView) -> AnyAction | None:
    """The decision after a defence and the redeal: finish always, ask for new cards if the hand is poor (RULES 3.3, 3.4)."""
    if any(isinstance(action, Finish | Forfeit) for action in view.legal):
        return Finish()
    if any(isinstance(action, Redeal | Keep) for action in view.legal) and view.hand:
        poor = sum(cost(card, view.trump) for card in view.hand) < AVERAGE * len(view.hand)
        return Redeal() if poor else Keep()
    return None
