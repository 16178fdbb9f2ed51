"""Games as they may go on from what one seat sees: deals of the hidden cards, played on. Compiled where a compiler was there."""

from typing import Final

from durak.bots.knowing.public import Public
from durak.bots.knowing.sight import Sight
from durak.bots.search.belief import Belief
from durak.bots.search.chance import Chance
from durak.bots.search.endgame import Endgame
from durak.bots.search.ending import is_ending, result_for
from durak.bots.search.policy import Player, Policy
from durak.bots.search.position import Position
from durak.bots.search.sampling import Sampler
from durak.bots.search.value import Value
from durak.protocol.rules.bits import SEAT_BIT, SEATS_IN, count
from durak.protocol.rules.flat import i64, vec
from durak.protocol.rules.kernel import Kernel
from durak.protocol.rules.layout import MOST_PLAYERS

WHOLE: Final[i64] = 61_440
"""What not being the durak counts: a draw, 1 - 1/players of it, is a whole number too."""
SOLVER_NODES: Final[i64] = 20_000
FIRST_STEPS: Final[i64] = 1000
STEPS: Final[i64] = 20
"""Exchanges of a belief before the first deal, and between two deals."""
TRIES: Final[i64] = 1000
"""So many samples are drawn before a position is given up, which no true one needs."""
EVERYBODY: Final[i64] = 63
"""The set of all seats."""


class Worlds:
    """Deals and plays out a position `root` as the `seat` of this sight sees it.

    `policies`: how each seat plays, one per seat. `whims`: in 1024, how often a playout makes any move instead. Endings of two with
    up to `solved_cards` cards are solved instead of played. `values`, one entry per seat: what the last game counts, of WHOLE.

    After `judge`, a game is not played out: its value is guessed when so many bouts have ended and enough stock remains. After
    `believe`, deals come from a belief. After `reveal`, there is one deal, the true one. `choosers`: the set of seats that look for
    their best moves in a tree; unless all `follow_policies`, these are all but those whom the belief takes for players like Normal.
    """

    __slots__ = (
        *("belief", "bouts", "chance", "choosers", "dealt", "drawn", "judged_stock", "others_choose", "player", "policies"),
        *("revealed", "root", "sampler", "seat", "sight", "solved_cards", "solver", "value", "values", "world"),
    )

    def __init__(
        self,
        root: Position,
        sight: Sight,
        policies: list[Policy],
        chance: Chance,
        whims: i64,
        solved_cards: i64,
        solver: Endgame,
    ) -> None:
        players = root.kernel.players
        self.root: Position = root
        self.seat: i64 = sight.me
        self.sight: Sight = sight
        self.policies: list[Policy] = policies
        self.chance: Chance = chance
        self.player: Player = Player(chance, whims)
        self.solved_cards: i64 = solved_cards
        self.solver: Endgame = solver
        self.drawn: i64 = WHOLE - WHOLE // players
        self.sampler: Sampler = Sampler()
        self.dealt: Position = Position(Kernel(players), Public())
        self.world: Position = Position(Kernel(players), Public())
        self.values: vec[i64] = vec[i64]([0] * MOST_PLAYERS)
        self.value: Value | None = None
        self.bouts: i64 = 0
        self.judged_stock: i64 = 0
        self.revealed: bool = False
        self.choosers: i64 = EVERYBODY
        self.others_choose: bool = True
        self.belief: Belief | None = None

    def judge(self, value: Value, bouts: i64, stock: i64) -> None:
        """Guess values after so many bouts, if so many cards of the stock remain; with fewer a game is short, and the guess bad."""
        self.value = value
        self.bouts = bouts
        self.judged_stock = stock

    def believe(self, belief: Belief) -> None:
        """Draw deals from a belief instead of at random."""
        self.belief = belief
        for _step in range(FIRST_STEPS):
            belief.step(self.chance)

    def follow_policies(self) -> None:
        """Let all others play by their policies in a tree too."""
        self.choosers = SEAT_BIT[self.seat]
        self.others_choose = False

    def reveal(self, kernel: Kernel) -> None:
        """Let the hidden cards lie as in this game."""
        self.dealt.assign(self.root)
        self.dealt.kernel.assign(kernel)
        self.revealed = True

    def deal(self) -> bool:
        """Put a deal of the hidden cards into `dealt`. False if none was found."""
        belief = self.belief
        if belief is not None:
            for _step in range(STEPS):
                belief.step(self.chance)
            if self.others_choose:
                self.choosers = SEAT_BIT[self.seat] | belief.choosers(self.chance)
        if self.revealed:
            return True
        if belief is not None:
            self.dealt.assign(self.root)
            belief.put(self.dealt.kernel, self.sight, self.chance)
            return True
        tries: i64 = 0
        while not self.sampler.draw(self.sight, self.chance):
            tries += 1
            if tries > TRIES:
                return False
        self.dealt.assign(self.root)
        kernel = self.dealt.kernel
        for seat in range(kernel.players):
            kernel.hands[seat] = self.sampler.hands[seat]
        kernel.stock = self.sampler.stock
        kernel.stock_top = 0
        return True

    def play_on(self, waiting: i64) -> None:
        """Play `world` to its end, at first without the seats that wait, and write `values`."""
        played: i64 = 0
        value = self.value
        kernel = self.world.kernel
        while not self.player.advance(self.world, self.policies, waiting):
            waiting = 0
            if self.decided():
                return
            played += 1
            if value is not None and played >= self.bouts and len(kernel.stock) - kernel.stock_top >= self.judged_stock:
                self.guess(value)
                return
        self.finished()

    def guess(self, value: Value) -> None:
        """Write the `values` that the network expects."""
        kernel = self.world.kernel
        value.look(kernel)
        players = kernel.players
        seat = kernel.attacker
        for place in range(players):
            self.values[seat] = WHOLE - i64(value.chances[place] * float(WHOLE))
            seat += 1
            if seat == players:
                seat = 0

    def decided(self) -> bool:
        """Write `values` if nothing that matters is open any more, or if an ending has few enough cards to be solved."""
        kernel = self.world.kernel
        if not kernel.active & SEAT_BIT[self.seat]:
            # It is out: somebody else will be the durak, or the last to go out.
            left = WHOLE - WHOLE // SEATS_IN[kernel.active]
            for seat in range(kernel.players):
                self.values[seat] = left if kernel.active & SEAT_BIT[seat] else WHOLE
            return True
        if is_ending(kernel):
            cards = count(kernel.hands[kernel.attacker]) + count(kernel.hands[kernel.defender])
            if cards <= self.solved_cards:
                return self.solved()
        return False

    def solved(self) -> bool:
        """Write the `values` of best play in an ending of two; False if it is too hard."""
        kernel = self.world.kernel
        solver = self.solver
        solver.nodes = 0
        solver.budget = SOLVER_NODES
        solver.stopped = False
        result = result_for(kernel, self.seat, solver)
        if solver.stopped:
            return False
        for seat in range(kernel.players):
            self.values[seat] = WHOLE
            if kernel.active & SEAT_BIT[seat]:
                own = result if seat == self.seat else -result
                if own < 0:
                    self.values[seat] = 0
                elif own == 0:
                    self.values[seat] = self.drawn
        return True

    def finished(self) -> None:
        """Write the `values` of a game that is over."""
        durak = self.world.durak()
        for seat in range(self.world.kernel.players):
            self.values[seat] = self.drawn if durak < 0 else WHOLE
        if durak >= 0:
            self.values[durak] = 0
