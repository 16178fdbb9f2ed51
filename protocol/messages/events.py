"""What happens at a table outside the rules of its game; the game's own events are in rules/events.py and rules/view.py.

As those, each says by its class who may see it.
"""

import msgspec

from durak.protocol.messages.basis import Chair, ChairKind
from durak.protocol.rules.cards import Seat
from durak.protocol.rules.events import Private, Public
from durak.protocol.rules.view import SeenEvent


class TableEvent(msgspec.Struct, frozen=True, gc=False, tag_field="event"):
    """Something that happened at a table outside the rules of the game."""


class Created(TableEvent, Public, frozen=True, tag="created"):
    """The table was created."""


class Sat(TableEvent, Public, frozen=True, tag="sat"):
    """Somebody took a chair."""

    chair: Chair
    name: str
    kind: ChairKind


class Rose(TableEvent, Public, frozen=True, tag="rose"):
    """Somebody gave a chair up."""

    chair: Chair
    name: str


class HostIs(TableEvent, Public, frozen=True, tag="host_is"):
    """The role of the host has moved to this chair."""

    chair: Chair


class Started(TableEvent, Public, frozen=True, tag="started"):
    """A game begins; `chairs` has one entry per seat."""

    game: int
    chairs: list[Chair]


class WentAway(TableEvent, Public, frozen=True, tag="went_away"):
    """A chair's connection was lost."""

    chair: Chair


class CameBack(TableEvent, Public, frozen=True, tag="came_back"):
    """A chair is connected again, or its owner has taken it over from the bot."""

    chair: Chair


class Voted(TableEvent, Public, frozen=True, tag="voted"):
    """A chair wants a rematch."""

    chair: Chair


class TimedOut(TableEvent, Public, frozen=True, tag="timed_out"):
    """A turn clock has run out, and the table acted for this seat (RULES 1.23)."""

    seat: Seat


class Voided(TableEvent, Public, frozen=True, tag="voided"):
    """The operator has ended the running game, without result or score; whoever has not left sits at an open table again."""


class AutoPassSet(TableEvent, Private, frozen=True, tag="auto_pass_set"):
    """The viewer's own switch; nobody else learns of it."""

    seat: Seat
    on: bool


AnyTableEvent = Created | Sat | Rose | HostIs | Started | WentAway | CameBack | Voted | TimedOut | Voided | AutoPassSet
ViewerEvent = AnyTableEvent | SeenEvent
