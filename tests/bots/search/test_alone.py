"""What one seat of three can force, against brute force over the kernel: every card, pass and order of throw-ins."""

from __future__ import annotations

import random

import pytest

from durak.bots.search.alone import Alone
from durak.bots.search.ending import alone_for, forced_for, is_known_trio, recall
from durak.protocol.rules import state as s
from durak.protocol.rules.bits import array
from durak.protocol.rules.kernel import Kernel
from durak.protocol.rules.layout import MOVES
from durak.protocol.rules.notation import read_position

LOST, DRAWN, WON = -1, 0, 1


def ending(rng: random.Random, cards: int, options: dict[str, object]) -> Kernel:
    """A bout of three about to begin, with so many cards of a random pack in three random hands, and no stock."""
    kernel = Kernel(3)
    for name, value in options.items():
        setattr(kernel, name, value)
    pack = rng.sample(range(36), cards)
    ends = sorted(rng.sample(range(1, cards), 2))
    for seat, (begin, end) in enumerate(zip([0, *ends], [*ends, cards], strict=True)):
        kernel.hands[seat] = sum(1 << card for card in pack[begin:end])
    kernel.trump = rng.randrange(4)
    kernel.discard = (1 << 36) - 1 & ~sum(kernel.hands)
    kernel.attacker = rng.randrange(3)
    kernel.bout = 1  # the next is not the first
    kernel.begin_bout()
    return kernel


Key = tuple[object, ...]


class BruteForce:
    """What one seat can force: all positions that can come, and those from which an end can be forced, found backwards.

    In turn, while nobody moves: the others may (0), the seat may (1), the others still may, then time has passed (2).
    """

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.follow: dict[Key, tuple[bool, list[Key]]] = {}  # whether the seat chooses, and what may follow
        self.ends: dict[Key, int] = {}

    def forced(self, kernel: Kernel) -> int:
        root = self.explore(kernel)
        if root in self.reached(lambda end: end == WON, True):
            return WON
        return LOST if root in self.reached(lambda end: end == LOST, False) else DRAWN

    def reached(self, wanted: object, mine: bool) -> set[Key]:
        assert callable(wanted)
        before: dict[Key, list[Key]] = {}
        for node, (_, following) in self.follow.items():
            for child in following:
                before.setdefault(child, []).append(node)
        left = {node: 1 if owner == mine else len(following) for node, (owner, following) in self.follow.items()}
        found = {node for node, end in self.ends.items() if wanted(end)}
        new = list(found)
        while new:
            for node in before.get(new.pop(), []):
                left[node] -= 1
                if left[node] == 0:
                    found.add(node)
                    new.append(node)
        return found

    def explore(self, kernel: Kernel) -> Key:
        root, waiting = self.node(kernel, 0)
        while waiting:
            key, position, turn = waiting.pop()
            owner, children = self.moves(position, turn)
            following = []
            for child, next_turn in children:
                name, more = self.node(child, next_turn)
                following.append(name)
                waiting += more
            self.follow[key] = owner, following
        return root

    def node(self, kernel: Kernel, turn: int) -> tuple[Key, list[tuple[Key, Kernel, int]]]:
        while kernel.quiet():
            kernel.close()
            turn = 0
        kernel.history = array([])  # here nothing is a repetition: play without end is one
        key = (
            turn,
            *(
                tuple(numbers)
                for name, numbers in zip(s.ATTRIBUTES, s.numbers_of(kernel), strict=True)
                if name not in ("bout", "epoch", "history")
            ),
        )
        if key in self.follow or key in self.ends:
            return key, []
        if not kernel.active & 1 << self.seat:
            self.ends[key] = WON if kernel.active else DRAWN
            return key, []
        if kernel.phase == s.OVER:
            self.ends[key] = LOST
            return key, []
        self.follow[key] = False, []
        return key, [(key, kernel, turn)]

    def moves(self, kernel: Kernel, turn: int) -> tuple[bool, list[tuple[Kernel, int]]]:
        room = array([0] * MOVES)
        able = [room[place] for place in range(kernel.legal(room))]
        mine = [move for move in able if move >> 9 == self.seat]
        theirs = [move for move in able if move >> 9 != self.seat]
        answers = kernel.open_cards > 0 and not kernel.taking
        if kernel.phase != s.BOUT:
            return bool(mine), [(done(kernel, move), 0) for move in able]
        if turn == 0:
            return False, [(kernel.copy(), 1), *((done(kernel, move), 0) for move in theirs)]
        if turn == 1:
            return True, [(kernel.copy(), 2), *((done(kernel, move), 0) for move in mine)]
        if answers:
            return kernel.defender == self.seat, [(done(kernel, move), 0) for move in able if move >> 9 == kernel.defender]
        closed = kernel.copy()
        closed.close()
        return False, [(closed, 0), *((done(kernel, move), 0) for move in theirs)]


def done(kernel: Kernel, move: int) -> Kernel:
    child = kernel.copy()
    child.apply(move)
    return child


def solver_for(kernel: Kernel) -> Alone:
    solver = alone_for(kernel, 14)
    solver.budget = 10_000_000
    return solver


CLASSIC: dict[str, object] = {}
GAMEWEAVE: dict[str, object] = {"throw_in": s.THROW_IN_ATTACKER, "throw_any_time": False, "after_take": s.AFTER_TAKE_IMMEDIATE}
CHALLENGE: dict[str, object] = {"throw_in": s.THROW_IN_ATTACKER, "throw_any_time": False, "forfeit_defence": True}
NOTHING_ADDED: dict[str, object] = {"throw_any_time": False, "after_take": s.AFTER_TAKE_NONE, "forfeit_defence": True}


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("options", "cards"), [(CLASSIC, 6), (GAMEWEAVE, 6), (CHALLENGE, 6), (NOTHING_ADDED, 6)])
def test_what_a_seat_can_force_is_what_brute_force_finds(options: dict[str, object], cards: int) -> None:
    rng = random.Random(f"{options}/{cards}")
    results = []
    for _ in range(8):
        kernel = ending(rng, rng.randrange(3, cards + 1), options)
        solver = solver_for(kernel)
        for seat in range(3):
            found = int(forced_for(kernel.copy(), seat, solver))
            assert not solver.stopped
            assert found == BruteForce(seat).forced(kernel.copy()), (seat, s.numbers_of(kernel))
            results.append(found)
    assert {LOST, WON} <= set(results)


@pytest.mark.timeout(300)
def test_in_the_middle_of_a_bout() -> None:
    rng = random.Random(3)
    room = array([0] * MOVES)
    for _ in range(15):
        kernel = ending(rng, 5, CLASSIC)
        for _ in range(rng.randrange(1, 6)):
            moves = kernel.legal(room)
            if kernel.phase != s.OVER and moves and not kernel.quiet():
                kernel.apply(room[rng.randrange(moves)])
        if kernel.phase == s.OVER:
            continue
        assert is_known_trio(kernel)
        for seat in range(3):
            found = int(forced_for(kernel.copy(), seat, solver_for(kernel)))
            assert found == BruteForce(seat).forced(kernel.copy()), (seat, s.numbers_of(kernel))


def test_1_21_going_out_with_all_others_is_a_draw() -> None:
    # 2 takes nothing: 0 beats the 6C by the trump 7D, 1 throws in the 7H, 0 beats it by its last card
    game = read_position("D | AH 7D / 7H / 6C | attacker 2")
    assert forced_for(game.kernel.copy(), 0, solver_for(game.kernel)) == DRAWN


def test_1_24_a_bout_that_has_come_twice_is_a_draw_when_it_comes_again() -> None:
    kernel = read_position("S | AS KS / 6H 7H / 6C 7C").kernel
    solver = solver_for(kernel)
    recall(kernel, 0, solver, 2)
    assert forced_for(kernel.copy(), 0, solver) == WON  # it has come only once
    recall(kernel, 0, solver, 1)
    assert forced_for(kernel.copy(), 0, solver) == WON  # and this one goes on
    for wanted in (WON, DRAWN):
        solver.begin(wanted)
        first, second, third = list(kernel.hands)[:3]
        assert solver.bout(first, second, third, 0) == (wanted == DRAWN)


@pytest.mark.parametrize(
    "position",
    [
        "S | 6S / 7S / 8S / 9S",
        "S | 6S / 7S",
        "S | 6S / 7S / 8S | stock 9S",
        "S | 6S / 7S / 8S | left 1",
        "S | 6S / 7S / 8S | rules classic after_take=none",
    ],
)
def test_what_is_no_known_ending_of_three(position: str) -> None:
    assert not is_known_trio(read_position(position).kernel)


def test_it_stops_at_its_budget_and_when_its_table_is_full() -> None:
    kernel = ending(random.Random(1), 10, CLASSIC)
    for bits, budget in ((14, 100), (4, 10_000_000)):
        solver = alone_for(kernel, bits)
        solver.budget = budget
        forced_for(kernel.copy(), 0, solver)
        assert solver.stopped
        assert solver.nodes() <= budget + 1000
