"""A table as an operator sees it: what a spectator sees, and its inner life; never a hand, nor what only one seat knows."""

from typing import Any, assert_never

import msgspec

from durak.server.live.port import LiveSummary
from durak.server.live.watching import Moment
from durak.server.table.deadlines import AutoPassDue, BoutCloses, Deadline, GraceEnds, OfferEnds, StartDue, TurnEnds, WindowEnds
from durak.server.table.machine import Table
from durak.server.table.view import Views


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
    """What runs, in the order in which it ends, with the milliseconds left: by seat, by chair, or for all."""
    named = [(_named(deadline), deadline.at_ms - now_ms) for deadline in table.deadlines()]
    return [{**name, "ms": left_ms} for name, left_ms in named if name is not None]


def _named(deadline: Deadline) -> dict[str, Any] | None:
    match deadline:
        case StartDue():
            return {"kind": "start"}
        case OfferEnds():
            return {"kind": "offer"}
        case BoutCloses():
            return {"kind": "closing"}
        case WindowEnds():
            return {"kind": "window"}
        case TurnEnds(seat=seat):
            return {"kind": "turn", "seat": seat}
        case GraceEnds(chair=chair):
            return {"kind": "grace", "chair": chair}
        case AutoPassDue():
            return None  # whose pass is on its way is that seat's own affair
        case _:
            assert_never(deadline)
