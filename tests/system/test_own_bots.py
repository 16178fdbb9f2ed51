"""The server's own bots: killed hosts and workers are replaced and their seats play on; tables of bots come to their ends."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.system.client import Client
from tests.system.conftest import Connect
from tests.system.serving import Served, serving

TABLES = 100
LEVELS = ["normal", "easy", "normal", "easy"]


@pytest.fixture
def with_bots(tmp_path: Path) -> Iterator[Served]:
    """A server that has its own bots."""
    with serving(tmp_path, "--dev", "--bot-seats", "1000", "--bot-workers", "2", "--bot-think-ms", "20") as served:
        yield served


def children(pid: int, word: bytes) -> list[int]:
    """The processes that this one has started with this word in their command."""
    found = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in task.read_text().split():
            try:
                if word in Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0"):
                    found.append(int(child))
            except OSError:
                continue
    return found


def bot_host_of(served: Served) -> int | None:
    """The process that plays for the server now."""
    return next(iter(children(served.pid, b"bots")), None)


def workers_of(served: Served) -> list[int]:
    """The processes that think for it."""
    host = bot_host_of(served)
    return [] if host is None else children(host, b"durak.bots.host.worker")


async def creates_with_bots(client: Client, **fields: Any) -> str:
    """Create a table with bots, as soon as their host has offered itself."""
    async with asyncio.timeout(30):
        while True:
            answer = await client.ask("create", **fields)
            if answer["t"] == "ok":
                return str(answer["table"])
            assert answer["code"] == "no_bots"
            await asyncio.sleep(0.1)


linux = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="finds the bot host through /proc")


@linux
@pytest.mark.timeout(120)
async def test_a_killed_bot_host_is_replaced_and_its_seats_play_on(with_bots: Served, connect: Connect) -> None:
    watcher = await connect(with_bots)
    await creates_with_bots(watcher, bots=["normal", "easy"], sit=False, options={"bot_delay_ms": [200, 300], "close_ms": 100})
    await watcher.until(lambda: (watcher.seq or 0) > 5)
    first = bot_host_of(with_bots)
    assert first is not None
    os.kill(first, signal.SIGKILL)
    killed_at = watcher.seq or 0
    async with asyncio.timeout(30):
        while bot_host_of(with_bots) in (None, first):
            await asyncio.sleep(0.05)
    await watcher.until(lambda: (watcher.seq or 0) > killed_at + 5, 60)
    told = [event["event"] for events in watcher.events.values() for event in events]
    assert "left" not in told, "a bot whose host has died has not left"
    await watcher.until(lambda: watcher.view and watcher.view["status"] == "finished", 60)


@linux
@pytest.mark.timeout(120)
async def test_hard_plays_to_the_end_though_its_workers_are_killed_while_they_think(with_bots: Served, connect: Connect) -> None:
    watcher = await connect(with_bots)
    await creates_with_bots(watcher, bots=["hard", "hard", "normal"], sit=False, speed="fast", options={"turn_clock_s": 60})
    killed = 0
    while not (watcher.view and watcher.view["status"] == "finished"):
        if killed < 5 and (workers := workers_of(with_bots)):
            os.kill(workers[0], signal.SIGKILL)
            killed += 1
        seq = watcher.seq or 0
        await watcher.until(lambda seq=seq: (watcher.seq or 0) > seq + 2 or watcher.view["status"] == "finished", 20)
    assert killed == 5
    assert "[worker_killed]" in with_bots.log()
    workers = workers_of(with_bots)
    assert with_bots.terminate() == 0
    assert not any(Path(f"/proc/{worker}").exists() for worker in workers)


@linux
async def test_the_workers_of_a_killed_host_end_with_it(with_bots: Served, connect: Connect) -> None:
    watcher = await connect(with_bots)
    await creates_with_bots(watcher, bots=["hard"] * 4, sit=False, speed="fast")
    async with asyncio.timeout(20):
        while len(workers := workers_of(with_bots)) < 2:
            await asyncio.sleep(0.02)
    host = bot_host_of(with_bots)
    assert host is not None
    os.kill(host, signal.SIGKILL)
    async with asyncio.timeout(10):
        while any(Path(f"/proc/{worker}").exists() for worker in workers):
            await asyncio.sleep(0.05)


async def test_without_workers_there_are_no_hard_bots(tmp_path: Path, connect: Connect) -> None:
    with serving(tmp_path, "--dev", "--bot-seats", "10", "--bot-workers", "0") as served:
        client = await connect(served)
        await creates_with_bots(client, bots=["normal", "easy"], sit=False)
        refused = await client.refused("create", bots=["hard", "easy"], sit=False)
        assert (refused["code"], refused["params"]["levels"]) == ("no_bots", "easy,normal")


@pytest.mark.timeout(240)
async def test_a_hundred_tables_of_bots_come_to_their_ends(with_bots: Served, connect: Connect) -> None:
    operator = await connect(with_bots)
    await operator.ok("lobby", on=True)
    tables = {await creates_with_bots(operator, bots=LEVELS, sit=False, speed="fast", name=f"{n}") for n in range(TABLES)}
    assert len(tables) == TABLES
    await operator.until(lambda: all(operator.lobby.get(table, {}).get("status") == "finished" for table in tables), 200)
