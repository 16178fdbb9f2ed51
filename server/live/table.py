"""A live table: the one writer of its journal.

Inputs wait in a queue for the next round and are stamped when they enter it. Each is stepped on a copy; the entries go to the
journal, and only when they are on disk does the copy become the table and do replies and updates leave. One append is in flight at
a time; what arrives meanwhile goes with the next.
"""

import asyncio
import hashlib
import logging
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import msgspec

from durak.protocol.messages import Started, Voided
from durak.protocol.rules.errors import IllegalAction
from durak.protocol.rules.events import GameOver
from durak.server.given.clock import Clock, TimerHandle
from durak.server.given.entropy import Entropy
from durak.server.given.meter import Ending, Meter
from durak.server.journal.contract import Journal, JournalError
from durak.server.live.history import History, encode_events
from durak.server.live.rounds import Rounds
from durak.server.table.chairs import Refused
from durak.server.table.inputs import AnyInput, ByPlayer, Entry, Expire, Play, Recovered
from durak.server.table.jitter import Jitter
from durak.server.table.machine import Table
from durak.server.table.seating import AnyEvent

logger = logging.getLogger(__name__)

MAX_BATCH = 64
"""Inputs stepped for one append."""
RETRY_MS = 1_000
"""After a failed append or read, before the table is read again."""

_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Entry)


class Frozen(Exception):
    """The table can't go on: its journal does not fold to what was told, or another writer has appeared."""


@dataclass(slots=True)
class Accepted:
    """An input was carried out, or had been before: `seq` is the public sequence number after it."""

    seq: int


Refusal = IllegalAction | Refused | JournalError | Frozen
Reply = Callable[["Accepted | Refusal", Table], None]
"""Called once per input with the outcome and the committed table it applies to."""


class Watcher(Protocol):
    """Somebody who is told of everything committed."""

    def reloaded(self, live: "LiveTable") -> None:
        """The table was read again from its journal, or is frozen now: what was told before may be incomplete."""

    def told(self, live: "LiveTable", before: Table, table: Table, events: list[AnyEvent]) -> None:
        """These events made this table of the one before, which was told last."""


@dataclass(slots=True)
class Request:
    """An input in the queue."""

    stamp_ms: int
    given: AnyInput
    reply: Reply | None
    received: float = 0.0


@dataclass(slots=True)
class Step:
    """One outcome of a batch, told when the batch is on disk."""

    table: Table
    events: list[AnyEvent] = field(default_factory=list)
    encoded: bytes = b""
    """The events, as `encode_events` gives them."""
    reply: Reply | None = None
    outcome: Accepted | Refusal | None = None
    received: float | None = None
    """When a game action came that was accepted."""


def encode_entry(entry: Entry) -> bytes:
    """The line of a journal."""
    return _encoder.encode(entry)


def decode_entry(line: bytes) -> Entry:
    """The entry in a line of a journal. Raises `msgspec.DecodeError`."""
    return _decoder.decode(line)


def hash_of(events: Sequence[AnyEvent]) -> str:
    """A short hash of events, to notice a fold that diverges."""
    return hash_of_encoded(encode_events(events))


def hash_of_encoded(events: bytes) -> str:
    """The same of events as `encode_events` gives them."""
    return hashlib.blake2b(events, digest_size=6).hexdigest()


def cause_of(error: Exception) -> str:
    """What went wrong, for the log: the code of a refusal, else the kind of error; its text might quote a card."""
    if isinstance(error, IllegalAction):
        return error.reason.code
    return error.code if isinstance(error, Refused) else type(error).__name__


class LiveTable:
    """A table with its queue, its journal and its timer."""

    def __init__(
        self,
        table: str,
        journal: Journal,
        clock: Clock,
        entropy: Entropy,
        watcher: Watcher,
        *,
        rounds: Rounds | None = None,
        meter: Meter | None = None,
    ) -> None:
        self.table = Table(table)
        self.history = History()
        self.frozen = False
        self._number = 0
        self._journal = journal
        self._clock = clock
        self._entropy = entropy
        self._watcher = watcher
        self._meter = meter or Meter()
        self._rounds = rounds or Rounds(clock)
        self._queue: deque[Request] = deque()
        self._appending = False
        self._stopped = False
        self._timer: TimerHandle | None = None
        self._timer_at = 0
        self._reloading: asyncio.Future[None] | None = None

    # ---------------------------------------------------------------- in

    def submit(self, given: AnyInput, reply: Reply | None = None) -> None:
        """Put an input into the queue; `reply` is called exactly once, when the outcome is durable."""
        self._queue.append(Request(self._clock.now_ms(), given, reply, self._meter.now()))
        if not self._appending:
            self._rounds.join(self)

    @property
    def busy(self) -> bool:
        """True while inputs wait for their outcome."""
        return self._appending or bool(self._queue)

    @property
    def entries(self) -> int:
        """How many entries its journal has, those on their way included."""
        return self._number

    @property
    def waiting(self) -> int:
        """How many inputs wait to be stepped."""
        return len(self._queue)

    def remembered(self, player: str, cid: str) -> int | None:
        """The sequence number with which a player's command was accepted; `None` if it was not, or long ago."""
        return self.table.answer_to(player, cid)

    def replay(self, entries: Sequence[bytes]) -> None:
        """Fold a journal. Raises `Frozen` where it does not give what it gave before."""
        for number, line in enumerate(entries, 1):
            try:
                entry = decode_entry(line)
                events = self.table.step(entry.input, entry.at_ms, jitter=entry.jitter, deck=entry.deck)
            except (msgspec.DecodeError, IllegalAction, Refused, AssertionError) as error:
                raise Frozen(f"entry {number} can't be carried out: {cause_of(error)}") from error
            encoded = encode_events(events)
            if hash_of_encoded(encoded) != entry.seen:
                raise Frozen(f"entry {number} gives other events than it gave when it was written")
            self._remember(self.table, events, encoded)
        self._number = len(entries)

    def freeze(self) -> None:
        """Take no more inputs, as the operator wants it, until the server starts again; those who look on are told."""
        if self.frozen:
            return
        self.frozen = True
        self._meter.froze("operator")
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._refuse_waiting()
        self._watcher.reloaded(self)

    def stop(self) -> None:
        """No timer fires and no input is stepped any more; what waits is refused."""
        self._stopped = True
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._reloading is not None:
            self._reloading.cancel()
        self._refuse_waiting()

    # ---------------------------------------------------------------- the step

    def pump(self) -> None:
        """Step what waits, as one batch, and send it to the journal."""
        if self._appending:
            return  # its timer has begun already; what waits goes with the next batch
        if self._stopped or self.frozen:
            self._refuse_waiting()
            return
        steps: list[Step] = []
        lines: list[bytes] = []
        table = self.table
        while self._queue and len(steps) < MAX_BATCH:
            request = self._queue[0]
            if not isinstance(request.given, Recovered):  # before it nothing expires: the time since was an outage
                table = self._expire_until(table, request.stamp_ms, steps, lines)
                if len(steps) >= MAX_BATCH:
                    break
            self._queue.popleft()
            table = self._carry_out(table, request, steps, lines)
        if not self._queue:
            self._expire_until(table, self._clock.now_ms(), steps, lines)
        if lines:
            self._appending = True
            first, self._number = self._number + 1, self._number + len(lines)
            asked = self._meter.now()
            saved = self._journal.append(self.table.id, first, lines)
            saved.add_done_callback(lambda done: self._appended(done, steps, asked, len(lines)))
        else:
            self._tell(steps)
            self._go_on()

    def _refuse_waiting(self) -> None:
        refusal = Frozen() if self.frozen else JournalError("table_ended", "the table is over", "Open another table")
        while self._queue:
            request = self._queue.popleft()
            if request.reply is not None:
                request.reply(refusal, self.table)

    def _go_on(self) -> None:
        """Step what has come meanwhile, or wait for the next deadline."""
        if self._queue:
            self.pump()
        else:
            self._rearm()

    def _expire_until(self, table: Table, now_ms: int, steps: list[Step], lines: list[bytes]) -> Table:
        """Carry out every expiry up to this time, each at its own (RULES 1.16)."""
        while True:
            due = table.deadline_ms
            if due is None or due > now_ms or len(steps) >= MAX_BATCH:
                return table
            table = self._carry_out(table, Request(max(due, table.now_ms), Expire(), None), steps, lines)

    def _carry_out(self, table: Table, request: Request, steps: list[Step], lines: list[bytes]) -> Table:
        given = request.given
        if isinstance(given, ByPlayer) and given.cid:
            done = table.answer_to(given.player, given.cid)
            if done is not None:
                self._meter.repeated()
                steps.append(Step(table, reply=request.reply, outcome=Accepted(done)))
                return table
        at_ms = max(request.stamp_ms, table.now_ms)
        jitter = Jitter(self._entropy.number())
        deck = self._entropy.deck() if table.may_deal(given) else None
        after = table.copy()
        try:
            events = after.step(given, at_ms, jitter=jitter, deck=deck)
        except (IllegalAction, Refused) as refusal:
            steps.append(Step(table, reply=request.reply, outcome=refusal))
            return table
        if not events and request.reply is None and not isinstance(given, Expire | Recovered):
            return table
        encoded = encode_events(events)
        lines.append(encode_entry(Entry(at_ms, given, jitter, deck, hash_of_encoded(encoded))))
        received = request.received if isinstance(given, Play) else None
        steps.append(Step(after, events, encoded, request.reply, Accepted(after.seq), received))
        return after

    # ---------------------------------------------------------------- out

    def _appended(self, saved: "asyncio.Future[None]", steps: list[Step], asked: float, entries: int) -> None:
        error = asyncio.CancelledError() if saved.cancelled() else saved.exception()
        if error is None:
            self._meter.appended(asked, entries)
            self._tell(steps)
            self._go_on()
            return
        refusal = (
            error if isinstance(error, JournalError) else JournalError("not_saved", "the journal was not written", "Try again")
        )
        self._meter.append_failed(refusal.code)
        logger.error("append failed: %s", refusal, extra={"table": self.table.id, "seq": self.table.seq, "code": refusal.code})
        for step in steps:
            if step.reply is not None:
                step.reply(refusal, self.table)
        if self._stopped:
            self._refuse_waiting()
            return
        # Whether the entries are on disk is unknown, so the journal is asked what the table is.
        self._reloading = asyncio.ensure_future(self._reload())

    async def _reload(self) -> None:
        """Read the table again from its journal, after a moment and as often as it takes."""
        while True:
            await self._clock.sleep(RETRY_MS)
            try:
                entries = await self._journal.read(self.table.id)
                break
            except JournalError as error:
                logger.error("reload failed: %s", error, extra={"table": self.table.id, "code": error.code})
        self.table = Table(self.table.id)
        self.history.clear()
        try:
            self.replay(entries)
        except Frozen as reason:
            self.frozen = True
            self._meter.froze("journal")
            logger.error("table frozen: %s", reason, extra={"table": self.table.id})
        self._watcher.reloaded(self)  # what is submitted meanwhile waits
        self._appending = False
        self.pump()

    def _tell(self, steps: list[Step]) -> None:
        """Tell of each step while the table is as it was then: whoever is shown the table in between misses and repeats nothing."""
        self._appending = True  # what is submitted meanwhile waits until all is told
        for step in steps:
            before, self.table = self.table, step.table
            try:
                self._tell_one(step, before)
            except Exception:
                logger.exception("telling of a step failed", extra={"table": self.table.id, "seq": step.table.seq})
        self._appending = False

    def _tell_one(self, step: Step, before: Table) -> None:
        if step.events:
            self._remember(step.table, step.events, step.encoded)
        if step.reply is not None and step.outcome is not None:
            step.reply(step.outcome, step.table)
        if step.received is not None:
            self._meter.acknowledged(step.received)
        if step.events:
            self._watcher.told(self, before, step.table, step.events)
            if step.received is not None:
                self._meter.broadcast(step.received)
            if step.table.status != "playing":
                self._count_ending(step)

    def _count_ending(self, step: Step) -> None:
        for event in step.events:
            if isinstance(event, Voided):
                self._meter.finished(step.table.rules.preset, "void")
            if isinstance(event, GameOver):
                result = event.result
                how: Ending = "draw" if result.draw else "nobody" if result.durak is None else "durak"
                self._meter.finished(step.table.rules.preset, how)

    def _remember(self, table: Table, events: list[AnyEvent], encoded: bytes) -> None:
        if any(isinstance(event, Started) for event in events):
            self.history.clear()
        self.history.append(table.seq, encoded)

    def _rearm(self) -> None:
        """Set the timer to the next deadline; an earlier timer that fires for nothing is cheaper than a new one."""
        at = self.table.deadline_ms
        if at is None or self.frozen or (self._timer is not None and self._timer_at <= at):
            return
        self._set_timer(at)

    def _set_timer(self, at_ms: int) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer_at = at_ms
        self._timer = self._clock.call_at(at_ms, self._fired)

    def _fired(self) -> None:
        self._timer = None
        self._meter.timer_fired(self._clock.now_ms() - self._timer_at)
        self.pump()
