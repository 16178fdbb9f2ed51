"""A real `durak serve` and a real `durak play`, each a process of its own."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

DURAK = (sys.executable, "-m", "durak.clients.dispatch")


class Durak(NamedTuple):
    """A server to play on, and the state directory of whoever plays."""

    url: str
    state: Path

    def environment(self, **more: str) -> dict[str, str]:
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("DURAK_", "LC_", "LANG", "PYTHONIO"))}
        return {**kept, "XDG_STATE_HOME": str(self.state), "DURAK_SERVER": self.url, "LANG": "C.UTF-8", **more}

    def run(self, *words: str, typed: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
        """Run a command to its end."""
        return subprocess.run(
            (*DURAK, *words),
            input=typed,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=50,
            check=False,
            env=self.environment(**environment),
        )


@contextlib.contextmanager
def serving(folder: Path, port: int = 0) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """A server of our own that keeps its games in this folder; its address and process."""
    pytest.importorskip("durak.server.app")
    server = subprocess.Popen(
        (*DURAK, "serve", "--host", "127.0.0.1", "--port", str(port), "--data", str(folder), "--bot-seats", "50", "--dev"),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={key: value for key, value in os.environ.items() if not key.startswith("DURAK_")},
    )
    try:
        assert server.stdout is not None
        greeting = server.stdout.readline()
        found = re.search(r"http://\S+:\d+", greeting)
        assert found is not None, f"no address in {greeting!r}"
        yield found[0], server
    finally:
        if server.poll() is None:
            server.terminate()
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()
        if server.stdout is not None:
            server.stdout.close()


class Player:
    """A `durak play` through pipes. Lines that it prints are answered by `answer(line)`, in a thread."""

    def __init__(self, durak: Durak, *words: str, answer: Callable[[str], Sequence[str]] = lambda line: (), **env: str) -> None:
        self.lines: list[str] = []
        self._answer = answer
        self._heard = threading.Condition()
        self.process = subprocess.Popen(
            (*DURAK, "play", *words),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env=durak.environment(**env),
        )
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            for word in self._answer(line.rstrip("\n")):
                self.type(word)
            with self._heard:
                self.lines.append(line.rstrip("\n"))
                self._heard.notify_all()

    def type(self, line: str) -> None:
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()

    def end_input(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()

    def printed(self, pattern: str, timeout_s: float = 30) -> re.Match[str]:
        """Wait for a line in which this is found."""
        with self._heard:
            end = time.monotonic() + timeout_s
            while True:
                for line in self.lines:
                    found = re.search(pattern, line)
                    if found is not None:
                        return found
                left = end - time.monotonic()
                assert left > 0, f"no {pattern!r} in\n" + "\n".join(self.lines[-30:])
                self._heard.wait(left)

    def status(self, timeout_s: float = 50) -> int:
        """Wait for the end; the exit status."""
        status = self.process.wait(timeout_s)
        self._thread.join(10)
        return status

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
        self._thread.join(10)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()


@contextlib.contextmanager
def playing(
    durak: Durak, *words: str, answer: Callable[[str], Sequence[str]] = lambda line: (), **environment: str
) -> Iterator[Player]:
    """A player who is gone afterwards."""
    player = Player(durak, *words, answer=answer, **environment)
    try:
        yield player
    finally:
        player.close()


def first_legal(line: str) -> list[str]:
    """What a simple script answers: the first card with a star, else the first key that the line offers."""
    if not line.startswith(("Your turn", "You may", "You have beaten all")):
        return []
    card = re.search(r"(\d+) \S+\*", line)
    if card is not None:
        several = "target 2" in line
        return [f"{card[1]} 1", f"{card[1]} 2"] if several else [card[1]]
    key = re.search(r"\b([tpfk])\b (?:takes|passes|finishes|discards|keeps)", line)
    return [] if key is None else [key[1]]
