"""The connection of every Python client: typed messages over `/ws`, commands with exactly one answer, resume after a loss."""

from durak.clients.link.errors import CannotConnect, LinkClosed, LinkError, NameRefused, Refused
from durak.clients.link.guest import Guest, guest_token
from durak.clients.link.link import Link

__all__ = ["Link", "LinkError", "CannotConnect", "LinkClosed", "NameRefused", "Refused", "Guest", "guest_token"]
