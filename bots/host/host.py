"""Offers computer players to a server, and plays the seats it is given, each over a connection of its own.

All seats live on one event loop, and only bots whose decisions are `cheap` may think on it. A level that thinks longer does so in
worker processes (workers.py), and where it has no decision in time, `STAND_IN` decides.
"""

import asyncio
import contextlib
import logging
import random
from collections.abc import Mapping, Sequence
from typing import Final

from durak.bots.bot import Bot, bot_named
from durak.bots.host.seat import SeatPlayer
from durak.bots.host.workers import Workers
from durak.clients.link import Dial, Link, LinkError, Refused, dial
from durak.protocol.messages import Host, Level, SeatOffer, Welcome

logger = logging.getLogger(__name__)

OPENING_AT_ONCE: Final = 32
STAND_IN: Final = "normal"
"""Decides where a bot that thinks in a worker has no decision in time."""


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
