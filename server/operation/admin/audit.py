"""What operators have done: in the log, and kept with the games."""

import asyncio
import logging
import time

import msgspec

from durak.server.given.clock import Clock
from durak.server.journal.contract import Journal, JournalError

logger = logging.getLogger(__name__)

KEY = "admin.audit"
KEPT = 1_000
"""The latest entries that are kept."""


class Done(msgspec.Struct, frozen=True, omit_defaults=True):
    """One act of an operator. `uid`: the user of this machine, where known; `outcome`: `ok`, or the code of the refusal."""

    at: str
    action: str
    outcome: str
    table: str | None = None
    uid: int | None = None


_decoder = msgspec.json.Decoder(list[Done])


class Audit:
    """The list of what was done, the oldest first."""

    def __init__(self, journal: Journal, clock: Clock) -> None:
        self._journal = journal
        self._clock = clock
        self._one_at_a_time = asyncio.Lock()

    async def note(self, action: str, outcome: str, table: str | None, uid: int | None) -> None:
        """Keep one act. If the store fails it stands in the log alone: an operator must be able to act just then."""
        at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self._clock.now_ms() / 1_000))
        logger.info("the operator has acted", extra={"action": action, "outcome": outcome, "table": table, "uid": uid})
        try:
            async with self._one_at_a_time:
                done = [*await self.all(), Done(at, action, outcome, table, uid)]
                await self._journal.put(KEY, msgspec.json.encode(done[-KEPT:]))
        except JournalError as error:
            logger.error("an act of the operator was not kept", extra={"action": action, "code": error.code})

    async def all(self) -> list[Done]:
        """What is kept. Raises `JournalError`."""
        stored = await self._journal.get(KEY)
        return [] if stored is None else _decoder.decode(stored)
