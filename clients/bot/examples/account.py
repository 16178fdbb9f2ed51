"""The smallest bot with an account: `python account.py --against normal` while `durak serve` runs."""

from durak.clients.bot import BotAccount, main
from durak.protocol.rules.actions import AnyAction
from durak.protocol.rules.cards import rank_of, suit_of
from durak.protocol.rules.view import GameView


class Lowest(BotAccount):
    """Plays its lowest card, trumps last; takes or passes when it has none to play."""

    def choose(self, view: GameView) -> AnyAction | None:
        """One of `view.legal`, or None to wait."""
        cards = {action.card: action for action in view.legal if hasattr(action, "card")}
        if not cards:
            return view.legal[0]
        return cards[min(cards, key=lambda card: (suit_of(card) == view.trump, rank_of(card)))]


if __name__ == "__main__":
    raise SystemExit(main(Lowest()))
