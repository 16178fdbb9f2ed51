"""The admin socket of a running server: HTTP with JSON, also for `curl --unix-socket`."""

import asyncio
import logging
import socket
import struct
from pathlib import Path

import msgspec
from aiohttp import web

from durak.server.edge.http import coded, readiness
from durak.server.given.clock import Clock
from durak.server.journal.contract import JournalError
from durak.server.live.registry import Owner
from durak.server.live.table import Accepted, Frozen, LiveTable, Refusal
from durak.server.operation.admin.audit import Audit
from durak.server.operation.admin.inspection import inspected, line_of
from durak.server.operation.admin.place import SOCKET, NoAdminSocket, listening
from durak.server.operation.health import Health
from durak.server.operation.metrics import CONTENT_TYPE, Metrics
from durak.server.table.chairs import Refused
from durak.server.table.inputs import Void
from durak.server.table.machine import Table
from durak.server.viewers.audience import Audience

logger = logging.getLogger(__name__)


class AdminListener:
    """Answers whoever can open the socket; everything that changes something is audited."""

    def __init__(self, owner: Owner, audience: Audience, audit: Audit, metrics: Metrics, health: Health, clock: Clock) -> None:
        self._owner = owner
        self._audience = audience
        self._audit = audit
        self._metrics = metrics
        self._health = health
        self._clock = clock
        self._runner: web.AppRunner | None = None
        self._server: asyncio.Server | None = None
        self._socket: Path | None = None

    async def start(self, directory: Path) -> None:
        """Listen in the data directory. Where that can't be, it is told in the log: the games go on without."""
        app = web.Application(client_max_size=4096)
        app.add_routes(
            [
                web.get("/metrics", self._all_metrics),
                web.get("/readyz", self._readyz),
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

    async def _all_metrics(self, request: web.Request) -> web.Response:
        return web.Response(body=self._metrics.text(), headers={"Content-Type": CONTENT_TYPE})

    async def _readyz(self, request: web.Request) -> web.Response:
        return await readiness(self._health)

    async def _all_done(self, request: web.Request) -> web.Response:
        try:
            return web.json_response(msgspec.to_builtins(await self._audit.all()))
        except JournalError as error:
            return coded(503, error.code, error.hint)

    async def _list(self, request: web.Request) -> web.Response:
        return web.json_response([line_of(live, self._audience.watchers(live.table)) for live in self._owner.tables.values()])

    async def _inspect(self, request: web.Request) -> web.Response:
        live = self._named(request)
        if live is None:
            return no_such_table()
        return web.json_response(inspected(live, self._clock.now_ms(), self._audience.watchers(live.table)))

    def _named(self, request: web.Request) -> LiveTable | None:
        return self._owner.find(request.match_info["table"].upper())

    # ---------------------------------------------------------------- acting

    async def _drain(self, request: web.Request) -> web.Response:
        self._owner.draining = request.path == "/drain"
        await self._audit.note(request.path[1:], "ok", None, uid_of(request))
        return web.json_response({"draining": self._owner.draining, "tables": len(self._owner.tables)})

    async def _freeze(self, request: web.Request) -> web.Response:
        live = self._named(request)
        if live is None:
            return no_such_table()
        live.freeze()
        await self._audit.note("freeze", "ok", live.table.id, uid_of(request))
        return web.json_response({"table": live.table.id, "status": "frozen"})

    async def _void(self, request: web.Request) -> web.Response:
        live = self._named(request)
        if live is None:
            return no_such_table()
        done: asyncio.Future[Accepted | Refusal] = asyncio.get_running_loop().create_future()

        def reply(outcome: Accepted | Refusal, table: Table) -> None:
            if not done.done():
                done.set_result(outcome)

        live.submit(Void(), reply)
        outcome = await done
        refusal = None if isinstance(outcome, Accepted) else refusal_of(outcome)
        code = "ok" if refusal is None else refusal[1]
        await self._audit.note("void", code, live.table.id, uid_of(request))
        return web.json_response({"table": live.table.id, "seq": live.table.seq}) if refusal is None else coded(*refusal)


def refusal_of(outcome: Refusal) -> tuple[int, str, str]:
    """Status, code and hint for a refused void."""
    if isinstance(outcome, JournalError):
        return 503, outcome.code, outcome.hint
    if isinstance(outcome, Frozen):
        return 409, "frozen", "A frozen table takes no more inputs; a restart of the server may thaw it"
    code = outcome.code if isinstance(outcome, Refused) else outcome.reason.code
    return 409, code, "No game is being played at this table"


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
