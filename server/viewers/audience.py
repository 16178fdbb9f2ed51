"""The audience: who looks at which table, and what tables tell them.

A session is attached to one table at a time. What is committed there reaches every viewer in its own view; those who only look on
share one. The lobby and the desk of the bots learn here what concerns them.
"""

from collections.abc import Iterable

from durak.protocol.messages import CloseCode, Detached, TableEvent, TableState, Update, Watchers
from durak.protocol.rules.events import GameOver, Left, Public, WentOut
from durak.server.edge.connection import Session
from durak.server.given.clock import Clock
from durak.server.given.meter import Meter
from durak.server.live.table import LiveTable
from durak.server.lobby.desk import Desk
from durak.server.lobby.listing import Lobby
from durak.server.table.chairs import Refused
from durak.server.table.inputs import Dropped, Returned
from durak.server.table.machine import Table
from durak.server.table.seating import AnyEvent
from durak.server.table.view import Views, history_seen_by, seen_by


def is_seated(table: Table, player: str) -> bool:
    """True if this player may act from a chair of the table: it has not left, or it plays on for somebody who has."""
    try:
        table.acting_chair(player)
    except Refused:
        return False
    return True


class Audience:
    """The viewers of all tables, in the order of their coming."""

    def __init__(self, lobby: Lobby, desk: Desk, clock: Clock, meter: Meter | None = None) -> None:
        self.viewers: dict[str, list[Session]] = {}
        self.closing = False
        """Set when the server stops: a connection that is lost from then on has not dropped."""
        self._lobby = lobby
        self._desk = desk
        self._clock = clock
        self._meter = meter or Meter()

    def attended(self, table: str) -> bool:
        """True if a person is connected to this table; bots stay as long as it does."""
        return any(session.identity is not None and session.identity.kind == "person" for session in self.viewers.get(table, ()))

    def has(self, player: str, table: str) -> bool:
        """True if this player is connected to this table."""
        return any(session.player == player for session in self.viewers.get(table, ()))

    # ---------------------------------------------------------------- coming and going

    def attach(self, session: Session, live: LiveTable, seen_seq: int | None) -> None:
        """Attach a session to a table; a player's earlier session there is closed, so that no click counts twice."""
        if session.live is not live:
            self.detach(session)
        identity = session.identity
        assert identity is not None
        table = live.table
        if identity.kind == "bot" and (identity.table != table.id or not is_seated(table, identity.player)):
            session.connection.close(CloseCode.SEAT_GONE, "seat_gone")
            return
        viewers = self.viewers.setdefault(table.id, [])
        for other in list(viewers):
            if other is not session and other.player == session.player and table.chair_of(session.player) is not None:
                viewers.remove(other)
                other.live = None
                other.connection.close(CloseCode.REPLACED, "replaced")
                self._meter.taken_over()
        watched = session.live is live and not session.seated
        if session not in viewers:
            viewers.append(session)
        session.live = live
        self._send_state(session, live, seen_seq)
        if identity.kind == "bot":
            self._desk.attached(session, table.id)
        elif table.chair_of(session.player) is not None:
            live.submit(Returned(session.player))
        if watched == session.seated:
            self._count_watchers(table)

    def _send_state(self, session: Session, live: LiveTable, seen_seq: int | None) -> None:
        table, history = live.table, live.history
        session.seated, session.shown = is_seated(table, session.player), table
        seat = table.seat_of_player(session.player)
        resumes = seen_seq is not None and history.first is not None and history.first - 1 <= seen_seq <= table.seq
        if seen_seq is not None:
            self._meter.resumed("events" if resumes else "snapshot")
        missed = history_seen_by(history, seat, (seen_seq or 0) if resumes else -1)
        view = Views(table, self._clock.now_ms()).of(session.player)
        watchers = self.watchers(table)
        session.send(TableState(table.seq, "events" if resumes else "snapshot", missed, watchers, view))

    def detach(self, session: Session) -> None:
        live, session.live = session.live, None
        if live is None or session.identity is None:
            return
        table = live.table
        viewers = self.viewers.get(table.id, [])
        if session in viewers:
            viewers.remove(session)
        if not viewers:
            self.viewers.pop(table.id, None)
        if session.identity.kind == "bot":
            self._desk.detached(session, table.id)
        elif table.chair_of(session.player) is None:
            self._count_watchers(table)
        elif not self.closing:
            live.submit(Dropped(session.player))

    def watchers(self, table: Table) -> int:
        """How many look on: no bot does, and one whose chair is gone is on its way out."""
        looking = (session for session in self.viewers.get(table.id, ()) if table.chair_of(session.player) is None)
        return sum(1 for session in looking if session.identity is not None and session.identity.kind != "bot")

    def _count_watchers(self, table: Table) -> None:
        watchers = self.watchers(table)
        for session in self.viewers.get(table.id, ()):
            session.send(Watchers(watchers))
        self._lobby.show(table, watchers)

    # ---------------------------------------------------------------- what tables tell

    def told(self, live: LiveTable, before: Table, table: Table, events: list[AnyEvent]) -> None:
        """Something was committed: every viewer gets it in its own view; spectators share one."""
        viewers = self.viewers.get(table.id)
        if viewers:
            self._update(viewers, before, table, events)
        if any(isinstance(event, TableEvent | Left | WentOut | GameOver) for event in events):
            self._let_go(live)  # before those who look on are counted
            self._desk.review(live.table)
            self._lobby.show(live.table, self.watchers(live.table))

    def _update(self, viewers: list[Session], before: Table, table: Table, events: list[AnyEvent]) -> None:
        views = Views(table, self._clock.now_ms())
        seating = views.seating_since(before)
        public = seen_by(events, None)
        personal = not all(isinstance(event, Public) for event in events)
        shared: dict[str, bytes] = {}
        for session in list(viewers):
            shown, session.shown = session.shown, None
            if shown is table:
                continue
            codec, player = session.codec, session.player
            if views.sits(player):
                seen = seen_by(events, views.seat_of(player)) if personal else public
                if seen or public:
                    session.send(Update(table.seq, seen, views.change_of(player, seating)))
            elif public:
                if codec.subprotocol not in shared:
                    shared[codec.subprotocol] = codec.encode(Update(table.seq, public, views.change_of(None, seating)))
                session.send_frame(shared[codec.subprotocol])

    def _let_go(self, live: LiveTable) -> None:
        """Detach the players who have just left the table."""
        table = live.table
        for session in list(self.viewers.get(table.id, ())):
            assert session.identity is not None
            was_seated, session.seated = session.seated, is_seated(table, session.player)
            if was_seated and not session.seated and session.identity.kind == "person":
                self.viewers[table.id].remove(session)
                session.live = None
                session.send(Detached(table.id, "left"))

    def reloaded(self, live: LiveTable) -> None:
        """A table was read again, or is frozen: everybody gets its state, or is detached."""
        table = live.table
        if live.frozen:
            self._desk.table_gone(table.id)
            self._lobby.remove(table.id)
            for session in self.viewers.pop(table.id, []):
                session.live = None
                session.send(Detached(table.id, "frozen"))
            return
        self._let_go(live)
        for session in list(self.viewers.get(table.id, ())):
            self._send_state(session, live, None)
        self._desk.review(table)
        self._lobby.show(table, self.watchers(table))
        self._note_presence(live)

    def _note_presence(self, live: LiveTable) -> None:
        """Tell a table again who is connected and who is not: what it was told may not have been written."""
        present = {session.player for session in self.viewers.get(live.table.id, ())}
        for _, occupant in live.table.persons():
            if occupant.away and occupant.player in present:
                live.submit(Returned(occupant.player))
            elif not occupant.away and occupant.player not in present and not self.closing:
                live.submit(Dropped(occupant.player))

    def ended(self, live: LiveTable) -> None:
        """A table is gone."""
        self._desk.table_gone(live.table.id)
        self._lobby.remove(live.table.id)
        for session in self.viewers.pop(live.table.id, []):
            session.live = None
            session.send(Detached(live.table.id, "closed"))

    def recovered(self, tables: Iterable[LiveTable]) -> None:
        """Tables were recovered: list them, and find bots for their seats."""
        for live in tables:
            if not live.frozen:
                self._desk.review(live.table)
                self._lobby.show(live.table, 0)
