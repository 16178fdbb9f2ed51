"""The kill test: twenty tables in full swing, twenty times `kill -9`, and not one acknowledged action is lost or played twice.

DURAK_TEST_KILLS=200 makes it longer.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import random
import time
from pathlib import Path

import pytest

from tests.system.client import Client, guest_token
from tests.system.folding import Folded, folded_journals
from tests.system.persistent import PersistentPlayer
from tests.system.serving import Served, serving
from tests.system.tables import UNHURRIED

TABLES = 20
KILLS = int(os.environ.get("DURAK_TEST_KILLS", "20"))
UP_S = (0.5, 2.0)
"""How long a server lives."""
ACTIONS_PER_S = 100
PEOPLE = (2, 3, 4)
BOTS = (0, 1)
SEED = int(os.environ.get("DURAK_TEST_SEED", "1"))


async def opened_table(served: Served, number: int, rng: random.Random) -> list[PersistentPlayer]:
    """A table whose game has begun, with two to four people and sometimes a bot; its people."""
    people, bots = PEOPLE[number % len(PEOPLE)], BOTS[number % len(BOTS)]
    tokens = [await guest_token(served.url, f"Player {number}-{chair}") for chair in range(people)]
    clients = [await Client.open(served.url, token=token) for token in tokens]
    options = {**UNHURRIED, "max_players": people + bots, "bot_delay_ms": [0, 20], "turn_clock_s": 30}
    table = await clients[0].create(options=options, bots=["easy"] * bots)
    for client in clients[1:]:
        await client.join(table)
    await clients[0].ok("start")
    for client in clients:
        await client.drop()
    return [
        PersistentPlayer(served.url, f"p{number}-{chair}", token, table, random.Random(rng.random()))
        for chair, token in enumerate(tokens)
    ]


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


def hold_against(journals: dict[str, Folded], player: PersistentPlayer) -> None:
    """A player's log against the journal: what was acknowledged was played once, and all that was told is what happened."""
    journal = journals[player.table]
    for cid, seq in player.acked.items():
        assert journal.commands.get((player.player, cid)) == [seq], f"{player.name} {cid}: acknowledged as {seq}"
    for cid in player.refused:
        assert (player.player, cid) not in journal.commands, f"{player.name} {cid}: refused, and yet played"

    truth = journal.events_for(player.player)
    for seq, events in player.events.items():
        assert truth[seq] == events, f"{player.name}: {seq} was told differently"
    numbers = sorted(player.events)
    gaps = [(seq, later) for seq, later in itertools.pairwise(numbers) if later != seq + 1]
    assert all(any(last <= seq and later <= first for last, first in player.skipped) for seq, later in gaps), gaps


@pytest.mark.timeout(120 + 8 * KILLS)
async def test_nothing_is_lost_and_nothing_is_played_twice(tmp_path: Path) -> None:
    rng = random.Random(SEED)
    with serving(tmp_path, "--dev", "--bot-seats", str(TABLES)) as served:
        served.says("offering up to")
        players = [player for number in range(TABLES) for player in await opened_table(served, number, rng)]
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
