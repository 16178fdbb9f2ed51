"""A batch: inputs stepped on copies of a table, one after the other, for one append to its journal."""

from dataclasses import dataclass, field

from durak.protocol.rules.errors import IllegalAction
from durak.server.live.common import Common
from durak.server.live.entries import encode_entry, hash_of_encoded
from durak.server.live.history import encode_events
from durak.server.live.outcome import Accepted, Internal, Outcome, Refusal, Reply, refused_as
from durak.server.table.chairs import Refused
from durak.server.table.inputs import AnyInput, ByPlayer, Entry, Expire, Play, Recovered
from durak.server.table.jitter import Jitter
from durak.server.table.machine import Table
from durak.server.table.seating import AnyEvent

MAX_BATCH = 64
"""Inputs stepped for one append."""


@dataclass(slots=True)
class Request:
    """An input in the queue, with the answer it gets `unless` it was carried out before."""

    stamp_ms: int
    cause: AnyInput
    reply: Reply | None
    unless: Refusal | None = None
    received: float = 0.0


@dataclass(slots=True)
class Step:
    """One outcome, told when the batch is on disk: the table after it, and what happened."""

    table: Table
    outcome: Outcome
    reply: Reply | None
    events: list[AnyEvent] = field(default_factory=list)
    encoded: bytes = b""
    """The events, as `encode_events` gives them."""
    received: float | None = None
    """When a game action came that was accepted."""


class Batch:
    """Steps from one table to the next. A bug in one input is that input's; one in what is due makes the batch `broken`.

    Refusals and bugs leave no trace: each input is stepped on a copy, which is dropped then.
    """

    def __init__(self, table: Table, common: Common) -> None:
        self.steps: list[Step] = []
        self.lines: list[bytes] = []
        self.broken = False
        self._table = table
        self._common = common

    @property
    def full(self) -> bool:
        """True if nothing more may be stepped."""
        return self.broken or len(self.steps) >= MAX_BATCH

    def expire_until(self, now_ms: int) -> None:
        """Carry out every expiry up to this time, each at its own (RULES 1.16)."""
        while not self.full:
            table = self._table
            try:
                due = table.deadline_ms
            except Exception:
                self._break()
                return
            if due is None or due > now_ms:
                return
            self.carry_out(Request(max(due, table.now_ms), Expire(), None))

    def carry_out(self, request: Request) -> None:
        """Step an input, and note what is to be told of it."""
        table = self._table
        try:
            self._carry_out(request)
        except Exception:
            if isinstance(request.cause, Expire | Recovered):
                self._break()
            else:
                self._common.failed("input", table.id)
            self.steps.append(Step(table, Internal(), request.reply))

    def _carry_out(self, request: Request) -> None:
        table, cause, common = self._table, request.cause, self._common
        if isinstance(cause, ByPlayer) and cause.cid:
            done = table.answer_to(cause.player, cause.cid)
            if done is not None:
                common.meter.repeated()
                self.steps.append(Step(table, Accepted(table.id, done, repeated=True), request.reply))
                return
        if request.unless is not None:
            self.steps.append(Step(table, request.unless, request.reply))
            return
        at_ms = max(request.stamp_ms, table.now_ms)
        jitter = Jitter(common.entropy.number())
        deck = common.entropy.deck() if table.may_deal(cause) else None
        after = table.copy()
        try:
            events = after.step(cause, at_ms, jitter=jitter, deck=deck)
        except (IllegalAction, Refused) as refusal:
            if isinstance(cause, Expire | Recovered):
                raise  # nobody asked for it who could be refused: it could not be carried out
            player = cause.player if isinstance(cause, ByPlayer) else None
            self.steps.append(Step(table, refused_as(refusal, table, player), request.reply))
            return
        if not events and request.reply is None and not isinstance(cause, Expire | Recovered):
            return
        encoded = encode_events(events)
        line = encode_entry(Entry(at_ms, cause, jitter, deck, hash_of_encoded(encoded)))
        received = request.received if isinstance(cause, Play) else None
        self.lines.append(line)
        self.steps.append(Step(after, Accepted(table.id, after.seq), request.reply, events, encoded, received))
        self._table = after

    def _break(self) -> None:
        """What is due can't be carried out, and nothing may be before it."""
        self._common.failed("expiry", self._table.id)
        self.broken = True
