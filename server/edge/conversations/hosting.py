"""The conversation with bot hosts: they offer seats."""

from durak.protocol.messages import HostingCommand, Ok
from durak.server.live.port import Viewer
from durak.server.lobby.desk import Desk


class HostingHandler:
    """Takes offers to the desk."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def carry_out(self, viewer: Viewer, command: HostingCommand) -> None:
        """Offer seats."""
        viewer.send(Ok(command.cid))
        self._desk.host_offers(viewer, command.levels, command.capacity)

    def gone(self, viewer: Viewer) -> None:
        """A host's connection may be lost."""
        self._desk.host_gone(viewer)
