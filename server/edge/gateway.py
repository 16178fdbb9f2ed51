"""The gateway: what a session's messages do, and what its tables tell it.

It never waits: commands go into a table's queue and are answered when their outcome is durable.
"""

import logging
from typing import assert_never

from durak.protocol.codec import BadFrame
from durak.protocol.messages import (
    PROTOCOL_VERSION,
    Act,
    AnyCommand,
    AutoPass,
    ClientMessage,
    CloseCode,
    Command,
    Create,
    Detached,
    Dismiss,
    Error,
    Fill,
    Hello,
    Host,
    Join,
    LeaveTable,
    Level,
    Lobby,
    Ok,
    Rematch,
    Start,
    Watch,
    Welcome,
    senders_of,
)
from durak.protocol.rules.ruleset import RULES_VERSION
from durak.server.edge.connection import Session
from durak.server.edge.heartbeat import HEARTBEAT_MS, Heartbeats
from durak.server.edge.refusals import error_for
from durak.server.given.clock import Clock, TimerHandle
from durak.server.given.entropy import Entropy
from durak.server.given.meter import Meter
from durak.server.live.registry import Owner
from durak.server.live.table import Accepted, LiveTable, Refusal, Reply
from durak.server.lobby.creation import bots_named, creation_of
from durak.server.lobby.desk import Desk
from durak.server.lobby.listing import Lobby as LobbyRoom
from durak.server.people.tokens import BadToken, Tokens
from durak.server.table.chairs import Refused
from durak.server.table.inputs import (
    BotPlayer,
    DismissBot,
    Dropped,
    Play,
    Rise,
    SeatBots,
    SetAutoPass,
    SitDown,
    StartGame,
    Vote,
)
from durak.server.table.machine import Table
from durak.server.viewers.audience import Audience, is_seated

logger = logging.getLogger(__name__)

HELLO_TIMEOUT_MS = 15_000
"""How long a connection may stay without a hello."""
MAX_REFUSED_FRAMES = 20
"""Frames in a row that are no messages, before a connection is closed."""
MAX_LIMITED_FRAMES = 200
"""Frames in a row over the rate limit, before a connection is closed."""


class Gateway:
    """Sessions on one side, tables on the other."""

    def __init__(
        self,
        owner: Owner,
        audience: Audience,
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
        self._owner = owner
        self._audience = audience
        self._lobby = lobby
        self._desk = desk
        self._tokens = tokens
        self._clock = clock
        self._entropy = entropy
        self._server = server
        self._dev = dev
        self._meter = meter or Meter()
        self._sessions: dict[Session, None] = {}  # in the order of their coming
        self._unknown: dict[Session, TimerHandle] = {}  # without hello, with the end of our patience
        self._heartbeats = Heartbeats(clock)
        self._heartbeats.begin()

    @property
    def closing(self) -> bool:
        """True once the server stops."""
        return self._audience.closing

    # ---------------------------------------------------------------- sessions

    def connected(self, session: Session) -> None:
        """A connection is open; its first frame must be a hello."""
        self._sessions[session] = None
        self._heartbeats.add(session)
        self._unknown[session] = self._clock.call_at(
            self._clock.now_ms() + HELLO_TIMEOUT_MS, lambda: session.connection.close(CloseCode.NO_HELLO, "no_hello")
        )

    def _stop_waiting_for_hello(self, session: Session) -> None:
        """It has come, or will not; a timer that is left would keep a lost connection in memory."""
        timer = self._unknown.pop(session, None)
        if timer is not None:
            timer.cancel()

    def disconnected(self, session: Session) -> None:
        """A connection is gone."""
        self._sessions.pop(session, None)
        self._heartbeats.remove(session)
        self._stop_waiting_for_hello(session)
        self._lobby.leave(session)
        self._audience.detach(session)
        self._desk.host_gone(session)

    def census(self) -> tuple[dict[str, int], int]:
        """How many connections there are by kind, and how many of them look at a table without a seat there."""
        kinds = {"person": 0, "bot": 0, "host": 0, "unknown": 0}
        watchers = 0
        for session in self._sessions:
            kinds["unknown" if session.identity is None else session.identity.kind] += 1
            watchers += session.live is not None and not session.seated
        return kinds, watchers

    def close_all(self, code: int, reason: str) -> None:
        """Close every connection; what happens to its seats afterwards is no leaving."""
        self._audience.closing = True
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
            session.send(Error(bad.code, cid=bad.cid, params=bad.params))

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
        self._stop_waiting_for_hello(session)
        session.send(
            Welcome(identity.player, identity.name, identity.kind, self._server, PROTOCOL_VERSION, RULES_VERSION, HEARTBEAT_MS)
        )
        if hello.table is not None:
            live = self._owner.find(hello.table)
            if live is None or live.frozen or live.table.seq == 0:
                session.send(Error("no_such_table" if live is None or not live.frozen else "frozen", params={"table": hello.table}))
            else:
                self._audience.attach(session, live, hello.seq)

    def _command(self, session: Session, message: AnyCommand) -> None:
        identity = session.identity
        assert identity is not None
        if identity.kind not in senders_of(message):
            session.send(Error("not_allowed", cid=message.cid))
            return
        match message:
            case Act() | LeaveTable() | Start() | Fill() | Dismiss() | AutoPass() | Rematch():
                self._table_command(session, message)
            case Create():
                self._create(session, message)
            case Join():
                self._join(session, message)
            case Watch():
                live = self._table_for(session, message)
                if live is not None:
                    session.send(Ok(message.cid, live.table.id, live.table.seq))
                    self._audience.attach(session, live, None)
            case Lobby(on=on):
                session.send(Ok(message.cid))
                self._lobby.join(session) if on else self._lobby.leave(session)
            case Host(levels=levels, capacity=capacity):
                session.send(Ok(message.cid))
                self._desk.host_offers(session, levels, capacity)
            case _:
                assert_never(message)

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
                    self._audience.detach(session)
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
        live = self._owner.find(message.table)
        if live is None or live.table.seq == 0:
            session.send(Error("no_such_table", cid=message.cid, params={"table": message.table}))
            return None
        if live.frozen:
            session.send(Error("frozen", cid=message.cid, params={"table": message.table}))
            return None
        return live

    def _create(self, session: Session, message: Create) -> None:
        assert session.identity is not None
        made = self._owner.created_by(session.player, message.cid)
        if made is not None and made.table.seq:
            self._meter.repeated()
            session.send(Ok(message.cid, made.table.id, 1))
            self._audience.attach(session, made, None)
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
                created = self._owner.find(table.id)
                if created is not None:
                    self._arrive(session, created)
            else:
                session.send(error_for(outcome, message.cid))
                self._owner.discard(table.id)

        try:
            self._owner.create(given, reply)
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
            self._audience.attach(session, live, None)
        elif not self._audience.closing and not self._audience.has(session.player, live.table.id):
            live.submit(Dropped(session.player))
