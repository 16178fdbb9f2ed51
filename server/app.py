"""`durak serve`: everything is made and wired here, and nowhere else: clock, randomness, store, transport."""

import argparse
import asyncio
import contextlib
import errno
import gc
import importlib.metadata
import ipaddress
import logging
import os
import secrets
import signal
import socket
import sys
from collections.abc import Callable
from pathlib import Path

import segno
from aiohttp import web

from durak.protocol.messages import CloseCode
from durak.server.child import BotHostProcess
from durak.server.clock import LoopClock
from durak.server.desk import Desk
from durak.server.entropy import SecureEntropy
from durak.server.gateway import Gateway
from durak.server.journal.contract import JournalError
from durak.server.journal.directory import default_directory
from durak.server.journal.sqlite import SqliteJournal
from durak.server.lobby import Lobby
from durak.server.options import folder, host_name, number_up_to, one_of, origin
from durak.server.owner import Owner
from durak.server.tokens import Identity, Tokens
from durak.server.web import NoHttp, Web

logger = logging.getLogger(__name__)

SECRET_KEY = "signing_key"
HOST_TOKEN_FILE = "host-token"
BOT_LEVELS = "easy,normal"


class StartError(Exception):
    """The server can't start; the text is one line that says why and what to do."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options; every one has an environment variable."""

    def option(flag: str, variable: str, default: str, kind: Callable[[str], object], help_text: str) -> None:
        value = os.environ.get(variable) or default

        def read(text: str) -> object:
            try:
                return kind(text)
            except ValueError as error:
                source = f" in {variable}" if text is value else ""
                raise argparse.ArgumentTypeError(f"{text!r}{source} {error}") from None

        parser.add_argument(flag, type=read, default=value, help=f"{help_text} (default {default}; or {variable})")

    option("--host", "DURAK_HOST", "127.0.0.1", host_name, "address to listen on; 0.0.0.0 lets others in your network join")
    option("--port", "DURAK_PORT", "8080", number_up_to(65_535), "port, 0 = any free one")
    option("--data", "DURAK_DATA", str(default_directory()), folder, "directory of the games; made if it does not exist")
    option("--bot-seats", "DURAK_BOT_SEATS", "2000", number_up_to(100_000), "seats for the server's own bots, 0 = none")
    option("--max-connections", "DURAK_MAX_CONNECTIONS", "10000", number_up_to(1_000_000), "connections at one time")
    option("--max-tables", "DURAK_MAX_TABLES", "10000", number_up_to(1_000_000), "tables at one time")
    durable = "FULL survives a power loss, NORMAL only a crash of the process"
    option("--synchronous", "DURAK_SYNCHRONOUS", "FULL", one_of("FULL", "NORMAL"), durable)
    parser.add_argument(
        "--origin",
        action="append",
        type=origin,
        default=None,
        metavar="URL",
        help="also accept browsers from this origin, e.g. https://durak.example",
    )
    parser.add_argument("--dev", action="store_true", help="for developing bots: no rate limits, bots may be as fast as they like")


def run(args: argparse.Namespace) -> int:
    """Serve until SIGTERM or Ctrl-C. Exit status 0, or 1 with a line on standard error if it can't start."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s", stream=sys.stderr)
    logging.getLogger("aiohttp.server").addFilter(NoHttp())
    try:
        with asyncio.Runner(loop_factory=loop_factory()) as runner:
            runner.run(serve(args))
    except (StartError, JournalError) as error:
        print(f"durak serve: {error}", file=sys.stderr)
        return 1
    return 0


def loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """uvloop where it exists; it does not on Windows."""
    try:
        import uvloop
    except ImportError:
        return None
    factory: Callable[[], asyncio.AbstractEventLoop] = uvloop.new_event_loop
    return factory


async def serve(args: argparse.Namespace) -> None:
    """Start, serve until told to stop, shut down in order."""
    # A step replaces a table by its copy, which reference counting frees; the collector would look for cycles all the time.
    gc.set_threshold(50_000, 20, 50)
    clock, entropy = LoopClock(), SecureEntropy()
    journal = await SqliteJournal.open(args.data, synchronous=args.synchronous)
    async with contextlib.AsyncExitStack() as stack:
        stack.push_async_callback(journal.close)
        tokens = Tokens(await signing_key(journal))
        lobby, desk = Lobby(clock), Desk(tokens, clock)
        gateway = Gateway(lobby, desk, tokens, clock, entropy, server=server_name(), dev=args.dev)
        owner = Owner(journal, clock, entropy, gateway, max_tables=args.max_tables)
        gateway.owner = owner
        stack.push_async_callback(owner.stop)
        recovered = await owner.recover()
        gateway.recovered()
        http = Web(gateway, lobby, tokens, clock, entropy, max_connections=args.max_connections, limited=not args.dev)
        runner = web.AppRunner(http.application(), access_log=None, handle_signals=False, shutdown_timeout=3.0)
        await runner.setup()
        stack.push_async_callback(runner.cleanup)
        port = await listen(runner, args.host, args.port)
        addresses = own_addresses(args.host)
        http.origins = {f"http://{address}:{port}" for address in addresses} | set(args.origin or ())
        host_token = tokens.make(Identity("host:own", "bot host", "host"))
        write_host_token(args.data, host_token)
        if args.bot_seats:
            bots = BotHostProcess(f"http://{addresses[0]}:{port}", host_token, BOT_LEVELS, args.bot_seats)
            bots.start()
            stack.push_async_callback(bots.stop)
        owner.watch_for_idle()
        gateway.beat()
        greet(addresses, port, args, recovered)
        await told_to_stop()
        logger.info("stopping")
        gateway.close_all(CloseCode.RESTARTING, "restarting")


async def signing_key(journal: SqliteJournal) -> bytes:
    """The secret that signs tokens: DURAK_SECRET, or one made at the first start and kept with the games."""
    given = os.environ.get("DURAK_SECRET")
    if given is not None:
        if len(given) < 16:
            raise StartError("weak_secret: DURAK_SECRET has fewer than 16 characters. Choose a longer one, or unset it.")
        return given.encode()
    kept = await journal.get(SECRET_KEY)
    if kept is None:
        kept = secrets.token_bytes(32)
        await journal.put(SECRET_KEY, kept)
    return kept


def server_name() -> str:
    """Name and version, as told to clients."""
    return f"durak {importlib.metadata.version('durak')}"


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


def greet(addresses: list[str], port: int, args: argparse.Namespace, recovered: int) -> None:
    """Tell the operator where to look."""
    own = f"http://{addresses[0]}:{port}"
    print(f"Durak is served at {own} (Ctrl-C stops it; games are kept in {args.data})", flush=True)
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
