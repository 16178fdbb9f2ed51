"""The bounded outbox of one WebSocket: sending never waits, and a reader that stops reading delays nobody else."""

import asyncio
from collections import deque

from aiohttp import WSMsgType, web

from durak.protocol.messages import CloseCode

MAX_MESSAGES = 64
MAX_BYTES = 256 * 1024
CLOSE_TIMEOUT_S = 3.0


class SocketConnection:
    """An open WebSocket as a session's `Connection`. `run` sends what is queued until the connection ends."""

    def __init__(self, socket: web.WebSocketResponse, transport: asyncio.Transport | None, *, binary: bool) -> None:
        self._socket = socket
        self._transport = transport
        self._opcode = WSMsgType.BINARY if binary else WSMsgType.TEXT
        self._frames: deque[bytes] = deque()
        self._bytes = 0
        self._judging = False
        self._wake = asyncio.Event()
        self._closing: tuple[int, str] | None = None
        self._writer: asyncio.Task[None] | None = None

    @property
    def closing(self) -> bool:
        """True once it was closed from this side: what still comes in is void."""
        return self._closing is not None

    def start(self) -> None:
        """Begin to send."""
        self._writer = asyncio.create_task(self._write())

    def send(self, frame: bytes) -> None:
        """Queue a frame; over the bounds the reader is too slow, and is told to come back and resume."""
        if self._closing is not None:
            return
        self._frames.append(frame)
        self._bytes += len(frame)
        self._wake.set()
        if self._is_over() and not self._judging:
            self._judging = True
            asyncio.get_running_loop().call_soon(self._judge)

    def _is_over(self) -> bool:
        return len(self._frames) > MAX_MESSAGES or self._bytes > MAX_BYTES

    def _judge(self) -> None:
        """The writer has had its turn: what is queued now is not what came at once, but what the reader does not take."""
        self._judging = False
        if self._is_over() and self._closing is None:
            self._frames.clear()
            self._bytes = 0
            self.close(CloseCode.SLOW, "slow_resume")

    def close(self, code: int, reason: str) -> None:
        """Send what is queued, then close."""
        if self._closing is None:
            self._closing = (code, reason)
            self._wake.set()
            asyncio.get_running_loop().call_later(CLOSE_TIMEOUT_S, self._abort)

    async def ended(self) -> None:
        """The reader has ended: stop sending."""
        if self._closing is None:
            self._closing = (1000, "")
        if self._writer is not None:
            self._writer.cancel()
            await asyncio.gather(self._writer, return_exceptions=True)

    async def _write(self) -> None:
        try:
            while True:
                while self._frames:
                    frame = self._frames.popleft()
                    self._bytes -= len(frame)
                    await self._socket.send_frame(frame, self._opcode)
                if self._closing is not None:
                    await self._socket.close(code=self._closing[0], message=self._closing[1].encode())
                    return
                self._wake.clear()
                await self._wake.wait()
        except (ConnectionError, RuntimeError):
            return  # the reader sees the same end of the connection and cleans up

    def _abort(self) -> None:
        """The other side does not even read the close frame."""
        if self._transport is not None and not self._socket.closed:
            self._transport.abort()
