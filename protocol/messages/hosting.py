"""The conversation with a host of bots: it offers seats, and is given some to play."""

from typing import Annotated

from msgspec import Meta

from durak.protocol.messages.basis import Command, FromServer, Level, TableId


class Host(Command, frozen=True, tag="host"):
    """A bot host offers to play `capacity` seats at these levels. Needs a host's token."""

    levels: Annotated[list[Level], Meta(min_length=1, max_length=3)]
    capacity: Annotated[int, Meta(ge=1, le=100_000)]


HostingCommand = Host


class SeatOffer(FromServer, frozen=True, tag="seat"):
    """To a bot host: connect with this token, attach to the table, and play at this level.

    `delay_ms`: lowest and highest delay before an action, to be drawn afresh each time.
    """

    token: str
    table: TableId
    level: Level
    delay_ms: tuple[int, int]


HostingMessage = SeatOffer
