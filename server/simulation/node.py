"""The server as `server.app` wires it, with simulated clock, store, transport and randomness; it can crash and start again."""

import asyncio
from typing import cast

from aiohttp import web

from durak.protocol.codec import CODECS
from durak.protocol.messages import CloseCode, FromServer
from durak.server.edge.connection import Session
from durak.server.edge.gateway import Gateway
from durak.server.edge.http import FRAME_BURST, FRAMES_PER_S
from durak.server.edge.limits import Bucket
from durak.server.edge.outbox import SocketConnection
from durak.server.journal.contract import JournalError
from durak.server.live.registry import Owner
from durak.server.live.table import LiveTable
from durak.server.lobby.desk import Desk
from durak.server.lobby.listing import Lobby
from durak.server.simulation.chance import Chance, SeededEntropy, SeededTokens
from durak.server.simulation.disk import Disk, DiskJournal
from durak.server.simulation.network import Network, Transport, Wire
from durak.server.simulation.process import Process, ProcessClock
from durak.server.simulation.referee import Referee, told_of
from durak.server.table.machine import Table
from durak.server.table.seating import AnyEvent
from durak.server.viewers.audience import Audience

MAX_TABLES = 8
START_AGAIN_S = 1.0
STOPPING_S = 60


class WatchedSession(Session):
    """A session whose messages the referee sees before they leave."""

    __slots__ = ("referee",)
    referee: Referee

    def send(self, message: FromServer) -> None:
        """Queue a message."""
        self.referee.sends(self, message)
        super().send(message)


class WatchedConnection(SocketConnection):
    """A connection whose frames the referee sees before they leave."""

    session: Session
    referee: Referee

    def send(self, frame: bytes) -> None:
        """Queue a frame."""
        if self.session.identity is not None:
            self.referee.sends_frame(self.session, frame)
        super().send(frame)


class Observed:
    """The audience, with the referee beside it."""

    def __init__(self, audience: Audience, referee: Referee) -> None:
        self._audience = audience
        self._referee = referee

    def told(self, live: LiveTable, before: Table, table: Table, events: list[AnyEvent]) -> None:
        """Something was committed."""
        truth = self._referee.truths.get(table.id)
        if truth is None or truth.table.seq < table.seq:
            self._referee.report(f"{table.id}: {table.seq} is told before it is durable")
        self._audience.told(live, before, table, events)

    def reloaded(self, live: LiveTable) -> None:
        """A table was read again."""
        self._referee.seen["tables read again"] += 1
        self._audience.reloaded(live)

    def attended(self, table: str) -> bool:
        """True if a person is connected to this table."""
        return self._audience.attended(table)

    def ended(self, live: LiveTable) -> None:
        """The table is live no longer."""
        self._audience.ended(live)


class House:
    """One life of the server: everything that is lost when its process dies."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, chance: Chance, life: int, disk: Disk, referee: Referee, *, dev: bool
    ) -> None:
        self.process = Process(loop)
        self.sessions: dict[Session, Wire] = {}
        self.limited = not dev
        clock, entropy = ProcessClock(loop, self.process), SeededEntropy(chance.of("entropy", life))
        self.journal = DiskJournal(disk, self.process, loop, chance.of("disk", life))
        self.tokens = SeededTokens()
        self.lobby, self.desk = Lobby(clock), Desk(self.tokens, clock)
        self.audience = Audience(self.lobby, self.desk, clock)
        self.owner = Owner(self.journal, clock, entropy, Observed(self.audience, referee), max_tables=MAX_TABLES)
        self.gateway = Gateway(
            self.owner, self.audience, self.lobby, self.desk, self.tokens, clock, entropy, server="durak simulation", dev=dev
        )
        self._referee = referee

    async def open(self) -> None:
        """Recover the tables. Raises `JournalError`."""
        await self.owner.recover()
        self.audience.recovered(self.owner.tables.values())
        self.owner.watch_for_idle()

    def accept(self, wire: Wire) -> None:
        """Serve a connection as `server.web` does."""
        serving = asyncio.ensure_future(self._serve(wire))
        serving.add_done_callback(self._served)

    def _served(self, serving: "asyncio.Future[None]") -> None:
        if not serving.cancelled() and (error := serving.exception()) is not None:
            self._referee.report(f"serving a connection failed: {told_of(error)}")

    async def _serve(self, wire: Wire) -> None:
        codec = CODECS[wire.subprotocol]
        far = wire.far
        connection = WatchedConnection(
            cast(web.WebSocketResponse, far), cast(asyncio.Transport, Transport(far)), binary=codec.binary
        )
        session = WatchedSession(connection, codec, "simulated", Bucket(FRAMES_PER_S, FRAME_BURST) if self.limited else None)
        session.referee = connection.referee = self._referee
        connection.session = session
        self.sessions[session] = wire
        self.gateway.connected(session)
        try:
            while (frame := await far.receive()) is not None:
                if not connection.closing:
                    self.gateway.received(session, frame)
        finally:
            self.sessions.pop(session)
            if self.process.alive:
                self.gateway.disconnected(session)
                await connection.ended()

    async def close(self) -> None:
        """Stop as after SIGTERM."""
        self.gateway.close_all(CloseCode.RESTARTING, "restarting")
        for _ in range(STOPPING_S * 20):
            if self.sessions:
                await asyncio.sleep(0.05)
        await self.owner.stop()
        await self.journal.close()


class Node:
    """The machine on which the server runs, one life after the other."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, chance: Chance, network: Network, disk: Disk, referee: Referee, *, dev: bool
    ) -> None:
        self.house: House | None = None
        self.lives = 0
        self._loop = loop
        self._chance = chance
        self._network = network
        self._disk = disk
        self._referee = referee
        self._dev = dev

    async def start(self) -> None:
        """Start until it succeeds."""
        while True:
            self.lives += 1
            house = House(self._loop, self._chance, self.lives, self._disk, self._referee, dev=self._dev)
            self._referee.note("server", f"starts, life {self.lives}")
            done: asyncio.Future[JournalError | None] = self._loop.create_future()
            house.process.soon(lambda house=house, done=done: self._open(house, done))  # type: ignore[misc]
            error = await done
            if error is None:
                self.house = self._network.listener = house
                for live in house.owner.tables.values():
                    self._referee.compare(live)
                return
            self._referee.note("server", f"cannot start: {error}")
            self._referee.seen["failed starts"] += 1
            house.process.kill()
            await asyncio.sleep(START_AGAIN_S)

    def _open(self, house: House, done: "asyncio.Future[JournalError | None]") -> None:
        def opened(task: "asyncio.Task[None]") -> None:
            if done.done():
                return
            error = None if task.cancelled() else task.exception()
            if error is None or isinstance(error, JournalError):
                done.set_result(error)
            else:
                done.set_exception(error)

        asyncio.ensure_future(house.open()).add_done_callback(opened)

    def crash(self) -> None:
        """The process is killed at this instant."""
        house, self.house = self.house, None
        if house is None:
            return
        self._network.listener = None
        self.compare(house)
        self._referee.note("server", "is killed")
        house.process.kill()
        for wire in self._network.wires:
            if wire.process is house.process:
                wire.cut()

    async def stop(self) -> None:
        """Stop in order."""
        house, self.house = self.house, None
        if house is None:
            return
        self._network.listener = None
        self._referee.note("server", "stops")
        done: asyncio.Future[None] = self._loop.create_future()
        house.process.soon(lambda: asyncio.ensure_future(house.close()).add_done_callback(lambda task: _pass_on(task, done)))
        await done
        house.process.kill()

    def compare(self, house: House) -> None:
        """Every live table against its journal."""
        for live in house.owner.tables.values():
            self._referee.compare(live)


def _pass_on(task: "asyncio.Future[None]", done: "asyncio.Future[None]") -> None:
    error = None if task.cancelled() else task.exception()
    if error is None:
        done.set_result(None)
    else:
        done.set_exception(error)
