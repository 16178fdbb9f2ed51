"""Ways to play that need no search: the yardsticks and Normal, as moves of the kernel. Compiled where a compiler was there.

They decide as the bots of the same names do (yardsticks.py, normal.py), which tests compare.
"""

from typing import Final

from durak.bots.knowing.sight import Sight
from durak.bots.search.chance import Chance
from durak.bots.search.position import Position
from durak.bots.search.weighing import Weights, beat, lead, throw
from durak.protocol.rules.bits import BIT, SEAT_BIT, SEATS_IN, TRUMPS, index
from durak.protocol.rules.flat import i64, vec
from durak.protocol.rules.kernel import Kernel
from durak.protocol.rules.layout import (
    BEAT_CODE,
    FINISH_CODE,
    MOVES,
    PACK_SIZE,
    PASS_CODE,
    RANK_IN_ALL_SUITS,
    SEAT_SHIFT,
    SUIT_SIZE,
    TAKE_CODE,
    THROW_CODE,
)
from durak.protocol.rules.state import DECIDE, LEAD, OVER

WAIT: Final[i64] = -1

RANDOM: Final[i64] = 0
GREEDY: Final[i64] = 1
CHEAP: Final[i64] = 2
NORMAL: Final[i64] = 3


class Policy:
    """One of the ways, and Normal's weights while stock remains and afterwards."""

    __slots__ = ("kind", "none", "some")

    def __init__(self, kind: i64, some: Weights, none: Weights) -> None:
        self.kind: i64 = kind
        self.some: Weights = some
        self.none: Weights = none


class Player:
    """Plays positions; keeps the room that this takes."""

    __slots__ = ("chance", "moves", "sight", "whims")

    def __init__(self, chance: Chance, whims: i64 = 0) -> None:
        self.chance: Chance = chance
        self.whims: i64 = whims  # in 1024: how often any move is made instead of the policy's
        self.sight: Sight = Sight()
        self.moves: vec[i64] = vec[i64]([0] * MOVES)

    def play(self, position: Position, policies: list[Policy], waiting: i64 = 0) -> i64:
        """Play to the end, one policy per seat; who acts next is drawn, of the `waiting` nobody. The durak, or -1 for a draw."""
        while not self.advance(position, policies, waiting):
            waiting = 0
        return position.durak()

    def advance(self, position: Position, policies: list[Policy], waiting: i64) -> bool:
        """Play until the next bout begins. True if the game is over."""
        kernel = position.kernel
        bout = kernel.bout
        while True:
            while kernel.quiet():
                position.close(True)
            if kernel.phase == OVER:
                return True
            if kernel.bout != bout:
                return False
            able = position.able() & ~waiting
            if not able:
                position.close(False)
                waiting = 0
                continue
            skipped = self.chance.below(SEATS_IN[able])
            while skipped:
                able &= able - 1
                skipped -= 1
            seat = index(able & -able)
            move = self.decide(position, seat, policies[seat])
            if move < 0:
                waiting |= SEAT_BIT[seat]
            else:
                position.apply(move)
                waiting = 0

    def decide(self, position: Position, seat: i64, policy: Policy) -> i64:
        """The move of a seat that is able to act, or WAIT."""
        kernel = position.kernel
        kind = policy.kind
        if kernel.phase == DECIDE:
            return seat << SEAT_SHIFT | FINISH_CODE
        if kind == RANDOM or (self.whims and self.chance.below(1024) < self.whims):
            return self.any_move(kernel, seat)
        if kind == NORMAL:
            position.look(seat, self.sight)
            weights = policy.some if kernel.stock_top < len(kernel.stock) else policy.none
            if kernel.phase == LEAD:
                return seat << SEAT_SHIFT | lead(self.sight, weights)
            if seat == kernel.defender:
                choice = beat(self.sight, weights)
                return seat << SEAT_SHIFT | (TAKE_CODE if choice < 0 else BEAT_CODE + choice)
            card = throw(self.sight, weights)
            return add_nothing(kernel, seat) if card < 0 or not kernel.throwable(seat) else seat << SEAT_SHIFT | THROW_CODE + card
        if kernel.phase == LEAD:
            return seat << SEAT_SHIFT | lowest(kernel.hands[seat], kernel.trump)
        if seat == kernel.defender:
            return beat_lowest(kernel)
        cards = kernel.throwable(seat)
        if kind == CHEAP and kernel.stock_top < len(kernel.stock):
            cards &= ~TRUMPS[kernel.trump]
        return seat << SEAT_SHIFT | THROW_CODE + lowest(cards, kernel.trump) if cards else add_nothing(kernel, seat)

    def any_move(self, kernel: Kernel, seat: i64) -> i64:
        """Any of the seat's legal moves."""
        able = kernel.legal(self.moves)
        own: i64 = 0
        for place in range(able):
            if self.moves[place] >> SEAT_SHIFT == seat:
                self.moves[own] = self.moves[place]
                own += 1
        return self.moves[self.chance.below(own)]


def add_nothing(kernel: Kernel, seat: i64) -> i64:
    """Pass once all is beaten or taken; wait while the defender has to answer."""
    if not kernel.taking and kernel.open_cards:
        return WAIT
    return seat << SEAT_SHIFT | PASS_CODE if kernel.may_pass(seat) else WAIT


def lowest(cards: i64, trump: i64) -> i64:
    """The card given away first: by rank, trumps last; of equal ranks the first suit."""
    plain = cards & ~TRUMPS[trump]
    if not plain:
        return index(cards & -cards)
    rank: i64 = 0
    while not plain & RANK_IN_ALL_SUITS:
        plain >>= 1
        rank += 1
    plain &= RANK_IN_ALL_SUITS
    return index(plain & -plain) + rank


def beat_lowest(kernel: Kernel) -> i64:
    """Beat the open card that the lowest card beats, if all can be beaten; otherwise take."""
    base = kernel.defender << SEAT_SHIFT
    best: i64 = -1
    best_cost: i64 = 99
    for slot in range(kernel.attacks):
        if kernel.beat_cards[slot] < 0:
            cards = kernel.beating(slot)
            if not cards:
                return base | TAKE_CODE
            card = lowest(cards, kernel.trump)
            cost = card % SUIT_SIZE
            if BIT[card] & TRUMPS[kernel.trump]:
                cost += SUIT_SIZE
            if cost < best_cost:
                best_cost = cost
                best = BEAT_CODE + PACK_SIZE * slot + card
    return base | best
