"""The stores that have to pass the contract, each as a way to open one and the same journal again and again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from durak.server.journal.contract import Journal
from durak.server.journal.sqlite import SqliteJournal

Opener = Callable[[], Awaitable[Journal]]


def sqlite(request: pytest.FixtureRequest) -> Opener:
    directory: Path = request.getfixturevalue("tmp_path") / "data"
    return lambda: SqliteJournal.open(directory)


STORES: dict[str, Callable[[pytest.FixtureRequest], Opener]] = {"sqlite": sqlite}
