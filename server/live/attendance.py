"""Who looks at a live table, and what the table learns of it: a person without a connection has dropped."""

from typing import Protocol

from durak.protocol.messages import CloseCode, Detached
from durak.server.live.common import Common
from durak.server.live.port import Port, Viewer
from durak.server.live.watching import Moment
from durak.server.table.inputs import Dropped, Returned
from durak.server.table.machine import Table


class Attended(Port, Protocol):
    """A table that has viewers: it is told of through its port, too."""

    @property
    def table(self) -> Table:
        """As it is committed now."""
        ...

    def moment(self) -> Moment:
        """The same, and who looks at it."""
        ...


class Attendance:
    """The viewers of one table, in the order of their coming."""

    def __init__(self, live: Attended, common: Common) -> None:
        self.viewers: list[Viewer] = []
        self._live = live
        self._common = common

    def attach(self, viewer: Viewer, seen_seq: int | None) -> None:
        """See `Port.attach`."""
        live, table, player = self._live, self._live.table, viewer.player
        if viewer.gone:
            self._drop(player)
            return
        if live.frozen:
            viewer.send(Detached(live.id, "frozen"))
            return
        if viewer.table is not None and viewer.table is not live:
            viewer.table.detach(viewer)
        is_bot, seated = viewer.identity.kind == "bot", table.is_seated(player)
        if is_bot and (viewer.identity.table != table.id or not seated):
            viewer.close(CloseCode.SEAT_GONE, "seat_gone")
            return
        has_chair = table.chair_of(player) is not None
        if has_chair:
            self._replace(viewer)
        if viewer not in self.viewers:
            self.viewers.append(viewer)
        viewer.table, viewer.seated = live, seated
        now = live.moment()
        self._common.tell(live.id, lambda watcher: watcher.attached(now, viewer, seen_seq))
        if has_chair and not is_bot:
            live.submit(Returned(player))

    def _replace(self, viewer: Viewer) -> None:
        """Close a player's earlier connection, so that no click counts twice."""
        for other in [other for other in self.viewers if other is not viewer and other.player == viewer.player]:
            self._forget(other)
            other.close(CloseCode.REPLACED, "replaced")
            self._common.meter.taken_over()

    def detach(self, viewer: Viewer) -> None:
        """See `Port.detach`."""
        if viewer not in self.viewers:
            return
        self._forget(viewer)
        now = self._live.moment()
        self._common.tell(now.table.id, lambda watcher: watcher.detached(now, viewer))
        if viewer.identity.kind != "bot":
            self._drop(viewer.player)

    def _drop(self, player: str) -> None:
        table = self._live.table
        connected = any(viewer.player == player for viewer in self.viewers)
        if table.chair_of(player) is not None and not connected and not self._common.closing:
            self._live.submit(Dropped(player))

    def _forget(self, viewer: Viewer) -> None:
        self.viewers.remove(viewer)
        viewer.table, viewer.seated = None, False

    def leaving(self) -> list[Viewer]:
        """Detach the persons who have just left their chairs, and return them: they are still to be told of it."""
        table, leaving = self._live.table, []
        for viewer in self.viewers:
            was_seated, viewer.seated = viewer.seated, table.is_seated(viewer.player)
            if was_seated and not viewer.seated and viewer.identity.kind == "person":
                leaving.append(viewer)
        for viewer in leaving:
            self._forget(viewer)
        return leaving

    def note_presence(self) -> None:
        """Tell the table again who is connected and who is not: what it was told may not have been written."""
        present = {viewer.player for viewer in self.viewers}
        for _, occupant in self._live.table.persons():
            if occupant.away and occupant.player in present:
                self._live.submit(Returned(occupant.player))
            elif not occupant.away and occupant.player not in present:
                self._drop(occupant.player)

    def end(self) -> None:
        """Let everybody go."""
        for viewer in list(self.viewers):
            self._forget(viewer)
