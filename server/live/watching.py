"""Watchers: rooms that are told of everything that happens at live tables, and know nothing of each other."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from durak.server.live.history import History
from durak.server.live.port import Viewer
from durak.server.table.machine import Table
from durak.server.table.seating import AnyEvent


@dataclass(slots=True)
class Moment:
    """A table as it is committed with so many `entries`, and who looks at it. To be read and not to be kept."""

    table: Table
    history: History
    entries: int
    viewers: Sequence[Viewer]
    _watchers: int | None = None

    @property
    def watchers(self) -> int:
        """How many look on: no bot does."""
        if self._watchers is None:
            looking = (viewer for viewer in self.viewers if viewer.identity.kind != "bot")
            self._watchers = sum(1 for viewer in looking if self.table.chair_of(viewer.player) is None)
        return self._watchers


@dataclass(slots=True)
class Commit:
    """Events that made the table of `now` of the one `before`, which was told of last.

    `leaving`: who was detached by it; `restands`: who sits there, or how they stand, may have changed.
    """

    before: Table
    events: list[AnyEvent]
    now: Moment
    leaving: Sequence[Viewer]
    restands: bool


class Watcher:
    """Takes note of nothing; each watcher says what concerns it. What one raises is kept from the others and from the table."""

    def recovered(self, now: Moment) -> None:
        """A table of before the start goes on."""

    def committed(self, commit: Commit) -> None:
        """Something happened."""

    def reloaded(self, now: Moment, leaving: Sequence[Viewer]) -> None:
        """The table was read again from its journal: what was told before may be incomplete. Who is leaving is detached."""

    def attached(self, now: Moment, viewer: Viewer, seen_seq: int | None) -> None:
        """Somebody looks at the table, or looks again, having seen it up to this number."""

    def detached(self, now: Moment, viewer: Viewer) -> None:
        """Somebody does not look any more."""

    def ended(self, now: Moment, how: Literal["closed", "frozen"]) -> None:
        """The table is live no longer, or takes no inputs; its viewers are detached with this."""
