"""Tests of the rules read as play: `play(given("S | 6S 7H / 8S | stock 0"), "0:6S 1:8S 0:pass")`.

Positions and moves are in the notation of `durak.protocol.rules.notation`, with one short form: `0:6S` is whatever that seat does
with a card now, a lead, a throw-in or, by the defender, a beat.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from durak.protocol.rules import layout
from durak.protocol.rules.actions import Beat, Lead, Leave, Pass, Throw
from durak.protocol.rules.cards import PACK, SUITS, rank_of, suit_of
from durak.protocol.rules.errors import IllegalAction
from durak.protocol.rules.events import GameResult
from durak.protocol.rules.game import Game
from durak.protocol.rules.notation import AnyMove, Move, Step, read_move, read_position, write_move
from durak.protocol.rules.record import carry_out
from durak.protocol.rules.state import ATTRIBUTES

KERNEL_FIELDS = (*ATTRIBUTES, "throwers")

given = read_position


def meant(game: Game, text: str) -> AnyMove:
    """The move of a text in this position, the short form resolved by the seat's role."""
    move = read_move(text)
    if isinstance(move, Move) and isinstance(move.action, Lead) and game.phase == "bout":
        card = move.action.card
        return Move(move.seat, Beat(card) if move.seat == game.kernel.defender else Throw(card))
    return move


def play(game: Game, moves: str, *, closes: bool = True, decks: Iterable[Sequence[str]] = ()) -> Game:
    """Make the moves in this game and return it. `decks` are for the redeals asked for, in order.

    A quiet bout (RULES 1.14) closes by itself, as on a table whose `close_ms` is 0: before any move but a pass or a leaving,
    and after the last one, unless `closes` is false. Elsewhere `close` stands for the end of the window.
    """
    packs = iter(decks)
    for text in moves.split():
        move = read_move(text)
        if game.quiet() and move is not Step.CLOSE and not (isinstance(move, Move) and isinstance(move.action, Pass | Leave)):
            game.close()
        carry_out(game, meant(game, text), deck=next(packs) if text.endswith(":redeal") else None)
    if closes and game.quiet():
        game.close()
    return game


def refusal(game: Game, text: str, *, bout: int | None = None, epoch: int | None = None) -> str | None:
    """The code by which a move is refused, having changed nothing; None if it would be accepted. The game stays as it is."""
    return code_of(game, meant(game, text), bout=bout, epoch=epoch)


def code_of(game: Game, move: AnyMove, *, bout: int | None = None, epoch: int | None = None) -> str | None:
    """`refusal` without the short form of moves."""
    assert isinstance(move, Move)
    twin, before = game.copy(), everything(game)
    try:
        twin.act(move.seat, move.action, bout=bout, epoch=epoch, deck=PACK)
    except IllegalAction as refused:
        assert everything(twin) == before
        return refused.reason.code
    assert everything(game) == before
    return None


def legal(game: Game, seat: int) -> str:
    """The legal moves of a seat, sorted, without the seat: "+7C 9Hx7H take"."""
    return " ".join(sorted(write_move(Move(seat, action)).partition(":")[2] for action in game.legal(seat)))


def hand(game: Game, seat: int) -> str:
    """A hand, by suit, then by rank: "6S 7H"."""
    return " ".join(game.hand(seat))


def table(game: Game) -> str:
    """The table, "7H-9H 7D"."""
    return " ".join(attack if beaten is None else f"{attack}-{beaten}" for attack, beaten in game.table)


def roles(game: Game) -> tuple[int, int]:
    """Attacker and defender."""
    return game.attacker, game.defender


def passed(game: Game) -> list[int]:
    """The seats whose pass binds."""
    return game.passed


def result(game: Game) -> GameResult:
    """The result of a game that is over."""
    assert game.result is not None, f"the game is in the phase {game.phase}"
    return game.result


def everything(game: Game) -> dict[str, Any]:
    """All there is to know of a position, to compare: no card that was drawn, no place on the table that is not in use."""
    kernel = game.kernel
    known = {slot: getattr(kernel, slot) for slot in KERNEL_FIELDS}
    known |= {slot: list(value) for slot, value in known.items() if isinstance(value, list)}
    for slot in ("attack_cards", "attack_by", "beat_cards"):
        known[slot] = known[slot][: kernel.attacks]
    known["stock"] = kernel.stock[kernel.stock_top :]
    del known["stock_top"]
    return known | {name: value for name, value in vars(game).items() if name not in ("kernel", "record", "at_ms")}


def shuffled(hands: str, last: str, *, first: int = 0) -> list[str]:
    """A pack from which these hands are dealt, beginning with the seat `first`, and whose last card is `last`.

    Hands of fewer than six cards are filled up with plain cards of many suits, as far as there are any. With six seats, `last`
    has to be named in the hand of the seat before `first`.
    """
    wanted = [hand.split() for hand in hands.split("/")]
    named = [card for hand in wanted for card in hand]
    others = sorted(
        (card for card in PACK if card not in named and card != last), key=lambda card: (rank_of(card), SUITS.index(suit_of(card)))
    )
    filling = sorted(others, key=lambda card: suit_of(card) == suit_of(last))
    for hand in wanted:
        while len(hand) < layout.HAND_SIZE:
            hand.append(filling.pop(0))
    order = [(first + step) % len(wanted) for step in range(len(wanted))]
    if last in named:
        held = wanted[order[-1]]
        held.append(held.pop(held.index(last)))
    deck = [wanted[seat][turn] for turn in range(layout.HAND_SIZE) for seat in order] + filling
    return deck if last in named else [*deck, last]
