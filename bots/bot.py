"""What a bot is, and where the bots are.

A bot is a pure function of what its seat has been told: the view, the memory of earlier events, a random source, and a budget. It
gets nothing that a person in that seat would not get (RULES section 4).
"""

import importlib
import math
import random
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Protocol

from durak.bots.knowing.memory import Memory
from durak.protocol.rules.actions import AnyAction
from durak.protocol.rules.view import GameView


class BadBudget(ValueError):
    """A budget in which nobody can think: `code` is bad_budget."""

    code = "bad_budget"

    def __init__(self, what: str) -> None:
        super().__init__(f"a budget is more than zero {what} [{self.code}]")


@dataclass(frozen=True, slots=True)
class Budget:
    """How long a bot may think about one decision: milliseconds, nodes searched, both (whichever ends first), or as it likes.

    Only with nodes does the same seed give the same play on every machine. Raises `BadBudget` for zero and less.
    """

    ms: float | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        if self.ms is not None and not (0 < self.ms < math.inf):
            raise BadBudget("milliseconds")
        if self.nodes is not None and self.nodes <= 0:
            raise BadBudget("nodes")

    def limits(self, usual_ms: float) -> tuple[float, float]:
        """Milliseconds and nodes, infinite where there is no limit; `usual_ms` where there is neither."""
        if self.ms is None and self.nodes is None:
            return usual_ms, math.inf
        return self.ms or math.inf, self.nodes or math.inf


class Bot(Protocol):
    """A way to play. `cheap`: a decision takes well under a millisecond, so it may be made on an event loop; others: workers.py."""

    cheap: bool

    def choose(self, view: GameView, memory: Memory, rng: random.Random, budget: Budget) -> AnyAction | None:
        """One of `view.legal`, or `None` to wait until something happens. A `cheap` bot needs no budget and ignores it."""
        ...


BOTS: Final = {
    "easy": "durak.bots.players.easy:Easy",
    "normal": "durak.bots.players.normal:Normal",
    "hard": "durak.bots.players.hard:Hard",
    "greedy": "durak.bots.players.yardsticks:Greedy",
    "cheap": "durak.bots.players.yardsticks:Cheap",
    "random": "durak.bots.players.yardsticks:Random",
    "mcts": "durak.bots.players.rivals:Mcts",
    "flat": "durak.bots.players.rivals:Flat",
    "cheat": "durak.bots.players.rivals:Cheat",
    "hard-normal-others": "durak.bots.players.rivals:NormalOthers",
    "hard-no-inference": "durak.bots.players.rivals:NoInference",
    "hard-no-memory": "durak.bots.players.rivals:NoMemory",
    "hard-no-tree": "durak.bots.players.rivals:NoTree",
    "hard-no-network": "durak.bots.players.rivals:NoNetwork",
    "hard-no-endgame": "durak.bots.players.rivals:NoEndgame",
    "hard-greedy-playouts": "durak.bots.players.rivals:GreedyPlayouts",
    "hard-random-playouts": "durak.bots.players.rivals:RandomPlayouts",
}
LEVELS: Final = ("easy", "normal", "hard")
"""The bots that are offered to tables; the others are yardsticks."""


class NoSuchBot(Exception):
    """A name that no bot bears: `code` is no_such_bot."""

    code = "no_such_bot"

    def __init__(self, name: str, offered: Iterable[str] = LEVELS) -> None:
        super().__init__(f"{name!r} is no bot; there are {', '.join(offered)} [{self.code}]")
        self.name = name


def bot_named(name: str) -> Bot:
    """The bot of this name. Raises `NoSuchBot`."""
    if name not in BOTS:
        raise NoSuchBot(name)
    return bot_at(BOTS[name])


def bot_at(spec: str) -> Bot:
    """The bot whose class is at `module:Class`."""
    module, cls = spec.split(":")
    bot: Bot = getattr(importlib.import_module(module), cls)()
    return bot
