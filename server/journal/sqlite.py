"""The journal of a single node: one SQLite database in a data directory, and nothing to install."""

from __future__ import annotations

import asyncio
import itertools
import logging
import sqlite3
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Literal, TypeVar

from durak.server.journal.contract import JournalClosed, JournalError, SequenceConflict, TableEnded
from durak.server.journal.database import FORMAT, check_on_opening, coded, connect, identify, in_our_codes, prepare, upgrade
from durak.server.journal.directory import DirectoryLock
from durak.server.journal.writer import GroupCommit, Work

logger = logging.getLogger(__name__)

Result = TypeVar("Result")
Synchronous = Literal["FULL", "NORMAL"]

TABLES_A_READ = 100
"""Tables read at once on recovery."""
TABLES_A_DELETION = 20
"""Tables deleted in one transaction: appends wait no longer than that takes."""
ROWS_A_STATEMENT = 64
"""Entries written by one statement at most, so that SQLite keeps every length prepared."""
ENTRIES_A_FOLD = 4_000
"""After so many entries the write-ahead log is folded into the database, by a thread of its own: in a commit, where SQLite would
do it, it takes 20 to 40 ms, and everybody's actions wait for that."""
FOLD_PASSES = 4
"""What is committed during a pass is left for the next; a commit that begins when nothing is left begins the log anew."""
LOG_PAGES = 16_384
"""At this length of the log, 64 MB, commits fold the rest themselves, which makes sure that it begins anew."""
LOG_BYTES = 64 * 1024 * 1024
"""What the write-ahead log is cut back to after a backup has made it grow."""
PROBE = "journal.check"
"""The key that `check` writes."""


class SqliteJournal:
    """A `Journal` in a data directory, which it has for itself. One thread writes (group commit), one reads."""

    @classmethod
    async def open(cls, directory: Path, *, synchronous: Synchronous = "FULL", max_pages: int | None = None) -> SqliteJournal:
        """Open or make the journal of a directory.

        With `synchronous` NORMAL a power loss may take the last moments before it, a crash of the process still nothing.
        `max_pages` bounds the database's size. Raises `JournalError`: data_in_use, data_unwritable, data_foreign, data_newer,
        data_corrupt, data_full.
        """
        return cls(*await asyncio.to_thread(_open, directory, synchronous, max_pages))

    def __init__(
        self,
        lock: DirectoryLock,
        path: Path,
        writing: sqlite3.Connection,
        reading: sqlite3.Connection,
        folding: sqlite3.Connection,
    ) -> None:
        """For `open` only."""
        self.path = path
        self._inode = path.stat().st_ino
        self._lock = lock
        self._closing: asyncio.Future[None] | None = None
        self._probes = itertools.count(1)
        self._loop = asyncio.get_running_loop()
        self._appends = _Appends()
        self._writer = GroupCommit(writing, path, finish=self._appends.write, undone=self._appends.undone)
        self._reading = reading
        self._reader = ThreadPoolExecutor(1, "journal-reader")
        self._folding = folding
        self._folder = ThreadPoolExecutor(1, "journal-folder")
        self._unfolded = 0
        self._fold: asyncio.Future[None] | None = None

    @property
    def commits(self) -> int:
        """Transactions committed since opening, each with all that had been asked for meanwhile."""
        return self._writer.commits

    def append(self, table: str, number: int, entries: Sequence[bytes]) -> asyncio.Future[None]:
        """See `Journal.append`."""
        assert entries, "an append without entries"
        self._unfolded += len(entries)
        if self._unfolded >= ENTRIES_A_FOLD and self._fold is None and self._closing is None:
            self._unfolded = 0
            self._fold = self._loop.run_in_executor(self._folder, _fold, self._folding)
            self._fold.add_done_callback(self._folded)
        return self._write(partial(self._appends.take, table, number, tuple(entries)))

    async def live_tables(self) -> AsyncIterator[tuple[str, list[bytes]]]:
        """See `Journal.live_tables`."""
        after = ""
        while page := await self._read(partial(_live_page, after)):
            for table in page:
                yield table
            after = page[-1][0]

    async def read(self, table: str) -> list[bytes]:
        """See `Journal.read`."""
        return await self._read(partial(_entries, table))

    async def end(self, table: str, at_ms: int) -> None:
        """See `Journal.end`."""
        await self._write(partial(self._appends.end, table, at_ms))

    async def forget_ended_before(self, at_ms: int) -> int:
        """See `Journal.forget_ended_before`."""
        forgotten = 0
        while count := await self._write(partial(_forget, at_ms)):
            forgotten += count
        return forgotten

    async def get(self, key: str) -> bytes | None:
        """See `Journal.get`."""
        return await self._read(partial(_get, key))

    async def put(self, key: str, value: bytes) -> None:
        """See `Journal.put`."""
        await self._write(partial(_put, key, value))

    async def check(self) -> None:
        """See `Journal.check`; raises data_gone also if the file has been deleted or replaced under the running server."""
        probe = str(next(self._probes)).encode()
        await self.put(PROBE, probe)
        if int(await self.get(PROBE) or b"0") < int(probe):  # more, if another check came in between
            raise JournalError("data_failed", f"{self.path} does not give back what was written", "Look after its disk")
        if await asyncio.to_thread(_inode, self.path) != self._inode:
            hint = "Stop the server: what it writes is lost when it ends. Then restore a backup"
            raise JournalError("data_gone", f"{self.path} was deleted or replaced while in use", hint)

    async def close(self) -> None:
        """See `Journal.close`."""
        if self._closing is None:
            self._closing = self._loop.run_in_executor(None, self._let_go)
        await asyncio.shield(self._closing)

    def _folded(self, fold: asyncio.Future[None]) -> None:
        self._fold = None
        if not fold.cancelled() and (error := fold.exception()) is not None:  # the commits will meet it as well
            logger.warning("the log was not folded: %s", coded(error, self.path) if isinstance(error, sqlite3.Error) else error)

    def _let_go(self) -> None:
        self._folder.shutdown()
        self._folding.close()
        self._reader.shutdown()
        self._reading.close()
        self._writer.stop()  # last, so that it is its connection that folds the log into the database
        self._lock.release()

    def _write(self, work: Work[Result]) -> asyncio.Future[Result]:
        if self._closing is not None:
            future: asyncio.Future[Result] = self._loop.create_future()
            future.set_exception(JournalClosed())
            return future
        return self._writer.submit(work)

    async def _read(self, work: Work[Result]) -> Result:
        if self._closing is not None:
            raise JournalClosed
        with in_our_codes(self.path):
            return await self._loop.run_in_executor(self._reader, work, self._reading)


def _open(
    directory: Path, synchronous: Synchronous, max_pages: int | None
) -> tuple[DirectoryLock, Path, sqlite3.Connection, sqlite3.Connection, sqlite3.Connection]:
    lock = DirectoryLock(directory)
    opened: list[Callable[[], None]] = [lock.release]
    try:
        path = prepare(directory)
        with in_our_codes(path):
            writing = connect(path, "rw")
            opened.append(writing.close)
            identify(writing, path)
            check_on_opening(writing, path)
            upgrade(writing, path)
            _set_up(writing, path, synchronous, max_pages)
            reading = connect(path, "ro")
            opened.append(reading.close)
            folding = connect(path, "rw")
            opened.append(folding.close)
            _set_durability(folding, synchronous)
        return lock, path, writing, reading, folding
    except BaseException:
        for close in reversed(opened):
            close()
        raise


def _set_up(connection: sqlite3.Connection, path: Path, synchronous: Synchronous, max_pages: int | None) -> None:
    if connection.execute("PRAGMA journal_mode = WAL").fetchone()[0] != "wal":
        hint = "Choose a directory on a local disk"
        raise JournalError("data_unwritable", f"the file system of {path} cannot share memory between processes", hint)
    _set_durability(connection, synchronous)
    connection.execute(f"PRAGMA wal_autocheckpoint = {LOG_PAGES}")
    connection.execute(f"PRAGMA journal_size_limit = {LOG_BYTES}")
    if max_pages is not None:
        connection.execute(f"PRAGMA max_page_count = {max_pages}")
    # A write that changes nothing: a file that we may only read, or a full disk, is told now and not at the first move.
    connection.execute(f"PRAGMA user_version = {FORMAT}")


def _set_durability(connection: sqlite3.Connection, synchronous: Synchronous) -> None:
    connection.execute(f"PRAGMA synchronous = {synchronous}")
    connection.execute(f"PRAGMA fullfsync = {'ON' if synchronous == 'FULL' else 'OFF'}")  # macOS: through the disk's own cache


def _fold(connection: sqlite3.Connection) -> None:
    """Bring what is in the log into the database, while others go on writing."""
    for _ in range(FOLD_PASSES):
        _, in_log, folded = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        if in_log == folded:
            return


class _Appends:
    """What appends need between them; used in the writer's thread only.

    Each statement lets go of the interpreter lock and has to win it back from a busy event loop, so a table is asked for its next
    number once, and the entries of a transaction are written by one statement.
    """

    def __init__(self) -> None:
        self._next_numbers: dict[str, int] = {}  # of tables appended to
        self._cells: list[str | int | bytes] = []  # name, number and entry of each row to write

    def take(self, table: str, number: int, entries: tuple[bytes, ...], connection: sqlite3.Connection) -> None:
        """Append to a table when the transaction ends. Raises `SequenceConflict`, `TableEnded`."""
        next_number = self._next_numbers.get(table) or _next_number(table, connection)
        if number != next_number:
            raise SequenceConflict(table, number, next_number)
        if number == 1:
            connection.execute("INSERT INTO tables (name) VALUES (?)", (table,))
        self._next_numbers[table] = number + len(entries)
        for entry_number, entry in enumerate(entries, number):
            self._cells += (table, entry_number, entry)

    def write(self, connection: sqlite3.Connection) -> None:
        """Write what was taken. Raises `SequenceConflict`, for the first of them."""
        cells, self._cells = self._cells, []
        for first in range(0, len(cells), 3 * ROWS_A_STATEMENT):
            some = cells[first : first + 3 * ROWS_A_STATEMENT]
            rows = ", ".join(("(?, ?, ?)",) * (len(some) // 3))
            try:
                connection.execute(f"INSERT INTO entries (name, number, entry) VALUES {rows}", some)
            except sqlite3.IntegrityError:  # somebody has appended, against the lock; done again alone, others will not conflict
                table, number = str(some[0]), int(some[1])
                raise SequenceConflict(table, number, _next_number(table, connection)) from None

    def end(self, table: str, at_ms: int, connection: sqlite3.Connection) -> None:
        """Note that a table is over."""
        self._next_numbers.pop(table, None)
        connection.execute("UPDATE tables SET ended_at_ms = ? WHERE name = ? AND ended_at_ms IS NULL", (at_ms, table))

    def undone(self) -> None:
        """The transaction was rolled back."""
        self._next_numbers.clear()
        self._cells.clear()


def _next_number(table: str, connection: sqlite3.Connection) -> int:
    """The number of the table's next entry. Raises `TableEnded`."""
    last, ended_at_ms = connection.execute(
        "SELECT (SELECT max(number) FROM entries WHERE name = ?1), (SELECT ended_at_ms FROM tables WHERE name = ?1)", (table,)
    ).fetchone()
    if ended_at_ms is not None:
        raise TableEnded(table)
    return (last or 0) + 1


def _live_page(after: str, connection: sqlite3.Connection) -> list[tuple[str, list[bytes]]]:
    """The next live tables in the order of their names."""
    rows = connection.execute(
        """
        SELECT name, entry FROM entries
        WHERE name IN (SELECT name FROM tables WHERE ended_at_ms IS NULL AND name > ? ORDER BY name LIMIT ?)
        ORDER BY name, number
        """,
        (after, TABLES_A_READ),
    )
    return [(name, [entry for _, entry in group]) for name, group in itertools.groupby(rows, itemgetter(0))]


def _entries(table: str, connection: sqlite3.Connection) -> list[bytes]:
    return [entry for (entry,) in connection.execute("SELECT entry FROM entries WHERE name = ? ORDER BY number", (table,))]


def _forget(at_ms: int, connection: sqlite3.Connection) -> int:
    """Delete some of the tables that ended before; gives how many, zero when there are no more."""
    query = "SELECT name FROM tables WHERE ended_at_ms < ? LIMIT ?"
    names = connection.execute(query, (at_ms, TABLES_A_DELETION)).fetchall()
    connection.executemany("DELETE FROM entries WHERE name = ?", names)
    connection.executemany("DELETE FROM tables WHERE name = ?", names)
    return len(names)


def _get(key: str, connection: sqlite3.Connection) -> bytes | None:
    row = connection.execute("SELECT value FROM small_values WHERE key = ?", (key,)).fetchone()
    return None if row is None else row[0]


def _put(key: str, value: bytes, connection: sqlite3.Connection) -> None:
    connection.execute("INSERT OR REPLACE INTO small_values (key, value) VALUES (?, ?)", (key, value))


def _inode(path: Path) -> int | None:
    try:
        return path.stat().st_ino
    except OSError:
        return None
