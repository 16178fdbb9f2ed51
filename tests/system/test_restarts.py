"""The server ends and comes back: in order or not, every table goes on where it was."""

from __future__ import annotations

import asyncio
import os
import signal
import time

import pytest

from tests.system.client import Client, Message
from tests.system.conftest import Connect
from tests.system.serving import Served
from tests.system.tables import one_action, playing, seated, started


async def back(connect: Connect, served: Served, people: list[Client], table: str) -> list[Client]:
    """New connections that resume."""
    return [await connect(served, token=person.token, table=table, seq=person.seq) for person in people]


def position(view: Message) -> Message:
    """What a restart may not change."""
    return {**view["game"], "chairs": [{**chair, "away": False} for chair in view["chairs"]], "status": view["status"]}


async def test_sigterm_ends_in_order(own_server: Served, connect: Connect) -> None:
    people, table = await started(connect, own_server)
    await one_action(people)
    watcher, idle = await connect(own_server, "Eve", table=table), await connect(own_server, "Idle")
    before = [position(person.view) for person in people]
    assert own_server.terminate() == 0
    for client in (*people, watcher, idle):
        assert await client.ends() == (4000, "restarting")
    own_server.start()
    own_server.says("1 tables go on where they were")
    again = await back(connect, own_server, people, table)
    await again[0].until(lambda: not any(chair["away"] for chair in again[0].view["chairs"]))
    assert [position(person.view) for person in again] == before
    assert all(person.last("table")["resumed"] == "events" for person in again)
    await one_action(again)


async def test_sigterm_does_not_wait_for_those_who_do_not_listen(own_server: Served, connect: Connect) -> None:
    people, _ = await started(connect, own_server)
    reader, writer = await asyncio.open_connection("127.0.0.1", own_server.port)
    writer.write(b"GET /livez HTTP/1.1\r\n")  # and never the rest
    people[0].socket.transport.pause_reading()
    begun = time.monotonic()
    assert await asyncio.to_thread(own_server.terminate) == 0
    assert time.monotonic() - begun < 10
    writer.close()
    people[0].socket.transport.abort()
    assert reader is not None


async def test_ctrl_c_ends_in_order(own_server: Served, connect: Connect) -> None:
    client = await connect(own_server)
    os.kill(own_server.pid, signal.SIGINT)
    assert await client.ends() == (4000, "restarting")
    assert await asyncio.to_thread(own_server.terminate) == 0


@pytest.mark.parametrize("stop", ["kill", "terminate"])
async def test_everything_about_a_table_survives(own_server: Served, connect: Connect, stop: str) -> None:
    """An open, a playing and a finished table; hands, clocks, votes and names."""
    (ann, bob), opened = await seated(connect, own_server, ("Ann", "Bob"), max_players=4, discreet=True)
    players, played = await started(connect, own_server, ("Cid", "Dan", "Eva"))
    for _ in range(6):
        await one_action(players)
    (fay, gus), finished = await started(connect, own_server, ("Fay", "Gus"))
    await gus.ok("leave")
    await fay.until(lambda: fay.view["status"] == "finished")
    views = [players[1].view, players[2].view]
    getattr(own_server, stop)()
    own_server.start()
    again = await back(connect, own_server, players, played)
    await again[2].until(lambda: not any(chair["away"] for chair in again[2].view["chairs"]))
    assert [position(person.view) for person in again[1:]] == [position(view) for view in views]
    assert [again[1].view["name"], again[1].view["rules"]] == [views[0]["name"], views[0]["rules"]]
    for _ in range(3):
        await one_action(again)
    ann, bob = await back(connect, own_server, [ann, bob], opened)
    assert ann.view["rules"]["discreet"]
    await ann.ok("start")
    await bob.until(lambda: playing(bob))
    (fay,) = await back(connect, own_server, [fay], finished)
    assert (fay.view["status"], fay.view["games"]) == ("finished", 1)


async def test_an_outage_is_charged_to_no_clock(own_server: Served, connect: Connect) -> None:
    people, table = await started(connect, own_server, window_ms=8000, turn_clock_s=15)
    seq = people[0].seq
    own_server.kill()
    await asyncio.sleep(16)
    own_server.start()
    again = await back(connect, own_server, people, table)
    told = [event["event"] for one in again[0].events.values() for event in one]
    assert "timed_out" not in told
    assert (again[0].seq or 0) <= (seq or 0) + 3
    assert again[0].view["clock"]["ms"] > 10_000
    await one_action(again)


async def test_many_restarts_in_a_row(own_server: Served, connect: Connect) -> None:
    people, table = await started(connect, own_server)
    for number in range(5):
        await one_action(people)
        (own_server.kill, own_server.terminate)[number % 2]()
        own_server.start()
        people = await back(connect, own_server, people, table)
    await one_action(people)


async def test_stopping_while_clients_answer_nothing_logs_no_exception(connect: Connect, own_server: Served) -> None:
    """Symptom: "Unhandled exception" of the HTTP server when it and the outbox lost patience in the same millisecond."""
    for number in range(10):
        await connect(own_server, f"Guest {number}")
    assert own_server.terminate() == 0  # blocks the event loop here, so that nobody answers the close
    assert "Unhandled" not in own_server.log()
