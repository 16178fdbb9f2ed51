"""`durak backup` and `durak restore`, as they are typed."""

from __future__ import annotations

import asyncio
import os
import pty
import sqlite3
import sys
from pathlib import Path

import pytest

from durak.server.journal import database
from durak.server.journal.sqlite import SqliteJournal


class Ended:
    """How a command ended."""

    def __init__(self, status: int, out: str, err: str) -> None:
        self.status = status
        self.out = out
        self.err = err

    @property
    def code(self) -> str:
        """The code in the one line that a failed command says."""
        assert (self.status, self.out, self.err.count("\n")) == (1, "", 1), (self.status, self.out, self.err)
        return self.err.split(": ")[1]


async def durak(*words: str | Path, environment: dict[str, str] | None = None) -> Ended:
    command = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "durak.clients.dispatch", *map(str, words)),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=os.environ | (environment or {}),
    )
    out, err = await command.communicate()
    assert command.returncode is not None
    return Ended(command.returncode, out.decode(), err.decode())


async def everything(directory: Path) -> dict[str, list[bytes]]:
    journal = await SqliteJournal.open(directory)
    found = {table: entries async for table, entries in journal.live_tables()}
    await journal.close()
    return found


@pytest.fixture
async def games(directory: Path) -> dict[str, list[bytes]]:
    """What is in a directory that no server runs on."""
    journal = await SqliteJournal.open(directory)
    await asyncio.gather(*(journal.append(table, 1, [table.encode()] * 50) for table in "ABC"))
    await journal.append("ENDED", 1, [b"over"])
    await journal.end("ENDED", 1_000)
    await journal.put("signing key", b"secret")
    await journal.close()
    return {table: [table.encode()] * 50 for table in "ABC"}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "copy.durak"


class TestRoundTrip:
    async def test_into_another_directory(self, games: dict[str, list[bytes]], directory: Path, file: Path, tmp_path: Path) -> None:
        backed_up = await durak("backup", "--data", directory, file)
        assert (backed_up.status, backed_up.err) == (0, "")
        assert backed_up.out.startswith("4 tables with 151 entries (")
        restored = await durak("restore", "--data", tmp_path / "new", file)
        assert (restored.status, restored.err) == (0, "")
        assert restored.out.startswith("4 tables with 151 entries (")
        assert await everything(tmp_path / "new") == games
        journal = await SqliteJournal.open(tmp_path / "new")
        assert await journal.read("ENDED") == [b"over"]
        assert await journal.get("signing key") == b"secret"
        await journal.append("A", 51, [b"play goes on"])
        await journal.close()

    async def test_while_the_server_appends(self, journal: SqliteJournal, directory: Path, tmp_path: Path) -> None:
        acknowledged = dict.fromkeys("ABCDE", 0)
        stopping = False

        async def play(table: str) -> None:
            while not stopping:
                await journal.append(table, acknowledged[table] + 1, [f"{table} {acknowledged[table] + 1} ".encode() * 50])
                acknowledged[table] += 1

        players = asyncio.gather(*map(play, acknowledged))
        taken: list[tuple[Path, dict[str, int]]] = []
        for number in range(3):
            before = dict(acknowledged)
            file = tmp_path / f"copy {number}"
            ended = await durak("backup", "--data", directory, file)
            assert (ended.status, ended.err) == (0, "")
            taken.append((file, before))
        stopping = True
        await players
        for file, before in taken:
            new = tmp_path / f"{file.name} restored"
            assert (await durak("restore", "--data", new, file)).status == 0
            found = await everything(new)
            for table, entries in found.items():
                assert before[table] <= len(entries) <= acknowledged[table]
                assert entries == [f"{table} {number} ".encode() * 50 for number in range(1, len(entries) + 1)]

    async def test_of_a_killed_server_with_its_log(
        self, journal: SqliteJournal, directory: Path, file: Path, tmp_path: Path
    ) -> None:
        await journal.append("A", 1, [b"one"])
        killed = tmp_path / "killed"
        killed.mkdir()
        for name in ("durak.db", "durak.db-wal"):
            (killed / name).write_bytes((directory / name).read_bytes())
        assert (await durak("backup", "--data", killed, file)).status == 0
        assert (await durak("restore", "--data", tmp_path / "new", file)).status == 0
        assert await everything(tmp_path / "new") == {"A": [b"one"]}

    async def test_the_directory_from_the_environment(self, games: dict[str, list[bytes]], directory: Path, file: Path) -> None:
        assert (await durak("backup", file, environment={"DURAK_DATA": str(directory)})).status == 0
        assert file.is_file()


class TestBackup:
    async def test_is_one_file_for_its_user_only(self, games: dict[str, list[bytes]], directory: Path, tmp_path: Path) -> None:
        (tmp_path / "backups").mkdir()
        assert (await durak("backup", "--data", directory, tmp_path / "backups" / "copy")).status == 0
        assert [path.name for path in (tmp_path / "backups").iterdir()] == ["copy"]
        assert (tmp_path / "backups" / "copy").stat().st_mode & 0o077 == 0
        database.verify(sqlite3.connect(tmp_path / "backups" / "copy"), tmp_path / "backups" / "copy")
        assert [path.name for path in (tmp_path / "backups").iterdir()] == ["copy"]

    async def test_overwrites_only_when_forced(self, games: dict[str, list[bytes]], directory: Path, file: Path) -> None:
        file.write_text("Dear diary")
        assert (await durak("backup", "--data", directory, file)).code == "backup_exists"
        assert file.read_text() == "Dear diary"
        assert (await durak("backup", "--data", directory, file, "--force")).status == 0
        assert file.read_bytes().startswith(b"SQLite format 3")

    @pytest.mark.parametrize("name", ["durak.db", "durak.db-wal", "durak.lock"])
    async def test_never_overwrites_the_servers_own(self, games: dict[str, list[bytes]], directory: Path, name: str) -> None:
        assert (await durak("backup", "--data", directory, directory / name, "--force")).code == "backup_exists"
        assert await everything(directory) == games

    async def test_never_overwrites_a_directory(self, games: dict[str, list[bytes]], directory: Path, tmp_path: Path) -> None:
        assert (await durak("backup", "--data", directory, tmp_path, "--force")).code == "backup_exists"

    async def test_needs_a_server_to_have_been_there(self, directory: Path, file: Path) -> None:
        assert (await durak("backup", "--data", directory, file)).code == "data_missing"
        assert not directory.exists()
        assert not file.exists()

    async def test_needs_a_place(self, games: dict[str, list[bytes]], directory: Path, tmp_path: Path) -> None:
        assert (await durak("backup", "--data", directory, tmp_path / "no" / "copy")).code == "data_unwritable"

    async def test_of_a_damaged_database_is_refused_and_leaves_nothing(self, directory: Path, tmp_path: Path) -> None:
        journal = await SqliteJournal.open(directory)
        await journal.append("A", 1, [bytes(1000)] * 200)
        await journal.close()
        os.truncate(directory / "durak.db", (directory / "durak.db").stat().st_size // 2)
        before = sorted(tmp_path.iterdir())
        assert (await durak("backup", "--data", directory, tmp_path / "copy")).code == "data_corrupt"
        assert sorted(tmp_path.iterdir()) == before

    async def test_shows_its_progress_on_a_terminal(self, games: dict[str, list[bytes]], directory: Path, file: Path) -> None:
        master, slave = pty.openpty()
        command = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "durak.clients.dispatch", "backup", "--data", str(directory), str(file)),
            stdout=asyncio.subprocess.DEVNULL,
            stderr=slave,
        )
        assert await command.wait() == 0
        os.close(slave)
        shown = os.read(master, 10_000).decode()
        os.close(master)
        assert f"backing up [{'#' * 40}] 100%" in shown
        assert "\n" not in shown

    @pytest.mark.parametrize("words", [(), ("a", "b"), ("a", "--data")])
    @pytest.mark.parametrize("command", ["backup", "restore"])
    async def test_bad_usage(self, command: str, words: tuple[str, ...]) -> None:
        ended = await durak(command, *words)
        assert ended.status == 2
        assert f"Try 'durak {command} --help'." in ended.err


class TestRestore:
    @pytest.fixture
    async def copy(self, games: dict[str, list[bytes]], directory: Path, file: Path) -> Path:
        """A backup of `games`."""
        assert (await durak("backup", "--data", directory, file)).status == 0
        return file

    async def test_refuses_while_a_server_runs(self, copy: Path, directory: Path, games: dict[str, list[bytes]]) -> None:
        journal = await SqliteJournal.open(directory)
        assert (await durak("restore", "--data", directory, copy, "--force")).code == "data_in_use"
        await journal.append("A", 51, [b"undisturbed"])
        await journal.close()
        assert (await everything(directory))["A"] == [*games["A"], b"undisturbed"]

    async def test_refuses_a_directory_with_something_in_it(self, copy: Path, tmp_path: Path) -> None:
        (tmp_path / "home").mkdir()
        (tmp_path / "home" / "diary.txt").write_text("Dear diary")
        ended = await durak("restore", "--data", tmp_path / "home", copy)
        assert ended.code == "data_not_empty"
        assert "diary.txt" in ended.err
        assert (await durak("restore", "--data", tmp_path / "home", copy, "--force")).status == 0
        assert (tmp_path / "home" / "diary.txt").read_text() == "Dear diary"

    async def test_forced_it_keeps_the_old_database_aside(self, copy: Path, directory: Path, games: dict[str, list[bytes]]) -> None:
        journal = await SqliteJournal.open(directory)
        await journal.append("LATER", 1, [b"one"])
        await journal.close()
        assert (await durak("restore", "--data", directory, copy)).code == "data_not_empty"
        ended = await durak("restore", "--data", directory, copy, "--force")
        assert ended.status == 0
        assert await everything(directory) == games
        (aside,) = directory.glob("durak.db.*")
        assert str(aside) in ended.out
        aside.rename(directory / "durak.db")
        assert await everything(directory) == games | {"LATER": [b"one"]}

    async def test_a_damaged_old_database_and_its_log_are_kept_aside_too(
        self, copy: Path, directory: Path, games: dict[str, list[bytes]]
    ) -> None:
        (directory / "durak.db").write_bytes(b"rubbish")
        (directory / "durak.db-wal").write_bytes(b"more rubbish")
        assert (await durak("restore", "--data", directory, copy, "--force")).status == 0
        assert await everything(directory) == games
        assert sorted(path.read_bytes() for path in directory.glob("durak.db.*")) == [b"more rubbish", b"rubbish"]

    async def test_twice_in_a_second_keeps_both(self, copy: Path, directory: Path) -> None:
        for _ in range(3):
            assert (await durak("restore", "--data", directory, copy, "--force")).status == 0
        assert len(list(directory.glob("durak.db.*"))) == 3

    async def test_after_an_interrupted_one(self, copy: Path, tmp_path: Path, games: dict[str, list[bytes]]) -> None:
        (tmp_path / "new").mkdir()
        (tmp_path / "new" / database.UNFINISHED).write_bytes(copy.read_bytes()[:5000])
        assert (await durak("restore", "--data", tmp_path / "new", copy)).status == 0
        assert await everything(tmp_path / "new") == games

    async def test_of_a_damaged_file_is_refused_and_changes_nothing(
        self, copy: Path, directory: Path, games: dict[str, list[bytes]]
    ) -> None:
        os.truncate(copy, copy.stat().st_size // 2)
        assert (await durak("restore", "--data", directory, copy, "--force")).code == "data_corrupt"
        copy.write_bytes(b"Dear diary, " * 1000)
        assert (await durak("restore", "--data", directory, copy, "--force")).code == "data_foreign"
        assert sorted(path.name for path in directory.iterdir()) == ["durak.db", "durak.lock"]
        assert await everything(directory) == games

    async def test_of_a_newer_file_is_refused(self, copy: Path, tmp_path: Path) -> None:
        connection = sqlite3.connect(copy)
        connection.execute(f"PRAGMA user_version = {database.FORMAT + 1}")
        connection.close()
        assert (await durak("restore", "--data", tmp_path / "new", copy)).code == "data_newer"

    async def test_of_no_file(self, directory: Path, file: Path) -> None:
        assert (await durak("restore", "--data", directory, file)).code == "backup_missing"
        assert not directory.exists()

    async def test_of_the_database_over_itself(self, games: dict[str, list[bytes]], directory: Path) -> None:
        assert (await durak("restore", "--data", directory, directory / "durak.db", "--force")).code == "backup_missing"
        assert await everything(directory) == games
