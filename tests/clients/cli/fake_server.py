"""A server at which the test decides what is said, and a session whose lines the test types and reads."""

from __future__ import annotations

import asyncio
import contextlib
import io
import random
from collections.abc import AsyncIterator
from typing import Any

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.typing import Subprotocol

from durak.clients.cli.answers import Order
from durak.clients.cli.session import Session
from durak.clients.cli.teller import Teller
from durak.clients.cli.terminal import Screen
from durak.clients.link import Link
from durak.protocol.codec import MSGPACK
from durak.protocol.messages import SUBPROTOCOL_MSGPACK, Command, Error, FromServer, Hello, Ok, Welcome
from durak.protocol.rules.actions import AnyAction
from tests.clients.cli.shown import ENGLISH_SPEECH

PATIENCE_S = 5.0


class FakeServer:
    """Every message that comes in waits in `inbox`; what goes out the test sends."""

    def __init__(self) -> None:
        self.inbox: asyncio.Queue[Any] = asyncio.Queue()
        self.socket: ServerConnection | None = None
        self.server: Server | None = None

    @property
    def url(self) -> str:
        assert self.server is not None
        port = next(iter(self.server.sockets)).getsockname()[1]
        return f"http://127.0.0.1:{port}"

    async def serve(self, socket: ServerConnection) -> None:
        self.socket = socket
        async for frame in socket:
            assert isinstance(frame, bytes)
            message = MSGPACK.decode_from_client(frame)
            if isinstance(message, Hello):
                await self.send(Welcome("p1", "Anna", "person", "fake", 1, "1.0.0", 5_000))
            self.inbox.put_nowait(message)

    async def heard(self, kind: type[Any]) -> Any:
        """The next message, which must be of this kind."""
        message = await asyncio.wait_for(self.inbox.get(), PATIENCE_S)
        assert isinstance(message, kind), message
        return message

    async def send(self, *messages: FromServer) -> None:
        assert self.socket is not None
        for message in messages:
            await self.socket.send(MSGPACK.encode(message))

    async def accept(self, kind: type[Command], *messages: FromServer, seq: int = 1, table: str = "K7P2QX") -> Any:
        """Hear a command, accept it, and say what follows."""
        command = await self.heard(kind)
        await self.send(Ok(command.cid, table, seq), *messages)
        return command

    async def refuse(self, kind: type[Command], code: str, **fields: Any) -> None:
        command = await self.heard(kind)
        await self.send(Error(code, cid=command.cid, **fields))

    async def drop(self) -> None:
        """Lose the connection without a word."""
        assert self.socket is not None
        self.socket.transport.abort()


class Stay:
    """A session in a task. `type` gives it a line, `printed` waits for one."""

    def __init__(self, server: FakeServer, opening: Order, **options: Any) -> None:
        self.server = server
        self.output = io.StringIO()
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self.session = Session(
            Teller(ENGLISH_SPEECH),
            Screen(self.output, lambda: None),
            interactive=options.pop("interactive", False),
            exit_after_game=options.pop("exit_after_game", False),
            back=("durak play {table}", "durak play {table} --watch"),
        )
        self.task = asyncio.create_task(self._run(opening))

    async def _run(self, opening: Order) -> None:
        async with Link(self.server.url, "token", rng=random.Random(1), on_connection=self.session.lost) as link:
            await self.session.open(link, opening)
            await self.session.run(self._input())

    async def _input(self) -> AsyncIterator[str]:
        while (line := await self._lines.get()) is not None:
            yield line

    def type(self, *lines: str) -> None:
        for line in lines:
            self._lines.put_nowait(line)

    def end_input(self) -> None:
        self._lines.put_nowait(None)

    @property
    def lines(self) -> list[str]:
        return self.output.getvalue().splitlines()

    async def printed(self, beginning: str, times: int = 1) -> str:
        """Wait for a line that begins so."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                found = [line for line in self.lines if line.startswith(beginning)]
                if len(found) >= times:
                    return found[times - 1]
                assert not self.task.done() or found, f"the session ended without {beginning!r}: {self.lines}"
                await asyncio.sleep(0.005)

    async def act(self, line: str) -> AnyAction:
        """Type a line; the action that reached the server."""
        from durak.protocol.messages import Act

        self.type(line)
        command = await self.server.heard(Act)
        await self.server.send(Ok(command.cid, "K7P2QX", 1))
        action: AnyAction = command.action
        return action

    async def ended(self) -> None:
        await asyncio.wait_for(self.task, PATIENCE_S)


@contextlib.asynccontextmanager
async def fake_server() -> AsyncIterator[FakeServer]:
    fake = FakeServer()
    async with serve(fake.serve, "127.0.0.1", 0, subprotocols=[Subprotocol(SUBPROTOCOL_MSGPACK)]) as fake.server:
        yield fake
