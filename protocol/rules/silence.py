"""What is done for a seat that says nothing in its time (RULES 1.23)."""

from durak.protocol.rules import kernel as k
from durak.protocol.rules.actions import AnyAction, Finish, Keep, Lead, Pass, Take
from durak.protocol.rules.cards import PACK
from durak.protocol.rules.game import Game


def action_of_silence(game: Game, seat: int) -> AnyAction:
    """What the table does for a seat that it waits for: lead its lowest card, finish, keep, take, or pass."""
    match game.phase:
        case "lead":
            return Lead(lowest_card(game.kernel, seat))
        case "decide":
            return Finish()
        case "redeal":
            return Keep()
        case _:
            return Take() if seat == game.kernel.defender else Pass()


def lowest_card(kernel: k.Kernel, seat: int) -> str:
    """What a silent attacker leads: the lowest plain card, the lowest trump if it has none, equal ranks in the order S H D C."""
    hand = kernel.hands[seat]
    held = [card for card in range(36) if hand & k.BIT[card]]
    return PACK[min(held, key=lambda card: (card // 9 == kernel.trump, card % 9, card // 9))]
