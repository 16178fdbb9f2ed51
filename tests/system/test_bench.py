"""`durak bench server`: it measures a real server, says when it measured itself, and draws."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from durak.server.bench import bots, report, server
from durak.server.bench.processes import BenchError
from tests.system.serving import run_durak

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc")


@pytest.mark.usefixtures("matplotlib")
@pytest.mark.timeout(120)
def test_a_small_load_is_measured_beside_a_bare_fan_out(tmp_path: Path) -> None:
    plot = tmp_path / "load.svg"
    arguments = ("--tables", "3", "--seats", "2", "--rate", "5", "--seconds", "2", "--spectators", "2", "--idle", "3")
    ran = run_durak("bench", "server", *arguments, "--processes", "2", "--json", "--plot", str(plot), timeout_s=100)
    measured = json.loads(ran.stdout)
    assert measured["broken"] == 0, measured["failure"]
    assert (measured["tables"], measured["connections"], measured["unanswered"]) == (3, 11, 0)
    assert 5 < measured["actions_per_s"] <= 33
    for times in ("ack_ms", "broadcast_ms", "bare_ack_ms", "fsync_ms", "late_ms"):
        assert 0 <= measured[times]["p50"] <= measured[times]["p99"] <= measured[times]["max"]
    assert measured["broadcast_ms"]["max"] >= measured["ack_ms"]["p50"]
    assert measured["cpu_us_per_action"]["all"] > measured["bare_us_per_action"] > 0
    assert measured["kib_per_connection"] > 0
    assert (ran.returncode == 1) == (measured["void"] is not None)
    assert plot.read_text().startswith("<?xml")
    shown = report.text_of(measured)
    assert "action to last update" in shown
    assert "bare fan-out" in shown


@pytest.mark.timeout(120)
def test_tables_of_hard_bots_are_measured() -> None:
    arguments = ("--tables", "3", "--seats", "2", "--level", "hard", "--workers", "1", "--think-ms", "20", "--seconds", "4")
    ran = run_durak("bench", "bots", *arguments, "--json", timeout_s=100)
    measured = json.loads(ran.stdout)
    assert (measured["broken"], measured["replaced"]) == (0, 0)
    # Not that all are more than people's: the server and the people's process take their times each for itself.
    assert all(measured[rate] > 0 for rate in ("people_actions_per_s", "all_actions_per_s", "thoughts_per_s"))
    assert 0 < measured["mean_budget_ms"] <= 20
    assert 0 <= measured["broadcast_ms"]["p50"] <= measured["broadcast_ms"]["p99"]
    assert 0 < measured["arrival_to_broadcast_ms"]["p50"] <= measured["arrival_to_broadcast_ms"]["p99"]
    assert all(measured[f"{who}_cores"] > 0 for who in ("server", "host", "workers"))
    assert (ran.returncode == 1) == (measured["without"] > 0)
    shown = bots.text_of(measured)
    assert "3 tables of 2 hard bots, 1 workers" in shown
    assert "a person's action to last update" in shown


def test_a_quantile_lies_evenly_within_its_bin() -> None:
    assert bots.quantile({0.01: 50, 0.02: 100, float("inf"): 100}, 0.5) == pytest.approx(10)
    assert bots.quantile({0.01: 50, 0.02: 100, float("inf"): 100}, 0.75) == pytest.approx(15)
    assert bots.quantile({0.01: 0, 0.02: 1, float("inf"): 4}, 0.99) == pytest.approx(20)
    assert bots.quantile({0.01: 0, float("inf"): 0}, 0.5) is None


def test_a_load_that_is_late_voids_its_run() -> None:
    result = {"broken": 0, "late_ms": {"p99": 5.1}}
    assert "the load, not the server" in str(server.why_void(result))
    assert server.why_void({"broken": 0, "late_ms": {"p99": 5.0}}) is None
    assert "have failed" in str(server.why_void({"broken": 2, "late_ms": {"p99": None}}))


def test_percentiles() -> None:
    assert server.percentiles([]) == {"p50": None, "p95": None, "p99": None, "max": None}
    assert server.percentiles(list(range(1_000, 101_000, 1_000))) == {"p50": 51.0, "p95": 96.0, "p99": 100.0, "max": 100.0}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--seats", "7"), "argument --seats: choose 2 to 6"),
        (("--rate", "0"), "argument --rate: choose 0.001 to 1000"),
        (("--processes", "0"), "argument --processes: choose 1 to 256"),
        (("--think-ms", "0"), "argument --think-ms: choose 1 to 500"),
        (("--workers", "0"), "argument --workers: choose 1 to 256"),
        (("--idle", "-1"), "argument --idle: choose 0 to 1000000"),
    ],
)
def test_what_cannot_be_measured_is_refused(arguments: tuple[str, ...], says: str) -> None:
    ran = run_durak("bench", "server", *arguments)
    assert ran.returncode == 2
    assert says in ran.stderr
    assert "Traceback" not in ran.stderr


def test_without_matplotlib_a_plot_is_refused_before_anything_is_measured(tmp_path: Path) -> None:
    (tmp_path / "matplotlib").mkdir()
    (tmp_path / "matplotlib" / "__init__.py").write_text("raise ImportError")
    ran = run_durak("bench", "server", "--plot", str(tmp_path / "x.svg"), PYTHONPATH=str(tmp_path))
    assert ran.returncode == 1
    assert ran.stderr.strip().startswith("durak bench: no_matplotlib: a plot needs matplotlib")


@pytest.mark.usefixtures("matplotlib")
def test_a_plot_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    figure, _ = report.panels(1)
    with pytest.raises(BenchError, match="bad_plot"):
        report.save(figure, tmp_path / "nowhere" / "x.svg")
    with pytest.raises(BenchError, match="bad_plot"):
        report.save(figure, tmp_path / "x.unknown")
