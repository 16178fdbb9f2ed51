"""A bot with an account, at a real server: it makes a table or joins one, plays to the end, and says in words what cannot be."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from durak.clients.bot import BotAccount, main
from durak.clients.link import Link, Refused, guest_token
from durak.protocol.messages import Create, Level, Start, TableView, ViewerEvent
from durak.protocol.rules.actions import AnyAction
from durak.protocol.rules.events import GameOver
from durak.protocol.rules.view import GameView
from tests.system.serving import Served, serving


class First(BotAccount):
    """The first legal action, and a note of everything heard."""

    def __init__(self) -> None:
        self.heard: list[ViewerEvent] = []

    def choose(self, view: GameView) -> AnyAction | None:
        assert view.legal
        return view.legal[0]

    def hear(self, events: list[ViewerEvent], view: TableView) -> None:  # type: ignore[override]
        self.heard += events


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server for developers, with bots."""
    with serving(tmp_path_factory.mktemp("serve"), "--dev", "--bot-seats", "20", "--bot-workers", "0") as served:
        yield served


@pytest.mark.parametrize("against", [["normal"], ["easy", "normal", "easy"]])
async def test_it_makes_a_table_and_plays_to_the_end(server: Served, against: list[Level]) -> None:
    bot, guest = First(), await guest_token(server.url, "Robin")
    async with Link(server.url, guest.token) as link:
        result = await asyncio.wait_for(bot.play(link, None, against, "fast"), 50)
    assert result is not None
    assert len(result.places) >= 1
    assert sum(isinstance(event, GameOver) for event in bot.heard) == 1


async def test_two_of_them_meet_at_a_table(server: Served) -> None:
    ann, bob = [await guest_token(server.url, name) for name in ("Ann", "Bob")]
    async with Link(server.url, ann.token) as one, Link(server.url, bob.token) as other:
        made = await one.command(Create, options={"close_ms": 0})
        assert made.table is not None
        joined = asyncio.create_task(First().play(other, made.table))
        while one.view is None or len(one.view.chairs) < 2:
            await asyncio.sleep(0.01)
        await one.command(Start)
        results = await asyncio.wait_for(asyncio.gather(First().play(one, made.table), joined), 50)
    assert results[0] == results[1] is not None


async def test_a_table_that_is_not_there(server: Served) -> None:
    guest = await guest_token(server.url, "Robin")
    async with Link(server.url, guest.token) as link:
        with pytest.raises(Refused, match="no_such_table"):
            await First().play(link, "AAAAAA")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--table", "AAAAAA"), "[no_such_table]"),
        (("--against", "normal", "--name", "x" * 30), "[bad_name]"),
        (("--against", "hard"), "[no_bots]"),
    ],
)
def test_what_cannot_be_is_told_in_words(
    server: Served, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], told: str
) -> None:
    assert main(First(), ["--server", server.url, *words]) == 1
    err = capsys.readouterr().err
    assert told in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize("words", [(), ("--against", "expert"), ("--against", "normal", "--table", "AAAAAA")])
def test_bad_usage(capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(First(), words)
    assert "error" in capsys.readouterr().err


def test_a_server_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(First(), ["--server", "http://127.0.0.1:1", "--against", "normal"]) == 1
    assert "[connection_refused]" in capsys.readouterr().err
