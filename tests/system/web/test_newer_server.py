"""A page that is older than its server: frames are altered on the way, and the game goes on."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator

import pytest
from playwright.async_api import WebSocketRoute

from tests.system.client import Message
from tests.system.serving import Served
from tests.system.web.conftest import Open
from tests.system.web.person import Guest, Person
from tests.system.web.seating import seated

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(90)]

Alter = Callable[[Message], Iterator[Message]]


async def comes_late(opens: Open, served: Served, code: str, guest: Guest, alter: Alter) -> Person:
    """Somebody at a table whose page hears from the server only what `alter` makes of it."""
    person = await opens(served.url, "/", guest=guest)

    def connected(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def passes(frame: str | bytes) -> None:
            for message in alter(json.loads(frame)):
                socket.send(json.dumps(message))

        server.on_message(passes)

    await person.page.route_web_socket(re.compile("/ws$"), connected)
    await person.page.goto(f"{served.url}/t/{code}")
    return person


def from_the_future(rng: random.Random) -> Alter:
    """Everything that a newer server may add: messages, events, fields, a phase, a clock, kinds of chairs, actions, commands."""

    def alter(message: Message) -> Iterator[Message]:
        yield {"t": "weather", "rain": rng.random()}
        for events in (message.get("events", []), *(one["events"] for one in message.get("missed", ()))):
            events.insert(rng.randrange(len(events) + 1), {"event": "swapped", "seat": 0, "card": "2S", "cards": 7})
        view = message.get("view", {})
        view["moon"] = "full"
        for chair in view.get("chairs", ()):
            chair |= {"kind": "crowd", "hat": True}
        if view.get("clock"):
            view["clock"]["kind"] = "daily"
        if view.get("you"):
            view["you"]["can"].append("toString")
        if game := view.get("game"):
            game["phase"] = game["phase"] if rng.random() < 0.5 else "transfer"
            if game["legal"]:
                game["legal"] += [{"act": "transfer", "card": (game["hand"] or ["2S"])[0]}, {"act": "constructor"}]
        if view.get("status") == "playing" and rng.random() < 0.5:
            view["status"] = "hurried"
        yield {**message, "tide": {"high": True}}

    return alter


async def test_a_game_is_played_to_its_end_with_a_newer_server(server: Served, opens: Open) -> None:
    code, (anna,) = await seated(server, ["Anna"], bots=["easy", "easy"])
    person = await comes_late(opens, server, code, anna, from_the_future(random.Random(7)))
    order = await person.play_out(1)
    assert len(order) == 3
    assert "Anna" in {line[2:] for line in order}


async def test_who_may_do_only_what_the_page_does_not_know_is_told_and_can_leave(server: Served, opens: Open) -> None:
    code, (anna,) = await seated(server, ["Anna"], bots=["easy"], turn_clock_s=None, bot_delay_ms=[600_000, 600_000])

    def alter(message: Message) -> Iterator[Message]:
        if game := message.get("view", {}).get("game"):
            game |= {"phase": "transfer", "legal": [{"act": "transfer", "card": card} for card in game["hand"]]}
        yield message

    person = await comes_late(opens, server, code, anna, alter)
    await person.sees(".sentence", "This page is too old for what you may do now. Reload it.")
    assert {choice["name"] for choice in await person.look("choices()")} == {"reload"}
    await person.page.get_by_role("button", name="Leave").click()
    await person.page.locator("dialog [data-act=leave]").click()
    await person.sees("[data-screen=home]")
