"""Group commit: what is asked for during a commit shares the next one, and a failure stays with whom it belongs to."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from durak.server.journal.contract import JournalError
from durak.server.journal.writer import GroupCommit


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "letters.db"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE letters (letter TEXT PRIMARY KEY)")
    return path


@pytest.fixture
async def writer(path: Path) -> AsyncIterator[GroupCommit]:
    writer = GroupCommit(sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=0), path)
    yield writer
    writer.stop()


def write(*letters: str) -> Callable[[sqlite3.Connection], str]:
    def work(connection: sqlite3.Connection) -> str:
        for letter in letters:
            connection.execute("INSERT INTO letters VALUES (?)", (letter,))
        return "".join(letters)

    return work


def written(path: Path) -> str:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return "".join(letter for (letter,) in connection.execute("SELECT letter FROM letters ORDER BY letter"))


class Gate:
    """A request that keeps the writer busy until it is opened."""

    def __init__(self, writer: GroupCommit) -> None:
        self._entered = threading.Event()
        self._open = threading.Event()
        self.passed = writer.submit(self._wait)

    def _wait(self, connection: sqlite3.Connection) -> None:
        self._entered.set()
        self._open.wait()

    async def entered(self) -> None:
        await asyncio.to_thread(self._entered.wait)

    def open(self) -> None:
        self._open.set()


async def together(writer: GroupCommit, *works: Callable[[sqlite3.Connection], object]) -> list[object]:
    """The outcomes of requests that all wait while a commit is going on."""
    gate = Gate(writer)
    await gate.entered()
    futures = [writer.submit(work) for work in works]
    gate.open()
    outcomes: list[object] = await asyncio.gather(*futures, return_exceptions=True)
    return outcomes


async def test_an_idle_writer_commits_at_once(writer: GroupCommit, path: Path) -> None:
    assert await writer.submit(write("a")) == "a"
    assert written(path) == "a"
    assert writer.commits == 1


async def test_what_gathers_during_a_commit_shares_the_next(writer: GroupCommit, path: Path) -> None:
    alphabet = "abcdefghijklmnopqrstuvwxyz"
    assert await together(writer, *map(write, alphabet)) == list(alphabet)
    assert written(path) == alphabet
    assert writer.commits == 2  # the gate's, and one for all


async def test_what_comes_in_one_turn_of_the_loop_shares_a_commit(writer: GroupCommit, path: Path) -> None:
    await asyncio.gather(*(writer.submit(write(letter)) for letter in "abc"))
    assert writer.commits == 1


async def test_a_thousand_owners_at_once(writer: GroupCommit, path: Path) -> None:
    async def owner(name: int) -> None:
        for number in range(5):
            await writer.submit(write(f"{name}-{number} "))

    await asyncio.gather(*map(owner, range(1000)))
    assert len(written(path).split()) == 5000
    assert writer.commits < 5000


async def test_futures_are_done_in_the_order_of_submission(writer: GroupCommit) -> None:
    done: list[str] = []
    gate = Gate(writer)
    await gate.entered()
    futures = [writer.submit(write(letter)) for letter in "zyxw"]
    for future in futures:
        future.add_done_callback(lambda future: done.append(future.result()))
    gate.open()
    await asyncio.gather(*futures)
    assert done == list("zyxw")


async def test_a_failing_request_is_undone_and_fails_alone(writer: GroupCommit, path: Path) -> None:
    a, again, b = await together(writer, write("a"), write("x", "y", "a"), write("b"))
    assert (a, b) == ("a", "b")
    assert isinstance(again, JournalError)
    assert again.code == "data_failed"
    assert written(path) == "ab"


async def test_a_bug_in_a_request_fails_alone_as_what_it_is(writer: GroupCommit, path: Path) -> None:
    a, bug, b = await together(writer, write("a"), write("x", "\ud800"), write("b"))
    assert (a, b) == ("a", "b")
    assert isinstance(bug, UnicodeEncodeError)
    assert written(path) == "ab"


async def test_a_cancelled_request_disturbs_nobody(writer: GroupCommit) -> None:
    gate = Gate(writer)
    await gate.entered()
    cancelled, waited = writer.submit(write("a")), writer.submit(write("b"))
    cancelled.cancel()
    gate.open()
    assert await waited == "b"


async def test_when_no_transaction_can_begin_all_fail_and_the_thread_goes_on(writer: GroupCommit, path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        outcomes = await asyncio.gather(writer.submit(write("a")), writer.submit(write("b")), return_exceptions=True)
        assert [getattr(outcome, "code", None) for outcome in outcomes] == ["data_busy", "data_busy"]
        other.execute("ROLLBACK")
    assert await writer.submit(write("c")) == "c"
    assert written(path) == "c"


async def test_when_sqlite_gives_the_transaction_up_the_others_are_done_again(writer: GroupCommit, path: Path) -> None:
    def give_up(connection: sqlite3.Connection) -> None:
        connection.execute("ROLLBACK")
        connection.execute("INSERT INTO nowhere VALUES (1)")

    a, given_up, b = await together(writer, write("a"), give_up, write("b"))
    assert (a, b) == ("a", "b")
    assert isinstance(given_up, JournalError)
    assert written(path) == "ab"


async def test_a_loop_that_has_gone_does_not_stop_the_thread(path: Path) -> None:
    loop = asyncio.new_event_loop()

    async def begin() -> tuple[GroupCommit, Gate]:
        writer = GroupCommit(sqlite3.connect(path, isolation_level=None, check_same_thread=False), path)
        gate = Gate(writer)
        writer.submit(write("a"))
        return writer, gate

    writer, gate = await asyncio.to_thread(loop.run_until_complete, begin())
    loop.close()
    gate.open()
    await asyncio.to_thread(writer.stop)
    assert written(path) == "a"
