"""Heartbeats: no connection is without a frame for longer than `HEARTBEAT_MS`, since a browser does not see WebSocket pings."""

from durak.protocol.messages import Heartbeat
from durak.server.edge.connection import Connection
from durak.server.given.clock import Clock

HEARTBEAT_MS = 5_000
VISITS = 2
"""Visits to a connection in that time."""
GROUPS = 20
"""Connections are visited in groups: thousands of heartbeats at once would hold up everybody's actions."""


class Heartbeats:
    """Visits the connections, and sends a heartbeat where nothing was sent since the visit before the last."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._groups: list[dict[Connection, None]] = [{} for _ in range(GROUPS)]
        self._next = 0

    def add(self, connection: Connection) -> None:
        """Visit this connection from now on."""
        min(self._groups, key=len)[connection] = None

    def remove(self, connection: Connection) -> None:
        """Visit it no more."""
        for group in self._groups:
            group.pop(connection, None)

    def begin(self) -> None:
        """Visit one group after another, from now on."""
        self._clock.call_at(self._clock.now_ms() + HEARTBEAT_MS // VISITS // GROUPS, self.begin)
        group, self._next = self._groups[self._next], (self._next + 1) % GROUPS
        for connection in group:
            connection.quiet_visits += 1
            if connection.quiet_visits >= VISITS and connection.viewer is not None:
                connection.send(Heartbeat())
