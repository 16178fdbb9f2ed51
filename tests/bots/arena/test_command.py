"""`durak arena` from the command line: reproducible, resumable, and every file that it writes."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from durak.clients import dispatch
from durak.protocol.rules.record import read_record, replay
from tests.bots.conftest import Begin
from tests.system.serving import DURAK, environment
from tests.workers import kill_a_worker_of

SMALL = ("easy", "random", "greedy", "--players", "3", "--deals", "6")


def arena(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> str:
    """What `durak arena` prints."""
    assert dispatch.main(["arena", *words]) == status, capsys.readouterr().err
    out, err = capsys.readouterr()
    assert "Traceback" not in err
    return out


def measured(text: str) -> dict[str, Any]:
    """The JSON without what the clock says."""
    result: dict[str, Any] = json.loads(text)
    for bot in result["bots"]:
        del bot["decision_ms"]
    return result


def test_json_has_the_form_that_is_promised(capsys: pytest.CaptureFixture[str]) -> None:
    result = json.loads(arena(capsys, *SMALL, "--json"))
    assert (result["players"], result["deals"], result["games"]) == (3, 6, 18)
    assert [bot["name"] for bot in result["bots"]] == ["easy", "random", "greedy"]
    for bot in result["bots"]:
        low, high = bot["ci95"]
        assert 0 <= low <= bot["score"] <= high <= 1
        assert bot["games"] == 18
        assert bot["durak_ci95"][0] <= bot["durak_rate"] <= bot["durak_ci95"][1]
        assert bot["decision_ms"]["p50"] <= bot["decision_ms"]["p99"] <= bot["decision_ms"]["max"]
        assert bot["forfeited"] == {}
    assert sum(bot["durak_rate"] for bot in result["bots"]) + result["draws"] == pytest.approx(1)
    assert sum(seat["durak_rate"] for seat in result["seats"]) + result["draws"] == pytest.approx(1)
    assert len(result["pairs"]) == 6
    assert result["bots"][1]["rating"]["mu"] < result["bots"][2]["rating"]["mu"]


def test_the_table_names_all_bots_and_all_seats(capsys: pytest.CaptureFixture[str]) -> None:
    out = arena(capsys, *SMALL)
    assert "classic, 3 players, 6 deals, 18 games" in out
    assert "row goes out before column" in out
    for word in ("easy", "random", "greedy", "rating", "p99", "durak rate by seat", "  2  0."):
        assert word in out
    assert "score of row against column" in arena(capsys, "easy", "random", "--deals", "2")
    assert "durak rate of one (row) against 3 (column)" in arena(capsys, "easy", "random", "--players", "4", "--deals", "2")


def test_the_same_seed_gives_the_same_result_with_one_process_and_with_two(capsys: pytest.CaptureFixture[str]) -> None:
    one = measured(arena(capsys, *SMALL, "--json", "--seed", "7"))
    assert measured(arena(capsys, *SMALL, "--json", "--seed", "7", "--jobs", "2")) == one
    assert measured(arena(capsys, *SMALL, "--json", "--seed", "8")) != one


# ---------------------------------------------------------------- files


def test_records_of_all_games_replay_to_the_results_of_the_csv(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    arena(capsys, *SMALL, "--records", str(tmp_path / "games"), "--csv", str(tmp_path / "games.csv"), "--jobs", "2")
    with (tmp_path / "games.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 6 * 3 * 3
    records = sorted((tmp_path / "games").iterdir())
    assert len(records) == 18
    decks = [
        [read_record(record.read_text()).deal.deck for record in records if f"deal{deal:06}" in record.name] for deal in range(6)
    ]
    assert all(len(set(of_a_deal)) == 1 for of_a_deal in decks), "all games of a deal have the same cards"
    assert len({of_a_deal[0] for of_a_deal in decks}) == 6
    for row in rows:
        record = read_record((tmp_path / "games" / f"deal{int(row['deal']):06}-game{int(row['game']):03}.jsonl").read_text())
        result = replay(record).result
        assert result is not None
        assert record.deal.names is not None
        assert record.deal.names[int(row["seat"])] == row["bot"]
        assert (result.durak == int(row["seat"])) == bool(int(row["durak"]))
        assert int(row["seat"]) in result.places[int(row["place"])]


@pytest.mark.usefixtures("matplotlib")
def test_plots_are_written_in_both_formats(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    png, svg = tmp_path / "arena.png", tmp_path / "arena.svg"
    arena(capsys, "easy", "random", "--deals", "3", "--plot", str(png), "--plot", str(svg))
    assert png.read_bytes().startswith(b"\x89PNG")
    assert "<svg" in svg.read_text()


def test_without_matplotlib_a_plot_is_refused_before_anything_is_played(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    out = arena(capsys, "easy", "random", "--deals", "1000000", "--plot", str(tmp_path / "arena.png"), status=1)
    assert out == ""
    assert "rating" in arena(capsys, "easy", "random", "--deals", "2")


@pytest.mark.usefixtures("matplotlib")
def test_a_plot_that_cannot_be_written_loses_nothing(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "a.png").mkdir()
    assert dispatch.main(["arena", "easy", "random", "--deals", "2", "--plot", str(tmp_path / "a.png")]) == 1
    out, err = capsys.readouterr()
    assert "durak rate by seat" in out
    assert "[bad_plot]" in err


@pytest.mark.parametrize("option", ["--plot", "--csv", "--resume"])
def test_a_directory_that_is_missing_is_told_before_anything_is_played(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, option: str
) -> None:
    assert dispatch.main(["arena", "easy", "random", "--deals", "1000000", option, str(tmp_path / "no" / "a.png")]) == 1
    assert "[no_directory]" in capsys.readouterr().err


def test_records_in_place_of_a_file_are_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "games").write_text("mine")
    assert dispatch.main(["arena", "easy", "random", "--records", str(tmp_path / "games")]) == 1
    assert "[no_directory]" in capsys.readouterr().err
    assert (tmp_path / "games").read_text() == "mine"


def test_what_a_bot_did_wrong_is_told(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "broken.py").write_text("class Broken:\n    def choose(self, *_):\n        raise ValueError('oh no')\n")
    out = arena(capsys, "easy", "broken:Broken", "--deals", "2")
    assert "Broken: " in out
    assert "decisions forfeited (4 crashed, " in out
    assert "the first: crashed, exit status 1: ValueError: oh no (deal 0, game 0, seat 1)" in out
    result = json.loads(arena(capsys, "easy", "broken:Broken", "--deals", "2", "--json"))
    assert result["bots"][1]["forfeited"]["crashed"] == 4
    assert "oh no" in result["bots"][1]["complaint"]


# ---------------------------------------------------------------- resuming


def test_a_resumed_run_gives_what_an_uninterrupted_one_gives(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    kept = tmp_path / "arena.jsonl"
    whole = measured(arena(capsys, *SMALL, "--json"))
    arena(capsys, *SMALL[:-1], "2", "--resume", str(kept))
    assert len(kept.read_text().splitlines()) == 3
    assert measured(arena(capsys, *SMALL, "--json", "--resume", str(kept), "--jobs", "2")) == whole
    assert measured(arena(capsys, *SMALL, "--json", "--resume", str(kept))) == whole, "nothing is left to play"
    assert len(kept.read_text().splitlines()) == 7


@pytest.mark.parametrize("cut", [1, 10, 200])
def test_a_line_that_was_cut_off_is_played_again(capsys: pytest.CaptureFixture[str], tmp_path: Path, cut: int) -> None:
    kept = tmp_path / "arena.jsonl"
    whole = measured(arena(capsys, *SMALL, "--json", "--resume", str(kept)))
    kept.write_bytes(kept.read_bytes()[:-cut])
    assert measured(arena(capsys, *SMALL, "--json", "--resume", str(kept))) == whole


def test_a_first_line_that_was_cut_off_begins_anew(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for start in (b"", b'{"arena_fo', b'{"arena_format":1,"durak":"0'):
        (tmp_path / "a").write_bytes(start)
        arena(capsys, *SMALL, "--resume", str(tmp_path / "a"))


def resumed_refused(capsys: pytest.CaptureFixture[str], path: Path, code: str, *words: str) -> str:
    before = path.read_bytes()
    assert dispatch.main(["arena", *words, "--resume", str(path)]) == 1
    err = capsys.readouterr().err
    assert f"[{code}]" in err
    assert path.read_bytes() == before
    return err


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("easy", "random"), "bots"),
        (("easy", "random", "greedy", "--players", "4"), "players"),
        (("easy", "random", "greedy", "--players", "3", "--seed", "2"), "seed"),
        (("easy", "random", "greedy", "--players", "3", "--preset", "gameweave"), "preset"),
        (("easy", "random", "greedy", "--players", "3", "--budget-ms", "5"), "budget_ms"),
        (("easy", "random", "greedy", "--players", "3", "--budget-nodes", "5"), "budget_nodes"),
        (("easy", "random", "x=greedy", "--players", "3"), "bots"),
    ],
)
def test_a_file_of_another_arena_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, words: tuple[str, ...], named: str
) -> None:
    path = tmp_path / "arena.jsonl"
    arena(capsys, *SMALL[:-1], "1", "--resume", str(path))
    assert f"of another arena: {named} " in resumed_refused(capsys, path, "resume_differs", *words)


@pytest.mark.parametrize(("old", "new"), [('"rules":"1.', '"rules":"9.'), ('"durak":"', '"durak":"9'), ('format":1', 'format":2')])
def test_a_file_of_another_version_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path, old: str, new: str) -> None:
    path = tmp_path / "arena.jsonl"
    arena(capsys, *SMALL[:-1], "1", "--resume", str(path))
    path.write_text(path.read_text().replace(old, new, 1))
    resumed_refused(capsys, path, "resume_version", *SMALL)


@pytest.mark.parametrize("content", [b"hello\n", b"hello", b"\xff\xfe\n", b"{}\n", b"[]\n", b'{"first": 1, "next_seed": 3}\n'])
def test_a_file_of_something_else_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "arena.jsonl"
    path.write_bytes(content)
    resumed_refused(capsys, path, "resume_foreign", *SMALL)


def test_a_damaged_line_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "arena.jsonl"
    arena(capsys, *SMALL, "--resume", str(path))
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:2], b"x" + lines[2], *lines[3:]]))
    resumed_refused(capsys, path, "resume_foreign", *SMALL)


# ---------------------------------------------------------------- interrupted

LONG = ("easy", "random", "--deals", "60", "--jobs", "2", "--json")


def test_after_kill_9_the_same_command_ends_with_the_same_result(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, begin: Begin
) -> None:
    whole = measured(arena(capsys, *LONG, "--deals", "600"))
    path = tmp_path / "arena.jsonl"
    process = begin("arena", *LONG, "--deals", "600", "--resume", str(path), file=path, lines=4)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate(timeout=30)
    assert 3 <= path.read_bytes().count(b"\n") < 601
    assert measured(arena(capsys, *LONG, "--deals", "600", "--resume", str(path))) == whole


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_control_c_loses_nothing(capsys: pytest.CaptureFixture[str], tmp_path: Path, begin: Begin, jobs: str) -> None:
    path = tmp_path / "arena.jsonl"
    process = begin("arena", *LONG, "--deals", "100000", "--jobs", jobs, "--resume", str(path), file=path, lines=4)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    result = json.loads(out)
    assert result["asked"] == 100_000
    assert f"interrupted after {result['deals']} of 100000 deals; they are kept in {path}" in err
    kept = path.read_bytes().count(b"\n") - 1
    assert kept - result["deals"] in (0, 1), "one may have come to the file as the signal came"
    again = measured(arena(capsys, *LONG, "--deals", str(result["deals"]), "--resume", str(path)))
    assert again["bots"] == measured(out)["bots"]


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="finds processes through /proc")
def test_after_kill_9_no_process_is_left_not_even_of_a_bot_that_hangs(tmp_path: Path) -> None:
    (tmp_path / "hanging.py").write_text(
        "import os, pathlib, time\n"
        "class Hanging:\n"
        "    def choose(self, *_):\n"
        "        pathlib.Path(f'{os.getpid()}.pid').touch()\n"
        "        time.sleep(1000)\n"
    )
    words = ("arena", "easy", "hanging:Hanging", "--jobs", "2", "--patience-ms", "900000")
    arena_process = subprocess.Popen((*DURAK, *words), env=environment(), cwd=tmp_path, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 40
    while len(bots := list(tmp_path.glob("*.pid"))) < 2:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    arena_process.kill()
    arena_process.wait()
    while any(Path("/proc", bot.stem, "cmdline").exists() and Path("/proc", bot.stem, "cmdline").read_bytes() for bot in bots):
        assert time.monotonic() < deadline
        time.sleep(0.02)


# ---------------------------------------------------------------- a process is killed from outside


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="finds processes through /proc")
def test_an_arena_that_loses_a_process_says_so_and_goes_on_when_asked_again(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, begin: Begin
) -> None:
    path = tmp_path / "arena.jsonl"
    process = begin("arena", *LONG, "--deals", "100000", "--resume", str(path), file=path, lines=4)
    kill_a_worker_of(process.pid)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 1
    assert "Traceback" not in err
    assert err.count("\n") == 1
    result = json.loads(out)
    assert f"[worker_lost] after {result['deals']} of 100000 deals; they are kept in {path}" in err
    again = measured(arena(capsys, *LONG, "--deals", str(result["deals"] + 5), "--resume", str(path)))
    assert again == measured(arena(capsys, *LONG, "--deals", str(result["deals"] + 5)))
