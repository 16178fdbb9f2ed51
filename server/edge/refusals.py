"""Refusals as messages: the code, the rule, and what is legal now."""

from typing import assert_never

from durak.protocol.messages import Error
from durak.server.journal.contract import JournalError
from durak.server.live.outcome import Frozen, Illegal, Internal, Refusal
from durak.server.table.chairs import Refused


def error_for(refusal: Refusal, cid: str) -> Error:
    """The message for a refusal."""
    match refusal:
        case Illegal(reason=reason, legal=legal, bout=bout, epoch=epoch):
            return Error(reason.code, cid=cid, rule=reason.rule, legal=legal, bout=bout, epoch=epoch)
        case Refused(code=code, params=params):
            return Error(code, cid=cid, params=dict(params))
        case Frozen():
            return Error("frozen", cid=cid)
        case Internal():
            return Error("internal", cid=cid)
        case JournalError(code=code):
            return Error("not_saved", cid=cid, params={"reason": code}, retry_after_ms=1_000)
        case _:
            assert_never(refusal)
