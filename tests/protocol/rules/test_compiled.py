"""The same games, compiled and interpreted: a hash over many of them, 2-6 players, every preset and every option.

Whichever way the tests run, the hash is the one below; `.ci/run` runs them both ways. A change of the rules changes it, and so does
one of the random source: then run this file interpreted and put the new hash here.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import subprocess
import sys

import pytest

from durak.bots.search.chance import Chance
from durak.bots.search.playout import deal_randomly
from durak.protocol.process import compiled
from durak.protocol.rules.bits import array
from durak.protocol.rules.kernel import Kernel
from durak.protocol.rules.layout import MOVES
from durak.protocol.rules.state import OVER, THROW_IN_ALL, THROW_IN_ATTACKER, numbers_of

GAMES_HASH = "a55476aad478bc72d6f55fe704bd590a268bf1c0ab3d489ea68263b2bbd80189"
GAMES = 3  # of each combination


def rulesets(players: int) -> list[Kernel]:
    """An empty game for every combination of the options that the kernel knows; the presets are among them."""
    kernels = []
    for throw_in, any_time, after_take, forfeit, discreet, first_bout in itertools.product(
        (THROW_IN_ALL, THROW_IN_ATTACKER), (True, False), (0, 1, 2), (True, False), (True, False), (6, 5)
    ):
        kernel = Kernel(players)
        kernel.throw_in = throw_in
        kernel.throw_any_time = any_time
        kernel.after_take = after_take
        kernel.forfeit_defence = forfeit
        kernel.discreet = discreet
        kernel.limit_first_bout = first_bout
        kernels.append(kernel)
    return kernels


def hash_of_games() -> str:
    """A hash of all legal moves and all positions of random games."""
    told = hashlib.sha256()
    moves = array([0] * MOVES)
    for players in range(2, 7):
        for number, rules in enumerate(rulesets(players)):
            chance = Chance(1000 * players + number)
            for _ in range(GAMES):
                kernel = rules.copy()
                deal_randomly(kernel, chance)
                while kernel.phase != OVER:
                    able = int(kernel.legal(moves))
                    told.update(repr([int(moves[place]) for place in range(able)]).encode())
                    kernel.apply(moves[int(chance.below(able))])
                    while kernel.quiet():
                        kernel.close()
                    told.update(repr(numbers_of(kernel)).encode())
    return told.hexdigest()


@pytest.mark.timeout(180)
def test_the_games_are_the_same_compiled_and_interpreted() -> None:
    assert hash_of_games() == GAMES_HASH


def test_the_compiled_engine_is_tested_where_it_is_asked_for() -> None:
    wanted = bool(os.environ.get("DURAK_TEST_COMPILED"))
    assert compiled.is_compiled() or not wanted, "DURAK_TEST_COMPILED is set, and the engine is interpreted"


def test_the_sources_can_be_run_all_the_same() -> None:
    code = "from durak.protocol.process import compiled; compiled.interpret(); print(compiled.is_compiled())"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "False"
