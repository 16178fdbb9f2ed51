"""A bot host under measurement: `python -m durak.server.bench.hosting PLAN` plays, and answers each line with what it has done.

PLAN is the JSON of a `HostPlan`; an answer is that of a `Told`.
"""

import asyncio
import random
import sys

import msgspec
import uvloop

from durak.bots.bot import BOTS, bot_named
from durak.bots.host.host import BotHost
from durak.bots.host.workers import NoThought, Workers
from durak.bots.knowing.memory import Memory
from durak.protocol.messages import Level
from durak.protocol.process import logs
from durak.protocol.rules.actions import AnyAction
from durak.protocol.rules.view import GameView


class HostPlan(msgspec.Struct):
    """What it offers, and how it thinks."""

    url: str
    token: str
    level: Level
    seats: int
    workers: int
    think_ms: float


class Told(msgspec.Struct):
    """What it has done so far; `spare_ms`: since it was last asked, how long before its use was over each answer came."""

    seats: int
    thoughts: int
    budgets_ms: float
    without: int
    replaced: int
    spare_ms: list[float]


class Watched(Workers):
    """Workers whose answers are timed."""

    def __init__(self, place: str, count: int, think_ms: float) -> None:
        super().__init__(place, count, think_ms)
        self.spare_ms: list[float] = []

    async def think(self, view: GameView, memory: Memory, seed: int, until: float) -> AnyAction | None:
        """See `Workers`."""
        try:
            return await super().think(view, memory, seed, until)
        except NoThought:
            until = 0.0
            raise
        finally:
            if until:
                self.spare_ms.append(1000 * (until - asyncio.get_running_loop().time()))


async def main(plan: HostPlan) -> None:
    """Play, and answer until the questions end."""
    logs.set_up("text", "warning", text="durak bots: %(message)s")
    workers = Watched(BOTS[plan.level], plan.workers, plan.think_ms)
    thinkers: dict[str, Workers] = {} if bot_named(plan.level).cheap else {plan.level: workers}
    host = BotHost(plan.url, plan.token, [plan.level], plan.seats, random.Random(), thinkers=thinkers)
    playing = asyncio.create_task(host.run())
    while await asyncio.to_thread(sys.stdin.readline):
        tally, spare_ms = workers.tally, workers.spare_ms
        workers.spare_ms = []
        told = Told(host.seats, tally.thoughts, tally.budgets_ms, tally.without, tally.replaced, spare_ms)
        print(msgspec.json.encode(told).decode(), flush=True)
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)


if __name__ == "__main__":
    uvloop.run(main(msgspec.json.decode(sys.argv[1], type=HostPlan)))
