"""Random games of the kernel: uniform over all legal (seat, action) pairs, a bout closed as soon as nobody is waited for."""

from durak.bots.search.chance import Chance
from durak.protocol.rules.bits import BIT, TRUMPS
from durak.protocol.rules.flat import i64, vec
from durak.protocol.rules.kernel import Kernel
from durak.protocol.rules.layout import HAND_SIZE, MOVES, PACK_SIZE, SUIT_SIZE
from durak.protocol.rules.state import OVER


def play_randomly(kernel: Kernel, chance: Chance, moves: vec[i64]) -> i64:
    """Play a game to its end; the number of actions. `moves` is room to work in."""
    actions: i64 = 0
    while kernel.phase != OVER:
        kernel.apply(moves[chance.below(kernel.legal(moves))])
        actions += 1
        while kernel.quiet():
            kernel.close()
    return actions


def deal_randomly(kernel: Kernel, chance: Chance) -> None:
    """Deal a shuffled pack to a new game, whose lowest trump begins (RULES 1.1-1.4)."""
    pack = vec[i64](list(range(PACK_SIZE)))
    chance.shuffle(pack)
    dealt: i64 = 0
    for _ in range(HAND_SIZE):
        for seat in range(kernel.players):
            kernel.hands[seat] |= BIT[pack[dealt]]
            dealt += 1
    kernel.stock = pack
    kernel.stock_top = dealt
    kernel.trump = pack[PACK_SIZE - 1] // SUIT_SIZE
    trumps = TRUMPS[kernel.trump]
    lowest = trumps + 1
    for seat in range(kernel.players):
        held = kernel.hands[seat] & trumps
        if held and held & -held < lowest:
            lowest = held & -held
            kernel.attacker = seat
    kernel.begin_bout()


def random_games(games: i64, start: Kernel, chance: Chance) -> i64:
    """Deal and play so many games by the rules of an empty kernel; the number of actions."""
    moves = vec[i64]([0] * MOVES)
    kernel = start.copy()
    actions: i64 = 0
    for _ in range(games):
        kernel.assign(start)
        deal_randomly(kernel, chance)
        actions += play_randomly(kernel, chance, moves)
    return actions
