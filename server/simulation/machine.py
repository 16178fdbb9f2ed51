"""The machine on which a node runs, one life after the other: its clock, store and transport are simulated, and it can crash."""

import asyncio
from typing import cast

from aiohttp import web

from durak.protocol.codec import CODECS
from durak.protocol.messages import FromServer
from durak.server.edge.connection import Connection
from durak.server.edge.limits import frame_bucket
from durak.server.edge.outbox import Outbox
from durak.server.given.meter import Meter
from durak.server.journal.contract import JournalError
from durak.server.node import Node, Options, Parts
from durak.server.simulation.chance import SECRET, Chance, SeededEntropy
from durak.server.simulation.disk import Disk, DiskJournal
from durak.server.simulation.network import Network, Transport, Wire
from durak.server.simulation.planted import Plant
from durak.server.simulation.process import Process, ProcessClock
from durak.server.simulation.referee import Referee, traceback_of

MAX_TABLES = 8
START_AGAIN_S = 1.0
STOPPING_S = 60


class WatchedConnection(Connection):
    """A connection whose messages the referee sees before they leave."""

    __slots__ = ("referee",)
    referee: Referee

    def send(self, message: FromServer) -> None:
        """Queue a message."""
        self.referee.sends(self, message)
        super().send(message)


class WatchedTransport:
    """An outbox whose frames the referee sees before they leave."""

    def __init__(self, outbox: Outbox, referee: Referee) -> None:
        self.connection: Connection | None = None
        self._outbox = outbox
        self._referee = referee

    def send(self, frame: bytes) -> None:
        """Queue a frame."""
        if self.connection is not None and self.connection.viewer is not None:
            self._referee.sends_frame(self.connection.viewer, self.connection.codec, frame)
        self._outbox.send(frame)

    def close(self, code: int, reason: str) -> None:
        """Close."""
        self._outbox.close(code, reason)


class Life:
    """One life of the server: everything that is lost when its process dies."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, chance: Chance, life: int, disk: Disk, referee: Referee, plant: Plant, *, dev: bool
    ) -> None:
        self.process = Process(loop)
        self.connections: dict[Connection, Wire] = {}
        self.limited = not dev
        clock, entropy = ProcessClock(loop, self.process), SeededEntropy(chance.of("entropy", life))
        self.journal = DiskJournal(disk, self.process, loop, chance.of("disk", life))
        parts = Parts(plant.journal(self.journal), clock, entropy, Meter(), plant.make_table, plant.make_audience, (referee,))
        self.node = Node(parts, Options("durak simulation", SECRET, MAX_TABLES, dev))
        self._make_outbox = plant.make_outbox
        self._referee = referee

    async def open(self) -> None:
        """Recover the tables. Raises `JournalError`."""
        await self.node.start()

    def accept(self, wire: Wire) -> None:
        """Serve a connection as `server.edge.http` does."""
        serving = asyncio.ensure_future(self._serve(wire))
        serving.add_done_callback(self._served)

    def _served(self, serving: "asyncio.Future[None]") -> None:
        if not serving.cancelled() and (error := serving.exception()) is not None:
            self._referee.report(f"serving a connection failed: {traceback_of(error)}")

    async def _serve(self, wire: Wire) -> None:
        codec = CODECS[wire.subprotocol]
        far, gateway = wire.far, self.node.gateway
        outbox = self._make_outbox(
            cast(web.WebSocketResponse, far), cast(asyncio.Transport, Transport(far)), binary=codec.binary, meter=Meter()
        )
        transport = WatchedTransport(outbox, self._referee)
        connection = WatchedConnection(transport, codec, frame_bucket() if self.limited else None, Meter())
        connection.referee = self._referee
        transport.connection = connection
        self.connections[connection] = wire
        gateway.connected(connection)
        try:
            while (frame := await far.receive()) is not None:
                if not outbox.closing:
                    gateway.received(connection, frame)
        finally:
            self.connections.pop(connection)
            if self.process.alive:
                gateway.disconnected(connection)
                await outbox.ended()

    async def close(self) -> None:
        """Stop as after SIGTERM."""
        self.node.close()
        for _ in range(STOPPING_S * 20):
            if self.connections:
                await asyncio.sleep(0.05)
        await self.node.stop()
        await self.journal.close()


class Machine:
    """The machine on which the server runs, one life after the other."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        chance: Chance,
        network: Network,
        disk: Disk,
        referee: Referee,
        plant: Plant,
        *,
        dev: bool,
    ) -> None:
        self.life: Life | None = None
        self.lives = 0
        self._loop = loop
        self._chance = chance
        self._network = network
        self._disk = disk
        self._referee = referee
        self._plant = plant
        self._dev = dev

    async def start(self) -> None:
        """Start until it succeeds."""
        while True:
            self.lives += 1
            life = Life(self._loop, self._chance, self.lives, self._disk, self._referee, self._plant, dev=self._dev)
            self._referee.note("server", f"starts, life {self.lives}")
            done: asyncio.Future[JournalError | None] = self._loop.create_future()
            life.process.soon(lambda life=life, done=done: self._open(life, done))  # type: ignore[misc]
            error = await done
            if error is None:
                self.life = self._network.listener = life
                self.compare()
                return
            self._referee.note("server", f"cannot start: {error}")
            self._referee.seen["failed starts"] += 1
            life.process.kill()
            self._referee.forget_committed()
            await asyncio.sleep(START_AGAIN_S)

    def _open(self, life: Life, done: "asyncio.Future[JournalError | None]") -> None:
        def opened(task: "asyncio.Task[None]") -> None:
            if done.done():
                return
            error = None if task.cancelled() else task.exception()
            if error is None or isinstance(error, JournalError):
                done.set_result(error)
            else:
                done.set_exception(error)

        asyncio.ensure_future(life.open()).add_done_callback(opened)

    def crash(self) -> None:
        """The process is killed at this instant."""
        life, self.life = self.life, None
        if life is None:
            return
        self._network.listener = None
        self.compare()
        self._referee.note("server", "is killed")
        life.process.kill()
        self._referee.forget_committed()
        for wire in self._network.wires:
            if wire.process is life.process:
                wire.cut()

    async def stop(self) -> None:
        """Stop in order."""
        life, self.life = self.life, None
        if life is None:
            return
        self._network.listener = None
        self._referee.note("server", "stops")
        done: asyncio.Future[None] = self._loop.create_future()
        life.process.soon(lambda: asyncio.ensure_future(life.close()).add_done_callback(lambda task: _pass_on(task, done)))
        await done
        life.process.kill()
        self._referee.forget_committed()

    def compare(self) -> None:
        """Every live table against its journal."""
        self._referee.compare()


def _pass_on(task: "asyncio.Future[None]", done: "asyncio.Future[None]") -> None:
    error = None if task.cancelled() else task.exception()
    if error is None:
        done.set_result(None)
    else:
        done.set_exception(error)
