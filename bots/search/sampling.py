"""Deals the cards that a seat cannot see as they may lie. Compiled where a compiler was there."""

from typing import Final

from durak.bots.knowing.sight import Sight
from durak.bots.search.chance import Chance
from durak.protocol.rules.bits import BIT, count, index
from durak.protocol.rules.flat import i64, vec
from durak.protocol.rules.layout import MOST_PLAYERS, PACK_SIZE

TAKEN_OF_1024: Final[i64] = 410
"""How often a doubted card is taken at first sight (sight.DOUBT)."""


class Sampler:
    """Draws hidden hands and stocks; the last drawn are `hands` (one set per seat, its own included) and `stock` (top first).

    Certain facts hold in every sample: the sizes of hands and stock, cards known to be in a hand, ranks that a hand holds none of,
    the card under the stock. A card that a seat seems not to hold is dealt to it less often.
    """

    __slots__ = ("cards", "hands", "stock")

    def __init__(self) -> None:
        self.hands: vec[i64] = vec[i64]([0] * MOST_PLAYERS)
        self.stock: vec[i64] = vec[i64]([])
        self.cards: vec[i64] = vec[i64]([0] * PACK_SIZE)  # of the pool, in random order; room to work in

    def draw(self, sight: Sight, chance: Chance) -> bool:
        """Draw a sample of what `sight` cannot see. False if none was found, which no true position does for long: try again."""
        size: i64 = 0
        pool = sight.pool
        while pool:
            low = pool & -pool
            pool ^= low
            other = chance.below(size + 1)  # shuffled while it is filled
            self.cards[size] = self.cards[other]
            self.cards[other] = index(low)
            size += 1
        left = sight.pool
        done: i64 = 0
        for _hand in range(MOST_PLAYERS):
            # The hand with the least choice first.
            seat: i64 = -1
            least: i64 = 99
            for other in range(MOST_PLAYERS):
                if not done & BIT[other]:
                    choice = count(left & ~sight.barred[other]) - (sight.counts[other] - count(sight.known[other]))
                    if choice < least:
                        least = choice
                        seat = other
            done |= BIT[seat]
            if seat == sight.me:
                self.hands[seat] = sight.hand
                continue
            missing = sight.counts[seat] - count(sight.known[seat])
            drawn = self.pick(left & ~sight.barred[seat], sight.doubted[seat], missing, size, chance)
            if count(drawn) < missing:
                return False
            self.hands[seat] = sight.known[seat] | drawn
            left ^= drawn
        hidden = sight.stock - count(sight.bottom)
        if hidden > count(left):
            return False
        stock = vec[i64]([0] * int(sight.stock))
        place: i64 = 0
        at: i64 = 0
        while place < hidden:
            if BIT[self.cards[at]] & left:
                stock[place] = self.cards[at]
                place += 1
            at += 1
        if sight.bottom:
            stock[place] = index(sight.bottom)
        self.stock = stock
        return True

    def pick(self, possible: i64, doubted: i64, number: i64, size: i64, chance: Chance) -> i64:
        """So many of the possible cards, doubted ones less often; fewer if there are not enough."""
        drawn: i64 = 0
        for turn in range(2):
            for at in range(size):
                if number <= 0:
                    return drawn
                bit = BIT[self.cards[at]]
                if possible & bit & ~drawn and (turn or not doubted & bit or chance.below(1024) < TAKEN_OF_1024):
                    drawn |= bit
                    number -= 1
        return drawn
