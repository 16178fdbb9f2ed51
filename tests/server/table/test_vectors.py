"""Every vector of the rules holds on the table machine, and the script that runs them says so."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.protocol.rules.run_vectors import RUNNERS, Failure

RULES = Path(__file__).parents[2] / "protocol" / "rules"
VECTORS = RULES / "vectors.json"
NO_DRAW = {"draw": False, "forfeits": []}
DRAWN = {"draw": True, "forfeits": []}


@pytest.mark.parametrize("vector", json.loads(VECTORS.read_text())["vectors"], ids=lambda vector: vector["id"])
def test_vector(vector: dict[str, Any]) -> None:
    RUNNERS[vector.get("kind", "play")](vector)


def script(*arguments: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, RULES / "run_vectors.py", *arguments], capture_output=True, text=True, check=False)


def broken(folder: Path, change: dict[str, Any]) -> Path:
    """A file with two vectors that hold and between them one that does not."""
    file = folder / "vectors.json"
    vectors = [vector for vector in json.loads(VECTORS.read_text())["vectors"] if vector["id"] in ("A01", "D03")]
    file.write_text(json.dumps({"vectors": [vectors[0], {**vectors[0], "id": "BROKEN", **change}, vectors[1]]}))
    return file


SERIES: dict[str, Any] = {
    "kind": "series",
    "id": "SERIES",
    "preset": "challenge",
    "games": [
        {"occupied": [0, 2, 3], "first_seat": 0, "previous_winner": None, "places": [[1], [2], [0]], "durak": 0, **NO_DRAW},
        {
            "occupied": [0, 2, 3],
            "first_seat": 1,
            "previous_winner": 1,
            "places": [[0, 1, 2]],
            "durak": None,
            "draw": True,
            "forfeits": [],
        },
        {"occupied": [2, 3], "first_seat": 1, "previous_winner": 0, "places": [[1], [0]], "durak": 0, **NO_DRAW},
        {"occupied": [0, 2], "first_seat": 0, "previous_winner": None, "places": [[1], [0]], "durak": 0, **NO_DRAW},
    ],
}


def test_a_series_vector_tells_who_is_dealt_to_first_and_who_has_won() -> None:
    RUNNERS["series"](SERIES)
    for part in ("first_seat", "previous_winner"):
        games = [*SERIES["games"][:1], {**SERIES["games"][1], part: 2}]
        with pytest.raises(Failure, match=part):
            RUNNERS["series"]({**SERIES, "games": games})


LEAVING: dict[str, Any] = {
    "id": "LEAVING",
    "preset": "classic",
    "players": 3,
    "trump": "S",
    "hands": {"0": ["7H", "KC"], "1": ["9H"], "2": ["7C"]},
    "stock": [],
    "attacker": 0,
    "bout": 2,
    "steps": [
        {"seat": 0, "act": "leave", "expect": {"views": {"spectator": {"left": [0]}}}},
        {"seat": 0, "act": "leave", "refused": "already_left"},
        {"seat": 0, "act": "lead", "card": "7H"},
        {"seat": 2, "act": "leave", "expect": {"phase": "over", "forfeits": [0, 2]}},
        {"seat": 1, "act": "defend", "card": "9H", "refused": "not_playing"},
    ],
}


def test_a_vector_with_leaving_and_a_refusal_by_the_table_goes_on() -> None:
    RUNNERS["play"](LEAVING)
    with pytest.raises(Failure, match="not_playing"):
        RUNNERS["play"]({**LEAVING, "steps": [*LEAVING["steps"][:4], {"seat": 1, "act": "take"}]})


def test_the_script_exits_0_when_all_vectors_hold() -> None:
    done = script(VECTORS)
    assert (done.returncode, done.stderr) == (0, "")
    assert "FAIL" not in done.stdout


@pytest.mark.parametrize(
    "change",
    [
        {"expect": {"phase": "over"}},
        {"steps": [{"seat": 0, "act": "lead", "card": "AC"}]},
        {"steps": [{"seat": 0, "act": "lead", "card": "7H", "refused": "rank"}]},
        {"expect": {"weather": "fine"}},
        {"trump": "X"},
        {"attacker": None},
        {"hands": None},
    ],
    ids=["expectation", "refused", "accepted", "unknown part", "no suit", "no attacker", "no hands"],
)
def test_the_script_prints_a_line_per_failing_vector_and_exits_1(tmp_path: Path, change: dict[str, Any]) -> None:
    done = script(broken(tmp_path, change))
    assert (done.returncode, done.stderr) == (1, "")
    failing = [line for line in done.stdout.splitlines() if line.startswith("FAIL")]
    assert len(failing) == 1
    assert failing[0].startswith("FAIL BROKEN: ")
    assert done.stdout.splitlines()[-1] == "2 of 3 vectors hold"


@pytest.mark.parametrize("text", ["", "{", "[]", '{"about": "nothing"}', "null", '{"vectors": 3}', '{"vectors": ["A01"]}'])
def test_the_script_exits_2_for_a_file_that_holds_no_vectors(tmp_path: Path, text: str) -> None:
    file = tmp_path / "vectors.json"
    file.write_text(text)
    done = script(file)
    assert (done.returncode, done.stdout) == (2, "")
    assert str(file) in done.stderr
    assert "Traceback" not in done.stderr


def test_the_script_exits_2_without_a_readable_file(tmp_path: Path) -> None:
    assert script(tmp_path / "missing.json").returncode == 2
    assert script(tmp_path).returncode == 2
    assert script().returncode == 2
