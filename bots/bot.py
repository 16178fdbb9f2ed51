"""What a bot is, and where the bots are.

A bot is a pure function of what its seat has been told: the view, the memory of earlier events, and a random source. It gets
nothing that a person in that seat would not get (RULES section 4).
"""

import importlib
import random
from typing import Final, Protocol

from durak.bots.memory import Memory
from durak.protocol.rules.actions import AnyAction
from durak.protocol.rules.view import GameView


class Bot(Protocol):
    """A way to play. `cheap`: a decision takes well under a millisecond, so it may be made on an event loop."""

    cheap: bool

    def choose(self, view: GameView, memory: Memory, rng: random.Random) -> AnyAction | None:
        """One of `view.legal`, or `None` to wait until something happens."""
        ...


BOTS: Final = {
    "easy": "durak.bots.easy:Easy",
    "normal": "durak.bots.normal:Normal",
    "greedy": "durak.bots.yardsticks:Greedy",
    "cheap": "durak.bots.yardsticks:Cheap",
    "random": "durak.bots.yardsticks:Random",
}
LEVELS: Final = ("easy", "normal")
"""The bots that are offered to tables; the others are yardsticks."""


class NoSuchBot(Exception):
    """`code`: not_available for a level that this version does not have yet, no_such_bot for any other name."""

    def __init__(self, name: str) -> None:
        self.code = "not_available" if name == "hard" else "no_such_bot"
        told = "is not available in this version" if name == "hard" else "is no bot"
        super().__init__(f"{name!r} {told}; there are {', '.join(LEVELS)} [{self.code}]")
        self.name = name


def bot_named(name: str) -> Bot:
    """The bot of this name. Raises `NoSuchBot`."""
    if name not in BOTS:
        raise NoSuchBot(name)
    module, cls = BOTS[name].split(":")
    bot: Bot = getattr(importlib.import_module(module), cls)()
    return bot
