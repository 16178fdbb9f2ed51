"""The gateway: frames in, each to the conversation it belongs to.

It never waits: commands go into a table's queue and are answered when their outcome is durable.
"""

from collections.abc import Iterable
from typing import assert_never

from durak.protocol.codec import BadFrame
from durak.protocol.messages import (
    Act,
    AnyCommand,
    AutoPass,
    ClientMessage,
    CloseCode,
    Command,
    Create,
    Dismiss,
    Error,
    Fill,
    Hello,
    Host,
    Join,
    LeaveTable,
    Lobby,
    Rematch,
    Start,
    Watch,
    senders_of,
)
from durak.server.edge.connection import Connection
from durak.server.edge.conversations.greeting import GreetingHandler
from durak.server.edge.conversations.hosting import HostingHandler
from durak.server.edge.conversations.lobby import LobbyHandler
from durak.server.edge.conversations.table import TableHandler
from durak.server.edge.heartbeat import Heartbeats
from durak.server.given.clock import Clock, TimerHandle
from durak.server.given.containment import contain, note_bug
from durak.server.given.meter import Meter
from durak.server.live.port import Viewer

HELLO_TIMEOUT_MS = 15_000
"""How long a connection may stay without a hello."""
MAX_REFUSED_FRAMES = 20
"""Frames in a row that are no messages, before a connection is closed."""
MAX_LIMITED_FRAMES = 200
"""Frames in a row over the rate limit, before a connection is closed."""


class Gateway:
    """The connections, and the conversations their messages belong to."""

    def __init__(
        self,
        greeting: GreetingHandler,
        lobby: LobbyHandler,
        table: TableHandler,
        hosting: HostingHandler,
        clock: Clock,
        meter: Meter,
    ) -> None:
        self.closing = False
        """True once the server stops."""
        self._greeting = greeting
        self._lobby = lobby
        self._table = table
        self._hosting = hosting
        self._clock = clock
        self._meter = meter
        self._connections: dict[Connection, None] = {}  # in the order of their coming
        self._unknown: dict[Connection, TimerHandle] = {}  # without hello, with the end of our patience
        self._heartbeats = Heartbeats(clock)

    # ---------------------------------------------------------------- connections

    def start(self) -> None:
        """Let no connection be silent, from now on."""
        self._heartbeats.begin()

    def connected(self, connection: Connection) -> None:
        """A connection is open; its first frame must be a hello."""
        self._connections[connection] = None
        self._heartbeats.add(connection)
        self._unknown[connection] = self._clock.call_at(
            self._clock.now_ms() + HELLO_TIMEOUT_MS, lambda: connection.close(CloseCode.NO_HELLO, "no_hello")
        )

    def _stop_waiting_for_hello(self, connection: Connection) -> None:
        """It has come, or will not; a timer that is left would keep a lost connection in memory."""
        timer = self._unknown.pop(connection, None)
        if timer is not None:
            timer.cancel()

    def disconnected(self, connection: Connection) -> None:
        """A connection is gone."""
        self._connections.pop(connection, None)
        self._heartbeats.remove(connection)
        self._stop_waiting_for_hello(connection)
        viewer = connection.viewer
        if viewer is not None:
            viewer.gone = True
            if viewer.table is not None:
                viewer.table.detach(viewer)
            for conversation in (self._lobby, self._hosting):
                contain(self._meter, "handler", conversation.gone, viewer)

    def viewers(self) -> Iterable[Viewer]:
        """Everybody who has said hello."""
        return [connection.viewer for connection in self._connections if connection.viewer is not None]

    def census(self) -> tuple[dict[str, int], int]:
        """How many connections there are by kind, and how many of them look at a table without a seat there."""
        kinds = {"person": 0, "bot": 0, "host": 0, "unknown": 0}
        watchers = 0
        for connection in self._connections:
            viewer = connection.viewer
            kinds["unknown" if viewer is None else viewer.identity.kind] += 1
            watchers += viewer is not None and viewer.table is not None and not viewer.seated
        return kinds, watchers

    def close_all(self, code: int, reason: str) -> None:
        """Close every connection, and let none in."""
        self.closing = True
        for connection in list(self._connections):
            connection.close(code, reason)

    # ---------------------------------------------------------------- frames in

    def received(self, connection: Connection, frame: bytes) -> None:
        """A frame has come. Whatever it holds, the answer is a message or a close code."""
        wait_ms = 0 if connection.bucket is None else connection.bucket.wait_ms(self._clock.now_ms())
        try:
            message = connection.codec.decode_from_client(frame)
        except BadFrame as bad:
            self._bad_frame(connection, bad)
            return
        if wait_ms:
            self._too_fast(connection, message, wait_ms)
            return
        connection.refused_in_a_row = 0
        try:
            self._dispatch(connection, message)
        except Exception:
            self._failed(connection, message)

    def _bad_frame(self, connection: Connection, bad: BadFrame) -> None:
        connection.refused_in_a_row += 1
        if connection.viewer is None or connection.refused_in_a_row >= MAX_REFUSED_FRAMES:
            connection.close(CloseCode.BAD_FRAME, bad.code)
        else:
            connection.send(Error(bad.code, cid=bad.cid, params=bad.params))

    def _too_fast(self, connection: Connection, message: ClientMessage, wait_ms: int) -> None:
        self._meter.limited("frame")
        connection.refused_in_a_row += 1
        if connection.refused_in_a_row >= MAX_LIMITED_FRAMES:
            connection.close(CloseCode.FLOODING, "flooding")
        else:
            cid = message.cid if isinstance(message, Command) else None
            connection.send(Error("rate_limited", cid=cid, retry_after_ms=wait_ms))

    def _failed(self, connection: Connection, message: ClientMessage) -> None:
        """A bug in what a message does is told to its sender, and nobody else notices."""
        note_bug(self._meter, "handler")
        if isinstance(message, Command) and connection.answered != message.cid:
            connection.send(Error("internal", cid=message.cid))
        else:
            connection.close(CloseCode.FAILED, "internal")

    def _dispatch(self, connection: Connection, message: ClientMessage) -> None:
        viewer = connection.viewer
        if isinstance(message, Hello):
            if viewer is not None:
                connection.send(Error("already_greeted"))
                return
            self._greeting.hello(connection, message)
            if connection.viewer is not None:
                self._stop_waiting_for_hello(connection)
        elif viewer is None:
            connection.close(CloseCode.NO_HELLO, "no_hello")
        elif viewer.identity.kind not in senders_of(message):
            connection.send(Error("not_allowed", cid=message.cid))
        else:
            self._command(viewer, message)

    def _command(self, viewer: Viewer, message: AnyCommand) -> None:
        match message:
            case Join() | Watch() | Act() | LeaveTable() | Start() | Fill() | Dismiss() | AutoPass() | Rematch():
                self._table.carry_out(viewer, message)
            case Create() | Lobby():
                self._lobby.carry_out(viewer, message)
            case Host():
                self._hosting.carry_out(viewer, message)
            case _:
                assert_never(message)
