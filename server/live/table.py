"""A live table: the one writer of its journal.

Inputs wait in a queue for the next round and are stamped when they enter it. Each is stepped on a copy; the entries go to the
journal, and only when they are on disk does the copy become the table and do replies and updates leave. One append is in flight at
a time; what arrives meanwhile goes with the next.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Sequence
from typing import Literal

from durak.protocol.messages import CloseCode, Started, TableEvent, Voided
from durak.protocol.rules.events import GameOver, Left, WentOut
from durak.server.given.clock import TimerHandle
from durak.server.given.meter import Ending, Why
from durak.server.journal.contract import JournalError
from durak.server.live.attendance import Attendance
from durak.server.live.batch import Batch, Request, Step
from durak.server.live.common import Common
from durak.server.live.entries import Diverged, fold
from durak.server.live.history import History
from durak.server.live.outcome import Accepted, Frozen, Outcome, Refusal, Reply
from durak.server.live.port import LiveSummary, Viewer
from durak.server.live.watching import Commit, Moment
from durak.server.table.inputs import AnyInput, Recovered
from durak.server.table.machine import Table
from durak.server.table.seating import AnyEvent
from durak.server.table.summary import summary_of

logger = logging.getLogger(__name__)

RETRY_MS = 1_000
"""After a failed append or read, before the table is read again."""
RESTANDING = (TableEvent, Left, WentOut, GameOver)
"""Events after which somebody may sit elsewhere, or stand otherwise."""


class LiveTable:
    """A table with its queue, its journal, its timer and its viewers; to everybody outside this room it is a `Port`."""

    def __init__(self, table: str, common: Common) -> None:
        self.table = common.make_table(table)
        self.history = History()
        self.created_by = ("", "")
        """Player and command id."""
        self.frozen: Why | None = None
        self.entries = 0
        """Entries of its journal that the table is made of."""
        self._common = common
        self._attendance = Attendance(self, common)
        self._queue: deque[Request] = deque()
        self._appending = False
        self._stopped = False
        self._ended = False
        self._timer: TimerHandle | None = None
        self._timer_at = 0
        self._reloading: asyncio.Future[None] | None = None

    @property
    def id(self) -> str:
        """See `Port.id`."""
        return self.table.id

    # ---------------------------------------------------------------- the port

    def submit(self, cause: AnyInput, reply: Reply | None = None, *, unless: Refusal | None = None) -> None:
        """See `Port.submit`."""
        common = self._common
        self._queue.append(Request(common.clock.now_ms(), cause, reply, unless, common.meter.now()))
        if not self._appending:
            common.rounds.join(self)

    def attach(self, viewer: Viewer, seen_seq: int | None = None) -> None:
        """See `Port.attach`."""
        try:
            self._attendance.attach(viewer, seen_seq)
        except Exception:
            self._common.failed("view", self.id)
            viewer.close(CloseCode.FAILED, "internal")

    def detach(self, viewer: Viewer) -> None:
        """See `Port.detach`."""
        self._common.contain("view", self.id, self._attendance.detach, viewer)

    def answered(self, player: str, cid: str) -> int | None:
        """See `Port.answered`."""
        return self.table.answer_to(player, cid)

    def summary(self) -> LiveSummary:
        """See `Port.summary`."""
        return LiveSummary(summary_of(self.table), self.frozen, self.entries, self.queued, self.busy, self.moment().watchers)

    # ---------------------------------------------------------------- for the registry

    @property
    def busy(self) -> bool:
        """True while inputs wait for their outcome."""
        return self._appending or bool(self._queue)

    @property
    def queued(self) -> int:
        """How many inputs wait to be stepped."""
        return len(self._queue)

    @property
    def attended(self) -> bool:
        """True if a person is connected to it; bots stay as long as it does."""
        return any(viewer.identity.kind == "person" for viewer in self._attendance.viewers)

    def moment(self) -> Moment:
        """The table as it is committed now."""
        return Moment(self.table, self.history, self.entries, self._attendance.viewers)

    def replay(self, lines: Sequence[bytes]) -> None:
        """Fold a journal; where it does not give what it gave before, the table is frozen."""
        try:
            for events, encoded in fold(self.table, lines):
                self._remember(self.table, events, encoded)
        except Diverged as reason:
            self.frozen = "journal"
            self._common.meter.froze("journal")
            logger.error("table frozen: %s", reason, extra={"table": self.id})
        self.entries = len(lines)

    def freeze(self, why: Why) -> None:
        """Take no more inputs until the server starts again; those who look on are told, after what is being written."""
        if self.frozen:
            return
        self.frozen = why
        self._common.meter.froze(why)
        level = logging.INFO if why == "operator" else logging.ERROR
        logger.log(level, "table frozen: %s", why, extra={"table": self.id, "seq": self.table.seq})
        self._cancel_timer()
        self._refuse_waiting()
        if not self._appending:
            self.end("frozen")

    def end(self, how: Literal["closed", "frozen"]) -> None:
        """Let all viewers go, once."""
        if self._ended:
            return
        self._ended = True
        now = self.moment()
        self._common.tell(self.id, lambda watcher: watcher.ended(now, how))
        self._attendance.end()

    def stop(self) -> None:
        """No timer fires and no input is stepped any more; what waits is refused."""
        self._stopped = True
        self._cancel_timer()
        if self._reloading is not None:
            self._reloading.cancel()
        self._refuse_waiting()

    # ---------------------------------------------------------------- the step

    def pump(self) -> None:
        """Step what waits, as one batch, and send it to the journal; what has nothing to write is told at once."""
        if self._appending:
            return  # its timer has begun already; what waits goes with the next batch
        if self._stopped or self.frozen:
            self._refuse_waiting()
            return
        try:
            batch = self._stepped()
            if batch.lines:
                self._appending = True
                asked = self._common.meter.now()
                saved = self._append(self.entries + 1, batch.lines)
                saved.add_done_callback(lambda done: self._appended(done, batch, asked))
            else:
                self._tell(batch)
        except Exception:
            self._break()

    def _stepped(self) -> Batch:
        batch = Batch(self.table, self._common)
        while self._queue and not batch.full:
            request = self._queue[0]
            if not isinstance(request.cause, Recovered):  # before it nothing expires: the time since was an outage
                batch.expire_until(request.stamp_ms)
                if batch.full:
                    break
            self._queue.popleft()
            batch.carry_out(request)
        if not self._queue:
            batch.expire_until(self._common.clock.now_ms())
        return batch

    def _break(self) -> None:
        """Something has failed between the steps: nobody waits for ever, and nothing goes on that may be wrong."""
        self._common.failed("round", self.id)
        self._appending = False
        if self.frozen:
            self._refuse_waiting()
            self.end("frozen")
        else:
            self.freeze("bug")

    def _append(self, first: int, lines: list[bytes]) -> "asyncio.Future[None]":
        try:
            return self._common.journal.append(self.id, first, lines)
        except Exception:
            self._common.failed("journal", self.id)
            failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            failed.set_exception(JournalError("not_saved", "the journal was not written", "Try again"))
            return failed

    def _refuse_waiting(self) -> None:
        refusal: Refusal = JournalError("table_ended", "the table is over", "Open another table")
        if self.frozen:
            refusal = Frozen(self.frozen)
        while self._queue:
            self._reply(self._queue.popleft().reply, refusal)

    def _reply(self, reply: Reply | None, outcome: Outcome) -> None:
        if reply is not None:
            self._common.contain("reply", self.id, reply, outcome)

    # ---------------------------------------------------------------- out

    def _appended(self, saved: "asyncio.Future[None]", batch: Batch, asked: float) -> None:
        error = asyncio.CancelledError() if saved.cancelled() else saved.exception()
        try:
            if error is None:
                self._common.contain("round", self.id, self._common.meter.appended, asked, len(batch.lines))
                self._tell(batch)
            else:
                self._not_saved(error, batch)
        except Exception:
            self._break()

    def _not_saved(self, error: BaseException, batch: Batch) -> None:
        refusal = (
            error if isinstance(error, JournalError) else JournalError("not_saved", "the journal was not written", "Try again")
        )
        self._common.meter.append_failed(refusal.code)
        logger.error("append failed: %s", refusal, extra={"table": self.id, "seq": self.table.seq, "code": refusal.code})
        for step in batch.steps:
            self._reply(step.reply, refusal)
        if self._stopped:
            self._refuse_waiting()
            return
        # Whether the entries are on disk is unknown, so the journal is asked what the table is.
        self._reloading = asyncio.ensure_future(self._reload())

    async def _reload(self) -> None:
        """Read the table again from its journal, after a moment and as often as it takes."""
        common = self._common
        while True:
            await common.clock.sleep(RETRY_MS)
            try:
                lines = await common.journal.read(self.id)
                break
            except JournalError as error:
                logger.error("reload failed: %s", error, extra={"table": self.id, "code": error.code})
            except Exception:
                common.failed("journal", self.id)
        try:
            self._reloaded(lines)
        except Exception:
            self._break()

    def _reloaded(self, lines: list[bytes]) -> None:
        self.table = self._common.make_table(self.id)
        self.history.clear()
        self.replay(lines)
        if not self.frozen:
            leaving = self._attendance.leaving()
            now = self.moment()
            self._common.tell(self.id, lambda watcher: watcher.reloaded(now, leaving))
            self._attendance.note_presence()  # what is submitted meanwhile waits
        self._appending = False
        if self.frozen:
            self.end("frozen")
        self.pump()

    def _tell(self, batch: Batch) -> None:
        """Tell of each step while the table is as it was then: whoever is shown the table in between misses and repeats nothing."""
        self._appending = True  # what is submitted meanwhile waits until all is told
        for step in batch.steps:
            before, self.table = self.table, step.table
            self.entries += isinstance(step.outcome, Accepted) and step.table is not before
            try:
                self._tell_one(step, before)
            except Exception:  # somebody may have missed it
                self._common.failed("round", self.id)
                batch.broken = True
        self._appending = False
        if batch.broken:
            self.freeze("bug")
        if self.frozen:
            self.end("frozen")
        elif self._queue:
            self._common.rounds.join(self)  # others have their turn
        else:
            self._rearm()

    def _tell_one(self, step: Step, before: Table) -> None:
        common, table = self._common, step.table
        try:
            if step.events:
                self._remember(table, step.events, step.encoded)
        finally:
            self._reply(step.reply, step.outcome)
        if step.received is not None:
            common.meter.acknowledged(step.received)
        if step.events:
            restands = any(isinstance(event, RESTANDING) for event in step.events)
            leaving = self._attendance.leaving() if restands else []
            commit = Commit(before, step.events, self.moment(), leaving, restands)
            for watcher in common.watchers:
                try:
                    watcher.committed(commit)
                except Exception:
                    common.failed("watcher", self.id)
            if step.received is not None:
                common.meter.broadcast(step.received)
            if table.status != "playing":
                self._count_ending(step)

    def _count_ending(self, step: Step) -> None:
        meter, preset = self._common.meter, step.table.rules.preset
        for event in step.events:
            if isinstance(event, Voided):
                meter.finished(preset, "void")
            if isinstance(event, GameOver):
                result = event.result
                how: Ending = "draw" if result.draw else "nobody" if result.durak is None else "durak"
                meter.finished(preset, how)

    def _remember(self, table: Table, events: list[AnyEvent], encoded: bytes) -> None:
        if any(isinstance(event, Started) for event in events):
            self.history.clear()
        self.history.append(table.seq, encoded)

    # ---------------------------------------------------------------- the timer

    def _rearm(self) -> None:
        """Set the timer to the next deadline; an earlier timer that fires for nothing is cheaper than a new one."""
        try:
            at = self.table.deadline_ms
        except Exception:
            self._common.failed("expiry", self.id)
            self.freeze("bug")
            return
        if at is None or self._stopped or (self._timer is not None and self._timer_at <= at):
            return
        self._cancel_timer()
        self._timer_at = at
        self._timer = self._common.clock.call_at(at, self._fired)

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _fired(self) -> None:
        self._timer = None
        self._common.meter.timer_fired(self._common.clock.now_ms() - self._timer_at)
        self.pump()
