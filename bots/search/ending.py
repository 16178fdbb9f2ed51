"""The exact result of any position of two or three players whose cards are all known. Compiled where a compiler was there.

What the solvers of bouts (endgame.py, alone.py) do not know, positions with several open cards or with a pass that binds, is tried
out here.
"""

from durak.bots.knowing.sight import Sight
from durak.bots.search.alone import ATTACKS, DEFENDS, THIRD, Alone
from durak.bots.search.endgame import DRAWN, LOST, MOST_STOCK, WON, Endgame
from durak.protocol.rules.bits import BIT, SEAT_BIT, SEATS_IN, count, index
from durak.protocol.rules.flat import i64, vec
from durak.protocol.rules.kernel import Kernel
from durak.protocol.rules.layout import BEAT_CODE, CODE_MASK, HAND_SIZE, MOST_PLAYERS, MOVES, RANK_IN_ALL_SUITS, SEAT_SHIFT
from durak.protocol.rules.state import AFTER_TAKE_WINDOW, BOUT, DECIDE, LEAD, OVER, THROW_IN_ATTACKER


def endgame_for(kernel: Kernel, bits: i64) -> Endgame:
    """A solver for two seats by this game's rules and trump, whose table has 2**`bits` places."""
    return Endgame(kernel.trump, kernel.after_take, kernel.forfeit_defence, bits)


def alone_for(kernel: Kernel, bits: i64) -> Alone:
    """A solver for three seats by this game's rules and trump, whose table has 2**`bits` places."""
    third_adds = kernel.throw_in != THROW_IN_ATTACKER
    return Alone(kernel.trump, kernel.after_take, kernel.forfeit_defence, third_adds, bits)


def is_ending(kernel: Kernel) -> bool:
    """True if two seats are left, nobody has left the table, and the stock is empty."""
    return not kernel.left and kernel.stock_top == len(kernel.stock) and SEATS_IN[kernel.active] == 2


def is_known_ending(kernel: Kernel) -> bool:
    """True for an ending, and if there is a stock that is short enough to be played out card by card."""
    return not kernel.left and len(kernel.stock) - kernel.stock_top <= MOST_STOCK and SEATS_IN[kernel.active] == 2


def complete(kernel: Kernel, sight: Sight) -> bool:
    """Put the hidden cards into the hands and the stock if they can lie in one way only; False, and nothing is done, if not.

    `kernel` is the position as the seat of this sight sees it: the stock has its length. So an open trump card under the stock, and
    nothing above it, tells two players each other's hand. After a snapshot some discards are unknown, and so is everything.
    """
    stock: i64 = len(kernel.stock) - kernel.stock_top
    covered: i64 = stock - 1 if sight.bottom else stock
    hiding: i64 = 0
    holder: i64 = -1
    for seat in range(kernel.players):
        if seat != sight.me and sight.counts[seat] > count(sight.known[seat]):
            hiding += sight.counts[seat] - count(sight.known[seat])
            holder = seat if holder < 0 else MOST_PLAYERS
    size = count(sight.pool)
    if hiding + covered != size or holder == MOST_PLAYERS or covered > 1 or (covered and hiding):
        return False
    for seat in range(kernel.players):
        if seat != sight.me:
            kernel.hands[seat] = sight.known[seat]
    if hiding:
        kernel.hands[holder] |= sight.pool
    cards = vec[i64]([0] * int(stock))
    if covered:
        cards[0] = index(sight.pool)
    if sight.bottom:
        cards[stock - 1] = index(sight.bottom)
    kernel.stock = cards
    kernel.stock_top = 0
    return True


def result_for(kernel: Kernel, seat: i64, solver: Endgame) -> i64:
    """The result of a known ending for one of its two seats; while a card is open the defender acts.

    Look at `solver.stopped` before believing it. The game's earlier bouts play no part: an ending of two never comes back.
    """
    while kernel.quiet():
        kernel.close()
    if kernel.phase == OVER:
        if kernel.repeated or not kernel.active:
            return 0
        return -1 if kernel.active & SEAT_BIT[seat] else 1
    attacker = kernel.attacker
    defender = kernel.defender
    sign: i64 = 1 if attacker == seat else -1
    if solver.stopped or solver.nodes >= solver.budget:
        solver.stopped = True
        return 0
    mine = kernel.hands[attacker]
    theirs = kernel.hands[defender]
    lying = kernel.table_cards
    solver.lay(kernel.stock, kernel.stock_top)
    usual = count(theirs)
    if kernel.phase == LEAD and kernel.limit == (usual if usual < HAND_SIZE else HAND_SIZE):
        return sign * solver.bout(mine, theirs, -1, 1)
    if kernel.phase == BOUT and not kernel.passed:
        if kernel.taking:
            matching = mine & kernel.ranks * RANK_IN_ALL_SUITS if kernel.after_take == AFTER_TAKE_WINDOW else i64(0)
            return sign * solver.give(mine, theirs | lying, matching, kernel.limit - kernel.attacks, -1, 1)
        if not kernel.open_cards:
            return sign * solver.attack(mine, theirs, lying, kernel.attacks, kernel.limit, -1, 1)
    if kernel.phase == BOUT and kernel.open_cards == 1 and not kernel.taking and not kernel.passed:
        for slot in range(kernel.attacks):
            if kernel.beat_cards[slot] < 0:
                card = kernel.attack_cards[slot]
                return sign * solver.defend(mine, theirs, lying, card, kernel.attacks, kernel.limit, -1, 1)
    solver.nodes += 1
    moves = vec[i64]([0] * MOVES)
    able = kernel.legal(moves)
    actor = attacker
    if kernel.phase == DECIDE or (kernel.open_cards and not kernel.taking):
        actor = defender
    best: i64 = -2 if actor == seat else 2
    child = kernel.copy()
    for place in range(able):
        move = moves[place]
        if move >> SEAT_SHIFT == actor:
            child.assign(kernel)
            child.apply(move)
            result = result_for(child, seat, solver)
            if actor == seat:
                best = result if result > best else best
            else:
                best = result if result < best else best
    return best


def is_known_trio(kernel: Kernel) -> bool:
    """True for an ending of three that `forced_for` can solve: an empty stock, nobody has left, and no race without an order."""
    if kernel.left or kernel.stock_top < len(kernel.stock) or SEATS_IN[kernel.active] != 3:
        return False
    return kernel.after_take == AFTER_TAKE_WINDOW or not kernel.throw_any_time


def forced_for(kernel: Kernel, seat: i64, solver: Alone) -> i64:
    """What this seat can force against both others: WON, DRAWN or LOST (alone.py); all that it takes to be WON is to go out.

    Look at `solver.stopped` before believing it. `recall` tells the solver of earlier bouts.
    """
    for wanted in range(WON, DRAWN - 1, -1):
        if forces(wanted, kernel, seat, solver):
            return wanted
    return LOST


def forces(wanted: i64, kernel: Kernel, seat: i64, solver: Alone) -> bool:
    """Whether this seat can force at least so much, WON or DRAWN, against both others. Look at `solver.stopped`."""
    while True:
        solver.begin(wanted)
        try:
            result = can_force(kernel.copy(), seat, solver)
        except RecursionError:  # interpreted, and the caller's own calls were many
            solver.stopped = True
            return False
        if not solver.again(result):
            return result


def can_force(kernel: Kernel, seat: i64, solver: Alone) -> bool:
    """The answer to the solver's question for any position of the game: `kernel` is used up. See `forced_for`."""
    while kernel.quiet():
        kernel.close()
    if kernel.repeated:
        return solver.wanted == DRAWN
    if not kernel.active & SEAT_BIT[seat]:
        return solver.wanted == DRAWN or kernel.active != 0
    if kernel.phase == OVER:
        return False
    solver.visited += 1
    if solver.stopped or solver.nodes() >= solver.budget:
        solver.stopped = True
        return False
    if SEATS_IN[kernel.active] == 2:
        solver.pair.budget = solver.budget - solver.visited
        result = result_for(kernel, seat, solver.pair)
        solver.stopped = solver.pair.stopped
        return result >= solver.wanted
    attacker = kernel.attacker
    defender = kernel.defender
    third = kernel.next_active(defender)
    role = ATTACKS if seat == attacker else DEFENDS if seat == defender else THIRD
    first = kernel.hands[attacker]
    second = kernel.hands[defender]
    other = kernel.hands[third]
    lying = kernel.table_cards
    places = kernel.limit - kernel.attacks
    answers = kernel.open_cards > 0 and not kernel.taking
    usual = count(second)
    if kernel.phase == LEAD and kernel.limit == (usual if usual < HAND_SIZE else HAND_SIZE):
        if solver.recalled:  # this bout may have come twice, and yet it has begun
            return solver.led(first, second, other, role)
        return solver.bout(first, second, other, role)
    if kernel.phase == BOUT and not kernel.passed:
        if kernel.taking:
            ranks = kernel.ranks * RANK_IN_ALL_SUITS if kernel.after_take == AFTER_TAKE_WINDOW else i64(0)
            return solver.give(first, second | lying, other, ranks, 0, places, role)
        if not kernel.open_cards:
            return solver.attack(first, second, other, lying, places, role)
        if kernel.open_cards == 1:
            for slot in range(kernel.attacks):
                if kernel.beat_cards[slot] < 0:
                    return solver.defend(first, second, other, lying, kernel.attack_cards[slot], places, role)
    adding = kernel.phase == BOUT and not answers
    moves = vec[i64]([0] * MOVES)
    able = kernel.legal(moves)
    child = kernel.copy()
    for turn in range(2):  # the others first
        mine = turn == 1
        for place in range(able):
            move = moves[place]
            mover = move >> SEAT_SHIFT
            wanted = move & CODE_MASK < BEAT_CODE if adding else mover == (defender if kernel.phase != LEAD else attacker)
            if wanted and (mover == seat) == mine:
                child.assign(kernel)
                child.apply(move)
                if can_force(child, seat, solver) == mine or solver.stopped:
                    return mine
    if adding:
        child.assign(kernel)
        child.close()
        return can_force(child, seat, solver)
    return seat != (defender if kernel.phase != LEAD else attacker)


def recall(kernel: Kernel, seat: i64, solver: Alone, times: i64) -> None:
    """Let bouts that have begun so often, the one that runs included, count as a draw when they come again (RULES 1.24: two)."""
    width = kernel.players + 1
    known: i64 = len(kernel.history)
    begun = vec[i64]([0] * int(known + width))
    for place in range(known):
        begun[place] = kernel.history[place]
    for other in range(kernel.players):
        begun[known + other] = kernel.hands[other]
    for slot in range(kernel.attacks):
        begun[known + kernel.attack_by[slot]] |= BIT[kernel.attack_cards[slot]]
        if kernel.beat_cards[slot] >= 0:
            begun[known + kernel.defender] |= BIT[kernel.beat_cards[slot]]
    begun[known + kernel.players] = kernel.attacker
    at: i64 = 0
    while at <= known:
        same: i64 = 0
        earlier: i64 = 0
        while earlier <= known:
            equal = True
            for place in range(width):
                equal = equal and begun[at + place] == begun[earlier + place]
            if equal:
                same += 1
            earlier += width
        if same >= times:
            attacker = begun[at + kernel.players]
            defender = kernel.next_active(attacker)
            third = kernel.next_active(defender)
            role = ATTACKS if seat == attacker else DEFENDS if seat == defender else THIRD
            solver.draws(begun[at + attacker], begun[at + defender], begun[at + third], role)
        at += width
