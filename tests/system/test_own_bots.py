"""The server's own bots: a host that is killed is replaced and its seats play on; a hundred tables of bots come to their ends."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.system.client import Client
from tests.system.conftest import Connect
from tests.system.serving import Served, serving

TABLES = 100
LEVELS = ["normal", "easy", "normal", "easy"]


@pytest.fixture
def with_bots(tmp_path: Path) -> Iterator[Served]:
    """A server that has its own bots."""
    with serving(tmp_path, "--dev", "--bot-seats", "1000") as served:
        yield served


def bot_host_of(served: Served) -> int | None:
    """The process that plays for the server now."""
    children = Path(f"/proc/{served.pid}/task/{served.pid}/children")
    for child in children.read_text().split():
        try:
            if b"bots" in Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0"):
                return int(child)
        except OSError:
            continue
    return None


async def creates_with_bots(client: Client, **fields: object) -> str:
    """Create a table with bots, as soon as their host has offered itself."""
    async with asyncio.timeout(30):
        while True:
            answer = await client.ask("create", **fields)
            if answer["t"] == "ok":
                return str(answer["table"])
            assert answer["code"] == "no_bots"
            await asyncio.sleep(0.1)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="finds the bot host through /proc")
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


@pytest.mark.timeout(240)
async def test_a_hundred_tables_of_bots_come_to_their_ends(with_bots: Served, connect: Connect) -> None:
    operator = await connect(with_bots)
    await operator.ok("lobby", on=True)
    tables = {await creates_with_bots(operator, bots=LEVELS, sit=False, speed="fast", name=f"{n}") for n in range(TABLES)}
    assert len(tables) == TABLES
    await operator.until(lambda: all(operator.lobby.get(table, {}).get("status") == "finished" for table in tables), 200)
