"""A bout as one seat sees it, in sets of cards: what lies open, and what the hidden cards may be."""

from typing import Final

from durak.protocol.rules.kernel import BEATERS

DOUBT: Final = 0.4
"""How much of a card's chance to be in a hand remains when its holder has declined to play it."""


class Sight:
    """Cards are indices 0..35, sets of cards 36-bit integers, ranks 9-bit integers; lists of seats have one entry per seat.

    `attacks`, `beats`: one entry per attack card, -1 where it is open. `pool`: the cards that may be in any other hand or in the
    stock. `counts`, `known`, `doubted`: number of cards in a hand, cards known to be there, cards it seems not to hold. `adders`:
    the other seats that may still add a card.
    """

    __slots__ = (
        "adders",
        "attacker",
        "attacks",
        "beats",
        "counts",
        "defender",
        "doubted",
        "hand",
        "known",
        "limit",
        "me",
        "pool",
        "ranks",
        "stock",
        "taking",
        "trump",
    )

    def __init__(self) -> None:
        self.me: int = 0
        self.trump: int = 0
        self.hand: int = 0
        self.stock: int = 0
        self.attacker: int = 0
        self.defender: int = 0
        self.limit: int = 0
        self.taking: bool = False
        self.ranks: int = 0
        self.attacks: list[int] = []
        self.beats: list[int] = []
        self.counts: list[int] = []
        self.known: list[int] = []
        self.doubted: list[int] = []
        self.adders: list[int] = []
        self.pool: int = 0

    def has_none(self, seat: int, wanted: int) -> float:
        """The chance that this seat holds none of these cards, if the hidden cards lie at random."""
        if self.known[seat] & wanted:
            return 0.0
        hidden = self.counts[seat] - self.known[seat].bit_count()
        size = self.pool.bit_count()
        if hidden <= 0 or size == 0:
            return 1.0
        doubted = wanted & self.pool & self.doubted[seat]
        there = float((wanted & self.pool).bit_count()) - (1.0 - DOUBT) * float(doubted.bit_count())
        if there >= size:
            return 0.0
        chance = 1.0
        missing = 1.0 - there / float(size)
        for _ in range(hidden):
            chance *= missing
        return chance

    def cannot_beat(self, seat: int, card: int) -> float:
        """The chance that this seat holds nothing that beats the card."""
        return self.has_none(seat, BEATERS[self.trump * 36 + card])

    def expected(self, seat: int, wanted: int) -> float:
        """How many of these cards the seat holds on average."""
        hidden = self.counts[seat] - self.known[seat].bit_count()
        size = self.pool.bit_count()
        sure = float((self.known[seat] & wanted).bit_count())
        if size == 0 or hidden <= 0:
            return sure
        return sure + float(hidden * (self.pool & wanted).bit_count()) / float(size)
