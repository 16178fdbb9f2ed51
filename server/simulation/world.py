"""One seed: a server, its network and disk, some people and bots, and what goes wrong; the same run every time."""

import asyncio
import gc
import logging
from dataclasses import dataclass, field
from typing import Any

from durak.bots.host.host import BotHost
from durak.server.people.tokens import Identity
from durak.server.simulation.chance import Chance, token_for
from durak.server.simulation.disk import Disk
from durak.server.simulation.faults import Faults
from durak.server.simulation.inspection import disagreements, leftovers
from durak.server.simulation.loop import Stuck, VirtualLoop
from durak.server.simulation.machine import Machine
from durak.server.simulation.network import Network
from durak.server.simulation.person import Board, Person, Temper
from durak.server.simulation.planted import SOUND, Plant
from durak.server.simulation.process import make_task
from durak.server.simulation.referee import Complaints, Referee, traceback_of

HOME_WITHIN_S = 3_600.0
"""From the last fault until everybody has finished the game and gone home."""
EMPTY_WITHIN_S = 4 * 3_600.0
"""From then until the last table has ended: games that only bots, or nobody, plays on."""
BOT_SEATS = 8
WORK_S = ((0.0002, 0.005), (0.002, 0.03), (0.02, 0.3))
"""What one append takes on different disks."""
LATENCIES_S = ((0.0005, 0.002), (0.01, 0.06), (0.03, 0.4))


@dataclass
class Outcome:
    """What a seed gave. `seen` counts what happened."""

    seed: int
    trace_hash: str
    violations: list[str]
    trace: list[str]
    seen: dict[str, int] = field(default_factory=dict)
    virtual_s: float = 0.0


class World:
    """Everything of one seed."""

    def __init__(self, seed: int, *, keep_trace: bool = False, plant: Plant = SOUND) -> None:
        self.seed = seed
        self.loop = VirtualLoop()
        self.loop.set_task_factory(make_task)
        self.loop.set_exception_handler(self._escaped)
        self.chance = Chance(seed)
        rng = self._rng = self.chance.of("world")
        self.referee = Referee(self.chance.of("referee"), self.loop.time, plant.make_truth, keep_all=keep_trace)
        self.disk = Disk(self.referee.written, rng.choice(WORK_S))
        self.network = Network(self.loop, self.chance, rng.choice(LATENCIES_S), self.referee.watch)
        self.network.repeats = rng.choice((0.0, 0.05, 0.2))
        dev = rng.random() < 0.5
        self.machine = Machine(self.loop, self.chance, self.network, self.disk, self.referee, plant, dev=dev)
        self.board = self._parties(dev)
        self.people = self._people()
        self._faults_s = rng.choice((20.0, 45.0, 100.0))
        self._faults = Faults(self, self.chance.of("faults"))
        self._bots: asyncio.Task[None] | None = None
        self._hosts = 0

    # ---------------------------------------------------------------- who is there

    def _parties(self, dev: bool) -> Board:
        rng = self._rng
        count = rng.choice((1, 1, 1, 1, 2))
        seats = [rng.randint(2, 6) for _ in range(count)]
        persons = [rng.randint(1, min(4, most)) for most in seats]
        return Board([None] * count, seats, persons, games=rng.choice((1, 2, 3)), dev=dev)

    def _people(self) -> list[Person]:
        rng, people = self._rng, []
        for party, size in enumerate(self.board.parties):
            watchers = rng.choice((0, 0, 1, 2))
            pace_s = rng.choice((0.15, 0.15, 0.5, 2.0))
            for number in range(size + watchers):
                silent = rng.random() < 0.1
                temper = Temper(
                    think_s=rng.choice((15.0, 45.0)) if silent else pace_s * rng.uniform(0.5, 2.0),
                    waits=rng.choice((0.0, 0.0, 0.03, 0.3)),
                    mistakes=rng.choice((0.0, 0.05, 0.15)),
                    whims=rng.choice((0.0, 0.01, 0.05)),
                    leaves=rng.choice((0.0, 0.0, 0.005, 0.03)),
                )
                name = f"p{party}{'abcdefgh'[number]}"
                person = Person(name, party, number >= size, temper, self.board, self.chance, self.network, self.referee)
                person.is_host = number == 0
                people.append(person)
        return people

    async def replace_bot_host(self) -> None:
        """The bots' process dies, and another one starts."""
        if self._bots is not None:
            self._bots.cancel()
            await asyncio.gather(self._bots, return_exceptions=True)
        self._hosts += 1
        name = f"bots{self._hosts}"
        token = token_for(Identity("host:own", "bot host", "host"))
        host = BotHost("simulated", token, ["easy", "normal"], BOT_SEATS, self.chance.of(name), self.network.dialer(name))
        self._bots = self.loop.create_task(host.run())

    # ---------------------------------------------------------------- the run

    def run(self) -> Outcome:
        """Live through it; stops at the first violation."""
        complaints = Complaints(self.referee)
        loggers = [logging.getLogger("durak"), logging.getLogger("asyncio")]
        before = [(logger.propagate, logger.level) for logger in loggers]
        for logger in loggers:
            logger.addHandler(complaints)
            logger.propagate = False
        story = self.loop.create_task(self._story())
        self.referee.on_violation = lambda: self.loop.call_soon(story.cancel)
        try:
            self.loop.run_until_complete(asyncio.wait([story]))
            if not story.cancelled() and story.exception() is not None:
                self._escaped(self.loop, {"message": "the story broke off", "exception": story.exception()})
        except Stuck:
            self.referee.report("everybody waits for somebody else")
        finally:
            self.referee.on_violation = None
            self._end()
            for logger, (propagate, level) in zip(loggers, before, strict=True):
                logger.removeHandler(complaints)
                logger.propagate, logger.level = propagate, level
        seen = self.referee.seen
        seen["games"] = sum(truth.table.games for truth in self.referee.truths.values())
        seen["actions"] = sum(truth.plays for truth in self.referee.truths.values())
        seen["tables"] = len(self.referee.truths)
        seen["lives"] = self.machine.lives
        seen["failed appends"] = self.disk.failed
        referee = self.referee
        return Outcome(self.seed, referee.trace_hash, referee.violations, referee.trace(), dict(seen), self.loop.time())

    async def _story(self) -> None:
        await self.machine.start()
        await self.replace_bot_host()
        lives = [self.loop.create_task(person.live()) for person in self.people]
        watching = self.loop.create_task(self._compare_now_and_then())
        await self._faults.run(self.loop.time() + self._faults_s)
        await self._until_games_are_played()
        self.board.calm = True
        self.referee.note("world", "time to go home")
        _, awake = await asyncio.wait(lives, timeout=HOME_WITHIN_S)
        for task in lives:
            if task.done():
                task.result()
        if awake:
            self.referee.report(f"{len(awake)} people cannot finish their game")
        watching.cancel()
        await self._until_empty()
        for person in self.people:
            for tab in person.tabs:
                tab.hold_against(self.referee)

    async def _until_games_are_played(self) -> None:
        """Give a game that has begun the chance to end with everybody at the table."""
        for _ in range(20):
            life = self.machine.life
            if life is None or not life.node.registry.census()[0]["playing"]:
                return
            await asyncio.sleep(10)

    async def _compare_now_and_then(self) -> None:
        rng = self.chance.of("inspection")
        while True:
            await asyncio.sleep(rng.uniform(0.2, 8))
            life = self.machine.life
            if life is not None:
                self.machine.compare()
                for disagreement in disagreements(life.node, self.referee):
                    self.referee.report(disagreement)

    async def _until_empty(self) -> None:
        life = self.machine.life
        assert life is not None
        deadline = self.loop.time() + EMPTY_WITHIN_S
        while life.node.registry and self.loop.time() < deadline:
            self.machine.compare()
            await asyncio.sleep(30)
        assert self._bots is not None
        self._bots.cancel()
        await asyncio.gather(self._bots, return_exceptions=True)
        await asyncio.sleep(60)
        for held in leftovers(life.node):
            self.referee.report(f"at the end the server still holds {held}")
        await self.machine.stop()

    def _escaped(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:

        error = context.get("exception")
        where = "" if error is None else traceback_of(error)
        self.referee.report(f"an exception escaped: {context.get('message')} {where}")

    def _end(self) -> None:
        """Let go of everything that still runs."""
        self.loop.set_exception_handler(lambda loop, context: None)
        if self.machine.life is not None:
            self.machine.life.process.kill()
        tasks = asyncio.all_tasks(self.loop)
        for task in tasks:
            task.cancel()
        try:
            if tasks:
                self.loop.run_until_complete(asyncio.wait(tasks))
        except Stuck:
            pass
        self.loop.close()


def free_memory() -> None:
    """Collect what worlds have left; starting a server freezes what exists, so that has to be undone first."""
    gc.unfreeze()
    gc.collect()
