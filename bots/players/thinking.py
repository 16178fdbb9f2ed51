"""How a searching bot thinks: Hard, its yardsticks and its ablations differ in this."""

from dataclasses import dataclass
from typing import Final

from durak.bots.knowing.memory import Memory
from durak.bots.knowing.sight import Sight
from durak.bots.players.history import belief_of
from durak.bots.players.value import network_for
from durak.bots.players.weights import policy_for
from durak.bots.search.chance import Chance
from durak.bots.search.ending import endgame_for
from durak.bots.search.flat import FlatSearch
from durak.bots.search.policy import NORMAL
from durak.bots.search.position import Position
from durak.bots.search.tree import TreeSearch
from durak.bots.search.worlds import Worlds

ROOM: Final = 32_768
"""Nodes of a tree."""
BOLD: Final = 1.0
PRIOR: Final = 0.3
"""How a tree tries its moves (search/tree.py)."""
JUDGED_OF_TWO: Final = (4, 1)
JUDGED: Final = (2, 0)
"""After how many bouts the network judges a playout, and how much stock must remain for it: with the least loss (STRENGTH.md)."""
SOLVER_BITS: Final = 14
"""Of the table that all playouts of a thought share."""


@dataclass(frozen=True, slots=True)
class Thinking:
    """`playouts`: the kind of policy that plays on (search/policy.py); `whims`: in 1024, how often it makes any move instead.

    `infers`: hidden cards are dealt as the others' decisions suggest (search/belief.py). `judges`: the value network judges after
    some bouts; otherwise games are played out. `solved_cards`: endings of two up to this size are solved in playouts. `solves`:
    endings at hand are played exactly. `tree`: a tree is searched; otherwise moves are compared flat. `others_choose`: in a tree,
    others look for their best moves too, unless they are believed to play as Normal; otherwise all answer as Normal.
    """

    playouts: int = NORMAL
    whims: int = 30
    judges: bool = True
    infers: bool = True
    others_choose: bool = True
    solved_cards: int = 9
    solves: bool = True
    tree: bool = True

    def worlds(self, position: Position, sight: Sight, memory: Memory, chance: Chance) -> Worlds:
        """The games as they may go on from what this seat sees and remembers."""
        kernel = position.kernel
        players = kernel.players
        policies = [policy_for(players, self.playouts)] * players
        solver = endgame_for(kernel, SOLVER_BITS)
        worlds = Worlds(position, sight, policies, chance, self.whims, self.solved_cards, solver)
        if not self.others_choose:
            worlds.follow_policies()
        if self.judges:
            bouts, stock = JUDGED_OF_TWO if players == 2 else JUDGED
            worlds.judge(network_for(players), bouts, stock)
        if self.infers and (belief := belief_of(memory, kernel.players, sight, chance)) is not None:
            worlds.believe(belief)
        return worlds

    def search(self, worlds: Worlds, moves: list[int]) -> FlatSearch:
        """A search that compares these moves."""
        return TreeSearch(worlds, moves, ROOM, BOLD, PRIOR) if self.tree else FlatSearch(worlds, moves)


HARD: Final = Thinking()
