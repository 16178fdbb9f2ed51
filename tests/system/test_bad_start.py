"""Commands that can't start: one line with what is wrong and what to do, and nothing on the disk has changed."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tests.system.client import fetch
from tests.system.conftest import Connect
from tests.system.serving import Served, run_durak, serving
from tests.system.tables import one_action, started

BIG = "9" * 30

FLAGS: dict[str, tuple[tuple[str, ...], str]] = {
    "port is a word": (("--port", "http"), "--port"),
    "port is empty": (("--port", ""), "--port"),
    "port is negative": (("--port=-1",), "--port"),
    "port is too high": (("--port", "65536"), "--port"),
    "port is huge": (("--port", BIG), "--port"),
    "port is a fraction": (("--port", "80.5"), "--port"),
    "port is missing": (("--port",), "--port"),
    "host is empty": (("--host", ""), "--host"),
    "host is too long": (("--host", "a" * 80), "--host"),
    "host has a hole": (("--host", "a..b"), "--host"),
    "host is not ascii": (("--host", "café"), "--host"),
    "data is empty": (("--data", ""), "--data"),
    "bot seats are a word": (("--bot-seats", "many"), "--bot-seats"),
    "bot seats are negative": (("--bot-seats=-1",), "--bot-seats"),
    "bot seats are too many": (("--bot-seats", "100001"), "--bot-seats"),
    "bot workers are negative": (("--bot-workers=-1",), "--bot-workers"),
    "bot workers are too many": (("--bot-workers", "257"), "--bot-workers"),
    "thinking takes no time": (("--bot-think-ms", "0"), "--bot-think-ms"),
    "thinking takes too long": (("--bot-think-ms", "501"), "--bot-think-ms"),
    "thinking is a fraction": (("--bot-think-ms", "0.5"), "--bot-think-ms"),
    "connections are a word": (("--max-connections", "all"), "--max-connections"),
    "connections are negative": (("--max-connections=-1",), "--max-connections"),
    "connections are huge": (("--max-connections", BIG), "--max-connections"),
    "tables are a word": (("--max-tables", "x"), "--max-tables"),
    "tables are negative": (("--max-tables=-5",), "--max-tables"),
    "synchronous is unknown": (("--synchronous", "OFF"), "--synchronous"),
    "synchronous is lower case": (("--synchronous", "full"), "--synchronous"),
    "origin is a name": (("--origin", "durak.example"), "--origin"),
    "origin has a path": (("--origin", "https://durak.example/"), "--origin"),
    "origin has a user": (("--origin", "https://me@durak.example"), "--origin"),
    "origin has a bad port": (("--origin", "https://durak.example:99999"), "--origin"),
    "origin is a star": (("--origin", "*"), "--origin"),
    "dev has a value": (("--dev=yes",), "--dev"),
    "an unknown flag": (("--prot", "8080"), "--port"),
    "a stray word": (("now",), "now"),
}


def refused_in_one_line(ended_with: int, told: str, status: int, *words: str, command: str = "serve") -> None:
    """The command ended with this status and told all this, in words for people."""
    assert ended_with == status, told
    assert told.startswith(f"durak {command}: "), told
    assert "Traceback" not in told
    assert "bug in durak" not in told
    assert len(told.strip().splitlines()) <= 2, told
    for word in words:
        assert word in told, told


@pytest.mark.parametrize(("arguments", "named"), FLAGS.values(), ids=FLAGS.keys())
def test_bad_flags(tmp_path: Path, arguments: tuple[str, ...], named: str) -> None:
    ended = run_durak("serve", "--bot-seats", "0", "--data", str(tmp_path / "data"), *arguments)
    refused_in_one_line(ended.returncode, ended.stderr, 2, named, "--help")
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("DURAK_PORT", "http"),
        ("DURAK_PORT", "70000"),
        ("DURAK_HOST", "a..b"),
        ("DURAK_BOT_SEATS", "-1"),
        ("DURAK_BOT_WORKERS", "all"),
        ("DURAK_BOT_THINK_MS", "0"),
        ("DURAK_MAX_CONNECTIONS", "1e3"),
        ("DURAK_MAX_TABLES", "ten"),
        ("DURAK_SYNCHRONOUS", "EXTRA"),
    ],
)
def test_bad_variables(tmp_path: Path, variable: str, value: str) -> None:
    setting: dict[str, Any] = {variable: value}
    ended = run_durak("serve", "--data", str(tmp_path / "data"), **setting)
    refused_in_one_line(ended.returncode, ended.stderr, 2, variable, repr(value))
    assert not (tmp_path / "data").exists()
    assert run_durak("serve", "--help", **setting).returncode == 0


def test_a_flag_counts_more_than_its_variable_and_an_empty_variable_is_none(tmp_path: Path) -> None:
    with serving(tmp_path, DURAK_PORT="nonsense", DURAK_MAX_TABLES="", DURAK_SYNCHRONOUS="NORMAL") as served:
        assert fetch(f"{served.url}/livez")[0] == 200


def test_a_weak_secret(tmp_path: Path) -> None:
    for secret in ("", "short", "x" * 15):
        ended = run_durak("serve", "--port", "0", "--data", str(tmp_path / "data"), "--bot-seats", "0", DURAK_SECRET=secret)
        refused_in_one_line(ended.returncode, ended.stderr, 1, "weak_secret", "Choose a longer one")


def test_an_address_of_another_machine(tmp_path: Path) -> None:
    for host in ("192.0.2.1", "no.such.host.invalid"):
        ended = run_durak("serve", "--port", "0", "--data", str(tmp_path / "data"), "--bot-seats", "0", "--host", host)
        refused_in_one_line(ended.returncode, ended.stderr, 1, "bad_address", host, "--host")


async def test_a_port_in_use(server: Served, connect: Connect, tmp_path: Path) -> None:
    people, _ = await started(connect, server)
    ended = run_durak("serve", "--port", str(server.port), "--data", str(tmp_path / "data"), "--bot-seats", "0")
    refused_in_one_line(ended.returncode, ended.stderr, 1, "port_in_use", str(server.port), "--port")
    await one_action(people)


async def test_a_data_directory_in_use(server: Served, connect: Connect) -> None:
    people, _ = await started(connect, server)
    ended = run_durak("serve", "--port", "0", "--data", str(server.data), "--bot-seats", "0")
    refused_in_one_line(ended.returncode, ended.stderr, 1, "data_in_use", str(server.pid), "Stop that one")
    await one_action(people)


# ---------------------------------------------------------------- data directories


def refused_untouched(data: Path, code: str) -> None:
    """A start on this directory is refused with this code and leaves every file as it is."""
    before = {path.name: path.read_bytes() for path in data.iterdir() if path.is_file()}
    ended = run_durak("serve", "--port", "0", "--data", str(data), "--bot-seats", "0")
    refused_in_one_line(ended.returncode, ended.stderr, 1, code, str(data))
    after = {path.name: path.read_bytes() for path in data.iterdir() if path.is_file() and path.name != "durak.lock"}
    before.pop("durak.lock", None)
    assert after == before


@pytest.fixture
async def played(tmp_path: Path, connect: Connect) -> Path:
    """The data directory of a server that has ended while a game ran."""
    with serving(tmp_path, "--dev") as served:
        people, _ = await started(connect, served)
        for _ in range(3):
            await one_action(people)
        assert served.terminate() == 0
    return served.data


def test_a_damaged_database(played: Path) -> None:
    database = played / "durak.db"
    whole = database.read_bytes()
    page = int.from_bytes(whole[16:18], "big")
    database.write_bytes(whole[: 2 * page] + b"\xff" * page + whole[3 * page :])
    refused_untouched(played, "data_corrupt")
    database.write_bytes(whole)
    with serving(played.parent) as served:
        served.says("1 tables go on where they were")


def test_a_database_cut_short(played: Path) -> None:
    database = played / "durak.db"
    database.write_bytes(database.read_bytes()[:5000])
    refused_untouched(played, "data_corrupt")


@pytest.mark.parametrize(("content", "code"), [(b"", "data_corrupt"), (b"hello " * 1000, "data_foreign"), (b"x", "data_foreign")])
def test_a_file_that_is_no_database(tmp_path: Path, content: bytes, code: str) -> None:
    (tmp_path / "durak.db").write_bytes(content)
    refused_untouched(tmp_path, code)


def test_a_database_of_another_program(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "durak.db") as foreign:
        foreign.execute("CREATE TABLE songs (title TEXT)")
    foreign.close()
    refused_untouched(tmp_path, "data_foreign")


def test_a_database_of_a_newer_version(played: Path) -> None:
    with sqlite3.connect(played / "durak.db") as newer:
        newer.execute("PRAGMA user_version = 999")
    newer.close()
    refused_untouched(played, "data_newer")


def test_a_database_without_its_tables(played: Path) -> None:
    with sqlite3.connect(played / "durak.db") as emptied:
        emptied.execute("DROP TABLE entries")
    emptied.close()
    refused_untouched(played, "data_corrupt")


def test_a_log_without_its_database(tmp_path: Path) -> None:
    (tmp_path / "durak.db-wal").write_bytes(b"x" * 100)
    refused_untouched(tmp_path, "data_corrupt")


def test_a_directory_in_place_of_the_database(tmp_path: Path) -> None:
    (tmp_path / "durak.db").mkdir()
    refused_untouched(tmp_path, "data_foreign")


@pytest.mark.parametrize("where", ["file", "/proc/durak", "/dev/null/durak"])
def test_data_where_none_can_be_kept(tmp_path: Path, where: str) -> None:
    (tmp_path / "file").write_text("mine")
    ended = run_durak("serve", "--port", "0", "--data", str(tmp_path / where), "--bot-seats", "0")
    refused_in_one_line(ended.returncode, ended.stderr, 1, "data_unwritable", where)
    assert (tmp_path / "file").read_text() == "mine"


def test_a_host_token_that_can_not_be_written(tmp_path: Path) -> None:
    (tmp_path / "data" / "host-token").mkdir(parents=True)
    ended = run_durak("serve", "--port", "0", "--data", str(tmp_path / "data"), "--bot-seats", "0")
    refused_in_one_line(ended.returncode, ended.stderr, 1, "host-token")


async def test_a_table_whose_journal_makes_no_sense_is_frozen_and_the_others_play_on(tmp_path: Path, connect: Connect) -> None:
    with serving(tmp_path, "--dev") as served:
        (ann, bob), good = await started(connect, served)
        (cid, _), bad = await started(connect, served, ("Cid", "Dan"))
        served.kill()
        with sqlite3.connect(served.data / "durak.db") as database:
            database.execute("UPDATE entries SET entry = ? WHERE name = ? AND number = 2", (b"\x80", bad))
        database.close()
    copied = tmp_path / "again"
    copied.mkdir()
    shutil.copytree(served.data, copied / "data", ignore=shutil.ignore_patterns("admin.sock"))
    again = Served(copied, "--dev")
    again.start()
    try:
        assert "table frozen: entry 2 can't be carried out" in again.log()
        people = [await connect(again, token=person.token, table=good, seq=person.seq) for person in (ann, bob)]
        await one_action(people)
        late = await connect(again, token=cid.token, table=bad)
        assert late.last("error")["code"] == "frozen"
        assert (await late.refused("join", table=bad))["code"] == "frozen"
        await late.ok("lobby", on=True)
        await late.hears("lobby")
        assert list(late.lobby) == [good]
    finally:
        again.end()


# ---------------------------------------------------------------- the arena

ARENA: dict[str, tuple[tuple[str, ...], str]] = {
    "no bot": ((), "BOT"),
    "one bot": (("normal",), "too_few_bots"),
    "an unknown bot": (("xyzzy", "normal"), "no_such_bot"),
    "two of one name": (("normal", "normal"), "same_name"),
    "a bot that is none": (("a:b:c", "normal"), "bad_bot"),
    "players are a word": (("normal", "easy", "--players", "two"), "--players"),
    "one player": (("normal", "easy", "--players", "1"), "--players"),
    "seven players": (("normal", "easy", "--players", "7"), "--players"),
    "three of two": (("normal", "easy", "--players", "3", "--preset", "challenge"), "--players"),
    "an unknown preset": (("normal", "easy", "--preset", "poker"), "--preset"),
    "no deals": (("normal", "easy", "--deals", "0"), "--deals"),
    "deals are huge": (("normal", "easy", "--deals", BIG), "--deals"),
    "no jobs": (("normal", "easy", "--jobs", "0"), "--jobs"),
    "no time": (("normal", "easy", "--budget-ms", "0"), "bad_budget"),
    "less than no time": (("normal", "easy", "--budget-ms=-5"), "bad_budget"),
    "time is no number": (("normal", "easy", "--budget-ms", "nan"), "bad_budget"),
    "for ever": (("normal", "easy", "--budget-ms", "inf"), "bad_budget"),
    "no nodes": (("normal", "easy", "--budget-nodes", "0"), "bad_budget"),
    "no patience": (("normal", "easy", "--patience-ms", "0"), "--patience-ms"),
    "patience is no number": (("normal", "easy", "--patience-ms", "nan"), "--patience-ms"),
    "a plot of no format": (("normal", "easy", "--plot", "arena.txt"), "--plot"),
    "too many bots": (tuple(f"b{number}=easy" for number in range(40)) + ("--players", "6"), "too_many_games"),
    "an unknown flag": (("normal", "easy", "--deal", "5"), "--deals"),
}


@pytest.mark.parametrize(("arguments", "named"), ARENA.values(), ids=ARENA.keys())
def test_an_arena_that_cannot_be(tmp_path: Path, arguments: tuple[str, ...], named: str) -> None:
    ended = run_durak("arena", "--records", str(tmp_path / "games"), "--resume", str(tmp_path / "kept"), *arguments)
    refused_in_one_line(ended.returncode, ended.stderr, 2, named, "--help", command="arena")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("bot", "code"), [("cmd:./nothing", "bot_does_not_start"), ("nothing:Bot", "bot_does_not_start")])
def test_an_arena_whose_bot_does_not_start(bot: str, code: str) -> None:
    ended = run_durak("arena", "normal", bot)
    refused_in_one_line(ended.returncode, ended.stderr, 1, code, command="arena")


# ---------------------------------------------------------------- an analysis

ANALYSE: dict[str, tuple[tuple[str, ...], str]] = {
    "no game": ((), "GAME"),
    "two games": (("a", "b"), "unrecognized"),
    "no jobs": (("a", "--jobs", "0"), "--jobs"),
    "jobs are a word": (("a", "--jobs", "all"), "--jobs"),
    "jobs are huge": (("a", "--jobs", BIG), "--jobs"),
    "no time": (("a", "--budget-ms", "0"), "bad_budget"),
    "less than no time": (("a", "--budget-ms=-5"), "bad_budget"),
    "time is no number": (("a", "--budget-ms", "nan"), "bad_budget"),
    "for ever": (("a", "--budget-ms", "inf"), "bad_budget"),
    "no nodes": (("a", "--budget-nodes", "0"), "bad_budget"),
    "nodes are a fraction": (("a", "--budget-nodes", "0.5"), "--budget-nodes"),
    "a seed that is a word": (("a", "--seed", "x"), "--seed"),
    "a plot of no format": (("a", "--plot", "chances.txt"), "--plot"),
    "an unknown flag": (("a", "--seats", "1"), "--seat"),
}


@pytest.mark.parametrize(("arguments", "named"), ANALYSE.values(), ids=ANALYSE.keys())
def test_an_analysis_that_cannot_be(tmp_path: Path, arguments: tuple[str, ...], named: str) -> None:
    ended = run_durak("analyse", "--resume", str(tmp_path / "kept"), *arguments)
    refused_in_one_line(ended.returncode, ended.stderr, 2, named, "--help", command="analyse")
    assert list(tmp_path.iterdir()) == []
