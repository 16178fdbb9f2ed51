"""The outbox: bounded by what a reader does not take, not by what comes at once."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from aiohttp import WSMsgType
from websockets.frames import Frame, Opcode

from durak.server.edge import outbox
from durak.server.edge.outbox import MAX_BYTES, MAX_MESSAGES, READY_BYTES, Outbox, header_of
from durak.server.given.meter import Meter
from tests.server.shell import settled


class Pipe:
    """A WebSocket, and its transport, that takes frames only while it is open."""

    def __init__(self) -> None:
        self.taken: list[bytes] = []
        self.writes = 0
        self.closed_with: tuple[int, bytes] | None = None
        self.aborted = False
        self.flows = asyncio.Event()
        self.flows.set()

    async def send_frame(self, frame: bytes, opcode: WSMsgType) -> None:
        """Take a frame, when it flows."""
        await self.flows.wait()
        if self.aborted:
            raise ConnectionResetError
        if opcode is WSMsgType.CLOSE:
            self.closed_with = (int.from_bytes(frame[:2], "big"), frame[2:])
        else:
            self.taken.append(frame)

    def close(self) -> asyncio.Future[None]:
        """Close the transport; or, awaited, answer the other side's close."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        done.set_result(None)
        return done

    def is_closing(self) -> bool:
        """True when it was cut off."""
        return self.aborted

    def writelines(self, parts: list[bytes]) -> None:
        """Take frames, each with its header, in one write."""
        for header, frame in zip(parts[::2], parts[1::2], strict=True):
            assert header == header_of(WSMsgType.BINARY, len(frame))
        self.taken += parts[1::2]
        self.writes += 1

    def get_write_buffer_size(self) -> int:
        """As if nothing were buffered while it flows, and very much otherwise."""
        return 0 if self.flows.is_set() else READY_BYTES

    def abort(self) -> None:
        """Cut it off."""
        self.aborted = True
        self.flows.set()


@pytest.fixture
async def pipe() -> Pipe:
    return Pipe()


@pytest.fixture
async def connection(pipe: Pipe) -> Any:
    connection = Outbox(pipe, pipe, binary=True, meter=Meter())  # type: ignore[arg-type]
    yield connection
    await connection.ended()


async def test_frames_leave_in_order(pipe: Pipe, connection: Outbox) -> None:
    for number in range(10):
        connection.send(b"%d" % number)
    await settled()
    assert pipe.taken == [b"%d" % number for number in range(10)]


async def test_what_is_sent_in_one_turn_is_one_write(pipe: Pipe, connection: Outbox) -> None:
    connection.send(b"1")
    connection.send(b"2")
    await settled()
    connection.send(b"3")
    await settled()
    assert (pipe.taken, pipe.writes) == ([b"1", b"2", b"3"], 2)


async def test_no_frame_overtakes_one_that_waits(pipe: Pipe, connection: Outbox) -> None:
    pipe.flows.clear()
    connection.send(b"1")
    await settled()
    connection.send(b"2")
    pipe.flows.set()
    connection.send(b"3")
    await settled()
    connection.send(b"4")
    await settled()
    assert pipe.taken == [b"1", b"2", b"3", b"4"]


async def test_a_lost_connection_takes_nothing_more(pipe: Pipe, connection: Outbox) -> None:
    pipe.abort()
    connection.send(b"1")
    await settled()
    assert pipe.taken == []


@pytest.mark.parametrize("length", [0, 1, 125, 126, 65_535, 65_536, 100_000])
async def test_headers_are_those_of_the_standard(length: int) -> None:
    payload = b"x" * length
    for opcode in (Opcode.BINARY, Opcode.TEXT):
        assert header_of(opcode, length) + payload == Frame(opcode, payload).serialize(mask=False)


async def test_much_at_once_is_no_slowness(pipe: Pipe, connection: Outbox) -> None:
    for _ in range(5):
        for _ in range(3 * MAX_MESSAGES):
            connection.send(b"x" * 4096)
        await settled()
    assert len(pipe.taken) == 15 * MAX_MESSAGES
    assert pipe.closed_with is None


@pytest.mark.parametrize(("frames", "size"), [(MAX_MESSAGES + 2, 1), (4, MAX_BYTES // 3 + 1)])
async def test_a_reader_that_stops_is_told_to_resume(pipe: Pipe, connection: Outbox, frames: int, size: int) -> None:
    pipe.flows.clear()
    connection.send(b"first")
    await settled()
    for _ in range(frames):
        connection.send(b"x" * size)
        await settled()
    assert connection.closing
    connection.send(b"too late")
    pipe.flows.set()
    await settled()
    assert pipe.taken == [b"first"]
    assert pipe.closed_with == (4001, b"slow_resume")


async def test_up_to_the_bounds_nothing_is_lost(pipe: Pipe, connection: Outbox) -> None:
    pipe.flows.clear()
    connection.send(b"first")
    await settled()
    for _ in range(MAX_MESSAGES):
        connection.send(b"x")
        await settled()
    pipe.flows.set()
    await settled()
    assert len(pipe.taken) == MAX_MESSAGES + 1
    assert not connection.closing


async def test_closing_sends_what_is_queued_first(pipe: Pipe, connection: Outbox) -> None:
    connection.send(b"last words")
    connection.close(4100, "replaced")
    connection.close(4000, "restarting")
    await settled()
    assert pipe.taken == [b"last words"]
    assert pipe.closed_with == (4100, b"replaced")


async def test_who_does_not_even_read_the_close_is_cut_off(pipe: Pipe, connection: Outbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbox, "CLOSE_TIMEOUT_S", 0.01)
    pipe.flows.clear()
    connection.send(b"stuck")
    connection.close(4100, "replaced")
    await asyncio.sleep(0.05)
    assert pipe.aborted
