"""The conversation about one table: joining and watching it, and all that is done there."""

from typing import assert_never

from durak.protocol.messages import (
    Act,
    AttachedCommand,
    AutoPass,
    Detached,
    Dismiss,
    Error,
    Fill,
    Join,
    LeaveTable,
    Ok,
    Rematch,
    Start,
    TableCommand,
    Watch,
)
from durak.server.edge.conversations.answers import answer_to, arriving
from durak.server.given.entropy import Entropy
from durak.server.live.outcome import Outcome
from durak.server.live.port import Port, Viewer
from durak.server.live.registry import Registry
from durak.server.lobby.creation import bots_named
from durak.server.lobby.desk import Desk
from durak.server.table.inputs import DismissBot, Play, Rise, SeatBots, SetAutoPass, SitDown, StartGame, Vote


class TableHandler:
    """Takes commands to tables, and their outcomes back."""

    def __init__(self, registry: Registry, desk: Desk, entropy: Entropy) -> None:
        self._registry = registry
        self._desk = desk
        self._entropy = entropy

    def carry_out(self, viewer: Viewer, command: TableCommand) -> None:
        """Do what the command says."""
        match command:
            case Join() | Watch():
                self._come(viewer, command)
            case Act() | LeaveTable() | Start() | Fill() | Dismiss() | AutoPass() | Rematch():
                if viewer.table is None:
                    viewer.send(Error("not_at_a_table", cid=command.cid))
                else:
                    self._submit(viewer, viewer.table, command)
            case _:
                assert_never(command)

    # ---------------------------------------------------------------- to a table

    def _come(self, viewer: Viewer, command: Join | Watch) -> None:
        port = self._registry.find(command.table)
        if port is None or port.frozen:
            viewer.send(Error("no_such_table" if port is None else "frozen", cid=command.cid, params={"table": command.table}))
        elif isinstance(command, Join):
            reply = arriving(viewer, command.cid, self._registry, port)
            port.submit(SitDown(viewer.player, command.cid, viewer.identity.name, command.chair), reply)
        else:
            viewer.send(Ok(command.cid, port.id, port.summary().table.seq))
            port.attach(viewer)

    # ---------------------------------------------------------------- at a table

    def _submit(self, viewer: Viewer, port: Port, command: AttachedCommand) -> None:
        player, cid = viewer.player, command.cid

        def reply(outcome: Outcome) -> None:
            viewer.send(answer_to(outcome, cid))

        match command:
            case Act(action=action, bout=bout, epoch=epoch):
                port.submit(Play(player, cid, action, bout, epoch), reply)
            case AutoPass(on=on):
                port.submit(SetAutoPass(player, cid, on), reply)
            case LeaveTable() if viewer.seated:
                port.submit(Rise(player, cid), reply)
            case LeaveTable():  # it only looks on, or repeats what was answered on a lost connection
                viewer.send(Ok(cid, port.id, port.answered(player, cid) or port.summary().table.seq))
                port.detach(viewer)
                viewer.send(Detached(port.id, "left"))
            case Start():
                port.submit(StartGame(player, cid), reply)
            case Fill(bots=levels):
                bots = bots_named(levels, port.summary().table.names, self._entropy)
                port.submit(SeatBots(player, cid, bots), reply, unless=self._desk.lacks(levels))
            case Dismiss(chair=chair):
                port.submit(DismissBot(player, cid, chair), reply)
            case Rematch():
                port.submit(Vote(player, cid), reply)
            case _:
                assert_never(command)
