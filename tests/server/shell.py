"""What the server is made of, for tests: a clock set by hand, a journal in memory that can be broken, connections that keep."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import json
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass

from durak.protocol.codec import JSON, Codec
from durak.protocol.messages import FromServer
from durak.protocol.rules.cards import PACK
from durak.server.edge.connection import Connection
from durak.server.given.clock import Clock
from durak.server.given.meter import Meter, Place
from durak.server.journal.contract import JournalError, SequenceConflict, TableEnded
from durak.server.live.history import History
from durak.server.live.port import Viewer
from durak.server.live.watching import Commit, Moment, Watcher
from durak.server.node import Node, Options, Parts
from durak.server.people.tokens import Identity
from durak.server.table.machine import Table
from durak.server.table.seating import AnyEvent
from durak.server.viewers.audience import Audience

_cids = itertools.count(1)


@dataclass
class Timer:
    """A call at a moment, until it is called off."""

    callback: Callable[[], None] | None

    def cancel(self) -> None:
        """Call it off."""
        self.callback = None


class HandClock:
    """A clock that stands still until `advance`."""

    def __init__(self, now_ms: int = 1_000_000) -> None:
        self._now_ms = now_ms
        self._calls: list[tuple[int, int, Timer]] = []
        self._count = itertools.count()

    def now_ms(self) -> int:
        """The time."""
        return self._now_ms

    def call_at(self, at_ms: int, callback: Callable[[], None]) -> Timer:
        """Call back when the time is advanced that far."""
        timer = Timer(callback)
        heapq.heappush(self._calls, (at_ms, next(self._count), timer))
        return timer

    def call_soon(self, callback: Callable[[], None]) -> None:
        """Call back in the next turn of the event loop."""
        asyncio.get_running_loop().call_soon(callback)

    async def sleep(self, ms: int) -> None:
        """Wait for the time to be advanced."""
        done = asyncio.get_running_loop().create_future()

        def wake() -> None:
            if not done.done():
                done.set_result(None)

        self.call_at(self._now_ms + ms, wake)
        await done

    async def advance(self, ms: int) -> None:
        """Let time pass, with everything that is due on the way."""
        end = self._now_ms + ms
        await settled()
        while self._calls and self._calls[0][0] <= end:
            at_ms, _, timer = heapq.heappop(self._calls)
            self._now_ms = max(self._now_ms, at_ms)
            if timer.callback is not None:
                timer.callback()
            await settled()
        self._now_ms = end


async def settled() -> None:
    """Let everything that is ready run."""
    for _ in range(20):
        await asyncio.sleep(0)


class MemoryJournal:
    """A journal in memory. `broken`: appends fail, and with `silently` after they were written; `held`: appends wait."""

    def __init__(self) -> None:
        self.tables: dict[str, list[bytes]] = {}
        self.ended: set[str] = set()
        self.appends = 0
        self.broken = False
        self.silently = False
        self.unreadable = False
        self.held: list[Callable[[], None]] | None = None

    def append(self, table: str, number: int, entries: Sequence[bytes]) -> asyncio.Future[None]:
        """See `Journal.append`."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.appends += 1
        if self.held is None:
            self._append(done, table, number, entries)
        else:
            self.held.append(lambda: self._append(done, table, number, entries))
        return done

    def release(self) -> None:
        """Carry out what was held."""
        held, self.held = self.held or [], None
        for work in held:
            work()

    def _append(self, done: asyncio.Future[None], table: str, number: int, entries: Sequence[bytes]) -> None:
        kept = self.tables.get(table, [])
        if self.silently or not self.broken:
            if table in self.ended:
                done.set_exception(TableEnded(table))
                return
            if number != len(kept) + 1:
                done.set_exception(SequenceConflict(table, number, len(kept) + 1))
                return
            self.tables[table] = [*kept, *entries]
        if self.broken:
            done.set_exception(JournalError("data_full", "there is no room left", "Free some space"))
        else:
            done.set_result(None)

    async def live_tables(self) -> AsyncIterator[tuple[str, list[bytes]]]:
        """See `Journal.live_tables`."""
        for table, entries in list(self.tables.items()):
            if table not in self.ended:
                yield table, entries

    async def read(self, table: str) -> list[bytes]:
        """See `Journal.read`."""
        if self.unreadable:
            raise JournalError("data_io", "it failed to be read", "Look after the disk")
        return list(self.tables.get(table, []))

    async def end(self, table: str, at_ms: int) -> None:
        """See `Journal.end`."""
        self.ended.add(table)

    async def check(self) -> None:
        """See `Journal.check`."""


class FixedEntropy:
    """Always the same deck; ids that count up."""

    def __init__(self, deck: Sequence[str] = PACK) -> None:
        self._deck = list(deck)
        self._tables = itertools.count(1)
        self._players = itertools.count(1)

    def deck(self) -> list[str]:
        """The deck."""
        return list(self._deck)

    def number(self) -> int:
        """No jitter."""
        return 300

    def table_id(self) -> str:
        """TABLE1, TABLE2, …"""
        return f"TAB{next(self._tables):03}"

    def player_id(self) -> str:
        """A number."""
        return str(next(self._players))


class KeptTransport:
    """A transport that keeps what is sent."""

    def __init__(self, codec: Codec) -> None:
        self._codec = codec
        self.told: list[FromServer] = []
        self.closed: tuple[int, str] | None = None

    def send(self, frame: bytes) -> None:
        """Keep a frame."""
        if self.closed is None:
            self.told.append(self._codec.decode_from_server(frame))

    def close(self, code: int, reason: str) -> None:
        """Note the first closing."""
        self.closed = self.closed or (code, reason)


class KeptOutlet:
    """What a viewer is sent, kept."""

    def __init__(self) -> None:
        self.told: list[FromServer] = []
        self.closed: tuple[int, str] | None = None

    def send(self, message: FromServer) -> None:
        """Keep a message."""
        self.told.append(message)

    def close(self, code: int, reason: str) -> None:
        """Note the first closing."""
        self.closed = self.closed or (code, reason)


def a_viewer(player: str, kind: str = "person") -> tuple[Viewer, KeptOutlet]:
    """Somebody who has said hello, and what they are sent."""
    outlet = KeptOutlet()
    return Viewer(Identity(player, player.title(), kind), outlet), outlet  # type: ignore[arg-type]


def moment(table: Table, watchers: int = 0) -> Moment:
    """A table as it is told of, with so many who look on."""
    return Moment(table, History(), 1, [a_viewer(f"stranger {number}")[0] for number in range(watchers)])


def commit(table: Table) -> Commit:
    """Something has happened at a table after which somebody may stand otherwise."""
    return Commit(table, [], moment(table), [], restands=True)


class Listener(Watcher):
    """Somebody who is told of everything committed."""

    def __init__(self) -> None:
        self.heard: list[tuple[int, list[AnyEvent]]] = []
        self.reloads = 0
        self.endings: list[str] = []

    def committed(self, commit: Commit) -> None:
        """Note it."""
        self.heard.append((commit.now.table.seq, commit.events))

    def reloaded(self, now: Moment, leaving: Sequence[Viewer]) -> None:
        """Count it."""
        self.reloads += 1

    def ended(self, now: Moment, how: str) -> None:
        """Note it."""
        self.endings.append(how)


class Bugs(Meter):
    """Counts what was contained."""

    def __init__(self) -> None:
        self.places: list[Place] = []

    def failed(self, where: Place) -> None:
        """Note it."""
        self.places.append(where)


class House:
    """A node without sockets: `visit` gives a connection that has said hello. `journal`: that of an earlier life."""

    def __init__(
        self,
        *,
        dev: bool = True,
        max_tables: int = 100,
        journal: MemoryJournal | None = None,
        make_table: Callable[[str], Table] = Table,
        make_audience: Callable[[Clock, Meter], Watcher] = Audience,
    ) -> None:
        self.clock = HandClock()
        self.journal = journal or MemoryJournal()
        self.entropy = FixedEntropy()
        self.bugs = Bugs()
        self.listener = Listener()
        parts = Parts(self.journal, self.clock, self.entropy, self.bugs, make_table, make_audience, (self.listener,))  # type: ignore[arg-type]
        self.node = Node(parts, Options("durak test", b"a secret for tests", max_tables, dev))
        self.node.gateway.start()

    @property
    def tables(self) -> list[str]:
        """The ids of the live tables."""
        return [summary.table.table for summary in self.node.registry.summaries()]

    def arrive(self) -> Visitor:
        """A connection that has said nothing."""
        visitor = Visitor(self)
        self.node.gateway.connected(visitor.connection)
        return visitor

    def visit(self, name: str, *, kind: str = "person", table: str | None = None, seq: int | None = None) -> Visitor:
        """Somebody who has said hello."""
        token = self.node.tokens.make(Identity(f"guest:{name}", name, kind))  # type: ignore[arg-type]
        return self.come(token, table, seq)

    def come(self, token: str, table: str | None = None, seq: int | None = None) -> Visitor:
        """A connection with this token."""
        visitor = self.arrive()
        hello = {"t": "hello", "token": token, "table": table, "seq": seq}
        visitor.say({key: value for key, value in hello.items() if value is not None})
        return visitor


class Visitor:
    """A connection, seen from outside."""

    def __init__(self, house: House) -> None:
        self._house = house
        self.transport = KeptTransport(JSON)
        self.connection = Connection(self.transport, JSON, None, house.bugs)

    @property
    def told(self) -> list[FromServer]:
        """Everything received."""
        return self.transport.told

    @property
    def closed(self) -> tuple[int, str] | None:
        """How the connection was closed."""
        return self.transport.closed

    def last(self, kind: type) -> FromServer | None:
        """The last message of a type."""
        return next((message for message in reversed(self.told) if isinstance(message, kind)), None)

    def say(self, message: dict[str, object]) -> None:
        """Send a message."""
        self._house.node.gateway.received(self.connection, json.dumps(message).encode())

    async def ask(self, t: str, *, cid: str | None = None, **fields: object) -> FromServer:
        """Send a command and return its answer."""
        cid = cid or f"v{next(_cids)}"
        before = len(self.told)
        self.say({"t": t, "cid": cid, **fields})
        await settled()
        answers = [message for message in self.told[before:] if getattr(message, "cid", None) == cid]
        assert len(answers) == 1, (t, fields, answers)
        return answers[0]

    def go(self) -> None:
        """The connection is lost."""
        self._house.node.gateway.disconnected(self.connection)
