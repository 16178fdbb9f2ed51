"""The connection of every Python client: typed messages over `/ws`, commands with exactly one answer, resume after a loss."""

from durak.clients.link.dial import dial
from durak.clients.link.errors import CannotConnect, LinkClosed, LinkError, NameRefused, Refused
from durak.clients.link.guest import Guest, guest_token
from durak.clients.link.link import Link
from durak.clients.link.newer import LeftOut
from durak.clients.link.socket import Dial, Socket, SocketClosed

__all__ = [
    "Link",
    "LeftOut",
    "LinkError",
    "CannotConnect",
    "LinkClosed",
    "NameRefused",
    "Refused",
    "Guest",
    "guest_token",
    "dial",
    "Dial",
    "Socket",
    "SocketClosed",
]
