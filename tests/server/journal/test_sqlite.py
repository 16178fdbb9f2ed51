"""The SQLite journal: a full disk, a vanished file, and how it is set up."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from pathlib import Path

import pytest

from durak.server.journal.contract import JournalError, SequenceConflict
from durak.server.journal.sqlite import SqliteJournal, Synchronous


class TestFullDisk:
    async def fill(self, journal: SqliteJournal) -> int:
        """Append until refused; gives the number of the last entry that was taken."""
        number = 0
        while True:
            try:
                await journal.append("A", number + 1, [bytes(1000)])
            except JournalError as error:
                if error.code != "data_full":
                    raise
                return number
            number += 1

    async def test_what_was_acknowledged_is_kept(self, directory: Path) -> None:
        journal = await SqliteJournal.open(directory, max_pages=30)
        last = await self.fill(journal)
        assert last > 10
        assert len(await journal.read("A")) == last
        await journal.close()
        journal = await SqliteJournal.open(directory)
        assert len(await journal.read("A")) == last
        await journal.append("A", last + 1, [b"there is room again"])
        await journal.close()

    async def test_every_append_is_told(self, directory: Path) -> None:
        journal = await SqliteJournal.open(directory, max_pages=30)
        await self.fill(journal)
        appends = [journal.append(f"T{number}", 1, [bytes(5000)]) for number in range(50)]
        outcomes = await asyncio.gather(*appends, return_exceptions=True)
        assert {getattr(outcome, "code", None) for outcome in outcomes} == {"data_full"}
        await journal.close()

    async def test_a_large_append_fails_and_the_small_ones_beside_it_do_not(self, directory: Path) -> None:
        journal = await SqliteJournal.open(directory, max_pages=30)
        outcomes = await asyncio.gather(
            journal.append("A", 1, [b"small"]),
            journal.append("B", 1, [b"begins", bytes(1_000_000)]),
            journal.append("C", 1, [b"small"]),
            return_exceptions=True,
        )
        assert [getattr(outcome, "code", None) for outcome in outcomes] == [None, "data_full", None]
        assert [table async for table, _ in journal.live_tables()] == ["A", "C"]
        await journal.close()

    async def test_it_goes_on_when_something_was_deleted(self, directory: Path) -> None:
        journal = await SqliteJournal.open(directory, max_pages=30)
        last = await self.fill(journal)
        await journal.end("A", 1)
        assert await journal.forget_ended_before(2) == 1
        await journal.append("B", 1, [bytes(1000)] * (last // 2))
        await journal.close()

    async def test_a_check_tells(self, directory: Path) -> None:
        journal = await SqliteJournal.open(directory, max_pages=30)
        await self.fill(journal)
        await journal.put("filler", b"")
        with pytest.raises(JournalError, match=r"^data_full: "):
            await journal.put("filler", bytes(100_000))
        await journal.close()


class TestCheck:
    async def test_a_deleted_file_is_noticed(self, journal: SqliteJournal) -> None:
        await journal.check()
        journal.path.unlink()
        with pytest.raises(JournalError, match=r"^data_gone: "):
            await journal.check()

    async def test_a_replaced_file_is_noticed(self, journal: SqliteJournal) -> None:
        copy = journal.path.with_name("copy")
        copy.write_bytes(b"another")
        copy.rename(journal.path)
        with pytest.raises(JournalError, match=r"^data_gone: "):
            await journal.check()


class TestSetUp:
    @pytest.mark.parametrize(("synchronous", "level"), [("FULL", 2), ("NORMAL", 1)])
    async def test_synchronous(self, directory: Path, synchronous: Synchronous, level: int) -> None:
        journal = await SqliteJournal.open(directory, synchronous=synchronous)
        assert await journal._writer.submit(lambda connection: connection.execute("PRAGMA synchronous").fetchone()[0]) == level
        await journal.close()

    async def test_full_is_the_default_and_the_log_is_written_ahead(self, journal: SqliteJournal) -> None:
        def asked(connection: sqlite3.Connection) -> tuple[object, ...]:
            return tuple(connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("synchronous", "journal_mode"))

        assert await journal._writer.submit(asked) == (2, "wal")

    async def test_recovery_reads_along_the_keys_and_sorts_nothing(self, journal: SqliteJournal) -> None:
        seen: list[str] = []
        journal._reading.set_trace_callback(seen.append)
        await journal.append("A", 1, [b"one"])
        assert [table async for table, _ in journal.live_tables()] == ["A"]
        journal._reading.set_trace_callback(None)
        with contextlib.closing(sqlite3.connect(journal.path)) as connection:
            plan = " | ".join(row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {seen[0]}"))
        assert "live_tables" in plan
        assert "TEMP B-TREE" not in plan

    async def test_the_journal_is_for_its_user_only(self, journal: SqliteJournal, directory: Path) -> None:
        await journal.put("signing key", b"secret")
        assert directory.stat().st_mode & 0o077 == 0
        assert {path.name: path.stat().st_mode & 0o077 for path in directory.iterdir()} == {
            "durak.db": 0,
            "durak.db-shm": 0,
            "durak.db-wal": 0,
            "durak.lock": 0,
        }

    async def test_closing_leaves_one_file_and_the_lock(self, directory: Path) -> None:
        journal = await SqliteJournal.open(directory)
        await journal.append("A", 1, [b"one"])
        await journal.close()
        assert {path.name for path in directory.iterdir()} == {"durak.db", "durak.lock"}


class TestAnotherWriter:
    """The lock of the directory keeps others out; should somebody write all the same, it is told as what it is."""

    def write_as_another(self, journal: SqliteJournal, number: int) -> None:
        with contextlib.closing(sqlite3.connect(journal.path)) as connection, connection:
            connection.execute("INSERT INTO entries (name, number, entry) VALUES ('A', ?, 'foreign')", (number,))

    async def test_alone_it_is_a_conflict(self, journal: SqliteJournal) -> None:
        await journal.append("A", 1, [b"one"])
        self.write_as_another(journal, 2)
        with pytest.raises(SequenceConflict) as refusal:
            await journal.append("A", 2, [b"two"])
        assert refusal.value.next_number == 3

    async def test_in_company_it_concerns_nobody_else(self, journal: SqliteJournal) -> None:
        await asyncio.gather(journal.append("A", 1, [b"one"]), journal.append("B", 1, [b"one"]))
        self.write_as_another(journal, 2)
        outcomes = await asyncio.gather(journal.append("B", 2, [b"two"]), journal.append("A", 2, [b"two"]), return_exceptions=True)
        assert [type(outcome) for outcome in outcomes] == [type(None), SequenceConflict]
        assert await journal.read("B") == [b"one", b"two"]


async def test_many_entries_at_once_keep_their_order(journal: SqliteJournal) -> None:
    entries = [str(number).encode() for number in range(200)]
    await asyncio.gather(journal.append("A", 1, entries[:150]), journal.append("A", 151, entries[150:]))
    assert await journal.read("A") == entries


class TestTheLog:
    async def test_it_begins_anew_when_it_was_folded(self, directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("durak.server.journal.sqlite.ENTRIES_A_FOLD", 20)
        monkeypatch.setattr("durak.server.journal.sqlite.LOG_PAGES", 200)
        journal = await SqliteJournal.open(directory)
        for number in range(1, 600):
            await journal.append("A", number, [bytes(1_000)])
        assert journal.path.with_name("durak.db-wal").stat().st_size < 1_500_000, "of the 6,000,000 that were written"
        assert len(await journal.read("A")) == 599
        await journal.close()

    async def test_a_failure_to_fold_is_logged_and_appends_go_on(
        self, journal: SqliteJournal, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        monkeypatch.setattr("durak.server.journal.sqlite.ENTRIES_A_FOLD", 2)
        journal._folding.close()
        await journal.append("A", 1, [b"one", b"two"])
        await journal.append("A", 3, [b"three"])
        while not caplog.records:
            await asyncio.sleep(0.01)
        assert "the log was not folded" in caplog.text
        assert await journal.read("A") == [b"one", b"two", b"three"]
