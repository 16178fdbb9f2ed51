"""The solver of endings of two, against brute force over the kernel: every order of throw-ins, every card, every pass."""

from __future__ import annotations

import random

import pytest

from durak.bots.search import endgame
from durak.bots.search import ending as ending_module
from durak.bots.search.endgame import Endgame
from durak.bots.search.ending import result_for
from durak.protocol.process.compiled import is_compiled
from durak.protocol.rules import kernel as kernel_module
from durak.protocol.rules import state as s
from durak.protocol.rules.bits import array
from durak.protocol.rules.kernel import Kernel
from durak.protocol.rules.layout import MOVES
from durak.protocol.rules.notation import read_position


def ending(rng: random.Random, cards: int, options: dict[str, object], stock: int = 0) -> Kernel:
    """A bout about to begin, seat 0 to lead, with so many cards of a random pack in two random hands and in the stock."""
    kernel = Kernel(2)
    for name, value in options.items():
        setattr(kernel, name, value)
    pack = rng.sample(range(36), cards)
    size = rng.randrange(1, cards)
    kernel.trump = rng.randrange(4)
    kernel.hands[0] = sum(1 << card for card in pack[:size])
    kernel.hands[1] = sum(1 << card for card in pack[size:])
    drawn = rng.sample(sorted(set(range(36)) - set(pack)), stock)
    kernel.stock = array(drawn)
    kernel.discard = (1 << 36) - 1 & ~(kernel.hands[0] | kernel.hands[1] | sum(1 << card for card in drawn))
    kernel.bout = 1  # the next is not the first
    kernel.begin_bout()
    return kernel


class BruteForce:
    """The result for seat 0, by trying everything that the kernel lists."""

    def __init__(self) -> None:
        self.known: dict[tuple[object, ...], int] = {}

    def result(self, kernel: Kernel, waited: bool = False) -> int:
        while kernel.quiet():
            kernel.close()
        if kernel.phase == s.OVER:
            if kernel.repeated or not kernel.active:
                return 0
            return -1 if kernel.active == 1 else 1
        key = (
            waited,
            *(
                tuple(numbers)
                for name, numbers in zip(s.ATTRIBUTES, s.numbers_of(kernel), strict=True)
                if name not in ("bout", "epoch", "history", "stock")
            ),
        )
        if key not in self.known:
            self.known[key] = self.search(kernel, waited)
        return self.known[key]

    def search(self, kernel: Kernel, waited: bool) -> int:
        room = array([0] * MOVES)
        moves = [room[place] for place in range(kernel.legal(room))]
        attacking = [move for move in moves if move >> 9 == kernel.attacker]
        defending = [move for move in moves if move >> 9 != kernel.attacker]
        results = []
        if attacking and not waited:
            seat, mine = kernel.attacker, attacking
            if defending:  # the attacker may also wait for the defender
                results.append(self.result(kernel.copy(), waited=True))
        else:
            seat, mine = kernel.defender, defending
        for move in mine:
            child = kernel.copy()
            child.apply(move)
            results.append(self.result(child))
        return max(results) if seat == 0 else min(results)


CLASSIC: dict[str, object] = {}
GAMEWEAVE: dict[str, object] = {"throw_in": s.THROW_IN_ATTACKER, "throw_any_time": False, "after_take": s.AFTER_TAKE_IMMEDIATE}
CHALLENGE: dict[str, object] = {"throw_in": s.THROW_IN_ATTACKER, "throw_any_time": False, "forfeit_defence": True}


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("options", "cards"), [(CLASSIC, 6), (CLASSIC, 7), (GAMEWEAVE, 7), (CHALLENGE, 7)])
def test_the_result_is_that_of_brute_force(options: dict[str, object], cards: int) -> None:
    rng = random.Random(f"{options}/{cards}")
    results = []
    for _ in range(50):
        kernel = ending(rng, rng.randrange(2, cards + 1), options)
        solver = Endgame(kernel.trump, kernel.after_take, kernel.forfeit_defence, 12)
        found = solver.solve(kernel.hands[0], kernel.hands[1], 10_000_000)
        assert not solver.stopped
        assert found == BruteForce().result(kernel.copy()), s.numbers_of(kernel)
        results.append(found)
    assert {results.count(result) > 0 for result in (-1, 0, 1)} == {True}


ALL_BEATEN_AND_NONE: dict[str, object] = {"throw_any_time": False, "after_take": s.AFTER_TAKE_NONE}


def compare(kernel: Kernel) -> int:
    """The result for seat 0, which both find."""
    solver = Endgame(kernel.trump, kernel.after_take, kernel.forfeit_defence, 12)
    solver.budget = 10_000_000
    found = int(result_for(kernel.copy(), 0, solver))
    assert not solver.stopped
    assert found == BruteForce().result(kernel.copy()), s.numbers_of(kernel)
    assert found == -result_for(kernel.copy(), 1, solver)
    return found


@pytest.mark.timeout(300)
@pytest.mark.parametrize("options", [CLASSIC, GAMEWEAVE, CHALLENGE, ALL_BEATEN_AND_NONE])
def test_1_18_with_a_known_stock_the_result_is_that_of_brute_force(options: dict[str, object]) -> None:
    rng = random.Random(f"{options}/stock")
    results = []
    for number in range(20):
        stock = 1 + number % 4
        results.append(compare(ending(rng, rng.randrange(2, 8 - stock), options, stock)))
    assert set(results) >= {-1, 1}


@pytest.mark.timeout(300)
@pytest.mark.skipif(is_compiled(), reason="the size of a hand is compiled in")
@pytest.mark.parametrize("options", [CLASSIC, GAMEWEAVE, CHALLENGE])
def test_1_18_a_stock_that_lasts_for_several_bouts(options: dict[str, object], monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (kernel_module, endgame, ending_module):  # small hands, so that brute force sees the stock through
        monkeypatch.setattr(module, "HAND_SIZE", 2)
    rng = random.Random(f"{options}/long stock")
    results = [compare(ending(rng, 4, options, 1 + number % 4)) for number in range(15)]
    assert set(results) >= {-1, 1}


def test_the_limit_of_a_first_bout_is_kept() -> None:
    free = read_position("S | 7D 7H 7C / 9D QH AC JC | stock QS")
    narrow = read_position("S | 7D 7H 7C / 9D QH AC JC | stock QS | limit 1")
    assert [compare(game.kernel) for game in (free, narrow)] == [BruteForce().result(g.kernel.copy()) for g in (free, narrow)]
