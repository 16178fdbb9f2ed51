"""The stores that have to pass the contract, each as a way to open one and the same journal again and again."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from durak.server.journal.contract import Journal
from durak.server.journal.sqlite import SqliteJournal
from durak.server.simulation.disk import Disk, DiskJournal
from durak.server.simulation.process import Process

Opener = Callable[[], Awaitable[Journal]]


def sqlite(request: pytest.FixtureRequest) -> Opener:
    directory: Path = request.getfixturevalue("tmp_path") / "data"
    return lambda: SqliteJournal.open(directory)


def simulated(request: pytest.FixtureRequest) -> Opener:
    """The simulation's disk without faults: what it promises the server there is what a store promises here."""
    disk = Disk(lambda table, entries: None, (0.0, 0.001))

    async def opened() -> Journal:
        loop = asyncio.get_running_loop()
        return DiskJournal(disk, Process(loop), loop, random.Random(1))

    return opened


STORES: dict[str, Callable[[pytest.FixtureRequest], Opener]] = {"sqlite": sqlite, "simulated": simulated}
