"""CPU of one action inside the server, stage by stage, at tables of four, without sockets."""

import asyncio
import random
import tempfile
import time
from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from typing import Any

from durak.protocol.codec import MSGPACK
from durak.protocol.messages import Act, Ok, Update
from durak.protocol.process.progress import progress
from durak.protocol.rules.actions import Keep, Pass, Redeal
from durak.protocol.rules.ruleset import Ruleset
from durak.server.given.entropy import SecureEntropy
from durak.server.journal.sqlite import SqliteJournal
from durak.server.live.entries import encode_entry, hash_of
from durak.server.table.inputs import CreateTable, Entry, Expire, Play, SitDown, StartGame
from durak.server.table.jitter import Jitter
from durak.server.table.machine import Table
from durak.server.table.view import Views, seen_by

SEATS = 4
STAGES = ("decode", "copy", "step", "entry and hash", "four views", "encode four updates")
PLAYERS = [f"player-{seat}" for seat in range(SEATS)]


def new_table(number: int, entropy: SecureEntropy) -> Table:
    """A table of four that has just been dealt."""
    table = Table(f"{number:06d}")
    rules = Ruleset(max_players=SEATS, close_ms=0)
    table.step(CreateTable(PLAYERS[0], "c", "A", "bench", rules, True, False, False, []), 0)
    for player in PLAYERS[1:]:
        table.step(SitDown(player, "s", player), 0)
    table.step(StartGame(PLAYERS[0], "g"), 0, deck=entropy.deck())
    return table


async def actions_through_stages(seconds: float) -> tuple[dict[str, float], int]:
    """Seconds of CPU by stage, and the number of actions."""
    entropy, rng = SecureEntropy(), random.Random(1)
    spent: dict[str, float] = defaultdict(float)
    actions = number = 0
    clock = time.process_time
    with tempfile.TemporaryDirectory() as folder:
        journal = await SqliteJournal.open(Path(folder) / "data")
        until = clock() + seconds
        while clock() < until:
            number += 1
            table, lines = new_table(number, entropy), []
            while table.status == "playing":
                game = table.game
                assert game is not None
                choices = [(seat, action) for seat in range(SEATS) for action in game.legal(seat)]
                if not choices:
                    assert table.deadline_ms is not None
                    table.step(Expire(), table.deadline_ms)
                    continue
                seat, action = rng.choice(choices)
                epoch = game.epoch if isinstance(action, Pass | Redeal | Keep) else None
                frame = MSGPACK.encode(Act(f"{actions}", action, game.bout, epoch))
                marks = [clock()]
                act = MSGPACK.decode_from_client(frame)
                assert isinstance(act, Act)
                marks.append(clock())
                given = Play(PLAYERS[seat], act.cid, act.action, act.bout, act.epoch)
                jitter, after = Jitter(entropy.number()), table.copy()
                marks.append(clock())
                events = after.step(given, table.now_ms, jitter=jitter)
                marks.append(clock())
                lines.append(encode_entry(Entry(table.now_ms, given, jitter, None, hash_of(events))))
                marks.append(clock())
                views = Views(after, after.now_ms)
                seating = views.seating_since(table)
                MSGPACK.encode(Ok(act.cid, table.id, after.seq))
                updates = [
                    Update(after.seq, seen_by(events, after.seat_of_player(player)), views.change_of(player, seating))
                    for player in PLAYERS
                ]
                marks.append(clock())
                for update in updates:
                    MSGPACK.encode(update)
                marks.append(clock())
                for stage, (begun, ended) in zip(STAGES, pairwise(marks), strict=True):
                    spent[stage] += ended - begun
                table = after
                actions += 1
            begun = clock()
            for entry, line in enumerate(lines, 1):
                await journal.append(table.id, entry, [line])
            spent["append, one at a time"] += clock() - begun
            progress(f"stages: {actions} actions")
        await journal.close()
    progress("")
    return spent, actions


def measure(seconds: float) -> dict[str, Any]:
    """Microseconds of CPU an action, by stage."""
    spent, actions = asyncio.run(actions_through_stages(seconds))
    by_stage = {stage: total / actions * 1e6 for stage, total in spent.items()}
    return {"actions": actions, "us_per_action": {**by_stage, "sum": sum(by_stage.values())}}
