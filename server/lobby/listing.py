"""The lobby: a line per public table, and what has changed for those who look at it."""

import itertools
from collections.abc import Sequence
from typing import Literal

from durak.protocol.messages import LobbyState, TableListing
from durak.server.given.clock import Clock
from durak.server.given.containment import contain
from durak.server.given.meter import Meter
from durak.server.live.port import Viewer
from durak.server.live.watching import Commit, Moment, Watcher
from durak.server.table.summary import Summary, summary_of

GATHER_MS = 250
"""Changes are sent together, at most this late."""
MAX_LINES = 500
"""Lines in one message, so that it fits into an outbox: the longest list, and the most changes at a time."""


def listing_of(table: Summary, watchers: int) -> TableListing:
    """The table's line."""
    return TableListing(
        table=table.table,
        name=table.title,
        preset=table.preset,
        status=table.status,
        chairs=table.chairs,
        taken=table.taken,
        persons=table.persons,
        bots=table.bots,
        turn_clock_s=table.turn_clock_s,
        discreet=table.discreet,
        watchers=watchers,
    )


class Lobby(Watcher):
    """The listings, and the viewers who receive their changes."""

    def __init__(self, clock: Clock, meter: Meter) -> None:
        self._clock = clock
        self._meter = meter
        self._listings: dict[str, TableListing] = {}
        self._viewers: dict[Viewer, None] = {}  # in the order of their coming
        self._changed: dict[str, None] = {}
        self._scheduled = False

    def all(self) -> list[TableListing]:
        """The lines, at most `MAX_LINES`: open tables first, the oldest first."""
        order = {"open": 0, "playing": 1, "finished": 2}
        return sorted(self._listings.values(), key=lambda listing: order[listing.status])[:MAX_LINES]

    def join(self, viewer: Viewer) -> None:
        """Send the list to a viewer, and from now on its changes."""
        self._viewers[viewer] = None
        viewer.send(LobbyState(full=True, tables=self.all()))

    def leave(self, viewer: Viewer) -> None:
        """Send this viewer nothing more."""
        self._viewers.pop(viewer, None)

    # ---------------------------------------------------------------- what tables tell

    def recovered(self, now: Moment) -> None:
        """A table goes on."""
        self._show(now)

    def committed(self, commit: Commit) -> None:
        """A table's line may be another."""
        if commit.restands:
            self._show(commit.now)

    def reloaded(self, now: Moment, leaving: Sequence[Viewer]) -> None:
        """A table's line may be another than was thought."""
        self._show(now)

    def attached(self, now: Moment, viewer: Viewer, seen_seq: int | None) -> None:
        """Somebody more may look on."""
        self._recount(now)

    def detached(self, now: Moment, viewer: Viewer) -> None:
        """Somebody less may look on."""
        self._recount(now)

    def ended(self, now: Moment, how: Literal["closed", "frozen"]) -> None:
        """A table is gone."""
        if self._listings.pop(now.table.id, None) is not None:
            self._note(now.table.id)

    def _recount(self, now: Moment) -> None:
        listing = self._listings.get(now.table.id)
        if listing is None or listing.watchers != now.watchers:
            self._show(now)

    def _show(self, now: Moment) -> None:
        table = now.table
        if table.private or table.seq == 0:
            return
        listing = listing_of(summary_of(table), now.watchers)
        if self._listings.get(table.id) != listing:
            self._listings[table.id] = listing
            self._note(table.id)

    # ---------------------------------------------------------------- changes

    def _note(self, table: str) -> None:
        self._changed[table] = None
        self._tell_soon()

    def _tell_soon(self) -> None:
        if not self._scheduled:
            self._scheduled = True
            self._clock.call_at(self._clock.now_ms() + GATHER_MS, self._tell)

    def _tell(self) -> None:
        self._scheduled = False
        changed = list(itertools.islice(self._changed, MAX_LINES))
        for table in changed:
            del self._changed[table]
        if self._changed:
            self._tell_soon()
        message = LobbyState(
            full=False,
            tables=[self._listings[table] for table in changed if table in self._listings],
            gone=[table for table in changed if table not in self._listings],
        )
        for viewer in list(self._viewers):
            contain(self._meter, "timer", viewer.send, message)
