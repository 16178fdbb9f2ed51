"""The kernel of the rules: one mutable game as integers, for the table and for a search alike.

Everything here is `int`, so that the same file runs interpreted or compiled. A *card* is an index 0..35 (cards.py), a set of
cards a 36-bit integer, a set of seats a 6-bit integer. A *move* is ``seat << 9 | code``:

    code        0-35 lead that card    36-71 throw that card in    72-287 beat: 72 + 36 * slot + card
                288 take  289 pass  290 finish  291 forfeit  292 redeal  293 keep

`legal` lists the moves, `apply` carries one out and trusts it, `copy` makes another game. Time is not here: whoever drives the
kernel asks `quiet` whether nobody is waited for (RULES 1.14), and calls `close` when the attack has ended and `end_offer` when
the redeal period has. Nothing in `legal`, `apply` or `close` builds new lists.

Single bits come from the table `BIT`, never from ``1 << n``: a compiler for this file shifts a literal in 32 bits.
"""

from typing import Final

REDEAL: Final = 0
LEAD: Final = 1
BOUT: Final = 2
DECIDE: Final = 3
OVER: Final = 4

THROW_CODE: Final = 36
BEAT_CODE: Final = 72
TAKE_CODE: Final = 288
PASS_CODE: Final = 289
FINISH_CODE: Final = 290
FORFEIT_CODE: Final = 291
REDEAL_CODE: Final = 292
KEEP_CODE: Final = 293

AFTER_TAKE_WINDOW: Final = 0
AFTER_TAKE_IMMEDIATE: Final = 1
AFTER_TAKE_NONE: Final = 2

HAND_SIZE: Final = 6
ALL_CARDS: Final = 0xFFFFFFFFF
RANK_IN_ALL_SUITS: Final = 0x8040201
"""Multiplying a 9-bit set of ranks by this gives the set of all cards of those ranks."""

BIT: Final[list[int]] = [2**card for card in range(36)]
CARD_OF_BIT: Final[list[int]] = [0] * 37
"""Index of a single bit: 2 generates the integers modulo 37, so ``bit % 37`` differs for all 36 bits."""
RANK_BIT: Final[list[int]] = [2 ** (card % 9) for card in range(36)]
SEAT_BIT: Final[list[int]] = [1, 2, 4, 8, 16, 32]
SEATS_IN: Final[list[int]] = [bin(seats).count("1") for seats in range(64)]
BEATERS: Final[list[int]] = [0] * 144
"""``BEATERS[trump * 36 + card]``: the set of cards that beat the card (RULES 1.9)."""
TRUMPS: Final[list[int]] = [0x1FF * 2 ** (9 * suit) for suit in range(4)]

for _card in range(36):
    CARD_OF_BIT[BIT[_card] % 37] = _card
    for _trump in range(4):
        _higher = sum(BIT[other] for other in range(_card + 1, _card // 9 * 9 + 9))
        BEATERS[_trump * 36 + _card] = _higher if _card // 9 == _trump else _higher | TRUMPS[_trump]


def count_cards(bits: int) -> int:
    """How many cards a set holds."""
    return bits.bit_count()


class Kernel:
    """One game. The attributes are the position; per-seat lists have six places whatever the number of players."""

    __slots__ = (
        "active",
        "after_take",
        "attack_by",
        "attack_cards",
        "attacker",
        "attacks",
        "beat_cards",
        "bout",
        "defender",
        "discard",
        "discreet",
        "double_six",
        "epoch",
        "excused",
        "forfeit_defence",
        "hands",
        "history",
        "left",
        "left_order",
        "limit",
        "limit_first_bout",
        "offers",
        "open_cards",
        "out_groups",
        "out_rank",
        "passed",
        "phase",
        "players",
        "ranks",
        "repeated",
        "stock",
        "stock_top",
        "table_cards",
        "taking",
        "throw_all",
        "throw_any_time",
        "trump",
        "wanted",
    )

    def __init__(self, players: int) -> None:
        self.players: int = players
        # The ruleset, as far as it matters without time.
        self.throw_all: bool = True
        self.throw_any_time: bool = True
        self.after_take: int = AFTER_TAKE_WINDOW
        self.forfeit_defence: bool = False
        self.discreet: bool = False
        self.limit_first_bout: int = HAND_SIZE
        # The cards.
        self.trump: int = 0
        self.hands: list[int] = [0, 0, 0, 0, 0, 0]
        self.stock: list[int] = []  # never changed in place: copies of a game share it
        self.stock_top: int = 0  # index into stock of the next card to draw
        self.discard: int = 0
        self.attack_cards: list[int] = [0, 0, 0, 0, 0, 0]  # one per slot, in order of play
        self.attack_by: list[int] = [0, 0, 0, 0, 0, 0]
        self.beat_cards: list[int] = [-1, -1, -1, -1, -1, -1]  # -1: the slot's attack card is open
        self.attacks: int = 0
        self.open_cards: int = 0
        self.ranks: int = 0  # 9-bit set of the ranks on the table
        self.table_cards: int = 0  # set of all cards on the table
        # The bout.
        self.phase: int = LEAD
        self.bout: int = 0
        self.epoch: int = 0
        self.attacker: int = 0
        self.defender: int = 1
        self.limit: int = 0
        self.taking: bool = False
        self.passed: int = 0
        # The seats.
        self.active: int = 2**players - 1
        self.left: int = 0  # leavers, who lose
        self.excused: int = 0  # left with an empty hand and an empty stock, who do not
        self.left_order: list[int] = [-1, -1, -1, -1, -1, -1]  # place among the leavers, per seat
        self.out_rank: list[int] = [-1, -1, -1, -1, -1, -1]  # group of going out, per seat
        self.out_groups: int = 0
        # The redeal offer: who has yet to answer, who asked.
        self.offers: int = 0
        self.wanted: int = 0
        # The end.
        self.repeated: bool = False
        self.double_six: bool = False  # the last bout's attacker ended with two sixes
        self.history: list[int] = []  # hands and attacker of every bout since the last card left the hands for good

    def assign(self, other: "Kernel") -> None:
        """Make this game equal to the other one, which stays untouched."""
        self.players = other.players
        self.throw_all = other.throw_all
        self.throw_any_time = other.throw_any_time
        self.after_take = other.after_take
        self.forfeit_defence = other.forfeit_defence
        self.discreet = other.discreet
        self.limit_first_bout = other.limit_first_bout
        self.trump = other.trump
        self.hands[:] = other.hands
        self.stock = other.stock
        self.stock_top = other.stock_top
        self.discard = other.discard
        self.attack_cards[:] = other.attack_cards
        self.attack_by[:] = other.attack_by
        self.beat_cards[:] = other.beat_cards
        self.attacks = other.attacks
        self.open_cards = other.open_cards
        self.ranks = other.ranks
        self.table_cards = other.table_cards
        self.phase = other.phase
        self.bout = other.bout
        self.epoch = other.epoch
        self.attacker = other.attacker
        self.defender = other.defender
        self.limit = other.limit
        self.taking = other.taking
        self.passed = other.passed
        self.active = other.active
        self.left = other.left
        self.excused = other.excused
        self.left_order[:] = other.left_order
        self.out_rank[:] = other.out_rank
        self.out_groups = other.out_groups
        self.offers = other.offers
        self.wanted = other.wanted
        self.repeated = other.repeated
        self.double_six = other.double_six
        self.history[:] = other.history

    def copy(self) -> "Kernel":
        """An independent game in the same position."""
        twin = Kernel(self.players)
        twin.assign(self)
        return twin

    # ---------------------------------------------------------------- what may be done

    def throwable(self, seat: int) -> int:
        """The cards this seat may throw in now (RULES 1.6, 1.7, 1.12, options throw_in, throw_timing, after_take)."""
        if self.phase != BOUT or seat == self.defender or self.attacks >= self.limit or self.passed & SEAT_BIT[seat]:
            return 0
        if not self.throw_all and seat != self.attacker:
            return 0
        if self.taking:
            if self.after_take == AFTER_TAKE_NONE:
                return 0
        elif self.open_cards and not self.throw_any_time:
            return 0
        return self.hands[seat] & self.ranks * RANK_IN_ALL_SUITS

    def may_pass(self, seat: int) -> bool:
        """True if this seat may pass now (RULES 1.12)."""
        return (
            self.phase == BOUT
            and seat != self.defender
            and (self.throw_all or seat == self.attacker)
            and self.hands[seat] != 0
            and not self.passed & SEAT_BIT[seat]
            and (self.throw_any_time or self.taking or not self.open_cards)
        )

    def beating(self, slot: int) -> int:
        """The defender's cards that may beat the attack card in this slot now (RULES 1.9, 1.10)."""
        if self.phase != BOUT or self.taking or slot >= self.attacks or self.beat_cards[slot] >= 0:
            return 0
        return self.hands[self.defender] & BEATERS[self.trump * 36 + self.attack_cards[slot]]

    def may_take(self) -> bool:
        """True if the defender may take now (RULES 1.10)."""
        return self.phase == BOUT and self.open_cards > 0 and not self.taking

    def legal(self, moves: list[int]) -> int:
        """Write all legal moves of all seats into `moves` (294 places suffice) and return their number; leaving is not a move."""
        count = 0
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
                    base = defender << 9 | BEAT_CODE
                    hand = self.hands[defender]
                    trump = self.trump * 36
                    for slot in range(self.attacks):
                        if self.beat_cards[slot] < 0:
                            bits = hand & BEATERS[trump + self.attack_cards[slot]]
                            while bits:
                                low = bits & -bits
                                moves[count] = base + CARD_OF_BIT[low % 37]
                                count += 1
                                bits ^= low
                        base += 36
                    moves[count] = defender << 9 | TAKE_CODE
                    count += 1
            if may_pass:
                waiting = ~(self.passed | SEAT_BIT[self.defender])
                waiting &= self.active if self.throw_all else SEAT_BIT[self.attacker]
                for seat in range(self.players):
                    if waiting & SEAT_BIT[seat]:
                        hand = self.hands[seat]
                        if hand:
                            if not closed:
                                bits = hand & ranks
                                base = seat << 9 | THROW_CODE
                                while bits:
                                    low = bits & -bits
                                    moves[count] = base + CARD_OF_BIT[low % 37]
                                    count += 1
                                    bits ^= low
                            moves[count] = seat << 9 | PASS_CODE
                            count += 1
        elif phase == LEAD:
            base = self.attacker << 9
            bits = self.hands[self.attacker]
            while bits:
                low = bits & -bits
                moves[count] = base + CARD_OF_BIT[low % 37]
                count += 1
                bits ^= low
        elif phase == DECIDE:
            moves[0] = self.defender << 9 | FINISH_CODE
            moves[1] = self.defender << 9 | FORFEIT_CODE
            count = 2
        elif phase == REDEAL:
            for seat in range(self.players):
                if self.offers & SEAT_BIT[seat]:
                    moves[count] = seat << 9 | REDEAL_CODE
                    moves[count + 1] = seat << 9 | KEEP_CODE
                    count += 2
        return count

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
        waiting = ~(self.passed | SEAT_BIT[self.defender])
        waiting &= self.active if self.throw_all else SEAT_BIT[self.attacker]
        wanted = ALL_CARDS if self.discreet else self.ranks * RANK_IN_ALL_SUITS
        for seat in range(self.players):
            if waiting & SEAT_BIT[seat] and self.hands[seat] & wanted:
                return False
        return True

    # ---------------------------------------------------------------- what is done

    def apply(self, move: int) -> None:
        """Carry out a legal move. An illegal one leaves a position that is not of this game: ask `legal` first."""
        seat = move >> 9
        code = move & 511
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
            slot = (code - BEAT_CODE) // 36
            card = code - BEAT_CODE - 36 * slot
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

    def leave(self, seat: int) -> None:
        """An active seat leaves (RULES 1.22); the game may end at once."""
        if not self.hands[seat] and self.stock_top == len(self.stock):
            self.excused |= SEAT_BIT[seat]
            return
        self.left_order[seat] = SEATS_IN[self.left]
        self.left |= SEAT_BIT[seat]
        if SEATS_IN[self.active & ~self.left] <= 1:
            self.phase = OVER

    def next_active(self, seat: int) -> int:
        """The next active seat clockwise."""
        seat = (seat + 1) % self.players
        while not self.active & SEAT_BIT[seat]:
            seat = (seat + 1) % self.players
        return seat

    def end_bout(self) -> None:
        """Clear the table, draw, let seats go out, and begin the next bout or end the game (RULES 1.17-1.21, 1.24)."""
        attacker = self.attacker
        defender = self.defender
        attacks = self.attacks
        taken = self.taking
        fresh = not taken  # a card has left the hands for good, so no earlier position can come again
        if taken:
            self.hands[defender] |= self.table_cards
        else:
            self.discard |= self.table_cards
        self.attacks = 0
        self.open_cards = 0
        self.ranks = 0
        self.table_cards = 0
        self.taking = False
        self.passed = 0

        stock_size = len(self.stock)
        before = self.stock_top
        if before < stock_size:
            seat = attacker
            for _ in range(self.players):
                if seat != defender and self.active & SEAT_BIT[seat]:
                    self.draw(seat)
                seat = (seat + 1) % self.players
            self.draw(defender)
            fresh = fresh or before != self.stock_top
        if self.stock_top == stock_size:
            gone = 0
            for seat in range(self.players):
                if self.active & SEAT_BIT[seat] and not self.hands[seat]:
                    gone |= SEAT_BIT[seat]
                    self.out_rank[seat] = self.out_groups
            if gone:
                self.active &= ~gone
                self.out_groups += 1
                fresh = True
            if SEATS_IN[self.active & ~self.left] <= 1:
                self.double_six = self.ends_with_two_sixes(attacks)
                self.phase = OVER
                return
        if taken or not self.active & SEAT_BIT[defender]:
            self.attacker = self.next_active(defender)
        else:
            self.attacker = defender
        if fresh:
            self.history.clear()
        self.begin_bout()

    def draw(self, seat: int) -> None:
        """Draw back up to six from the stock (RULES 1.18)."""
        missing = HAND_SIZE - self.hands[seat].bit_count()
        stock_size = len(self.stock)
        while missing > 0 and self.stock_top < stock_size:
            self.hands[seat] |= BIT[self.stock[self.stock_top]]
            self.stock_top += 1
            missing -= 1

    def begin_bout(self) -> None:
        """Begin a bout led by `attacker`, unless the position comes for the third time (RULES 1.7, 1.24)."""
        self.defender = self.next_active(self.attacker)
        self.bout += 1
        self.epoch += 1
        self.phase = LEAD
        limit = self.hands[self.defender].bit_count()
        if self.bout == 1 and limit > self.limit_first_bout:
            limit = self.limit_first_bout
        self.limit = limit if limit < HAND_SIZE else HAND_SIZE
        if self.history and self.seen_before() >= 2:
            self.repeated = True
            self.phase = OVER
        else:
            for seat in range(self.players):
                self.history.append(self.hands[seat])
            self.history.append(self.attacker)

    def seen_before(self) -> int:
        """How often a bout has begun with these hands and this attacker; the stock is the same, or history would be empty."""
        players = self.players
        times = 0
        at = 0
        while at < len(self.history):
            same = self.history[at + players] == self.attacker
            seat = 0
            while same and seat < players:
                same = self.history[at + seat] == self.hands[seat]
                seat += 1
            if same:
                times += 1
            at += players + 1
        return times

    def ends_with_two_sixes(self, attacks: int) -> bool:
        """True if the main attacker's last two cards of the bout with so many attack cards are sixes (RULES 3.7)."""
        sixes = 0
        for slot in range(attacks - 1, -1, -1):
            if self.attack_by[slot] == self.attacker:
                if self.attack_cards[slot] % 9:
                    return False
                sixes += 1
                if sixes == 2:
                    return True
        return False
