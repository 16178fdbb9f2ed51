"""A restart with many running tables: how long until all of them go on."""

import asyncio
import random
import tempfile
import time
from pathlib import Path
from typing import Any

from durak.protocol.process.progress import progress
from durak.protocol.rules.actions import Keep, Pass, Redeal
from durak.protocol.rules.ruleset import Ruleset
from durak.server.bench.processes import serving
from durak.server.bench.stages import PLAYERS, SEATS
from durak.server.given.clock import LoopClock
from durak.server.given.entropy import SecureEntropy
from durak.server.journal.sqlite import SqliteJournal
from durak.server.live.entries import encode_entry, hash_of
from durak.server.table.inputs import AnyInput, CreateTable, Entry, Expire, Play, SitDown, StartGame
from durak.server.table.jitter import Jitter
from durak.server.table.machine import Table


def half_played(table_id: str, now_ms: int, rng: random.Random, entropy: SecureEntropy) -> list[bytes]:
    """The journal of a table of four in the middle of its game."""
    table, lines = Table(table_id), []

    def step(given: AnyInput, at_ms: int) -> None:
        deck = entropy.deck() if table.may_deal(given) else None
        jitter = Jitter(entropy.number())
        events = table.step(given, at_ms, jitter=jitter, deck=deck)
        lines.append(encode_entry(Entry(at_ms, given, jitter, deck, hash_of(events))))

    step(CreateTable(PLAYERS[0], "c", "A", "bench", Ruleset(max_players=SEATS), True, False, False, []), now_ms)
    for player in PLAYERS[1:]:
        step(SitDown(player, "s", player), now_ms)
    step(StartGame(PLAYERS[0], "g"), now_ms)
    length = rng.randrange(20, 150)
    while len(lines) < length and table.game is not None and table.status == "playing":
        choices = [(seat, action) for seat in range(SEATS) for action in table.game.legal(seat)]
        if not choices:
            assert table.deadline_ms is not None
            step(Expire(), table.deadline_ms)
            continue
        seat, action = rng.choice(choices)
        epoch = table.game.epoch if isinstance(action, Pass | Redeal | Keep) else None
        step(Play(PLAYERS[seat], f"a{len(lines)}", action, table.game.bout, epoch), table.now_ms + 100)
    return lines if table.status == "playing" else half_played(table_id, now_ms, rng, entropy)


async def fill(folder: Path, tables: int) -> int:
    """Write journals of running tables; returns the number of entries."""
    rng, entropy = random.Random(1), SecureEntropy()
    journal = await SqliteJournal.open(folder, synchronous="NORMAL")
    now_ms = LoopClock().now_ms() - 3_600_000
    entries = 0
    for number in range(tables):
        lines = half_played(f"{number:06d}", now_ms, rng, entropy)
        await journal.append(f"{number:06d}", 1, lines)
        entries += len(lines)
        progress(f"recovery: {number + 1} of {tables} tables written")
    await journal.close()
    return entries


def measure(tables: int) -> dict[str, Any]:
    """Seconds from the start of the process to its address being printed, with and without the tables."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        begun = time.monotonic()
        with serving():
            empty_s = time.monotonic() - begun
        entries = asyncio.run(fill(data, tables))
        progress("recovery: starting")
        begun = time.monotonic()
        with serving(str(data)):
            full_s = time.monotonic() - begun
    progress("")
    return {
        "tables": tables,
        "entries": entries,
        "start_s": full_s,
        "start_of_an_empty_server_s": empty_s,
        "recovery_s": full_s - empty_s,
    }
