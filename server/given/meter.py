"""What the server tells about its own work, where it happens. `Meter` keeps nothing; `metrics.Metrics` keeps it for Prometheus."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Resumed = Literal["events", "snapshot"]
Place = Literal["input", "expiry", "journal", "reply", "watcher", "view", "handler", "timer", "round"]
"""Where a bug has shown: what it was contained in."""
Why = Literal["journal", "operator", "bug"]
"""Why a table is frozen: its journal does not fold, the operator wants it, or an exception left it no way on."""
Ending = Literal["durak", "draw", "nobody", "void"]
"""How a game ended: with a durak, as a draw, without durak because several left, or by the operator, without result."""


@dataclass(frozen=True, slots=True)
class Census:
    """How many there are at this moment, by what they are."""

    tables: Mapping[str, int]
    """By status: open, playing, finished, frozen."""
    queued: int
    """Inputs that wait for their outcome at all tables."""
    connections: Mapping[str, int]
    """By kind: person, bot, host, and unknown before `hello`."""
    watchers: int
    """Connections that look at a table without a seat there."""
    bot_seats: Mapping[str, int]
    """By state: waiting (for a host), offered, playing."""
    commits: int
    """Transactions of the store since the start."""


class Meter:
    """Forgets everything: for tests and simulations. Moments are seconds as `now` gives them."""

    def now(self) -> float:
        """A moment, to be given back later."""
        return 0.0

    def acknowledged(self, received: float) -> None:
        """A game action that was received at this moment is answered."""

    def broadcast(self, received: float) -> None:
        """What a game action brought about is on its way to every viewer."""

    def appended(self, asked: float, entries: int) -> None:
        """So many entries of one table, given to the journal at this moment, are durable."""

    def append_failed(self, code: str) -> None:
        """The journal has refused or failed an append with this code."""

    def froze(self, why: Why) -> None:
        """A table can't go on."""

    def failed(self, where: Place) -> None:
        """An exception that nobody expects was contained there."""

    def repeated(self) -> None:
        """A command that was accepted before has come again."""

    def refused(self, code: str) -> None:
        """An error with this code is sent."""

    def resumed(self, kind: Resumed) -> None:
        """A client has come back to a table."""

    def taken_over(self) -> None:
        """A player's newer connection has replaced an older one."""

    def closed_slow(self) -> None:
        """A connection was closed because its reader is too slow."""

    def limited(self, what: Literal["frame", "guest"]) -> None:
        """Something came too fast and was turned away."""

    def timer_fired(self, late_ms: int) -> None:
        """A table's timer has fired so late."""

    def lagged(self, seconds: float) -> None:
        """The event loop has come so late to something that was due."""

    def bot_came(self, waited_ms: int) -> None:
        """A bot has taken the seat it was offered so long ago."""

    def recovered(self, tables: int, began: float) -> None:
        """So many tables were recovered since this moment."""

    def finished(self, preset: str, result: Ending) -> None:
        """A game is over."""
