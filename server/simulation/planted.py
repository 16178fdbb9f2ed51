"""Bugs to order, one in each guarded place: a simulator that does not find them is worth nothing.

They are patched in from here, so the server itself has no switch for them.
"""

import asyncio
import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from durak.protocol.rules.events import Drew
from durak.protocol.rules.game import Game
from durak.protocol.rules.view import DrewSeen
from durak.server.edge.outbox import SocketConnection
from durak.server.live.table import LiveTable
from durak.server.table import view
from durak.server.table.clocks import Clocks
from durak.server.table.inputs import ByPlayer
from durak.server.table.seating import Seating
from durak.server.viewers.audience import Audience

Wrap = Callable[[Any], Any]
"""From what is there to what is planted in its place."""


class _Eager:
    """A journal that says at once that everything is durable."""

    def __init__(self, journal: Any) -> None:
        self._journal = journal

    def append(self, table: str, number: int, entries: Sequence[bytes]) -> "asyncio.Future[None]":
        self._journal.append(table, number, entries)
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        done.set_result(None)
        return done

    def __getattr__(self, name: str) -> Any:
        return getattr(self._journal, name)


def _append(init: Any) -> Any:
    """Replies and updates leave before the entry is durable."""

    def planted(self: LiveTable, table: str, journal: Any, *others: Any, **more: Any) -> None:
        init(self, table, _Eager(journal), *others, **more)

    return planted


def _cid(carry_out: Any) -> Any:
    """A command that comes again is carried out again."""

    def planted(self: LiveTable, table: Any, request: Any, *others: Any) -> Any:
        kept, table.done = table.done, {}
        after = carry_out(self, table, request, *others)
        new, table.done = after.done, kept
        if after is not table and isinstance(request.given, ByPlayer):
            player = request.given.player
            after.done = {**kept, player: {**kept.get(player, {}), **new.get(player, {})}}
        elif after is not table:
            after.done = kept
        return after

    return planted


def _stale(act: Any) -> Any:
    """An action is taken for the present bout and epoch, whichever it names."""
    return lambda self, seat, action, *, bout=None, epoch=None, deck=None: act(self, seat, action, deck=deck)


def _expiry(expire_until: Any) -> Any:
    """What has come is carried out before the expiries that were due."""

    def planted(self: LiveTable, table: Any, *others: Any) -> Any:
        return table if self._queue else expire_until(self, table, *others)

    return planted


def _resume(send_state: Any) -> Any:
    """Who comes back is not told of the first event it missed."""

    def planted(self: Audience, session: Any, live: LiveTable, seen_seq: int | None) -> None:
        late = seen_seq is not None and seen_seq < live.table.seq
        send_state(self, session, live, seen_seq + 1 if late and seen_seq is not None else seen_seq)

    return planted


def _view(form_for: Any) -> Any:
    """Everybody is told which cards a seat draws."""

    def planted(event: Any, viewer: int | None) -> Any:
        return DrewSeen(event.seat, len(event.cards), event.cards) if isinstance(event, Drew) else form_for(event, viewer)

    return planted


def _grace(returned: Any) -> Any:
    """The grace period of somebody who came back runs on."""

    def planted(self: Seating, player: str) -> Any:
        kept = dict(self.grace)
        events = returned(self, player)
        self.grace = kept
        return events

    return planted


def _outage(shift: Any) -> Any:
    """The clocks run while the server is down."""
    return lambda self, by_ms: None


def _presence(note_presence: Any) -> Any:
    """Who came or went while the store failed is not noted when it works again."""
    return lambda self, live: None


def _outbox(too_slow: Any) -> Any:
    """Frames that a slow reader does not take are dropped, and it is not told."""

    def planted(self: SocketConnection) -> None:
        self._frames.clear()
        self._bytes = 0

    return planted


PLANTS: dict[str, tuple[Any, str, Wrap]] = {
    "append": (LiveTable, "__init__", _append),
    "cid": (LiveTable, "_carry_out", _cid),
    "stale": (Game, "act", _stale),
    "expiry": (LiveTable, "_expire_until", _expiry),
    "resume": (Audience, "_send_state", _resume),
    "view": (view, "form_for", _view),
    "grace": (Seating, "_returned", _grace),
    "outage": (Clocks, "shift", _outage),
    "presence": (Audience, "_note_presence", _presence),
    "outbox": (SocketConnection, "_too_slow", _outbox),
}


@contextlib.contextmanager
def planted(name: str | None) -> Iterator[None]:
    """With this bug, or with none."""
    if name is None:
        yield
        return
    place, attribute, wrap = PLANTS[name]
    sound = getattr(place, attribute)
    setattr(place, attribute, wrap(sound))
    try:
        yield
    finally:
        setattr(place, attribute, sound)
