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


def cpu_seconds(pid: int) -> float:
    """User and system time of a process so far."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        raise BenchError("this measurement reads /proc, which only Linux has") from None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def first_address(process: "subprocess.Popen[str]") -> str:
    """The address that a server prints when it is ready."""
    assert process.stdout is not None
    for line in process.stdout:
        for word in line.split():
            if word.startswith("http://"):
                return word
    raise BenchError("the server did not start")


@contextlib.contextmanager
def running(*arguments: str) -> Iterator["subprocess.Popen[str]"]:
    """A Python process with its output in a pipe, ended at the end."""
    process = subprocess.Popen([sys.executable, *arguments], stdout=subprocess.PIPE, text=True)
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
        with running(*command) as process:
            yield process, first_address(process)
