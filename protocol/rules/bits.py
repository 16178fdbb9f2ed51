"""Sets as integers: a bit for each card, rank or seat (layout.py). Compiled where a compiler was there.

Single bits come from the table `BIT`, never from ``1 << n``: mypyc makes a 32-bit shift of a literal.
"""

from typing import Final

from durak.protocol.rules.flat import i64, vec
from durak.protocol.rules.layout import ALL_RANKS, MOST_PLAYERS, PACK_SIZE, SUIT_COUNT, SUIT_SIZE

BIT: Final[vec[i64]] = vec[i64]([2**card for card in range(PACK_SIZE)])
RANK_BIT: Final[vec[i64]] = vec[i64]([2 ** (card % SUIT_SIZE) for card in range(PACK_SIZE)])
SEAT_BIT: Final[vec[i64]] = vec[i64]([2**seat for seat in range(MOST_PLAYERS)])
SEATS_IN: Final[vec[i64]] = vec[i64]([bin(seats).count("1") for seats in range(2**MOST_PLAYERS)])
FLOAT: Final[vec[float]] = vec[float]([float(number) for number in range(64)])
"""Small numbers as floats: mypyc makes an i64 a float by way of an int."""
TRUMPS: Final[vec[i64]] = vec[i64]([ALL_RANKS * 2 ** (SUIT_SIZE * suit) for suit in range(SUIT_COUNT)])
BEATERS: Final[vec[i64]] = vec[i64](
    [
        sum(2**higher for higher in range(card + 1, card // SUIT_SIZE * SUIT_SIZE + SUIT_SIZE))
        | (0 if card // SUIT_SIZE == trump else ALL_RANKS * 2 ** (SUIT_SIZE * trump))
        for trump in range(SUIT_COUNT)
        for card in range(PACK_SIZE)
    ]
)
"""``BEATERS[trump * PACK_SIZE + card]``: the set of cards that beat the card (RULES 1.9)."""


def count(bits: i64) -> i64:
    """How many members a set has, of up to 36."""
    bits -= bits >> 1 & 0x555555555
    bits = (bits & 0x333333333) + (bits >> 2 & 0x333333333)
    bits = bits + (bits >> 4) & 0xF0F0F0F0F
    bits += bits >> 8
    bits += bits >> 16
    return bits + (bits >> 32) & 0x3F


def ranks_of(cards: i64) -> i64:
    """The ranks of a set of cards."""
    return (cards | cards >> SUIT_SIZE | cards >> 2 * SUIT_SIZE | cards >> 3 * SUIT_SIZE) & ALL_RANKS


def index(bit: i64) -> i64:
    """The member of a set that has one."""
    return count(bit - 1)


def array(numbers: list[int]) -> vec[i64]:
    """A flat array of these numbers, for modules that are not compiled."""
    return vec[i64](numbers)


if __file__.endswith(".py"):  # interpreted: Python's own count is faster
    globals()["count"] = int.bit_count
    globals()["index"] = lambda bit: bit.bit_length() - 1
