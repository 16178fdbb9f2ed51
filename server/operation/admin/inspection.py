"""A table as an operator sees it: what a spectator sees, and its inner life; never a hand, nor what only one seat knows."""

from typing import Any

import msgspec

from durak.server.live.table import LiveTable
from durak.server.table.machine import Table
from durak.server.table.view import Views

PUBLIC_CLOCKS = ("offer", "closing", "window", "turn")
"""Not auto_pass: whose pass is on its way is that seat's own affair."""


def line_of(live: LiveTable, watchers: int) -> dict[str, Any]:
    """A table in the list."""
    table = live.table
    persons = sum(1 for _, occupant in table.occupants() if occupant.kind == "person")
    return {
        "table": table.id,
        "status": status_of(live),
        "preset": table.rules.preset,
        "persons": persons,
        "bots": len(table.occupants()) - persons,
        "watchers": watchers,
        "seq": table.seq,
    }


def status_of(live: LiveTable) -> str:
    """open, playing, finished, or frozen."""
    return "frozen" if live.frozen else live.table.status


def inspected(live: LiveTable, now_ms: int, watchers: int) -> dict[str, Any]:
    """All that an operator may know of a table."""
    return {
        **line_of(live, watchers),
        "entries": live.entries,
        "queue": live.waiting,
        "busy": live.busy,
        "clocks": clocks_of(live.table, now_ms),
        "view": msgspec.to_builtins(Views(live.table, now_ms).of(None)),
    }


def clocks_of(table: Table, now_ms: int) -> list[dict[str, Any]]:
    """What runs, with the milliseconds left: the clocks of the game by seat, grace periods by chair, the countdown."""
    running = [
        {"kind": kind, "ms": at - now_ms, **({} if seat < 0 else {"seat": seat})}
        for at, kind, seat in table.clocks.deadlines()
        if kind in PUBLIC_CLOCKS
    ]
    running += [{"kind": "grace", "ms": at - now_ms, "chair": chair} for chair, at in sorted(table.grace.items())]
    return running + ([] if table.start_ms is None else [{"kind": "start", "ms": table.start_ms - now_ms}])
