"""The kernel of the rules: one mutable game as integers, for the table and for a search alike. Compiled where a compiler was there.

Everything here is a 64-bit integer or a flat array of them (flat.py), the game (state.py) and its moves (layout.py).

`legal` tells the moves, `apply` carries one out and trusts it, `copy` makes another game. Time is not here: whoever drives the
kernel asks `quiet` whether nobody is waited for (RULES 1.14), and calls `close` when the attack has ended and `end_offer` when
the redeal period has.
"""

from durak.protocol.rules.bits import BEATERS, BIT, RANK_BIT, SEAT_BIT, SEATS_IN, count, index
from durak.protocol.rules.flat import i64, vec
from durak.protocol.rules.layout import (
    ALL_CARDS,
    BEAT_CODE,
    CODE_MASK,
    FINISH_CODE,
    FORFEIT_CODE,
    HAND_SIZE,
    KEEP_CODE,
    PACK_SIZE,
    PASS_CODE,
    RANK_IN_ALL_SUITS,
    REDEAL_CODE,
    SEAT_SHIFT,
    SUIT_SIZE,
    TAKE_CODE,
    THROW_CODE,
)
from durak.protocol.rules.state import (
    AFTER_TAKE_IMMEDIATE,
    AFTER_TAKE_NONE,
    BOUT,
    DECIDE,
    LEAD,
    OVER,
    REDEAL,
    State,
    throwers_of,
)


class Kernel(State):
    """One game: the state, what may be done in it, and what is done."""

    __slots__ = ()

    def copy(self) -> "Kernel":
        """An independent game in the same position."""
        twin = Kernel(self.players)
        twin.assign(self)
        return twin

    # ---------------------------------------------------------------- what may be done

    def throwable(self, seat: i64) -> i64:
        """The cards this seat may throw in now (RULES 1.6, 1.7, 1.12, options throw_in, throw_timing, after_take)."""
        if self.phase != BOUT or self.attacks >= self.limit or not self.throwers & ~self.passed & SEAT_BIT[seat]:
            return 0
        if self.taking:
            if self.after_take == AFTER_TAKE_NONE:
                return 0
        elif self.open_cards and not self.throw_any_time:
            return 0
        return self.hands[seat] & self.ranks * RANK_IN_ALL_SUITS

    def may_pass(self, seat: i64) -> bool:
        """True if this seat may pass now (RULES 1.12)."""
        return (
            self.phase == BOUT
            and self.throwers & ~self.passed & SEAT_BIT[seat] != 0
            and self.hands[seat] != 0
            and (self.throw_any_time or self.taking or not self.open_cards)
        )

    def beating(self, slot: i64) -> i64:
        """The defender's cards that may beat the attack card in this slot now (RULES 1.9, 1.10)."""
        if self.phase != BOUT or self.taking or slot >= self.attacks or self.beat_cards[slot] >= 0:
            return 0
        return self.hands[self.defender] & BEATERS[self.trump * PACK_SIZE + self.attack_cards[slot]]

    def may_take(self) -> bool:
        """True if the defender may take now (RULES 1.10)."""
        return self.phase == BOUT and self.open_cards > 0 and not self.taking

    def legal(self, moves: vec[i64]) -> i64:
        """Write all legal moves of all seats into `moves`, which has room for `MOVES`, and return their number; leaving is none."""
        number: i64 = 0
        phase = self.phase
        if phase == BOUT:
            ranks = self.ranks * RANK_IN_ALL_SUITS
            closed = self.attacks >= self.limit
            if self.taking:
                may_pass = True
                closed = closed or self.after_take == AFTER_TAKE_NONE
            else:
                may_pass = self.throw_any_time or not self.open_cards
                closed = closed or not may_pass
                if self.open_cards:
                    defender = self.defender
                    base = defender << SEAT_SHIFT | BEAT_CODE
                    hand = self.hands[defender]
                    trump = self.trump * PACK_SIZE
                    for slot in range(self.attacks):
                        if self.beat_cards[slot] < 0:
                            bits = hand & BEATERS[trump + self.attack_cards[slot]]
                            while bits:
                                low = bits & -bits
                                moves[number] = base + index(low)
                                number += 1
                                bits ^= low
                        base += PACK_SIZE
                    moves[number] = defender << SEAT_SHIFT | TAKE_CODE
                    number += 1
            if may_pass:
                waiting = self.throwers & ~self.passed
                for seat in range(self.players):
                    if waiting & SEAT_BIT[seat]:
                        hand = self.hands[seat]
                        if hand:
                            if not closed:
                                bits = hand & ranks
                                base = seat << SEAT_SHIFT | THROW_CODE
                                while bits:
                                    low = bits & -bits
                                    moves[number] = base + index(low)
                                    number += 1
                                    bits ^= low
                            moves[number] = seat << SEAT_SHIFT | PASS_CODE
                            number += 1
        elif phase == LEAD:
            base = self.attacker << SEAT_SHIFT
            bits = self.hands[self.attacker]
            while bits:
                low = bits & -bits
                moves[number] = base + index(low)
                number += 1
                bits ^= low
        elif phase == DECIDE:
            moves[0] = self.defender << SEAT_SHIFT | FINISH_CODE
            moves[1] = self.defender << SEAT_SHIFT | FORFEIT_CODE
            number = 2
        elif phase == REDEAL:
            for seat in range(self.players):
                if self.offers & SEAT_BIT[seat]:
                    moves[number] = seat << SEAT_SHIFT | REDEAL_CODE
                    moves[number + 1] = seat << SEAT_SHIFT | KEEP_CODE
                    number += 2
        return number

    def quiet(self) -> bool:
        """True if all is beaten or taken and nobody is waited for, so that the bout closes early (RULES 1.14, 1.15)."""
        if self.phase != BOUT:
            return False
        if self.taking:
            if self.after_take == AFTER_TAKE_NONE:
                return True
        elif self.open_cards:
            return False
        if self.attacks >= self.limit:
            return True
        waiting = self.throwers & ~self.passed
        wanted = ALL_CARDS if self.discreet else self.ranks * RANK_IN_ALL_SUITS
        for seat in range(self.players):
            if waiting & SEAT_BIT[seat] and self.hands[seat] & wanted:
                return False
        return True

    # ---------------------------------------------------------------- what is done

    def apply(self, move: i64) -> None:
        """Carry out a legal move. An illegal one leaves a position that is not of this game: ask `legal` first."""
        seat = move >> SEAT_SHIFT
        code = move & CODE_MASK
        if code < BEAT_CODE:
            card = code if code < THROW_CODE else code - THROW_CODE
            slot = self.attacks
            bit = BIT[card]
            self.hands[seat] ^= bit
            self.table_cards |= bit
            self.attack_cards[slot] = card
            self.attack_by[slot] = seat
            self.beat_cards[slot] = -1
            self.attacks = slot + 1
            self.open_cards += 1
            if code < THROW_CODE:
                self.ranks = RANK_BIT[card]
                self.phase = BOUT
        elif code < TAKE_CODE:
            slot = (code - BEAT_CODE) // PACK_SIZE
            card = code - BEAT_CODE - PACK_SIZE * slot
            bit = BIT[card]
            self.hands[seat] ^= bit
            self.table_cards |= bit
            self.beat_cards[slot] = card
            self.open_cards -= 1
            if not self.ranks & RANK_BIT[card]:
                self.ranks |= RANK_BIT[card]
                self.passed = 0
                self.epoch += 1
        elif code == PASS_CODE:
            self.passed |= SEAT_BIT[seat]
        elif code == TAKE_CODE:
            self.taking = True
            self.passed = 0
            self.epoch += 1
            if self.after_take == AFTER_TAKE_IMMEDIATE:
                self.end_bout()
        elif code == FINISH_CODE:
            self.end_bout()
        elif code == FORFEIT_CODE:
            self.taking = True
            self.end_bout()
        else:
            self.offers &= ~SEAT_BIT[seat]
            if code == REDEAL_CODE:
                self.wanted |= SEAT_BIT[seat]

    def close(self) -> None:
        """The attack has ended: the defender decides (RULES 3.3), or the bout is over."""
        if self.forfeit_defence and not self.taking:
            self.phase = DECIDE
        else:
            self.end_bout()

    def leave(self, seat: i64) -> None:
        """An active seat leaves (RULES 1.22); the game may end at once."""
        if not self.hands[seat] and self.stock_top == len(self.stock):
            self.excused |= SEAT_BIT[seat]
            return
        self.left_order[seat] = SEATS_IN[self.left]
        self.left |= SEAT_BIT[seat]
        if SEATS_IN[self.active & ~self.left] <= 1:
            self.end()

    def next_active(self, seat: i64) -> i64:
        """The next active seat clockwise."""
        while True:
            seat += 1
            if seat == self.players:
                seat = 0
            if self.active & SEAT_BIT[seat]:
                return seat

    def end(self) -> None:
        """The game is over."""
        self.phase = OVER
        self.throwers = 0

    def end_bout(self) -> None:
        """Clear the table, draw, let seats go out, and begin the next bout or end the game (RULES 1.17-1.21, 1.24)."""
        attacker = self.attacker
        defender = self.defender
        attacks = self.attacks
        lying = self.table_cards
        taken = self.taking
        fresh = not taken  # a card has left the hands for good, so no earlier position can come again
        if taken:
            self.hands[defender] |= lying
            self.excused &= ~SEAT_BIT[defender]  # it came back, and forfeited
        else:
            self.discard |= lying
        self.attacks = 0
        self.open_cards = 0
        self.ranks = 0
        self.table_cards = 0
        self.taking = False
        self.passed = 0

        stock_size: i64 = len(self.stock)
        before = self.stock_top
        if before < stock_size:
            seat = attacker
            for _seat in range(self.players):
                if seat != defender and self.active & SEAT_BIT[seat]:
                    self.draw(seat)
                seat += 1
                if seat == self.players:
                    seat = 0
            self.draw(defender)
            fresh = fresh or before != self.stock_top
        if self.stock_top == stock_size:
            gone: i64 = 0
            for other in range(self.players):
                if self.active & SEAT_BIT[other] and not self.hands[other]:
                    gone |= SEAT_BIT[other]
                    self.out_rank[other] = self.out_groups
            if gone:
                self.active &= ~gone
                self.out_groups += 1
                fresh = True
            if SEATS_IN[self.active & ~self.left] <= 1:
                self.double_six = self.ends_with_two_sixes(attacks)
                self.end()
                return
        if taken or not self.active & SEAT_BIT[defender]:
            self.attacker = self.next_active(defender)
        else:
            self.attacker = defender
        if fresh:
            self.history = vec[i64]([])
        else:
            self.remember(attacker, attacks, lying)
        self.begin_bout()

    def draw(self, seat: i64) -> None:
        """Draw back up to six from the stock (RULES 1.18)."""
        hand = self.hands[seat]
        missing = HAND_SIZE - count(hand)
        stock_size: i64 = len(self.stock)
        while missing > 0 and self.stock_top < stock_size:
            hand |= BIT[self.stock[self.stock_top]]
            self.stock_top += 1
            missing -= 1
        self.hands[seat] = hand

    def begin_bout(self) -> None:
        """Begin a bout led by `attacker`, unless the position comes for the third time (RULES 1.7, 1.24)."""
        self.defender = self.next_active(self.attacker)
        self.throwers = throwers_of(self.throw_in, self.active, self.attacker, self.defender)
        self.bout += 1
        self.epoch += 1
        self.phase = LEAD
        limit = count(self.hands[self.defender])
        if self.bout == 1 and limit > self.limit_first_bout:
            limit = self.limit_first_bout
        self.limit = limit if limit < HAND_SIZE else HAND_SIZE
        if self.seen_before() >= 2:
            self.repeated = True
            self.end()

    def remember(self, attacker: i64, attacks: i64, lying: i64) -> None:
        """Add the beginning of the bout that has just been taken to `history`: its cards are thought back into their hands."""
        players = self.players
        known: i64 = len(self.history)
        longer = vec[i64]([0] * int(known + players + 1))
        for place in range(known):
            longer[place] = self.history[place]
        for seat in range(players):
            longer[known + seat] = self.hands[seat]
        longer[known + self.defender] &= ~lying
        for slot in range(attacks):
            longer[known + self.attack_by[slot]] |= BIT[self.attack_cards[slot]]
            if self.beat_cards[slot] >= 0:
                longer[known + self.defender] |= BIT[self.beat_cards[slot]]
        longer[known + players] = attacker
        self.history = longer

    def seen_before(self) -> i64:
        """How often a bout has begun with these hands and this attacker; the stock is the same, or history would be empty."""
        players = self.players
        times: i64 = 0
        at: i64 = 0
        known: i64 = len(self.history)
        while at < known:
            same = self.history[at + players] == self.attacker
            seat: i64 = 0
            while same and seat < players:
                same = self.history[at + seat] == self.hands[seat]
                seat += 1
            if same:
                times += 1
            at += players + 1
        return times

    def ends_with_two_sixes(self, attacks: i64) -> bool:
        """True if the main attacker's last two cards of the bout with so many attack cards are sixes (RULES 3.7)."""
        sixes: i64 = 0
        for slot in range(attacks - 1, -1, -1):
            if self.attack_by[slot] == self.attacker:
                if self.attack_cards[slot] % SUIT_SIZE:
                    return False
                sixes += 1
                if sixes == 2:
                    return True
        return False
