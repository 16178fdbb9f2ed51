"""Measures bots against each other on duplicate deals: every deal is played with the first bot in every seat.

    python -m tests.bots.tournament normal greedy --players 2 --deals 400

The score of a deal is the first bot's share of games in which it is not the durak; a draw counts half with two players, and as
any other place with more. Fair is (players - 1) / players. The interval is 95 %, clustered by deal.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from typing import NamedTuple

from durak.bots.bot import bot_named
from durak.protocol.rules.ruleset import PRESETS, Ruleset
from tests.bots.playing import play, shuffled


class Score(NamedTuple):
    mean: float
    margin: float
    fair: float
    games: int


def measure(first: str, others: str, players: int, deals: int, *, preset: str = "classic", seed: int = 1) -> Score:
    """The score of one `first` against `players - 1` of `others`."""
    rules: Ruleset = PRESETS[preset]
    one, other = bot_named(first), bot_named(others)
    scores = []
    for deal in range(deals):
        deck = shuffled(random.Random(f"{seed}/{deal}"))
        total = 0.0
        for seat in range(players):
            bots = [one if at == seat else other for at in range(players)]
            result = play(rules, deck, bots, random.Random(f"{seed}/{deal}/order"))
            if result.draw:
                total += 0.5 if players == 2 else (players - 1) / players
            else:
                total += result.durak != seat
        scores.append(total / players)
    mean = sum(scores) / deals
    deviation = math.sqrt(sum((score - mean) ** 2 for score in scores) / (deals - 1))
    return Score(mean, 1.96 * deviation / math.sqrt(deals), (players - 1) / players, deals * players)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first")
    parser.add_argument("others")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--deals", type=int, default=400)
    parser.add_argument("--preset", default="classic", choices=PRESETS)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    began = time.perf_counter()
    score = measure(args.first, args.others, args.players, args.deals, preset=args.preset, seed=args.seed)
    seconds = time.perf_counter() - began
    print(
        f"{args.first} against {args.players - 1} {args.others}, {args.preset}: {score.mean:.3f} ± {score.margin:.3f}"
        f" (fair {score.fair:.3f}), {score.games} games, {score.games / seconds:.0f} a second"
    )


if __name__ == "__main__":
    main()
