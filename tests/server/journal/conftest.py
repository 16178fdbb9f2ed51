"""An open SQLite journal, and its directory."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from durak.server.journal.sqlite import SqliteJournal


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
async def journal(directory: Path) -> AsyncIterator[SqliteJournal]:
    journal = await SqliteJournal.open(directory)
    yield journal
    await journal.close()
