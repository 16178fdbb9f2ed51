"""The admin socket of a running server: HTTP with JSON, also for `curl --unix-socket`."""

import asyncio
import logging
import socket
import struct
from pathlib import Path

import msgspec
from aiohttp import web

from durak.server.journal.contract import JournalError
from durak.server.live.inspection import line_of
from durak.server.live.outcome import Accepted, Frozen, Illegal, Internal, Outcome, Refusal
from durak.server.live.registry import Registry
from durak.server.operation import probes
from durak.server.operation.admin.audit import Audit
from durak.server.operation.admin.place import SOCKET, NoAdminSocket, listening
from durak.server.operation.health import Health
from durak.server.operation.metrics import Metrics
from durak.server.table.inputs import Void

logger = logging.getLogger(__name__)


class AdminListener:
    """Answers whoever can open the socket; everything that changes something is audited."""

    def __init__(self, registry: Registry, audit: Audit, metrics: Metrics, health: Health) -> None:
        self._registry = registry
        self._audit = audit
        self._metrics = metrics
        self._health = health
        self._runner: web.AppRunner | None = None
        self._server: asyncio.Server | None = None
        self._socket: Path | None = None

    async def start(self, directory: Path) -> None:
        """Listen in the data directory. Where that can't be, it is told in the log: the games go on without."""
        app = web.Application(client_max_size=4096)
        app.add_routes(
            [
                probes.metrics(self._metrics),
                probes.readyz(self._health),
                web.get("/audit", self._all_done),
                web.get("/tables", self._list),
                web.get("/tables/{table}", self._inspect),
                web.post("/drain", self._drain),
                web.post("/undrain", self._drain),
                web.post("/tables/{table}/freeze", self._freeze),
                web.post("/tables/{table}/void", self._void),
            ]
        )
        self._runner = web.AppRunner(app, access_log=None, handle_signals=False, shutdown_timeout=1.0)
        await self._runner.setup()
        assert self._runner.server is not None
        try:
            listens = listening(directory)
            self._socket = directory / SOCKET
            self._server = await asyncio.get_running_loop().create_unix_server(self._runner.server, sock=listens)
        except (NoAdminSocket, NotImplementedError, OSError) as error:
            logger.warning("there is no admin socket: %s", error)

    async def stop(self) -> None:
        """Answer no more."""
        if self._server is not None:
            self._server.close()
        if self._runner is not None:
            await self._runner.cleanup()
        if self._socket is not None:
            self._socket.unlink(missing_ok=True)

    # ---------------------------------------------------------------- looking

    async def _all_done(self, request: web.Request) -> web.Response:
        try:
            return web.json_response(msgspec.to_builtins(await self._audit.all()))
        except JournalError as error:
            return coded(503, error.code, error.hint)

    async def _list(self, request: web.Request) -> web.Response:
        return web.json_response([line_of(summary) for summary in self._registry.summaries()])

    async def _inspect(self, request: web.Request) -> web.Response:
        inspection = self._registry.inspect(named_in(request))
        return no_such_table() if inspection is None else web.json_response(inspection)

    # ---------------------------------------------------------------- acting

    async def _drain(self, request: web.Request) -> web.Response:
        self._registry.draining = request.path == "/drain"
        await self._audit.note(request.path[1:], "ok", None, uid_of(request))
        return web.json_response({"draining": self._registry.draining, "tables": len(self._registry)})

    async def _freeze(self, request: web.Request) -> web.Response:
        table = named_in(request)
        if not self._registry.freeze(table):
            return no_such_table()
        await self._audit.note("freeze", "ok", table, uid_of(request))
        return web.json_response({"table": table, "status": "frozen"})

    async def _void(self, request: web.Request) -> web.Response:
        port = self._registry.find(named_in(request))
        if port is None:
            return no_such_table()
        done: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()

        def reply(outcome: Outcome) -> None:
            if not done.done():
                done.set_result(outcome)

        port.submit(Void(), reply)
        outcome = await done
        if isinstance(outcome, Accepted):
            await self._audit.note("void", "ok", port.id, uid_of(request))
            return web.json_response({"table": port.id, "seq": outcome.seq})
        status, code, hint = refusal_of(outcome)
        await self._audit.note("void", code, port.id, uid_of(request))
        return coded(status, code, hint)


def coded(status: int, code: str, hint: str) -> web.Response:
    """A refusal: a stable code, and what to do."""
    return web.json_response({"error": code, "hint": hint}, status=status)


def named_in(request: web.Request) -> str:
    """The table that the address names."""
    return request.match_info["table"].upper()


def refusal_of(outcome: Refusal) -> tuple[int, str, str]:
    """Status, code and hint for a refused void."""
    match outcome:
        case JournalError():
            return 503, outcome.code, outcome.hint
        case Frozen():
            return 409, "frozen", "A frozen table takes no more inputs; a restart of the server may thaw it"
        case Internal():
            return 500, "internal", "That is a bug in the server; its log says where"
        case Illegal():
            return 409, outcome.reason.code, "No game is being played at this table"
        case _:
            return 409, outcome.code, "No game is being played at this table"


def no_such_table() -> web.Response:
    """404."""
    return coded(404, "no_such_table", "'durak admin list' lists the tables")


def uid_of(request: web.Request) -> int | None:
    """The user at the other end, where the system tells."""
    end = None if request.transport is None else request.transport.get_extra_info("socket")
    if end is None or not hasattr(socket, "SO_PEERCRED"):
        return None
    try:
        _, uid, _ = struct.unpack("3i", end.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i")))
    except (OSError, TypeError, struct.error):
        return None
    return int(uid)
