"""How far a link has read its table: what is news, and what it has been told already."""

import msgspec

from durak.protocol.messages import Detached, Error, ServerMessage, TableState, TableView, Update
from durak.protocol.rules.events import Private


class Gap(Exception):
    """A sequence number is missing: what it held has to be asked for again."""


class Position:
    """The table of a link, its last sequence number and view."""

    def __init__(self, table: str | None) -> None:
        self.table = table
        self.seq: int | None = None
        self.view: TableView | None = None

    def take(self, message: ServerMessage) -> ServerMessage | None:
        """Follow a message; return what of it is new to the reader, or `None` if nothing is. Raises `Gap`."""
        match message:
            case TableState(seq=seq, resumed=resumed, missed=missed, view=view):
                if resumed == "events" and self.seq is not None and self.table == view.table:
                    known = self.seq
                    message = msgspec.structs.replace(message, missed=[one for one in missed if one.seq > known])
                self.table, self.seq, self.view = view.table, seq, view
            case Update(seq=seq, events=events, view=change):
                if self.seq is None or self.view is None or seq < self.seq:
                    return None
                if seq > self.seq + 1:
                    raise Gap(f"{seq} after {self.seq}")
                if seq == self.seq:
                    message = msgspec.structs.replace(message, events=[event for event in events if isinstance(event, Private)])
                self.seq, self.view = seq, change.applied_to(self.view)
            case Detached(table=table):
                if table == self.table:
                    self.table = self.seq = self.view = None
            case Error(code="no_such_table", params={"table": table}) if table == self.table:
                self.table = self.seq = self.view = None
            case _:
                pass
        return message
