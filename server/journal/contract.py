"""What a journal promises, whichever store keeps it. Every store passes one suite: tests/server/journal/test_contract.py.

JournalError            any failure: a stable code, and a hint what to do
├── SequenceConflict    sequence_conflict: the entry's number is taken, or not the next
├── TableEnded          table_ended: an ended table takes no more entries
└── JournalClosed       journal_closed: asked after `close`

The SQLite store adds data_in_use, data_unwritable, data_foreign, data_newer, data_corrupt, data_gone, data_full, data_io,
data_busy and data_failed (database.py, directory.py).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Protocol


class JournalError(Exception):
    """Base of all failures of a journal; its text is one line: the code, what happened, what to do."""

    def __init__(self, code: str, what: str, hint: str) -> None:
        super().__init__(f"{code}: {what}. {hint}.")
        self.code = code
        self.hint = hint


class SequenceConflict(JournalError):
    """The number of the first entry is not the table's next one; `next_number` is. Nothing was appended."""

    def __init__(self, table: str, number: int, next_number: int) -> None:
        what = f"entry {number} of table {table} is refused, the next one is {next_number}"
        super().__init__("sequence_conflict", what, "Another writer has appended: read the table again")
        self.next_number = next_number


class TableEnded(JournalError):
    """The table is over. Nothing was appended."""

    def __init__(self, table: str) -> None:
        super().__init__("table_ended", f"table {table} is over and takes no more entries", "Open another table")


class JournalClosed(JournalError):
    """The journal is closed. Nothing was done."""

    def __init__(self) -> None:
        super().__init__("journal_closed", "the journal is closed", "Open it again")


class Journal(Protocol):
    """The durable truth about all tables, as entries numbered 1, 2, 3, … per table; what an entry means is its owner's affair.

    All of it is called in one event loop. Any method may raise a `JournalError`. Reads see what was acknowledged before.
    """

    def append(self, table: str, number: int, entries: Sequence[bytes]) -> asyncio.Future[None]:
        """Append the entries `number`, `number + 1`, … of a table, all or none; done once they are durable.

        The first entry makes the table. Appends of one table take effect in the order of the calls, without waiting in between.
        Fails with `SequenceConflict` or `TableEnded` for itself alone. After any other failure whether the entries are there is
        unknown until the next append of the same table: the same call may be tried again, and a conflict then means that they are.
        """
        ...

    def live_tables(self) -> AsyncIterator[tuple[str, list[bytes]]]:
        """Every table that has not ended, with all its entries in order; in no order of tables."""
        ...

    async def read(self, table: str) -> list[bytes]:
        """All entries of a table in order, also of an ended one; none if there is no such table."""
        ...

    async def end(self, table: str, at_ms: int) -> None:
        """Note that the table is over, as of this wall-clock time: kept, but recovered no more. Asked again, it changes nothing."""
        ...

    async def forget_ended_before(self, at_ms: int) -> int:
        """Delete the tables that ended before this time, bit by bit between the appends; gives how many."""
        ...

    async def get(self, key: str) -> bytes | None:
        """The small value kept under a key."""
        ...

    async def put(self, key: str, value: bytes) -> None:
        """Keep a small value (a signing key, revoked sessions) under a key, durably."""
        ...

    async def check(self) -> None:
        """Write something and read it back; raises what an append would."""
        ...

    async def close(self) -> None:
        """Commit everything asked for so far and let go of the store. Closing again changes nothing."""
        ...
