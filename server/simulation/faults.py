"""What goes wrong, and when: a seed has some kinds of faults, each at its rate."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import Protocol

from durak.server.simulation.disk import Disk
from durak.server.simulation.loop import VirtualLoop
from durak.server.simulation.machine import Machine
from durak.server.simulation.network import Network, Wire
from durak.server.simulation.person import Person
from durak.server.simulation.referee import Referee


class Afflicted(Protocol):
    """What faults happen to."""

    loop: VirtualLoop
    network: Network
    machine: Machine
    disk: Disk
    people: list[Person]
    referee: Referee

    async def replace_bot_host(self) -> None:
        """The bots' process dies, and another one starts."""


class Faults:
    """Causes faults until a time."""

    def __init__(self, world: Afflicted, rng: random.Random) -> None:
        self._world = world
        self._rng = rng
        kinds: list[tuple[Callable[[], Awaitable[None]], float]] = [
            (self._lose, 3.0),
            (self._fall_silent, 1.5),
            (self._slow_reader, 3.0),
            (self._crash, 1.5),
            (self._restart, 0.5),
            (self._pause, 1.0),
            (self._broken_disk, 2.0),
            (self._slow_disk, 1.5),
            (self._second_tab, 2.0),
            (self._bots_die, 0.5),
        ]
        chosen = [kind for kind in kinds if rng.random() < 0.65]
        self._kinds = [kind for kind, _ in chosen]
        self._weights = [weight * rng.choice((0.3, 1.0, 3.0)) for _, weight in chosen]
        self._every_s = rng.choice((3.0, 8.0, 20.0))

    async def run(self, until_s: float) -> None:
        """One after the other."""
        loop = self._world.loop
        while self._kinds and loop.time() < until_s:
            await asyncio.sleep(self._rng.expovariate(1 / self._every_s))
            kind = self._rng.choices(self._kinds, self._weights)[0]
            self._world.referee.seen[kind.__name__.lstrip("_").replace("_", " ")] += 1
            await kind()

    def _wire(self) -> Wire | None:
        wires = [wire for wire in self._world.network.wires if wire.alive]
        return self._rng.choice(wires) if wires else None

    async def _lose(self) -> None:
        wire = self._wire()
        if wire is not None:
            self._note("a connection is lost")
            wire.lose()

    async def _fall_silent(self) -> None:
        wire = self._wire()
        if wire is not None:
            self._note("a connection falls silent")
            wire.fall_silent()

    async def _slow_reader(self) -> None:
        wire = self._wire()
        if wire is not None:
            self._note("a client reads slowly")
            wire.slow_down(self._rng.choice((0.2, 3.0, 8.0)), self._rng.uniform(10, 180))

    async def _crash(self) -> None:
        self._world.machine.crash()
        await asyncio.sleep(self._rng.choice((0.05, 1.0, 5.0, 20.0, 90.0)) * self._rng.random())
        await self._world.machine.start()

    async def _restart(self) -> None:
        await self._world.machine.stop()
        await asyncio.sleep(self._rng.uniform(0.1, 3))
        await self._world.machine.start()

    async def _pause(self) -> None:
        life = self._world.machine.life
        if life is not None:
            seconds = self._rng.choice((0.3, 2.0, 8.0, 20.0)) * self._rng.random()
            self._note(f"the server stands still for {seconds:.1f} s")
            life.process.pause(seconds)

    async def _broken_disk(self) -> None:
        seconds = self._rng.uniform(0.5, 10)
        self._note(f"the disk is broken for {seconds:.1f} s")
        self._world.disk.broken_until_s = self._world.loop.time() + seconds

    async def _slow_disk(self) -> None:
        seconds = self._rng.uniform(1, 20)
        self._note(f"the disk is slow for {seconds:.1f} s")
        self._world.disk.slow_until_s = self._world.loop.time() + seconds

    async def _second_tab(self) -> None:
        people = [person for person in self._world.people if person.tabs and not person.home]
        if people:
            person = self._rng.choice(people)
            self._note(f"{person.name} opens another tab")
            person.open_tab()

    async def _bots_die(self) -> None:
        self._note("the bots' host dies")
        await self._world.replace_bot_host()

    def _note(self, what: str) -> None:
        self._world.referee.note("fault", what)
