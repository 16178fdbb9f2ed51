"""The lobby: a line per public table, changes gathered, and never more than fits into an outbox."""

from __future__ import annotations

from durak.protocol.codec import JSON
from durak.protocol.messages import LobbyState
from durak.protocol.rules.ruleset import ruleset_of
from durak.server.edge.outbox import MAX_BYTES
from durak.server.given.meter import Meter
from durak.server.live.port import Viewer
from durak.server.lobby.listing import GATHER_MS, MAX_LINES, Lobby
from durak.server.table.inputs import CreateTable, Rise, SitDown, StartGame
from durak.server.table.machine import Table
from tests.server.shell import FixedEntropy, HandClock, a_viewer, commit, moment


def a_table(name: str, *, private: bool = False, title: str = "T") -> Table:
    """An open table with Ann."""
    table = Table(name)
    rules = ruleset_of("classic", {"max_players": 3})
    table.step(CreateTable("ann", "c", "Ann", title, rules, True, False, private, []), 1_000)
    return table


def a_visitor() -> tuple[Viewer, list[LobbyState]]:
    """A viewer, and what it is told."""
    viewer, outlet = a_viewer("bob")
    return viewer, outlet.told  # type: ignore[return-value]


async def test_a_line_tells_how_the_table_is() -> None:
    clock = HandClock()
    lobby = Lobby(clock, Meter())
    table = a_table("TAB001", title="Tea")
    lobby.attached(moment(table, 2), a_visitor()[0], None)
    (line,) = lobby.all()
    assert (line.table, line.name, line.preset, line.status) == ("TAB001", "Tea", "classic", "open")
    assert (line.chairs, line.taken, line.persons, line.bots, line.watchers, line.turn_clock_s) == (3, 1, 1, 0, 2, 30)


async def test_changes_are_gathered_and_told_once() -> None:
    clock = HandClock()
    lobby = Lobby(clock, Meter())
    viewer, told = a_visitor()
    lobby.join(viewer)
    assert told == [LobbyState(full=True, tables=[])]
    table = a_table("TAB001")
    lobby.committed(commit(table))
    table.step(SitDown("bob", "b", "Bob"), 2_000)
    lobby.committed(commit(table))
    lobby.committed(commit(table))
    assert len(told) == 1
    await clock.advance(GATHER_MS)
    assert told[1] == LobbyState(full=False, tables=lobby.all())
    assert told[1].tables[0].taken == 2
    await clock.advance(10 * GATHER_MS)
    assert len(told) == 2
    lobby.committed(commit(table))
    await clock.advance(GATHER_MS)
    assert len(told) == 2, "nothing has changed"


async def test_what_is_gone_is_told() -> None:
    clock = HandClock()
    lobby = Lobby(clock, Meter())
    viewer, told = a_visitor()
    lobby.join(viewer)
    lobby.committed(commit(a_table("TAB001")))
    await clock.advance(GATHER_MS)
    lobby.ended(moment(Table("TAB001")), "closed")
    lobby.ended(moment(Table("TAB001")), "closed")
    lobby.committed(commit(a_table("TAB002")))
    lobby.ended(moment(Table("TAB002")), "closed")
    await clock.advance(GATHER_MS)
    assert (told[2].tables, sorted(told[2].gone)) == ([], ["TAB001", "TAB002"])


async def test_private_tables_have_no_line() -> None:
    lobby = Lobby(HandClock(), Meter())
    lobby.committed(commit(a_table("TAB001", private=True)))
    lobby.committed(commit(Table("TAB002")))
    assert lobby.all() == []


async def test_who_has_gone_is_told_no_more() -> None:
    clock = HandClock()
    lobby = Lobby(clock, Meter())
    viewer, told = a_visitor()
    lobby.join(viewer)
    lobby.leave(viewer)
    lobby.leave(viewer)
    lobby.committed(commit(a_table("TAB001")))
    await clock.advance(GATHER_MS)
    assert len(told) == 1


async def test_open_tables_come_first() -> None:
    lobby = Lobby(HandClock(), Meter())
    playing, finished, opened = a_table("TAB001"), a_table("TAB002"), a_table("TAB003")
    for table in (playing, finished):
        table.step(SitDown("bob", "b", "Bob"), 2_000)
        table.step(StartGame("ann", "s"), 3_000, deck=FixedEntropy().deck())
    finished.step(Rise("bob", "r"), 4_000)
    for table in (finished, playing, opened):
        lobby.committed(commit(table))
    assert [line.table for line in lobby.all()] == ["TAB003", "TAB001", "TAB002"]


async def test_thousands_of_tables_fit_into_an_outbox() -> None:
    clock = HandClock()
    lobby = Lobby(clock, Meter())
    viewer, told = a_visitor()
    lobby.join(viewer)
    names = [f"{number:06}" for number in range(3 * MAX_LINES + 1)]
    for name in names:
        lobby.committed(commit(a_table(name, title="x" * 40)))
    for _ in range(4):
        await clock.advance(GATHER_MS)
    assert [len(message.tables) for message in told[1:]] == [MAX_LINES, MAX_LINES, MAX_LINES, 1]
    assert {line.table for message in told[1:] for line in message.tables} == set(names)
    lobby.join(viewer)
    assert len(told[-1].tables) == MAX_LINES
    assert max(len(JSON.encode(message)) for message in told) < MAX_BYTES
