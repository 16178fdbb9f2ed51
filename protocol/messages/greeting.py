"""The conversation of every connection: hello and welcome, the answers to commands, the heartbeat, the end."""

from typing import Annotated

from msgspec import Meta, field

from durak.protocol.messages.basis import Cid, FromClient, FromServer, Kind, TableId
from durak.protocol.rules.actions import AnyAction

PROTOCOL_VERSION = 2
"""Grows with every change of the wire; the number in the subprotocols only when clients of before can't go on."""
SUBPROTOCOL_MSGPACK = "durak.v1.msgpack"
SUBPROTOCOL_JSON = "durak.v1.json"
MAX_FRAME_BYTES = 4096
"""Largest frame a client may send."""


class Hello(FromClient, frozen=True, tag="hello"):
    """The first frame. With `table`, the connection attaches to it: to the player's own chair if there is one, else as a spectator.

    `seq` is the last sequence number the client has seen of that table, and asks for the events it missed. `capabilities` names
    what the client can do beyond this version; a server ignores those that it does not know.
    """

    token: Annotated[str, Meta(max_length=2000)]
    table: TableId | None = None
    seq: Annotated[int, Meta(ge=0)] | None = None
    capabilities: Annotated[list[Annotated[str, Meta(max_length=40)]], Meta(max_length=32)] = field(default_factory=list)


class Welcome(FromServer, frozen=True, tag="welcome"):
    """The answer to `hello`. Silence for longer than two heartbeats means that the connection is lost."""

    player: str
    name: str
    kind: Kind
    server: str
    protocol: int
    rules: str
    heartbeat_ms: int


class Ok(FromServer, frozen=True, tag="ok"):
    """A command was accepted: for a table's commands `seq` is its place in the table's sequence."""

    cid: Cid
    table: TableId | None = None
    seq: int | None = None


class Error(FromServer, frozen=True, tag="error"):
    """A refusal: a stable code, for people to be rendered by the client. Nothing has changed.

    `cid` is missing when the frame could not be understood. `rule`: paragraph of RULES.md. `params`: what the sentence needs.
    `legal`: what the seat may do now, with the `bout` and `epoch` to name, when a game action was refused.
    """

    code: str
    cid: Cid | None = None
    rule: str | None = None
    params: dict[str, str | int] = field(default_factory=dict)
    legal: list[AnyAction] | None = None
    bout: int | None = None
    epoch: int | None = None
    retry_after_ms: int | None = None


class Heartbeat(FromServer, frozen=True, tag="heartbeat"):
    """Sent when nothing else was for a few seconds, since a browser does not see WebSocket pings."""


GreetingMessage = Welcome | Ok | Error | Heartbeat


class CloseCode:
    """4000-4099: reconnect and resume. 4100-4199: do not."""

    RESTARTING = 4000
    SLOW = 4001
    FAILED = 4002
    REPLACED = 4100
    BAD_TOKEN = 4101
    BAD_FRAME = 4102
    NO_HELLO = 4103
    FLOODING = 4104
    SEAT_GONE = 4105
