"""Cards, ranks and suits: the one notation, and the integers that stand for it.

A card is written ``6S 10H QD AC`` (rank, then S spades, H hearts, D diamonds, C clubs) everywhere: in messages, records, logs
and tests. The kernel works on an *index*, a card's place in `PACK`, and on sets of cards as integers (layout.py).

>>> rank_of("QD"), suit_of("QD")
(6, 'D')
>>> cards_of(set_of(["AC", "10H", "6H"]))
['6H', '10H', 'AC']
"""

from collections.abc import Iterable
from typing import Annotated, Final

from msgspec import Meta

from durak.protocol.rules.errors import BadInput
from durak.protocol.rules.layout import ALL_RANKS, MOST_PLAYERS, SUIT_COUNT, SUIT_SIZE

RANKS: Final = ("6", "7", "8", "9", "10", "J", "Q", "K", "A")
SUITS: Final = ("S", "H", "D", "C")

assert len(RANKS) == SUIT_SIZE and len(SUITS) == SUIT_COUNT, "layout.py numbers this pack"

Card = Annotated[str, Meta(pattern=f"^({'|'.join(RANKS)})[{''.join(SUITS)}]$", description="A card: rank, then suit, e.g. 10H.")]
Suit = Annotated[str, Meta(pattern=f"^[{''.join(SUITS)}]$", description="A suit: S, H, D or C.")]
Seat = Annotated[int, Meta(ge=0, le=MOST_PLAYERS - 1, description="A seat of the running game, clockwise from 0.")]

PACK: Final[tuple[str, ...]] = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""The cards; a card's place here is its index."""
INDEX: Final[dict[str, int]] = {card: index for index, card in enumerate(PACK)}
CARDS_IN_SUIT: Final = tuple(
    tuple(tuple(rank + suit for place, rank in enumerate(RANKS) if ranks >> place & 1) for ranks in range(ALL_RANKS + 1))
    for suit in SUITS
)
"""By suit, then by set of ranks: the cards, since every view of a hand asks for them."""


def index_of(card: str) -> int:
    """The index of a card. Raises `BadInput` bad_card."""
    try:
        return INDEX[card]
    except (KeyError, TypeError):
        raise BadInput("bad_card", f"{card!r} is not a card, as 10H or QD") from None


def rank_of(card: str) -> int:
    """Rank of a card, 0 (six) to 8 (ace). Raises `BadInput` bad_card."""
    return index_of(card) % SUIT_SIZE


def suit_of(card: str) -> str:
    """Suit letter of a card. Raises `BadInput` bad_card."""
    return SUITS[index_of(card) // SUIT_SIZE]


def set_of(cards: Iterable[str]) -> int:
    """The set of these cards as an integer. Raises `BadInput` bad_card."""
    bits = 0
    try:
        for card in cards:
            bits |= 1 << INDEX[card]
    except (KeyError, TypeError):
        raise BadInput("bad_card", f"{card!r} is not a card, as 10H or QD") from None
    return bits


def cards_of(bits: int) -> list[str]:
    """The cards of a set, by suit, then by rank."""
    spades, hearts, diamonds, clubs = CARDS_IN_SUIT
    return [
        *spades[bits & ALL_RANKS],
        *hearts[bits >> SUIT_SIZE & ALL_RANKS],
        *diamonds[bits >> 2 * SUIT_SIZE & ALL_RANKS],
        *clubs[bits >> 3 * SUIT_SIZE],
    ]


def is_pack(deck: Iterable[str]) -> bool:
    """True if these are the different cards of the pack, in any order."""
    cards = list(deck)
    return len(cards) == len(PACK) and set(cards) == set(INDEX)
