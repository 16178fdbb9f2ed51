"""An event loop whose time jumps to the next timer: hours pass in a second, and every run is the same."""

import asyncio
from typing import Any


class Stuck(Exception):
    """Nothing is ready and no timer runs: everybody waits for somebody else."""


class _Jump:
    """In place of a selector: nothing comes from outside, so waiting is moving the time on."""

    def __init__(self, loop: "VirtualLoop") -> None:
        self._loop = loop

    def select(self, timeout: float | None) -> list[Any]:
        """Let that much time pass."""
        if timeout is None:
            raise Stuck
        self._loop.pass_s(timeout)
        return []

    def close(self) -> None:
        """Nothing is held."""


class VirtualLoop(asyncio.BaseEventLoop):
    """Runs what is ready, then jumps to the next timer. `run_until_complete` raises `Stuck` when there is none."""

    def __init__(self) -> None:
        super().__init__()
        self._selector = _Jump(self)
        self._virtual_s = 0.0

    def time(self) -> float:
        """Virtual seconds since the loop was made."""
        return self._virtual_s

    def pass_s(self, seconds: float) -> None:
        """Let time pass in which nothing runs."""
        self._virtual_s += max(seconds, 0.0)

    def _process_events(self, event_list: list[Any]) -> None:
        """There are none."""

    def _write_to_self(self) -> None:
        """No other thread wakes this loop."""
