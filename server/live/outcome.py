"""What becomes of an input: accepted, or refused with a code. Values that could travel to another node."""

from collections.abc import Callable
from dataclasses import dataclass

from durak.protocol.rules.actions import AnyAction
from durak.protocol.rules.errors import IllegalAction, Reason
from durak.server.given.meter import Why
from durak.server.journal.contract import JournalError
from durak.server.table.chairs import Refused
from durak.server.table.machine import Table


@dataclass(frozen=True, slots=True)
class Accepted:
    """Carried out now, or before if it is `repeated`: `seq` is the table's public sequence number after it."""

    table: str
    seq: int
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class Illegal:
    """The rules refuse it; what is legal for this seat now, in which bout and epoch."""

    reason: Reason
    legal: list[AnyAction]
    bout: int | None
    epoch: int | None


@dataclass(frozen=True, slots=True)
class Frozen:
    """The table takes no inputs."""

    why: Why


@dataclass(frozen=True, slots=True)
class Internal:
    """A bug: this input could not be carried out, and has changed nothing."""


Refusal = Illegal | Refused | JournalError | Frozen | Internal
Outcome = Accepted | Refusal
Reply = Callable[[Outcome], None]
"""Called once for an input, when its outcome is durable."""


def refused_as(refusal: IllegalAction | Refused, table: Table, player: str | None) -> Illegal | Refused:
    """What a player is told of a refusal by this table: of an illegal action also what is legal."""
    if isinstance(refusal, Refused):
        return refusal
    game, seat = table.game, table.seat_of_player(player)
    if game is None:
        return Illegal(refusal.reason, [], None, None)
    return Illegal(refusal.reason, [] if seat is None else game.legal(seat), game.bout, game.epoch)
