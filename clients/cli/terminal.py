"""Standard input and output: lines in without blocking, lines out without anything that steers a terminal."""

import asyncio
import os
import sys
import threading
from collections.abc import Callable, Iterable
from typing import Final, TextIO

from durak.clients.words.layout import clean, folded, terminal_width

LONGEST_LINE: Final = 4_096
"""Bytes of input without an end of line that are taken as a line."""
LINES_AHEAD: Final = 100
"""How many lines are read before they are answered."""


class Screen:
    """Where lines are printed. On a terminal they are folded to its width; for a pipe one sentence stays one line."""

    def __init__(self, stream: TextIO, width: Callable[[], int | None]) -> None:
        self._stream = stream
        self._width = width

    @classmethod
    def standard(cls, *, folds: bool = True) -> "Screen":
        """Standard output."""
        stream = sys.stdout
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
        return cls(stream, terminal_width if folds and stream.isatty() else lambda: None)

    def say(self, lines: Iterable[str]) -> None:
        """Print these lines now."""
        for line in lines:
            for part in folded(clean(line), self._width()):
                self._stream.write(part + "\n")
        self._stream.flush()


class Lines:
    """The lines of a file descriptor, for one reader in an event loop; the last is followed by the end of the iteration.

    A thread reads, because regular files and consoles cannot be waited for; it reads the descriptor itself, because a thread
    that waits inside `sys.stdin` keeps the interpreter from ending.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._loop = asyncio.get_running_loop()
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._room = threading.Semaphore(LINES_AHEAD)
        threading.Thread(target=self._read, name="stdin", daemon=True).start()

    @classmethod
    def standard(cls) -> "Lines | None":
        """Standard input, `None` where there is none."""
        try:
            return cls(sys.stdin.fileno())
        except (AttributeError, OSError, ValueError):
            return None

    def __aiter__(self) -> "Lines":
        return self

    async def __anext__(self) -> str:
        line = await self._lines.get()
        if line is None:
            raise StopAsyncIteration
        self._room.release()
        return line

    def _read(self) -> None:
        pending = b""
        while True:
            try:
                chunk = os.read(self._descriptor, LONGEST_LINE)
            except OSError:
                chunk = b""
            *lines, pending = (pending + chunk).split(b"\n")
            if len(pending) > LONGEST_LINE or (not chunk and pending):
                lines.append(pending)
                pending = b""
            for line in lines:
                self._room.acquire()
                self._give(line.decode("utf-8", errors="replace"))
            if not chunk:
                self._give(None)
                return

    def _give(self, line: str | None) -> None:
        try:
            self._loop.call_soon_threadsafe(self._lines.put_nowait, line)
        except RuntimeError:
            pass  # the loop is closed: nobody reads any more
