"""A game and what its players know of it, for playouts and searches. Compiled where a compiler was there."""

from durak.bots.knowing.public import Public
from durak.bots.knowing.sight import Sight, unlikely
from durak.protocol.rules.bits import BIT, SEAT_BIT, count
from durak.protocol.rules.flat import i64, vec
from durak.protocol.rules.kernel import Kernel
from durak.protocol.rules.layout import (
    ALL_CARDS,
    CODE_MASK,
    FINISH_CODE,
    MOST_PLAYERS,
    PACK_SIZE,
    PASS_CODE,
    RANK_IN_ALL_SUITS,
    SEAT_SHIFT,
    TAKE_CODE,
)
from durak.protocol.rules.state import AFTER_TAKE_IMMEDIATE, AFTER_TAKE_NONE, BOUT, DECIDE, LEAD, OVER


class Position:
    """`kernel`: the whole game, every card; `public`: what all seats have been told. `apply` and `close` keep both in step."""

    __slots__ = ("held", "kernel", "public")

    def __init__(self, kernel: Kernel, public: Public) -> None:
        self.kernel: Kernel = kernel
        self.public: Public = public
        self.held: vec[i64] = vec[i64]([0] * MOST_PLAYERS)  # room to work in

    def assign(self, other: "Position") -> None:
        """Make this position equal to the other one, which stays untouched."""
        self.kernel.assign(other.kernel)
        self.public.assign(other.public)

    def begin(self, shown: i64) -> None:
        """A game has been dealt: nothing is known but the hand that a shown card lies in (RULES 1.3, 3.5; 0: none is shown)."""
        self.public.forget()
        for seat in range(self.kernel.players):
            self.public.known[seat] |= self.kernel.hands[seat] & shown

    def apply(self, move: i64) -> None:
        """Carry out a legal move."""
        kernel = self.kernel
        seat = move >> SEAT_SHIFT
        code = move & CODE_MASK
        if code < TAKE_CODE:
            self.public.played(seat, code % PACK_SIZE)
        elif code == TAKE_CODE:
            lying: i64 = 0
            for slot in range(kernel.attacks):
                if kernel.beat_cards[slot] < 0:
                    lying |= BIT[kernel.attack_cards[slot]]
            self.public.took(seat, lying)
            if kernel.after_take == AFTER_TAKE_IMMEDIATE:
                self.end_bout(move, True)
                return
        elif code == PASS_CODE:
            if kernel.attacks < kernel.limit:  # otherwise passing says nothing
                self.public.passed(seat, kernel.ranks)
        elif kernel.phase == DECIDE:
            self.end_bout(move, code != FINISH_CODE)
            return
        kernel.apply(move)

    def close(self, early: bool) -> None:
        """The attack has ended, `early` because nobody is waited for (RULES 1.14), or because the window has run out."""
        kernel = self.kernel
        closed = kernel.attacks >= kernel.limit or (kernel.taking and kernel.after_take == AFTER_TAKE_NONE)
        if early and not kernel.discreet and not closed:
            silent = kernel.throwers & ~kernel.passed
            self.public.nobody_adds(silent, kernel.ranks)
        if kernel.forfeit_defence and not kernel.taking:
            kernel.close()
        else:
            self.end_bout(-1, kernel.taking)

    def end_bout(self, move: i64, taken: bool) -> None:
        """End the bout, by a move or by closing it (-1)."""
        kernel = self.kernel
        before = kernel.stock_top
        defender = kernel.defender
        lying = kernel.table_cards
        for seat in range(kernel.players):
            self.held[seat] = kernel.hands[seat]
        self.public.ended(defender, lying, taken)
        if move < 0:
            kernel.close()
        else:
            kernel.apply(move)
        if kernel.stock_top == before:
            return
        if taken:
            self.held[defender] |= lying
        last: i64 = 0
        if kernel.stock_top == len(kernel.stock):
            last = BIT[kernel.stock[len(kernel.stock) - 1]]
        for seat in range(kernel.players):
            drawn = kernel.hands[seat] & ~self.held[seat]
            if drawn:
                self.public.drew(seat)
                self.public.known[seat] |= drawn & last  # all have seen the trump card under the stock

    def able(self) -> i64:
        """The seats that have a legal move, before the game and after it none."""
        kernel = self.kernel
        if kernel.phase == BOUT:
            seats: i64 = 0
            if kernel.may_take():
                seats = SEAT_BIT[kernel.defender]
            for seat in range(kernel.players):
                if kernel.may_pass(seat) or kernel.throwable(seat):
                    seats |= SEAT_BIT[seat]
            return seats
        if kernel.phase == LEAD:
            return SEAT_BIT[kernel.attacker]
        if kernel.phase == DECIDE:
            return SEAT_BIT[kernel.defender]
        return 0

    def durak(self) -> i64:
        """The durak of a game that is over and that nobody has left; -1 for a draw."""
        kernel = self.kernel
        if kernel.phase != OVER or kernel.repeated or not kernel.active:
            return -1
        seat: i64 = 0
        while not kernel.active & SEAT_BIT[seat]:
            seat += 1
        return seat

    def look(self, seat: i64, sight: Sight) -> None:
        """Put into `sight` what this seat sees of a bout."""
        kernel = self.kernel
        public = self.public
        stock: i64 = len(kernel.stock) - kernel.stock_top
        sight.me = seat
        sight.trump = kernel.trump
        sight.hand = kernel.hands[seat]
        sight.stock = stock
        sight.attacker = kernel.attacker
        sight.defender = kernel.defender
        sight.limit = kernel.limit
        sight.taking = kernel.taking
        sight.ranks = kernel.ranks
        sight.attacks = kernel.attacks
        sight.open_cards = kernel.open_cards
        for slot in range(kernel.attacks):
            sight.attack_cards[slot] = kernel.attack_cards[slot]
            sight.beat_cards[slot] = kernel.beat_cards[slot]
        throwers = kernel.throwers & ~SEAT_BIT[seat]
        sight.adders = 0
        elsewhere: i64 = sight.hand | kernel.table_cards | public.discarded
        sight.bottom = 0
        if stock:
            sight.bottom = BIT[kernel.stock[len(kernel.stock) - 1]]
        elsewhere |= sight.bottom
        other: i64
        for other in range(MOST_PLAYERS):
            if other == seat or other >= kernel.players:
                sight.known[other] = 0
                sight.counts[other] = 0
                sight.barred[other] = 0
                sight.doubted[other] = 0
            else:
                size = count(kernel.hands[other])
                sight.counts[other] = size
                sight.known[other] = public.known[other]
                elsewhere |= public.known[other]
                sight.barred[other] = public.barred[other] * RANK_IN_ALL_SUITS
                sight.doubted[other] = unlikely(public.declined[other] * RANK_IN_ALL_SUITS, public.unbeaten[other], kernel.trump)
                if size and throwers & SEAT_BIT[other]:
                    sight.adders |= SEAT_BIT[other]
        sight.pool = ALL_CARDS & ~elsewhere
