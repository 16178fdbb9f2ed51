"""The file `durak.db`: its format, how it is made, opened, judged and copied; and SQLite's errors in our codes."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

from durak.server.journal.contract import JournalError
from durak.server.journal.directory import sync_directory, unwritable

DATABASE = "durak.db"
COMPANIONS = ("-wal", "-shm", "-journal")
"""What SQLite keeps next to a database that is in use; they belong to it and are moved with it."""
UNFINISHED = f"{DATABASE}.restoring"
"""A copy that `durak restore` has not yet put in its place."""

APPLICATION_ID = 0x4455524B
"""DURK, in the file's header (https://www.sqlite.org/fileformat.html#application_id)."""
FORMAT = 2
"""The format version, in `user_version`. Raise it with a migration in `upgrade` whenever the schema changes."""

ENTRIES = "CREATE TABLE entries (name TEXT NOT NULL, number INTEGER NOT NULL, entry BLOB NOT NULL, UNIQUE (name, number))"
"""Rows lie in the order of their writing: a transaction with entries of many tables fills the last page, and only the small pages
of the index are touched here and there. Sorted by table instead, every entry rewrote a page: twice the work, four times the log."""

SCHEMA = f"""
BEGIN;
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {FORMAT};
CREATE TABLE tables (name TEXT NOT NULL PRIMARY KEY, ended_at_ms INTEGER) WITHOUT ROWID;
CREATE INDEX live_tables ON tables (name) WHERE ended_at_ms IS NULL;
CREATE INDEX ended_tables ON tables (ended_at_ms) WHERE ended_at_ms IS NOT NULL;
{ENTRIES};
CREATE TABLE small_values (key TEXT NOT NULL PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
COMMIT;
"""
TABLES = frozenset({"tables", "entries", "small_values"})

QUICK_CHECK_BYTES = 256 * 1024 * 1024
"""Up to this size a database is checked whole when it is opened.

A check reads every page: about 0.1 s for 100 MB in the page cache, so at most some 0.3 s, and a few seconds from a slow disk.
Above it the two small tables alone are checked, so that opening takes no longer however many games are kept: the pages of
live tables are read a moment later by their recovery, where a broken one is data_corrupt just the same. Neither a kill nor a
power loss breaks a page (that is what the log is for); this finds bad disks and files copied by hand.
"""

COPY_PAGES = 256
"""Pages copied between two strokes of the progress bar."""

_AGAIN = "Go back to an intact backup with 'durak restore', or choose another place"


@contextlib.contextmanager
def in_our_codes(path: Path) -> Iterator[None]:
    """Let SQLite's errors about a file leave as `JournalError`s."""
    try:
        yield
    except sqlite3.Error as error:
        raise coded(error, path) from error


def coded(error: sqlite3.Error, path: Path) -> JournalError:
    """The coded error for one of SQLite's about a file (https://www.sqlite.org/rescode.html)."""
    match getattr(error, "sqlite_errorcode", 0) & 0xFF:
        case sqlite3.SQLITE_FULL:
            return JournalError("data_full", f"there is no room left for {path}", "Free some space on its disk")
        case sqlite3.SQLITE_IOERR:
            return JournalError("data_io", f"{path} failed to be read or written ({error})", "Look after its disk")
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return JournalError("data_busy", f"another program holds {path}", "End the program that has it open")
        case sqlite3.SQLITE_CORRUPT:
            return JournalError("data_corrupt", f"{path} is damaged ({error})", _AGAIN)
        case sqlite3.SQLITE_NOTADB:
            return JournalError("data_foreign", f"{path} is no database of Durak, or its beginning is destroyed", _AGAIN)
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_AUTH:
            hint = "Make it and its directory writable for this user, or choose another place"
            return JournalError("data_unwritable", f"{path} cannot be opened and written ({error})", hint)
        case _:
            return JournalError("data_failed", f"{path} failed ({type(error).__name__}: {error})", "Please report this")


def connect(path: Path, access: Literal["rw", "ro"]) -> sqlite3.Connection:
    """A connection to an existing database, in which only explicit transactions are made; for one thread at a time."""
    uri = f"{path.absolute().as_uri()}?mode={access}"
    return sqlite3.connect(uri, uri=True, timeout=5, isolation_level=None, check_same_thread=False)


def prepare(directory: Path) -> Path:
    """The database of a locked directory, made if there is none; what is not ours is refused untouched.

    Raises `JournalError`: data_corrupt, data_foreign, data_newer, data_unwritable, data_full.
    """
    path = directory / DATABASE
    if (directory / UNFINISHED).exists():
        hint = f"Run 'durak restore' again, or delete {UNFINISHED} to go on without it"
        raise JournalError("data_corrupt", f"a restore into {directory} was interrupted", hint)
    if not path.exists():
        if stray := [name for name in COMPANIONS if (directory / (DATABASE + name)).exists()]:
            what = f"{path} is missing, while its {DATABASE}{stray[0]} is there"
            raise JournalError("data_corrupt", what, "Bring the missing file back, or choose another directory")
        _make(path)
    elif not path.is_file():
        raise JournalError("data_foreign", f"{path} is not a file", "Choose another directory")
    else:
        _look_at_header(path)
    return path


def identify(connection: sqlite3.Connection, path: Path) -> None:
    """Make sure that this is a database of ours, in a format we know. Raises `JournalError`: data_foreign, _newer, _corrupt."""
    with in_our_codes(path):
        if connection.execute("PRAGMA page_count").fetchone()[0] == 0:
            raise JournalError("data_corrupt", f"{path} is empty", _AGAIN)
        if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
            raise JournalError("data_foreign", f"{path} is another program's database", "Choose another place")
        if (version := connection.execute("PRAGMA user_version").fetchone()[0]) > FORMAT:
            what = f"{path} has format {version}, and this version of Durak knows up to {FORMAT}"
            raise JournalError("data_newer", what, "Run the newer version of Durak")
        names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if not names >= TABLES:
            raise JournalError("data_corrupt", f"{path} lacks {', '.join(sorted(TABLES - names))}", _AGAIN)


def upgrade(connection: sqlite3.Connection, path: Path) -> None:
    """Bring an older format to this one, in one transaction. Raises `JournalError`."""
    with in_our_codes(path):
        if connection.execute("PRAGMA user_version").fetchone()[0] == 1:
            connection.executescript(
                f"""
                BEGIN IMMEDIATE;
                ALTER TABLE entries RENAME TO old_entries;
                {ENTRIES};
                INSERT INTO entries (name, number, entry) SELECT name, number, entry FROM old_entries ORDER BY name, number;
                DROP TABLE old_entries;
                PRAGMA user_version = 2;
                COMMIT;
                """
            )


def check_on_opening(connection: sqlite3.Connection, path: Path) -> None:
    """Look for damage, for a bounded time (`QUICK_CHECK_BYTES`). Raises `JournalError`: data_corrupt."""
    if path.stat().st_size <= QUICK_CHECK_BYTES:
        _check(connection, path, "quick_check")
    else:
        for table in sorted(TABLES - {"entries"}):
            _check(connection, path, f"quick_check({table})")


def verify(connection: sqlite3.Connection, path: Path) -> tuple[int, int]:
    """Check all of a database; gives the number of its tables and of their entries. Raises `JournalError`."""
    identify(connection, path)
    _check(connection, path, "integrity_check")
    with in_our_codes(path):
        tables, entries = connection.execute("SELECT (SELECT count(*) FROM tables), (SELECT count(*) FROM entries)").fetchone()
    return tables, entries


def copy(source: Path, access: Literal["rw", "ro"], target: Path, progress: Callable[[int, int], None]) -> tuple[int, int]:
    """Copy a database, also one in use, as of this moment into one new file, and verify that; gives its tables and entries.

    With `access` rw no companions are left beside a source that nobody else uses. `progress` is told pages done and pages in
    all. On any failure nothing new is left behind. Raises `JournalError`.
    """
    with in_our_codes(source), contextlib.closing(connect(source, access)) as ours:
        identify(ours, source)
        ours.execute("BEGIN")  # one snapshot: without it every append of a running server would begin the copy anew
        ours.execute("SELECT count(*) FROM sqlite_master").fetchone()
        _empty(target)
        try:
            with in_our_codes(target), contextlib.closing(connect(target, "rw")) as copied:
                _copy_pages(ours, copied, source, progress)
                copied.execute("PRAGMA journal_mode = DELETE")  # one file, no companions
                return verify(copied, target)
        except BaseException:
            for name in ("", *COMPANIONS):
                target.with_name(target.name + name).unlink(missing_ok=True)
            raise


def _copy_pages(ours: sqlite3.Connection, copied: sqlite3.Connection, source: Path, progress: Callable[[int, int], None]) -> None:
    try:
        ours.backup(copied, pages=COPY_PAGES, progress=lambda _, left, pages: progress(pages - left, pages))
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_CORRUPT:  # not the copy, which was empty
            raise coded(error, source) from error
        raise


def _check(connection: sqlite3.Connection, path: Path, pragma: str) -> None:
    with in_our_codes(path):
        found = connection.execute(f"PRAGMA {pragma}").fetchone()[0]
    if found != "ok":
        raise JournalError("data_corrupt", f"{path} is damaged ({' '.join(found.split())})", _AGAIN)


def _look_at_header(path: Path) -> None:
    """Refuse what is not ours before SQLite recovers it, or gives it companions.

    Only bytes that never change are looked at: after a kill the rest of the file may make sense with its log alone.
    (https://www.sqlite.org/fileformat.html#the_database_header)
    """
    try:
        with path.open("rb") as file:
            header = file.read(100)
    except OSError as error:
        raise unwritable(path, error) from error
    if not header:
        raise JournalError("data_corrupt", f"{path} is empty", _AGAIN)
    if not header.startswith(b"SQLite format 3\0"):
        raise JournalError("data_foreign", f"{path} is no database of Durak, or its beginning is destroyed", _AGAIN)
    if header[68:72] != APPLICATION_ID.to_bytes(4, "big"):
        raise JournalError("data_foreign", f"{path} is another program's database", "Choose another place")


def _make(path: Path) -> None:
    """Make an empty database under another name first, so that one called `durak.db` is always complete."""
    new = path.with_name(f"{DATABASE}.new")
    try:
        for name in ("", *COMPANIONS):
            new.with_name(new.name + name).unlink(missing_ok=True)
        _empty(new)
        with in_our_codes(path), contextlib.closing(connect(new, "rw")) as connection:
            connection.executescript(SCHEMA)
        os.rename(new, path)
        sync_directory(path.parent)
    except OSError as error:
        raise unwritable(path, error) from error


def _empty(path: Path) -> None:
    """Make an empty file for this user's eyes: it will hold the signing key."""
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    except OSError as error:
        raise unwritable(path, error) from error
