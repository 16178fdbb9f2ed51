"""A journal in memory as `journal.contract` promises it, on a disk that is slow, full, or unsure what it has written."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field

from durak.server.journal.contract import JournalClosed, JournalError, SequenceConflict, TableEnded
from durak.server.simulation.process import Process

SLOW_S = (0.2, 4.0)
LATE_S = (0.5, 4.0)


def broken() -> JournalError:
    """What a disk says that can't go on."""
    return JournalError("data_io", "the disk has failed", "Look after it")


@dataclass(slots=True)
class Disk:
    """What is durable. `slow_until_s`, `broken_until_s`: times of the loop until which it has these faults."""

    written: Callable[[str, Sequence[bytes]], None]
    """Told of everything the moment it is durable."""
    work_s: tuple[float, float]
    """What one append takes, without faults."""
    tables: dict[str, list[bytes]] = field(default_factory=dict)
    ended: dict[str, int] = field(default_factory=dict)
    values: dict[str, bytes] = field(default_factory=dict)
    slow_until_s: float = 0.0
    broken_until_s: float = 0.0
    appends: int = 0
    failed: int = 0

    def append(self, table: str, number: int, entries: Sequence[bytes]) -> None:
        """Write all entries or none. Raises `SequenceConflict` or `TableEnded`."""
        if table in self.ended:
            raise TableEnded(table)
        kept = self.tables.get(table, [])
        if number != len(kept) + 1:
            raise SequenceConflict(table, number, len(kept) + 1)
        self.tables[table] = [*kept, *entries]
        self.appends += 1
        self.written(table, entries)


class DiskJournal:
    """One process's journal. What is not durable when the process dies never will be."""

    def __init__(self, disk: Disk, process: Process, loop: asyncio.AbstractEventLoop, rng: random.Random) -> None:
        self._disk = disk
        self._process = process
        self._loop = loop
        self._rng = rng
        self._busy_until_s = 0.0
        self._closed = False

    def append(self, table: str, number: int, entries: Sequence[bytes]) -> "asyncio.Future[None]":
        """See `Journal.append`."""
        done: asyncio.Future[None] = self._loop.create_future()
        if self._closed:
            done.set_exception(JournalClosed())
            return done
        faulty = self._is_broken() and self._rng.random() < 0.7
        fate = self._rng.choice(("lost", "lost", "unsaid", "unsaid", "late")) if faulty else "done"
        write_s = self._next_s()
        answer_s = self._busy_until_s = write_s + self._rng.uniform(0, 0.002)
        if fate == "late":  # whether it is there is unknown until the next append
            answer_s, write_s = write_s, write_s + self._rng.uniform(*LATE_S)
        kept = list(entries)
        refusal: list[JournalError] = []

        def write() -> None:
            if not self._process.alive:
                return
            try:
                self._disk.append(table, number, kept)
            except JournalError as error:
                refusal.append(error)

        def answer() -> None:
            if done.done():
                return
            if fate != "done":
                self._disk.failed += 1
                done.set_exception(broken())
            elif refusal:
                done.set_exception(refusal[0])
            else:
                done.set_result(None)

        if fate != "lost":
            self._loop.call_at(write_s, write)
        self._process.at(answer_s, answer)
        return done

    async def live_tables(self) -> AsyncIterator[tuple[str, list[bytes]]]:
        """See `Journal.live_tables`."""
        await self._wait()
        for table, entries in list(self._disk.tables.items()):
            if table not in self._disk.ended:
                yield table, list(entries)

    async def read(self, table: str) -> list[bytes]:
        """See `Journal.read`."""
        await self._wait()
        return list(self._disk.tables.get(table, ()))

    async def end(self, table: str, at_ms: int) -> None:
        """See `Journal.end`."""
        await self._wait()
        if table in self._disk.tables:
            self._disk.ended.setdefault(table, at_ms)

    async def forget_ended_before(self, at_ms: int) -> int:
        """See `Journal.forget_ended_before`; a simulated server never asks, since what was acknowledged is held against it."""
        await self._wait()
        old = [table for table, ended_ms in self._disk.ended.items() if ended_ms < at_ms]
        for table in old:
            del self._disk.tables[table], self._disk.ended[table]
        return len(old)

    async def get(self, key: str) -> bytes | None:
        """See `Journal.get`."""
        await self._wait()
        return self._disk.values.get(key)

    async def put(self, key: str, value: bytes) -> None:
        """See `Journal.put`."""
        await self._wait()
        self._disk.values[key] = value

    async def check(self) -> None:
        """See `Journal.check`."""
        await self._wait()

    async def close(self) -> None:
        """Wait for what is being written."""
        self._closed = True
        await self._answered(self._busy_until_s)

    def _is_broken(self) -> bool:
        return self._loop.time() < self._disk.broken_until_s

    def _next_s(self) -> float:
        """When the next piece of work is done: one after the other, in the order they were asked for."""
        slow = self._loop.time() < self._disk.slow_until_s and self._rng.random() < 0.5
        work_s = self._rng.uniform(*(SLOW_S if slow else self._disk.work_s))
        self._busy_until_s = max(self._busy_until_s, self._loop.time()) + work_s
        return self._busy_until_s

    async def _wait(self) -> None:
        if self._closed:
            raise JournalClosed
        failing = self._is_broken() and self._rng.random() < 0.5
        await self._answered(self._next_s())
        if failing:
            raise broken()

    async def _answered(self, at_s: float) -> None:
        done: asyncio.Future[None] = self._loop.create_future()
        self._process.at(at_s, lambda: None if done.done() else done.set_result(None))
        await done
