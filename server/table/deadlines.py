"""What a table waits for: a closed union of deadlines, each at a millisecond of the table's time."""

from collections.abc import Iterable
from typing import TypeVar

import msgspec
from msgspec.structs import replace


class StartDue(msgspec.Struct, frozen=True, gc=False):
    """The countdown of a full table ends, and its game starts."""

    at_ms: int


class OfferEnds(msgspec.Struct, frozen=True, gc=False):
    """The offer period ends, and the answers take effect (RULES 3.4)."""

    at_ms: int


class BoutCloses(msgspec.Struct, frozen=True, gc=False):
    """A bout in which nobody is waited for closes early (RULES 1.14), `total_ms` after its last event."""

    at_ms: int
    total_ms: int


class WindowEnds(msgspec.Struct, frozen=True, gc=False):
    """The window for throwing in ends, and the bout with it (RULES 1.11)."""

    at_ms: int


class TurnEnds(msgspec.Struct, frozen=True, gc=False):
    """A seat's turn clock of `total_ms` ends, and the table acts for it (RULES 1.23)."""

    at_ms: int
    seat: int
    total_ms: int


class AutoPassDue(msgspec.Struct, frozen=True, gc=False):
    """A seat passes by itself (RULES 1.15)."""

    at_ms: int
    seat: int


class GraceEnds(msgspec.Struct, frozen=True, gc=False):
    """Whoever is away from this chair counts as having left."""

    at_ms: int
    chair: int


GameDeadline = OfferEnds | BoutCloses | WindowEnds | TurnEnds | AutoPassDue
"""What runs in a game."""
Deadline = GameDeadline | GraceEnds | StartDue

SomeDeadline = TypeVar("SomeDeadline", bound=Deadline)


def later(deadline: SomeDeadline, by_ms: int) -> SomeDeadline:
    """The same deadline, so much later."""
    return replace(deadline, at_ms=deadline.at_ms + by_ms)


def all_later(deadlines: Iterable[SomeDeadline], by_ms: int) -> tuple[SomeDeadline, ...]:
    """The same deadlines, each so much later."""
    return tuple(later(deadline, by_ms) for deadline in deadlines)
