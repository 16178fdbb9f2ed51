"""Throw a million frames at a live server with games running: ``python -m tests.system.fuzzing.run --frames 1000000``.

Strangers send what frames.py makes, over both subprotocols. Meanwhile honest people play, and bots; nothing may happen to them. At
the end: no exception in the log, every reply a valid message, honest games go on and agree with the journal, all 36 cards are at
every table, and the server's memory is as it was.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import random
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, WebSocketException

from durak.protocol.codec import CODECS
from durak.protocol.messages import Error, Ok, SeatOffer, TableState, TableView, Update
from durak.server.bench.processes import resident_bytes
from tests.system.client import JSON, MSGPACK, Client, dial, guest_token
from tests.system.folding import folded_journals
from tests.system.fuzzing.frames import Frames, encoded
from tests.system.persistent import PersistentPlayer, hold_against, opened_table
from tests.system.serving import Served, serving

STRANGERS = 8
HONEST_TABLES = 3
SEATS = 3
HONEST_OPTIONS = {"turn_clock_s": 15, "window_ms": 300, "close_ms": 50}
BOT_TABLES = 4
BURST = 40
"""Frames a stranger sends before it waits until all before are dealt with."""
OPTIONS = ("--dev", "--max-tables", "200", "--bot-seats", "400")
GROWTH = 1.15, 12 * 1024 * 1024
"""How much larger the server may be at the end than after a third: by this factor and this many bytes."""
PATIENCE_S = 60.0


@dataclass
class Report:
    """What was seen."""

    frames: int = 0
    connections: int = 0
    replies: Counter[str] = field(default_factory=Counter)
    closes: Counter[int] = field(default_factory=Counter)
    honest_actions: int = 0
    bot_games: int = 0
    resident: list[int] = field(default_factory=list)

    def __str__(self) -> str:
        memory = " ".join(f"{size / 2**20:.0f}" for size in self.resident)
        return (
            f"{self.frames:,} frames over {self.connections:,} connections\n"
            f"replies: {dict(self.replies.most_common(12))}\n"
            f"close codes: {dict(sorted(self.closes.items()))}\n"
            f"meanwhile {self.honest_actions:,} honest actions and {self.bot_games} tables of bots\n"
            f"resident MB, from the beginning to the end: {memory}"
        )


class Stranger:
    """Sends what nobody should, one connection after another."""

    def __init__(self, served: Served, frames: Frames, rng: random.Random, report: Report, tables: list[str]) -> None:
        self._served = served
        self._frames = frames
        self._rng = rng
        self._report = report
        self._tables = tables
        self._marks = itertools.count()
        self._answered: set[str] = set()
        self._news = asyncio.Event()
        self._view: TableView | None = None

    async def live(self, share: int) -> None:
        """Send so many frames."""
        sent = 0
        while sent < share:
            subprotocol = self._rng.choice((JSON, MSGPACK))
            socket = await dial(self._served.url, subprotocol)
            self._report.connections += 1
            self._view = None
            reading = asyncio.create_task(self._read(socket, subprotocol))
            try:
                if self._rng.random() < 0.95:
                    hello = {"t": "hello", "token": await guest_token(self._served.url, "Mallory")}
                    await socket.send(encoded(hello, subprotocol == MSGPACK), text=subprotocol == JSON)
                for _ in range(self._rng.choice((1, 5, 25))):
                    for _ in range(BURST):
                        frame = self._frames.next(binary=subprotocol == MSGPACK, view=self._view)
                        text = subprotocol == JSON if self._rng.random() < 0.997 else subprotocol != JSON
                        sent += 1
                        self._report.frames += 1
                        await socket.send(frame, text=text)
                    await self._settle(socket, subprotocol, reading)
            except ConnectionClosed:
                pass
            if self._rng.random() < 0.5:
                socket.transport.abort()
            else:
                await socket.close()
            await reading
            self._report.closes[socket.close_code or 0] += 1

    async def _settle(self, socket: ClientConnection, subprotocol: str, reading: asyncio.Task[None]) -> None:
        """Wait until everything sent so far is dealt with: commands are answered in their order."""
        mark = f"mark{next(self._marks)}"
        message = {"t": "lobby", "cid": mark, "on": False}
        await socket.send(encoded(message, subprotocol == MSGPACK), text=subprotocol == JSON)
        async with asyncio.timeout(PATIENCE_S):
            while mark not in self._answered and not reading.done():
                self._news.clear()
                await self._news.wait()

    async def _read(self, socket: ClientConnection, subprotocol: str) -> None:
        """Every reply must be a message."""
        codec = CODECS[subprotocol]
        try:
            async for frame in socket:
                raw = frame.encode() if isinstance(frame, str) else frame
                message = codec.decode_from_server(raw)
                assert not isinstance(message, SeatOffer), "a stranger is offered a bot's seat"
                if isinstance(message, TableState):
                    self._view = message.view
                elif isinstance(message, Update) and self._view is not None:
                    self._view = message.view.applied_to(self._view)
                elif isinstance(message, Ok | Error):
                    self._report.replies["ok" if isinstance(message, Ok) else message.code] += 1
                    if message.cid is not None and message.cid.startswith("mark"):
                        self._answered.add(message.cid)
                    if isinstance(message, Ok) and message.table is not None and message.table not in self._tables:
                        self._tables[self._rng.randrange(len(self._tables))] = message.table
                self._news.set()
        except (ConnectionClosed, WebSocketException):
            pass
        finally:
            self._news.set()


async def fuzz(served: Served, frames: int, seed: int) -> Report:
    """Throw frames at a server. Raises `AssertionError` for whatever it should not have done."""
    rng, report = random.Random(seed), Report()
    stop = asyncio.Event()
    people: list[PersistentPlayer] = []
    for number in range(HONEST_TABLES):
        people += await opened_table(served, f"Ann{number}", SEATS, rng, **HONEST_OPTIONS)
    begun = asyncio.Event()
    bots = asyncio.create_task(keep_bots_playing(served, stop, report, begun))
    async with asyncio.timeout(PATIENCE_S):
        await begun.wait()  # later the strangers' tables may have all the bots
    tables = [*dict.fromkeys(person.table for person in people), *("AAAAAA",) * 5]
    strangers = [
        Stranger(served, Frames(random.Random(rng.random()), tables), random.Random(rng.random()), report, tables)
        for _ in range(STRANGERS)
    ]
    playing = [asyncio.create_task(person.run(stop)) for person in people]
    attack = asyncio.gather(*(stranger.live(-(-frames // STRANGERS)) for stranger in strangers))
    watch = asyncio.create_task(watch_memory(served, frames, report))
    try:
        async with asyncio.timeout(PATIENCE_S + frames / 200):
            await attack
        before = [len(person.acked) for person in people]
        await until_all_have_played(people, before)
        async with asyncio.timeout(PATIENCE_S):
            while not report.bot_games:  # a table of bots comes to its end
                await asyncio.sleep(0.05)
    finally:
        stop.set()
        watch.cancel()
    async with asyncio.timeout(PATIENCE_S):
        await asyncio.gather(*playing, bots)
    report.resident.append(resident_bytes(served.pid))
    report.honest_actions = sum(len(person.acked) for person in people)
    assert served.terminate() == 0
    await check_journals(served, people)
    check_memory(report.resident)
    return report


async def keep_bots_playing(served: Served, stop: asyncio.Event, report: Report, begun: asyncio.Event) -> None:
    """Watch tables of bots, each to the end of its game; `begun`: there is one."""

    async def one() -> None:
        while not stop.is_set():
            client = await Client.open(served.url, "Host")
            answer = await client.ask("create", bots=["easy", "normal", "easy"], sit=False, start=True, speed="fast", name="bots")
            if answer["t"] == "ok":
                begun.set()
                await client.ok("watch", table=answer["table"])
                async with asyncio.timeout(PATIENCE_S):
                    while client.view is None or client.view["status"] != "finished":
                        if stop.is_set():
                            break
                        await asyncio.sleep(0.1)
                    else:
                        report.bot_games += 1
            else:
                assert answer["code"] in ("too_many_tables", "no_bots"), answer
                await asyncio.sleep(0.5)
            await client.close()

    await asyncio.gather(*(one() for _ in range(BOT_TABLES)))


async def until_all_have_played(people: list[PersistentPlayer], before: list[int]) -> None:
    """Wait until every honest person has done something since."""
    async with asyncio.timeout(PATIENCE_S):
        while not all(len(person.acked) > count for person, count in zip(people, before, strict=True)):
            await asyncio.sleep(0.05)


async def watch_memory(served: Served, frames: int, report: Report) -> None:
    """Note the server's size ten times, and show progress."""
    for tenth in range(1, 11):
        while report.frames < frames * tenth / 10:
            if sys.stderr.isatty():
                done = report.frames / frames
                print(f"\r[{'#' * int(30 * done):.<30}] {report.frames:,} frames ", end="", file=sys.stderr, flush=True)
            await asyncio.sleep(0.1)
        report.resident.append(resident_bytes(served.pid))


async def check_journals(served: Served, people: list[PersistentPlayer]) -> None:
    """What honest people were told is in the journal, once; and no table has lost a card."""
    journals = await folded_journals(served.data)
    for journal in journals.values():
        if journal.table.game is not None:
            assert journal.table.game.whole()
    for person in people:
        hold_against(journals, person)


def check_memory(resident: list[int]) -> None:
    """After a third everything has been seen once, and the server must not grow any more."""
    third, end = resident[len(resident) // 3], resident[-1]
    factor, more = GROWTH
    assert end <= third * factor + more, f"the server has grown from {third:,} to {end:,} bytes: {resident}"


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--frames", type=int, default=100_000, help="how many (default 100,000)")
    parser.add_argument("--seed", type=int, default=1, help="of the frames (default 1)")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder), *OPTIONS) as served:
        print("\n" + str(asyncio.run(fuzz(served, args.frames, args.seed))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
