"""Many games of policies, dealt from a seed: for tuning and for measuring. Compiled where a compiler was there."""

from durak.bots.knowing.public import Public
from durak.bots.search.chance import Chance
from durak.bots.search.playout import deal_randomly
from durak.bots.search.policy import Player, Policy
from durak.bots.search.position import Position
from durak.protocol.rules.bits import BIT
from durak.protocol.rules.flat import i64
from durak.protocol.rules.kernel import Kernel
from durak.protocol.rules.layout import PACK_SIZE


def share_not_durak(rules: Kernel, one: Policy, others: Policy, deals: i64, seed: i64) -> float:
    """The score of one policy against the others on so many deals, played with it in every seat.

    `rules` is an empty game. A game counts 1 if the policy is not the durak, 0 if it is, and as much as is fair in a draw. The same
    seed gives the same deals, and for the same policies the same games.
    """
    players = rules.players
    fair = 1.0 - 1.0 / float(players)
    dealt = Position(rules.copy(), Public())
    position = Position(rules.copy(), Public())
    player = Player(Chance(0))
    total = 0.0
    for deal in range(deals):
        chance = Chance(seed * 0x10000000 + deal)
        dealt.kernel.assign(rules)
        deal_randomly(dealt.kernel, chance)
        stock = dealt.kernel.stock
        dealt.begin(BIT[stock[PACK_SIZE - 1]] if dealt.kernel.stock_top == PACK_SIZE else 0)
        order = chance.state
        for own in range(players):
            policies = [others] * int(players)
            policies[own] = one
            position.assign(dealt)
            player.chance = Chance(order)
            durak = player.play(position, policies)
            if durak < 0:
                total += fair
            elif durak != own:
                total += 1.0
    return total / float(deals * players)
