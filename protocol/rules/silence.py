"""What is done for a seat that says nothing in its time (RULES 1.23)."""

from durak.protocol.rules.actions import AnyAction, Finish, Keep, Lead, Pass, Take
from durak.protocol.rules.bits import BIT
from durak.protocol.rules.cards import PACK
from durak.protocol.rules.game import Game
from durak.protocol.rules.kernel import Kernel


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


def lowest_card(kernel: Kernel, seat: int) -> str:
    """What a silent attacker leads: the lowest plain card, the lowest trump if it has none, equal ranks in the order S H D C."""
    hand = kernel.hands[seat]
    held = [card for card in range(36) if hand & BIT[card]]
    return PACK[min(held, key=lambda card: (card // 9 == kernel.trump, card % 9, card // 9))]
