"""A session: one connection, who it belongs to, and what it looks at."""

import logging
from typing import Protocol

from durak.protocol.codec import Codec
from durak.protocol.messages import Error, FromServer
from durak.server.edge.limits import Bucket
from durak.server.given.meter import Meter
from durak.server.live.table import LiveTable
from durak.server.people.tokens import Identity
from durak.server.table.machine import Table

logger = logging.getLogger(__name__)


class Connection(Protocol):
    """The transport of one session: bounded, never waiting."""

    def send(self, frame: bytes) -> None:
        """Queue a frame; a reader that is too slow is closed."""

    def close(self, code: int, reason: str) -> None:
        """Send what is queued, then close. Closing twice changes nothing."""


class Session:
    """One connection after its handshake. `identity` is set by `hello`, `live` while it is attached to a table.

    `seated`: its player has a chair there and has not left. `shown`: the table as shown on attaching, until an update follows.
    `quiet_visits`: visits of the heartbeat since a frame was sent.
    """

    __slots__ = (
        "_meter", "address", "bucket", "codec", "connection", "identity", "in_lobby", "live", "quiet_visits", "refused_in_a_row",
        "seated", "shown"
    )  # fmt: skip

    def __init__(
        self, connection: Connection, codec: Codec, address: str, bucket: Bucket | None, meter: Meter | None = None
    ) -> None:
        self.connection = connection
        self.codec = codec
        self.address = address
        self.bucket = bucket
        self._meter = meter or Meter()
        self.identity: Identity | None = None
        self.live: LiveTable | None = None
        self.seated = False
        self.shown: Table | None = None
        self.in_lobby = False
        self.refused_in_a_row = 0
        self.quiet_visits = 0

    @property
    def player(self) -> str:
        """The player's id."""
        assert self.identity is not None
        return self.identity.player

    def send(self, message: FromServer) -> None:
        """Queue a message."""
        if isinstance(message, Error):
            self._meter.refused(message.code)
            if logger.isEnabledFor(logging.DEBUG):
                table = None if self.live is None else self.live.table.id
                logger.debug("refused", extra={"code": message.code, "cid": message.cid, "table": table})
        self.send_frame(self.codec.encode(message))

    def send_frame(self, frame: bytes) -> None:
        """Queue an encoded message."""
        self.quiet_visits = 0
        self.connection.send(frame)
