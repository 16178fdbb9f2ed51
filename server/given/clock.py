"""Time, made in one place and passed in: the server's code asks this clock and nothing else."""

import asyncio
import time
from collections.abc import Callable
from typing import Protocol


class TimerHandle(Protocol):
    """Something scheduled that can be called off."""

    def cancel(self) -> None:
        """Call it off."""


class Clock(Protocol):
    """Milliseconds that never run backwards, and calls at a moment."""

    def now_ms(self) -> int:
        """The time in milliseconds since 1970."""

    def call_at(self, at_ms: int, callback: Callable[[], None]) -> TimerHandle:
        """Call back at that time, or at once if it has passed."""

    def call_soon(self, callback: Callable[[], None]) -> None:
        """Call back when what goes on now has ended."""

    async def sleep(self, ms: int) -> None:
        """Wait that long."""


class LoopClock:
    """The clock of the running event loop, set by the machine's once and monotonic from then on."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._offset = time.time() - self._loop.time()

    def now_ms(self) -> int:
        """The time in milliseconds since 1970."""
        return int((self._loop.time() + self._offset) * 1_000)

    def call_at(self, at_ms: int, callback: Callable[[], None]) -> TimerHandle:
        """Call back at that time, or at once if it has passed. Never early: a millisecond is rounded up."""
        return self._loop.call_at((at_ms + 1) / 1_000 - self._offset, callback)

    def call_soon(self, callback: Callable[[], None]) -> None:
        """Call back in the next turn of the event loop."""
        self._loop.call_soon(callback)

    async def sleep(self, ms: int) -> None:
        """Wait that long."""
        await asyncio.sleep(ms / 1_000)
