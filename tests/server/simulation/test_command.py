"""`durak simulate`: the same seed is the same run, progress is kept, a violation is told."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest

from durak.clients.dispatch import main
from tests.system.serving import DURAK, environment
from tests.workers import kill_a_worker_of

SEED = 3


def hash_in_a_process(seed: int, hash_seed: str) -> str:
    command = [sys.executable, "-m", "durak.clients.dispatch", "simulate", "--seed", str(seed)]
    out = subprocess.run(command, capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": hash_seed}).stdout
    return out.split("trace ")[1].split(",")[0]


def test_a_seed_is_the_same_run_in_every_process() -> None:
    assert hash_in_a_process(SEED, "1") == hash_in_a_process(SEED, "2")


def test_a_trace_tells_the_whole_story(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "--seed", str(SEED), "--trace"]) == 0
    out = capsys.readouterr().out
    assert "server     starts, life 1" in out.splitlines()[0]
    assert "Create cid=" in out
    assert out.splitlines()[-1] == "no violation"


def test_it_goes_on_where_it_was(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = tmp_path / "state.json"
    assert main(["simulate", "--seeds", "2", "--first", "5", "--resume", str(state)]) == 0
    assert msgspec.json.decode(state.read_bytes())["next_seed"] == 7
    assert main(["simulate", "--seeds", "3", "--first", "5", "--resume", str(state)]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("3 seeds (5 to 7) without a violation")
    with pytest.raises(SystemExit) as refused:
        main(["simulate", "--seeds", "3", "--first", "6", "--resume", str(state)])
    assert refused.value.code == 2


def test_a_violation_is_told_with_its_seed_and_the_end_of_its_trace(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = tmp_path / "state.json"
    assert main(["simulate", "--seeds", "3", "--plant", "cid", "--resume", str(state)]) == 1
    out = capsys.readouterr().out
    assert "seed 1 violates what must hold:" in out
    assert "is carried out twice" in out
    assert "again: durak simulate --seed 1 --trace" in out
    assert main(["simulate", "--seed", "1", "--plant", "cid"]) == 1
    assert msgspec.json.decode(state.read_bytes())["failed"] == [1]


@pytest.mark.timeout(120)
def test_several_processes_give_what_one_gives(capsys: pytest.CaptureFixture[str]) -> None:
    told = []
    for jobs in ("1", "2"):
        assert main(["simulate", "--seeds", "4", "--jobs", jobs]) == 0
        told.append(capsys.readouterr().out.split(": ", 1)[1])
    assert told[0] == told[1]


@pytest.mark.parametrize("wrong", [["--seeds", "0"], ["--jobs", "0"], ["--trace"], ["--plant", "nothing"]])
def test_bad_usage(wrong: list[str]) -> None:
    with pytest.raises(SystemExit) as refused:
        main(["simulate", *wrong])
    assert refused.value.code == 2


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="finds processes through /proc")
def test_a_simulation_that_loses_a_process_says_so_and_keeps_its_progress(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    words = ("simulate", "--seeds", "100000", "--jobs", "2", "--resume", str(state))
    process = subprocess.Popen((*DURAK, *words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment())
    deadline = time.monotonic() + 40
    while not state.exists():  # it is written every other second
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.01)
    kill_a_worker_of(process.pid)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 1
    assert "[worker_lost]" in err
    assert err.count("\n") == 1
    done = msgspec.json.decode(state.read_bytes())["next_seed"] - 1
    assert out.startswith(f"{done} seeds (1 to {done}) without a violation")
