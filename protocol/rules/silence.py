"""What is done for a seat that says nothing in its time (RULES 1.23)."""

from typing import assert_never

from durak.protocol.rules.actions import AnyAction, Finish, Keep, Lead, Pass, Take
from durak.protocol.rules.cards import SUITS, rank_of, suit_of
from durak.protocol.rules.game import Game


def action_of_silence(game: Game, seat: int) -> AnyAction:
    """What the table does for a seat that it waits for: lead its lowest card, finish, keep, take, or pass."""
    match game.phase:
        case "lead":
            return Lead(lowest_card(game, seat))
        case "bout":
            return Take() if seat == game.defender else Pass()
        case "decide":
            return Finish()
        case "redeal":
            return Keep()
        case "over":
            raise AssertionError("a game that is over waits for nobody")
        case phase:
            assert_never(phase)


def lowest_card(game: Game, seat: int) -> str:
    """What a silent attacker leads: the lowest plain card, the lowest trump if it has none, equal ranks in the order S H D C."""
    return min(game.hand(seat), key=lambda card: (suit_of(card) == game.trump, rank_of(card), SUITS.index(suit_of(card))))
