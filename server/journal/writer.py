"""Group commit: one thread that commits together whatever has been asked for since its last commit."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections import deque
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NamedTuple, TypeVar

from durak.server.journal.contract import JournalError
from durak.server.journal.database import coded

Result = TypeVar("Result")
Work = Callable[[sqlite3.Connection], Result]


class _Request(NamedTuple):
    work: Work[Any]  # each request has its own result type
    future: asyncio.Future[Any]


class _Outcome(NamedTuple):
    future: asyncio.Future[Any]
    result: Any
    error: Exception | None


class GroupCommit:
    """The only writer of a database. Requests are worked on in the order of their submission, many to a transaction.

    What comes in one turn of the event loop shares a commit, and so does what comes during the last one.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        path: Path,
        *,
        finish: Callable[[sqlite3.Connection], object] = lambda connection: None,
        undone: Callable[[], object] = lambda: None,
    ) -> None:
        """Start the thread, which owns the connection from now on. To be called in the event loop that will submit.

        Both are called in the thread: `finish` at the end of a transaction, to write what its works have left for one statement,
        and `undone` when a transaction was rolled back, and nothing that its works noted is true.
        """
        self.commits = 0
        self._finish = finish
        self._undone = undone
        self._connection = connection
        self._path = path
        self._loop = asyncio.get_running_loop()
        self._requests: deque[_Request] = deque()
        self._summoned = False
        self._going: SimpleQueue[bool] = SimpleQueue()
        # A daemon: a process that dies without `stop` loses nothing that was acknowledged, and must not hang.
        self._thread = threading.Thread(target=self._run, name="journal-writer", daemon=True)
        self._thread.start()

    def submit(self, work: Work[Result]) -> asyncio.Future[Result]:
        """Have `work` done in the thread; the future is done when its transaction is on disk.

        A `work` that raises fails alone. One that refuses with a `JournalError` must do so before it writes.
        """
        future: asyncio.Future[Result] = self._loop.create_future()
        self._requests.append(_Request(work, future))
        if not self._summoned:
            self._summon()
        return future

    def stop(self) -> None:
        """Finish all that was submitted, close the connection and end the thread; blocks until then."""
        self._going.put(False)
        self._thread.join()

    def _summon(self) -> None:
        self._summoned = True
        self._loop.call_soon(self._going.put, True)

    def _run(self) -> None:
        going = True
        while going:
            going = self._going.get()
            batch = [self._requests.popleft() for _ in range(len(self._requests))]
            outcomes = self._commit(batch) if batch else []
            try:
                self._loop.call_soon_threadsafe(self._committed, outcomes)
            except RuntimeError:  # the loop is closed: nobody waits any more
                pass
            del batch, outcomes  # hold no entries while idle
        self._connection.close()

    def _committed(self, outcomes: list[_Outcome]) -> None:
        """In the event loop: tell of a transaction, and begin the next if there is something for it."""
        self._summoned = False
        if self._requests:
            self._summon()
        for future, result, error in outcomes:
            if future.done():  # its caller has cancelled it
                continue
            if error is None:
                future.set_result(result)
            else:
                future.set_exception(error)

    def _commit(self, batch: list[_Request]) -> list[_Outcome]:
        connection = self._connection
        try:
            connection.execute("BEGIN IMMEDIATE")
            outcomes = [self._work(request) for request in batch]
            self._finish(connection)
            connection.execute("COMMIT")
            self.commits += 1
            return outcomes
        except Exception as error:
            failure = self._told(error)
        self._undone()
        try:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        except sqlite3.Error:  # the disk is failing; what is told is the first failure
            pass
        if len(batch) > 1:  # on account of one of them, say one too large for the disk: each for itself, then
            return [outcome for request in batch for outcome in self._commit([request])]
        return [_Outcome(batch[0].future, None, failure)]

    def _work(self, request: _Request) -> _Outcome:
        """Do one request of a transaction. A `JournalError` is its refusal, raised before it has written anything."""
        try:
            return _Outcome(request.future, request.work(self._connection), None)
        except JournalError as refusal:
            return _Outcome(request.future, None, refusal)

    def _told(self, error: Exception) -> Exception:
        return coded(error, self._path) if isinstance(error, sqlite3.Error) else error
