"""From the command to create a table to the table's first input."""

from __future__ import annotations

import pytest

from durak.protocol.messages import Create, Error
from durak.server.lobby.creation import creation_of
from durak.server.people.tokens import Identity
from durak.server.table.inputs import CreateTable
from tests.server.shell import FixedEntropy

ANN = Identity("ann", "Ann", "person")


def created(message: Create, *, dev: bool = False) -> CreateTable | Error:
    return creation_of(message, ANN, FixedEntropy(), dev=dev)


@pytest.mark.parametrize("dev", [False, True])
def test_a_table_of_fast_bots_takes_no_persons(dev: bool) -> None:
    table = created(Create("c1", "Bots", "classic", bots=["easy", "easy"], sit=False, speed="fast"), dev=dev)
    assert isinstance(table, CreateTable)
    assert table.bots_only


def test_a_table_of_bots_as_slow_as_persons_takes_persons() -> None:
    table = created(Create("c1", "Bots", "classic", bots=["easy", "easy"], sit=False))
    assert isinstance(table, CreateTable)
    assert not table.bots_only


def test_a_person_plays_with_fast_bots_only_where_a_developer_does() -> None:
    message = Create("c1", "Fast", "classic", bots=["easy"], speed="fast")
    assert created(message) == Error("bad_value", cid="c1", params={"option": "speed"})
    table = created(message, dev=True)
    assert isinstance(table, CreateTable)
    assert not table.bots_only
