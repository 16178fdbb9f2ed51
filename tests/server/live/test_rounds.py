"""Rounds: tables that have something to step are taken together when they come close together."""

from __future__ import annotations

from durak.server.live.rounds import GATHER_MS, Rounds
from tests.server.shell import HandClock, settled


class Noted:
    """A table that notes when it is taken."""

    def __init__(self, name: str, taken: list[str]) -> None:
        self.name = name
        self.taken = taken

    def pump(self) -> None:
        """Note it."""
        self.taken.append(self.name)


async def test_a_table_that_comes_alone_waits_for_nobody() -> None:
    taken: list[str] = []
    rounds = Rounds(HandClock())
    for name in "aba":
        rounds.join(Noted(name, taken))
        await settled()
    assert taken == ["a", "b", "a"]


async def test_what_comes_in_one_turn_is_taken_together_each_once_and_in_order() -> None:
    taken: list[str] = []
    rounds = Rounds(HandClock())
    tables = [Noted(name, taken) for name in "cab"]
    for table in (*tables, *tables):
        rounds.join(table)
    assert taken == []
    await settled()
    assert taken == ["c", "a", "b"]


async def test_in_company_a_round_waits_for_more_and_one_alone_ends_that() -> None:
    taken: list[str] = []
    clock = HandClock()
    rounds = Rounds(clock)
    for name in "ab":
        rounds.join(Noted(name, taken))
    await settled()
    rounds.join(Noted("c", taken))
    await clock.advance(GATHER_MS - 1)
    assert taken == ["a", "b"]
    await clock.advance(1)
    assert taken == ["a", "b", "c"]
    rounds.join(Noted("d", taken))
    await settled()
    assert taken == ["a", "b", "c", "d"]


async def test_a_table_that_comes_back_while_it_is_taken_is_in_the_next_round() -> None:
    taken: list[str] = []
    rounds = Rounds(HandClock())

    class Again(Noted):
        """Comes back once."""

        def pump(self) -> None:
            super().pump()
            if len(taken) == 1:
                rounds.join(self)

    rounds.join(Again("a", taken))
    await settled()
    assert taken == ["a", "a"]
