"""Opening a data directory that is not as it should be: a code and a hint, and nothing of anybody's is touched."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from durak.server.journal import database
from durak.server.journal.contract import JournalError
from durak.server.journal.sqlite import SqliteJournal


async def refusal(directory: Path) -> JournalError:
    """The error of opening a directory, which leaves all its files as they were, and its lock free."""
    before = contents(directory)
    with pytest.raises(JournalError) as raised:
        await SqliteJournal.open(directory)
    assert contents(directory) == before
    error = raised.value
    assert error.hint
    assert "\n" not in str(error)
    assert not isinstance(error.__context__, JournalError)
    return error


def contents(directory: Path) -> dict[str, bytes | None]:
    """What is in a directory, but for our lock, SQLite's shared memory and an empty log."""
    if not directory.is_dir():
        return {}
    held = {path.name: path.read_bytes() if path.is_file() else None for path in directory.iterdir()}
    nothing = {"durak.lock", "durak.db-shm"} | ({"durak.db-wal"} if held.get("durak.db-wal") == b"" else set())
    return {name: content for name, content in held.items() if name not in nothing}


async def with_entries(directory: Path, count: int) -> None:
    journal = await SqliteJournal.open(directory)
    await journal.append("A", 1, [bytes(1000)] * count)
    await journal.close()


def changed(directory: Path, statement: str) -> None:
    with contextlib.closing(sqlite3.connect(directory / "durak.db")) as connection:
        connection.execute(statement)
        connection.commit()


def overwrite(path: Path, after: int, rubbish: bytes) -> None:
    """Overwrite all of a file after so many bytes."""
    kept = path.read_bytes()
    path.write_bytes((kept[:after] + rubbish * len(kept))[: len(kept)])


async def test_a_directory_is_made_with_its_parents(tmp_path: Path) -> None:
    await with_entries(tmp_path / "a" / "b?c#d%20e" / "ж", 1)
    assert (tmp_path / "a" / "b?c#d%20e" / "ж" / "durak.db").is_file()


class TestInUse:
    async def test_by_this_process(self, journal: SqliteJournal, directory: Path) -> None:
        with pytest.raises(JournalError, match=rf"^data_in_use: .*process {os.getpid()}\."):
            await SqliteJournal.open(directory)
        await journal.append("A", 1, [b"one"])

    async def test_by_another_process_until_it_is_killed(self, directory: Path) -> None:
        script = (
            "import asyncio, sys, pathlib; from durak.server.journal.sqlite import SqliteJournal\n"
            "async def main():\n"
            "    await SqliteJournal.open(pathlib.Path(sys.argv[1])); print('open', flush=True); await asyncio.sleep(600)\n"
            "asyncio.run(main())"
        )
        with subprocess.Popen([sys.executable, "-c", script, directory], stdout=subprocess.PIPE, text=True) as other:
            assert other.stdout is not None
            assert other.stdout.readline() == "open\n"
            with pytest.raises(JournalError, match=rf"^data_in_use: .*process {other.pid}\."):
                await SqliteJournal.open(directory)
            other.kill()
        await with_entries(directory, 1)

    async def test_no_longer_once_it_is_closed(self, directory: Path) -> None:
        await with_entries(directory, 1)
        await (await SqliteJournal.open(directory)).close()


class TestForeign:
    async def test_no_database(self, directory: Path) -> None:
        directory.mkdir()
        (directory / "durak.db").write_bytes(b"Dear diary, " * 1000)
        assert (await refusal(directory)).code == "data_foreign"

    @pytest.mark.parametrize("mode", ["DELETE", "WAL"])
    async def test_another_programs_database(self, directory: Path, mode: str) -> None:
        directory.mkdir()
        changed(directory, f"PRAGMA journal_mode = {mode}")
        changed(directory, "CREATE TABLE entries (diary TEXT)")
        assert (await refusal(directory)).code == "data_foreign"

    async def test_another_programs_unfinished_log_is_left_to_it(self, directory: Path) -> None:
        directory.mkdir()
        with contextlib.closing(sqlite3.connect(directory / "durak.db")) as other:
            other.execute("PRAGMA journal_mode = WAL")
            other.execute("CREATE TABLE diary (day TEXT)")
            other.execute("PRAGMA wal_checkpoint")
            other.execute("INSERT INTO diary VALUES ('Monday')")
            other.commit()
            assert (await refusal(directory)).code == "data_foreign"

    async def test_a_directory_in_its_place(self, directory: Path) -> None:
        (directory / "durak.db").mkdir(parents=True)
        assert (await refusal(directory)).code == "data_foreign"

    async def test_other_files_are_left_alone(self, directory: Path) -> None:
        directory.mkdir()
        (directory / "diary.txt").write_text("Dear diary")
        await with_entries(directory, 1)
        assert (directory / "diary.txt").read_text() == "Dear diary"


FORMAT_1 = f"""
PRAGMA application_id = {database.APPLICATION_ID};
PRAGMA user_version = 1;
CREATE TABLE tables (name TEXT NOT NULL PRIMARY KEY, ended_at_ms INTEGER) WITHOUT ROWID;
CREATE INDEX live_tables ON tables (name) WHERE ended_at_ms IS NULL;
CREATE INDEX ended_tables ON tables (ended_at_ms) WHERE ended_at_ms IS NOT NULL;
CREATE TABLE entries (
    name TEXT NOT NULL, number INTEGER NOT NULL, entry BLOB NOT NULL, PRIMARY KEY (name, number)
) WITHOUT ROWID;
CREATE TABLE small_values (key TEXT NOT NULL PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
INSERT INTO tables VALUES ('A', NULL), ('B', 5);
INSERT INTO entries VALUES ('B', 1, x'01'), ('A', 2, x'02'), ('A', 1, x'01');
INSERT INTO small_values VALUES ('key', x'05');
"""


class TestOlder:
    async def test_format_1_is_upgraded_on_opening(self, directory: Path) -> None:
        directory.mkdir()
        with contextlib.closing(sqlite3.connect(directory / "durak.db")) as connection:
            connection.executescript(FORMAT_1)
        for expected in ([b"\1", b"\2"], [b"\1", b"\2", b"\3"]):
            journal = await SqliteJournal.open(directory)
            assert [table async for table in journal.live_tables()] == [("A", expected)]
            assert await journal.read("B") == [b"\1"]
            assert await journal.get("key") == b"\5"
            if len(expected) == 2:
                await journal.append("A", 3, [b"\3"])
            await journal.close()
        with contextlib.closing(sqlite3.connect(directory / "durak.db")) as connection:
            assert connection.execute("PRAGMA user_version").fetchone() == (database.FORMAT,)
            assert database.verify(connection, directory / "durak.db") == (2, 4)


class TestNewer:
    async def test_a_newer_format(self, directory: Path) -> None:
        await with_entries(directory, 1)
        changed(directory, f"PRAGMA user_version = {database.FORMAT + 1}")
        error = await refusal(directory)
        assert error.code == "data_newer"
        assert f"format {database.FORMAT + 1}" in str(error)

    async def test_a_newer_format_that_is_still_in_the_log(self, directory: Path, tmp_path: Path) -> None:
        journal = await SqliteJournal.open(directory)
        await journal._writer.submit(lambda connection: connection.execute(f"PRAGMA user_version = {database.FORMAT + 1}"))
        killed = tmp_path / "killed"
        killed.mkdir()
        for name in ("durak.db", "durak.db-wal"):
            (killed / name).write_bytes((directory / name).read_bytes())
        await journal.close()
        with pytest.raises(JournalError, match=r"^data_newer: "):
            await SqliteJournal.open(killed)


class TestCorrupt:
    @pytest.mark.parametrize("kept", [0.25, 0.5, 0.9])
    async def test_a_file_cut_short(self, directory: Path, kept: float) -> None:
        await with_entries(directory, 200)
        path = directory / "durak.db"
        os.truncate(path, int(path.stat().st_size * kept))
        assert (await refusal(directory)).code == "data_corrupt"

    async def test_an_empty_file(self, directory: Path) -> None:
        directory.mkdir()
        (directory / "durak.db").touch()
        assert (await refusal(directory)).code == "data_corrupt"

    @pytest.mark.parametrize("rubbish", [b"\0", b"\xff", b"Durak"])
    async def test_overwritten_pages(self, directory: Path, rubbish: bytes) -> None:
        await with_entries(directory, 200)
        overwrite(directory / "durak.db", after=4096, rubbish=rubbish)
        assert (await refusal(directory)).code == "data_corrupt"

    async def test_a_lost_beginning(self, directory: Path) -> None:
        await with_entries(directory, 200)
        with (directory / "durak.db").open("r+b") as file:
            file.write(bytes(4096))
        error = await refusal(directory)
        assert error.code == "data_foreign"
        assert "its beginning is destroyed" in str(error)

    async def test_a_missing_table(self, directory: Path) -> None:
        await with_entries(directory, 1)
        changed(directory, "DROP TABLE entries")
        assert (await refusal(directory)).code == "data_corrupt"

    async def test_a_log_without_its_database(self, directory: Path) -> None:
        await with_entries(directory, 1)
        (directory / "durak.db").rename(directory / "durak.db-wal")
        assert (await refusal(directory)).code == "data_corrupt"

    async def test_an_interrupted_restore(self, directory: Path) -> None:
        await with_entries(directory, 1)
        (directory / database.UNFINISHED).touch()
        error = await refusal(directory)
        assert error.code == "data_corrupt"
        assert "durak restore" in error.hint

    async def test_in_a_large_database_it_is_found_when_the_tables_are_read(
        self, directory: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(database, "QUICK_CHECK_BYTES", 0)
        await with_entries(directory, 200)
        overwrite(directory / "durak.db", after=10 * 4096, rubbish=b"Durak")
        journal = await SqliteJournal.open(directory)
        with pytest.raises(JournalError, match=r"^data_corrupt: "):
            async for _ in journal.live_tables():
                pass
        with pytest.raises(JournalError, match=r"^data_corrupt: "):
            await journal.read("A")
        await journal.close()


class TestTorn:
    """A power loss may leave any beginning of the log; every such beginning holds whole commits."""

    async def test_any_beginning_of_the_log_is_some_beginning_of_the_table(self, directory: Path, tmp_path: Path) -> None:
        journal = await SqliteJournal.open(directory)
        for number in range(1, 31):
            await journal.append("A", number, [b"%d" % number] * 1)
        base, log = (directory / "durak.db").read_bytes(), (directory / "durak.db-wal").read_bytes()
        await journal.close()
        seen: set[int] = set()
        for cut in (*range(0, len(log), len(log) // 20), len(log) - 1, len(log)):
            torn = tmp_path / f"torn at {cut}"
            torn.mkdir()
            (torn / "durak.db").write_bytes(base)
            (torn / "durak.db-wal").write_bytes(log[:cut])
            recovered = await SqliteJournal.open(torn)
            entries = await recovered.read("A")
            assert entries == [b"%d" % number for number in range(1, len(entries) + 1)]
            await recovered.append("A", len(entries) + 1, [b"on we go"])
            await recovered.close()
            seen.add(len(entries))
        assert {0, 29, 30} <= seen

    async def test_a_log_that_was_being_folded_into_the_database(self, directory: Path, tmp_path: Path) -> None:
        journal = await SqliteJournal.open(directory)
        before = (directory / "durak.db").read_bytes()
        for number in range(1, 31):
            await journal.append("A", number, [bytes([number]) * 1000])
        changed(directory, "PRAGMA wal_checkpoint")
        log, after = (directory / "durak.db-wal").read_bytes(), (directory / "durak.db").read_bytes()
        await journal.close()
        assert len(after) > len(before)
        for folded in range(0, len(after), 4096):
            killed = tmp_path / f"killed at {folded}"
            killed.mkdir()
            (killed / "durak.db").write_bytes(after[:folded] + before[folded:])
            (killed / "durak.db-wal").write_bytes(log)
            recovered = await SqliteJournal.open(killed)
            assert await recovered.read("A") == [bytes([number]) * 1000 for number in range(1, 31)]
            await recovered.close()

    async def test_a_database_that_was_being_made_is_made_anew(self, directory: Path) -> None:
        directory.mkdir()
        (directory / "durak.db.new").write_bytes(b"SQLite form")
        (directory / "durak.db.new-journal").write_bytes(b"rest")
        await with_entries(directory, 1)
        assert {path.name for path in directory.iterdir()} == {"durak.db", "durak.lock"}


class TestUnwritable:
    @pytest.fixture
    def stranger(self) -> Iterator[Path]:
        """A directory everyone may enter, and no longer the rights of root."""
        with tempfile.TemporaryDirectory() as name:
            os.chmod(name, 0o777)
            user = os.geteuid()
            if user == 0:
                os.seteuid(65534)
            try:
                yield Path(name)
            finally:
                os.seteuid(user)

    async def test_a_file_instead_of_a_directory(self, directory: Path) -> None:
        directory.write_text("a file")
        assert (await refusal(directory)).code == "data_unwritable"
        assert directory.read_text() == "a file"

    async def test_below_a_file(self, directory: Path) -> None:
        directory.write_text("a file")
        assert (await refusal(directory / "below")).code == "data_unwritable"

    async def test_a_directory_without_the_right_to_write(self, stranger: Path) -> None:
        (stranger / "data").mkdir()
        (stranger / "data").chmod(0o555)
        assert (await refusal(stranger / "data")).code == "data_unwritable"

    async def test_a_directory_that_cannot_be_made(self, stranger: Path) -> None:
        (stranger / "parent").mkdir()
        (stranger / "parent").chmod(0o555)
        assert (await refusal(stranger / "parent" / "data")).code == "data_unwritable"

    async def test_a_file_that_may_only_be_read(self, stranger: Path) -> None:
        await with_entries(stranger / "data", 1)
        (stranger / "data" / "durak.db").chmod(0o444)
        assert (await refusal(stranger / "data")).code == "data_unwritable"

    async def test_a_file_that_may_not_be_read(self, stranger: Path) -> None:
        await with_entries(stranger / "data", 1)
        (stranger / "data" / "durak.db").chmod(0)
        with pytest.raises(JournalError, match=r"^data_unwritable: "):
            await SqliteJournal.open(stranger / "data")

    async def test_a_device(self) -> None:
        with pytest.raises(JournalError, match=r"^data_unwritable: "):
            await SqliteJournal.open(Path("/dev/null"))
