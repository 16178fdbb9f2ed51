"""The kill test: twenty tables in full swing, twenty times `kill -9`, and not one acknowledged action is lost or played twice.

DURAK_TEST_KILLS=200 makes it longer.
"""

from __future__ import annotations

import asyncio
import os
import random
import time
from pathlib import Path

import pytest

from tests.system.folding import folded_journals
from tests.system.persistent import PersistentPlayer, hold_against, opened_table
from tests.system.serving import Served, serving
from tests.system.tables import UNHURRIED

TABLES = 20
KILLS = int(os.environ.get("DURAK_TEST_KILLS", "20"))
UP_S = (0.5, 2.0)
"""How long a server lives."""
ACTIONS_PER_S = 100
PEOPLE = (2, 3, 4)
BOTS = (0, 1)
UNTIRING = {"bot_delay_ms": [0, 20], "turn_clock_s": 30}
SEED = int(os.environ.get("DURAK_TEST_SEED", "1"))


def acknowledged(players: list[PersistentPlayer]) -> int:
    """Commands acknowledged so far."""
    return sum(len(player.acked) for player in players)


async def kill_again_and_again(served: Served, players: list[PersistentPlayer], rng: random.Random) -> float:
    """Kill the server at random instants; gives the seconds that it was up."""
    up_s = 0.0
    for _ in range(KILLS):
        begun = time.monotonic()
        await asyncio.sleep(rng.uniform(*UP_S))
        await asyncio.to_thread(served.kill)
        up_s += time.monotonic() - begun
        await asyncio.to_thread(served.start)
    before = {player.table: 0 for player in players}
    for player in players:
        before[player.table] += len(player.acked)
    async with asyncio.timeout(60):
        while any(sum(len(p.acked) for p in players if p.table == table) <= acks for table, acks in before.items()):
            await asyncio.sleep(0.05)
    return up_s


@pytest.mark.timeout(120 + 8 * KILLS)
async def test_nothing_is_lost_and_nothing_is_played_twice(tmp_path: Path) -> None:
    rng = random.Random(SEED)
    with serving(tmp_path, "--dev", "--bot-seats", str(TABLES)) as served:
        served.says("offering up to")
        players: list[PersistentPlayer] = []
        for number in range(TABLES):
            people, bots = PEOPLE[number % len(PEOPLE)], BOTS[number % len(BOTS)]
            players += await opened_table(served, f"p{number}", people, rng, bots=bots, **{**UNHURRIED, **UNTIRING})
        stop = asyncio.Event()
        begun = time.monotonic()
        running = [asyncio.create_task(player.run(stop)) for player in players]
        killing = asyncio.create_task(kill_again_and_again(served, players, rng))
        await asyncio.wait([*running, killing], return_when=asyncio.FIRST_COMPLETED)
        if not killing.done():
            killing.cancel()
            await asyncio.gather(killing, return_exceptions=True)
        lasted_s = time.monotonic() - begun
        stop.set()
        served.kill()
        await asyncio.gather(*running)
        up_s = await killing

    journals = await folded_journals(served.data)
    assert len(journals) == TABLES
    for journal in journals.values():
        assert all(len(seqs) == 1 for seqs in journal.commands.values()), "a command was carried out twice"
    for player in players:
        hold_against(journals, player)

    acks = acknowledged(players)
    print(
        f"\n{KILLS} kills, {TABLES} tables, {len(players)} people: {acks} acknowledged commands in {lasted_s:.0f} s"
        f" = {acks / lasted_s:.0f}/s ({acks / up_s:.0f}/s while the server was up);"
        f" {sum(journal.plays for journal in journals.values())} actions in the journals with the bots',"
        f" {sum(len(player.refused) for player in players)} refused, {sum(player.repeated for player in players)} repeated,"
        f" {sum(player.resumed.count('events') for player in players)} resumed with events,"
        f" {sum(player.resumed.count('snapshot') for player in players)} with a snapshot,"
        f" {sum(journal.table.games for journal in journals.values())} games finished"
    )
    assert acks / up_s >= ACTIONS_PER_S
