"""Tables with people, and how they play."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from tests.system.client import Client, Message
from tests.system.serving import Served

UNHURRIED: Message = {"turn_clock_s": None, "window_ms": None, "close_ms": 0}
"""Options of a table where nothing happens unless somebody acts."""


async def seated(
    connect: Callable[..., Awaitable[Client]], served: Served, names: Sequence[str], preset: str = "classic", **options: Any
) -> tuple[list[Client], str]:
    """These people at a new table, not yet playing; and the table."""
    people = [await connect(served, name) for name in names]
    table = await people[0].create(preset=preset, options={"max_players": max(2, len(names)), **UNHURRIED, **options})
    for person in people[1:]:
        await person.join(table)
    return people, table


async def started(
    connect: Callable[..., Awaitable[Client]],
    served: Served,
    names: Sequence[str] = ("Ann", "Bob"),
    preset: str = "classic",
    **options: Any,
) -> tuple[list[Client], str]:
    """These people in a game that has just begun; and the table."""
    people, table = await seated(connect, served, names, preset, **options)
    await people[0].ok("start")
    await asyncio.gather(*(person.until(lambda person=person: playing(person)) for person in people))
    return people, table


def playing(person: Client) -> bool:
    """True while a game runs."""
    return person.view is not None and person.view["status"] == "playing"


def actor(people: Sequence[Client]) -> Client:
    """Somebody who has a card to play or may take."""
    return next(person for person in people if person.legal)


async def one_action(people: Sequence[Client]) -> int:
    """Somebody does something legal, and everybody hears of it; gives its sequence number."""
    newest = max(person.seq or 0 for person in people)
    await asyncio.gather(*(person.until(lambda person=person: (person.seq or 0) >= newest) for person in people))
    person = actor(people)
    answer = await person.act(person.legal[0])
    assert answer["t"] == "ok", answer
    seq: int = answer["seq"]
    await asyncio.gather(*(other.until(lambda other=other: (other.seq or 0) >= seq) for other in people))
    return seq


async def play_on(person: Client, rng: random.Random) -> None:
    """Play one person's cards, at random, until the game is over."""
    while True:
        await person.until(lambda: not playing(person) or person.legal)
        if not playing(person):
            return
        answer = await person.act(rng.choice(person.legal))
        assert answer["t"] == "ok" or answer["code"] not in ("not_in_hand", "bad_message"), answer


async def play_out(people: Sequence[Client], seed: int) -> None:
    """Play a game to its end."""
    rng = random.Random(seed)
    await asyncio.gather(*(play_on(person, random.Random(rng.random())) for person in people))
