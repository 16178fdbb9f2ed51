"""A server whose one table stands wherever the test wants: the page's files, and a WebSocket that speaks the protocol."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.resources
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, Literal

from aiohttp import web
from msgspec.structs import replace

from durak.protocol.codec import JSON
from durak.protocol.messages import (
    SUBPROTOCOL_JSON,
    Act,
    AutoPass,
    ClientMessage,
    Error,
    Hello,
    Ok,
    ServerMessage,
    TableState,
    TableView,
    Update,
    ViewChange,
    Welcome,
)
from durak.protocol.rules.errors import IllegalAction
from durak.server.edge.http import SECURITY_HEADERS
from durak.server.edge.refusals import error_for
from durak.server.live.outcome import refused_as
from durak.server.table import inputs as i
from durak.server.table.chairs import Refused
from durak.server.table.view import Views, seen_by
from tests.server.table.driving import Driven, position
from tests.system.web.person import Guest

TABLE = "STAGE1"
CLIENTS = Path(str(importlib.resources.files("durak.clients")))
PAGE = CLIENTS / "web"
Conduct = Literal["is silent", "accepts", "refuses", "plays"]


class Stage:
    """Shows one seat of a table to every page that connects, and notes what the pages send.

    `heard`: every message but the hellos, which are in `hellos`. `conduct`: what becomes of actions; where it "plays", time passes
    for the table. `delay_ms`: how long an answer takes. While `closing` nobody gets in.
    """

    guest = Guest("Katya", "a token of Katya")

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
        self._changes: dict[str, Any] = {}
        self._sockets: dict[web.WebSocketResponse, asyncio.Queue[ServerMessage]] = {}
        self._news = asyncio.Event()
        self._scenes = 0
        self._shown = 0
        self._began = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._runner: web.AppRunner

    # ---------------------------------------------------------------- serving

    async def start(self) -> None:
        """Serve the page."""
        app = web.Application()
        app.on_response_prepare.append(self._protect)
        app.add_routes([web.get("/", self._page), web.get("/t/{table}", self._page), web.get("/ws", self._socket)])
        app.add_routes([web.get("/api/tables", self._no_tables), web.static("/words", CLIENTS / "words"), web.static("/", PAGE)])
        self._runner = web.AppRunner(app, access_log=None, handle_signals=False, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"

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
                protocol.transport.abort()
        self._sockets.clear()

    @contextlib.contextmanager
    def unreachable(self) -> Iterator[None]:
        """Cut every connection, and take no new one inside: a page may find back sooner than anybody can look."""
        self.closing = True
        self.drop()
        yield
        self.closing = False

    async def _protect(self, request: web.Request, response: web.StreamResponse) -> None:
        response.headers.update(SECURITY_HEADERS)

    async def _page(self, request: web.Request) -> web.FileResponse:
        return web.FileResponse(PAGE / "index.html")

    async def _no_tables(self, request: web.Request) -> web.Response:
        return web.json_response({"t": "lobby", "full": True, "tables": []})

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        if self.closing:
            return web.Response(status=503)
        socket = web.WebSocketResponse(protocols=(SUBPROTOCOL_JSON,))
        await socket.prepare(request)
        outbox: asyncio.Queue[ServerMessage] = asyncio.Queue()
        writer = asyncio.create_task(self._write(socket, outbox))
        try:
            async for frame in socket:
                message = JSON.decode_from_client(frame.data.encode())
                self.hellos.append(message) if isinstance(message, Hello) else self.heard.append(message)
                self._news.set()
                if self.delay_ms:
                    asyncio.get_running_loop().call_later(self.delay_ms / 1000, self._answer, socket, outbox, message)
                else:
                    self._answer(socket, outbox, message)
        finally:
            self._sockets.pop(socket, None)
            writer.cancel()
        return socket

    async def _write(self, socket: web.WebSocketResponse, outbox: asyncio.Queue[ServerMessage]) -> None:
        with contextlib.suppress(ConnectionError):
            while True:
                await socket.send_str(JSON.encode(await outbox.get()).decode())

    def _send(self, message: ServerMessage) -> None:
        """To every page."""
        for outbox in self._sockets.values():
            outbox.put_nowait(message)

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
        self._send(Update(self.seq, [], ViewChange.to(self.view())))
        return self.title

    @property
    def player(self) -> str | None:
        """Whose eyes the pages have: whoever sits in the seat, also after leaving."""
        return next(
            (one.player for _, one in self.driven.table.occupants() if one.seat == self.seat and self.seat is not None), None
        )

    def view(self) -> TableView:
        """What the pages are shown now."""
        if self.conduct == "plays":
            self._pass_time()
        return self._seen(Views(self.driven.table, self.driven.now_ms))

    def _seen(self, views: Views) -> TableView:
        view = views.of(self.player)
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
            self._send(Update(self.seq, seen_by(events, self.seat), ViewChange.to(self._seen(Views(table, at_ms)))))
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

    # ---------------------------------------------------------------- answering

    def _answer(self, socket: web.WebSocketResponse, outbox: asyncio.Queue[ServerMessage], message: ClientMessage) -> None:
        if isinstance(message, Hello):
            outbox.put_nowait(Welcome("guest:katya", self.guest.name, "person", "durak stage", 1, "1.0.0", 5_000))
            outbox.put_nowait(TableState(self.seq, "snapshot", [], 0, self.view()))
            self._sockets[socket] = outbox
        elif isinstance(message, Act | AutoPass) and self.conduct == "plays":
            outbox.put_nowait(self._carry_out(message))
            self._tell()
        elif isinstance(message, Act) and self.conduct == "accepts":
            outbox.put_nowait(Ok(message.cid, TABLE, self.seq))
        elif isinstance(message, Act) and self.conduct == "refuses":
            outbox.put_nowait(Error("stale", cid=message.cid, legal=[], bout=message.bout, epoch=0))

    def _carry_out(self, message: Act | AutoPass) -> Ok | Error:
        player = self.player or "spectator"
        if isinstance(message, AutoPass):
            given: i.AnyInput = i.SetAutoPass(player, message.cid, message.on)
        else:
            given = i.Play(player, message.cid, message.action, message.bout, message.epoch)
        self._pass_time()
        try:
            self.driven.submit(given)
        except (Refused, IllegalAction) as refusal:
            return error_for(refused_as(refusal, self.driven.table, player), message.cid)
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
