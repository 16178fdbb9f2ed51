"""Refusals as messages: the code, the rule, and what is legal now."""

from durak.protocol.messages import Error
from durak.protocol.rules.errors import IllegalAction
from durak.server.live.table import Frozen, Refusal
from durak.server.table.chairs import Refused
from durak.server.table.machine import Table


def error_for(refusal: Refusal, cid: str, table: Table | None = None, player: str | None = None) -> Error:
    """The message for a refusal; for an illegal game action it tells what is legal now, and for which bout and epoch."""
    if isinstance(refusal, IllegalAction):
        game = None if table is None else table.game
        seat = None if table is None else table.seat_of_player(player)
        legal = game.legal(seat) if game is not None and seat is not None else []
        kernel = None if game is None else game.kernel
        return Error(
            refusal.reason.code,
            cid=cid,
            rule=refusal.reason.rule or None,
            legal=legal,
            bout=None if kernel is None else kernel.bout,
            epoch=None if kernel is None else kernel.epoch,
        )
    if isinstance(refusal, Refused):
        return Error(refusal.code, cid=cid, params=dict(refusal.params))
    if isinstance(refusal, Frozen):
        return Error("frozen", cid=cid)
    return Error("not_saved", cid=cid, params={"reason": refusal.code}, retry_after_ms=1_000)
