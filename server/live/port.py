"""The one way to a table, from wherever it is asked: this node today, another one later; and those who come this way."""

from dataclasses import dataclass
from typing import Protocol

from durak.protocol.messages import FromServer
from durak.server.given.meter import Why
from durak.server.live.outcome import Refusal, Reply
from durak.server.people.tokens import Identity
from durak.server.table.inputs import AnyInput
from durak.server.table.machine import Table
from durak.server.table.summary import Summary


@dataclass(frozen=True, slots=True)
class LiveSummary:
    """A live table at one moment. `entries` of its journal, `queued` inputs that wait, `watchers` who look on without a chair."""

    table: Summary
    frozen: Why | None
    entries: int
    queued: int
    busy: bool
    watchers: int

    @property
    def status(self) -> str:
        """open, playing, finished, or frozen."""
        return "frozen" if self.frozen else self.table.status


class Port(Protocol):
    """A table, as everybody outside knows it."""

    @property
    def id(self) -> str:
        """The table's id."""
        ...

    @property
    def frozen(self) -> Why | None:
        """Why it takes no inputs, if it does not."""
        ...

    def submit(self, cause: AnyInput, reply: Reply | None = None, *, unless: Refusal | None = None) -> None:
        """Put an input into the queue; `reply` is called exactly once, when the outcome is durable.

        With `unless` it is refused so, if it is not a command that was carried out before: that one gets its old answer.
        """

    def attach(self, viewer: "Viewer", seen_seq: int | None = None) -> None:
        """Let somebody look: at once the state, with what they missed since `seen_seq`; from then on every change.

        Whoever was attached elsewhere is not any more, and an earlier viewer of the same chair is replaced. A viewer whose
        connection is gone already counts as dropped.
        """

    def detach(self, viewer: "Viewer") -> None:
        """Tell this viewer nothing more; a seat without a viewer has dropped."""

    def answered(self, player: str, cid: str) -> int | None:
        """The sequence number with which a player's command was accepted; `None` if it was not, or long ago."""
        ...

    def summary(self) -> LiveSummary:
        """What may be known of the table without looking at a card."""
        ...


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
