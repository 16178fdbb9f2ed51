"""`durak bots`: the options, and a bot host from start to stop."""

import argparse
import asyncio
import os
import random
import signal
import sys
import threading
from pathlib import Path
from typing import Final

from durak.bots.bot import BOTS, LEVELS, BadBudget, Budget, NoSuchBot, bot_named
from durak.bots.host.host import BotHost
from durak.bots.host.workers import MOST_THINK_MS, MOST_WORKERS, THINK_MS, Workers, cores
from durak.clients.link import LinkError
from durak.protocol.process import logs

DEFAULT_SERVER: Final = "http://127.0.0.1:8080"
DEFAULT_SEATS: Final = 400
TOKEN_VARIABLE: Final = "DURAK_HOST_TOKEN"

EPILOG = f"""\
The server decides who sits where; a bot gets what a person in its seat would get, and no more. Several hosts may serve one
server. When the connection is lost, host and seats come back by themselves.

'durak serve' runs one of these by itself. For one on another machine, ask the server's operator for a host token:
  durak bots --server https://durak.example.org --token host-token.txt --levels normal --seats 200
  {TOKEN_VARIABLE}=… durak bots
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `durak bots`."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EPILOG
    parser.add_argument("--server", metavar="URL", default=DEFAULT_SERVER, help="the server to play at (default: %(default)s)")
    parser.add_argument(
        "--levels", metavar="LEVEL,…", default=",".join(LEVELS), help="levels to offer, of: easy, normal, hard (default: all)"
    )
    parser.add_argument(
        "--seats", metavar="N", type=int, default=DEFAULT_SEATS, help="how many seats to play at most (default: %(default)s)"
    )
    parser.add_argument(
        "--workers",
        metavar="N",
        type=int,
        default=cores(),
        help="processes in which hard bots think (default: one a core, %(default)s)",
    )
    parser.add_argument(
        "--think-ms",
        metavar="MS",
        type=float,
        default=THINK_MS,
        help=f"what a hard bot may think about a decision, up to {MOST_THINK_MS} ms; less while many do (default: %(default).0f)",
    )
    parser.add_argument(
        "--token", metavar="FILE", type=Path, help=f"file with the host token (default: the variable {TOKEN_VARIABLE})"
    )
    parser.add_argument(
        "--until-stdin-closes",
        action="store_true",
        help="stop at the end of standard input: with the process that started this one",
    )


def run(args: argparse.Namespace) -> int:
    """Play until SIGTERM or SIGINT, then return 0; 1 if the server does not want this host."""
    levels = [level.strip() for level in args.levels.split(",") if level.strip()]
    for level in levels:
        if level not in LEVELS:
            args.usage_error(str(NoSuchBot(level)))
    if not levels:
        args.usage_error(f"--levels needs at least one of {', '.join(LEVELS)}")
    if not 1 <= args.seats <= 100_000:
        args.usage_error("--seats is a number from 1 to 100000")
    if not 1 <= args.workers <= MOST_WORKERS:
        args.usage_error(f"--workers is a number from 1 to {MOST_WORKERS}; without hard among --levels there are none")
    try:
        Budget(ms=args.think_ms)
    except BadBudget as bad:
        args.usage_error(f"--think-ms: {bad}")
    if args.think_ms > MOST_THINK_MS:
        args.usage_error(f"--think-ms is at most {MOST_THINK_MS}")
    token = args.token.read_text().strip() if args.token else os.environ.get(TOKEN_VARIABLE, "").strip()
    if not token:
        args.usage_error(f"a host token is needed, in a file (--token FILE) or in the variable {TOKEN_VARIABLE}")
    logs.set_up(os.environ.get("DURAK_LOG_FORMAT") or "text", text="durak bots: %(message)s")
    thinkers = {level: Workers(BOTS[level], args.workers, args.think_ms) for level in levels if not bot_named(level).cheap}
    try:
        host = BotHost(args.server, token, list(dict.fromkeys(levels)), args.seats, random.Random(), thinkers=thinkers)
        with asyncio.Runner(loop_factory=_loop_factory()) as runner:
            runner.run(_until_stopped(host, args.until_stdin_closes))
    except KeyboardInterrupt:  # where there are no signal handlers
        pass
    except LinkError as error:
        print(f"durak bots: {error}", file=sys.stderr)
        return 1
    return 0


async def _until_stopped(host: BotHost, until_stdin_closes: bool) -> None:
    """Run the host until a signal, or until standard input ends."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        try:
            loop.add_signal_handler(number, stop.set)
        except NotImplementedError:  # Windows
            pass
    if until_stdin_closes:
        threading.Thread(target=_read_to_the_end, args=(loop, stop), daemon=True).start()
    tasks = [asyncio.create_task(host.run()), asyncio.create_task(stop.wait())]
    done, waiting = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    for task in done:
        task.result()


def _read_to_the_end(loop: asyncio.AbstractEventLoop, stop: asyncio.Event) -> None:
    """In a thread of its own, since whatever standard input is, reading it may wait."""
    try:
        while os.read(0, 4096):
            pass
    except OSError:
        pass
    try:
        loop.call_soon_threadsafe(stop.set)
    except RuntimeError:  # the loop has ended by itself
        pass


def _loop_factory() -> "type[asyncio.AbstractEventLoop] | None":
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.Loop
