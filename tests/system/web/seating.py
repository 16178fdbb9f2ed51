"""Tables on a real server, with guests whom browsers may then be."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from tests.system.client import Client, Message
from tests.system.serving import Served
from tests.system.tables import play_out, playing
from tests.system.web.person import Guest

QUICK: Message = {"bot_delay_ms": [0, 0], "close_ms": 50, "window_ms": 3_000}
"""Options with which a game does not take long."""
OF_PRESET: dict[str, Message] = {"classic": {}, "gameweave": {"window_ms": None}, "challenge": {"window_ms": None, "offer_ms": 300}}


async def seated(
    served: Served,
    names: Sequence[str] = ("Anna", "Boris"),
    preset: str = "classic",
    *,
    bots: Sequence[str] = (),
    start: bool = True,
    over: bool = False,
    **options: Any,
) -> tuple[str, list[Guest]]:
    """A table with these people and bots, started or already `over`; they have no connection now. Gives its code and the guests."""
    people = [await Client.open(served.url, name) for name in names]
    chairs = max(2, len(names) + len(bots))
    rules = {**QUICK, **OF_PRESET[preset], "max_players": chairs, **options}
    code = await people[0].create(preset=preset, options=rules, bots=list(bots))
    for person in people[1:]:
        await person.join(code)
    if start:
        await people[0].ok("start")
    if over:
        await asyncio.gather(*(person.until(lambda person=person: playing(person)) for person in people))
        await play_out(people, 1)
    guests = [Guest(name, person.token, person.player) for name, person in zip(names, people, strict=True)]
    for person in people:
        await person.close()
    return code, guests
