"""What has happened in a game: past tense, one closed union.

A `GameEvent` is the whole truth and belongs to the server. What a viewer is told of it is built by view.py. Each event says by its
class who may see it: `Public`, `Private` or `Personal`; one that does not is refused by the types of `view.seen`.
"""

from typing import Literal

import msgspec

from durak.protocol.rules.cards import Card, Seat, Suit


class Public:
    """An event that everybody sees, and all alike."""

    __slots__ = ()


class Private:
    """An event that only its `seat` sees: nobody else learns that anything has happened, so it has no sequence number."""

    __slots__ = ()


class Personal:
    """An event that everybody learns of, each viewer in a form of its own, which `view.form_for` builds."""

    __slots__ = ()


class Event(msgspec.Struct, frozen=True, gc=False, tag_field="event"):
    """One thing that happened."""


def tag_of(event: Event) -> str:
    """The word that stands for the kind of an event in messages and in the keys of sentences."""
    return str(event.__struct_config__.tag)


class Dealt(Event, Personal, frozen=True, tag="dealt"):
    """A pack was dealt; `hands` has one list per seat. `again`: it was a redeal."""

    hands: list[list[Card]]
    trump: Suit
    trump_card: Card
    again: bool


class Answered(Event, Private, frozen=True, tag="answered"):
    """A seat answered the redeal offer; nobody else learns of it (RULES 3.4)."""

    seat: Seat
    redeal: bool


class BoutBegan(Event, Public, frozen=True, tag="bout_began"):
    """A bout begins with these roles and this limit of attack cards (RULES 1.7)."""

    bout: int
    attacker: Seat
    defender: Seat
    limit: int


class Attacked(Event, Public, frozen=True):
    """A seat played an attack card."""

    seat: Seat
    card: Card


class Led(Attacked, frozen=True, tag="led"):
    """The attacker led a card."""


class ThrewIn(Attacked, frozen=True, tag="threw_in"):
    """A seat threw a card in."""


class Beaten(Event, Public, frozen=True, tag="beaten"):
    """The defender beat `target` with `card`."""

    seat: Seat
    target: Card
    card: Card


class Took(Event, Public, frozen=True, tag="took"):
    """The defender takes; the cards stay on the table until the bout ends."""

    seat: Seat


class Passed(Event, Public, frozen=True, tag="passed"):
    """A seat passed."""

    seat: Seat


class Deciding(Event, Public, frozen=True, tag="deciding"):
    """The attack has ended with all beaten; the defender finishes or forfeits (RULES 3.3)."""

    seat: Seat


class BoutEnded(Event, Public, frozen=True, tag="bout_ended"):
    """The table was cleared: `cards` went to the discard, or into the hand of `seat`, the defender."""

    outcome: Literal["beaten", "taken"]
    seat: Seat
    cards: list[Card]


class Drew(Event, Personal, frozen=True, tag="drew"):
    """A seat drew from the stock."""

    seat: Seat
    cards: list[Card]


class WentOut(Event, Public, frozen=True, tag="went_out"):
    """These seats went out together (RULES 1.19)."""

    seats: list[Seat]


class Left(Event, Public, frozen=True, tag="left"):
    """A seat left the game; with `loss` unless its hand and the stock were empty (RULES 1.22)."""

    seat: Seat
    loss: bool


class GameResult(msgspec.Struct, frozen=True):
    """How a game ended.

    `places`: groups of seats in the order of going out, the durak after them, leavers together at the end. `forfeits`: leavers
    in the order of leaving.    `giver`: the seat that gave the epaulettes (RULES 3.7), if any.
    """

    places: list[list[Seat]]
    durak: Seat | None
    draw: bool
    forfeits: list[Seat]
    giver: Seat | None = None


class GameOver(Event, Public, frozen=True, tag="game_over"):
    """The game has ended."""

    result: GameResult


PublicEvent = BoutBegan | Led | ThrewIn | Beaten | Took | Passed | Deciding | BoutEnded | WentOut | Left | GameOver
GameEvent = Dealt | Answered | Drew | PublicEvent
