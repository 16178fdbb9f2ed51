"""Learns the value network for a number of players from games that Normal plays, and writes it into bots/players/networks/.

    python -m durak.bots.training.learning --players 2 --write

Each game gives one beginning of a bout and who became the durak; one move in seventeen is a whim, so that odd positions come too.
The network is trained by Adam on the cross entropy, plain suits exchanged at random. It needs numpy, and takes minutes compiled,
many hours interpreted (durak --version).
"""

import argparse
import itertools
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Any, Final

import numpy as np

from durak.bots.players.value import path_of
from durak.bots.players.weights import PLAYERS, policy_for
from durak.bots.search.lessons import lessons
from durak.bots.search.value import features
from durak.protocol.process.compiled import is_compiled
from durak.protocol.process.progress import progress
from durak.protocol.rules.kernel import Kernel
from durak.protocol.rules.layout import PACK_SIZE, SUIT_SIZE

GAMES_AT_ONCE: Final = 20_000
WHIMS: Final = 60
WIDTH: Final = 64
BATCH: Final = 4096
FASTEST, SLOWEST = 3e-3, 1e-4
"""The rate of learning, from the first pass to the last."""
EXCHANGES: Final = list(itertools.permutations(range(3)))

Array = np.ndarray[Any, Any]


def examples(players: int, seed: int) -> tuple[Array, Array, Array]:
    """From GAMES_AT_ONCE games: how often each feature is there, the durak (a share each in a draw), and who is in the game."""
    rows = lessons(Kernel(players), policy_for(players), GAMES_AT_ONCE, seed, WHIMS)
    lengths = np.array([len(row) - 2 for row in rows])
    durak, active = np.array([row[:2] for row in rows]).T
    counts = np.zeros((len(rows), features(players)), np.uint8)
    np.add.at(counts, (np.repeat(np.arange(len(rows)), lengths), np.concatenate([row[2:] for row in rows])), 1)
    duraks = np.where(durak[:, None] < 0, np.float32(1 / players), durak[:, None] == np.arange(players)).astype(np.float32)
    seats = (active[:, None] >> np.arange(players) & 1).astype(bool)
    return counts, duraks, seats


class Network:
    """Weights as in search/value.py, and Adam's moments of them."""

    def __init__(self, players: int, rng: np.random.Generator) -> None:
        self.weights = [
            rng.normal(0, 0.1, (features(players), WIDTH)).astype(np.float32),
            np.zeros(WIDTH, np.float32),
            rng.normal(0, 0.1, (WIDTH, players)).astype(np.float32),
        ]
        self._means = [np.zeros_like(weight) for weight in self.weights]
        self._squares = [np.zeros_like(weight) for weight in self.weights]
        self._steps = 0

    def chances(self, counts: Array, seats: Array) -> tuple[Array, Array]:
        """The hidden layer, and the chance of each seat to be the durak."""
        first, bias, second = self.weights
        hidden = np.maximum(counts @ first + bias, 0)
        scores = hidden @ second + np.where(seats, 0, -1e9)
        chances = np.exp(scores - scores.max(1, keepdims=True))
        return hidden, chances / chances.sum(1, keepdims=True)

    def learn(self, counts: Array, duraks: Array, seats: Array, rate: float) -> None:
        """One step of Adam."""
        hidden, chances = self.chances(counts, seats)
        wrong = (chances - duraks) / len(counts)
        back = (wrong @ self.weights[2].T) * (hidden > 0)
        self._steps += 1
        for weight, mean, square, slope in zip(
            self.weights, self._means, self._squares, (counts.T @ back, back.sum(0), hidden.T @ wrong), strict=True
        ):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            weight -= rate * (mean / (1 - 0.9**self._steps)) / (np.sqrt(square / (1 - 0.999**self._steps)) + 1e-8)


def exchange_suits(counts: Array, players: int, suits: tuple[int, ...]) -> Array:
    """The features with the plain suits in another order."""
    other = counts.copy()
    for owner in range(players + 1):
        at = owner * PACK_SIZE
        for to, of in enumerate(suits):
            one, two = at + SUIT_SIZE * to, at + SUIT_SIZE * of
            other[:, one : one + SUIT_SIZE] = counts[:, two : two + SUIT_SIZE]
    return other


def train(players: int, games: int, passes: int, seed: int, jobs: int) -> Network:
    """Train a network on so many games; a tenth of them only tell how well."""
    parts = []
    seeds = [seed * 1_000_000_007 + number for number in range(max(1, games // GAMES_AT_ONCE))]
    with ProcessPoolExecutor(jobs) as pool:
        for part in pool.map(partial(examples, players), seeds):
            parts.append(part)
            progress(f"{len(parts) * GAMES_AT_ONCE:,} games", len(parts) / len(seeds))
    progress("")
    counts, duraks, seats = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    held_out = len(counts) // 10
    rng = np.random.default_rng(seed)
    network = Network(players, rng)
    for number in range(passes):
        rate = FASTEST * (1 - number / passes) + SLOWEST
        order = held_out + rng.permutation(len(counts) - held_out)
        for at in range(0, len(order), BATCH):
            rows = order[at : at + BATCH]
            suits = EXCHANGES[rng.integers(len(EXCHANGES))]
            network.learn(exchange_suits(counts[rows], players, suits).astype(np.float32), duraks[rows], seats[rows], rate)
        _, chances = network.chances(counts[:held_out].astype(np.float32), seats[:held_out])
        loss = -np.log((chances * duraks[:held_out]).sum(1).clip(1e-9)).mean()
        print(f"{players} players, pass {number + 1} of {passes}: log loss {loss:.4f} on games it has not seen", file=sys.stderr)
    return network


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(
        prog="python -m durak.bots.training.learning", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--players", type=int, choices=PLAYERS, default=2, help="at the table (default: %(default)s)")
    parser.add_argument("--games", type=int, default=2_000_000, help="default: %(default)s")
    parser.add_argument("--passes", type=int, default=6, help="through all games (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="default: %(default)s")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: %(default)s)")
    parser.add_argument("--write", action="store_true", help="put the network into bots/players/networks/")
    args = parser.parse_args()
    if min(args.games, args.passes, args.jobs) < 1:
        parser.error("--games, --passes and --jobs are at least 1")
    if not is_compiled():
        print("the engine is interpreted: this will take many hours", file=sys.stderr)
    network = train(args.players, args.games, args.passes, args.seed, args.jobs)
    if args.write:
        path = path_of(args.players)
        first, bias, second = network.weights
        path.write_bytes(b"".join(weight.astype("<f2").tobytes() for weight in (first, bias, second.T)))
        print(f"written to {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
