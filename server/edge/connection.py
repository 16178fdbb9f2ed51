"""A connection: what belongs to the wire and not to who is at its other end."""

import logging
from typing import Protocol

from durak.protocol.codec import Codec
from durak.protocol.messages import Error, FromServer, Ok
from durak.server.edge.limits import Bucket
from durak.server.given.meter import Meter
from durak.server.live.port import Viewer

logger = logging.getLogger(__name__)


class Transport(Protocol):
    """What carries the frames of one connection: bounded, never waiting."""

    def send(self, frame: bytes) -> None:
        """Queue a frame; a reader that is too slow is closed."""

    def close(self, code: int, reason: str) -> None:
        """Send what is queued, then close. Closing twice changes nothing."""


class Connection:
    """One connection after its handshake; `viewer` is who is there, once `hello` has come.

    `quiet_visits`: visits of the heartbeat since a frame was sent. `refused_in_a_row`: frames that were no messages, or too many.
    `answered`: the command that was answered last.
    """

    __slots__ = ("_meter", "_transport", "answered", "bucket", "codec", "quiet_visits", "refused_in_a_row", "viewer")

    def __init__(self, transport: Transport, codec: Codec, bucket: Bucket | None, meter: Meter) -> None:
        self.codec = codec
        self.bucket = bucket
        self.viewer: Viewer | None = None
        self.quiet_visits = 0
        self.refused_in_a_row = 0
        self.answered: str | None = None
        self._transport = transport
        self._meter = meter

    def send(self, message: FromServer) -> None:
        """Queue a message."""
        if isinstance(message, Ok | Error):
            self.answered = message.cid
        if isinstance(message, Error):
            self._meter.refused(message.code)
            if logger.isEnabledFor(logging.DEBUG):
                table = None if self.viewer is None or self.viewer.table is None else self.viewer.table.id
                logger.debug("refused", extra={"code": message.code, "cid": message.cid, "table": table})
        self.quiet_visits = 0
        self._transport.send(self.codec.encode(message))

    def close(self, code: int, reason: str) -> None:
        """Send what is queued, then close. Closing twice changes nothing."""
        self._transport.close(code, reason)
