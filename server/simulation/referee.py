"""The referee: watches the server from inside and every client's end of the network, and holds both against the journal."""

import hashlib
import logging
import random
import re
import traceback
from collections import Counter, deque
from collections.abc import Callable, Sequence
from typing import Literal

import msgspec

from durak.protocol.codec import CODECS, Codec
from durak.protocol.messages import (
    Command,
    Detached,
    Error,
    Hello,
    LeaveTable,
    Lobby,
    Ok,
    TableState,
    TableView,
    Update,
    Watch,
    Welcome,
)
from durak.protocol.messages import Host as HostOffer
from durak.protocol.rules.cards import PACK
from durak.protocol.rules.errors import IllegalAction
from durak.server.edge.connection import Connection
from durak.server.live.port import Viewer
from durak.server.live.watching import Commit, Moment, Watcher
from durak.server.simulation.network import Wire
from durak.server.simulation.truth import Truth, brief, game_number, is_private, same_table
from durak.server.table.chairs import Refused
from durak.server.table.inputs import Play
from durak.server.table.machine import Table
from durak.server.table.view import Views

TRACE = 60
"""Lines of the trace that a violation shows."""
VIEWS_CHECKED, LEGAL_CHECKED = 0.05, 0.02
"""How many of the views are held against the journal, and how many lists of legal actions against the table."""
CARD_JSON = re.compile(rb'"((?:10|[6-9JQKA])[SHDC])"')
CARD_MSGPACK = re.compile(rb"\xa2([6-9JQKA][SHDC])|\xa3(10[SHDC])")
UNJOURNALED = (LeaveTable, Lobby, Watch, HostOffer)
"""Commands that may be answered without an entry; of leaving, when there was nothing to leave."""
UNDECIDED = ("not_saved", "rate_limited")


class Referee(Watcher):
    """Collects violations and the trace; `on_violation` is called with the first. It watches the server's tables."""

    def __init__(
        self, rng: random.Random, now_s: Callable[[], float], make_truth: Callable[[str], Table], *, keep_all: bool = False
    ) -> None:
        self.truths: dict[str, Truth] = {}
        self.violations: list[str] = []
        self.on_violation: Callable[[], object] | None = None
        self.copies: Counter[tuple[str, str]] = Counter()
        self.refused: set[tuple[str, str]] = set()
        self.seen: Counter[str] = Counter()
        """How often what happened: for the summary."""
        self._asked: dict[tuple[str, str], Command] = {}
        self._committed: dict[str, tuple[Table, int]] = {}  # the live tables, with the entries they are made of
        self._shown: dict[Connection, TableView] = {}  # what each was shown last
        self._rng = rng
        self._now_s = now_s
        self._make_truth = make_truth
        self._hash = hashlib.blake2b(digest_size=8)
        self._trace: deque[tuple[float, str, object]] = deque(maxlen=None if keep_all else TRACE)

    # ---------------------------------------------------------------- the trace

    def note(self, who: str, what: object, frame: bytes = b"") -> None:
        """Add a line to the trace, which ends with the first violation."""
        if self.violations:
            return
        now = self._now_s()
        self._hash.update(b"%.6f %s " % (now, who.encode()))
        self._hash.update(frame or str(what).encode())
        self._trace.append((now, who, what))

    @property
    def trace_hash(self) -> str:
        """The same for the same run."""
        return self._hash.hexdigest()

    def trace(self) -> list[str]:
        """The last lines, or all."""
        return [f"{now:10.3f}  {who:10} {line_of(what)}" for now, who, what in self._trace]

    def report(self, violation: str) -> None:
        """Something that must not be."""
        self.note("VIOLATION", violation)
        self.violations.append(violation)
        if self.on_violation is not None:
            self.on_violation()

    # ---------------------------------------------------------------- the journal

    def written(self, table: str, lines: Sequence[bytes]) -> None:
        """Entries are durable."""
        truth = self.truths.get(table)
        if truth is None:
            truth = self.truths[table] = Truth(self._make_truth(table), self.report)
        for line in lines:
            known = len(truth.commands)
            truth.fold(line)
            if len(truth.commands) > known:
                command = next(reversed(truth.commands))
                if command in self.refused:
                    self.report(f"{table}: command {command} was refused, and yet it is carried out")

    # ---------------------------------------------------------------- the live tables

    def recovered(self, now: Moment) -> None:
        """A table goes on."""
        self._committed[now.table.id] = (now.table, now.entries)

    def committed(self, commit: Commit) -> None:
        """A table goes on: what is told of it must be durable."""
        table = commit.now.table
        truth = self.truths.get(table.id)
        if truth is None or truth.number < commit.now.entries:
            self.report(f"{table.id}: {table.seq} is told before it is durable")
        self._committed[table.id] = (table, commit.now.entries)

    def reloaded(self, now: Moment, leaving: Sequence[Viewer]) -> None:
        """A table was read again."""
        self.seen["tables read again"] += 1
        self._committed[now.table.id] = (now.table, now.entries)

    def attached(self, now: Moment, viewer: Viewer, seen_seq: int | None) -> None:
        """Somebody is shown this table, perhaps while its step is being answered and not told yet."""
        self._committed[now.table.id] = (now.table, now.entries)

    def ended(self, now: Moment, how: Literal["closed", "frozen"]) -> None:
        """A table is live no longer; none may freeze."""
        if how == "frozen":
            self.report(f"{now.table.id} is frozen")
        self._committed.pop(now.table.id, None)

    def forget_committed(self) -> None:
        """The process is dead, and its tables with it."""
        self._committed.clear()

    def table(self, table: str) -> Table | None:
        """A live table, as it was committed last."""
        return self._committed[table][0] if table in self._committed else None

    def compare(self) -> None:
        """Every live table against its journal, unless something is on its way."""
        for name, (table, entries) in self._committed.items():
            truth = self.truths[name]
            if entries == truth.number:
                self.seen["tables compared"] += 1
                if not same_table(table, truth.table):
                    self.report(f"{name} is not what its journal says")

    # ---------------------------------------------------------------- what the server sends

    def sends(self, connection: Connection, message: msgspec.Struct) -> None:
        """The server tells somebody something: it must be durable by now, and true."""
        viewer = connection.viewer
        match message:
            case Ok(cid=cid, table=str(table), seq=seq) if viewer is not None:
                self._check_ack(viewer.player, cid, table, seq)
            case TableState(seq=seq, view=view) if viewer is not None:
                self._shown[connection] = view
                self._check_shown(viewer.player, seq, view)
            case Update(seq=seq, view=change) if viewer is not None:
                view = self._shown[connection] = change.applied_to(self._shown[connection])
                self._check_shown(viewer.player, seq, view)
            case _:
                pass

    def _check_shown(self, player: str, seq: int, view: TableView) -> None:
        truth = self.truths.get(view.table)
        if truth is None or seq > truth.table.seq:
            self.report(f"{view.table}: {seq} is told before it is durable")
        elif view.table in self._committed and self._rng.random() < VIEWS_CHECKED:
            table, entries = self._committed[view.table]
            if entries == truth.number:
                self._check_view(player, seq, view, table, truth)

    def sends_frame(self, viewer: Viewer, codec: Codec, frame: bytes) -> None:
        """Whatever it is, no card is in it that its receiver may not know."""
        cards = cards_in(frame, codec)
        table = None if viewer.table is None else self.table(viewer.table.id)
        if not cards or table is None:
            return
        truth = self.truths.get(table.id)
        known = None if truth is None else truth.known.get(game_number(table))
        seat = table.seat_of_player(viewer.player)
        revealed = cards if known is None else cards - known.to(seat)
        if revealed:
            self.report(f"{table.id}: {viewer.player} (seat {seat}) is shown {', '.join(sorted(revealed))}")

    def _check_ack(self, player: str, cid: str, table: str, seq: int | None) -> None:
        command = self._asked.get((player, cid))
        truth = self.truths.get(table)
        written = None if truth is None else truth.commands.get((player, cid))
        if written is None and isinstance(command, UNJOURNALED):
            return
        if written is None:
            self.report(f"{table}: {cid} of {player} is acknowledged, and not in the journal")
        elif written != seq and not isinstance(command, UNJOURNALED):
            self.report(f"{table}: {cid} of {player} is acknowledged as {seq}, the journal says {written}")

    def _check_view(self, player: str, seq: int, shown: TableView, table: Table, truth: Truth) -> None:
        if seq != truth.table.seq or not same_table(table, truth.table):
            return
        view = Views(truth.table, 0).of(player)
        if msgspec.structs.replace(view, clock=None) != msgspec.structs.replace(shown, clock=None):
            self.report(f"{truth.table.id}: the view of {player} is not that of the journal")
        self.seen["views compared"] += 1
        if view.game is not None and self._rng.random() < LEGAL_CHECKED / VIEWS_CHECKED:
            for action in view.game.legal:
                try:
                    table.copy().step(Play(player, "", action, view.game.bout, view.game.epoch), table.now_ms, deck=PACK)
                except (IllegalAction, Refused) as error:
                    self.report(f"{truth.table.id}: {action} was shown to {player} as legal, and is refused: {error!r}")

    # ---------------------------------------------------------------- what clients send and get

    def watch(self, name: str, wire: Wire) -> None:
        """Look at a new connection."""
        wire.witness = Overheard(self, name, wire)

    def asks(self, player: str, command: Command, copies: int) -> None:
        """A client sends a command, perhaps not for the first time."""
        self.copies[(player, command.cid)] += copies
        self._asked[(player, command.cid)] = command

    def refuses(self, player: str, error: Error) -> None:
        """A client is refused a command; that counts if it was asked for once."""
        assert error.cid is not None
        if error.code not in UNDECIDED and self.copies[(player, error.cid)] == 1:
            self.refused.add((player, error.cid))
            if any((player, error.cid) in truth.commands for truth in self.truths.values()):
                self.report(f"command {error.cid} of {player} is refused ({error.code}), and yet it was carried out")


def cards_in(frame: bytes, codec: Codec) -> set[str]:
    """The cards named in a frame."""
    if codec.binary:
        return {(short or ten).decode() for short, ten in CARD_MSGPACK.findall(frame)}
    return {card.decode() for card in CARD_JSON.findall(frame)}


def traceback_of(error: BaseException) -> str:
    """An exception with the end of its traceback."""
    return "\n" + "".join(traceback.format_exception(error)[-4:])


def line_of(what: object) -> str:
    """A line of the trace."""
    return brief(what) if isinstance(what, msgspec.Struct) else str(what)


class Overheard:
    """One connection, as its client's end sees it."""

    def __init__(self, referee: Referee, name: str, wire: Wire) -> None:
        self._referee = referee
        self._name = name
        self._codec = CODECS[wire.subprotocol]
        self._hello: Hello | None = None
        self._player = ""
        self._asked: Counter[str] = Counter()
        self._seq: int | None = None

    def sent(self, frame: bytes, copies: int) -> None:
        """See `Witness.sent`."""
        message = self._codec.decode_from_client(frame)
        self._referee.note(f"{self._name} >", message, frame)
        if isinstance(message, Hello):
            self._hello = message
            return
        self._asked[message.cid] += copies
        self._referee.seen["commands"] += 1
        self._referee.seen["repeated commands"] += copies - 1 + (self._referee.copies[(self._player, message.cid)] > 0)
        self._referee.asks(self._player, message, copies)

    def received(self, frame: bytes) -> None:
        """See `Witness.received`."""
        referee = self._referee
        message = self._codec.decode_from_server(frame)
        referee.note(f"{self._name} <", message, frame)
        match message:
            case Welcome(player=player):
                self._player = player
            case Ok(cid=cid) | Error(cid=str(cid)):
                self._asked[cid] -= 1
                if self._asked[cid] < 0:
                    referee.report(f"{self._name}: {cid} is answered more often than it was asked")
                if isinstance(message, Error):
                    referee.refuses(self._player, message)
            case TableState():
                self._attached(message)
            case Update(seq=seq, events=events):
                self._updated(seq, all(is_private(event) for event in events))
            case Detached():
                self._seq = None
            case _:
                pass

    def _attached(self, state: TableState) -> None:
        """Private events keep the number of the public one before them, so a number may come more than once."""
        known = None if self._hello is None else self._hello.seq
        missed = sorted({one.seq for one in state.missed})
        if state.resumed == "events":
            self._referee.seen["resumed with events"] += 1
            if known is None or missed != list(range(known + 1, state.seq + 1)):
                self._referee.report(f"{self._name}: had seen {known}, resumed at {state.seq} with {missed}")
        elif missed:
            self._referee.seen["resumed with a snapshot"] += known is not None
            if missed != list(range(missed[0], state.seq + 1)):
                self._referee.report(f"{self._name}: a snapshot at {state.seq} with {missed}")
        self._seq = state.seq

    def _updated(self, seq: int, private: bool) -> None:
        known = self._seq
        if known is None:
            self._referee.report(f"{self._name}: an update {seq} without a table")
        elif seq != known + 1 and not (seq == known and private):
            self._referee.report(f"{self._name}: update {seq} after {known}")
        self._seq = seq


class Complaints(logging.Handler):
    """No exception escapes: whatever the server logs as an error is one, but what a broken disk explains."""

    EXPECTED = ("append failed", "reload failed", "the end of a table was not noted")

    def __init__(self, referee: Referee) -> None:
        super().__init__(logging.WARNING)
        self._referee = referee

    def emit(self, record: logging.LogRecord) -> None:
        """Judge a line of the log."""
        text = record.getMessage()
        if record.exc_info or (record.levelno >= logging.ERROR and not text.startswith(self.EXPECTED)):
            error = record.exc_info[1] if record.exc_info else None
            self._referee.report(f"logged: {text}{'' if error is None else traceback_of(error)}")
        self._referee.note("log", text)
