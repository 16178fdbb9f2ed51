"""All live tables of this node: creating, finding, recovering and reaping them."""

import asyncio
import gc
import logging
from collections.abc import Callable, Iterable
from typing import Any

from durak.server.given.clock import Clock
from durak.server.given.entropy import Entropy
from durak.server.given.meter import Meter
from durak.server.journal.contract import Journal, JournalError
from durak.server.live.common import Common
from durak.server.live.inspection import inspected
from durak.server.live.outcome import Accepted, Frozen, Outcome, Refusal, Reply
from durak.server.live.port import LiveSummary, Port
from durak.server.live.table import LiveTable
from durak.server.live.watching import Watcher
from durak.server.table.chairs import Refused
from durak.server.table.inputs import CreateTable, Recovered
from durak.server.table.machine import Table
from durak.server.table.summary import is_deserted

logger = logging.getLogger(__name__)

REAP_EVERY_MS = 5_000
IDLE_MS = 60_000
"""How long a table without anybody is kept."""


class Registry:
    """The tables, by id; to those outside each is a `Port`."""

    def __init__(
        self,
        journal: Journal,
        clock: Clock,
        entropy: Entropy,
        meter: Meter,
        make_table: Callable[[str], Table],
        *,
        max_tables: int,
    ) -> None:
        self.draining = False
        """No new tables; those there are go on."""
        self._common = Common(journal, clock, entropy, meter, make_table)
        self._max_tables = max_tables
        self._tables: dict[str, LiveTable] = {}
        self._created: dict[tuple[str, str], LiveTable] = {}  # by player and command id
        self._idle_since: dict[str, int] = {}
        self._endings: set[asyncio.Future[None]] = set()

    def watch(self, watcher: Watcher) -> None:
        """Tell this watcher of everything that happens at all tables from now on, after those that watch already."""
        self._common.watchers.append(watcher)

    # ---------------------------------------------------------------- questions

    def __len__(self) -> int:
        return len(self._tables)

    def find(self, table: str) -> Port | None:
        """The table with this id, if it is created."""
        live = self._tables.get(table)
        return None if live is None or (live.table.seq == 0 and not live.frozen) else live

    def summaries(self) -> Iterable[LiveSummary]:
        """All tables."""
        return [live.summary() for live in self._tables.values()]

    def inspect(self, table: str) -> dict[str, Any] | None:
        """A table as an operator sees it."""
        live = self._tables.get(table)
        return None if live is None else inspected(live.moment(), live.summary(), self._common.clock.now_ms())

    def census(self) -> tuple[dict[str, int], int]:
        """How many tables there are by status, a frozen one as that alone; and how many inputs wait at all of them."""
        found = {"open": 0, "playing": 0, "finished": 0, "frozen": 0}
        queued = 0
        for live in self._tables.values():
            found["frozen" if live.frozen else live.table.status] += 1
            queued += live.queued
        return found, queued

    # ---------------------------------------------------------------- creating

    def created_before(self, player: str, cid: str) -> Outcome | None:
        """The outcome of a creation that was carried out, whatever its player has done since; `None` if it was not."""
        live = self._created.get((player, cid))
        if live is None or not live.table.seq:
            return None
        self._common.meter.repeated()
        return Frozen(live.frozen) if live.frozen else Accepted(live.id, 1, repeated=True)

    def create(self, cause: CreateTable, reply: Reply, *, unless: Refusal | None = None) -> None:
        """Create a table, unless the same command is doing so already; `reply` and `unless` as for `Port.submit`."""
        live = self._created.get((cause.player, cause.cid))
        if live is None:
            refusal = unless or self._no_room()
            if refusal is not None:
                reply(refusal)
                return
            live = self._new()
            live.created_by = (cause.player, cause.cid)
            self._created[live.created_by] = live
        created = live

        def answer(outcome: Outcome) -> None:
            if not isinstance(outcome, Accepted):
                self._discard(created)
            reply(outcome)

        created.submit(cause, answer)

    def _no_room(self) -> Refused | None:
        if self.draining:
            return Refused("draining")
        if len(self._tables) >= self._max_tables:
            return Refused("too_many_tables", tables=self._max_tables)
        return None

    def _new(self) -> LiveTable:
        table = self._common.entropy.table_id()
        while table in self._tables:
            table = self._common.entropy.table_id()
        live = self._tables[table] = LiveTable(table, self._common)
        return live

    def _discard(self, live: LiveTable) -> None:
        """Forget a table whose creation was refused; should it be in the journal all the same, it is over there too."""
        if live.table.seq == 0 and self._forget(live):  # before it is stopped: what waits there is refused then, and comes here
            live.stop()
            self._note_end(live.id)

    def _forget(self, live: LiveTable) -> bool:
        self._idle_since.pop(live.id, None)
        self._created.pop(live.created_by, None)
        return self._tables.pop(live.id, None) is not None

    # ---------------------------------------------------------------- recovering

    async def recover(self) -> int:
        """Fold every journal that has not ended; the tables go on where they were. Returns their number.

        When it returns, every table has noted the outage. Raises `JournalError` if that can't be written.
        """
        meter = self._common.meter
        began = meter.now()
        gc.disable()  # nothing here becomes garbage, and looking for it in a growing heap costs more than the folding
        try:
            await self._fold_all()
        finally:
            gc.freeze()
            gc.enable()
        going_on = [live for live in self._tables.values() if not live.frozen]
        await asyncio.gather(*map(self._go_on, going_on))
        for live in going_on:
            if live.frozen:
                continue  # it could not note the outage
            for watcher in self._common.watchers:
                self._common.contain("watcher", live.id, watcher.recovered, live.moment())
        meter.recovered(len(self._tables), began)
        return len(self._tables)

    async def _go_on(self, live: LiveTable) -> None:
        """Let a table note that there was an outage, which is charged to no clock."""
        noted: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def reply(outcome: Outcome) -> None:
            if isinstance(outcome, JournalError):
                noted.set_exception(outcome)
            else:
                noted.set_result(None)

        live.submit(Recovered(), reply)
        await noted

    async def _fold_all(self) -> None:
        async for table, lines in self._common.journal.live_tables():
            live = self._tables[table] = LiveTable(table, self._common)
            live.replay(lines)
            live.created_by = live.table.created_by
            self._created[live.created_by] = live

    # ---------------------------------------------------------------- the end of a table

    def watch_for_idle(self) -> None:
        """Look every few seconds for tables that nobody needs, from now on."""
        self._common.clock.call_at(self._common.clock.now_ms() + REAP_EVERY_MS, self.watch_for_idle)
        self._reap()

    def _reap(self) -> None:
        now = self._common.clock.now_ms()
        for live in list(self._tables.values()):
            self._common.contain("timer", live.id, self._reap_one, live, now)

    def _reap_one(self, live: LiveTable, now_ms: int) -> None:
        if live.busy or not self._is_idle(live):
            self._idle_since.pop(live.id, None)
        elif now_ms - self._idle_since.setdefault(live.id, now_ms) >= IDLE_MS:
            self._end(live)

    def _is_idle(self, live: LiveTable) -> bool:
        return not live.attended and is_deserted(live.table)

    def _end(self, live: LiveTable) -> None:
        """The table is over: kept in the journal, but live no longer."""
        live.stop()
        self._forget(live)
        live.end("closed")
        self._note_end(live.id)

    def freeze(self, table: str) -> bool:
        """Let a table take no more inputs, as the operator wants it. False if there is no such table."""
        live = self._tables.get(table)
        if live is not None:
            live.freeze("operator")
        return live is not None

    def _note_end(self, table: str) -> None:
        ending = asyncio.ensure_future(self._common.journal.end(table, self._common.clock.now_ms()))
        self._endings.add(ending)
        ending.add_done_callback(self._end_noted)

    def _end_noted(self, ending: "asyncio.Future[None]") -> None:
        self._endings.discard(ending)
        if not ending.cancelled() and ending.exception() is not None:
            # The table is recovered at the next start, found idle and ended again.
            logger.error("the end of a table was not noted: %s", ending.exception())

    # ---------------------------------------------------------------- the end of the node

    def close(self) -> None:
        """The server stops: connections that are lost from now on are no leaving."""
        self._common.closing = True

    async def stop(self) -> None:
        """No timer of any table fires any more; what is being written is written."""
        for live in self._tables.values():
            live.stop()
        await asyncio.gather(*self._endings, return_exceptions=True)
