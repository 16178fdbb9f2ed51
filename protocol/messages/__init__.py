"""The wire: every message between a server and its clients, typed. PROTOCOL.md explains them; schema.py generates the schema.

One module a conversation: greeting, lobby, table (with its views and events), hosting. Each closes the union of its commands and of
its messages to a client; the whole wire is their sum. Both encodings (codec.py) carry the same messages; `t` names the type.
"""

from durak.protocol.messages.basis import Chair, Cid, Command, FromClient, FromServer, Kind, Level, TableId
from durak.protocol.messages.events import (
    AnyTableEvent,
    AutoPassSet,
    CameBack,
    Created,
    HostIs,
    Rose,
    Sat,
    Started,
    TableEvent,
    TimedOut,
    ViewerEvent,
    Voided,
    Voted,
    WentAway,
)
from durak.protocol.messages.greeting import (
    MAX_FRAME_BYTES,
    PROTOCOL_VERSION,
    SUBPROTOCOL_JSON,
    SUBPROTOCOL_MSGPACK,
    CloseCode,
    Error,
    GreetingMessage,
    Heartbeat,
    Hello,
    Ok,
    Welcome,
)
from durak.protocol.messages.hosting import Host, HostingCommand, HostingMessage, SeatOffer
from durak.protocol.messages.lobby import Create, Lobby, LobbyCommand, LobbyMessage, LobbyState, Speed, TableListing
from durak.protocol.messages.table import (
    Act,
    AttachedCommand,
    AutoPass,
    Detached,
    Dismiss,
    Fill,
    Join,
    LeaveTable,
    Rematch,
    SeqEvents,
    Start,
    TableCommand,
    TableMessage,
    TableState,
    Update,
    Watch,
    Watchers,
)
from durak.protocol.messages.views import ChairView, ClockView, TableView, ViewChange, YouView

AnyCommand = LobbyCommand | TableCommand | HostingCommand
ClientMessage = Hello | AnyCommand
ServerMessage = GreetingMessage | LobbyMessage | TableMessage | HostingMessage

__all__ = [
    "PROTOCOL_VERSION",
    "SUBPROTOCOL_MSGPACK",
    "SUBPROTOCOL_JSON",
    "MAX_FRAME_BYTES",
    "CloseCode",
    # words
    "TableId",
    "Cid",
    "Chair",
    "Kind",
    "Level",
    "Speed",
    # from a client
    "FromClient",
    "Hello",
    "Command",
    "Create",
    "Lobby",
    "Join",
    "Watch",
    "LeaveTable",
    "Start",
    "Fill",
    "Dismiss",
    "Act",
    "AutoPass",
    "Rematch",
    "Host",
    "LobbyCommand",
    "AttachedCommand",
    "TableCommand",
    "HostingCommand",
    "AnyCommand",
    "ClientMessage",
    # from a server
    "FromServer",
    "Welcome",
    "Ok",
    "Error",
    "Heartbeat",
    "LobbyState",
    "TableListing",
    "TableState",
    "SeqEvents",
    "Update",
    "Watchers",
    "Detached",
    "SeatOffer",
    "GreetingMessage",
    "LobbyMessage",
    "TableMessage",
    "HostingMessage",
    "ServerMessage",
    # what a table looks like
    "TableView",
    "ViewChange",
    "ChairView",
    "ClockView",
    "YouView",
    # what happens at it
    "TableEvent",
    "Created",
    "Sat",
    "Rose",
    "HostIs",
    "Started",
    "WentAway",
    "CameBack",
    "Voted",
    "TimedOut",
    "Voided",
    "AutoPassSet",
    "AnyTableEvent",
    "ViewerEvent",
]
