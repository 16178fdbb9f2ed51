"""The conversation of the lobby: the list of tables, and creating one."""

from typing import assert_never

from durak.protocol.messages import Create, Error, LobbyCommand, Ok
from durak.protocol.messages import Lobby as Look
from durak.server.edge.conversations.answers import arriving
from durak.server.given.entropy import Entropy
from durak.server.live.port import Viewer
from durak.server.live.registry import Registry
from durak.server.lobby.creation import creation_of
from durak.server.lobby.desk import Desk
from durak.server.lobby.listing import Lobby


class LobbyHandler:
    """Shows the list to those who look at it, and takes creations to the registry."""

    def __init__(self, registry: Registry, lobby: Lobby, desk: Desk, entropy: Entropy, *, dev: bool) -> None:
        self._registry = registry
        self._lobby = lobby
        self._desk = desk
        self._entropy = entropy
        self._dev = dev

    def carry_out(self, viewer: Viewer, command: LobbyCommand) -> None:
        """Do what the command says."""
        match command:
            case Create():
                self._create(viewer, command)
            case Look(on=on):
                viewer.send(Ok(command.cid))
                if on:
                    self._lobby.join(viewer)
                else:
                    self._lobby.leave(viewer)
            case _:
                assert_never(command)

    def gone(self, viewer: Viewer) -> None:
        """A connection is lost."""
        self._lobby.leave(viewer)

    def _create(self, viewer: Viewer, command: Create) -> None:
        before = self._registry.created_before(viewer.player, command.cid)
        if before is not None:
            arriving(viewer, command.cid, self._registry)(before)
            return
        first = creation_of(command, viewer.identity, self._entropy, dev=self._dev)
        if isinstance(first, Error):
            viewer.send(first)
        else:
            reply = arriving(viewer, command.cid, self._registry)
            self._registry.create(first, reply, unless=self._desk.lacks(command.bots))
