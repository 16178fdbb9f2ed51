"""The conversation of the lobby: the list of tables, and making one."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, field

from durak.protocol.messages.basis import Command, FromServer, Level, Status, TableId

Speed = Literal["watch", "fast"]


class Create(Command, frozen=True, tag="create"):
    """Create a table. `bots` fill chairs from the first free one; `sit` takes a chair; `start` begins at once.

    A table of bots only (`sit` false, at least two bots) begins by itself; `speed` "fast" lets its bots move without delay.
    """

    name: Annotated[str, Meta(max_length=40)] = ""
    preset: str = "classic"
    options: dict[str, Any] = field(default_factory=dict)
    bots: Annotated[list[Level], Meta(max_length=6)] = field(default_factory=list)
    sit: bool = True
    start: bool = False
    private: bool = False
    speed: Speed = "watch"


class Lobby(Command, frozen=True, tag="lobby"):
    """Begin or end receiving the list of tables."""

    on: bool


LobbyCommand = Create | Lobby


class TableListing(msgspec.Struct, frozen=True):
    """A line of the lobby."""

    table: TableId
    name: str
    preset: str
    status: Status
    chairs: int
    taken: int
    persons: int
    bots: int
    turn_clock_s: int | None
    discreet: bool
    watchers: int


class LobbyState(FromServer, frozen=True, tag="lobby"):
    """The tables to join or watch; `full` replaces the list, otherwise `tables` changes lines and `gone` removes them."""

    full: bool
    tables: list[TableListing]
    gone: list[TableId] = field(default_factory=list)


LobbyMessage = LobbyState
