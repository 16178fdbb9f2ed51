"""A table is stepped on a copy: what one changes, the other never sees. The whole state is walked, whatever it is made of."""

from __future__ import annotations

import random
from collections.abc import Iterator
from enum import Enum
from types import MappingProxyType
from typing import Any

import msgspec
import pytest

from durak.protocol.process.compiled import is_compiled
from durak.server.table import inputs as i
from durak.server.table.machine import Table
from durak.server.table.seating import AnyEvent
from tests.server.table.driving import Driven, created, position, run
from tests.server.table.random_tables import random_life, random_table

PLAIN = (int, float, str, bytes, bool, type(None), Enum)
GAMES_LISTS = {".kernel.stock", ".kernel.history", ".redeal_deck", ".result.places", ".result.places[]", ".result.forfeits"}
"""Lists of a game that its copies share: they are made once and for all, and replaced."""


def parts_of(thing: Any) -> Iterator[tuple[str, Any]]:
    """What a thing holds, each part with its place in it."""
    if isinstance(thing, dict | MappingProxyType):
        yield from (("[]", part) for pair in thing.items() for part in pair)
    elif isinstance(thing, list | tuple | set | frozenset):
        yield from (("[]", part) for part in thing)
    elif isinstance(thing, msgspec.Struct):
        yield from ((f".{name}", getattr(thing, name)) for name in thing.__struct_fields__)
    elif not isinstance(thing, PLAIN):
        slots = [name for kind in type(thing).__mro__ for name in getattr(kind, "__slots__", ())]
        yield from ((f".{name}", getattr(thing, name)) for name in slots if hasattr(thing, name))
        yield from ((f".{name}", part) for name, part in getattr(thing, "__dict__", {}).items())


def is_value(thing: Any) -> bool:
    """True if the thing itself never changes, whatever its parts may do."""
    if isinstance(thing, msgspec.Struct):
        return thing.__struct_config__.frozen
    return isinstance(thing, (*PLAIN, tuple, frozenset, MappingProxyType))


def changeable(thing: Any, at: str = "") -> dict[int, str]:
    """Everything within that can change, by identity, with its place."""
    found = {} if is_value(thing) else {id(thing): at}
    for place, part in parts_of(thing):
        found |= changeable(part, at + place)
    return found


def shared(one: Table, other: Table) -> set[str]:
    """The places of what can change and is the same object in both."""
    ours, theirs = changeable(one), changeable(other)
    return {ours[identity] for identity in ours.keys() & theirs.keys()} - {f".game{place}" for place in GAMES_LISTS}


def check_copy(table: Table) -> None:
    assert shared(table, table.copy()) == set()
    assert {place for place in changeable(table).values() if not place.startswith(".game")} == {""}, (
        "only the game changes in place"
    )


class Walked(Driven):
    """A table that is walked after every step."""

    def _step(self, given: i.AnyInput, at_ms: int) -> list[AnyEvent]:
        before = self.table
        events = super()._step(given, at_ms)
        assert self.table is before or shared(before, self.table) == set()
        check_copy(self.table)
        return events


@pytest.mark.parametrize("seed", range(12))
def test_a_table_shares_nothing_that_can_change_with_its_copy(seed: int) -> None:
    rng = random.Random(seed)
    driven = Walked(random_table(rng).table)
    assert random_life(rng, driven, 150) > 20


def test_a_table_with_everything_in_it_shares_nothing_that_can_change() -> None:
    driven = run(position("S | 7H 7D KC / 9H 9D AS QS / 7C 9C JC / 9S 7S 8C"), "cat:drop 2:auto 0:7H dan:rise 1:9H")
    table, clocks = driven.table, driven.table.clocks
    assert table.graces and clocks.window and clocks.auto_pass_on and clocks.auto_passes
    check_copy(table)
    check_copy(run(created(max_players=2, persons=2), "bob:drop").table)
    check_copy(run(driven, "ann:rise +1000000").table)


@pytest.mark.parametrize(
    ("forgotten", "place"), [([], ".extra"), (set(), ".extra"), (({},), ".extra[]"), (bytearray(), ".extra"), (object(), ".extra")]
)
def test_what_can_change_and_was_forgotten_is_found(forgotten: object, place: str) -> None:
    table = created().table
    table.extra = forgotten  # type: ignore[attr-defined]
    assert shared(table, table.copy()) == {place}


def test_a_game_that_was_not_copied_is_found() -> None:
    table = position("S | 7H / 9H").table
    twin = table.copy()
    twin.game = table.game
    inside = set() if is_compiled() else {".game.kernel.hands"}  # machine code shows nothing of what it holds
    assert {".game", ".game.kernel", *inside} <= shared(table, twin)
