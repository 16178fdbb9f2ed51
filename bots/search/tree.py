"""Tree search: one tree over what is public, a new deal of hidden cards for each walk. Compiled where a compiler was there.

Single-observer information set Monte Carlo tree search (Cowling, Powley and Whitehouse, 2012), with a policy's choice as prior
(PUCT; Rosin, 2011). While a card is open the defender acts; attackers act one after the other, from the main attacker clockwise.
"""

import math
from typing import Final

from durak.bots.search.policy import WAIT, Player
from durak.bots.search.worlds import WHOLE, Worlds
from durak.protocol.rules.bits import SEAT_BIT
from durak.protocol.rules.flat import i64, vec
from durak.protocol.rules.kernel import AFTER_TAKE_WINDOW, DECIDE, LEAD, OVER
from durak.protocol.rules.moves import MOVES, PASS_CODE

LONGEST: Final[i64] = 200
"""Moves in one walk through the tree; what comes after is played out."""
WAIT_CODE: Final[i64] = 511
"""The code of waiting while a card is open, which is no move of the kernel."""
UNTRIED: Final = 0.5
"""What a move is thought to score before it has been tried."""


class TreeSearch:
    """Compares the moves of one seat in a position as this seat sees it; its own choice to wait is -1.

    `bold`: how much a move is tried that has been tried less than others; `prior`: what share of this the policy's choice gets.
    `others_choose`: the other seats look for their best moves too; otherwise they play by their policy, and only the seat's own
    moves are compared. At most `room` nodes are kept.

    Nodes are numbers from 0, the root, on; a node is the public position after its `move`. `children`, `siblings`: the first child
    and the next one of the same parent, -1 if there is none. `times`: walks through a node; `sums`: what these counted for the seat
    that made the move.
    """

    __slots__ = (
        *("bold", "children", "legal", "moves", "nodes", "others_choose", "path", "player", "prior", "room"),
        *("siblings", "sums", "times", "waiting", "worlds"),
    )

    def __init__(self, worlds: Worlds, moves: list[int], room: int, bold: float, prior: float, others_choose: bool) -> None:
        self.worlds: Worlds = worlds
        self.bold: float = bold
        self.prior: float = prior
        self.others_choose: bool = others_choose
        self.room: i64 = room
        self.nodes: i64 = 1
        self.moves: vec[i64] = vec[i64]([0] * room)
        self.children: vec[i64] = vec[i64]([-1] * room)
        self.siblings: vec[i64] = vec[i64]([-1] * room)
        self.times: vec[i64] = vec[i64]([0] * room)
        self.sums: vec[i64] = vec[i64]([0] * room)
        self.path: vec[i64] = vec[i64]([0] * int(LONGEST))
        self.legal: vec[i64] = vec[i64]([0] * int(MOVES))
        self.player: Player = Player(worlds.chance)
        self.waiting: i64 = 0
        for move in reversed(moves):
            self.add(0, self.own(move))

    def own(self, move: i64) -> i64:
        """A move of the root as the tree keeps it."""
        return self.of(self.worlds.seat, move)

    def of(self, seat: i64, move: i64) -> i64:
        """A seat's move, or its choice to wait, as the tree keeps it."""
        return seat << 9 | WAIT_CODE if move == WAIT else move

    def add(self, parent: i64, move: i64) -> i64:
        """A new node."""
        node = self.nodes
        self.nodes += 1
        self.moves[node] = move
        self.siblings[node] = self.children[parent]
        self.children[parent] = node
        return node

    def walk(self) -> bool:
        """Walk through the tree with a new deal. False if none was found."""
        if not self.worlds.deal():
            return False
        self.walk_again()
        return True

    def walk_again(self) -> None:
        """Walk down the tree to a new node, play out, and tell all nodes on the way."""
        worlds = self.worlds
        world = worlds.world
        world.assign(worlds.dealt)
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
            seat = self.actor() if node else worlds.seat
            if seat < 0:
                world.close(False)
                self.waiting = 0
                continue
            node = self.step(node, seat)
            if node < 0:
                worlds.play_on(self.waiting)
                break
            fresh = self.times[node] == 0
            self.path[length] = node
            length += 1
            move = self.moves[node]
            if move & 511 == WAIT_CODE:
                self.waiting |= SEAT_BIT[seat]
            else:
                world.apply(move)
                self.waiting = 0
        for place in range(length):
            node = self.path[place]
            self.times[node] += 1
            self.sums[node] += worlds.values[self.moves[node] >> 9]

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
            for _ in range(kernel.players):
                if not self.waiting & SEAT_BIT[seat] and (kernel.throwable(seat) or (not is_open and kernel.may_pass(seat))):
                    return seat
                seat += 1
                if seat == kernel.players:
                    seat = 0
        return kernel.defender if is_open else -1

    def step(self, node: i64, seat: i64) -> i64:
        """Choose a move of the seat: the child of the node, a new one if need be; -1 if there is no room for one."""
        world = self.worlds.world
        legal = self.legal
        number: i64 = 0
        usual: i64 = 0
        if not self.others_choose and seat != self.worlds.seat:
            legal[0] = self.of(seat, self.worlds.player.decide(world, seat, self.worlds.policies[seat]))
            number = 1
        else:
            number = self.root_moves() if node == 0 else self.legal_moves(seat)
            if number > 1:
                usual = self.of(seat, self.player.decide(world, seat, self.worlds.policies[seat]))
        best = legal[0] if number == 1 else self.promising(node, number, usual)
        child = self.children[node]
        while child >= 0 and self.moves[child] != best:
            child = self.siblings[child]
        if child >= 0:
            return child
        return self.add(node, best) if self.nodes < self.room else -1

    def promising(self, node: i64, number: i64, usual: i64) -> i64:
        """Which of the first `number` in `legal` to try next."""
        legal = self.legal
        tried: i64 = 1
        child = self.children[node]
        while child >= 0:
            for place in range(number):
                if legal[place] == self.moves[child]:
                    tried += self.times[child]
            child = self.siblings[child]
        boldness = self.bold * math.sqrt(float(tried))
        rest = (1.0 - self.prior) / float(number)
        best = legal[0]
        best_score = -1.0
        for place in range(number):
            move = legal[place]
            mean = UNTRIED
            times: i64 = 0
            child = self.children[node]
            while child >= 0 and self.moves[child] != move:
                child = self.siblings[child]
            if child >= 0 and self.times[child]:
                times = self.times[child]
                mean = float(self.sums[child]) / float(WHOLE * times)
            share = rest + self.prior if move == usual else rest
            score = mean + boldness * share / float(1 + times)
            if score > best_score:
                best_score = score
                best = move
        return best

    def root_moves(self) -> i64:
        """Write the moves of the root into `legal`; how many."""
        number: i64 = 0
        child = self.children[0]
        while child >= 0:
            self.legal[number] = self.moves[child]
            number += 1
            child = self.siblings[child]
        return number

    def legal_moves(self, seat: i64) -> i64:
        """Write the moves of a seat into `legal`, while a card is open to wait instead of passing; how many."""
        kernel = self.worlds.world.kernel
        every = kernel.legal(self.legal)
        number: i64 = 0
        for place in range(every):
            move = self.legal[place]
            if move >> 9 == seat:
                if move & 511 == PASS_CODE and kernel.open_cards and not kernel.taking:
                    move = seat << 9 | WAIT_CODE
                self.legal[number] = move
                number += 1
        return number

    def mean(self, move: i64) -> float:
        """The mean score of a move of the root, from 0 to 1."""
        node = self.child(move)
        return float(self.sums[node]) / float(WHOLE * self.times[node]) if self.times[node] else 0.0

    def tries(self, move: i64) -> i64:
        """How often a move of the root was tried."""
        return self.times[self.child(move)]

    def child(self, move: i64) -> i64:
        """The node of a move of the root."""
        node = self.children[0]
        while self.moves[node] != self.own(move):
            node = self.siblings[node]
        return node
