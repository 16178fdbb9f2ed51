"""The simulator is proved: a bug planted in each guarded place is found within a few seeds."""

from __future__ import annotations

import pytest

from durak.server.simulation.planted import PLANTS, planted
from durak.server.simulation.world import World, free_memory

WITHIN = 50
"""Seeds at most."""
RARE = {"expiry": 200}
"""Found within so many: something has to wait for the disk at the very moment of a deadline, in one seed of thirty."""
TELLS = {
    "append": "acknowledged, and not in the journal|told before it is durable",
    "cid": "carried out twice",
    "stale": "was accepted in bout",
    "expiry": "before the expiry that was due",
    "resume": "resumed at",
    "view": "is shown",
    "grace": "counts as having left|was charged to GraceEnds",
    "outage": "was charged to",
    "presence": "yet connected|yet not connected",
    "outbox": "update [0-9]+ after",
}
"""What the violation says."""


def first_violation(within: int) -> str:
    try:
        for seed in range(1, within + 1):
            outcome = World(seed).run()
            if outcome.violations:
                return outcome.violations[0]
        return "none"
    finally:
        free_memory()


@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", PLANTS)
def test_a_planted_bug_is_found(name: str) -> None:
    with planted(name):
        violation = first_violation(RARE.get(name, WITHIN))
    with pytest.raises(AssertionError, match=TELLS[name]):
        raise AssertionError(violation)


def test_a_plant_is_taken_out_again() -> None:
    sound = [getattr(place, attribute) for place, attribute, _ in PLANTS.values()]
    for name in PLANTS:
        with planted(name):
            pass
    assert [getattr(place, attribute) for place, attribute, _ in PLANTS.values()] == sound
