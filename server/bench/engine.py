"""Random games of the rules kernel, full rules, one core: compiled and interpreted side by side in one run.

A game is dealt, and then each move is drawn uniformly from all legal (seat, action) pairs until it is over; a bout closes as
soon as nobody is waited for. Each way runs in processes of its own, in turns, and its median counts: machines are busy.
"""

import json
import math
import os
import statistics
import subprocess
import sys
import time
from typing import Any, Final

from durak.protocol.process import compiled
from durak.protocol.process.progress import progress
from durak.server.bench.processes import BenchError, resident_bytes

PLAYERS: Final = (2, 3, 4, 6)
ROUNDS: Final = 3
WARM_UP: Final = 20  # games
COPIES: Final = 20_000
PUBLIC_GAMES_PER_S: Final = {"2": 15_283, "4": 8_952}
PUBLIC_ACTIONS_PER_S: Final = {"2": 1.36e6, "4": 0.95e6}
"""The fastest public engine, in C++, measured on a machine like the one of STRENGTH.md, by its own rules."""


def measure(seconds: float) -> dict[str, Any]:
    """Games and actions a second of CPU time by number of players, the cost of a copy and the memory it takes, both ways.

    Raises `BenchError` if a measuring process fails.
    """
    ways = ("compiled", "interpreted") if compiled.is_compiled() else ("interpreted",)
    runs: dict[str, list[dict[str, Any]]] = {way: [] for way in ways}
    for turn in range(ROUNDS):
        for place, way in enumerate(ways):
            progress(f"engine: {way}", (turn * len(ways) + place) / (ROUNDS * len(ways)))
            runs[way].append(_in_a_process(way, seconds / ROUNDS / len(ways)))
    progress("")
    fast, slow = _median(runs[ways[0]]), _median(runs["interpreted"])
    result: dict[str, Any] = {"compiled": ways[0] == "compiled", **fast}
    if result["compiled"]:
        result["interpreted"] = slow
        result["compiled_to_interpreted"] = {
            players: fast["actions_per_s"][players] / slow["actions_per_s"][players] for players in fast["actions_per_s"]
        }
    result["to_fastest_public_engine"] = {
        "games": {players: fast["games_per_s"][players] / number for players, number in PUBLIC_GAMES_PER_S.items()},
        "actions": {players: fast["actions_per_s"][players] / number for players, number in PUBLIC_ACTIONS_PER_S.items()},
    }
    return result


def _in_a_process(way: str, seconds: float) -> dict[str, Any]:
    ran = subprocess.run(
        [sys.executable, "-c", f"from durak.server.bench.engine import report; report({way!r}, {seconds!r})"],
        capture_output=True,
        text=True,
        check=False,
    )
    if ran.returncode:
        raise BenchError(f"the process that measures the {way} engine has failed: {ran.stderr.strip()[-500:]}")
    measured: dict[str, Any] = json.loads(ran.stdout)
    return measured


def _median(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """The same numbers, each the median of the runs."""
    first = runs[0]
    return {
        name: _median([run[name] for run in runs]) if isinstance(value, dict) else statistics.median(run[name] for run in runs)
        for name, value in first.items()
    }


def report(way: str, seconds: float) -> None:
    """Measure in this process, and print JSON."""
    if way == "interpreted":
        compiled.interpret()
    from durak.bots.search.chance import Chance
    from durak.bots.search.playout import random_games
    from durak.protocol.rules.kernel import Kernel

    games_per_s: dict[str, float] = {}
    actions_per_s: dict[str, float] = {}
    for players in PLAYERS:
        rules, chance = Kernel(players), Chance(1)
        at_once = WARM_UP
        spent = games = actions = 0.0
        while spent < seconds / len(PLAYERS):
            begun = time.process_time()
            actions += float(random_games(at_once, rules, chance))
            spent += time.process_time() - begun
            games += at_once
            if spent < seconds / len(PLAYERS) / 10:
                at_once *= 2
        games_per_s[str(players)] = games / spent
        actions_per_s[str(players)] = actions / spent
    kernel, twin = Kernel(4), Kernel(4)
    begun = time.process_time()
    for _ in range(COPIES):
        twin.assign(kernel)
    assigned = time.process_time()
    before = resident_bytes(os.getpid()) if sys.platform == "linux" else 0
    copies = [kernel.copy() for _ in range(COPIES)]
    copied = time.process_time()
    size = (resident_bytes(os.getpid()) - before) / COPIES if before else math.nan
    print(
        json.dumps(
            {
                "games_per_s": games_per_s,
                "actions_per_s": actions_per_s,
                "assign_ns": (assigned - begun) / COPIES * 1e9,
                "copy_ns": (copied - assigned) / len(copies) * 1e9,
                "state_bytes": size,
            }
        )
    )
