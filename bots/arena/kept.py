"""The file in which an arena's progress is kept: a first line that says which arena it is, then a line for each deal.

Lines are only added, each whole or, when the process was killed, cut off; such a line is dropped, and its deal is played again.
"""

import os
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import IO, Any, Final, Self

import msgspec

from durak.bots.arena.deals import Arena
from durak.bots.arena.errors import ArenaError
from durak.bots.arena.outcome import DealOutcome
from durak.protocol.rules.ruleset import RULES_VERSION

FORMAT: Final = 1


class Heading(msgspec.Struct, frozen=True):
    """The first line."""

    arena_format: int
    durak: str
    rules: str
    arena: Arena


class Versions(msgspec.Struct, frozen=True):
    """The part of the first line that is read whatever its version."""

    arena_format: int
    durak: str
    rules: str


class Kept:
    """An open file of progress; `deals` holds what was played before.

    Raises `ArenaError`: resume_foreign (no such file of ours), resume_version, resume_differs. Then the file is untouched.
    """

    def __init__(self, path: Path, arena: Arena) -> None:
        self.deals: dict[int, DealOutcome] = {}
        heading = Heading(FORMAT, version("durak"), RULES_VERSION, arena)
        whole = _read(path, heading, self.deals) if path.exists() else 0
        self._file: IO[bytes] = path.open("r+b" if path.exists() else "xb")
        self._file.truncate(whole)
        self._file.seek(whole)
        if not whole:
            self._add(heading)

    def add(self, outcome: DealOutcome) -> None:
        """Keep a deal."""
        self.deals[outcome.deal] = outcome
        self._add(outcome)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()

    def _add(self, line: Heading | DealOutcome) -> None:
        self._file.write(msgspec.json.encode(line) + b"\n")
        self._file.flush()


def _read(path: Path, heading: Heading, deals: dict[int, DealOutcome]) -> int:
    """Read the deals, and return how many bytes of the file are whole lines."""
    content = path.read_bytes()
    whole = content.rfind(b"\n") + 1
    if not whole and b'{"arena_format":'.startswith(content[:16]):
        return 0  # empty, or killed while the first line was written
    first, *lines = content[:whole].splitlines() or [content]
    try:
        versions = msgspec.json.decode(first, type=Versions)
        _check_versions(path, versions)
        before = msgspec.json.decode(first, type=Heading)
        _check_same(path, before.arena, heading.arena)
        for line in lines:
            outcome = msgspec.json.decode(line, type=DealOutcome)
            deals.setdefault(outcome.deal, outcome)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise ArenaError("resume_foreign", f"{path} holds no progress of an arena: {error}; choose another file") from None
    return whole


def _check_versions(path: Path, its: Versions) -> None:
    ours = {"arena_format": FORMAT, "durak": version("durak"), "rules": RULES_VERSION}
    for name, value in ours.items():
        if getattr(its, name) != value:
            what = name.replace("_", " ")
            told = f"{path} was written by another version ({what} {getattr(its, name)}, this is {value}); choose another file"
            raise ArenaError("resume_version", told)


def _check_same(path: Path, its: Arena, ours: Arena) -> None:
    before, now = _settings(its), _settings(ours)
    for name in now:
        if before[name] != now[name]:
            told = f"{path} is of another arena: {name} {before[name]}, not {now[name]}; choose another file"
            raise ArenaError("resume_differs", told)


def _settings(arena: Arena) -> Mapping[str, Any]:
    settings: dict[str, Any] = {name: getattr(arena, name) for name in arena.__struct_fields__}
    settings["bots"] = " ".join(bot.spec if bot.name == bot.spec else f"{bot.name}={bot.spec}" for bot in arena.bots)
    return settings
