"""The conversation about tables: creating, joining, watching, and all that is done at one."""

from typing import assert_never

from durak.protocol.messages import (
    Act,
    AutoPass,
    Create,
    Detached,
    Dismiss,
    Error,
    Fill,
    Join,
    LeaveTable,
    Level,
    Ok,
    Rematch,
    Start,
    TableCommand,
    Watch,
)
from durak.server.edge.refusals import error_for
from durak.server.given.entropy import Entropy
from durak.server.live.outcome import Accepted, Outcome, Reply
from durak.server.live.port import Port, Viewer
from durak.server.live.registry import Registry
from durak.server.lobby.creation import bots_named, creation_of
from durak.server.lobby.desk import Desk
from durak.server.table.chairs import Refused
from durak.server.table.inputs import DismissBot, Play, Rise, SeatBots, SetAutoPass, SitDown, StartGame, Vote


class Tables:
    """Takes commands to tables, and their outcomes back."""

    def __init__(self, registry: Registry, desk: Desk, entropy: Entropy, *, dev: bool) -> None:
        self._registry = registry
        self._desk = desk
        self._entropy = entropy
        self._dev = dev

    # ---------------------------------------------------------------- to a table

    def create(self, viewer: Viewer, command: Create) -> None:
        """Create a table, and attach to it."""
        given = creation_of(command, viewer.identity, self._entropy, dev=self._dev)
        if isinstance(given, Error):
            viewer.send(given)
            return
        self._registry.create(given, self._arriving(viewer, command.cid), unless=self._no_bots(command.bots))

    def join(self, viewer: Viewer, command: Join) -> None:
        """Take a chair, or come back to one's own."""
        port = self._found(viewer, command)
        if port is not None:
            port.submit(
                SitDown(viewer.player, command.cid, viewer.identity.name, command.chair),
                self._arriving(viewer, command.cid, port),
            )

    def watch(self, viewer: Viewer, command: Watch) -> None:
        """Look at a table."""
        port = self._found(viewer, command)
        if port is not None:
            viewer.send(Ok(command.cid, port.id, port.summary().table.seq))
            port.attach(viewer)

    def _found(self, viewer: Viewer, command: Join | Watch) -> Port | None:
        port = self._registry.find(command.table)
        if port is not None and not port.summary().frozen:
            return port
        viewer.send(Error("no_such_table" if port is None else "frozen", cid=command.cid, params={"table": command.table}))
        return None

    def _arriving(self, viewer: Viewer, cid: str, known: Port | None = None) -> Reply:
        """The answer to a command after which its sender sits at a table."""

        def reply(outcome: Outcome) -> None:
            accepted = isinstance(outcome, Accepted)
            if accepted:
                viewer.send(answer_to(outcome, cid))
            port = self._registry.find(outcome.table) if isinstance(outcome, Accepted) else known
            if port is not None and (accepted or (isinstance(outcome, Refused) and outcome.code == "already_seated")):
                port.attach(viewer)
            if not accepted:
                viewer.send(answer_to(outcome, cid))

        return reply

    # ---------------------------------------------------------------- at a table

    def carry_out(self, viewer: Viewer, command: TableCommand) -> None:
        """What a player does at the table it is attached to."""
        port, player, cid = viewer.table, viewer.player, command.cid
        if port is None:
            viewer.send(Error("not_at_a_table", cid=cid))
            return

        def reply(outcome: Outcome) -> None:
            viewer.send(answer_to(outcome, cid))

        match command:
            case Act(action=action, bout=bout, epoch=epoch):
                port.submit(Play(player, cid, action, bout, epoch), reply)
            case AutoPass(on=on):
                port.submit(SetAutoPass(player, cid, on), reply)
            case LeaveTable():
                port.submit(Rise(player, cid), self._leaving(viewer, port, cid))
            case Start():
                port.submit(StartGame(player, cid), reply)
            case Fill(bots=levels):
                bots = bots_named(levels, port.summary().table.names, self._entropy)
                port.submit(SeatBots(player, cid, bots), reply, unless=self._no_bots(levels))
            case Dismiss(chair=chair):
                port.submit(DismissBot(player, cid, chair), reply)
            case Rematch():
                port.submit(Vote(player, cid), reply)
            case _:
                assert_never(command)

    def _leaving(self, viewer: Viewer, port: Port, cid: str) -> Reply:
        """The answer to leaving; who has no chair, or has left it before, only looked on and does so no more."""

        def reply(outcome: Outcome) -> None:
            looked_on = isinstance(outcome, Refused) and outcome.code in ("not_seated", "already_left") and not viewer.seated
            viewer.send(Ok(cid, port.id, port.summary().table.seq) if looked_on else answer_to(outcome, cid))
            if viewer.table is port and (looked_on or (isinstance(outcome, Accepted) and outcome.repeated)):
                port.detach(viewer)
                viewer.send(Detached(port.id, "left"))

        return reply

    def _no_bots(self, levels: list[Level]) -> Refused | None:
        """Why these bots can't be had."""
        if not levels or self._desk.can_fill(levels):
            return None
        return Refused("no_bots", levels=",".join(self._desk.levels()))


def answer_to(outcome: Outcome, cid: str) -> Ok | Error:
    """The one answer to a command."""
    return Ok(cid, outcome.table, outcome.seq) if isinstance(outcome, Accepted) else error_for(outcome, cid)
