"""Server and clients of different versions, two apart, both ways: whole games, played to their end."""

from __future__ import annotations

import asyncio
import io
import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from durak.bots.host.host import BotHost
from durak.clients.bot import BotAccount
from durak.clients.cli.answers import Order
from durak.clients.cli.session import Session
from durak.clients.cli.teller import Teller
from durak.clients.cli.terminal import Screen
from durak.clients.link import Link
from durak.protocol.messages import SUBPROTOCOL_JSON, SUBPROTOCOL_MSGPACK, Create, ViewerEvent
from durak.protocol.rules.actions import AnyAction
from durak.protocol.rules.events import GameOver
from durak.protocol.rules.view import GameView
from tests.clients.cli.real_server import first_legal
from tests.clients.cli.shown import ENGLISH_SPEECH
from tests.system.client import Client, dial, guest_token
from tests.system.conftest import Connect
from tests.system.newer import newer_server
from tests.system.serving import Served, serving
from tests.system.tables import play_on, started

GAME_S = 50


class Typist(io.StringIO):
    """A terminal at which somebody types what `first_legal` answers to each line."""

    def __init__(self) -> None:
        super().__init__()
        self.typed: asyncio.Queue[str] = asyncio.Queue()

    def write(self, text: str) -> int:
        for line in text.splitlines():
            for answer in first_legal(line):
                self.typed.put_nowait(answer)
        return super().write(text)

    async def lines(self) -> AsyncIterator[str]:
        while True:
            yield await self.typed.get()


class First(BotAccount):
    """Plays the first legal action it knows."""

    def __init__(self) -> None:
        self.heard: list[ViewerEvent] = []

    def choose(self, view: GameView) -> AnyAction | None:
        return view.legal[0]

    def hear(self, events: Any, view: Any) -> None:
        self.heard += events


@pytest.fixture
def with_bots(tmp_path: Path) -> Any:
    with serving(tmp_path, "--dev", "--bot-seats", "10", "--bot-workers", "0") as served:
        yield served


async def bots_arrive(served: Served, connect: Connect, levels: str) -> None:
    """Wait until these levels are on offer."""
    client = await connect(served, "Host")
    while (await client.ask("create", sit=False, bots=levels.split(",") * 2, speed="fast"))["t"] == "error":
        await asyncio.sleep(0.1)


@pytest.mark.timeout(90)
@pytest.mark.parametrize("preset", ["classic", "challenge"])
async def test_an_old_terminal_client_finishes_a_game_on_a_newer_server(with_bots: Served, connect: Connect, preset: str) -> None:
    await bots_arrive(with_bots, connect, "easy")
    terminal = Typist()
    session = Session(Teller(ENGLISH_SPEECH), Screen(terminal, lambda: None), interactive=False, exit_after_game=True)
    options = {"close_ms": 0} | ({"offer_ms": 200} if preset == "challenge" else {"window_ms": 100})
    token = await guest_token(with_bots.url, "Anna")
    async with asyncio.timeout(GAME_S), newer_server(with_bots.url) as url, Link(url, token, on_connection=session.lost) as link:
        await session.open(link, Order.of(Create, preset=preset, bots=["easy"], speed="fast", start=True, options=options))
        await session.run(terminal.lines())
    text = terminal.getvalue()
    assert "Game over: " in text
    assert "Connection lost" not in text
    assert "There is something for you to do that only a newer version of this program knows: transfer, wave." in text


@pytest.mark.timeout(90)
@pytest.mark.parametrize("subprotocol", [SUBPROTOCOL_MSGPACK, SUBPROTOCOL_JSON])
async def test_an_old_bot_account_finishes_a_game_on_a_newer_server(with_bots: Served, subprotocol: str, connect: Connect) -> None:
    await bots_arrive(with_bots, connect, "easy")
    bot = First()
    token = await guest_token(with_bots.url, "Robin")
    async with asyncio.timeout(GAME_S), newer_server(with_bots.url) as url, Link(url, token, subprotocol=subprotocol) as link:
        result = await bot.play(link, None, ["easy", "normal"], "fast")
    assert result is not None
    assert [type(event) for event in bot.heard].count(GameOver) == 1


@pytest.mark.timeout(120)
@pytest.mark.parametrize("preset", ["classic", "gameweave", "challenge"])
async def test_an_old_bot_host_finishes_games_on_a_newer_server(own_server: Served, connect: Connect, preset: str) -> None:
    token = (own_server.data / "host-token").read_text().strip()
    async with newer_server(own_server.url) as url:
        host = BotHost(url, token, ["easy", "normal"], 8, random.Random(1))
        running = asyncio.create_task(host.run())
        try:
            await bots_arrive(own_server, connect, "easy,normal" if preset != "challenge" else "easy")
            ann = await connect(own_server)
            levels = ["easy", "normal"] if preset == "challenge" else ["easy", "normal", "normal"]
            options = {"turn_clock_s": None} | ({"offer_ms": 0} if preset == "challenge" else {})
            table = (await ann.ok("create", preset=preset, sit=False, bots=levels, speed="fast", options=options))["table"]
            await ann.until(lambda: ann.view and ann.view["table"] == table and ann.view["status"] == "finished", GAME_S)
            assert ann.game["result"] is not None
            assert not running.done()
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)


@pytest.mark.timeout(90)
async def test_a_newer_client_is_told_what_an_old_server_does_not_know_and_plays_on(own_server: Served, connect: Connect) -> None:
    people, _ = await started(connect, own_server, close_ms=0, turn_clock_s=None)
    for number, person in enumerate(people):
        error = await person.refused("gift", cid=f"gift{number}", to=1, card={"back": "blue"})
        assert (error["code"], error["params"]) == ("unknown_command", {"command": "gift"})
        error = await person.refused("rematch", stake=5)
        assert error["code"] == "bad_message"
        assert "stake" in error["params"]["detail"]
        error = await person.refused("act", bout=1, action={"act": "transfer", "card": "6S"})
        assert error["code"] == "bad_message"
    async with asyncio.timeout(GAME_S):
        await asyncio.gather(*(play_on(person, random.Random(seed)) for seed, person in enumerate(people)))
    assert [person.game["result"] is not None for person in people] == [True, True]
    assert all(person.closed is None for person in people)


async def test_a_newer_client_may_name_capabilities_when_it_says_hello(own_server: Served) -> None:
    client = Client(await dial(own_server.url), await guest_token(own_server.url, "Ann"))
    await client.send({"t": "hello", "token": client.token, "capabilities": ["small_updates", "chat"]})
    assert (await client.hears("welcome"))["name"] == "Ann"
    await client.close()
