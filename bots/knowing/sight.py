"""A bout as one seat sees it: what lies open, and what the hidden cards may be. Compiled where a compiler was there."""

from typing import Final

from durak.protocol.rules.bits import BEATERS, FLOAT, SEAT_BIT, TRUMPS, count, index
from durak.protocol.rules.flat import i64, vec
from durak.protocol.rules.layout import MOST_ATTACKS, MOST_PLAYERS, PACK_SIZE, SUIT_SIZE

DOUBT: Final = 0.4
"""How much of a card's chance to be in a hand remains when its holder has declined to play it."""


class Sight:
    """Cards, and sets of cards, ranks and seats, are integers (layout.py).

    `attack_cards`, `beat_cards`: of the first `attacks` places; beat card -1: open. `pool`: cards that may be in any other hand
    or in the stock. `bottom`: the set of the card under the stock, empty if there is none. One entry per seat: `counts`, number
    of cards in a hand; `known`, cards that it holds; `barred`, cards that it holds none of; `doubted`, cards it seems not to hold.
    `adders`: the other seats that may still add a card.
    """

    __slots__ = (
        "adders",
        "attack_cards",
        "attacker",
        "attacks",
        "barred",
        "beat_cards",
        "bottom",
        "counts",
        "defender",
        "doubted",
        "hand",
        "known",
        "limit",
        "me",
        "open_cards",
        "pool",
        "ranks",
        "stock",
        "taking",
        "trump",
    )

    def __init__(self) -> None:
        self.me: i64 = 0
        self.trump: i64 = 0
        self.hand: i64 = 0
        self.stock: i64 = 0
        self.bottom: i64 = 0
        self.attacker: i64 = 0
        self.defender: i64 = 0
        self.limit: i64 = 0
        self.taking: bool = False
        self.ranks: i64 = 0
        self.attacks: i64 = 0
        self.open_cards: i64 = 0
        self.attack_cards: vec[i64] = vec[i64]([0] * MOST_ATTACKS)
        self.beat_cards: vec[i64] = vec[i64]([-1] * MOST_ATTACKS)
        self.counts: vec[i64] = vec[i64]([0] * MOST_PLAYERS)
        self.known: vec[i64] = vec[i64]([0] * MOST_PLAYERS)
        self.barred: vec[i64] = vec[i64]([0] * MOST_PLAYERS)
        self.doubted: vec[i64] = vec[i64]([0] * MOST_PLAYERS)
        self.adders: i64 = 0
        self.pool: i64 = 0

    def has_none(self, seat: i64, wanted: i64) -> float:
        """The chance that this seat holds none of these cards, if the hidden cards lie at random."""
        if self.known[seat] & wanted:
            return 0.0
        hidden = self.counts[seat] - count(self.known[seat])
        size = count(self.pool)
        if hidden <= 0 or size == 0:
            return 1.0
        possible = wanted & self.pool & ~self.barred[seat]
        there = FLOAT[count(possible)] - (1.0 - DOUBT) * FLOAT[count(possible & self.doubted[seat])]
        if there >= FLOAT[size]:
            return 0.0
        chance = 1.0
        missing = 1.0 - there / FLOAT[size]
        for _card in range(hidden):
            chance *= missing
        return chance

    def cannot_beat(self, seat: i64, card: i64) -> float:
        """The chance that this seat holds nothing that beats the card."""
        return self.has_none(seat, BEATERS[self.trump * PACK_SIZE + card])

    def expected(self, seat: i64, wanted: i64) -> float:
        """How many of these cards the seat holds on average."""
        hidden = self.counts[seat] - count(self.known[seat])
        size = count(self.pool)
        sure = FLOAT[count(self.known[seat] & wanted)]
        if size == 0 or hidden <= 0:
            return sure
        return sure + FLOAT[hidden] * FLOAT[count(self.pool & wanted & ~self.barred[seat])] / FLOAT[size]

    def expected_of_adders(self, wanted: i64) -> float:
        """How many of these cards the seats that may still add one hold on average."""
        total = 0.0
        seat: i64
        for seat in range(MOST_PLAYERS):
            if self.adders & SEAT_BIT[seat]:
                total += self.expected(seat, wanted)
        return total


def unlikely(declined: i64, unbeaten: i64, trump: i64) -> i64:
    """Cards that a seat would probably have played: of the cards it declined to add, or of the suit that beats what it took."""
    cards = declined
    while unbeaten:
        low = unbeaten & -unbeaten
        unbeaten ^= low
        card = index(low)
        cards |= BEATERS[trump * PACK_SIZE + card] & TRUMPS[card // SUIT_SIZE]
    return cards
