"""A table as an operator sees it: what a spectator sees, and its inner life; never a hand, nor what only one seat knows."""

from typing import Any, assert_never

import msgspec

from durak.server.live.table import LiveTable
from durak.server.table.deadlines import AutoPassDue, BoutCloses, Deadline, GraceEnds, OfferEnds, StartDue, TurnEnds, WindowEnds
from durak.server.table.machine import Table
from durak.server.table.view import Views


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
