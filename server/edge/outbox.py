"""The bounded outbox of one WebSocket: sending never waits, and a reader that stops reading delays nobody else."""

import asyncio
import struct
from collections import deque

from aiohttp import WSMsgType, web

from durak.protocol.messages import CloseCode
from durak.server.given.meter import Meter

MAX_MESSAGES = 64
MAX_BYTES = 256 * 1024
CLOSE_TIMEOUT_S = 3.0
READY_BYTES = 16 * 1024
"""A transport that buffers less than this takes more without waiting."""


def header_of(opcode: int, length: int) -> bytes:
    """What precedes the payload of a server's frame (RFC 6455, section 5.2)."""
    if length < 126:
        return bytes((0x80 | opcode, length))
    if length < 65_536:
        return struct.pack("!BBH", 0x80 | opcode, 126, length)
    return struct.pack("!BBQ", 0x80 | opcode, 127, length)


class Outbox:
    """An open WebSocket, made with `autoclose=False`, as a connection's `Transport`.

    What is sent in one turn of the event loop leaves at its end, in one write: an `ok` and its update are one packet. Where the
    transport would have to wait, a task takes over until nothing is queued.
    """

    def __init__(self, socket: web.WebSocketResponse, transport: asyncio.Transport | None, *, binary: bool, meter: Meter) -> None:
        self._socket = socket
        self._transport = transport
        self._meter = meter
        self._opcode = WSMsgType.BINARY if binary else WSMsgType.TEXT
        self._loop = asyncio.get_running_loop()
        self._frames: deque[bytes] = deque()
        self._bytes = 0
        self._flushing = False
        self._closing: tuple[int, str] | None = None
        self._has_said_close = False
        self._cut: asyncio.TimerHandle | None = None
        self._writer: asyncio.Task[None] | None = None

    @property
    def closing(self) -> bool:
        """True once it was closed from this side: what still comes in is void."""
        return self._closing is not None

    def send(self, frame: bytes) -> None:
        """Queue a frame; over the bounds the reader is too slow, and is told to come back and resume."""
        if self._closing is not None:
            return
        self._frames.append(frame)
        self._bytes += len(frame)
        if not self._flushing:
            self._flushing = True
            self._loop.call_soon(self._flush)

    def _flush(self) -> None:
        """The turn is over: hand what is queued to the transport, or judge its reader."""
        self._flushing = False
        if self._frames and self._writer is None and not self._writes_now():
            self._writer = self._loop.create_task(self._write())
        if self._closing is None and (len(self._frames) > MAX_MESSAGES or self._bytes > MAX_BYTES):
            self._too_slow()

    def _writes_now(self) -> bool:
        transport = self._transport
        if transport is not None and not transport.is_closing():
            if transport.get_write_buffer_size() >= READY_BYTES:
                return False
            parts: list[bytes] = []
            for frame in self._frames:
                parts += (header_of(self._opcode, len(frame)), frame)
            transport.writelines(parts)
        # else the reader sees the end of the connection as well, and cleans up
        self._frames.clear()
        self._bytes = 0
        return True

    def _too_slow(self) -> None:
        """What is queued now is not what came at once, but what the reader does not take."""
        self._frames.clear()
        self._bytes = 0
        self._meter.closed_slow()
        self.close(CloseCode.SLOW, "slow_resume")

    def close(self, code: int, reason: str) -> None:
        """Send what is queued, then close."""
        if self._closing is None:
            self._closing = (code, reason)
            self._cut = self._loop.call_later(CLOSE_TIMEOUT_S, self._abort)
            if self._writer is None:
                self._writer = self._loop.create_task(self._write())

    async def ended(self) -> None:
        """The reader has ended: stop sending, and answer the other side's close, or have ours answered."""
        if self._closing is None:
            self._closing = (1000, "")
            self._frames.clear()
            if self._writer is not None:
                self._writer.cancel()
        if self._writer is not None:
            await asyncio.gather(self._writer, return_exceptions=True)
        if self._cut is not None:
            self._cut.cancel()
        if not self._has_said_close:
            await self._socket.close()
        elif self._transport is not None:
            self._transport.close()

    async def _write(self) -> None:
        """Send what is queued as fast as the other side reads, and then the close if there is one."""
        try:
            while self._frames:
                frame = self._frames.popleft()
                self._bytes -= len(frame)
                await self._socket.send_frame(frame, self._opcode)
            if self._closing is not None:
                await self._say_close(*self._closing)
        except (ConnectionError, RuntimeError):
            return  # the reader sees the same end of the connection and cleans up
        finally:
            self._writer = None

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
