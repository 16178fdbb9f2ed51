"""A random source for searches: the same numbers compiled and interpreted, and no Python object for any of them."""

from durak.protocol.rules.flat import i64, vec


class Chance:
    """Random numbers from a seed: the upper half of a linear congruential generator modulo 2**62 (L'Ecuyer's factor)."""

    __slots__ = ("state",)

    def __init__(self, seed: i64) -> None:
        self.state: i64 = seed
        self.below(2)

    def below(self, number: i64) -> i64:
        """A number from 0 to `number` - 1, which is small beside 2**31."""
        # Compiled, the product wraps around, and its lower bits are the same. No literal here is above 2**62: those are objects.
        self.state = self.state * 0x27BB2EE687B0B0FD + 0xB504F32D & 0x3FFFFFFFFFFFFFFF
        return (self.state >> 31) * number >> 31

    def shuffle(self, cards: vec[i64]) -> None:
        """Bring the cards into a random order."""
        last: i64 = len(cards) - 1
        while last > 0:
            other = self.below(last + 1)
            card = cards[other]
            cards[other] = cards[last]
            cards[last] = card
            last -= 1
