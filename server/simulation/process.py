"""A process that can be paused and killed: whatever enters it from outside goes through here, and a dead one does nothing more."""

import asyncio
import contextvars
from collections import deque
from collections.abc import Callable, Coroutine, Generator
from typing import Any

from durak.server.given.clock import TimerHandle

EPOCH_MS = 1_700_000_000_000
"""The wall-clock time at which every simulation begins."""

_current: contextvars.ContextVar["Process | None"] = contextvars.ContextVar("process", default=None)


def make_task(
    loop: asyncio.AbstractEventLoop, coroutine: Coroutine[Any, Any, Any] | Generator[Any, None, Any], **options: Any
) -> asyncio.Task[Any]:
    """The loop's task factory: a task belongs to the process in which it was made."""
    task: asyncio.Task[Any] = asyncio.Task(coroutine, loop=loop, **options)
    process = _current.get()
    if process is not None:
        process.tasks[task] = None
        task.add_done_callback(lambda done: process.tasks.pop(done, None))
    return task


class Process:
    """What lives and dies together."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.alive = True
        self.tasks: dict[asyncio.Task[Any], None] = {}
        self._loop = loop
        self._paused = 0
        self._held: deque[Callable[[], None]] = deque()
        self._context = contextvars.copy_context()
        self._context.run(_current.set, self)

    def at(self, when_s: float, callback: Callable[[], None]) -> asyncio.TimerHandle:
        """Call back at this time of the loop, unless the process is dead by then; after a pause if it is paused."""
        return self._loop.call_at(max(when_s, self._loop.time()), self._enter, callback, context=self._context)

    def soon(self, callback: Callable[[], None]) -> None:
        """Call back in a moment."""
        self._loop.call_soon(self._enter, callback, context=self._context)

    def _enter(self, callback: Callable[[], None]) -> None:
        if not self.alive:
            return
        if self._paused:
            self._held.append(callback)
        else:
            callback()

    def pause(self, seconds: float) -> None:
        """Stand still; what comes meanwhile is dealt with afterwards, in its order."""
        self._paused += 1
        self._loop.call_later(seconds, self._resume, context=self._context)

    def _resume(self) -> None:
        self._paused -= 1
        if not self._paused and self.alive:
            held, self._held = self._held, deque()
            for callback in held:
                self.soon(callback)

    def kill(self) -> None:
        """Nothing of it runs any more."""
        self.alive = False
        self._held.clear()
        for task in list(self.tasks):
            task.cancel()


class ProcessClock:
    """The clock of a process: it calls back exactly on the millisecond, or late after a pause."""

    def __init__(self, loop: asyncio.AbstractEventLoop, process: Process) -> None:
        self._loop = loop
        self._process = process

    def now_ms(self) -> int:
        """The time in milliseconds since 1970."""
        return now_ms(self._loop)

    def call_at(self, at_ms: int, callback: Callable[[], None]) -> TimerHandle:
        """Call back at that time, or at once if it has passed."""
        return self._process.at((at_ms - EPOCH_MS) / 1_000, callback)

    def call_soon(self, callback: Callable[[], None]) -> None:
        """Call back in a moment."""
        self._process.soon(callback)

    async def sleep(self, ms: int) -> None:
        """Wait that long."""
        done: asyncio.Future[None] = self._loop.create_future()
        self.call_at(self.now_ms() + ms, lambda: None if done.done() else done.set_result(None))
        await done


def now_ms(loop: asyncio.AbstractEventLoop) -> int:
    """The wall-clock time of the simulation."""
    return EPOCH_MS + int(loop.time() * 1_000 + 1e-4)
