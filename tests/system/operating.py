"""A running server as its operator sees it: metrics, readiness, the admin commands, the database."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import time
from typing import Any

from prometheus_client.parser import text_string_to_metric_families

from tests.system.client import fetch
from tests.system.serving import Served, run_durak

Numbers = dict[tuple[str, frozenset[tuple[str, str]]], float]


class Scrape:
    """All metrics of a moment: `scrape("durak_tables", status="open")`; 0 for what has not been counted."""

    def __init__(self, text: str) -> None:
        self.numbers: Numbers = {
            (sample.name, frozenset(sample.labels.items())): sample.value
            for family in text_string_to_metric_families(text)
            for sample in family.samples
        }

    def __call__(self, name: str, **labels: str) -> float:
        return self.numbers.get((name, frozenset(labels.items())), 0.0)


def scrape(served: Served) -> Scrape:
    """The metrics now, at the port of the players."""
    status, body = fetch(f"{served.url}/metrics")
    assert status == 200, body
    return Scrape(body.decode())


def reaches(served: Served, least: float, name: str, **labels: str) -> None:
    """Wait until this metric is at least so high."""
    deadline = time.monotonic() + 15
    while (found := scrape(served)(name, **labels)) < least:
        assert time.monotonic() < deadline, (name, labels, found)
        time.sleep(0.1)


def readiness(served: Served) -> tuple[int, dict[str, str | None]]:
    """Status, and by check what is wrong with it."""
    status, body = fetch(f"{served.url}/readyz")
    told = json.loads(body)
    assert told["status"] == ("ready" if status == 200 else "not_ready")
    return status, {name: check.get("reason") for name, check in told["checks"].items()}


def becomes_ready(served: Served) -> dict[str, str | None]:
    """Wait until it is ready: on a busy machine any event loop lags now and then."""
    deadline = time.monotonic() + 30
    while (found := readiness(served))[0] != 200:
        assert time.monotonic() < deadline, found
        time.sleep(0.5)
    return found[1]


def admin(served: Served, *arguments: str) -> subprocess.CompletedProcess[str]:
    """`durak admin` for this server."""
    return run_durak("admin", *arguments, "--data", str(served.data))


def admin_says(served: Served, *arguments: str) -> Any:
    """What it prints as JSON."""
    done = admin(served, *arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def another_writes(served: Served, table: str) -> None:
    """Somebody else appends an entry of a running table that makes no sense."""
    with sqlite3.connect(served.data / "durak.db", timeout=10) as database:
        (last,) = database.execute("SELECT max(number) FROM entries WHERE name = ?", (table,)).fetchone()
        database.execute("INSERT INTO entries (name, number, entry) VALUES (?, ?, ?)", (table, last + 1, b"\x80"))
    database.close()
