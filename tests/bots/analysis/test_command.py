"""`durak analyse` from the command line: reproducible, resumable, in words, and every file that it writes."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from durak.bots.players.easy import Easy
from durak.bots.players.normal import Normal
from durak.clients import dispatch
from durak.protocol.rules.record import write_record
from tests.bots.analysis.games import Planter, game_of
from tests.bots.conftest import Begin
from tests.workers import kill_a_worker_of

ROUGH = ("--budget-nodes", "2000")


@pytest.fixture
def game(tmp_path: Path) -> str:
    """The file of a game between Anna and Boris."""
    path = tmp_path / "game.jsonl"
    path.write_text(write_record(game_of([Easy(), Normal()], 4, names=["Anna", "Boris"])))
    return str(path)


@pytest.fixture
def lost(tmp_path: Path) -> str:
    """The file of a game in which Anna throws a won ending away."""
    path = tmp_path / "lost.jsonl"
    path.write_text(write_record(game_of([Planter(), Normal()], 8, names=["Anna", "Boris"])))
    return str(path)


def analysed(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> str:
    """What `durak analyse` prints."""
    assert dispatch.main(["analyse", *words]) == status, capsys.readouterr().err
    out, err = capsys.readouterr()
    assert "Traceback" not in err
    return out


def refused(capsys: pytest.CaptureFixture[str], code: str, *words: str) -> str:
    """The one line that says why not."""
    assert dispatch.main(["analyse", *words]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("durak analyse: ")
    assert f"[{code}]" in err
    return err


# ---------------------------------------------------------------- JSON


def test_json_has_the_form_that_is_promised(capsys: pytest.CaptureFixture[str], game: str) -> None:
    result = json.loads(analysed(capsys, game, *ROUGH, "--json"))
    promised = Path("docs/analysis.md").read_text()
    assert set(result) == {
        *("format", "rules", "preset", "players", "names", "result", "seed", "budget", "asked", "judged", "seats", "decisions")
    }
    assert (result["format"], result["players"], result["names"]) == (1, 2, ["Anna", "Boris"])
    assert result["asked"] == result["judged"] == len(result["decisions"])
    assert sum(seat["decisions"] for seat in result["seats"]) <= result["judged"]
    for decision in result["decisions"]:
        assert 0 <= decision["after"] <= decision["before"] <= 1
        assert decision["loss"] == decision["before"] - decision["after"]
        assert (decision["grade"] is None) == (decision["better_line"] is None) == (decision["played_line"] is None)
    for name in (*result, *result["decisions"][0], *result["seats"][0]):
        assert f"`{name}`" in promised, f"docs/analysis.md does not explain {name}"


def test_the_same_seed_gives_the_same_result_with_one_process_and_with_two(capsys: pytest.CaptureFixture[str], game: str) -> None:
    one = analysed(capsys, game, *ROUGH, "--json")
    assert analysed(capsys, game, *ROUGH, "--json", "--jobs", "2") == one
    assert analysed(capsys, game, *ROUGH, "--json", "--seed", "2") != one


# ---------------------------------------------------------------- for people


def test_the_table_and_the_summary_say_in_words_what_was_wrong(capsys: pytest.CaptureFixture[str], lost: str) -> None:
    out = analysed(capsys, lost, "--budget-nodes", "20000", "--jobs", "2")
    assert "classic, 2 players: Anna (seat 0), Boris (seat 1)." in out
    assert "Game over: Anna is the durak." in out
    assert "From here the ending is solved: chances are exact." in out
    assert re.search(r"\n +\d+  Anna    took .* beat \S+ with \S+ +100 +0  blunder\n", out)
    assert re.search(r"\nBout \d+: Anna took, a blunder. It cost 100 points, from 100 to 0.\n", out)
    assert re.search(r"\n  Better, solved: Anna beats .* Game over: Boris is the durak.\n", out)
    assert re.search(r"\n  Made, solved: Anna takes. .* Game over: Anna is the durak.\n", out)
    assert re.search(r"Anna made \d blunder.*in bout \d+ Anna took although \S+ beats \S+; it cost 100 points of 100.", out)


def test_the_table_fits_eighty_columns_and_has_no_colours_in_a_pipe(capsys: pytest.CaptureFixture[str], game: str) -> None:
    out = analysed(capsys, game, *ROUGH)
    assert "\x1b" not in out
    table = out.split("\n\n")[1].splitlines()
    assert len(table) > 30
    assert max(map(len, table)) <= 80


def test_one_player_is_spoken_to(capsys: pytest.CaptureFixture[str], lost: str) -> None:
    by_name = analysed(capsys, lost, *ROUGH, "--seat", "Anna")
    assert by_name == analysed(capsys, lost, *ROUGH, "--seat", "0")
    assert "Game over: you are the durak." in by_name
    assert "\nYou made " in by_name
    assert "Boris" not in by_name.split("\n\n")[1], "the table is of Anna's decisions alone"


def test_names_that_are_no_names_become_seats(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for names in (["same", "same"], ["Anna", "B" * 30], ["Anna", "\x1b[2J"], None):
        path = tmp_path / "game.jsonl"
        path.write_text(write_record(game_of([Normal(), Normal()], 4, names=names)))
        out = analysed(capsys, str(path), "--budget-nodes", "1")
        assert "\x1b" not in out
        assert "seat 1 made " in out or "[2J made " in out


def test_cards_are_letters_where_that_is_asked_for(capsys: pytest.CaptureFixture[str], game: str) -> None:
    assert analysed(capsys, game, *ROUGH, "--ascii").isascii()


def test_a_record_from_standard_input(capsys: pytest.CaptureFixture[str], game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = analysed(capsys, game, *ROUGH)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path(game).read_bytes())))
    assert analysed(capsys, "-", *ROUGH) == whole


def test_an_unfinished_game_is_judged_as_far_as_it_goes(capsys: pytest.CaptureFixture[str], game: str, tmp_path: Path) -> None:
    part = tmp_path / "part.jsonl"
    part.write_text("".join(Path(game).read_text().splitlines(keepends=True)[:12]))
    assert "The record ends before the game does" in analysed(capsys, str(part), *ROUGH)
    assert json.loads(analysed(capsys, str(part), *ROUGH, "--json"))["result"] is None


@pytest.mark.usefixtures("matplotlib")
def test_plots_are_written_in_both_formats(capsys: pytest.CaptureFixture[str], lost: str, tmp_path: Path) -> None:
    png, svg = tmp_path / "chances.png", tmp_path / "chances.svg"
    analysed(capsys, lost, "--budget-nodes", "500", "--plot", str(png), "--plot", str(svg))
    assert png.read_bytes().startswith(b"\x89PNG")
    assert "<svg" in svg.read_text()


# ---------------------------------------------------------------- what cannot be


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"hello\n",
        b"\xff\xfe\x00",
        b"{}\n",
        b"[]\n",
        b'{"rules": "1.0.0"}\n',
        b"S | 6S 7H / 8S 9H\n",
        b"0:7H 1:8H\n",
        b"\x00" * 100,
    ],
)
def test_what_is_no_record(capsys: pytest.CaptureFixture[str], tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(content)
    refused(capsys, "bad_record", str(path))


def test_a_record_that_is_cut_off_in_a_line_says_what_to_do(capsys: pytest.CaptureFixture[str], game: str) -> None:
    Path(game).write_text(Path(game).read_text()[:-20])
    assert "delete it" in refused(capsys, "bad_record", game)


def test_a_record_of_other_rules(capsys: pytest.CaptureFixture[str], game: str) -> None:
    Path(game).write_text(Path(game).read_text().replace('"rules": "1.', '"rules": "9.', 1))
    refused(capsys, "unknown_version", game)


def test_a_record_in_which_a_move_is_impossible(capsys: pytest.CaptureFixture[str], game: str) -> None:
    lines = Path(game).read_text().splitlines(keepends=True)
    Path(game).write_text("".join([*lines[:5], *lines[8:]]))
    refused(capsys, "diverged", game)


def test_a_file_that_is_not_there_or_a_directory(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    refused(capsys, "no_file", str(tmp_path / "nothing"))
    refused(capsys, "no_file", str(tmp_path))
    refused(capsys, "no_file", "a\x00b")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no endless file")
def test_a_file_without_end(capsys: pytest.CaptureFixture[str]) -> None:
    refused(capsys, "bad_record", "/dev/zero")


@pytest.mark.parametrize("seat", ["2", "-1", "Vera", "", "00", "²"])
def test_a_seat_that_is_not_there(capsys: pytest.CaptureFixture[str], game: str, seat: str) -> None:
    assert "there are 0 Anna, 1 Boris" in refused(capsys, "no_such_seat", game, f"--seat={seat}")


def test_a_game_in_which_nobody_decided_anything(capsys: pytest.CaptureFixture[str], game: str) -> None:
    Path(game).write_text(Path(game).read_text().splitlines(keepends=True)[0])
    refused(capsys, "nothing_to_judge", game)


@pytest.mark.parametrize("option", ["--plot", "--resume"])
def test_a_directory_that_is_missing_is_told_before_anything_is_judged(
    capsys: pytest.CaptureFixture[str], game: str, tmp_path: Path, option: str
) -> None:
    refused(capsys, "no_directory", game, "--budget-ms", "1000000", option, str(tmp_path / "no" / "a.png"))


def test_without_matplotlib_a_plot_is_refused_before_anything_is_judged(
    capsys: pytest.CaptureFixture[str], game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    refused(capsys, "no_matplotlib", game, "--budget-ms", "1000000", "--plot", str(tmp_path / "a.png"))


# ---------------------------------------------------------------- resuming


def test_a_resumed_run_gives_what_an_uninterrupted_one_gives(capsys: pytest.CaptureFixture[str], game: str, tmp_path: Path) -> None:
    kept, parts = tmp_path / "whole", tmp_path / "parts"
    whole = analysed(capsys, game, *ROUGH, "--json", "--resume", str(kept))
    lines = kept.read_bytes().splitlines(keepends=True)
    parts.write_bytes(b"".join(lines[:10]) + lines[10][:-5])
    assert analysed(capsys, game, *ROUGH, "--json", "--resume", str(parts), "--jobs", "2") == whole
    assert parts.read_bytes() == kept.read_bytes()
    assert analysed(capsys, game, *ROUGH, "--json", "--resume", str(parts)) == whole, "nothing is left to judge"


@pytest.mark.parametrize(
    ("words", "named"),
    [(("--seed", "2"), "seed"), (("--budget-nodes", "3000"), "budget_nodes"), (("--budget-ms", "5"), "budget_ms")],
)
def test_progress_of_another_analysis_is_refused(
    capsys: pytest.CaptureFixture[str], game: str, lost: str, tmp_path: Path, words: tuple[str, ...], named: str
) -> None:
    kept = tmp_path / "kept"
    analysed(capsys, game, *ROUGH, "--resume", str(kept), "--seat", "0")
    before = kept.read_bytes()
    assert f"of another analysis: {named} " in refused(capsys, "resume_differs", game, *ROUGH, *words, "--resume", str(kept))
    assert "of another analysis: game " in refused(capsys, "resume_differs", lost, *ROUGH, "--resume", str(kept))
    assert kept.read_bytes() == before


def test_a_file_of_something_else_is_refused(capsys: pytest.CaptureFixture[str], game: str, tmp_path: Path) -> None:
    refused(capsys, "resume_foreign", game, *ROUGH, "--resume", game)
    arena = tmp_path / "arena"
    assert dispatch.main(["arena", "easy", "random", "--deals", "1", "--resume", str(arena)]) == 0
    capsys.readouterr()
    refused(capsys, "resume_foreign", game, *ROUGH, "--resume", str(arena))


# ---------------------------------------------------------------- interrupted


def analysing(begin: Begin, game: str, kept: Path, jobs: str) -> subprocess.Popen[str]:
    """An analysis that has judged a few decisions."""
    words = ("analyse", game, "--budget-nodes", "20000", "--json", "--jobs", jobs, "--resume", str(kept))
    return begin(*words, file=kept, lines=3)


def ended(process: subprocess.Popen[str], kept: Path, status: int, told: str) -> dict[str, Any]:
    """What an analysis that was broken off has printed."""
    out, err = process.communicate(timeout=30)
    assert process.returncode == status, err
    assert err.count("\n") == 1
    result: dict[str, Any] = json.loads(out)
    assert 2 <= result["judged"] < result["asked"]
    assert f"{told} after {result['judged']} of {result['asked']} decisions; they are kept in {kept}" in err
    return result


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_control_c_loses_nothing(capsys: pytest.CaptureFixture[str], game: str, tmp_path: Path, begin: Begin, jobs: str) -> None:
    kept = tmp_path / "kept"
    process = analysing(begin, game, kept, jobs)
    os.killpg(process.pid, signal.SIGINT)
    part = ended(process, kept, 130, "interrupted")
    lines = [json.loads(line) for line in kept.read_text().splitlines()[1:]]
    assert [line["number"] for line in lines][: part["judged"]] == [decision["number"] for decision in part["decisions"]]


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="finds processes through /proc")
def test_an_analysis_that_loses_a_process_says_so_and_goes_on_when_asked_again(
    capsys: pytest.CaptureFixture[str], game: str, tmp_path: Path, begin: Begin
) -> None:
    kept = tmp_path / "kept"
    process = analysing(begin, game, kept, "2")
    kill_a_worker_of(process.pid)
    part = ended(process, kept, 1, "[worker_lost]")
    again = analysed(capsys, game, "--budget-nodes", "20000", "--json", "--resume", str(kept), "--seat", "0")
    mine = json.loads(again)["decisions"]
    assert [decision for decision in part["decisions"] if decision["seat"] == 0] == mine[
        : sum(d["seat"] == 0 for d in part["decisions"])
    ]
