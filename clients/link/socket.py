"""What a link needs of a connection, and the real one: a WebSocket of the `websockets` library."""

from collections.abc import Awaitable, Callable
from typing import Protocol

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed


class SocketClosed(Exception):
    """The connection has ended, with the other side's close code, or 1006 if there was none."""

    def __init__(self, code: int = 1006, reason: str = "") -> None:
        super().__init__(code, reason)
        self.code = code
        self.reason = reason


class Socket(Protocol):
    """One open connection: frames in both directions, in order."""

    async def send(self, frame: str | bytes) -> None:
        """Send a frame. Raises `SocketClosed`."""

    async def recv(self) -> str | bytes:
        """The next frame. Raises `SocketClosed`."""
        ...

    async def close(self) -> None:
        """Close in order; closing again changes nothing."""

    def abort(self) -> None:
        """Let go of it without a word, since nobody is there."""


Dial = Callable[[str, str], Awaitable[Socket]]
"""Opens a connection to a server's address in a subprotocol. Raises `CannotConnect`."""


class WebSocket:
    """A `Socket` over the network."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection

    async def send(self, frame: str | bytes) -> None:
        """Send a frame. Raises `SocketClosed`."""
        try:
            await self._connection.send(frame)
        except ConnectionClosed as closed:
            raise _socket_closed(closed) from None

    async def recv(self) -> str | bytes:
        """The next frame. Raises `SocketClosed`."""
        try:
            return await self._connection.recv()
        except ConnectionClosed as closed:
            raise _socket_closed(closed) from None

    async def close(self) -> None:
        """Close in order; closing again changes nothing."""
        await self._connection.close()

    def abort(self) -> None:
        """Let go of it without a word, since nobody is there."""
        self._connection.transport.abort()


def _socket_closed(closed: ConnectionClosed) -> SocketClosed:
    return SocketClosed() if closed.rcvd is None else SocketClosed(closed.rcvd.code, closed.rcvd.reason)
