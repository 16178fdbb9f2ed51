"""The lobby: a line per public table, and what has changed for those who look at it."""

import itertools
from collections.abc import Iterable

from durak.protocol.messages import LobbyState, TableListing
from durak.server.edge.connection import Session
from durak.server.given.clock import Clock
from durak.server.table.machine import Table

GATHER_MS = 250
"""Changes are sent together, at most this late."""
MAX_LINES = 500
"""Lines in one message, so that it fits into an outbox: the longest list, and the most changes at a time."""


def listing_of(table: Table, watchers: int) -> TableListing:
    """The table's line."""
    present = [occupant for _, occupant in table.occupants() if not occupant.left]
    persons = sum(1 for occupant in present if occupant.kind == "person")
    return TableListing(
        table=table.id,
        name=table.title,
        preset=table.rules.preset,
        status=table.status,
        chairs=len(table.chairs),
        taken=len(present),
        persons=persons,
        bots=len(present) - persons,
        turn_clock_s=table.rules.turn_clock_s,
        discreet=table.rules.discreet,
        watchers=watchers,
    )


class Lobby:
    """The listings, and the sessions that receive their changes."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._listings: dict[str, TableListing] = {}
        self._sessions: dict[Session, None] = {}  # in the order of their coming
        self._changed: dict[str, None] = {}
        self._scheduled = False

    def all(self) -> list[TableListing]:
        """The lines, at most `MAX_LINES`: open tables first, the oldest first."""
        order = {"open": 0, "playing": 1, "finished": 2}
        return sorted(self._listings.values(), key=lambda listing: order[listing.status])[:MAX_LINES]

    def show(self, table: Table, watchers: int) -> None:
        """Note how a table is now."""
        if table.private or table.seq == 0:
            return
        listing = listing_of(table, watchers)
        if self._listings.get(table.id) != listing:
            self._listings[table.id] = listing
            self._note(table.id)

    def remove(self, table: str) -> None:
        """The table is gone."""
        if self._listings.pop(table, None) is not None:
            self._note(table)

    def join(self, session: Session) -> None:
        """Send the list to a session, and from now on its changes."""
        self._sessions[session] = None
        session.in_lobby = True
        session.send(LobbyState(full=True, tables=self.all()))

    def leave(self, session: Session) -> None:
        """Send this session nothing more."""
        self._sessions.pop(session, None)
        session.in_lobby = False

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
        self._send(
            LobbyState(
                full=False,
                tables=[self._listings[table] for table in changed if table in self._listings],
                gone=[table for table in changed if table not in self._listings],
            ),
            self._sessions,
        )

    @staticmethod
    def _send(message: LobbyState, sessions: Iterable[Session]) -> None:
        frames: dict[str, bytes] = {}
        for session in list(sessions):
            codec = session.codec
            if codec.subprotocol not in frames:
                frames[codec.subprotocol] = codec.encode(message)
            session.send_frame(frames[codec.subprotocol])
