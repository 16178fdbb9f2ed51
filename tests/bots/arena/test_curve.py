"""Strength over thinking: from the JSON of several arenas to a plot, and what cannot be drawn is refused with a code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from durak.bots.arena.curve import main, point_of
from durak.clients.dispatch import main as durak


def arena(capsys: pytest.CaptureFixture[str], path: Path, *options: str) -> Path:
    assert durak(["arena", "cheap", "random", "--deals", "3", "--json", *options]) == 0
    path.write_text(capsys.readouterr().out)
    return path


@pytest.mark.usefixtures("matplotlib")
def test_a_curve_has_a_point_for_each_arena(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [arena(capsys, tmp_path / f"{nodes}.json", "--budget-nodes", str(nodes)) for nodes in (100, 1000)]
    found = json.loads(files[0].read_text())
    point = point_of(files[0])
    assert (point.bots, point.players, point.unit, point.budget) == (("cheap", "random"), 2, "nodes", 100)
    assert (point.score, [point.low, point.high]) == (found["bots"][0]["score"], found["bots"][0]["ci95"])
    assert point.fair == found["fair"]["score"]
    for name in ("curve.svg", "curve.png"):
        assert main([*map(str, files), "--plot", str(tmp_path / name)]) == 0
        assert (tmp_path / name).stat().st_size > 5_000
    assert "<!-- cheap against random, 2 players -->" in (tmp_path / "curve.svg").read_text()  # beside its drawn letters


@pytest.mark.usefixtures("matplotlib")
def test_what_cannot_be_drawn_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = arena(capsys, tmp_path / "good.json", "--budget-nodes", "100")
    other = arena(capsys, tmp_path / "other.json", "--budget-ms", "1")
    both = arena(capsys, tmp_path / "both.json", "--budget-ms", "1", "--budget-nodes", "100")
    none = arena(capsys, tmp_path / "none.json")
    junk = tmp_path / "junk.json"
    junk.write_text("[1, 2]")
    for files, why in (
        ([tmp_path / "missing.json"], "cannot be read"),
        ([junk], "is not what"),
        ([none], "is not what"),
        ([both], "has two budgets"),
        ([good, other], "not of the same"),
    ):
        assert main([*map(str, files), "--plot", str(tmp_path / "x.svg")]) == 1
        told = capsys.readouterr().err
        assert why in told
        assert told.endswith("[bad_result]\n")
    assert main([str(good), "--plot", str(tmp_path / "no" / "x.svg")]) == 1
    assert capsys.readouterr().err.endswith("[bad_plot]\n")
    with pytest.raises(SystemExit) as ended:
        main([str(good), "--plot", "x.pdf"])
    assert ended.value.code == 2
