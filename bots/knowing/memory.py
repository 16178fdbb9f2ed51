"""What a player who pays attention knows of the hidden cards: a fold over the events it has been told."""

import copyreg
from collections.abc import Iterable
from typing import NamedTuple

from durak.bots.knowing.public import Public
from durak.protocol.messages import AnyTableEvent, ViewerEvent
from durak.protocol.rules.bits import SEAT_BIT, array
from durak.protocol.rules.cards import INDEX, PACK, rank_of, set_of
from durak.protocol.rules.events import (
    Answered,
    Attacked,
    Beaten,
    BoutBegan,
    BoutEnded,
    Deciding,
    GameOver,
    Left,
    Passed,
    Took,
    WentOut,
)
from durak.protocol.rules.ruleset import Ruleset
from durak.protocol.rules.view import DealtSeen, DrewSeen, GameView, ShownCard


class Silence(NamedTuple):
    """A bout closes early, so these seats (a set) hold none of these ranks (a set)."""

    seats: int
    ranks: int


Entry = ViewerEvent | ShownCard | Silence | GameView


class Memory:
    """The memory of the player in one seat, at a table with these rules.

    Sets of cards are integers (cards.py); lists have one entry per seat.

    `public` is what its events have told everybody (public.py); `entries`: all that it has been told since the deal, or since a
    snapshot, in order. After a snapshot the memory begins anew: some discards are unknown.
    """

    __slots__ = (
        "attacks",
        "entries",
        "limit",
        "open_cards",
        "public",
        "ranks",
        "rules",
        "seat",
        "stock",
        "trump_card",
    )

    def __init__(self, seat: int, rules: Ruleset) -> None:
        self.seat = seat
        self.rules = rules
        self.forget()

    def forget(self) -> None:
        """A new game, of which nothing is known."""
        self.entries: list[Entry] = []
        self.public = Public()
        self.stock = 0  # cards in it
        self.trump_card = 0  # the set of the card under the stock, while it lies there
        self.ranks = 0  # on the table
        self.open_cards = 0  # not beaten
        self.limit = 0  # of attack cards in this bout
        self.attacks = 0  # attack cards of this bout

    @property
    def addable(self) -> int:
        """How many attack cards the bout still takes."""
        return self.limit - self.attacks

    def observe(self, events: Iterable[ViewerEvent], view: GameView | None) -> None:
        """Follow these events, in order; `view` is the game after them."""
        for event in events:
            self._fold(event)
            self.entries.append(event)
        if view is not None:
            for shown in (view.shown_trump, view.opening_trump):
                if shown is not None and not self.public.known[shown.seat] & set_of([shown.card]):
                    self.public.known[shown.seat] |= set_of([shown.card])
                    self.entries.append(shown)

    def nobody_adds(self, view: GameView) -> None:
        """The bout of this view is closing early: what RULES 1.14 tells of the hands of those who have not passed."""
        if self.addable > 0 and not self.rules.discreet:
            silent = 0
            for seat in view.throwers:
                if seat not in view.passed:
                    silent |= SEAT_BIT[seat]
            if not (view.taking and self.rules.after_take == "none"):
                self.public.nobody_adds(silent, self.ranks)
                self.entries.append(Silence(silent, self.ranks))

    def restart(self, view: GameView) -> None:
        """Begin from a snapshot: only what the view shows is known."""
        self.forget()
        self.entries.append(view)
        self.stock = view.stock
        if view.trump_card is not None and view.stock:
            self.trump_card = set_of([view.trump_card])
        for pair in view.table:
            self.ranks |= _rank_bit(pair.attack)
            if pair.beaten is None:
                self.open_cards |= set_of([pair.attack])
            else:
                self.ranks |= _rank_bit(pair.beaten)
        self.limit = view.limit
        self.attacks = len(view.table)
        self.observe((), view)

    def _fold(self, event: ViewerEvent) -> None:
        match event:
            case DealtSeen(counts=counts, trump_card=trump_card):
                self.forget()
                self.stock = len(PACK) - sum(counts)
                self.trump_card = set_of([trump_card]) if self.stock else 0
            case BoutBegan(limit=limit):
                self.limit = limit
            case Attacked(seat=seat, card=card):
                self._play(seat, card)
                self.open_cards |= set_of([card])
                self.attacks += 1
            case Beaten(seat=seat, target=target, card=card):
                self._play(seat, card)
                self.open_cards &= ~set_of([target])
            case Took(seat=seat):
                self.public.took(seat, self.open_cards)
            case Passed(seat=seat):
                if self.addable > 0:  # otherwise passing says nothing
                    self.public.passed(seat, self.ranks)
            case BoutEnded(outcome=outcome, seat=seat, cards=cards):
                self.public.ended(seat, set_of(cards), outcome == "taken")
                self.ranks = self.open_cards = self.attacks = 0
            case DrewSeen(seat=seat, count=count):
                self.stock -= count
                self.public.drew(seat)
                if self.stock == 0:  # the last card drawn is the trump card (RULES 1.18)
                    self.public.known[seat] |= self.trump_card
                    self.trump_card = 0
            case Answered() | Deciding() | WentOut() | Left() | GameOver():
                pass  # says nothing of hidden cards
            case _:
                of_the_table(event)

    def _play(self, seat: int, card: str) -> None:
        self.public.played(seat, INDEX[card])
        self.ranks |= _rank_bit(card)


def of_the_table(event: AnyTableEvent) -> None:
    """Nothing happens in the game; a new kind of event that belongs to it is no argument for this."""


def _rank_bit(card: str) -> int:
    return 1 << rank_of(card)


# ---------------------------------------------------------------- to another process


def _public_of(discarded: int, *per_seat: list[int]) -> Public:
    public = Public()
    public.discarded = discarded
    public.known, public.barred, public.declined, public.unbeaten = (array(sets) for sets in per_seat)
    return public


def _parts_of(public: Public) -> tuple[object, ...]:
    per_seat = (public.known, public.barred, public.declined, public.unbeaten)
    return _public_of, (public.discarded, *(list(sets) for sets in per_seat))


copyreg.pickle(Public, _parts_of)  # type: ignore[arg-type]  # its arrays, where they are compiled, have no pickled form of their own
