"""HTTP: the web client, guests, the list of tables, the schema, and the WebSocket endpoint. One port for all."""

import asyncio
import importlib.resources
import io
import logging
import mimetypes
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import segno
from aiohttp import WSMsgType, web
from aiohttp.http_exceptions import HttpProcessingError

from durak.protocol.codec import CODECS, JSON
from durak.protocol.messages import LobbyState
from durak.protocol.schema import asyncapi, json_schema
from durak.server.edge.connection import Connection
from durak.server.edge.gateway import Gateway
from durak.server.edge.limits import GUEST_BURST, GUESTS_PER_S, Bucket, BucketPerKey, frame_bucket
from durak.server.edge.outbox import Outbox
from durak.server.given.clock import Clock
from durak.server.given.entropy import Entropy
from durak.server.given.meter import Meter
from durak.server.lobby.listing import Lobby
from durak.server.people.names import MAX_NAME, checked_name
from durak.server.people.tokens import Identity, Tokens

MAX_SOCKET_MESSAGE = 64 * 1024
"""Larger frames close the socket with 1009; frames over protocol.messages.MAX_FRAME_BYTES get a coded error."""
PING_EVERY_S = 10.0
FRAMES_AT_ONCE = 16
"""Frames of one connection that are handled before others have their turn."""
MAX_QR_TEXT = 300

SECURITY_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-cache",
}


def coded(status: int, code: str, hint: str, headers: dict[str, str] | None = None) -> web.Response:
    """A refusal: a stable code, and what to do."""
    return web.json_response({"error": code, "hint": hint}, status=status, headers=headers)


def client_folders() -> tuple[Path, Path]:
    """Where the files of the web client lie, and where the words of all clients do."""
    clients = importlib.resources.files("durak.clients")
    return Path(str(clients / "web")), Path(str(clients / "words"))


class NoHttp(logging.Filter):
    """Keeps aiohttp from logging tracebacks of requests that are no HTTP: their sender got a 400, and nobody else needs to know."""

    def filter(self, record: logging.LogRecord) -> bool:
        """False for such a record."""
        return not (record.exc_info and isinstance(record.exc_info[1], HttpProcessingError | web.RequestPayloadError))


class Web:
    """The HTTP application around a gateway."""

    def __init__(
        self,
        gateway: Gateway,
        lobby: Lobby,
        tokens: Tokens,
        clock: Clock,
        entropy: Entropy,
        meter: Meter,
        *,
        max_connections: int,
        limited: bool,
        more_routes: Sequence[web.RouteDef],
    ) -> None:
        self.origins: set[str] = set()
        """Exact origins that browsers may connect from; filled when the port is known."""
        self._gateway = gateway
        self._lobby = lobby
        self._tokens = tokens
        self._clock = clock
        self._entropy = entropy
        self._meter = meter
        self._more_routes = more_routes
        self._max_connections = max_connections
        self._limited = limited
        self._connections = 0
        self._guests = BucketPerKey(lambda: Bucket(GUESTS_PER_S, GUEST_BURST))
        self._folder, self._words = client_folders()

    def application(self) -> web.Application:
        """The routes."""
        mimetypes.add_type("text/javascript", ".js")
        app = web.Application(middlewares=[self._protect], client_max_size=4096)
        app.add_routes(
            [
                web.get("/", self._page),
                web.get("/t/{table}", self._page),
                web.get("/ws", self._socket),
                *self._more_routes,
                web.post("/api/guest", self._guest),
                web.get("/api/tables", self._tables),
                web.get("/api/schema.json", self._schema),
                web.get("/api/asyncapi.json", self._asyncapi),
                web.get("/api/qr", self._qr),
                web.get("/words/{language:[a-z]+}.json", self._language),
                web.get("/{path:(?!api/).+}", self._file),
            ]
        )
        return app

    @web.middleware
    async def _protect(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        try:
            response = await handler(request)
        except web.HTTPNotFound:
            return coded(404, "not_found", "The web client is at /, its tables at /t/CODE")
        except web.HTTPMethodNotAllowed as error:
            return coded(405, "method_not_allowed", f"Use {', '.join(sorted(error.allowed_methods))}")
        except web.HTTPRequestEntityTooLarge:
            return coded(413, "too_large", "A request holds at most 4096 bytes")
        if not response.prepared:
            response.headers.update(SECURITY_HEADERS)
        return response

    # ---------------------------------------------------------------- pages and small answers

    async def _page(self, request: web.Request) -> web.StreamResponse:
        index = self._folder / "index.html"
        if not index.is_file():
            return coded(404, "no_web_client", "This installation is without the web client; use 'durak play'")
        return web.FileResponse(index)

    async def _file(self, request: web.Request) -> web.FileResponse:
        """A file of the web client, and no other."""
        try:
            path = (self._folder / request.match_info["path"]).resolve()
            found = path.is_relative_to(self._folder.resolve()) and path.is_file()
        except (OSError, ValueError):  # no name that a file can have
            found = False
        if not found:
            raise web.HTTPNotFound
        return web.FileResponse(path)

    async def _language(self, request: web.Request) -> web.FileResponse:
        """What is said in a language."""
        path = self._words / f"{request.match_info['language']}.json"
        if not path.is_file():
            raise web.HTTPNotFound
        return web.FileResponse(path)

    async def _tables(self, request: web.Request) -> web.Response:
        return web.Response(body=JSON.encode(LobbyState(full=True, tables=self._lobby.all())), content_type="application/json")

    async def _schema(self, request: web.Request) -> web.Response:
        return web.json_response(json_schema())

    async def _asyncapi(self, request: web.Request) -> web.Response:
        return web.json_response(asyncapi())

    async def _qr(self, request: web.Request) -> web.Response:
        text = request.query.get("text", "")
        if not 1 <= len(text) <= MAX_QR_TEXT:
            return coded(400, "bad_text", f"Give ?text= with 1 to {MAX_QR_TEXT} characters")
        image = io.BytesIO()
        segno.make(text, error="m", micro=False).save(
            image, kind="svg", xmldecl=False, svgns=True, scale=4, border=3, omitsize=True
        )
        return web.Response(body=image.getvalue(), content_type="image/svg+xml")

    async def _guest(self, request: web.Request) -> web.Response:
        """A guest's token for a name."""
        wait_ms = self._guests.wait_ms(self._address(request), self._clock.now_ms()) if self._limited else 0
        if wait_ms:
            self._meter.limited("guest")
            return coded(429, "rate_limited", "Wait a moment", {"Retry-After": str(-(-wait_ms // 1_000))})
        try:
            asked: Any = msgspec.json.decode(await request.read())
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return coded(400, "bad_json", 'Send {"name": "..."}')
        name = checked_name(asked.get("name") if isinstance(asked, dict) else None)
        if name is None:
            return coded(400, "bad_name", f"A name has 1 to {MAX_NAME} visible characters")
        identity = Identity(f"guest:{self._entropy.player_id()}", name)
        return web.json_response({"token": self._tokens.make(identity), "player": identity.player, "name": name})

    def _address(self, request: web.Request) -> str:
        return request.remote or "?"

    # ---------------------------------------------------------------- the WebSocket

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        origin = request.headers.get("Origin")
        if origin is not None and origin not in self.origins:
            return coded(403, "bad_origin", f"Pages from {origin[:100]} may not connect; the operator allows them with --origin")
        asked = [word.strip() for word in request.headers.get("Sec-WebSocket-Protocol", "").split(",")]
        chosen = next((CODECS[name] for name in asked if name in CODECS), None)
        if chosen is None:
            return coded(400, "subprotocol_needed", f"Ask for one of the subprotocols {', '.join(CODECS)}")
        if self._connections >= self._max_connections or self._gateway.closing:
            return coded(503, "server_full", "Try again in a while", {"Retry-After": "5"})
        socket = web.WebSocketResponse(
            protocols=(chosen.subprotocol,),
            heartbeat=PING_EVERY_S,
            autoclose=False,
            max_msg_size=MAX_SOCKET_MESSAGE,
            compress=False,
        )
        try:
            await socket.prepare(request)
        except web.HTTPException:
            return coded(400, "websocket_needed", "This address speaks WebSocket")
        transport = request.transport
        outbox = Outbox(socket, transport, binary=chosen.binary, meter=self._meter)
        bucket = frame_bucket() if self._limited else None
        connection = Connection(outbox, chosen, bucket, self._meter)
        self._connections += 1
        self._gateway.connected(connection)
        try:
            handled = 0
            async for message in socket:
                handled += 1
                if handled % FRAMES_AT_ONCE == 0:
                    await asyncio.sleep(0)  # others have their turn, and the answers can leave
                if outbox.closing:
                    continue
                if message.type is WSMsgType.TEXT:
                    self._gateway.received(connection, message.data.encode())
                elif message.type is WSMsgType.BINARY:
                    self._gateway.received(connection, message.data)
        finally:
            self._connections -= 1
            try:
                self._gateway.disconnected(connection)
            finally:
                await outbox.ended()
        return socket
