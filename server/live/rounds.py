"""Rounds: tables that have something to step are taken together when they come close together.

The entries of a round are one commit, and a step right after another finds the processor's caches warm: at 1,000 actions a second a
round of 5 ms saves a tenth of the work. What is stepped was stamped when it came, so no rule depends on when its round begins.
"""

from typing import Protocol

from durak.server.given.clock import Clock

GATHER_MS = 5
"""How long a round waits for more tables, if there were several in the last one."""


class Waiting(Protocol):
    """A table in a round."""

    def pump(self) -> None:
        """Step what waits. Raises nothing: the others of the round have nothing to do with a fault at one table."""


class Rounds:
    """One after another, each with the tables in the order of their coming. A table that comes alone waits for nobody."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._waiting: dict[Waiting, None] = {}
        self._in_company = False

    def join(self, table: Waiting) -> None:
        """Take part in the next round."""
        if not self._waiting:
            if self._in_company:
                self._clock.call_at(self._clock.now_ms() + GATHER_MS, self._begin)
            else:
                self._clock.call_soon(self._begin)
        self._waiting[table] = None

    def _begin(self) -> None:
        waiting, self._waiting = self._waiting, {}
        self._in_company = len(waiting) > 1
        for table in waiting:
            table.pump()
