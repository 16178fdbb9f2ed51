"""What one viewer may know of a game, built by naming what is shown and never by deleting (RULES section 4).

A viewer is a seat, or `None` for a spectator.
"""

from typing import assert_never

import msgspec
from msgspec.structs import replace

from durak.protocol.rules.actions import AnyAction
from durak.protocol.rules.cards import PACK, Card, Seat, Suit
from durak.protocol.rules.events import Answered, Dealt, Drew, Event, GameEvent, GameResult, Private, Public, PublicEvent
from durak.protocol.rules.game import Game
from durak.protocol.rules.standing import Phase


class ShownCard(msgspec.Struct, frozen=True):
    """A card of a hand that all may see, and its holder."""

    seat: Seat
    card: Card


class Pair(msgspec.Struct, frozen=True):
    """An attack card, the seat it came from, and the card that beat it (null: open)."""

    attack: Card
    by: Seat
    beaten: Card | None


class GameView(msgspec.Struct, frozen=True):
    """A game as one viewer sees it.

    `counts`: cards in hand, one entry per seat. `stock`, `discard`: numbers of cards. `trump_card`: the card that set the trump;
    it lies under the stock while `stock` > 0. `attacker`, `defender`: null in the phase `redeal`. `throwers`: the seats that may
    throw in at all in this bout (RULES 1.6), empty in the phase `redeal`. `table`: in order of play. `out`: groups of seats in the
    order of going out. `left`: leavers in the order of leaving. `shown_trump`: RULES 1.3; `opening_trump`: RULES 3.5. `hand` and
    `legal` are the viewer's own, null and empty for a spectator. `result`: when over.
    """

    players: int
    phase: Phase
    trump: Suit
    trump_card: Card | None
    stock: int
    discard: int
    bout: int
    epoch: int
    attacker: Seat | None
    defender: Seat | None
    throwers: list[Seat]
    limit: int
    taking: bool
    table: list[Pair]
    counts: list[int]
    passed: list[Seat]
    out: list[list[Seat]]
    left: list[Seat]
    shown_trump: ShownCard | None
    opening_trump: ShownCard | None
    hand: list[Card] | None
    legal: list[AnyAction]
    result: GameResult | None


def view_of(game: Game, viewer: int | None) -> GameView:
    """The game as this viewer sees it."""
    begun = game.bout > 0  # before the first bout nobody has a role, also when leaving has ended the game
    shown, opening = game.dealt_trump, game.opening_trump
    spectated = GameView(
        players=game.players,
        phase=game.phase,
        trump=game.trump,
        trump_card=None if game.trump_card is None else PACK[game.trump_card],
        stock=game.stock_size,
        discard=game.discarded,
        bout=game.bout,
        epoch=game.epoch,
        attacker=game.attacker if begun else None,
        defender=game.defender if begun else None,
        throwers=game.throwers,
        limit=game.limit,
        taking=game.taking,
        table=[Pair(attack, by, beaten) for (attack, beaten), by in zip(game.table, game.played_by, strict=True)],
        counts=game.counts,
        passed=game.passed,
        out=game.out,
        left=game.left,
        shown_trump=None if shown is None else ShownCard(shown[0], PACK[shown[1]]),
        opening_trump=None if opening is None else ShownCard(opening[0], PACK[opening[1]]),
        hand=None,
        legal=[],
        result=game.result,
    )
    return spectated if viewer is None else complete(spectated, game, viewer)


def complete(spectated: GameView, game: Game, seat: int) -> GameView:
    """The view of a seat, from the one that everybody shares."""
    return replace(spectated, hand=game.hand(seat), legal=game.legal(seat))


class DealtSeen(Event, frozen=True, tag="dealt"):
    """A pack was dealt: the viewer's own hand (null for a spectator) and everybody's number of cards."""

    hand: list[Card] | None
    counts: list[int]
    trump: Suit
    trump_card: Card
    again: bool


class DrewSeen(Event, frozen=True, tag="drew"):
    """A seat drew `count` cards; `cards` are named to that seat alone."""

    seat: Seat
    count: int
    cards: list[Card] | None


SeenEvent = DealtSeen | Answered | DrewSeen | PublicEvent


def seen(event: GameEvent, viewer: int | None) -> SeenEvent | None:
    """What this viewer is told of an event; `None` if nothing."""
    if isinstance(event, Public):
        return event
    if isinstance(event, Private):
        return event if event.seat == viewer else None
    return form_for(event, viewer)


def form_for(event: Dealt | Drew, viewer: int | None) -> DealtSeen | DrewSeen:
    """The form of a `Personal` event that this viewer is told."""
    match event:
        case Dealt(hands=hands):
            own = None if viewer is None else hands[viewer]
            return DealtSeen(own, [len(hand) for hand in hands], event.trump, event.trump_card, event.again)
        case Drew(seat=seat, cards=cards):
            return DrewSeen(seat, len(cards), cards if seat == viewer else None)
        case _:
            assert_never(event)
