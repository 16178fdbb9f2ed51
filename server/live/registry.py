"""All live tables of this node: creating, finding, recovering and reaping them."""

import asyncio
import gc
import logging
from typing import Protocol

from durak.server.given.clock import Clock
from durak.server.given.entropy import Entropy
from durak.server.given.meter import Meter
from durak.server.journal.contract import Journal, JournalError
from durak.server.live.rounds import Rounds
from durak.server.live.table import Accepted, Frozen, LiveTable, Refusal, Reply, Watcher
from durak.server.table.chairs import Refused
from durak.server.table.inputs import CreateTable, Recovered
from durak.server.table.machine import Table

logger = logging.getLogger(__name__)

REAP_EVERY_MS = 5_000
IDLE_MS = 60_000
"""How long a table without anybody is kept."""


class Listener(Watcher, Protocol):
    """Who is told of everything that happens to tables."""

    def attended(self, table: str) -> bool:
        """True if a person is connected to this table."""

    def ended(self, live: LiveTable) -> None:
        """The table is live no longer."""


class Owner:
    """The tables, by id."""

    def __init__(
        self,
        journal: Journal,
        clock: Clock,
        entropy: Entropy,
        audience: Listener,
        *,
        max_tables: int,
        meter: Meter | None = None,
    ) -> None:
        self.tables: dict[str, LiveTable] = {}
        self._journal = journal
        self._clock = clock
        self._entropy = entropy
        self._audience = audience
        self._max_tables = max_tables
        self.draining = False
        """No new tables; those there are go on."""
        self._meter = meter or Meter()
        self._rounds = Rounds(clock)
        self._created: dict[tuple[str, str], str] = {}  # player and command id -> table
        self._idle_since: dict[str, int] = {}
        self._endings: set[asyncio.Future[None]] = set()

    def find(self, table: str) -> LiveTable | None:
        """The live table with this id."""
        return self.tables.get(table)

    def created_by(self, player: str, cid: str) -> LiveTable | None:
        """The live table that this command has created."""
        known = self._created.get((player, cid))
        return None if known is None else self.tables.get(known)

    def census(self) -> tuple[dict[str, int], int]:
        """How many tables there are by status, a frozen one as that alone; and how many inputs wait at all of them."""
        found = {"open": 0, "playing": 0, "finished": 0, "frozen": 0}
        waiting = 0
        for live in self.tables.values():
            found["frozen" if live.frozen else live.table.status] += 1
            waiting += live.waiting
        return found, waiting

    def create(self, given: CreateTable, reply: Reply) -> None:
        """Create a table, unless the same command is doing so already.

        Raises `Refused` when this node holds as many tables as it may.
        """
        live = self.created_by(given.player, given.cid)
        if live is None:
            if self.draining:
                raise Refused("draining")
            if len(self.tables) >= self._max_tables:
                raise Refused("too_many_tables", tables=self._max_tables)
            table = self._entropy.table_id()
            while table in self.tables:
                table = self._entropy.table_id()
            live = self._live(table)
            self.tables[table] = live
            self._created[(given.player, given.cid)] = table
        live.submit(given, reply)

    def _live(self, table: str) -> LiveTable:
        return LiveTable(table, self._journal, self._clock, self._entropy, self._audience, rounds=self._rounds, meter=self._meter)

    def discard(self, table: str) -> None:
        """Forget a table whose creation was refused; should it be in the journal all the same, it is over there too."""
        live = self.tables.get(table)
        if live is not None and live.table.seq == 0:
            del self.tables[table]  # before it is stopped: what waits there is refused then, and comes here as well
            self._created = {key: made for key, made in self._created.items() if made != table}
            live.stop()
            self._note_end(table)

    async def recover(self) -> int:
        """Fold every journal that has not ended; the tables go on where they were. Returns their number.

        When it returns, every table has noted the outage. Raises `JournalError` if that can't be written.
        """
        began = self._meter.now()
        gc.disable()  # nothing here becomes garbage, and looking for it in a growing heap costs more than the folding
        try:
            await self._fold_all()
        finally:
            gc.freeze()
            gc.enable()
        await asyncio.gather(*(self._go_on(live) for live in self.tables.values() if not live.frozen))
        self._meter.recovered(len(self.tables), began)
        return len(self.tables)

    async def _go_on(self, live: LiveTable) -> None:
        """Let a table note that there was an outage, which is charged to no clock."""
        noted: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def reply(outcome: Accepted | Refusal, table: Table) -> None:
            if isinstance(outcome, JournalError):
                noted.set_exception(outcome)
            else:
                noted.set_result(None)

        live.submit(Recovered(), reply)
        await noted

    async def _fold_all(self) -> None:
        async for table, entries in self._journal.live_tables():
            live = self._live(table)
            try:
                live.replay(entries)
            except Frozen as reason:
                live.frozen = True
                self._meter.froze("journal")
                logger.error("table frozen: %s", reason, extra={"table": table})
            self.tables[table] = live
            self._created[live.table.created_by] = live.table.id

    # ---------------------------------------------------------------- the end of a table

    def watch_for_idle(self) -> None:
        """Look every few seconds for tables that nobody needs, from now on."""
        self._reap()
        self._clock.call_at(self._clock.now_ms() + REAP_EVERY_MS, self.watch_for_idle)

    def _reap(self) -> None:
        now = self._clock.now_ms()
        idle = [live for live in self.tables.values() if not live.busy and self._is_idle(live.table)]
        self._idle_since = {live.table.id: self._idle_since.get(live.table.id, now) for live in idle}
        for live in idle:
            if now - self._idle_since[live.table.id] >= IDLE_MS:
                self.end(live)

    def _is_idle(self, table: Table) -> bool:
        """True if no game runs, nobody is connected and no person may still come back."""
        return table.status != "playing" and not self._audience.attended(table.id) and not table.persons()

    def end(self, live: LiveTable) -> None:
        """The table is over: kept in the journal, but live no longer."""
        live.stop()
        self.tables.pop(live.table.id, None)
        self._idle_since.pop(live.table.id, None)
        self._created = {key: table for key, table in self._created.items() if table != live.table.id}
        self._note_end(live.table.id)
        self._audience.ended(live)

    def _note_end(self, table: str) -> None:
        ending = asyncio.ensure_future(self._journal.end(table, self._clock.now_ms()))
        self._endings.add(ending)
        ending.add_done_callback(self._end_noted)

    def _end_noted(self, ending: "asyncio.Future[None]") -> None:
        self._endings.discard(ending)
        if not ending.cancelled() and ending.exception() is not None:
            # The table is recovered at the next start, found idle and ended again.
            logger.error("the end of a table was not noted: %s", ending.exception())

    async def stop(self) -> None:
        """No timer of any table fires any more; what is being written is written."""
        for live in self.tables.values():
            live.stop()
        await asyncio.gather(*self._endings, return_exceptions=True)
