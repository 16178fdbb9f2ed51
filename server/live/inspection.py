"""A table as an operator sees it: what a spectator sees, and its inner life; never a hand, nor what only one seat knows."""

from typing import Any

import msgspec

from durak.server.live.port import LiveSummary
from durak.server.live.watching import Moment
from durak.server.table.machine import Table
from durak.server.table.view import Views

PUBLIC_CLOCKS = ("offer", "closing", "window", "turn")
"""Not auto_pass: whose pass is on its way is that seat's own affair."""


def inspected(now: Moment, summary: LiveSummary, now_ms: int) -> dict[str, Any]:
    """All that an operator may know of a table."""
    return {
        **line_of(summary),
        "entries": summary.entries,
        "queue": summary.queued,
        "busy": summary.busy,
        "clocks": clocks_of(now.table, now_ms),
        "view": msgspec.to_builtins(Views(now.table, now_ms).of(None)),
    }


def line_of(summary: LiveSummary) -> dict[str, Any]:
    """A table in the list."""
    table = summary.table
    frozen = {} if summary.frozen is None else {"frozen": summary.frozen}
    return {
        "table": table.table,
        "status": summary.status,
        **frozen,
        "preset": table.preset,
        "persons": table.persons,
        "bots": table.bots,
        "watchers": summary.watchers,
        "seq": table.seq,
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
