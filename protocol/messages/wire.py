"""The whole wire: the sum of the conversations, and who may send which command."""

from typing import Final, assert_never

from durak.protocol.messages.basis import Kind
from durak.protocol.messages.greeting import GreetingMessage, Hello
from durak.protocol.messages.hosting import Host, HostingCommand, HostingMessage
from durak.protocol.messages.lobby import Create, Lobby, LobbyCommand, LobbyMessage
from durak.protocol.messages.table import (
    Act,
    AutoPass,
    Dismiss,
    Fill,
    Join,
    LeaveTable,
    Rematch,
    Start,
    TableCommand,
    TableMessage,
    Watch,
)
from durak.protocol.rules.actions import Leave

AnyCommand = LobbyCommand | TableCommand | HostingCommand
ClientMessage = Hello | AnyCommand
ServerMessage = GreetingMessage | LobbyMessage | TableMessage | HostingMessage

PERSONS: Final[frozenset[Kind]] = frozenset({"person"})
PLAYERS: Final[frozenset[Kind]] = frozenset({"person", "bot"})
HOSTS: Final[frozenset[Kind]] = frozenset({"host"})


def senders_of(command: AnyCommand) -> frozenset[Kind]:
    """Whose sessions may send this command; whether its sender sits at the table, and where, is the table's business.

    The bot of a seat plays, and does nothing else: it does not even leave.
    """
    match command:
        case Act(action=action):
            return PERSONS if isinstance(action, Leave) else PLAYERS
        case AutoPass():
            return PLAYERS
        case Create() | Lobby() | Join() | Watch() | LeaveTable() | Rematch() | Start() | Fill() | Dismiss():
            return PERSONS
        case Host():
            return HOSTS
        case _:
            assert_never(command)
