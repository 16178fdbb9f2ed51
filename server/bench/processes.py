"""Servers under measurement: processes on 127.0.0.1, their CPU time, and their end."""

import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

START_TIMEOUT_S = 60


class BenchError(Exception):
    """A measurement that could not be made."""


def cpu_by_thread(pid: int) -> dict[str, float]:
    """Seconds on a processor so far, of the main thread and of the others; counted by the scheduler and not by its ticks."""
    spent: dict[str, float] = {}
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            name = "event loop" if task.name == str(pid) else "journal threads"
            spent[name] = spent.get(name, 0.0) + int((task / "schedstat").read_text().split()[0]) / 1e9
    except OSError:
        raise BenchError("this measurement reads /proc/PID/task/*/schedstat, which only Linux has") from None
    return spent


def resident_bytes(pid: int) -> int:
    """Memory of a process that is not swapped out."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@contextlib.contextmanager
def started_on(cores: set[int]) -> Iterator[None]:
    """Processes that are started meanwhile run on these cores alone."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    own = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, own)


def cores_for_server_and_load() -> tuple[set[int], set[int]]:
    """One core for the server, the others for those who load it; where there is one only, both share it."""
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [0]
    return {cores[0]}, set(cores[1:] or cores)


def first_address(process: "subprocess.Popen[str]") -> str:
    """The address that a server prints when it is ready."""
    assert process.stdout is not None
    for line in process.stdout:
        for word in line.split():
            if word.startswith("http://"):
                return word
    raise BenchError("the server did not start")


@contextlib.contextmanager
def running(*arguments: str, stderr: int | None = None) -> Iterator["subprocess.Popen[str]"]:
    """A Python process with its input and output in pipes, ended at the end."""
    process = subprocess.Popen(
        [sys.executable, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr, text=True
    )
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextlib.contextmanager
def serving(folder: str | None = None, *more: str) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """A Durak server without bots on any free port, and its address."""
    with tempfile.TemporaryDirectory() as scratch:
        data = folder or f"{scratch}/data"
        command = ["-m", "durak.clients.dispatch", "serve", "--port", "0", "--data", data, "--bot-seats", "0", "--dev", *more]
        with running(*command, stderr=subprocess.DEVNULL) as process:
            yield process, first_address(process)
