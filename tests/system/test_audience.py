"""Who looks on: spectators, the lobby, slow readers, and those who ask too often."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket as sockets
from pathlib import Path

import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from tests.system.client import JSON, MSGPACK, Client, dial, fetch
from tests.system.conftest import Connect
from tests.system.serving import Served, serving
from tests.system.tables import one_action, play_out, started

SMALLEST_STATE = 1_500
"""Bytes of a table's state in the first moments of a game."""


async def test_both_subprotocols_tell_the_same(server: Served, connect: Connect) -> None:
    people, table = await started(connect, server, ("Ann", "Bob", "Cid"))
    json_eye = await connect(server, "Eve", table=table, subprotocol=JSON)
    packed_eye = await connect(server, "Eva", table=table, subprotocol=MSGPACK)
    await play_out(people, seed=11)
    last = max(person.seq or 0 for person in people)
    for eye in (json_eye, packed_eye):
        await eye.until(lambda eye=eye: eye.seq == last)
    updates = [[message for message in eye.told if message["t"] == "update"] for eye in (json_eye, packed_eye)]
    assert len(updates[0]) > 20
    assert updates[0] == updates[1]


async def test_a_game_in_msgpack(server: Served, connect: Connect) -> None:
    ann = await connect(server, "Ann", subprotocol=MSGPACK)
    bob = await connect(server, "Bob", subprotocol=MSGPACK)
    table = await ann.create(options={"max_players": 2, "close_ms": 0})
    await bob.join(table)
    await ann.ok("start")
    await asyncio.gather(*(person.until(lambda person=person: person.view["game"]) for person in (ann, bob)))
    await play_out([ann, bob], seed=2)
    assert ann.view["status"] == bob.view["status"] == "finished"


async def test_heartbeats(server: Served, connect: Connect) -> None:
    client = await connect(server)
    await client.until(lambda: client.heartbeats or None)
    silent = await dial(server.url)
    await asyncio.sleep(6)
    assert client.heartbeats >= 2
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(silent.recv(), 0.1)
    await silent.close()


# ---------------------------------------------------------------- the lobby


async def test_the_lobby_lists_tables_and_tells_what_changes(own_server: Served, connect: Connect) -> None:
    eve = await connect(own_server, "Eve")
    await eve.ok("lobby", on=True)
    assert (await eve.hears("lobby"))["full"]
    assert eve.lobby == {}
    ann = await connect(own_server, "Ann")
    table = await ann.create(name="  Tea   time ", options={"max_players": 3})
    await eve.until(lambda: table in eve.lobby)
    line = eve.lobby[table]
    assert (line["name"], line["status"], line["chairs"], line["taken"], line["bots"]) == ("Tea time", "open", 3, 1, 0)
    bob = await connect(own_server, "Bob")
    await bob.join(table)
    await eve.until(lambda: eve.lobby[table]["taken"] == 2)
    await ann.ok("start")
    await eve.until(lambda: eve.lobby[table]["status"] == "playing")
    watcher = await connect(own_server, "Cid", table=table)
    await eve.until(lambda: eve.lobby[table]["watchers"] == 1)
    await watcher.ok("leave")
    await eve.until(lambda: eve.lobby[table]["watchers"] == 0)
    await bob.ok("leave")
    await eve.until(lambda: (eve.lobby[table]["status"], eve.lobby[table]["taken"]) == ("finished", 1))
    late = await connect(own_server, "Late")
    await late.ok("lobby", on=True)
    await late.until(lambda: late.lobby == eve.lobby)
    _, body = await asyncio.to_thread(fetch, f"{own_server.url}/api/tables")
    assert json.loads(body)["tables"] == list(late.lobby.values())


async def test_private_tables_are_not_listed(own_server: Served, connect: Connect) -> None:
    ann, bob, eve = [await connect(own_server, name) for name in ("Ann", "Bob", "Eve")]
    await eve.ok("lobby", on=True)
    hidden = await ann.create(private=True)
    shown = await bob.create()
    await eve.until(lambda: shown in eve.lobby)
    assert hidden not in eve.lobby
    await eve.ok("watch", table=hidden)


async def test_who_leaves_the_lobby_is_told_no_more(own_server: Served, connect: Connect) -> None:
    ann, bob, eve = [await connect(own_server, name) for name in ("Ann", "Bob", "Eve")]
    await eve.ok("lobby", on=True)
    await bob.ok("lobby", on=True)
    await eve.ok("lobby", on=False)
    told = len(eve.told)
    table = await ann.create()
    await bob.until(lambda: table in bob.lobby)
    await eve.ok("lobby", on=False)
    assert [message["t"] for message in eve.told[told:]] == ["ok"]


# ---------------------------------------------------------------- slow readers


def bytes_in_the_system() -> int:
    """How much a system may hold for a connection whose reader has stopped, besides the server's outbox."""
    try:
        return int(Path("/proc/sys/net/ipv4/tcp_wmem").read_text().split()[2])
    except OSError:
        return 4 * 1024 * 1024


async def stuffed(served: Served, token: str, table: str) -> ClientConnection:
    """A connection that has asked for the table until no buffer takes any more, and has read nothing."""
    raw = sockets.socket()
    raw.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 64 * 1024)
    raw.setblocking(False)
    await asyncio.get_running_loop().sock_connect(raw, ("127.0.0.1", served.port))
    slow = await dial(served.url, sock=raw, max_queue=1)
    await slow.send(json.dumps({"t": "hello", "token": token, "table": table}))
    for number in range((bytes_in_the_system() + 1024 * 1024) // SMALLEST_STATE):
        await slow.send(json.dumps({"t": "watch", "cid": f"w{number}", "table": table}))
    return slow


async def test_a_slow_reader_is_closed_and_delays_nobody(server: Served, connect: Connect) -> None:
    people, table = await started(connect, server, ("Ann", "Bob", "Cid"))
    eve = await connect(server, "Eve")
    slow = await stuffed(server, eve.token, table)
    for _ in range(10):
        await one_action(people)
    with pytest.raises(ConnectionClosed) as closed:
        while True:
            await asyncio.wait_for(slow.recv(), 10)
    assert closed.value.rcvd is not None
    assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (4001, "slow_resume")
    back = await connect(server, token=eve.token, table=table)
    await one_action([*people, back])


async def test_who_never_reads_is_cut_off(server: Served, connect: Connect) -> None:
    people, table = await started(connect, server)
    eve = await connect(server, "Eve")
    slow = await stuffed(server, eve.token, table)
    await people[0].until(lambda: [message["count"] for message in people[0].told if message["t"] == "watchers"] == [1, 0])
    await one_action(people)
    slow.transport.abort()


# ---------------------------------------------------------------- limits


async def test_too_many_commands_are_slowed_down(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        client = await Client.open(served.url)
        answers = await asyncio.gather(*(client.ask("lobby", cid=f"l{number}", on=False) for number in range(90)))
        limited = [answer for answer in answers if answer["t"] == "error"]
        assert 20 <= len(limited) <= 40
        assert {answer["code"] for answer in limited} == {"rate_limited"}
        assert all(answer["retry_after_ms"] > 0 for answer in limited)
        await asyncio.sleep(limited[-1]["retry_after_ms"] / 1000 + 0.1)
        await client.ok("lobby", on=False)
        await client.close()


async def test_flooding_closes_the_connection_and_no_other(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        client, other = await Client.open(served.url), await Client.open(served.url, "Bob")
        with contextlib.suppress(ConnectionClosed):
            for number in range(3000):
                await client.send({"t": "lobby", "cid": f"l{number}", "on": False})
        assert await client.ends() == (4104, "flooding")
        await other.ok("lobby", on=False)
        await other.close()


async def test_too_many_guests_from_one_address(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        answers = [await asyncio.to_thread(fetch, f"{served.url}/api/guest", b'{"name":"Ann"}') for _ in range(40)]
        refused = [json.loads(body) for status, body in answers if status == 429]
        assert 5 <= len(refused) <= 10
        assert {answer["error"] for answer in refused} == {"rate_limited"}


async def test_developers_are_not_slowed_down(server: Served, connect: Connect) -> None:
    client = await connect(server)
    answers = await asyncio.gather(*(client.ask("lobby", cid=f"d{number}", on=False) for number in range(500)))
    assert all(answer["t"] == "ok" for answer in answers)
