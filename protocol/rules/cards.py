"""Cards, ranks and suits: the one notation, and the integers that stand for it.

A card is written ``6S 10H QD AC`` (rank, then S spades, H hearts, D diamonds, C clubs) everywhere: in messages, records, logs
and tests. The kernel works on an *index* 0..35, ``suit * 9 + rank``, and on sets of cards as 36-bit integers.
"""

from collections.abc import Iterable
from typing import Annotated, Final

from msgspec import Meta

RANKS: Final = ("6", "7", "8", "9", "10", "J", "Q", "K", "A")
SUITS: Final = ("S", "H", "D", "C")

Card = Annotated[str, Meta(pattern="^(6|7|8|9|10|J|Q|K|A)[SHDC]$", description="A card: rank, then suit, e.g. 10H.")]
Suit = Annotated[str, Meta(pattern="^[SHDC]$", description="A suit: S, H, D or C.")]
Seat = Annotated[int, Meta(ge=0, le=5, description="A seat of the running game, clockwise from 0.")]

PACK: Final[tuple[str, ...]] = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""The 36 cards; a card's place here is its index."""
INDEX: Final[dict[str, int]] = {card: index for index, card in enumerate(PACK)}
CARDS_IN_SUIT: Final = tuple(
    tuple(tuple(rank + suit for place, rank in enumerate(RANKS) if ranks >> place & 1) for ranks in range(512)) for suit in SUITS
)
"""By suit, then by 9-bit set of ranks: the cards, since every view of a hand asks for them."""


def rank_of(card: str) -> int:
    """Rank of a card, 0 (six) to 8 (ace)."""
    return INDEX[card] % 9


def suit_of(card: str) -> str:
    """Suit letter of a card."""
    return card[-1]


def set_of(cards: Iterable[str]) -> int:
    """The 36-bit set of these cards."""
    bits = 0
    for card in cards:
        bits |= 1 << INDEX[card]
    return bits


def cards_of(bits: int) -> list[str]:
    """The cards of a 36-bit set, by suit, then by rank."""
    spades, hearts, diamonds, clubs = CARDS_IN_SUIT
    return [*spades[bits & 511], *hearts[bits >> 9 & 511], *diamonds[bits >> 18 & 511], *clubs[bits >> 27]]


def is_pack(deck: Iterable[str]) -> bool:
    """True if these are the 36 different cards, in any order."""
    return sorted(deck) == sorted(PACK)
