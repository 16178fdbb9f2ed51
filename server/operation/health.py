"""Whether this server should be given players: `/readyz`, and the pulse of the event loop."""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from durak.server.given.clock import Clock
from durak.server.given.meter import Meter
from durak.server.journal.contract import Journal, JournalError

PULSE_MS = 100
"""How often the lateness of the event loop is measured."""
LOOKED_BACK = 50
"""Pulses that are judged: five seconds."""
MAX_LAG_MS = 1_000
"""A loop that was later than this, lately, should be given no more players."""
STORE_TIMEOUT_S = 2.0
STORE_KEPT_MS = 1_000
"""How long an answer of the store is given again: who asks all the time shall not keep its disk busy."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that must be right; the reason tells what is wrong, as `code: sentence`, the note what should be known of it."""

    name: str
    reason: str | None = None
    note: str | None = None


class Health:
    """Judges the store, the event loop, and whether the server is on its way out."""

    def __init__(
        self, journal: Journal, clock: Clock, meter: Meter, leaving: Callable[[], str | None], frozen: Callable[[], int]
    ) -> None:
        """`leaving` gives the reason why no new players should come, or None; `frozen` how many tables can't go on."""
        self._journal = journal
        self._clock = clock
        self._meter = meter
        self._leaving = leaving
        self._frozen = frozen
        self._lags: deque[int] = deque([0], maxlen=LOOKED_BACK)
        self._due_ms = clock.now_ms()
        self._store: asyncio.Task[Check] | None = None
        self._asked_ms = 0

    def pulse(self) -> None:
        """Measure how late this is, and again in a moment, from now on."""
        now = self._clock.now_ms()
        late = max(0, now - self._due_ms)
        self._lags.append(late)
        self._meter.lagged(late / 1_000)
        self._due_ms = now + PULSE_MS
        self._clock.call_at(self._due_ms, self.pulse)

    async def checks(self) -> list[Check]:
        """All that must be right, judged now."""
        store = await self._ask_store()
        lag_ms = max(*self._lags, self._clock.now_ms() - self._due_ms)
        lagging = f"lagging: the event loop was {lag_ms} ms late, more than {MAX_LAG_MS}" if lag_ms > MAX_LAG_MS else None
        return [store, Check("loop", lagging), Check("staying", self._leaving()), Check("tables", note=self._note_of_tables())]

    def _note_of_tables(self) -> str | None:
        """Frozen tables are told of; those that play on need a server that gets players, so they do not make it unready."""
        frozen = self._frozen()
        return f"frozen: {frozen} can't go on; 'durak admin list' names them, the log says why" if frozen else None

    async def _ask_store(self) -> Check:
        """Write and read back, once for all who ask at the same time and a moment after."""
        now = self._clock.now_ms()
        if self._store is None or (self._store.done() and now >= self._asked_ms + STORE_KEPT_MS):
            self._asked_ms = now
            self._store = asyncio.create_task(self._try_store())
        return await asyncio.shield(self._store)

    async def _try_store(self) -> Check:
        try:
            async with asyncio.timeout(STORE_TIMEOUT_S):
                await self._journal.check()
        except JournalError as error:
            return Check("store", error.code)
        except TimeoutError:
            return Check("store", f"store_silent: no answer within {STORE_TIMEOUT_S:.0f} s")
        return Check("store")
