"""`durak bots`: offers computer players to a server, and plays the seats it is given, each over a connection of its own.

All seats live on one event loop, and only bots whose decisions are `cheap` may think on it. A level that thinks longer does so in
worker processes (workers.py), and where it has no decision in time, `STAND_IN` decides.
"""

import argparse
import asyncio
import contextlib
import logging
import os
import random
import signal
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from durak.bots.bot import BOTS, LEVELS, BadBudget, Bot, Budget, NoSuchBot, bot_named
from durak.bots.host.seat import SeatPlayer
from durak.bots.host.workers import MOST_THINK_MS, MOST_WORKERS, THINK_MS, Workers, cores
from durak.clients.link import Dial, Link, LinkError, Refused, dial
from durak.protocol.messages import Host, Level, SeatOffer, Welcome
from durak.protocol.process import logs

logger = logging.getLogger(__name__)

DEFAULT_SERVER: Final = "http://127.0.0.1:8080"
DEFAULT_SEATS: Final = 400
TOKEN_VARIABLE: Final = "DURAK_HOST_TOKEN"
OPENING_AT_ONCE: Final = 32
STAND_IN: Final = "normal"
"""Decides where a bot that thinks in a worker has no decision in time."""

EPILOG = f"""\
The server decides who sits where; a bot gets what a person in its seat would get, and no more. Several hosts may serve one
server. When the connection is lost, host and seats come back by themselves.

'durak serve' runs one of these by itself. For one on another machine, ask the server's operator for a host token:
  durak bots --server https://durak.example.org --token host-token.txt --levels normal --seats 200
  {TOKEN_VARIABLE}=… durak bots
"""


class BotHost:
    """Offers `seats` seats at these levels, and plays what it is given.

    `thinkers`: the workers of the levels whose bots are not cheap. They live as long as `run`.
    """

    def __init__(
        self,
        url: str,
        token: str,
        levels: Sequence[Level],
        seats: int,
        rng: random.Random,
        dial: Dial = dial,
        thinkers: Mapping[str, Workers] | None = None,
    ) -> None:
        self._url = url
        self._levels = list(levels)
        self._capacity = seats
        self._rng = rng
        self._dial = dial
        self._thinkers = thinkers or {}
        self._bots: dict[str, Bot] = {level: bot_named(STAND_IN if level in self._thinkers else level) for level in levels}
        assert all(bot.cheap for bot in self._bots.values())
        self._link = Link(url, token, patient=True, rng=rng, dial=dial, on_connection=self._tell)
        self._lost: str | None = None  # why the connection is lost, so that each reason is told once
        self._connection = 0
        self._playing: dict[asyncio.Task[None], int] = {}  # seat -> number of the host's connection it was offered on
        self._tokens: set[str] = set()
        self._offer_again = asyncio.Event()
        self._opening = asyncio.Semaphore(OPENING_AT_ONCE)

    @property
    def seats(self) -> int:
        """How many seats are played now."""
        return len(self._playing)

    async def run(self) -> None:
        """Play until cancelled. Raises `LinkError` if the server does not want this host."""
        async with contextlib.AsyncExitStack() as stack:
            for workers in self._thinkers.values():
                await stack.enter_async_context(workers)
            try:
                await self._serve()
            finally:
                for task in self._playing:
                    task.cancel()
                await asyncio.gather(*self._playing, return_exceptions=True)

    async def _serve(self) -> None:
        async with self._link:
            offering = asyncio.create_task(self._offer())
            reading = asyncio.create_task(self._read())
            try:
                done, _ = await asyncio.wait((offering, reading), return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()
            finally:
                offering.cancel()
                reading.cancel()
                await asyncio.gather(offering, reading, return_exceptions=True)

    async def _read(self) -> None:
        async for message in self._link:
            match message:
                case Welcome():
                    self._connection += 1
                    self._offer_again.set()
                case SeatOffer():
                    self._take(message)
                case _:
                    pass

    async def _offer(self) -> None:
        """Tell the server how many seats are on offer, whenever that may have changed.

        A server counts the seats it has given on this connection; those of an earlier one are taken off until they end.
        """
        while True:
            await self._offer_again.wait()
            self._offer_again.clear()
            capacity = self._capacity - sum(1 for connection in self._playing.values() if connection != self._connection)
            if capacity > 0:
                try:
                    await self._link.command(Host, levels=self._levels, capacity=capacity)
                except Refused as refused:
                    if refused.error.retry_after_ms is None:
                        raise
                    await asyncio.sleep(refused.error.retry_after_ms / 1000)
                    self._offer_again.set()

    def _take(self, offer: SeatOffer) -> None:
        bot = self._bots.get(offer.level)
        if bot is None or offer.token in self._tokens:
            return
        self._tokens.add(offer.token)
        task = asyncio.create_task(self._play(offer, bot))
        self._playing[task] = self._connection
        task.add_done_callback(self._seat_ended)

    async def _play(self, offer: SeatOffer, bot: Bot) -> None:
        try:
            thinker = self._thinkers.get(offer.level)
            await SeatPlayer(self._url, offer, bot, self._rng, self._dial, thinker).play(self._opening)
        except LinkError as error:
            logger.warning("a seat at %s is given up: %s", offer.table, error)
        except Exception:
            logger.exception("a seat at %s is given up", offer.table)
        finally:
            self._tokens.discard(offer.token)

    def _seat_ended(self, task: asyncio.Task[None]) -> None:
        if self._playing.pop(task) != self._connection:
            self._offer_again.set()

    def _tell(self, lost: LinkError | None) -> None:
        same, self._lost = lost is not None and self._lost == lost.code, None if lost is None else lost.code
        if lost is None:
            logger.info("offering up to %d seats (%s) to %s", self._capacity, ", ".join(self._levels), self._url)
        elif not same:
            logger.warning("%s; trying again", lost)


# ---------------------------------------------------------------- the command


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
            runner.run(_until_told(host, args.until_stdin_closes))
    except KeyboardInterrupt:  # where there are no signal handlers
        pass
    except LinkError as error:
        print(f"durak bots: {error}", file=sys.stderr)
        return 1
    return 0


async def _until_told(host: BotHost, until_stdin_closes: bool) -> None:
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
