"""Simulated worlds with faults, and nothing that must not be: two hundred seeds, and those that have found bugs.

DURAK_TEST_SEEDS=2000 makes it more; `durak simulate` is the command for many more.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from durak.server.simulation.world import World, free_memory

SEEDS = int(os.environ.get("DURAK_TEST_SEEDS", "200"))
AT_ONCE = 20


def seeds_that_found_bugs() -> list[int]:
    lines = (Path(__file__).parent / "seeds.txt").read_text().splitlines()
    return [int(line.split()[0]) for line in lines if line.strip() and not line.startswith("#")]


def holds(seed: int) -> None:
    outcome = World(seed).run()
    assert not outcome.violations, "\n".join([f"seed {seed}", *outcome.violations, *outcome.trace])


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize("first", range(1, SEEDS + 1, AT_ONCE))
def test_nothing_is_violated_whatever_goes_wrong(first: int) -> None:
    try:
        for seed in range(first, min(first + AT_ONCE, SEEDS + 1)):
            holds(seed)
    finally:
        free_memory()


@pytest.mark.parametrize("seed", seeds_that_found_bugs())
def test_a_seed_that_found_a_bug(seed: int) -> None:
    holds(seed)
