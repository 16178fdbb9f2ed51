"""Who plays: bots named on the command line, and how each takes a seat.

| named | is |
|---|---|
| `normal` | a bot of this package |
| `module:Class` | a class of yours, imported from the current directory too, in a process of its own |
| `cmd:./mybot --fast` | a program that speaks the line protocol (docs/your-bot.md) |
| `account:python mybot.py --server {url} --table {table}` | a bot with an account, which connects as to a server |
| `NAME=…` | any of these under a name of your choice |
"""

import os
import random
import re
import shlex
import sys
from collections.abc import Sequence
from typing import Protocol

import msgspec

from durak.bots.arena.errors import ArenaError
from durak.bots.arena.match import Fault, OwnSeat, Seat, SeeingSeat
from durak.bots.arena.outside.lines import GameBegins, Limits
from durak.bots.arena.outside.program import Program
from durak.bots.arena.outside.seat import OutsideSeat
from durak.bots.bot import BOTS, Budget, NoSuchBot, bot_named
from durak.bots.players.rivals import Cheat
from durak.protocol.rules.ruleset import Ruleset

RENAMED = re.compile(r"([\w.-]+)=(.+)", re.DOTALL)
CLASS = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
PYTHON = re.compile(r"python[\d.]*")
LONGEST_NAME = 24
COMMAND = "cmd:"
ACCOUNT = "account:"


class Entrant(msgspec.Struct, frozen=True):
    """A bot's name in the arena, and what it is."""

    name: str
    spec: str

    def __str__(self) -> str:
        return self.spec if self.name == self.spec else f"{self.name}={self.spec}"


class Assignment(msgspec.Struct, frozen=True):
    """A seat to be taken. `seed` is for the bot's own random choices."""

    seat: int
    players: int
    rules: Ruleset
    seed: str
    budget: Budget


class Contestant(Protocol):
    """A bot that can take seats."""

    def sit(self, assignment: Assignment) -> Seat:
        """Take a seat of a new game."""
        ...

    def close(self) -> None:
        """End all that was started."""
        ...


class OwnContestant:
    """A bot of this package."""

    def __init__(self, level: str) -> None:
        self._bot = bot_named(level)

    def sit(self, assignment: Assignment) -> Seat:
        """Take a seat of a new game."""
        if isinstance(self._bot, Cheat):
            return SeeingSeat(self._bot, assignment.seat, assignment.rules, random.Random(assignment.seed), assignment.budget)
        return OwnSeat(self._bot, assignment.seat, assignment.rules, random.Random(assignment.seed), assignment.budget)

    def close(self) -> None:
        """There is nothing to end."""


class OutsideContestant:
    """A program, started as often as it has seats at a table, and again after it was stopped."""

    def __init__(self, command: Sequence[str], patience_ms: float) -> None:
        self._command = command
        self._patience_ms = patience_ms
        self._idle: list[Program] = []
        self._running: set[Program] = set()

    def start(self) -> Program:
        """A program that has no seat. Raises `Fault` if it does not greet."""
        if self._idle:
            return self._idle.pop()
        program = Program(self._command)
        self._running = {program, *(one for one in self._running if not one.stopped)}
        return program

    def sit(self, assignment: Assignment) -> Seat:
        """Take a seat of a new game."""
        limits = Limits(assignment.budget.ms, assignment.budget.nodes)
        game = GameBegins(assignment.seat, assignment.players, assignment.rules, assignment.seed, limits, self._patience_ms)
        return OutsideSeat(self.start, game, self._idle.append)

    def check(self) -> None:
        """Start it. Raises `Fault`."""
        self._idle.append(self.start())

    def close(self) -> None:
        """Stop every program."""
        for program in self._running:
            program.stop()
        self._running.clear()
        self._idle.clear()


def entrants(words: Sequence[str]) -> list[Entrant]:
    """The bots of these words, each with a name of its own.

    Raises `NoSuchBot`, or `ArenaError`: too_few_bots, same_name, bad_name, bad_bot.
    """
    bots = [_entrant(word) for word in words]
    if len(bots) < 2:
        raise ArenaError("too_few_bots", "an arena needs two bots or more")
    for bot in bots:
        if sum(other.name == bot.name for other in bots) > 1:
            raise ArenaError("same_name", f"two bots are called {bot.name!r}; give one another name: other={bot.spec}")
    return bots


def contestant_of(spec: str, patience_ms: float) -> Contestant:
    """The bot that plays as this says; programs are started when they take a seat."""
    if spec in BOTS:
        return OwnContestant(spec)
    return OutsideContestant(_command_of(spec), patience_ms)


def check_start(bot: Entrant, patience_ms: float) -> None:
    """Start a bot from outside once. Raises `ArenaError` bot_does_not_start."""
    contestant = contestant_of(bot.spec, patience_ms)
    if isinstance(contestant, OutsideContestant):
        try:
            contestant.check()
        except Fault as fault:
            raise ArenaError("bot_does_not_start", f"the bot {bot.name} does not start ({bot.spec}): {fault.detail}") from None
        finally:
            contestant.close()


def _entrant(word: str) -> Entrant:
    renamed = RENAMED.fullmatch(word)
    given, spec = renamed.groups() if renamed else (None, word)
    if spec.startswith((COMMAND, ACCOUNT)):
        try:
            command = shlex.split(spec.partition(":")[2])
        except ValueError as error:
            raise ArenaError("bad_bot", f"{spec!r} is no command: {error}") from None
        if not command:
            raise ArenaError("bad_bot", f"{spec} is followed by a command: cmd:./mybot")
        by_python = PYTHON.fullmatch(os.path.basename(command[0])) and len(command) > 1
        name = os.path.basename(command[1 if by_python else 0])
    elif ":" in spec:
        if not CLASS.fullmatch(spec):
            raise ArenaError("bad_bot", f"{spec!r} is no bot; say module:Class, or cmd:COMMAND")
        name = spec.split(":")[1]
    elif spec in BOTS:
        name = spec
    else:
        raise NoSuchBot(spec, [*BOTS, "module:Class", "cmd:COMMAND"])
    name = given or name
    if len(name) > LONGEST_NAME:
        raise ArenaError("bad_name", f"the name {name!r} is longer than {LONGEST_NAME} characters; give a shorter one: name={spec}")
    return Entrant(name, spec)


def _command_of(spec: str) -> list[str]:
    words = shlex.split(spec.partition(":")[2])
    if spec.startswith(COMMAND):
        return words
    if spec.startswith(ACCOUNT):
        return [sys.executable, "-m", "durak.bots.arena.outside.bridge", *words]
    return [sys.executable, "-m", "durak.bots.arena.outside.runner", spec]
