"""The gateway: what a session's messages do, and what its tables tell it.

It never waits: commands go into a table's queue and are answered when their outcome is durable.
"""

import logging
from typing import assert_never

from durak.protocol.codec import BadFrame
from durak.protocol.messages import (
    PROTOCOL_VERSION,
    Act,
    AutoPass,
    ClientMessage,
    CloseCode,
    Command,
    Create,
    Detached,
    Dismiss,
    Error,
    Fill,
    Heartbeat,
    Hello,
    Host,
    Join,
    LeaveTable,
    Level,
    Lobby,
    Ok,
    Rematch,
    Start,
    TableEvent,
    TableState,
    Update,
    Watch,
    Watchers,
    Welcome,
)
from durak.protocol.rules.events import GameOver, Left, WentOut
from durak.protocol.rules.ruleset import RULES_VERSION
from durak.server.clock import Clock
from durak.server.creation import bots_named, creation_of
from durak.server.desk import Desk
from durak.server.entropy import Entropy
from durak.server.live import Accepted, LiveTable, Refusal, Reply
from durak.server.lobby import Lobby as LobbyRoom
from durak.server.meter import Meter
from durak.server.owner import Owner
from durak.server.refusals import error_for
from durak.server.session import Session
from durak.server.table.chairs import Refused
from durak.server.table.inputs import (
    BotPlayer,
    DismissBot,
    Dropped,
    Play,
    Returned,
    Rise,
    SeatBots,
    SetAutoPass,
    SitDown,
    StartGame,
    Vote,
)
from durak.server.table.machine import Table
from durak.server.table.seating import AnyEvent
from durak.server.table.view import PERSONAL, Views, history_seen_by, seen_by
from durak.server.tokens import BadToken, Tokens

logger = logging.getLogger(__name__)

HEARTBEAT_MS = 5_000
HELLO_TIMEOUT_MS = 15_000
"""How long a connection may stay without a hello."""
MAX_REFUSED_FRAMES = 20
"""Frames in a row that are no messages, before a connection is closed."""
MAX_LIMITED_FRAMES = 200
"""Frames in a row over the rate limit, before a connection is closed."""


def is_seated(table: Table, player: str) -> bool:
    """True if this player may act from a chair of the table: it has not left, or it plays on for somebody who has."""
    try:
        table.acting_chair(player)
    except Refused:
        return False
    return True


class Gateway:
    """Sessions on one side, tables on the other."""

    def __init__(
        self,
        lobby: LobbyRoom,
        desk: Desk,
        tokens: Tokens,
        clock: Clock,
        entropy: Entropy,
        *,
        server: str,
        dev: bool,
        meter: Meter | None = None,
    ) -> None:
        self.owner: Owner  # set once both are made: each calls the other
        self._lobby = lobby
        self._desk = desk
        self._tokens = tokens
        self._clock = clock
        self._entropy = entropy
        self._server = server
        self._dev = dev
        self._meter = meter or Meter()
        self._sessions: dict[Session, None] = {}  # in the order of their coming
        self._viewers: dict[str, list[Session]] = {}
        self.closing = False

    # ---------------------------------------------------------------- sessions

    def connected(self, session: Session) -> None:
        """A connection is open; its first frame must be a hello."""
        self._sessions[session] = None
        self._clock.call_at(self._clock.now_ms() + HELLO_TIMEOUT_MS, lambda: self._must_have_greeted(session))

    def _must_have_greeted(self, session: Session) -> None:
        if session.identity is None:
            session.connection.close(CloseCode.NO_HELLO, "no_hello")

    def disconnected(self, session: Session) -> None:
        """A connection is gone."""
        self._sessions.pop(session, None)
        self._lobby.leave(session)
        self._detach(session)
        self._desk.host_gone(session)

    def attended(self, table: str) -> bool:
        """True if a person is connected to this table; bots stay as long as it does."""
        return any(session.identity is not None and session.identity.kind == "person" for session in self._viewers.get(table, ()))

    def census(self) -> tuple[dict[str, int], int]:
        """How many connections there are by kind, and how many of them look at a table without a seat there."""
        kinds = {"person": 0, "bot": 0, "host": 0, "unknown": 0}
        watchers = 0
        for session in self._sessions:
            kinds["unknown" if session.identity is None else session.identity.kind] += 1
            watchers += session.live is not None and not session.seated
        return kinds, watchers

    def beat(self) -> None:
        """Send a heartbeat to everybody, from now on."""
        for session in self._sessions:
            if session.identity is not None:
                session.send(Heartbeat())
        self._clock.call_at(self._clock.now_ms() + HEARTBEAT_MS, self.beat)

    def close_all(self, code: int, reason: str) -> None:
        """Close every connection; what happens to its seats afterwards is no leaving."""
        self.closing = True
        for session in list(self._sessions):
            session.connection.close(code, reason)

    # ---------------------------------------------------------------- frames in

    def received(self, session: Session, frame: bytes) -> None:
        """A frame has come. Whatever it holds, the answer is a message or a close code."""
        wait_ms = 0 if session.bucket is None else session.bucket.wait_ms(self._clock.now_ms())
        try:
            message = session.codec.decode_from_client(frame)
        except BadFrame as bad:
            self._bad_frame(session, bad)
            return
        if wait_ms:
            self._too_fast(session, message, wait_ms)
            return
        session.refused_in_a_row = 0
        if isinstance(message, Hello):
            self._hello(session, message)
        elif session.identity is None:
            session.connection.close(CloseCode.NO_HELLO, "no_hello")
        else:
            self._command(session, message)

    def _bad_frame(self, session: Session, bad: BadFrame) -> None:
        session.refused_in_a_row += 1
        if session.identity is None or session.refused_in_a_row >= MAX_REFUSED_FRAMES:
            session.connection.close(CloseCode.BAD_FRAME, bad.code)
        else:
            session.send(Error(bad.code, cid=bad.cid, params={"detail": bad.detail}))

    def _too_fast(self, session: Session, message: ClientMessage, wait_ms: int) -> None:
        self._meter.limited("frame")
        session.refused_in_a_row += 1
        if session.refused_in_a_row >= MAX_LIMITED_FRAMES:
            session.connection.close(CloseCode.FLOODING, "flooding")
        else:
            cid = message.cid if isinstance(message, Command) else None
            session.send(Error("rate_limited", cid=cid, retry_after_ms=wait_ms))

    def _hello(self, session: Session, hello: Hello) -> None:
        if session.identity is not None:
            session.send(Error("already_greeted"))
            return
        try:
            identity = self._tokens.read(hello.token)
        except BadToken as bad:
            session.connection.close(CloseCode.BAD_TOKEN, bad.code)
            return
        session.identity = identity
        session.send(
            Welcome(identity.player, identity.name, identity.kind, self._server, PROTOCOL_VERSION, RULES_VERSION, HEARTBEAT_MS)
        )
        if hello.table is not None:
            live = self.owner.find(hello.table)
            if live is None or live.frozen or live.table.seq == 0:
                session.send(Error("no_such_table" if live is None or not live.frozen else "frozen", params={"table": hello.table}))
            else:
                self._attach(session, live, hello.seq)

    def _command(self, session: Session, message: Command) -> None:
        identity = session.identity
        assert identity is not None
        if isinstance(message, Host) != (identity.kind == "host") or (
            identity.kind == "bot" and isinstance(message, Create | Join | Watch | Lobby)
        ):
            session.send(Error("not_allowed", cid=message.cid))
            return
        match message:
            case Create():
                self._create(session, message)
            case Join():
                self._join(session, message)
            case Watch():
                live = self._table_for(session, message)
                if live is not None:
                    session.send(Ok(message.cid, live.table.id, live.table.seq))
                    self._attach(session, live, None)
            case Lobby(on=on):
                session.send(Ok(message.cid))
                self._lobby.join(session) if on else self._lobby.leave(session)
            case Host(levels=levels, capacity=capacity):
                session.send(Ok(message.cid))
                self._desk.host_offers(session, levels, capacity)
            case LeaveTable() | Start() | Fill() | Dismiss() | Act() | AutoPass() | Rematch():
                self._table_command(session, message)
            case _:
                raise AssertionError(f"no such command: {message!r}")

    def _table_command(self, session: Session, message: LeaveTable | Start | Fill | Dismiss | Act | AutoPass | Rematch) -> None:
        live, player, cid = session.live, session.player, message.cid
        if live is None:
            session.send(Error("not_at_a_table", cid=cid))
            return
        reply = self._reply_to(session, live, cid)
        match message:
            case Act(action=action, bout=bout, epoch=epoch):
                live.submit(Play(player, cid, action, bout, epoch), reply)
            case AutoPass(on=on):
                live.submit(SetAutoPass(player, cid, on), reply)
            case LeaveTable():
                if is_seated(live.table, player):
                    live.submit(Rise(player, cid), reply)
                else:  # it only looked on, or repeats what was answered on a lost connection
                    session.send(Ok(cid, live.table.id, live.remembered(player, cid) or live.table.seq))
                    self._detach(session)
                    session.send(Detached(live.table.id, "left"))
            case Start():
                live.submit(StartGame(player, cid), reply)
            case Fill(bots=levels):
                if live.remembered(player, cid) or self._desk.can_fill(levels):
                    live.submit(SeatBots(player, cid, self._bots(levels, live.table)), reply)
                else:
                    self._no_bots(session, cid)
            case Dismiss(chair=chair):
                live.submit(DismissBot(player, cid, chair), reply)
            case Rematch():
                live.submit(Vote(player, cid), reply)
            case _:
                assert_never(message)

    def _no_bots(self, session: Session, cid: str) -> None:
        session.send(Error("no_bots", cid=cid, params={"levels": ",".join(self._desk.levels())}))

    def _bots(self, levels: list[Level], table: Table | None) -> list[BotPlayer]:
        taken = set() if table is None else {occupant.name for _, occupant in table.occupants()}
        return bots_named(levels, taken, self._entropy)

    def _table_for(self, session: Session, message: Join | Watch) -> LiveTable | None:
        live = self.owner.find(message.table)
        if live is None or live.table.seq == 0:
            session.send(Error("no_such_table", cid=message.cid, params={"table": message.table}))
            return None
        if live.frozen:
            session.send(Error("frozen", cid=message.cid, params={"table": message.table}))
            return None
        return live

    def _create(self, session: Session, message: Create) -> None:
        assert session.identity is not None
        made = self.owner.created_by(session.player, message.cid)
        if made is not None and made.table.seq:
            self._meter.repeated()
            session.send(Ok(message.cid, made.table.id, 1))
            self._attach(session, made, None)
            return
        given = creation_of(message, session.identity, self._entropy, dev=self._dev)
        if isinstance(given, Error):
            session.send(given)
            return
        if message.bots and not self._desk.can_fill(message.bots):
            self._no_bots(session, message.cid)
            return

        def reply(outcome: Accepted | Refusal, table: Table) -> None:
            if isinstance(outcome, Accepted):
                session.send(Ok(message.cid, table.id, outcome.seq))
                self._desk.review(table)
                created = self.owner.find(table.id)
                if created is not None:
                    self._arrive(session, created)
            else:
                session.send(error_for(outcome, message.cid))
                self.owner.discard(table.id)

        try:
            self.owner.create(given, reply)
        except Refused as refused:
            session.send(error_for(refused, message.cid))

    def _join(self, session: Session, message: Join) -> None:
        live = self._table_for(session, message)
        if live is None:
            return
        assert session.identity is not None

        def reply(outcome: Accepted | Refusal, table: Table) -> None:
            if isinstance(outcome, Accepted):
                session.send(Ok(message.cid, table.id, outcome.seq))
            if isinstance(outcome, Accepted) or (isinstance(outcome, Refused) and outcome.code == "already_seated"):
                self._arrive(session, live)
            if not isinstance(outcome, Accepted):
                session.send(error_for(outcome, message.cid))

        live.submit(SitDown(session.player, message.cid, session.identity.name, message.chair), reply)

    def _reply_to(self, session: Session, live: LiveTable, cid: str) -> Reply:
        def reply(outcome: Accepted | Refusal, table: Table) -> None:
            if isinstance(outcome, Accepted):
                session.send(Ok(cid, table.id, outcome.seq))
            else:
                session.send(error_for(outcome, cid, table, session.player))

        return reply

    # ---------------------------------------------------------------- attaching

    def _arrive(self, session: Session, live: LiveTable) -> None:
        """A player has a chair: attach its session; if that is gone already, the player is away."""
        if session in self._sessions:
            self._attach(session, live, None)
        elif not self.closing and all(other.player != session.player for other in self._viewers.get(live.table.id, ())):
            live.submit(Dropped(session.player))

    def _attach(self, session: Session, live: LiveTable, seen_seq: int | None) -> None:
        """Attach a session to a table; a player's earlier session there is closed, so that no click counts twice."""
        if session.live is not live:
            self._detach(session)
        identity = session.identity
        assert identity is not None
        table = live.table
        if identity.kind == "bot" and (identity.table != table.id or not is_seated(table, identity.player)):
            session.connection.close(CloseCode.SEAT_GONE, "seat_gone")
            return
        viewers = self._viewers.setdefault(table.id, [])
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
        resumes = seen_seq is not None and bool(history) and history[0][0] - 1 <= seen_seq <= table.seq
        if seen_seq is not None:
            self._meter.resumed("events" if resumes else "snapshot")
        missed = history_seen_by(history, seat, (seen_seq or 0) if resumes else -1)
        view = Views(table, self._clock.now_ms()).of(session.player)
        watchers = self.watchers(table)
        session.send(TableState(table.seq, "events" if resumes else "snapshot", missed, watchers, view))

    def _detach(self, session: Session) -> None:
        live, session.live = session.live, None
        if live is None or session.identity is None:
            return
        table = live.table
        viewers = self._viewers.get(table.id, [])
        if session in viewers:
            viewers.remove(session)
        if not viewers:
            self._viewers.pop(table.id, None)
        if session.identity.kind == "bot":
            self._desk.detached(session, table.id)
        elif table.chair_of(session.player) is None:
            self._count_watchers(table)
        elif not self.closing:
            live.submit(Dropped(session.player))

    def watchers(self, table: Table) -> int:
        """How many look on: no bot does, and one whose chair is gone is on its way out."""
        looking = (session for session in self._viewers.get(table.id, ()) if table.chair_of(session.player) is None)
        return sum(1 for session in looking if session.identity is not None and session.identity.kind != "bot")

    def _count_watchers(self, table: Table) -> None:
        watchers = self.watchers(table)
        for session in self._viewers.get(table.id, ()):
            session.send(Watchers(watchers))
        self._lobby.show(table, watchers)

    # ---------------------------------------------------------------- what tables tell

    def told(self, live: LiveTable, table: Table, events: list[AnyEvent]) -> None:
        """Something was committed: every viewer gets it in its own view; spectators share one."""
        viewers = self._viewers.get(table.id)
        if viewers:
            self._update(viewers, table, events)
        if any(isinstance(event, TableEvent | Left | WentOut | GameOver) for event in events):
            self._let_go(live)  # before those who look on are counted
            self._desk.review(live.table)
            self._lobby.show(live.table, self.watchers(live.table))

    def _update(self, viewers: list[Session], table: Table, events: list[AnyEvent]) -> None:
        views = Views(table, self._clock.now_ms())
        public = seen_by(events, None)
        personal = any(isinstance(event, PERSONAL) for event in events)
        shared: dict[str, bytes] = {}
        for session in list(viewers):
            shown, session.shown = session.shown, None
            if shown is table:
                continue
            codec, player = session.codec, session.player
            if views.sits(player):
                seen = seen_by(events, views.seat_of(player)) if personal else public
                if seen or public:
                    session.send(Update(table.seq, seen, views.of(player)))
            elif public:
                if codec.subprotocol not in shared:
                    shared[codec.subprotocol] = codec.encode(Update(table.seq, public, views.of(None)))
                session.connection.send(shared[codec.subprotocol])

    def _let_go(self, live: LiveTable) -> None:
        """Detach the players who have just left the table."""
        table = live.table
        for session in list(self._viewers.get(table.id, ())):
            assert session.identity is not None
            was_seated, session.seated = session.seated, is_seated(table, session.player)
            if was_seated and not session.seated and session.identity.kind == "person":
                self._viewers[table.id].remove(session)
                session.live = None
                session.send(Detached(table.id, "left"))

    def reloaded(self, live: LiveTable) -> None:
        """A table was read again, or is frozen: everybody gets its state, or is detached."""
        table = live.table
        if live.frozen:
            self._desk.table_gone(table.id)
            self._lobby.remove(table.id)
            for session in self._viewers.pop(table.id, []):
                session.live = None
                session.send(Detached(table.id, "frozen"))
            return
        self._let_go(live)
        for session in list(self._viewers.get(table.id, ())):
            self._send_state(session, live, None)
        self._desk.review(table)
        self._lobby.show(table, self.watchers(table))
        self._note_presence(live)

    def _note_presence(self, live: LiveTable) -> None:
        """Tell a table again who is connected and who is not: what it was told may not have been written."""
        present = {session.player for session in self._viewers.get(live.table.id, ())}
        for _, occupant in live.table.persons():
            if occupant.away and occupant.player in present:
                live.submit(Returned(occupant.player))
            elif not occupant.away and occupant.player not in present and not self.closing:
                live.submit(Dropped(occupant.player))

    def ended(self, live: LiveTable) -> None:
        """A table is gone."""
        self._desk.table_gone(live.table.id)
        self._lobby.remove(live.table.id)
        for session in self._viewers.pop(live.table.id, []):
            session.live = None
            session.send(Detached(live.table.id, "closed"))

    def recovered(self) -> None:
        """Tables were recovered: list them, and find bots for their seats."""
        for live in self.owner.tables.values():
            if not live.frozen:
                self._desk.review(live.table)
                self._lobby.show(live.table, 0)
