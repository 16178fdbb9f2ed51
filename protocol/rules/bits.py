"""Sets as integers: 36 bits for cards, 9 for ranks, 6 for seats. Compiled where a compiler was there.

Single bits come from the table `BIT`, never from ``1 << n``: mypyc makes a 32-bit shift of a literal.
"""

from typing import Final

from durak.protocol.rules.flat import i64, vec

ALL_CARDS: Final[i64] = 0xFFFFFFFFF
RANK_IN_ALL_SUITS: Final[i64] = 0x8040201
"""Multiplying a 9-bit set of ranks by this gives the set of all cards of those ranks."""

BIT: Final[vec[i64]] = vec[i64]([2**card for card in range(36)])
RANK_BIT: Final[vec[i64]] = vec[i64]([2 ** (card % 9) for card in range(36)])
SEAT_BIT: Final[vec[i64]] = vec[i64]([1, 2, 4, 8, 16, 32])
SEATS_IN: Final[vec[i64]] = vec[i64]([bin(seats).count("1") for seats in range(64)])
FLOAT: Final[vec[float]] = vec[float]([float(number) for number in range(64)])
"""Small numbers as floats: mypyc makes an i64 a float by way of an int."""
TRUMPS: Final[vec[i64]] = vec[i64]([0x1FF * 2 ** (9 * suit) for suit in range(4)])
BEATERS: Final[vec[i64]] = vec[i64](
    [
        sum(2**higher for higher in range(card + 1, card // 9 * 9 + 9)) | (0 if card // 9 == trump else 0x1FF * 2 ** (9 * trump))
        for trump in range(4)
        for card in range(36)
    ]
)
"""``BEATERS[trump * 36 + card]``: the set of cards that beat the card (RULES 1.9)."""


def count(bits: i64) -> i64:
    """How many members a set has."""
    bits -= bits >> 1 & 0x555555555
    bits = (bits & 0x333333333) + (bits >> 2 & 0x333333333)
    bits = bits + (bits >> 4) & 0xF0F0F0F0F
    bits += bits >> 8
    bits += bits >> 16
    return bits + (bits >> 32) & 0x3F


def ranks_of(cards: i64) -> i64:
    """The ranks of a set of cards."""
    return (cards | cards >> 9 | cards >> 18 | cards >> 27) & 0x1FF


def index(bit: i64) -> i64:
    """The member of a set that has one."""
    return count(bit - 1)


def array(numbers: list[int]) -> vec[i64]:
    """A flat array of these numbers, for modules that are not compiled."""
    return vec[i64](numbers)


if __file__.endswith(".py"):  # interpreted: Python's own count is faster
    globals()["count"] = int.bit_count
    globals()["index"] = lambda bit: bit.bit_length() - 1
