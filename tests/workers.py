"""Processes of a long command, seen from outside."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path


def kill_a_worker_of(pid: int) -> None:
    """Kill one of the processes that this process has begun to work with."""
    deadline = time.monotonic() + 30
    while not (workers := [child for child in children_of(pid) if "spawn_main" in command_of(child)]):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    os.kill(workers[0], signal.SIGKILL)


def children_of(pid: int) -> list[int]:
    """The processes that were started by this one, by any of its threads."""
    return [int(child) for task in Path(f"/proc/{pid}/task").iterdir() for child in (task / "children").read_text().split()]


def command_of(pid: int) -> str:
    """The command line, empty if the process is gone."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""
