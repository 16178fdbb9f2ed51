"""Positions, and who became the durak: what the value network learns from. Compiled where a compiler was there."""

from durak.bots.knowing.public import Public
from durak.bots.search.chance import Chance
from durak.bots.search.playout import deal_randomly
from durak.bots.search.policy import Player, Policy
from durak.bots.search.position import Position
from durak.bots.search.value import FEATURES_AT_ONCE, describe
from durak.protocol.rules.bits import BIT, SEAT_BIT
from durak.protocol.rules.flat import i64, vec
from durak.protocol.rules.kernel import Kernel
from durak.protocol.rules.layout import PACK_SIZE


def lessons(rules: Kernel, policy: Policy, games: i64, seed: i64, whims: i64) -> list[list[int]]:
    """One beginning of a bout from each game: the durak (-1: a draw), the seats that are in the game (a set), features (value.py).

    Seats are counted from the leader on. The same seed gives the same games.
    """
    players = rules.players
    position = Position(rules.copy(), Public())
    chosen = rules.copy()
    chance = Chance(seed)
    player = Player(chance, whims)
    policies = [policy] * int(players)
    described = vec[i64]([0] * int(FEATURES_AT_ONCE))
    learned: list[list[int]] = []
    for _ in range(games):
        position.kernel.assign(rules)
        deal_randomly(position.kernel, chance)
        stock = position.kernel.stock
        position.begin(BIT[stock[PACK_SIZE - 1]] if position.kernel.stock_top == PACK_SIZE else 0)
        seen: i64 = 0
        while True:
            seen += 1
            if chance.below(seen) == 0:
                chosen.assign(position.kernel)
            if player.advance(position, policies, 0):
                break
        durak = position.durak()
        row: list[int] = [-1 if durak < 0 else int((durak - chosen.attacker + players) % players)]
        seats: i64 = 0
        for seat in range(players):
            if chosen.active & SEAT_BIT[seat]:
                seats |= SEAT_BIT[(seat - chosen.attacker + players) % players]
        row.append(int(seats))
        number = describe(chosen, described)
        for place in range(number):
            row.append(int(described[place]))
        learned.append(row)
    return learned
