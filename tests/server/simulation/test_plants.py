"""The simulator is proved: a bug planted in each guarded place is found within a few seeds."""

from __future__ import annotations

import pytest

from durak.server.simulation.planted import PLANTS, Plant
from durak.server.simulation.world import World, free_memory

WITHIN = 50
"""Seeds at most."""
TELLS = {
    "append": "acknowledged, and not in the journal|told before it is durable",
    "cid": "carried out twice",
    "stale": "was accepted in bout",
    "expiry": "an expiry at|before the expiry that was due",
    "resume": "resumed at",
    "view": "is shown",
    "grace": "counts as having left|was charged to GraceEnds",
    "outage": "was charged to",
    "presence": "yet connected|yet not connected",
    "outbox": "update [0-9]+ after",
    "shared": "acknowledged, and not in the journal|is not what its journal says|is told before it is durable|is shown",
    "transition": "a bug in the server: input",
    "due": "a bug in the server: expiry",
    "watcher": "a bug in the server: watcher",
}
"""What the violation says."""


def first_violation(plant: Plant) -> str:
    try:
        for seed in range(1, WITHIN + 1):
            outcome = World(seed, plant=plant).run()
            if outcome.violations:
                return outcome.violations[0]
        return "none"
    finally:
        free_memory()


@pytest.mark.long
@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", PLANTS)
def test_a_planted_bug_is_found(name: str) -> None:
    violation = first_violation(PLANTS[name])
    with pytest.raises(AssertionError, match=TELLS[name]):
        raise AssertionError(violation)
