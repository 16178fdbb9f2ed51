"""Tree search: one tree over what is public, a new deal of hidden cards for each walk. Compiled where a compiler was there.

Single-observer information set Monte Carlo tree search (Cowling, Powley and Whitehouse, 2012), with a policy's choice as prior
(PUCT; Rosin, 2011). While a card is open the defender acts; attackers act one after the other, from the main attacker clockwise.
"""

import math
from typing import Final

from durak.bots.search.flat import FlatSearch
from durak.bots.search.policy import WAIT, Player
from durak.bots.search.worlds import WHOLE, Worlds
from durak.protocol.rules.bits import SEAT_BIT
from durak.protocol.rules.flat import i64, vec
from durak.protocol.rules.layout import CODE_MASK, MOVES, PASS_CODE, SEAT_SHIFT, WAIT_CODE
from durak.protocol.rules.state import AFTER_TAKE_WINDOW, DECIDE, LEAD, OVER

LONGEST: Final[i64] = 200
"""Moves in one walk through the tree; what comes after is played out."""
"""The code of waiting while a card is open, which is no move of the kernel."""
UNTRIED: Final = 0.5
"""What a move is thought to score before any has been tried."""


class TreeSearch(FlatSearch):
    """Compares the moves of one seat in a position as this seat sees it; what it does later is chosen in a tree.

    Every move is tried on the same deals, as in flat search: then their means can be compared, and halving wastes nothing. Below,
    `bold`: how much a move is tried that has been tried less than others; `prior`: what share of this the policy's choice gets.
    Who is not among the `choosers` of the worlds plays by its policy there too. At most `room` nodes are kept.

    Nodes are numbers from 0, the root, on, then its moves in their order; a node is the public position after its `code`.
    `children`, `siblings`: the first child and the next one of the same parent, -1 if there is none. `usual`: the policy's choice
    there, -1 if not yet known. `visits`: walks through a node; `totals`: what these counted for the seat that made the move.
    """

    __slots__ = (
        *("bold", "children", "codes", "legal", "nodes", "path", "player", "prior", "room", "siblings", "totals"),
        *("usual", "visits", "waiting"),
    )

    def __init__(self, worlds: Worlds, moves: list[int], room: int, bold: float, prior: float) -> None:
        super().__init__(worlds, moves)
        self.bold: float = bold
        self.prior: float = prior
        self.room: i64 = room
        self.nodes: i64 = 1
        self.codes: vec[i64] = vec[i64]([0] * room)
        self.children: vec[i64] = vec[i64]([-1] * room)
        self.siblings: vec[i64] = vec[i64]([-1] * room)
        self.usual: vec[i64] = vec[i64]([-1] * room)
        self.visits: vec[i64] = vec[i64]([0] * room)
        self.totals: vec[i64] = vec[i64]([0] * room)
        self.path: vec[i64] = vec[i64]([0] * int(LONGEST))
        self.legal: vec[i64] = vec[i64]([0] * int(MOVES))
        self.player: Player = Player(worlds.chance)
        self.waiting: i64 = 0
        for move in moves:
            self.add(0, self.of(worlds.seat, move))

    def of(self, seat: i64, move: i64) -> i64:
        """A seat's move, or its choice to wait, as the tree keeps it."""
        return seat << SEAT_SHIFT | WAIT_CODE if move == WAIT else move

    def add(self, parent: i64, code: i64) -> i64:
        """A new node."""
        node = self.nodes
        self.nodes += 1
        self.codes[node] = code
        self.siblings[node] = self.children[parent]
        self.children[parent] = node
        return node

    def play(self, place: i64) -> None:
        """Walk on after a move."""
        self.walk(place + 1)

    def walk(self, first: i64) -> None:
        """Walk down to a new node, at first to `first` (0: to what looks best), play out, and tell all nodes on the way."""
        worlds = self.worlds
        world = worlds.world
        kernel = world.kernel
        node: i64 = 0
        length: i64 = 0
        self.waiting = 0
        fresh = False
        while True:
            if node:
                while kernel.quiet():
                    world.close(True)
                if kernel.phase == OVER:
                    worlds.finished()
                    break
                if kernel.phase == LEAD and worlds.decided():
                    break
            if fresh or length == LONGEST:
                worlds.play_on(self.waiting)
                break
            if node == 0 and first:
                node = first
                seat = worlds.seat
            else:
                seat = worlds.seat if node == 0 else self.actor()
                if seat < 0:
                    world.close(False)
                    self.waiting = 0
                    continue
                node = self.step(node, seat)
                if node < 0:
                    worlds.play_on(self.waiting)
                    break
            fresh = self.visits[node] == 0
            self.path[length] = node
            length += 1
            code = self.codes[node]
            if code & CODE_MASK == WAIT_CODE:
                self.waiting |= SEAT_BIT[seat]
            else:
                world.apply(code)
                self.waiting = 0
        for place in range(length):
            node = self.path[place]
            self.visits[node] += 1
            self.totals[node] += worlds.values[self.codes[node] >> SEAT_SHIFT]

    def actor(self) -> i64:
        """The seat that acts; -1 if all wait."""
        world = self.worlds.world
        kernel = world.kernel
        if kernel.phase == LEAD:
            return kernel.attacker
        if kernel.phase == DECIDE:
            return kernel.defender
        is_open = kernel.open_cards > 0 and not kernel.taking
        if not is_open or kernel.after_take != AFTER_TAKE_WINDOW:
            seat = kernel.attacker
            for _seat in range(kernel.players):
                if not self.waiting & SEAT_BIT[seat] and (kernel.throwable(seat) or (not is_open and kernel.may_pass(seat))):
                    return seat
                seat += 1
                if seat == kernel.players:
                    seat = 0
        if is_open:
            return kernel.defender
        return -1

    def step(self, node: i64, seat: i64) -> i64:
        """Choose a move of the seat: the child of the node, a new one if need be; -1 if there is no room for one."""
        world = self.worlds.world
        if self.worlds.choosers & SEAT_BIT[seat]:
            number = self.root_moves() if node == 0 else self.legal_moves(seat)
            best = self.legal[0] if number == 1 else self.promising(node, seat, number)
        else:
            best = self.of(seat, self.worlds.player.decide(world, seat, self.worlds.policies[seat]))
        child = self.children[node]
        while child >= 0 and self.codes[child] != best:
            child = self.siblings[child]
        if child >= 0:
            return child
        if self.nodes < self.room:
            return self.add(node, best)
        return -1

    def promising(self, node: i64, seat: i64, number: i64) -> i64:
        """Which of the first `number` in `legal` the seat should try next."""
        legal = self.legal
        usual = self.usual[node]
        if usual < 0:
            usual = self.of(seat, self.player.decide(self.worlds.world, seat, self.worlds.policies[seat]))
            self.usual[node] = usual
        tried: i64 = 0
        total: i64 = 0
        child = self.children[node]
        while child >= 0:
            for place in range(number):
                if legal[place] == self.codes[child]:
                    tried += self.visits[child]
                    total += self.totals[child]
            child = self.siblings[child]
        untried = float(total) / float(WHOLE * tried) if tried else UNTRIED  # as good as the others
        boldness = self.bold * math.sqrt(float(tried + 1))
        rest = (1.0 - self.prior) / float(number)
        best = legal[0]
        best_score = -1.0
        for place in range(number):
            code = legal[place]
            mean = untried
            times: i64 = 0
            child = self.children[node]
            while child >= 0 and self.codes[child] != code:
                child = self.siblings[child]
            if child >= 0 and self.visits[child]:
                times = self.visits[child]
                mean = float(self.totals[child]) / float(WHOLE * times)
            share = rest + self.prior if code == usual else rest
            score = mean + boldness * share / float(1 + times)
            if score > best_score:
                best_score = score
                best = code
        return best

    def root_moves(self) -> i64:
        """Write the moves of the root into `legal`; how many."""
        number: i64 = len(self.moves)
        for place in range(number):
            self.legal[place] = self.codes[place + 1]
        return number

    def legal_moves(self, seat: i64) -> i64:
        """Write the moves of a seat into `legal`, while a card is open to wait instead of passing; how many."""
        kernel = self.worlds.world.kernel
        every = kernel.legal(self.legal)
        number: i64 = 0
        for place in range(every):
            move = self.legal[place]
            if move >> SEAT_SHIFT == seat:
                if move & CODE_MASK == PASS_CODE and kernel.open_cards and not kernel.taking:
                    move = seat << SEAT_SHIFT | WAIT_CODE
                self.legal[number] = move
                number += 1
        return number
