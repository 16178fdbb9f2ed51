"""`durak serve`: the process around a node: its store, clock and randomness, port, signals, bots and the operator's socket."""

import argparse
import asyncio
import contextlib
import errno
import gc
import ipaddress
import logging
import os
import secrets
import signal
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import segno
from aiohttp import web
from prometheus_client import disable_created_metrics

from durak.protocol import __version__
from durak.protocol.process import logs
from durak.server.edge.http import NoHttp, Web
from durak.server.edge.outbox import CLOSE_TIMEOUT_S
from durak.server.given.clock import LoopClock
from durak.server.given.entropy import SecureEntropy
from durak.server.journal.contract import JournalError
from durak.server.journal.sqlite import SqliteJournal
from durak.server.node import Node, Options, sound
from durak.server.operation import probes, settings
from durak.server.operation.admin.audit import Audit
from durak.server.operation.admin.listener import AdminListener
from durak.server.operation.child import BotHostProcess
from durak.server.operation.health import Health
from durak.server.operation.metrics import Metrics
from durak.server.operation.settings import ConfigError, Settings, choose, settings_of
from durak.server.people.tokens import Identity

logger = logging.getLogger(__name__)

SECRET_KEY = "signing_key"
HOST_TOKEN_FILE = "host-token"


class StartError(Exception):
    """The server can't start; the text is one line that says why and what to do."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options; every one has an environment variable, and its place in a file."""
    settings.add_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Serve until SIGTERM or Ctrl-C. Exit status 0, or 1 with a line on standard error if it can't start."""
    try:
        chosen = settings_of(choose(args, os.environ))
    except ConfigError as error:
        if error.code != "weak_secret":
            args.usage_error(str(error).rstrip("."))
        print(f"durak serve: {error}", file=sys.stderr)
        return 1
    logs.set_up(chosen.log_format, chosen.log_level)
    raise_file_limit()
    logging.getLogger("aiohttp.server").addFilter(NoHttp())
    try:
        with asyncio.Runner(loop_factory=loop_factory()) as runner:
            runner.run(serve(chosen))
    except (StartError, JournalError) as error:
        print(f"durak serve: {error}", file=sys.stderr)
        return 1
    return 0


def raise_file_limit() -> None:
    """Let this process have as many connections as the system allows it; what shells give at first is often 1,024 files."""
    if sys.platform != "win32":
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        with contextlib.suppress(ValueError, OSError):  # macOS refuses "unlimited"; what there is has to do then
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """uvloop where it exists; it does not on Windows."""
    try:
        import uvloop
    except ImportError:
        return None
    factory: Callable[[], asyncio.AbstractEventLoop] = uvloop.new_event_loop
    return factory


async def serve(options: Settings) -> None:
    """Start, serve until told to stop, and stop: what was started last first."""
    # Tables and actions leave nothing to the collector, closed connections do: seldom enough not to be felt, and often enough
    # that a thousand of them are not kept.
    gc.set_threshold(10_000, 10, 10)
    asyncio.get_running_loop().set_exception_handler(tell_exception)
    disable_created_metrics()  # type: ignore[no-untyped-call]  # it ships no types; when a counter was made tells nobody anything
    async with contextlib.AsyncExitStack() as stack:
        journal = await SqliteJournal.open(options.data, synchronous=options.synchronous)
        stack.push_async_callback(journal.close)
        clock, entropy, metrics = LoopClock(), SecureEntropy(), Metrics()
        key = await signing_key(journal, options.secret)
        node = Node(sound(journal, clock, entropy, metrics), Options(server_name(), key, options.max_tables, options.dev))
        metrics.census = lambda: node.census(journal.commits)

        stack.push_async_callback(node.stop)
        recovered = await node.start()
        health = Health(journal, clock, metrics, node.leaving, lambda: node.frozen)
        health.pulse()
        routes = [probes.livez(), probes.readyz(health), *([probes.metrics(metrics)] if options.metrics else ())]
        http = Web(
            node.gateway,
            node.lobby,
            node.tokens,
            clock,
            entropy,
            metrics,
            max_connections=options.max_connections,
            limited=not options.dev,
            more_routes=routes,
        )
        runner = web.AppRunner(http.application(), access_log=None, handle_signals=False, shutdown_timeout=CLOSE_TIMEOUT_S + 2.0)
        await runner.setup()
        stack.push_async_callback(runner.cleanup)
        port = await listen(runner, options.host, options.port)
        addresses = own_addresses(options.host)
        http.origins = {f"http://{address}:{port}" for address in addresses} | set(options.origin)

        admin = AdminListener(node.registry, Audit(journal, clock), metrics, health)
        stack.push_async_callback(admin.stop)
        await admin.start(options.data)

        host_token = node.tokens.make(Identity("host:own", "bot host", "host"))
        write_host_token(options.data, host_token)
        if options.bot_seats:
            bots = bot_host(f"http://{addresses[0]}:{port}", host_token, options)
            bots.start()
            stack.push_async_callback(bots.stop)

        greet(addresses, port, options.data, recovered)
        await told_to_stop()
        logger.info("stopping")
        node.close()


def bot_host(url: str, token: str, options: Settings) -> BotHostProcess:
    """The server's own bots."""
    return BotHostProcess(
        url,
        token,
        seats=options.bot_seats,
        workers=options.bot_workers,
        think_ms=options.bot_think_ms,
        log_format=options.log_format,
    )


def tell_exception(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """An exception that nobody has caught: asyncio's own words would quote it, and it may quote a card."""
    error = context.get("exception")
    logger.error("an exception was never retrieved", exc_info=error if isinstance(error, BaseException) else None)


async def signing_key(journal: SqliteJournal, configured: str | None) -> bytes:
    """The secret that signs tokens: the one that was given, or one made at the first start and kept with the games."""
    if configured is not None:
        return configured.encode()
    secret = await journal.get(SECRET_KEY)
    if secret is None:
        secret = secrets.token_bytes(32)
        await journal.put(SECRET_KEY, secret)
    return secret


def server_name() -> str:
    """Name and version, as told to clients."""
    return f"durak {__version__}"


async def listen(runner: web.AppRunner, host: str, port: int) -> int:
    """Open the port; returns its number."""
    try:
        site = web.TCPSite(runner, host, port, reuse_address=True)
        await site.start()
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise StartError(f"port_in_use: port {port} of {host} is taken. Choose another with --port, or 0 for any.") from None
        raise StartError(
            f"bad_address: can't listen on {host}:{port}: {error.strerror}. Choose another --host or --port."
        ) from None
    address = runner.addresses[0]
    return int(address[1])


def own_addresses(host: str) -> list[str]:
    """The names under which browsers reach this server, the one for its own bots first."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return [host]
    if address.is_unspecified:
        return ["127.0.0.1", "localhost", *lan_addresses()]
    shown = f"[{host}]" if address.version == 6 else host
    return [shown, "localhost"] if address.is_loopback else [shown]


def lan_addresses() -> list[str]:
    """This machine's address in its network; no packet is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return [str(probe.getsockname()[0])]
        except OSError:
            return []


def write_host_token(folder: Path, token: str) -> None:
    """Keep the token for bot hosts on other machines where only the operator reads it."""
    path = folder / HOST_TOKEN_FILE
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(token + "\n")


def greet(addresses: list[str], port: int, data: Path, recovered: int) -> None:
    """Tell the operator where to look."""
    own = f"http://{addresses[0]}:{port}"
    print(f"Durak is served at {own} (Ctrl-C stops it; games are kept in {data})", flush=True)
    if recovered:
        print(f"{recovered} tables go on where they were", flush=True)
    for address in addresses[2:] if "localhost" in addresses else []:
        url = f"http://{address}:{port}"
        print(f"In your network: {url}", flush=True)
        if sys.stdout.isatty():
            segno.make(url, micro=False).terminal(compact=True)


async def told_to_stop() -> None:
    """Wait for SIGTERM or SIGINT."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    await stop.wait()
