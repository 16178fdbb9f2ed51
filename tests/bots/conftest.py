"""Long commands of bots, seen from outside."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Protocol

import pytest

from tests.system.serving import DURAK, environment


class Begin(Protocol):
    """What the fixture `begin` does."""

    def __call__(self, *words: str, file: Path, lines: int) -> subprocess.Popen[str]: ...


@pytest.fixture
def begin() -> Iterator[Begin]:
    """Begins a command and waits for so many lines of a file; Ctrl-C would reach all its processes, and they end with the test."""
    begun: list[subprocess.Popen[str]] = []

    def begin(*words: str, file: Path, lines: int) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            (*DURAK, *words),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(),
            start_new_session=True,
        )
        begun.append(process)
        deadline = time.monotonic() + 30
        while not file.exists() or file.read_bytes().count(b"\n") < lines:
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < deadline
            time.sleep(0.002)
        return process

    yield begin
    for process in begun:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate(timeout=30)
