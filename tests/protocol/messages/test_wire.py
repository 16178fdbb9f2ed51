"""The conversations add up to the wire, and each command is some kind of sender's."""

from typing import Any, get_args

import pytest

from durak.protocol.messages import (
    Act,
    AnyCommand,
    AutoPass,
    ClientMessage,
    Command,
    Create,
    Dismiss,
    Fill,
    FromClient,
    FromServer,
    Host,
    Join,
    LeaveTable,
    Lobby,
    Rematch,
    ServerMessage,
    Start,
    Watch,
    senders_of,
)
from durak.protocol.rules.actions import Leave, Take

TABLE = "K7P2QX"
SENDERS: list[tuple[AnyCommand, set[str]]] = [
    (Create("1"), {"person"}),
    (Lobby("1", True), {"person"}),
    (Join("1", TABLE), {"person"}),
    (Watch("1", TABLE), {"person"}),
    (LeaveTable("1"), {"person"}),
    (Start("1"), {"person"}),
    (Fill("1", ["easy"]), {"person"}),
    (Dismiss("1", 0), {"person"}),
    (Act("1", Take(), 1), {"person", "bot"}),
    (Act("1", Leave(), 1), {"person"}),
    (AutoPass("1", True), {"person", "bot"}),
    (Rematch("1"), {"person"}),
    (Host("1", ["easy"], 1), {"host"}),
]


@pytest.mark.parametrize(("command", "senders"), SENDERS, ids=lambda value: type(value).__name__)
def test_who_may_send_a_command(command: AnyCommand, senders: set[str]) -> None:
    assert senders_of(command) == senders


def test_every_command_is_in_the_table_above() -> None:
    assert {type(command) for command, _ in SENDERS} == set(get_args(AnyCommand))


def all_below(kind: type[Any]) -> set[type[Any]]:
    """The classes of a kind that others are not made from."""
    below = kind.__subclasses__()
    return {kind}.union(*map(all_below, below)) - {kind} if below else {kind}


@pytest.mark.parametrize(("kind", "union"), [(Command, AnyCommand), (FromClient, ClientMessage), (FromServer, ServerMessage)])
def test_no_message_is_forgotten_in_the_union_of_its_conversation(kind: type[Any], union: Any) -> None:
    assert all_below(kind) == set(get_args(union))
