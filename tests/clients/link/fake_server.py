"""A server that speaks the protocol and fails on command: it drops, refuses, repeats itself and falls silent."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from durak.protocol.codec import CODECS
from durak.protocol.messages import (
    SUBPROTOCOL_JSON,
    SUBPROTOCOL_MSGPACK,
    ClientMessage,
    Command,
    FromServer,
    Hello,
    Ok,
    SeqEvents,
    TableState,
    TableView,
    Update,
    ViewChange,
    Welcome,
    YouView,
)
from durak.protocol.rules.ruleset import Ruleset

TABLE = "K7P2QX"
HEARTBEAT_MS = 5_000


def table_view(games: int = 0) -> TableView:
    """A table with nobody at it; `games` tells one view from another."""
    return TableView(TABLE, "", "open", False, Ruleset(), [], 0, games, None, YouView(None, None, False, []), None)


def welcome() -> Welcome:
    return Welcome("p1", "Ann", "person", "test", 1, "1.0.0", HEARTBEAT_MS)


def state(seq: int, missed: list[SeqEvents] | None = None) -> TableState:
    return TableState(seq, "snapshot" if missed is None else "events", missed or [], 0, table_view(seq))


def update(seq: int, *events: Any) -> Update:
    return Update(seq, list(events), ViewChange.to(table_view(seq)))


class Peer:
    """The server's end of one connection. Frames are encoded by msgspec, as the real server does."""

    def __init__(self, socket: ServerConnection, server: FakeServer) -> None:
        self.socket = socket
        self.server = server
        self.codec = CODECS[socket.subprotocol or SUBPROTOCOL_MSGPACK]

    async def read(self) -> ClientMessage:
        """The next message; all commands are also noted in `server.asked`."""
        frame = await self.socket.recv()
        assert isinstance(frame, bytes) == self.codec.binary
        message = self.codec.decode_from_client(frame if isinstance(frame, bytes) else frame.encode())
        if isinstance(message, Command):
            self.server.asked.append(message)
        return message

    async def send(self, *messages: FromServer) -> None:
        for message in messages:
            await self.send_frame(self.codec.encode(message))

    async def send_frame(self, frame: bytes) -> None:
        await self.socket.send(frame if self.codec.binary else frame.decode())

    async def greet(self, *more: FromServer) -> Hello:
        """Read the hello, welcome the client."""
        hello = await self.read()
        assert isinstance(hello, Hello)
        self.server.hellos.append(hello)
        await self.send(welcome(), *more)
        return hello

    async def answer(self) -> None:
        """Accept commands until the connection ends."""
        while True:
            message = await self.read()
            assert isinstance(message, Command)
            await self.send(Ok(message.cid, TABLE, 1))

    def drop(self) -> None:
        """Cut the line without a word."""
        self.socket.transport.abort()

    async def close(self, code: int, reason: str = "") -> None:
        await self.socket.close(code, reason)


Scene = Callable[[Peer], Awaitable[None]]


class FakeServer:
    """Plays one scene per connection, the last one again and again; keeps the connection until the client ends it."""

    def __init__(self, *scenes: Scene) -> None:
        self.scenes = list(scenes)
        self.hellos: list[Hello] = []
        self.asked: list[Command] = []
        self.connections = 0
        self.arrivals: list[float] = []
        self.url = ""

    async def handle(self, socket: ServerConnection) -> None:
        scene = self.scenes[min(self.connections, len(self.scenes) - 1)]
        self.connections += 1
        self.arrivals.append(asyncio.get_running_loop().time())
        with contextlib.suppress(ConnectionClosed):
            await scene(Peer(socket, self))
        await socket.wait_closed()


@contextlib.asynccontextmanager
async def fake_server(*scenes: Scene, **options: Any) -> AsyncIterator[FakeServer]:
    server = FakeServer(*scenes)
    settings: dict[str, Any] = {
        "subprotocols": [SUBPROTOCOL_MSGPACK, SUBPROTOCOL_JSON],
        "ping_interval": None,
        "close_timeout": 1,
        **options,
    }
    async with serve(server.handle, "127.0.0.1", 0, **settings) as listening:
        host, port = next(iter(listening.sockets)).getsockname()[:2]
        server.url = f"http://{host}:{port}"
        yield server
