"""Random games of the rules kernel: uniform over all legal (seat, action) pairs, full rules, one core."""

import random
import time
from typing import Any

from durak.protocol.rules import kernel as k
from durak.protocol.rules.cards import PACK
from durak.protocol.rules.game import Game
from durak.protocol.rules.ruleset import PRESETS
from durak.server.bench.progress import progress

PLAYERS = (2, 3, 4, 6)
PROTOTYPE_GAMES_PER_S = 4_335
"""An interpreted prototype with one open card at a time, two players, on another machine of this kind: 0.38 M actions."""
COPIES = 20_000


def play_out(kernel: k.Kernel, moves: list[int], rng: random.Random) -> int:
    """Play one game to its end; returns the number of actions."""
    legal, apply, quiet, close, draw = kernel.legal, kernel.apply, kernel.quiet, kernel.close, rng.random
    actions = 0
    while kernel.phase != k.OVER:
        apply(moves[int(draw() * legal(moves))])
        actions += 1
        while quiet():
            close()
    return actions


def measure(seconds: float) -> dict[str, Any]:
    """Games and actions a second of CPU time, by number of players; the size of a game and the cost of its copy."""
    rng = random.Random(1)
    moves = [0] * 300
    games_per_s: dict[str, float] = {}
    actions_per_s: dict[str, float] = {}
    for players in PLAYERS:
        progress(f"engine: {players} players")
        spent = games = actions = 0.0
        while spent < seconds / len(PLAYERS):
            deals = []
            for _ in range(100):
                deck = list(PACK)
                rng.shuffle(deck)
                deals.append(Game.deal(PRESETS["classic"], deck, players)[0].kernel)
            begun = time.process_time()
            for kernel in deals:
                actions += play_out(kernel, moves, rng)
            spent += time.process_time() - begun
            games += len(deals)
        games_per_s[str(players)] = games / spent
        actions_per_s[str(players)] = actions / spent
    progress("")
    kernel = Game.deal(PRESETS["classic"], PACK, 4)[0].kernel
    twin = kernel.copy()
    begun = time.process_time()
    for _ in range(COPIES):
        twin.assign(kernel)
    return {
        "compiled": not k.__file__.endswith(".py"),
        "games_per_s": games_per_s,
        "actions_per_s": actions_per_s,
        "copy_ns": (time.process_time() - begun) / COPIES * 1e9,
        "two_player_games_against_prototype": games_per_s["2"] / PROTOTYPE_GAMES_PER_S,
    }
