"""Tunes Normal's weights for a number of players by play, with the cross-entropy method, and writes them into weights.py.

    python -m durak.bots.training.tuning --players 2 --write

Each generation draws sets of weights around the best known, lets each play one seat against the others on the same deals, and
moves to the mean of the best quarter. The opponents are greedy, cheap and the Normal that it began with. At the end both play
fresh deals; only weights that are better there are written. It takes minutes compiled, and hours interpreted (durak --version).
"""

import argparse
import random
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from statistics import fmean, pstdev
from typing import Final, NamedTuple

from durak.bots.players import weights
from durak.bots.players.weights import PLAYERS, TUNED, table_of
from durak.bots.search.duel import share_not_durak
from durak.bots.search.policy import CHEAP, GREEDY, NORMAL, Policy
from durak.bots.search.weighing import Weights
from durak.protocol.process.compiled import is_compiled
from durak.protocol.rules.kernel import Kernel

SETS: Final = 48
"""How many sets of weights play in a generation."""
ELITE: Final = 12
FINAL_SEED: Final = 900_000
NARROWEST: Final = 0.02
"""The deviation of a weight never falls below this, so that it goes on trying."""

OPENING: Final = "# fmt: off\n"
CLOSING: Final = "# fmt: on\n"
"""What stands around the table in weights.py."""

Column = list[float]
"""The weights in the order of the table: with stock, then without."""


class Trial(NamedTuple):
    """One set of weights to be judged on some deals."""

    players: int
    column: Column
    start: Column
    deals: int
    seed: int


def normal(column: Column) -> Policy:
    """Normal with these weights."""
    names, half = list(TUNED), len(TUNED)
    some, none = (Weights(dict(zip(names, part, strict=True))) for part in (column[:half], column[half:]))
    return Policy(NORMAL, some, none)


def shares(trial: Trial) -> list[float]:
    """The shares of games in which the weights were not the durak, against greedy, cheap, and the Normal it began with."""
    one, start = normal(trial.column), normal(trial.start)
    others = (Policy(GREEDY, start.some, start.none), Policy(CHEAP, start.some, start.none), start)
    return [share_not_durak(Kernel(trial.players), one, other, trial.deals, trial.seed) for other in others]


def fitness(trial: Trial) -> float:
    """What tuning maximizes: the mean of the shares."""
    return fmean(shares(trial))


def tune(players: int, generations: int, deals: int, seed: int, jobs: int) -> tuple[Column, list[float], list[float]]:
    """Tune; the new weights, and their shares and the old ones' on fresh deals."""
    at = PLAYERS.index(players)
    start = [values[2 * at] for values in TUNED.values()] + [values[2 * at + 1] for values in TUNED.values()]
    rng = random.Random(seed)
    mean, spread = list(start), [0.05 + 0.1 * abs(value) for value in start]
    with ProcessPoolExecutor(jobs) as pool:
        for generation in range(generations):
            columns = [mean] + [[rng.gauss(*pair) for pair in zip(mean, spread, strict=True)] for _ in range(SETS - 1)]
            trials = [Trial(players, column, start, deals, seed * 1000 + generation) for column in columns]
            scores = list(pool.map(fitness, trials))
            best = sorted(range(SETS), key=lambda number: -scores[number])[:ELITE]
            elite = [columns[number] for number in best]
            mean = [fmean(values) for values in zip(*elite, strict=True)]
            found = [pstdev(values) for values in zip(*elite, strict=True)]
            spread = [max(NARROWEST, (old + new) / 2) for old, new in zip(spread, found, strict=True)]
            print(
                f"generation {generation + 1:3} of {generations}: mean weights {scores[0]:.4f}, best {max(scores):.4f}, "
                f"deviation {fmean(spread):.3f}",
                file=sys.stderr,
                flush=True,
            )
        fresh = [Trial(players, column, start, 10 * deals, FINAL_SEED + seed) for column in (mean, start)]
        new, old = pool.map(shares, fresh)
    return mean, new, old


def main() -> int:
    """The command; 0 if the weights became better, 1 if not."""
    parser = argparse.ArgumentParser(
        prog="python -m durak.bots.training.tuning", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--players", type=int, choices=PLAYERS, default=2, help="at the table (default: %(default)s)")
    parser.add_argument("--generations", type=int, default=60, help="default: %(default)s")
    parser.add_argument(
        "--deals", type=int, default=1_000, help="of each set in a generation, each in every seat (default: %(default)s)"
    )
    parser.add_argument("--seed", type=int, default=1, help="default: %(default)s")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: %(default)s)")
    parser.add_argument("--write", action="store_true", help="put better weights into weights.py")
    args = parser.parse_args()
    if min(args.generations, args.deals, args.jobs) < 1:
        parser.error("--generations, --deals and --jobs are at least 1")
    if not is_compiled():
        print("the engine is interpreted: this will take hours", file=sys.stderr)
    column, new, old = tune(args.players, args.generations, args.deals, args.seed, args.jobs)
    for label, values in (("before", old), ("after ", new)):
        print(f"{args.players} players, {label}: greedy {values[0]:.4f}, cheap {values[1]:.4f}, the Normal before {values[2]:.4f}")
    if fmean(new) <= fmean(old):
        print("no better; nothing is written")
        return 1
    at = PLAYERS.index(args.players)
    half = len(TUNED)
    tuned = {name: list(values) for name, values in TUNED.items()}
    for number, values in enumerate(tuned.values()):
        values[2 * at], values[2 * at + 1] = column[number], column[half + number]
    if args.write:
        path = Path(weights.__file__)
        source = path.read_text()
        begin, end = source.index(OPENING) + len(OPENING), source.index(CLOSING)
        path.write_text(source[:begin] + table_of(tuned) + source[end:])
        print(f"written to {path}")
    else:
        print(table_of(tuned))
    return 0


if __name__ == "__main__":
    sys.exit(main())
