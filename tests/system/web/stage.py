"""A server whose one table stands wherever the test wants: the real web page and WebSocket endpoint, no gateway behind them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any, Literal, cast

from aiohttp import web
from msgspec.structs import replace

from durak.protocol.messages import Act, AutoPass, ClientMessage, Error, Hello, Ok, TableState, TableView, Update, Welcome
from durak.protocol.rules.errors import IllegalAction
from durak.server.clock import LoopClock
from durak.server.entropy import SecureEntropy
from durak.server.gateway import Gateway
from durak.server.lobby import Lobby
from durak.server.refusals import error_for
from durak.server.session import Session
from durak.server.table import inputs as i
from durak.server.table.chairs import Refused
from durak.server.table.view import Views, seen_by
from durak.server.tokens import Identity, Tokens
from durak.server.web import Web
from tests.server.table.driving import Driven, position
from tests.system.web.person import Guest

TABLE = "STAGE1"
Conduct = Literal["is silent", "accepts", "refuses", "plays"]


class Stage:
    """Shows one seat of a table to every page that connects, and notes what the pages send.

    `heard`: every message but the hellos, which are in `hellos`. `conduct`: what becomes of actions; where it "plays", time passes
    for the table. `delay_ms`: how long an answer takes. While `closing` nobody gets in.
    """

    def __init__(self) -> None:
        self.url = ""
        self.heard: list[ClientMessage] = []
        self.hellos: list[Hello] = []
        self.conduct: Conduct = "is silent"
        self.delay_ms = 0
        self.closing = False
        self.seq = 1
        self.driven: Driven
        self.seat: int | None = 0
        self.guest: Guest
        self._sessions: list[Session] = []
        self._news = asyncio.Event()
        self._scenes = 0
        self._shown = 0
        self._began = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._tokens = Tokens(b"a secret of the tests")
        self._runner: web.AppRunner

    # ---------------------------------------------------------------- serving

    async def start(self) -> None:
        """Serve the page."""
        clock = LoopClock()
        gateway = cast(Gateway, self)
        served = Web(gateway, Lobby(clock), self._tokens, clock, SecureEntropy(), max_connections=100, limited=False)
        self._runner = web.AppRunner(served.application(), access_log=None, handle_signals=False, shutdown_timeout=0.5)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"
        served.origins = {self.url}
        self.guest = Guest("Katya", self._tokens.make(Identity("guest:katya", "Katya")))

    async def stop(self) -> None:
        """End all connections and stop serving."""
        if self._timer is not None:
            self._timer.cancel()
        self.drop()
        await self._runner.cleanup()

    def drop(self) -> None:
        """Cut every connection without a word."""
        assert self._runner.server is not None
        for protocol in self._runner.server.connections:
            if protocol.transport is not None:
                cast(asyncio.Transport, protocol.transport).abort()
        self._sessions.clear()

    async def hears(self, count: int) -> None:
        """Wait until the pages have sent so many messages, hellos not counted."""
        async with asyncio.timeout(5):
            while len(self.heard) < count:
                self._news.clear()
                await self._news.wait()

    # ---------------------------------------------------------------- the table

    @property
    def path(self) -> str:
        """Where the table's page is."""
        return f"/t/{TABLE}"

    @property
    def title(self) -> str:
        """The name that the table is shown with, another one for each scene."""
        return f"Scene {self._scenes}"

    def set(self, table: Driven | str, seat: int | None = 0, **changes: Any) -> str:
        """Put up another table, a position or a driven one, as this seat sees it; gives its title. `changes` of the view."""
        self.driven = position(table) if isinstance(table, str) else table
        self.driven.table.id = TABLE
        self.seat = seat
        self._changes = changes
        self._shown = len(self.driven.told)
        self._began = asyncio.get_running_loop().time() - self.driven.now_ms / 1000
        self._scenes += 1
        self.seq += 1
        self._arm()
        for session in self._sessions:
            session.send(Update(self.seq, [], self.view()))
        return self.title

    def view(self) -> TableView:
        """What the pages are shown now."""
        return self._seen(Views(self.driven.table, self.driven.now_ms))

    def _seen(self, views: Views) -> TableView:
        view = views.of(None if self.seat is None else self.driven.player(self.seat))
        return replace(view, name=self.title, **self._changes)

    def do(self, script: str) -> None:
        """Let others act now, in the words of tests/server/table/driving.py."""
        self._pass_time()
        for word in script.split():
            self.driven.submit(self.driven.input(word))
        self._tell()

    def _pass_time(self) -> None:
        elapsed_ms = int((asyncio.get_running_loop().time() - self._began) * 1000)
        self.driven.wait(max(0, elapsed_ms - self.driven.now_ms))

    def _tell(self) -> None:
        """Tell the pages what has happened."""
        for at_ms, table, events in self.driven.told[self._shown :]:
            self.seq += 1
            for session in self._sessions:
                session.send(Update(self.seq, seen_by(events, self.seat), self._seen(Views(table, at_ms))))
        self._shown = len(self.driven.told)
        self._arm()

    def _arm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        deadline = self.driven.table.deadline_ms
        if deadline is not None and self.conduct == "plays":
            self._timer = asyncio.get_running_loop().call_at(self._began + (deadline + 1) / 1000, self._expire)

    def _expire(self) -> None:
        self._pass_time()
        self._tell()

    # ---------------------------------------------------------------- in the gateway's place

    def connected(self, session: Session) -> None:
        """A connection is open."""

    def disconnected(self, session: Session) -> None:
        """A connection is gone."""
        with contextlib.suppress(ValueError):
            self._sessions.remove(session)

    def received(self, session: Session, frame: bytes) -> None:
        """A frame has come: answer it, later if answers take their time."""
        message = session.codec.decode_from_client(frame)
        self.hellos.append(message) if isinstance(message, Hello) else self.heard.append(message)
        self._news.set()
        if self.delay_ms:
            asyncio.get_running_loop().call_later(self.delay_ms / 1000, self._answer, session, message)
        else:
            self._answer(session, message)

    def _answer(self, session: Session, message: ClientMessage) -> None:
        if isinstance(message, Hello):
            identity = self._tokens.read(message.token)
            session.identity = identity
            session.send(Welcome(identity.player, identity.name, identity.kind, "durak stage", 1, "1.0.0", 5_000))
            session.send(TableState(self.seq, "snapshot", [], 0, self.view()))
            self._sessions.append(session)
        elif isinstance(message, Act | AutoPass) and self.conduct == "plays":
            session.send(self._carry_out(message))
            self._tell()
        elif isinstance(message, Act) and self.conduct == "accepts":
            session.send(Ok(message.cid, TABLE, self.seq))
        elif isinstance(message, Act) and self.conduct == "refuses":
            session.send(Error("stale", cid=message.cid, legal=[], bout=message.bout, epoch=0))

    def _carry_out(self, message: Act | AutoPass) -> Ok | Error:
        player = self.driven.player(0 if self.seat is None else self.seat)
        if isinstance(message, AutoPass):
            given: i.AnyInput = i.SetAutoPass(player, message.cid, message.on)
        else:
            given = i.Play(player, message.cid, message.action, message.bout, message.epoch)
        self._pass_time()
        try:
            self.driven.submit(given)
        except (Refused, IllegalAction) as refusal:
            return error_for(refusal, message.cid, self.driven.table, player)
        return Ok(message.cid, TABLE, self.seq + len(self.driven.told) - self._shown)


@contextlib.asynccontextmanager
async def staging() -> AsyncIterator[Stage]:
    """A stage that is taken down afterwards."""
    stage = Stage()
    await stage.start()
    try:
        yield stage
    finally:
        await stage.stop()
