"""The exact result of an ending of two players: no stock, or one whose order is known. Compiled where a compiler was there.

Alpha-beta over bouts. The attacker is let throw in only when no card is open, and after a take: whoever waits keeps every choice
and sees more, so the result is the same as with throw-ins at any time, which tests compare by brute force. (Where throw-ins come at
any time and none after a take, a race decides whether the defender takes before the second card; here the defender does.)
"""

from typing import Final

from durak.protocol.rules.bits import BEATERS, BIT, TRUMPS, count, index, ranks_of
from durak.protocol.rules.flat import i64, vec
from durak.protocol.rules.layout import ALL_RANKS, HAND_SIZE, PACK_SIZE, RANK_IN_ALL_SUITS, SUIT_COUNT, SUIT_SIZE
from durak.protocol.rules.state import AFTER_TAKE_WINDOW

WON: Final[i64] = 1
DRAWN: Final[i64] = 0
LOST: Final[i64] = -1

MOST_STOCK: Final[i64] = 8
"""How many cards of a stock fit into the keys of the table."""


class Endgame:
    """Solves endings with one trump suit; results are the attacker's: WON, DRAWN or LOST.

    `nodes` counts positions, and a search that reaches `budget` of them stops and sets `stopped`: its result is none. The table
    keeps what is known of beginnings of bouts: `lows` and `highs` are bounds of the result. `stock` from `top` on, at most
    MOST_STOCK cards, is what will be drawn; each search may have another.
    """

    __slots__ = (
        *(
            "after_take",
            "attackers",
            "budget",
            "defenders",
            "forfeit",
            "highs",
            "lows",
            "mask",
            "nodes",
            "size",
            "stock",
            "stopped",
        ),
        *("top", "trump"),
    )

    def __init__(self, trump: i64, after_take: i64, forfeit: bool, bits: i64) -> None:
        size: int = 1
        for _bit in range(bits):
            size *= 2
        self.trump: i64 = trump
        self.after_take: i64 = after_take
        self.forfeit: bool = forfeit
        self.mask: i64 = size - 1
        self.attackers: vec[i64] = vec[i64]([0] * size)
        self.defenders: vec[i64] = vec[i64]([0] * size)
        self.lows: vec[i64] = vec[i64]([0] * size)
        self.highs: vec[i64] = vec[i64]([0] * size)
        self.nodes: i64 = 0
        self.budget: i64 = 0
        self.stopped: bool = False
        self.stock: vec[i64] = vec[i64]([])
        self.top: i64 = 0
        self.size: i64 = 0

    def lay(self, stock: vec[i64], top: i64) -> None:
        """Let this be the stock, to be drawn from `top` on."""
        self.stock = stock
        self.top = top
        self.size = len(stock)

    def solve(self, attacker: i64, defender: i64, budget: i64) -> i64:
        """The result when a bout begins with these hands. Look at `stopped` before believing it."""
        self.nodes = 0
        self.budget = budget
        self.stopped = False
        return self.bout(attacker, defender, LOST, WON)

    def bout(self, attacker: i64, defender: i64, low: i64, high: i64) -> i64:
        """The result of a bout that begins, if it lies between the bounds; otherwise a bound."""
        self.nodes += 1
        if self.nodes >= self.budget:
            self.stopped = True
        if self.stopped:
            return DRAWN
        if self.top < self.size:
            key_one, key_two = self.with_stock(attacker, defender)
        else:
            # The same ending with absent ranks squeezed out and the plain suits in order.
            key_one, key_two = self.squeezed(attacker, defender, ranks_of(attacker | defender))
        place = (key_one * 0x9E3779B97F4A7 ^ key_two * 0x5851F42D4C957 ^ (key_one >> 11) ^ (key_two >> 7)) & self.mask
        known_low: i64 = LOST
        known_high: i64 = WON
        if self.attackers[place] == key_one and self.defenders[place] == key_two:
            known_low = self.lows[place]
            known_high = self.highs[place]
            if known_low == known_high or known_low >= high:
                return known_low
            if known_high <= low:
                return known_high
            if known_low > low:
                low = known_low
            if known_high < high:
                high = known_high
        limit = count(defender)
        if limit > HAND_SIZE:
            limit = HAND_SIZE
        best: i64 = LOST - 1
        floor = low
        for turn in range(2):
            # First the cards that the defender cannot beat, then the others, low ones before trumps.
            plain = attacker & ~TRUMPS[self.trump]
            for part in range(2):
                cards = plain if part == 0 else attacker & TRUMPS[self.trump]
                rank: i64 = RANK_IN_ALL_SUITS
                while cards:
                    of_rank = cards & rank
                    rank <<= 1
                    cards &= ~of_rank
                    while of_rank:
                        bit = of_rank & -of_rank
                        of_rank ^= bit
                        card = index(bit)
                        unbeatable = not defender & BEATERS[self.trump * PACK_SIZE + card]
                        if unbeatable == (turn == 0):
                            result = self.defend(attacker ^ bit, defender, bit, card, 1, limit, floor, high)
                            if self.stopped:
                                return DRAWN
                            if result > best:
                                best = result
                                if best > floor:
                                    floor = best
                                if best >= high:
                                    self.keep(place, key_one, key_two, best, known_high)
                                    return best
        self.keep(place, key_one, key_two, known_low if best <= low else best, best)
        return best

    def keep(self, place: i64, key_one: i64, key_two: i64, low: i64, high: i64) -> None:
        """Write down what is known of an ending."""
        self.attackers[place] = key_one
        self.defenders[place] = key_two
        self.lows[place] = low
        self.highs[place] = high

    def defend(self, attacker: i64, defender: i64, lying: i64, card: i64, attacks: i64, limit: i64, low: i64, high: i64) -> i64:
        """The result when the defender has to answer this card; `lying` are the cards on the table."""
        self.nodes += 1
        best: i64 = WON + 1
        ceiling = high
        for part in range(2):
            beaters = defender & BEATERS[self.trump * PACK_SIZE + card]
            beaters = beaters & ~TRUMPS[self.trump] if part == 0 else beaters & TRUMPS[self.trump]
            while beaters:
                bit = beaters & -beaters
                beaters ^= bit
                result = self.attack(attacker, defender ^ bit, lying | bit, attacks, limit, low, ceiling)
                if self.stopped:
                    return DRAWN
                if result < best:
                    best = result
                    if best < ceiling:
                        ceiling = best
                    if best <= low:
                        return best
        matching = attacker & ranks_of(lying) * RANK_IN_ALL_SUITS if self.after_take == AFTER_TAKE_WINDOW else i64(0)
        result = self.give(attacker, defender | lying, matching, limit - attacks, low, ceiling)
        return result if result < best else best

    def attack(self, attacker: i64, defender: i64, lying: i64, attacks: i64, limit: i64, low: i64, high: i64) -> i64:
        """The result when all is beaten, and the attacker may throw in or let the bout end."""
        self.nodes += 1
        best: i64 = LOST - 1
        floor = low
        if attacks < limit:
            cards = attacker & ranks_of(lying) * RANK_IN_ALL_SUITS
            while cards:
                bit = cards & -cards
                cards ^= bit
                result = self.defend(attacker ^ bit, defender, lying | bit, index(bit), attacks + 1, limit, floor, high)
                if self.stopped:
                    return DRAWN
                if result > best:
                    best = result
                    if best > floor:
                        floor = best
                    if best >= high:
                        return best
        result = self.beaten(attacker, defender, lying, floor, high)
        return result if result > best else best

    def beaten(self, attacker: i64, defender: i64, lying: i64, low: i64, high: i64) -> i64:
        """The result when the bout ends with everything beaten; where rules allow, the defender may forfeit (RULES 3.3)."""
        if self.top < self.size:
            result = self.refilled(attacker, defender, False, low, high)
        elif not attacker:
            result = WON if defender else DRAWN
        elif not defender:
            return LOST
        else:
            result = -self.bout(defender, attacker, -high, -low)
        if self.forfeit and result > low and not self.stopped:
            other = self.give(attacker, defender | lying, 0, 0, low, high)
            return other if other < result else result
        return result

    def give(self, attacker: i64, defender: i64, matching: i64, room: i64, low: i64, high: i64) -> i64:
        """The result when the defender has taken, and the attacker may add so many of the matching cards."""
        if not attacker and self.top == self.size:
            return WON
        best: i64 = LOST - 1
        floor = low
        if room > 0:
            cards = matching
            while cards:
                bit = cards & -cards
                cards ^= bit  # those that come after it in order, so that no set of cards comes twice
                result = self.give(attacker ^ bit, defender | bit, cards, room - 1, floor, high)
                if self.stopped:
                    return DRAWN
                if result > best:
                    best = result
                    if best > floor:
                        floor = best
                    if best >= high:
                        return best
        if self.top < self.size:
            result = self.refilled(attacker, defender, True, floor, high)
        else:
            result = self.bout(attacker, defender, floor, high)
        return result if result > best else best

    def refilled(self, attacker: i64, defender: i64, taken: bool, low: i64, high: i64) -> i64:
        """The result when the bout is over and both draw from the stock, the attacker first (RULES 1.18, 1.19)."""
        top = self.top
        attacker = self.drawn(attacker)
        defender = self.drawn(defender)
        if not attacker:
            result = WON if defender else DRAWN
        elif not defender:
            result = LOST
        elif taken:
            result = self.bout(attacker, defender, low, high)
        else:
            result = -self.bout(defender, attacker, -high, -low)
        self.top = top
        return result

    def drawn(self, hand: i64) -> i64:
        """This hand when it has drawn back up to six; the stock is shorter then."""
        missing = HAND_SIZE - count(hand)
        while missing > 0 and self.top < self.size:
            hand |= BIT[self.stock[self.top]]
            self.top += 1
            missing -= 1
        return hand

    def with_stock(self, one: i64, two: i64) -> tuple[i64, i64]:
        """Both hands as they are, and above them the cards of the stock in turn: no key of an empty stock is like these."""
        shift: i64 = PACK_SIZE
        for place in range(self.top, self.size):
            card = self.stock[place] + 1
            if (place - self.top) & 1:
                two |= card << shift
                shift += 6
            else:
                one |= card << shift
        return one, two

    def squeezed(self, one: i64, two: i64, present: i64) -> tuple[i64, i64]:
        """Both hands without the ranks that neither has, the trumps as the first suit, the plain suits sorted."""
        suits_one = vec[i64]([0] * SUIT_COUNT)
        suits_two = vec[i64]([0] * SUIT_COUNT)
        for suit in range(SUIT_COUNT):
            part_one = one >> SUIT_SIZE * suit & ALL_RANKS
            part_two = two >> SUIT_SIZE * suit & ALL_RANKS
            ranks = present
            shift: i64 = 0
            from_one: i64 = 0
            from_two: i64 = 0
            while ranks:
                if ranks & 1:
                    from_one |= (part_one & 1) << shift
                    from_two |= (part_two & 1) << shift
                    shift += 1
                ranks >>= 1
                part_one >>= 1
                part_two >>= 1
            suits_one[suit] = from_one
            suits_two[suit] = from_two
        last_one = suits_one[3]
        last_two = suits_two[3]
        suits_one[3] = suits_one[self.trump]
        suits_two[3] = suits_two[self.trump]
        if self.trump != 3:
            suits_one[self.trump] = last_one
            suits_two[self.trump] = last_two
        for _turn in range(2):
            for suit in range(2):
                left = suits_one[suit] << SUIT_SIZE | suits_two[suit]
                right = suits_one[suit + 1] << SUIT_SIZE | suits_two[suit + 1]
                if left > right:
                    suits_one[suit] = right >> SUIT_SIZE
                    suits_two[suit] = right & ALL_RANKS
                    suits_one[suit + 1] = left >> SUIT_SIZE
                    suits_two[suit + 1] = left & ALL_RANKS
        first = suits_one[0] | suits_one[1] << SUIT_SIZE | suits_one[2] << 18 | suits_one[3] << 27
        second = suits_two[0] | suits_two[1] << SUIT_SIZE | suits_two[2] << 2 * SUIT_SIZE | suits_two[3] << 3 * SUIT_SIZE
        return first, second
