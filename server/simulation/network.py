"""A simulated network: connections that are slow, lost, or silent without a word; frames of one never overtake each other."""

import asyncio
import random
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Protocol

from aiohttp import WSMsgType

from durak.clients.link import CannotConnect, Dial, SocketClosed
from durak.protocol.messages import SUBPROTOCOL_MSGPACK
from durak.server.edge.outbox import READY_BYTES
from durak.server.simulation.chance import Chance
from durak.server.simulation.process import Process

OPEN_S = 10.0
WINDOW = 4
"""Frames on the way to a client before the server's socket is full."""
PING_NOTICED_S = (10.0, 25.0)
TELLING_S = 0.5
"""At most so much later than it was lost an end learns that the connection is."""


class Witness(Protocol):
    """Sees every frame that leaves or reaches the client's end of a connection."""

    def sent(self, frame: bytes, copies: int) -> None:
        """The client has sent this so many times."""

    def received(self, frame: bytes) -> None:
        """The client is given this."""


class Pipe:
    """One direction: each frame has its delay, and all keep their order."""

    def __init__(self, loop: asyncio.AbstractEventLoop, rng: random.Random, delay_s: tuple[float, float]) -> None:
        self.pace_s = 0.0
        """At least so long between two frames: how slow the reader is."""
        self.open = True
        self._loop = loop
        self._rng = rng
        self._delay_s = delay_s
        self._last_s = 0.0

    def next_s(self) -> float:
        """When the frame that is sent now arrives."""
        self._last_s = max(self._last_s + max(self.pace_s, 1e-6), self._loop.time() + self._rng.uniform(*self._delay_s))
        return self._last_s


class Wire:
    """One connection, seen from the client's end (a link's `Socket`); `far` is the server's."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        rng: random.Random,
        delay_s: tuple[float, float],
        subprotocol: str,
        process: Process,
        *,
        repeats: float = 0.0,
    ) -> None:
        self.subprotocol = subprotocol
        self.process = process
        self.witness: Witness | None = None
        self.up = Pipe(loop, rng, delay_s)
        self.down = Pipe(loop, rng, delay_s)
        self.far = ServerEnd(self)
        self.client_closed: SocketClosed | None = None
        self._loop = loop
        self._rng = rng
        self._repeats = repeats
        self._inbox: deque[bytes | SocketClosed] = deque()
        self._wake: asyncio.Future[None] | None = None
        self._greeted = False

    @property
    def alive(self) -> bool:
        """True while frames pass."""
        return self.up.open and self.down.open and self.client_closed is None

    # ---------------------------------------------------------------- the client's end

    async def send(self, frame: str | bytes) -> None:
        """See `Socket.send`; now and then a command goes twice, as clients may."""
        if self.client_closed is not None:
            raise self.client_closed
        content = frame.encode() if isinstance(frame, str) else frame
        copies = 2 if self._greeted and self._rng.random() < self._repeats else 1
        self._greeted = True
        if self.witness is not None:
            self.witness.sent(content, copies)
        for _ in range(copies):
            self._upwards(content)

    async def recv(self) -> str | bytes:
        """See `Socket.recv`."""
        while not self._inbox:
            if self.client_closed is not None:
                raise self.client_closed
            self._wake = self._loop.create_future()
            await self._wake
        item = self._inbox.popleft()
        if isinstance(item, SocketClosed):
            self._inbox.clear()
            self.client_closed = item
            self._upwards(None)
            raise item
        if self.witness is not None:
            self.witness.received(item)
        return item

    async def close(self) -> None:
        """See `Socket.close`."""
        self.abort()

    def abort(self) -> None:
        """See `Socket.abort`."""
        if self.client_closed is None:
            self.client_closed = SocketClosed(1000)
            self._inbox.clear()
            self._awake()
            self._upwards(None)

    def _upwards(self, content: bytes | None) -> None:
        if self.up.open:
            self.process.at(self.up.next_s(), lambda: self.far.arrived(content))

    def arrived(self, item: bytes | SocketClosed) -> None:
        """Something has come from the server."""
        if self.client_closed is None:
            self._inbox.append(item)
            self._awake()

    def _awake(self) -> None:
        if self._wake is not None and not self._wake.done():
            self._wake.set_result(None)

    # ---------------------------------------------------------------- faults

    def lose(self) -> None:
        """The connection is lost with what is on the way; both ends learn of it, each in its time."""
        self.up.open = self.down.open = False
        self._loop.call_later(self._rng.uniform(0, TELLING_S), self.arrived, SocketClosed())
        self.process.at(self._loop.time() + self._rng.uniform(0, TELLING_S), self.far.lost)

    def fall_silent(self) -> None:
        """Nothing passes any more, and nobody is told: both ends must find out."""
        self.up.open = self.down.open = False
        self.process.at(self._loop.time() + self._rng.uniform(*PING_NOTICED_S), self.far.lost)

    def slow_down(self, pace_s: float, seconds: float) -> None:
        """The client reads that slowly for a while."""
        self.down.pace_s = pace_s
        self._loop.call_later(seconds, setattr, self.down, "pace_s", 0.0)

    def cut(self) -> None:
        """The server's machine has reset the connection: its process is dead."""
        self.up.open = self.down.open = False
        self._loop.call_later(self._rng.uniform(0, TELLING_S), self.arrived, SocketClosed())


class ServerEnd:
    """The server's end: what aiohttp's socket is to the outbox."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._inbox: deque[bytes | None] = deque()
        self._wake: asyncio.Future[None] | None = None
        self._lost = False
        self._on_the_way = 0
        self._room: asyncio.Future[None] | None = None

    async def receive(self) -> bytes | None:
        """The next frame, `None` at the end."""
        while not self._inbox:
            if self._lost:
                return None
            self._wake = asyncio.get_running_loop().create_future()
            await self._wake
        return self._inbox.popleft()

    def arrived(self, content: bytes | None) -> None:
        """Something has come from the client."""
        if not self._lost:
            self._inbox.append(content)
            self._awake()

    def lost(self) -> None:
        """The connection is gone, as the system says."""
        self._lost = True
        self._awake()

    def _awake(self) -> None:
        for future in (self._wake, self._room):
            if future is not None and not future.done():
                future.set_result(None)

    async def send_frame(self, frame: bytes, opcode: WSMsgType) -> None:
        """Send, when the client has read enough of what was sent before. Raises `ConnectionResetError`."""
        while self.full and not self._lost:
            self._room = asyncio.get_running_loop().create_future()
            await self._room
        if self._lost:
            raise ConnectionResetError
        self.send(SocketClosed(int.from_bytes(frame[:2], "big"), frame[2:].decode()) if opcode is WSMsgType.CLOSE else frame)

    def send(self, item: bytes | SocketClosed) -> None:
        """Send at once."""
        self._on_the_way += 1
        if self._wire.down.open:
            asyncio.get_running_loop().call_at(self._wire.down.next_s(), self._delivered, item)

    @property
    def is_lost(self) -> bool:
        """True when the connection is lost."""
        return self._lost

    @property
    def full(self) -> bool:
        """True while the client has too much to read."""
        return self._on_the_way >= WINDOW

    def _delivered(self, item: bytes | SocketClosed) -> None:
        if self._wire.down.open:
            self._wire.arrived(item)
            self._wire.process.soon(self._read)

    def _read(self) -> None:
        self._on_the_way -= 1
        if self._room is not None and not self._room.done():
            self._room.set_result(None)

    async def close(self) -> None:
        """Answer the client's close."""
        self.abort()

    def abort(self) -> None:
        """Let go."""
        if not self._lost:
            self.lost()
            if self._wire.down.open:
                asyncio.get_running_loop().call_at(self._wire.down.next_s(), self._wire.arrived, SocketClosed())


class Transport:
    """The transport below a server's end."""

    def __init__(self, far: ServerEnd) -> None:
        self._far = far

    def get_write_buffer_size(self) -> int:
        """Much while the client has too much to read, else nothing."""
        return READY_BYTES if self._far.full else 0

    def is_closing(self) -> bool:
        """True when the connection is lost."""
        return self._far.is_lost

    def writelines(self, parts: list[bytes]) -> None:
        """Send frames: each header is followed by its payload."""
        for frame in parts[1::2]:
            self._far.send(frame)

    def close(self) -> None:
        """Let go when all is sent."""
        self._far.abort()

    def abort(self) -> None:
        """Let go."""
        self._far.abort()


class Listener(Protocol):
    """A server that takes connections."""

    process: Process

    def accept(self, wire: Wire) -> None:
        """A client has come."""


class Network:
    """Connects clients to whatever listens."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, chance: Chance, delay_s: tuple[float, float], watch: Callable[[str, Wire], None]
    ) -> None:
        self.listener: Listener | None = None
        self.wires: list[Wire] = []
        self.repeats = 0.0
        self._loop = loop
        self._chance = chance
        self._delay_s = delay_s
        self._watch = watch

    def dialer(self, name: str) -> Dial:
        """How this client opens its connections."""
        count = 0

        def dial(url: str, subprotocol: str) -> Awaitable[Wire]:
            nonlocal count
            count += 1
            return self._dial(name, count, subprotocol or SUBPROTOCOL_MSGPACK)

        return dial

    async def _dial(self, name: str, count: int, subprotocol: str) -> Wire:
        rng = self._chance.of("wire", name, count)
        await asyncio.sleep(rng.uniform(*self._delay_s) * 2)
        listener = self.listener
        if listener is None or not listener.process.alive:
            raise CannotConnect("connection_refused", "nothing listens", temporary=True)
        wire = Wire(self._loop, rng, self._delay_s, subprotocol, listener.process, repeats=self.repeats)
        opened: asyncio.Future[None] = self._loop.create_future()

        def shake_hands() -> None:
            if not opened.done():
                listener.accept(wire)
                opened.set_result(None)

        listener.process.soon(shake_hands)
        try:
            async with asyncio.timeout(OPEN_S):
                await opened
        except TimeoutError:
            raise CannotConnect("unreachable", "the server does not answer", temporary=True) from None
        self.wires = [other for other in self.wires if other.alive]
        self.wires.append(wire)
        self._watch(name, wire)
        return wire
