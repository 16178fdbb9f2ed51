"""kill -9 at any moment: what was acknowledged is there, and nothing is half there."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

from durak.server.journal.sqlite import SqliteJournal

WRITER = """
import asyncio, os, sys
from pathlib import Path
from durak.server.journal import sqlite
from durak.server.journal.sqlite import SqliteJournal

sqlite.LOG_PAGES, sqlite.ENTRIES_A_FOLD = 64, 20  # so that the log is being folded into the database at many of the moments

async def owner(journal, table, number):
    while True:
        count = number % 3 + 1
        await journal.append(table, number, [f"{table} {n} ".encode() * 20 for n in range(number, number + count)])
        number += count
        os.write(1, f"{table} {number - 1}\\n".encode())

async def main():
    journal = await SqliteJournal.open(Path(sys.argv[1]))
    lengths = {table: len(entries) async for table, entries in journal.live_tables()}
    await asyncio.gather(*(owner(journal, table, lengths.get(table, 0) + 1) for table in "ABCDEFGH"))

asyncio.run(main())
"""


@pytest.mark.parametrize("seed", [1, 2])
async def test_no_acknowledged_append_is_lost(directory: Path, seed: int) -> None:
    moments = random.Random(seed)
    acknowledged: dict[str, int] = {}
    for _ in range(10):
        with subprocess.Popen([sys.executable, "-c", WRITER, directory], stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            for count, line in enumerate(writer.stdout):
                table, number = line.split()
                acknowledged[table] = int(number)
                if count == 0:
                    last = moments.randrange(400)
                if count == last:
                    writer.kill()  # and the rest of what it has said is still read
        journal = await SqliteJournal.open(directory)
        found = {table: entries async for table, entries in journal.live_tables()}
        await journal.close()
        assert set(found) >= set(acknowledged)
        for table, entries in found.items():
            assert len(entries) >= acknowledged.get(table, 0)
            assert entries == [f"{table} {number} ".encode() * 20 for number in range(1, len(entries) + 1)]
