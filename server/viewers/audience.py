"""The audience: what viewers are shown of the tables they look at.

What is committed reaches every viewer in its own view; those who only look on share one.
"""

import logging
from collections.abc import Iterable, Sequence
from typing import Literal

from durak.protocol.messages import CloseCode, Detached, SeqEvents, TableState, Update, ViewerEvent, Watchers
from durak.protocol.rules.events import Public
from durak.server.given.clock import Clock
from durak.server.given.meter import Meter
from durak.server.live.port import Viewer
from durak.server.live.watching import Commit, Moment, Watcher
from durak.server.table.seating import AnyEvent
from durak.server.table.view import Views, history_seen_by, seen_by

logger = logging.getLogger(__name__)


class Audience(Watcher):
    """Sends viewers what they may see. One whose view can't be made is closed, and may come back: the others see theirs."""

    def __init__(self, clock: Clock, meter: Meter) -> None:
        self._clock = clock
        self._meter = meter
        self._watchers: dict[str, int] = {}  # by table, as told last

    # ---------------------------------------------------------------- coming and going

    def attached(self, now: Moment, viewer: Viewer, seen_seq: int | None) -> None:
        """Send the state to the one who has come."""
        self._send_state(now, viewer, seen_seq)
        self._count(now)

    def detached(self, now: Moment, viewer: Viewer) -> None:
        """Tell the others how many look on."""
        self._count(now)

    def ended(self, now: Moment, how: Literal["closed", "frozen"]) -> None:
        """A table is gone, or takes no inputs."""
        self._watchers.pop(now.table.id, None)
        for viewer in now.viewers:
            viewer.send(Detached(now.table.id, how))

    def _count(self, now: Moment) -> None:
        table, watchers = now.table.id, now.watchers
        if watchers != self._watchers.get(table, 0):
            self._watchers[table] = watchers
            message = Watchers(watchers)
            for viewer in now.viewers:
                viewer.send(message)

    # ---------------------------------------------------------------- whole states

    def reloaded(self, now: Moment, leaving: Sequence[Viewer]) -> None:
        """A table was read again: everybody gets its state."""
        self._let_go(now.table.id, leaving)
        for viewer in list(now.viewers):
            self._send_state(now, viewer, None)
        self._count(now)

    def _send_state(self, now: Moment, viewer: Viewer, seen_seq: int | None) -> None:
        try:
            viewer.shown = now.table
            viewer.send(self.state_for(now, viewer, seen_seq))
        except Exception:
            self._give_up(viewer)

    def state_for(self, now: Moment, viewer: Viewer, seen_seq: int | None) -> TableState:
        """All that a viewer is shown on attaching: the view, and what it missed or, without `seen_seq`, the running game."""
        table, history = now.table, now.history
        seat = table.seat_of_player(viewer.player)
        resumes = seen_seq is not None and history.first is not None and history.first - 1 <= seen_seq <= table.seq
        if seen_seq is not None:
            self._meter.resumed("events" if resumes else "snapshot")
        missed = self.missed(history, seat, (seen_seq or 0) if resumes else -1)
        view = Views(table, self._clock.now_ms()).of(viewer.player)
        return TableState(table.seq, "events" if resumes else "snapshot", missed, now.watchers, view)

    def missed(self, history: Iterable[tuple[int, list[AnyEvent]]], seat: int | None, after: int) -> list[SeqEvents]:
        """What has happened after this number, as the seat may know it."""
        return history_seen_by(history, seat, after)

    # ---------------------------------------------------------------- changes

    def committed(self, commit: Commit) -> None:
        """Something happened: every viewer gets it in its own view; spectators share one."""
        now = commit.now
        if now.viewers or commit.leaving:
            try:
                self._update(commit)
            except Exception:
                for viewer in list(now.viewers):
                    self._give_up(viewer)
        self._let_go(now.table.id, commit.leaving)
        if commit.restands:
            self._count(now)

    def events_for(self, events: Iterable[AnyEvent], seat: int | None) -> list[ViewerEvent]:
        """What has happened now, as the seat may know it."""
        return seen_by(events, seat)

    def _update(self, commit: Commit) -> None:
        table, events = commit.now.table, commit.events
        views = Views(table, self._clock.now_ms())
        seating = views.seating_since(commit.before)
        public = self.events_for(events, None)
        personal = not all(isinstance(event, Public) for event in events)
        shared: Update | None = None
        for viewer in [*commit.now.viewers, *commit.leaving]:
            shown, viewer.shown = viewer.shown, None
            if shown is table:
                continue
            player = viewer.player
            try:
                if views.sits(player):
                    seen = self.events_for(events, views.seat_of(player)) if personal else public
                    if seen or public:
                        viewer.send(Update(table.seq, seen, views.change_of(player, seating)))
                elif public:
                    if shared is None:
                        shared = Update(table.seq, public, views.change_of(None, seating))
                    viewer.send(shared)
            except Exception:
                self._give_up(viewer)

    def _let_go(self, table: str, leaving: Sequence[Viewer]) -> None:
        for viewer in leaving:
            viewer.send(Detached(table, "left"))

    def _give_up(self, viewer: Viewer) -> None:
        """What this viewer should see can't be made: it comes back, and gets the state of then."""
        self._meter.failed("view")
        logger.exception("a bug in the server: view", extra={"table": None if viewer.table is None else viewer.table.id})
        viewer.close(CloseCode.FAILED, "internal")
