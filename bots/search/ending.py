"""The exact result of any position of two players with an empty stock. Compiled where a compiler was there.

What the solver of bouts (endgame.py) does not know, positions with several open cards or with a pass that binds, is tried out here.
"""

from durak.bots.search.endgame import Endgame
from durak.protocol.rules.bits import RANK_IN_ALL_SUITS, SEAT_BIT, SEATS_IN
from durak.protocol.rules.flat import i64, vec
from durak.protocol.rules.kernel import AFTER_TAKE_WINDOW, BOUT, LEAD, OVER, Kernel
from durak.protocol.rules.moves import MOVES


def is_ending(kernel: Kernel) -> bool:
    """True if two seats are left, nobody has left the table, and the stock is empty."""
    return not kernel.left and kernel.stock_top == len(kernel.stock) and SEATS_IN[kernel.active] == 2


def result_for(kernel: Kernel, seat: i64, solver: Endgame) -> i64:
    """The result of an ending for one of its two seats; while a card is open the defender acts.

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
    if kernel.phase == LEAD:
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
    moves = vec[i64]([0] * MOVES)
    able = kernel.legal(moves)
    actor = attacker
    if kernel.phase != BOUT or (kernel.open_cards and not kernel.taking):
        actor = defender
    best: i64 = -2 if actor == seat else 2
    child = kernel.copy()
    for place in range(able):
        move = moves[place]
        if move >> 9 == actor:
            child.assign(kernel)
            child.apply(move)
            result = result_for(child, seat, solver)
            if actor == seat:
                best = result if result > best else best
            else:
                best = result if result < best else best
    return best
