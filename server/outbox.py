"""The bounded outbox of one WebSocket: sending never waits, and a reader that stops reading delays nobody else."""

import asyncio
from collections import deque

from aiohttp import WSMsgType, web

from durak.protocol.messages import CloseCode
from durak.server.meter import Meter

MAX_MESSAGES = 64
MAX_BYTES = 256 * 1024
CLOSE_TIMEOUT_S = 3.0
READY_BYTES = 16 * 1024
"""A transport that buffers less than this takes another frame without waiting."""


class SocketConnection:
    """An open WebSocket, made with `autoclose=False`, as a session's `Connection`: sends what is queued until it ends."""

    def __init__(
        self, socket: web.WebSocketResponse, transport: asyncio.Transport | None, *, binary: bool, meter: Meter | None = None
    ) -> None:
        self._socket = socket
        self._transport = transport
        self._meter = meter or Meter()
        self._opcode = WSMsgType.BINARY if binary else WSMsgType.TEXT
        self._frames: deque[bytes] = deque()
        self._bytes = 0
        self._judging = False
        self._wake = asyncio.Event()
        self._closing: tuple[int, str] | None = None
        self._has_said_close = False
        self._cut: asyncio.TimerHandle | None = None
        self._writer: asyncio.Task[None] | None = None

    @property
    def closing(self) -> bool:
        """True once it was closed from this side: what still comes in is void."""
        return self._closing is not None

    def start(self) -> None:
        """Begin to send."""
        self._writer = asyncio.create_task(self._write())

    def send(self, frame: bytes) -> None:
        """Send a frame, or queue it; over the bounds the reader is too slow, and is told to come back and resume."""
        if self._closing is not None or self._sends_now(frame):
            return
        self._frames.append(frame)
        self._bytes += len(frame)
        self._wake.set()
        if self._is_over() and not self._judging:
            self._judging = True
            asyncio.get_running_loop().call_soon(self._judge)

    def _sends_now(self, frame: bytes) -> bool:
        """Hand a frame to the transport at once where that can't wait: nearly always, and far cheaper than waking the writer."""
        if self._frames or self._transport is None or self._transport.get_write_buffer_size() >= READY_BYTES:
            return False
        sending = self._socket.send_frame(frame, self._opcode)
        try:
            sending.send(None)
        except StopIteration:
            return True
        except (ConnectionError, RuntimeError):
            return True  # the reader sees the same end of the connection and cleans up
        sending.close()  # the frame is written; that the transport wants a pause now, the next frame will see
        return True

    def _is_over(self) -> bool:
        return len(self._frames) > MAX_MESSAGES or self._bytes > MAX_BYTES

    def _judge(self) -> None:
        """The writer has had its turn: what is queued now is not what came at once, but what the reader does not take."""
        self._judging = False
        if self._is_over() and self._closing is None:
            self._frames.clear()
            self._bytes = 0
            self._meter.closed_slow()
            self.close(CloseCode.SLOW, "slow_resume")

    def close(self, code: int, reason: str) -> None:
        """Send what is queued, then close."""
        if self._closing is None:
            self._closing = (code, reason)
            self._wake.set()
            self._cut = asyncio.get_running_loop().call_later(CLOSE_TIMEOUT_S, self._abort)

    async def ended(self) -> None:
        """The reader has ended: stop sending, and answer the other side's close, or have ours answered."""
        if self._writer is None:
            return
        if self._closing is None:
            self._closing = (1000, "")
            self._writer.cancel()
        await asyncio.gather(self._writer, return_exceptions=True)
        if self._cut is not None:
            self._cut.cancel()
        if not self._has_said_close:
            await self._socket.close()
        elif self._transport is not None:
            self._transport.close()

    async def _write(self) -> None:
        try:
            while True:
                while self._frames:
                    frame = self._frames.popleft()
                    self._bytes -= len(frame)
                    await self._socket.send_frame(frame, self._opcode)
                if self._closing is not None:
                    await self._say_close(*self._closing)
                    return
                self._wake.clear()
                await self._wake.wait()
        except (ConnectionError, RuntimeError):
            return  # the reader sees the same end of the connection and cleans up

    async def _say_close(self, code: int, reason: str) -> None:
        """Send the close frame and leave the connection open until it is answered.

        aiohttp's own `close` cuts the connection when somebody is reading from it: a client that is just sending would then see a
        reset in place of the code that tells it whether to come back.
        """
        await self._socket.send_frame(code.to_bytes(2, "big") + reason.encode(), WSMsgType.CLOSE)
        self._has_said_close = True

    def _abort(self) -> None:
        """The other side does not even read the close frame, or does not answer it."""
        if self._transport is not None:
            self._transport.abort()
