"""How a searching bot thinks: Hard, its yardsticks and its ablations differ in this."""

from dataclasses import dataclass
from typing import Final

from durak.bots.search.chance import Chance
from durak.bots.search.endgame import Endgame
from durak.bots.search.policy import NORMAL
from durak.bots.search.position import Position
from durak.bots.search.worlds import Worlds
from durak.bots.sight import Sight
from durak.bots.value import network_for
from durak.bots.weights import policy_for

SOLVER_BITS: Final = 14
"""Of the table that all playouts of a thought share."""


@dataclass(frozen=True, slots=True)
class Thinking:
    """`playouts`: the kind of policy that plays on (search/policy.py); `whims`: in 1024, how often it makes any move instead.

    `bouts`: after so many the value network judges; 0: games are played out. `solved_cards`: endings of two up to this size are
    solved in playouts. `solves`: endings at hand are played exactly. `tree`: a tree is searched; otherwise moves are compared flat.
    """

    playouts: int = NORMAL
    whims: int = 30
    bouts: int = 4
    solved_cards: int = 9
    solves: bool = True
    tree: bool = True

    def worlds(self, position: Position, sight: Sight, chance: Chance) -> Worlds:
        """The games as they may go on from what this seat sees."""
        kernel = position.kernel
        players = kernel.players
        policies = [policy_for(players, self.playouts)] * players
        solver = Endgame(kernel.trump, kernel.after_take, kernel.forfeit_defence, SOLVER_BITS)
        worlds = Worlds(position, sight, policies, chance, self.whims, self.solved_cards, solver)
        if self.bouts:
            worlds.judge(network_for(players), self.bouts)
        return worlds


HARD: Final = Thinking()
