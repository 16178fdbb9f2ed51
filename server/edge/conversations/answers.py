"""The one answer to a command, and what follows for those who sit at a table after it."""

from durak.protocol.messages import Error, Ok
from durak.server.edge.refusals import error_for
from durak.server.live.outcome import Accepted, Outcome, Reply
from durak.server.live.port import Port, Viewer
from durak.server.live.registry import Registry
from durak.server.table.chairs import Refused


def answer_to(outcome: Outcome, cid: str) -> Ok | Error:
    """What the sender of the command is told."""
    return Ok(cid, outcome.table, outcome.seq) if isinstance(outcome, Accepted) else error_for(outcome, cid)


def arriving(viewer: Viewer, cid: str, registry: Registry, known: Port | None = None) -> Reply:
    """Answers a command after which its sender sits at a table, the `known` one or a new one, and attaches it there.

    Whoever sits there already is shown the table before it is told so.
    """

    def reply(outcome: Outcome) -> None:
        accepted = isinstance(outcome, Accepted)
        if accepted:
            viewer.send(answer_to(outcome, cid))
        port = registry.find(outcome.table) if isinstance(outcome, Accepted) else known
        if port is not None and (accepted or (isinstance(outcome, Refused) and outcome.code == "already_seated")):
            port.attach(viewer)
        if not accepted:
            viewer.send(answer_to(outcome, cid))

    return reply
