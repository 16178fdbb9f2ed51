"""A real `durak serve` in a directory of its own: started, killed, started again."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

DURAK = (sys.executable, "-m", "durak.clients.dispatch")
START_S = 30.0
GREETING = re.compile(r"Durak is served at (http://\S+:(\d+)) ")
TROUBLE = re.compile(r"Traceback|exception was never retrieved|was never awaited|Unhandled|ERROR")
"""What a server that is all right never logs."""


def environment(**changes: str) -> dict[str, str]:
    """This process's environment without the variables of Durak, and with these."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("DURAK_")}
    return {**inherited, **changes}


def run_durak(*arguments: str, timeout_s: float = 20.0, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return subprocess.run(
        (*DURAK, *arguments),
        env=environment(**variables),
        capture_output=True,
        text=True,
        timeout=timeout_s,
        stdin=subprocess.DEVNULL,
        check=False,
    )


class Served:
    """A server process on `folder/data`; its output is kept in `folder` over all its lives. Restarts keep the port."""

    def __init__(self, folder: Path, *options: str, **variables: str) -> None:
        self.data = folder / "data"
        self.port = 0
        self.url = ""
        self._options = options
        self._variables = variables
        self._output = folder / "serve.out"
        self._log = folder / "serve.log"
        self._greeted = 0
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """The process that serves now."""
        assert self._process is not None
        return self._process.pid

    def log(self) -> str:
        """Everything on standard error, of all lives."""
        return self._log.read_text(errors="replace")

    def output(self) -> str:
        """Everything on standard output, of all lives."""
        return self._output.read_text(errors="replace")

    def says(self, text: str) -> None:
        """Wait until this stands in the output or the log."""
        deadline = time.monotonic() + START_S
        while text not in self.output() + self.log():
            assert time.monotonic() < deadline, self.output() + self.log()
            time.sleep(0.01)

    def start(self) -> None:
        """Start, and wait until connections are accepted."""
        arguments = ("serve", "--port", str(self.port), "--data", str(self.data), *self._options)
        if not any(option.startswith("--bot-seats") for option in self._options):
            arguments += ("--bot-seats", "0")
        with self._output.open("ab") as output, self._log.open("ab") as log:
            self._process = subprocess.Popen(
                (*DURAK, *arguments), stdout=output, stderr=log, stdin=subprocess.DEVNULL, env=environment(**self._variables)
            )
        self._greeted += 1
        deadline = time.monotonic() + START_S
        while len(greetings := GREETING.findall(self.output())) < self._greeted:
            assert self._process.poll() is None, f"the server ended at once:\n{self.log()}"
            assert time.monotonic() < deadline, f"the server did not greet:\n{self.log()}"
            time.sleep(0.01)
        self.url, self.port = greetings[-1][0], int(greetings[-1][1])

    def kill(self) -> None:
        """kill -9."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def terminate(self, timeout_s: float = 15.0) -> int:
        """SIGTERM; gives the exit status."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        return self._process.wait(timeout_s)

    def restart(self) -> None:
        """kill -9, and start again on the same data and port."""
        self.kill()
        self.start()

    def end(self) -> None:
        """Make sure that the process is gone."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.wait()


@contextlib.contextmanager
def serving(folder: Path, *options: str, **variables: str) -> Iterator[Served]:
    """A running server; afterwards it is gone, and its log is looked through."""
    served = Served(folder, *options, **variables)
    served.start()
    try:
        yield served
    finally:
        served.end()
    assert not TROUBLE.search(served.log()), served.log()
