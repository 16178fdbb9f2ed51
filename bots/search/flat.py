"""Flat search: deal the hidden cards many times, try each move, and let Normal play on. Compiled where a compiler was there."""

from typing import Final

from durak.bots.public import Public
from durak.bots.search.chance import Chance
from durak.bots.search.endgame import Endgame
from durak.bots.search.ending import is_ending, result_for
from durak.bots.search.policy import Player, Policy
from durak.bots.search.position import Position
from durak.bots.search.sampling import Sampler
from durak.bots.sight import Sight
from durak.protocol.rules.bits import SEAT_BIT, count
from durak.protocol.rules.flat import i64, vec
from durak.protocol.rules.kernel import Kernel

WHIMS: Final[i64] = 100
"""In 1024: how often a playout makes any move."""
SOLVED_CARDS: Final[i64] = 9
"""Endings with so many cards or fewer are solved in a playout instead of played."""
SOLVER_BITS: Final[i64] = 14
SOLVER_NODES: Final[i64] = 20_000


class FlatSearch:
    """Compares the moves of one seat in a position as this seat sees it; its own choice to wait is -1.

    `sums` and `times`, one entry per move: scores of the playouts so far, and their number. A game counts 1 if the seat is not the
    durak, 0 if it is, and what is fair in a draw.
    """

    __slots__ = (
        *("alive", "chance", "dealt", "drawn", "moves", "player", "policies", "root"),
        *("sampler", "seat", "sight", "solver", "sums", "times", "world"),
    )

    def __init__(self, root: Position, seat: i64, sight: Sight, moves: list[int], policies: list[Policy], chance: Chance) -> None:
        kernel = root.kernel
        self.root: Position = root
        self.drawn: float = 1.0 - 1.0 / float(kernel.players)
        self.seat: i64 = seat
        self.sight: Sight = sight
        self.moves: vec[i64] = vec[i64](moves)
        self.policies: list[Policy] = policies
        self.chance: Chance = chance
        self.player: Player = Player(chance, WHIMS)
        self.sampler: Sampler = Sampler()
        self.dealt: Position = Position(Kernel(kernel.players), Public())
        self.world: Position = Position(Kernel(kernel.players), Public())
        self.solver: Endgame = Endgame(kernel.trump, kernel.after_take, kernel.forfeit_defence, SOLVER_BITS)
        self.alive: vec[i64] = vec[i64]([1] * len(moves))
        self.sums: list[float] = [0.0] * len(moves)
        self.times: vec[i64] = vec[i64]([0] * len(moves))

    def try_all(self, deals: i64) -> i64:
        """Play every move that is alive on so many deals of the hidden cards; the number of playouts."""
        number: i64 = len(self.moves)
        playouts: i64 = 0
        for _ in range(deals):
            tries: i64 = 0
            while not self.sampler.draw(self.sight, self.chance):
                tries += 1
                if tries > 1000:
                    return playouts
            self.dealt.assign(self.root)
            kernel = self.dealt.kernel
            for seat in range(kernel.players):
                kernel.hands[seat] = self.sampler.hands[seat]
            kernel.stock = self.sampler.stock
            kernel.stock_top = 0
            for place in range(number):
                if self.alive[place]:
                    self.world.assign(self.dealt)
                    self.sums[place] += self.playout(self.moves[place])
                    self.times[place] += 1
                    playouts += 1
        return playouts

    def playout(self, move: i64) -> float:
        """The score of one game from here."""
        world = self.world
        kernel = world.kernel
        waiting: i64 = 0
        if move < 0:
            waiting = SEAT_BIT[self.seat]
        else:
            world.apply(move)
        over = False
        while not over:
            over = self.player.advance(world, self.policies, waiting)
            waiting = 0
            if over:
                break
            if not kernel.active & SEAT_BIT[self.seat]:
                return 1.0  # it is out, and somebody else will be the durak, or the last to go out
            if is_ending(kernel):
                cards = count(kernel.hands[kernel.attacker]) + count(kernel.hands[kernel.defender])
                if cards <= SOLVED_CARDS:
                    self.solver.nodes = 0
                    self.solver.budget = SOLVER_NODES
                    self.solver.stopped = False
                    result = result_for(kernel, self.seat, self.solver)
                    if not self.solver.stopped:
                        return 0.5 + 0.5 * float(result) if result else self.drawn
        durak = world.durak()
        if durak < 0:
            return self.drawn
        return 0.0 if durak == self.seat else 1.0

    def halve(self) -> None:
        """Give up the worse half of the moves that are alive."""
        left: i64 = 0
        for place in range(i64(len(self.moves))):
            left += self.alive[place]
        for _ in range(left // 2):
            worst: i64 = -1
            for place in range(i64(len(self.moves))):
                if self.alive[place] and (worst < 0 or self.mean(place) < self.mean(worst)):
                    worst = place
            self.alive[worst] = 0

    def mean(self, place: i64) -> float:
        """The mean score of a move."""
        return self.sums[place] / float(self.times[place]) if self.times[place] else 0.0
