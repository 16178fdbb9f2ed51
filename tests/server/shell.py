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
from durak.server.edge.connection import Session
from durak.server.edge.gateway import Gateway
from durak.server.journal.contract import JournalError, SequenceConflict, TableEnded
from durak.server.live.registry import Owner
from durak.server.live.table import LiveTable
from durak.server.lobby.desk import Desk
from durak.server.lobby.listing import Lobby
from durak.server.people.tokens import Identity, Tokens
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
        self.call_at(self._now_ms + ms, lambda: done.done() or done.set_result(None))
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


class KeptConnection:
    """A connection that keeps what is sent."""

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


class Listener:
    """Somebody who is told of everything committed."""

    def __init__(self) -> None:
        self.heard: list[tuple[int, list[AnyEvent]]] = []
        self.reloads = 0

    def told(self, live: LiveTable, before: Table, table: Table, events: list[AnyEvent]) -> None:
        """Note it."""
        assert live.table is table, "the table is as it was then"
        self.heard.append((table.seq, events))

    def reloaded(self, live: LiveTable) -> None:
        """Count it."""
        self.reloads += 1


class House:
    """A whole server without sockets: `visit` gives a session that has said hello."""

    def __init__(self, *, dev: bool = True, max_tables: int = 100) -> None:
        self.clock = HandClock()
        self.journal = MemoryJournal()
        self.entropy = FixedEntropy()
        self.tokens = Tokens(b"a secret for tests")
        self.lobby = Lobby(self.clock)
        self.desk = Desk(self.tokens, self.clock)
        self.audience = Audience(self.lobby, self.desk, self.clock)
        self.owner = Owner(self.journal, self.clock, self.entropy, self.audience, max_tables=max_tables)  # type: ignore[arg-type]
        self.gateway = Gateway(
            self.owner,
            self.audience,
            self.lobby,
            self.desk,
            self.tokens,
            self.clock,
            self.entropy,
            server="durak test",
            dev=dev,
        )

    def arrive(self) -> Visitor:
        """A connection that has said nothing."""
        visitor = Visitor(self)
        self.gateway.connected(visitor.session)
        return visitor

    def visit(self, name: str, *, kind: str = "person", table: str | None = None, seq: int | None = None) -> Visitor:
        """Somebody who has said hello."""
        token = self.tokens.make(Identity(f"guest:{name}", name, kind))  # type: ignore[arg-type]
        return self.come(token, table, seq)

    def come(self, token: str, table: str | None = None, seq: int | None = None) -> Visitor:
        """A connection with this token."""
        visitor = self.arrive()
        hello = {"t": "hello", "token": token, "table": table, "seq": seq}
        visitor.say({key: value for key, value in hello.items() if value is not None})
        return visitor


class Visitor:
    """A session, seen from outside."""

    def __init__(self, house: House) -> None:
        self._house = house
        self.connection = KeptConnection(JSON)
        self.session = Session(self.connection, JSON, "127.0.0.1", None)

    @property
    def told(self) -> list[FromServer]:
        """Everything received."""
        return self.connection.told

    def last(self, kind: type) -> FromServer | None:
        """The last message of a type."""
        return next((message for message in reversed(self.told) if isinstance(message, kind)), None)

    def say(self, message: dict[str, object]) -> None:
        """Send a message."""
        self._house.gateway.received(self.session, json.dumps(message).encode())

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
        self._house.gateway.disconnected(self.session)
