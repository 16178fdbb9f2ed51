"""A viewer: who is at the other end of a connection, and what they look at. The connection itself is another matter."""

from typing import TYPE_CHECKING, Protocol

from durak.protocol.messages import FromServer
from durak.server.people.tokens import Identity

if TYPE_CHECKING:
    from durak.server.live.port import Port
    from durak.server.table.machine import Table


class Outlet(Protocol):
    """How a viewer is reached: bounded, never waiting."""

    def send(self, message: FromServer) -> None:
        """Queue a message; a reader that is too slow is closed."""

    def close(self, code: int, reason: str) -> None:
        """Send what is queued, then close. Closing twice changes nothing."""


class Viewer:
    """Somebody who has said who they are: a person, the bot of a seat, or a host of bots.

    `table`: what it is attached to. `seated`: it may act from a chair there. `shown`: the table as shown on attaching, until an
    update follows. `gone`: the connection is lost.
    """

    __slots__ = ("_outlet", "gone", "identity", "seated", "shown", "table")

    def __init__(self, identity: Identity, outlet: Outlet) -> None:
        self.identity = identity
        self.table: Port | None = None
        self.seated = False
        self.shown: Table | None = None
        self.gone = False
        self._outlet = outlet

    @property
    def player(self) -> str:
        """The player's id."""
        return self.identity.player

    def send(self, message: FromServer) -> None:
        """Queue a message."""
        self._outlet.send(message)

    def close(self, code: int, reason: str) -> None:
        """Close the connection."""
        self._outlet.close(code, reason)
