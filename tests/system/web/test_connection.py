"""Lost connections: a banner, nothing to press, and the same game afterwards (UI.md 4, checks 12 and 13)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

from tests.system.serving import Served, serving
from tests.system.web.conftest import Open, wait_for_bots
from tests.system.web.person import Person
from tests.system.web.seating import seated
from tests.system.web.stage import Stage

if TYPE_CHECKING:
    from playwright.async_api import Browser

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(60)]

F1 = "D | 7S 7C 7H 9C / 10D 6S 6C 9H JC QS | stock 8D 7D | table 8H 8S"
BANNER = ".banner[data-link=lost]"


@pytest_asyncio.fixture(loop_scope="session")
async def own_server(browser: Browser, tmp_path: Path) -> AsyncIterator[Served]:
    """A server with bots that the test may kill."""
    with serving(tmp_path, "--dev", "--bot-seats", "20") as served:
        await wait_for_bots(served)
        yield served


def only_lost_connections(person: Person) -> None:
    """Forgive the console what it says of sockets that failed; other complaints stay."""
    person.complaints = [line for line in person.complaints if "WebSocket" not in line and "ERR_CONNECTION" not in line]


async def test_a_cut_connection_shows_a_banner_and_nothing_can_be_pressed(stage: Stage, comes: Open) -> None:
    stage.set(F1, 1)
    person = await comes()
    await person.press("card", "10D")
    await person.sees(".felt button.target")
    cut = time.monotonic()
    with stage.unreachable():
        await person.sees(BANNER)
        assert time.monotonic() - cut < 1
        assert await person.look("choices()") == []
        assert await person.look("hand()") == ["10D", "6S", "6C", "9H", "JC", "QS"]
        await person.page.locator(".hand [data-card='9H']").click(position={"x": 12, "y": 40}, force=True)
        await person.page.keyboard.press("t")
        await asyncio.sleep(0.4)
    assert stage.heard == []
    only_lost_connections(person)


async def test_after_resuming_the_page_is_where_the_server_is(stage: Stage, comes: Open) -> None:
    stage.set(F1, 1)
    person = await comes()
    shown = stage.seq
    with stage.unreachable():
        await person.sees(BANNER)
        stage.set("D | 7S 7C / 10D 6S 6C 9H JC QS | stock 8D 7D | table 8H-9H 8S".replace("9H JC", "JC"), 1)
        stage.seq += 7
    await person.misses(BANNER)
    assert stage.hellos[-1].table == "STAGE1"
    assert stage.hellos[-1].seq == shown
    await person.look(f"table('{stage.title}', 2000)")
    assert await person.pressable("card") == ["10D", "QS"]
    with stage.unreachable():  # what it says then is what it has seen
        await person.sees(BANNER)
    await person.misses(BANNER)
    assert stage.hellos[-1].seq == stage.seq
    only_lost_connections(person)


async def test_what_was_sent_into_a_dead_connection_is_sent_again_once(stage: Stage, comes: Open) -> None:
    stage.set(F1, 1)
    person = await comes()
    await person.press("card", "9H")
    await stage.hears(1)
    stage.conduct = "plays"
    stage.drop()
    await person.sees(".felt [data-card='9H']")
    assert len(stage.heard) == 2
    assert stage.heard[0] == stage.heard[1]
    only_lost_connections(person)


async def test_reloading_in_the_middle_of_a_game_warns_and_leads_back(server: Served, opens: Open) -> None:
    code, (anna, boris) = await seated(server, bots=["easy"], turn_clock_s=None)
    people = [await opens(server.url, f"/t/{code}", guest=guest) for guest in (anna, boris)]
    person = people[0]
    await person.sees(".hand [data-card]")
    seat, hand = person.view["you"]["seat"], await person.look("hand()")
    await person.page.mouse.click(195, 300)  # a browser warns only those who have touched the page
    began = time.monotonic()
    await person.page.reload(wait_until="commit")
    await person.sees(".hand [data-card]")
    assert time.monotonic() - began < 2
    assert person.dialogs == ["beforeunload"]
    assert person.view["you"]["seat"] == seat
    assert await person.look("hand()") == hand
    assert not person.view["chairs"][0]["away"]


async def test_a_server_that_is_killed_and_comes_back(own_server: Served, opens: Open) -> None:
    code, guests = await seated(own_server, bots=["easy"])
    people = [await opens(own_server.url, f"/t/{code}", guest=guest) for guest in guests]
    games = [asyncio.create_task(person.play_out(seed)) for seed, person in enumerate(people)]
    try:
        await people[0].sees(".felt [data-card]")
        own_server.kill()
        killed = time.monotonic()
        await asyncio.gather(*(person.sees(BANNER) for person in people))
        assert time.monotonic() - killed < 1.5
        assert "Reconnecting" in await people[0].page.locator(BANNER).inner_text()
        assert [await person.look("choices()") for person in people] == [[], []]
        seq, hand = people[0].seq, await people[0].look("hand()")
        await asyncio.to_thread(own_server.start)
        await asyncio.gather(*(person.misses(".banner") for person in people))
        back = next(
            message
            for message in people[0].heard
            if message["t"] == "table" and message["seq"] >= seq and message["resumed"] == "events"
        )
        assert set(hand) - set(back["view"]["game"]["hand"]) <= {
            pair["beaten"] or pair["attack"] for pair in back["view"]["game"]["table"]
        }
        async with asyncio.timeout(20):
            while not all(person.seq > seq + 12 or person.view["status"] == "finished" for person in people):
                await asyncio.sleep(0.05)
    finally:  # also after a failure: a task that plays on with a closed page ends never
        for game in games:
            game.cancel()
        outcomes = await asyncio.gather(*games, return_exceptions=True)
    for person in people:
        only_lost_connections(person)
    assert all(isinstance(outcome, asyncio.CancelledError | list) for outcome in outcomes), outcomes


async def test_a_server_that_restarts_in_order_says_so(own_server: Served, opens: Open) -> None:
    code, (anna,) = await seated(own_server, ["Anna"], bots=["easy"], turn_clock_s=None)
    person = await opens(own_server.url, f"/t/{code}", guest=anna)
    await person.sees(".hand [data-card]")
    assert await asyncio.to_thread(own_server.terminate) == 0
    await person.sees(BANNER, "The server restarts")
    await asyncio.to_thread(own_server.start)
    await person.misses(".banner")
    assert len(await person.look("hand()")) >= 1
    only_lost_connections(person)


async def test_a_second_tab_takes_the_seat_over(server: Served, opens: Open, people: list[Person]) -> None:
    code, (anna,) = await seated(server, ["Anna"], bots=["easy"], turn_clock_s=None, bot_delay_ms=[600_000, 600_000])
    first = await opens(server.url, f"/t/{code}", guest=anna)
    await first.sees(".hand [data-card]")
    second = await Person.in_tab(first.context, f"{server.url}/t/{code}")
    people.append(second)
    await second.sees(".hand [data-card]")
    await first.sees(".banner[data-link=ended]", "This seat is open in another window.")
    assert await first.look("choices()") == []
    assert await second.look("hand()") == await first.look("hand()")
    await asyncio.sleep(0.5)
    assert await second.page.locator(".banner").count() == 0, "the two tabs fight for the seat"
    await first.click(".banner button")
    await first.misses(".banner")
    await second.sees(".banner[data-link=ended]")
    assert await second.look("choices()") == []
