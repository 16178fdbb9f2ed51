"""The conversation about the list of tables."""

from durak.protocol.messages import Lobby as LobbyCommand
from durak.protocol.messages import Ok
from durak.server.live.port import Viewer
from durak.server.lobby.listing import Lobby


class Browsing:
    """Shows the list to those who look at it."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby

    def carry_out(self, viewer: Viewer, command: LobbyCommand) -> None:
        """Begin or end receiving the list."""
        viewer.send(Ok(command.cid))
        if command.on:
            self._lobby.join(viewer)
        else:
            self._lobby.leave(viewer)

    def gone(self, viewer: Viewer) -> None:
        """A connection is lost."""
        self._lobby.leave(viewer)
