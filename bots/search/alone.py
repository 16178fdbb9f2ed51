"""What one seat of three can force against both others, the stock being empty. Compiled where a compiler was there.

Of a game of three there is no one best play: whoever is safe does not care which of the others loses, so that what "all for
themselves" comes to hangs on how they break ties; with bouts that come again it need not be anything at all. What a seat can force
is well defined, and a promise: `WON`, it goes out whatever the others do; `LOST`, they can make it the durak by working together.

**Who comes first.** Throw-ins have no order (RULES 1.6), so a promise holds only if it holds in every order. Here the others
always come first: while all is beaten or taken, they may add a card before the seat can, and when neither adds one the bout ends.
While a card is open all wait for the defender, which loses them nothing where cards may still be added after a take. Where cards
come at any time, but none after a take, races decide; such tables are not for this solver.

**Bouts that come again.** The third time is a draw (RULES 1.24). Whoever can force an end can force it without any bout coming
twice, so a bout that comes again on the way counts as a draw at once. What else was found so holds only on that way: it is
provisional, and the search is repeated until no such thing is used, or nothing new is found.
"""

from typing import Final

from durak.bots.search.endgame import DRAWN, WON, Endgame
from durak.protocol.rules.bits import BEATERS, TRUMPS, count, index, ranks_of
from durak.protocol.rules.flat import i64, vec
from durak.protocol.rules.layout import FIRST_HALF, HALF_PACK, HAND_SIZE, PACK_SIZE, RANK_IN_ALL_SUITS
from durak.protocol.rules.state import AFTER_TAKE_WINDOW

ATTACKS: Final[i64] = 0
DEFENDS: Final[i64] = 1
THIRD: Final[i64] = 2
"""The role of the seat in a bout; the third seat is on the defender's left."""

YES: Final[i64] = 1
NO: Final[i64] = 2
FIRST_ROUND: Final[i64] = 3
"""What the table says of a beginning; a higher number is the round of the search that it was looked at in."""

NEVER: Final[i64] = 1_000_000

DEEPEST: Final[i64] = 600
"""How many bouts a way may have; taking and taking in turn makes far longer ones, which no stack holds."""

if __file__.endswith(".py"):  # interpreted: Python allows a thousand calls
    globals()["DEEPEST"] = 100


class Alone:
    """Solves endings of three with one trump suit.

    A question is whether the seat can force at least `wanted`, WON or DRAWN. Hands are those of the attacker, of the defender and
    of the third. `nodes()` counts positions, those of the solver of two, `pair`, too; a search that reaches `budget` of them, whose
    table is full, or whose ways are too long, stops and sets `stopped`: its result is none.
    """

    __slots__ = (
        *("after_take", "budget", "cut", "depth", "depths", "entries", "findings", "firsts", "forfeit", "labels", "lowest", "mask"),
        *("pair", "recalled", "room", "round", "seconds", "stopped", "third_adds", "trump", "visited", "wanted"),
    )

    def __init__(self, trump: i64, after_take: i64, forfeit: bool, third_adds: bool, bits: i64) -> None:
        size: int = 1
        for _ in range(bits):
            size *= 2
        self.trump: i64 = trump
        self.after_take: i64 = after_take
        self.forfeit: bool = forfeit
        self.third_adds: bool = third_adds
        self.mask: i64 = size - 1
        self.room: i64 = self.mask - self.mask // 8
        self.firsts: vec[i64] = vec[i64]([0] * size)
        self.seconds: vec[i64] = vec[i64]([0] * size)
        self.labels: vec[i64] = vec[i64]([0] * size)
        self.depths: vec[i64] = vec[i64]([0] * size)  # of what is on the way; -1: what was found is provisional
        self.entries: i64 = 0
        self.pair: Endgame = Endgame(trump, after_take, forfeit, bits)
        self.wanted: i64 = WON
        self.round: i64 = FIRST_ROUND
        self.findings: i64 = 0  # of the side that has to force, in this round
        self.depth: i64 = 0
        self.cut: bool = False  # in this round a way was too long
        # The depth of the earliest bout on the way that what was just found leans on; -1: on a provisional one.
        self.lowest: i64 = NEVER
        self.recalled: bool = False
        self.visited: i64 = 0
        self.budget: i64 = 0
        self.stopped: bool = False

    def nodes(self) -> i64:
        """Positions looked at."""
        return self.visited + self.pair.nodes

    def begin(self, wanted: i64) -> None:
        """Ask another question."""
        self.wanted = wanted
        self.round += 1
        self.findings = 0
        self.depth = 0
        self.cut = False
        self.lowest = NEVER

    def again(self, result: bool) -> bool:
        """True if this answer leans on what was provisional, and more is known by now: begin, and ask once more.

        Where nothing more is known, but a way was too long, the search stops.
        """
        if self.stopped or result != (self.wanted == DRAWN) or self.lowest >= 0:
            return False
        if self.cut and not self.findings:
            self.stopped = True
        return self.findings > 0

    def draws(self, attacker: i64, defender: i64, third: i64, role: i64) -> None:
        """A bout that begins so is a draw from now on: it has come twice (RULES 1.24)."""
        for wanted in range(DRAWN, WON + 1):
            self.wanted = wanted
            self.recalled = True
            place = self.place_of(attacker, defender, third, role)
            if place >= 0:
                self.labels[place] = YES if wanted == DRAWN else NO

    def bout(self, attacker: i64, defender: i64, third: i64, role: i64) -> bool:
        """Whether the seat can force what is wanted when a bout of three begins."""
        self.visited += 1
        if self.nodes() >= self.budget:
            self.stopped = True
        if self.stopped:
            return False
        place = self.place_of(attacker, defender, third, role)
        if place < 0:
            self.stopped = True
            return False
        label = self.labels[place]
        if label == YES:
            return True
        if label == NO:
            return False
        patient = self.wanted == DRAWN  # a draw is enough for the seat, so it is the others who have to force something
        if label == self.round:
            if self.depths[place] < self.lowest:
                self.lowest = self.depths[place]
            return patient
        if self.depth >= DEEPEST:
            self.cut = True
            self.lowest = -1
            return patient
        self.labels[place] = self.round
        self.depths[place] = self.depth
        outer = self.lowest
        self.lowest = NEVER
        self.depth += 1
        result = self.led(attacker, defender, third, role)
        self.depth -= 1
        if self.stopped:
            return False
        if result != patient:  # forced, whatever bouts came again elsewhere
            self.findings += 1
            self.labels[place] = YES if result else NO
            self.lowest = outer
        elif self.lowest >= self.depth:
            self.labels[place] = YES if result else NO
            self.lowest = outer
        else:
            self.depths[place] = -1
            if outer < self.lowest:
                self.lowest = outer
        return result

    def led(self, attacker: i64, defender: i64, third: i64, role: i64) -> bool:
        """Whether the seat can force it when the attacker has to lead: low cards before high ones, trumps last."""
        mine = role == ATTACKS
        limit = count(defender)
        if limit > HAND_SIZE:
            limit = HAND_SIZE
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
                    if self.defend(attacker ^ bit, defender, third, bit, index(bit), limit - 1, role) == mine or self.stopped:
                        return mine
        return not mine

    def defend(self, attacker: i64, defender: i64, third: i64, lying: i64, card: i64, places: i64, role: i64) -> bool:
        """Whether it can when this card has to be answered; `lying` is on the table, so many more `places` are there."""
        self.visited += 1
        mine = role == DEFENDS
        for part in range(2):
            beaters = defender & BEATERS[self.trump * PACK_SIZE + card]
            beaters = beaters & ~TRUMPS[self.trump] if part == 0 else beaters & TRUMPS[self.trump]
            while beaters:
                bit = beaters & -beaters
                beaters ^= bit
                if self.attack(attacker, defender ^ bit, third, lying | bit, places, role) == mine or self.stopped:
                    return mine
        ranks = ranks_of(lying) * RANK_IN_ALL_SUITS if self.after_take == AFTER_TAKE_WINDOW else i64(0)
        return self.give(attacker, defender | lying, third, ranks, 0, places, role)

    def attack(self, attacker: i64, defender: i64, third: i64, lying: i64, places: i64, role: i64) -> bool:
        """Whether it can when all is beaten: the others may throw in, then the seat may, else the bout ends."""
        self.visited += 1
        if places > 0:
            ranks = ranks_of(lying) * RANK_IN_ALL_SUITS
            for turn in range(2):
                mine = turn == 1
                if (role == ATTACKS) == mine:
                    cards = attacker & ranks
                    while cards:
                        bit = cards & -cards
                        cards ^= bit
                        result = self.defend(attacker ^ bit, defender, third, lying | bit, index(bit), places - 1, role)
                        if result == mine or self.stopped:
                            return mine
                if self.third_adds and (role == THIRD) == mine:
                    cards = third & ranks
                    while cards:
                        bit = cards & -cards
                        cards ^= bit
                        result = self.defend(attacker, defender, third ^ bit, lying | bit, index(bit), places - 1, role)
                        if result == mine or self.stopped:
                            return mine
        # Where rules allow, the defender may forfeit (RULES 3.3).
        result = self.ended(attacker, defender, third, False, role)
        if self.forfeit and result != (role == DEFENDS) and not self.stopped:
            return self.ended(attacker, defender | lying, third, True, role)
        return result

    def give(self, attacker: i64, defender: i64, third: i64, ranks: i64, done: i64, places: i64, role: i64) -> bool:
        """Whether it can when the defender has taken, and cards of these `ranks` may be added.

        The others' cards come in order, so that no set of them comes twice: none of those in `done`, until the seat has added one.
        """
        if role != DEFENDS and not (attacker if role == ATTACKS else third):
            return True  # it is out, and the defender is not
        self.visited += 1
        if places > 0:
            for turn in range(2):
                mine = turn == 1
                if (role == ATTACKS) == mine:
                    cards = attacker & ranks
                    if not mine:
                        cards &= ~done
                    while cards:
                        bit = cards & -cards
                        cards ^= bit
                        past = 0 if mine else done | bit | (bit - 1)
                        result = self.give(attacker ^ bit, defender | bit, third, ranks, past, places - 1, role)
                        if result == mine or self.stopped:
                            return mine
                if self.third_adds and (role == THIRD) == mine:
                    cards = third & ranks
                    if not mine:
                        cards &= ~done
                    while cards:
                        bit = cards & -cards
                        cards ^= bit
                        past = 0 if mine else done | bit | (bit - 1)
                        result = self.give(attacker, defender | bit, third ^ bit, ranks, past, places - 1, role)
                        if result == mine or self.stopped:
                            return mine
        return self.ended(attacker, defender, third, True, role)

    def ended(self, attacker: i64, defender: i64, third: i64, taken: bool, role: i64) -> bool:
        """Whether it can when the bout is over (RULES 1.17, 1.19-1.21)."""
        hand = attacker if role == ATTACKS else defender if role == DEFENDS else third
        if not hand:
            return self.wanted == DRAWN or attacker != 0 or defender != 0 or third != 0
        if attacker and defender and third:
            if taken:
                return self.bout(third, attacker, defender, role + 1 if role < THIRD else i64(ATTACKS))
            return self.bout(defender, third, attacker, role - 1 if role > ATTACKS else i64(THIRD))
        # Next attacks the defender who has beaten all, else the next clockwise who is not out.
        if defender and not taken:
            first, second, leads = defender, attacker | third, role == DEFENDS
        elif third:
            first, second, leads = third, attacker | defender, role == THIRD
        else:
            first, second, leads = attacker, defender, role == ATTACKS
        if not first or not second:
            return False  # nobody else is left
        self.pair.budget = self.budget - self.visited
        if leads:
            result = self.pair.bout(first, second, self.wanted - 1, self.wanted)
        else:
            result = -self.pair.bout(first, second, -self.wanted, 1 - self.wanted)
        if self.pair.stopped:
            self.stopped = True
        return result >= self.wanted

    def place_of(self, attacker: i64, defender: i64, third: i64, role: i64) -> i64:
        """Where the table has this beginning of a bout; -1 if it is full.

        To squeeze out absent ranks and to sort suits, as for endings of two, would save a tenth of the table for half of the speed.
        """
        first = attacker | (third & FIRST_HALF) << PACK_SIZE | (role | self.wanted << 2) << PACK_SIZE + HALF_PACK
        second = defender | third >> HALF_PACK << PACK_SIZE
        place = (first * 0x9E3779B97F4A7 ^ second * 0x5851F42D4C957 ^ (first >> 11) ^ (second >> 7)) & self.mask
        while self.firsts[place]:
            if self.firsts[place] == first and self.seconds[place] == second:
                return place
            place = place + 1 & self.mask
        if self.entries >= self.room:
            return -1
        self.entries += 1
        self.firsts[place] = first
        self.seconds[place] = second
        return place
