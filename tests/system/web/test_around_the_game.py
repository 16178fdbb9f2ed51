"""What surrounds a game: creating, inviting, leaving, watching, again; and tables that cannot be joined."""

from __future__ import annotations

import asyncio
import random

import pytest

from tests.system.client import Client, Message
from tests.system.serving import Served
from tests.system.web.conftest import Open
from tests.system.web.person import DESKTOP, PHONE, Guest, Person
from tests.system.web.seating import seated

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(90)]

STILL: Message = {"turn_clock_s": None, "window_ms": None, "bot_delay_ms": [600_000, 600_000]}
"""Options of a table at which nobody acts unless a person does."""


async def names_itself(person: Person, name: str) -> None:
    """Type a name where the page asks for one."""
    await person.page.get_by_label("Your name").fill(name)


async def creates(person: Person) -> None:
    """Go from the home screen to the form, as a new guest."""
    await names_itself(person, "Anna")
    await person.page.get_by_role("button", name="Create a table").click()
    await person.sees("[data-screen=create]")


async def test_from_home_to_the_result_by_invitation(server: Served, opens: Open) -> None:
    anna = await opens(server.url)
    await creates(anna)
    await anna.page.locator("[data-preset=gameweave]").click()
    await anna.page.get_by_label("2 players").check()
    await anna.page.get_by_label("Name of the table").fill("Kitchen")
    await anna.page.get_by_role("button", name="Create the table").click()
    await anna.sees("[data-screen=lobby]", "Kitchen")
    link = await anna.page.locator(".invite-link").get_attribute("href")
    code = anna.view["table"]
    assert link == f"{server.url}/t/{code}" == anna.page.url
    await anna.page.locator(".qr").evaluate("image => image.decode()")

    boris = await opens(server.url, f"/t/{code}", size=DESKTOP)
    await boris.sees("[data-screen=door]", code)
    await names_itself(boris, "Boris")
    await boris.page.get_by_role("button", name="Join the table").click()
    await asyncio.gather(*(person.sees(".row", "Boris") for person in (anna, boris)))
    await anna.page.get_by_role("button", name="Start", exact=True).click()
    orders = await asyncio.gather(anna.play_out(1, 80), boris.play_out(2, 80))
    assert orders[0] == orders[1]
    assert sorted(line[2:] for line in orders[0]) == ["Anna", "Boris"]


async def test_a_table_of_bots_is_watched_to_its_end(server: Served, opens: Open) -> None:
    person = await opens(server.url, size=DESKTOP)
    await creates(person)
    await person.page.get_by_label("All bots").check()
    await person.page.get_by_label("Speed").select_option("fast")
    await person.page.get_by_label("Private").check()
    await person.page.get_by_role("button", name="Start and watch").click()
    order = await person.order()
    assert len(order) == 4
    assert await person.look("hand()") == []
    assert all(
        message["view"]["game"] is None or message["view"]["game"]["hand"] is None for message in person.heard if "view" in message
    )


async def test_a_spectator_sees_no_hand_and_has_nothing_to_press(server: Served, opens: Open) -> None:
    code, (anna,) = await seated(server, ["Anna"], bots=["easy", "easy"], **STILL)
    player = await opens(server.url, f"/t/{code}", guest=anna)
    eve = await opens(server.url, f"/t/{code}", guest=Guest("Eve", await token(server, "Eve")))
    await eve.sees(".status", "You are watching")
    await eve.sees("[data-zone=stock]")
    assert await eve.page.locator(".seat").count() == 3
    assert await eve.look("choices()") == []
    assert await eve.page.locator(".hand, .actions button, .actions input").count() == 0
    assert eve.view["game"]["hand"] is None
    assert not set(await player.look("hand()")) & (set(await eve.look("cards()")) - {eve.view["game"]["trump_card"]})
    await player.sees(".bar", "1 watching")
    await eve.click(".bar .button")  # leaving costs nothing: no question
    await eve.sees("[data-screen=home]")
    await player.page.get_by_text("1 watching").wait_for(state="hidden")


async def token(server: Served, name: str) -> str:
    """The token of a new guest."""
    client = await Client.open(server.url, name)
    await client.close()
    return client.token


async def test_leaving_warns_and_counts_as_a_loss(server: Served, opens: Open) -> None:
    code, guests = await seated(server, bots=["easy"], **STILL)
    anna, boris = [await opens(server.url, f"/t/{code}", guest=guest) for guest in guests]
    await anna.sees(".hand [data-card]")
    await anna.page.get_by_role("button", name="Leave").click()
    await anna.sees("dialog[open]", "Leaving counts as a loss.")
    await anna.page.get_by_role("button", name="Stay").click()
    await anna.misses("dialog[open]")
    assert not any(message["t"] == "leave" for message in anna.said)

    await anna.page.get_by_role("button", name="Leave").click()
    await anna.page.locator("dialog [data-act=leave]").click()
    await anna.sees("[data-screen=home]")
    assert anna.page.url == f"{server.url}/"
    await boris.page.get_by_text("Anna leaves the game.").wait_for(state="attached")
    assert boris.view["chairs"][0]["left"]

    await anna.page.go_back()  # to the table: a bot plays, and the owner may come back
    await anna.sees("[data-act=join]", "Take your seat back")
    # In one look: while the screen still moves, another point of the button may be the free one a moment later.
    choices, point = await anna.page.evaluate("[eyes.choices(), eyes.point(document.querySelector('[data-act=join]'))]")
    assert choices == [{"kind": "act", "name": "join", **point}]
    await anna.click("[data-act=join]")
    await anna.misses("[data-act=join]")
    assert not anna.view["chairs"][0]["left"]


async def test_going_back_in_a_game_asks_first(server: Served, opens: Open) -> None:
    code, (anna,) = await seated(server, ["Anna"], bots=["easy"], **STILL)
    person = await opens(server.url, "/", guest=anna)
    await person.sees("[data-screen=home]")
    await person.page.get_by_label("Table code").fill(code.lower())
    await person.page.get_by_role("button", name="Join", exact=True).click()
    await person.sees(".hand [data-card]")
    await person.page.go_back(wait_until="commit")
    await person.sees("dialog[open]", "Leave the game?")
    assert person.page.url.endswith(f"/t/{code}")
    await person.page.keyboard.press("Escape")
    await person.misses("dialog[open]")
    assert await person.look("hand()")


async def test_a_rematch_begins_when_all_want_it(server: Served, opens: Open) -> None:
    code, guests = await seated(server, preset="gameweave", over=True)
    people = [await opens(server.url, f"/t/{code}", guest=guest) for guest in guests]
    anna, boris = people
    await anna.sees("[data-votes='0']", "0 of 2 want a rematch")
    await anna.click("[data-act=rematch]")
    await boris.sees("[data-votes='1']", "1 of 2 want a rematch")
    assert not await anna.page.locator("[data-act=rematch]:not([aria-disabled=true])").count()
    await boris.click("[data-act=rematch]")
    await asyncio.gather(*(person.sees(".hand [data-card]") for person in people))
    assert [len(await person.look("hand()")) for person in people] == [6, 6]
    assert anna.view["games"] == 1


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
async def test_hard_is_chosen_for_a_chair_and_acts(server: Served, opens: Open, size: tuple[int, int]) -> None:
    person = await opens(server.url, size=size)
    await creates(person)
    await person.page.get_by_label("3 players").check()
    for chair, level in ((1, "Normal bot"), (2, "Hard bot")):
        await person.page.locator(f"select[data-chair='{chair}']").select_option(label=level)
    await person.page.get_by_label("Private").check()
    await person.page.get_by_role("button", name="Start the game").click()
    await person.sees(".hand [data-card]")
    assert [chair["level"] for chair in person.view["chairs"]] == [None, "normal", "hard"]
    rng = random.Random(1)

    def hard_has_acted() -> bool:
        events = [event for message in person.heard if message["t"] == "update" for event in message["events"]]
        return any(event.get("seat") == 2 and event["event"] in ("led", "threw_in", "beaten", "took", "passed") for event in events)

    async with asyncio.timeout(60):
        while not hard_has_acted():
            await person.play(rng)


async def test_the_host_fills_the_table_and_sends_a_bot_away(server: Served, opens: Open) -> None:
    code, (anna,) = await seated(server, ["Anna"], start=False, **{**STILL, "max_players": 3})
    person = await opens(server.url, f"/t/{code}", guest=anna)
    await person.page.get_by_label("Level").select_option("hard")
    await person.page.get_by_role("button", name="Fill with bots").click()
    await person.sees(".row", "Hard bot")
    await person.sees(".countdown .timer[data-clock=start]")
    await person.page.get_by_role("button", name="Send away").first.click()
    await person.misses(".countdown")
    assert [chair["kind"] for chair in person.view["chairs"]] == ["person", "bot"]
    await person.page.get_by_role("button", name="Start", exact=True).click()
    await person.sees(".hand [data-card]")
    assert person.view["game"]["players"] == 2


async def test_a_full_table_begins_by_itself(server: Served, opens: Open) -> None:
    code, guests = await seated(server, start=False, **STILL)
    anna, boris = [await opens(server.url, f"/t/{code}", guest=guest) for guest in guests]
    await anna.sees(".countdown .timer[data-clock=start]")
    await boris.sees("[data-screen=lobby]", "Anna starts the game.")
    await asyncio.gather(*(person.sees(".hand [data-card]") for person in (anna, boris)))


async def test_another_takes_a_free_seat_from_the_list_of_tables(server: Served, opens: Open) -> None:
    code, _ = await seated(server, ["Anna"], start=False, **{**STILL, "max_players": 3})
    boris = await opens(server.url)
    await names_itself(boris, "Boris")
    await boris.click(f"[data-table='{code}'] button")
    await boris.sees(".row", "Boris")
    assert boris.page.url == f"{server.url}/t/{code}"
    assert boris.view["you"]["chair"] == 1


# ---------------------------------------------------------------- what cannot be joined


async def joins(person: Person, code: str) -> None:
    """Type a code on the home screen."""
    await person.page.get_by_label("Table code").fill(code)
    await person.page.get_by_role("button", name="Join", exact=True).click()


@pytest.mark.parametrize(
    ("code", "told"),
    [("ZZZZZZ", "There is no such table."), ("ABC", "A table code has six letters and digits."), ("", "six letters")],
)
async def test_a_wrong_code_is_told(server: Served, opens: Open, code: str, told: str) -> None:
    person = await opens(server.url)
    await joins(person, code)
    await person.sees("[data-screen=home] [role=alert]", told)
    assert person.page.url == f"{server.url}/"


@pytest.mark.parametrize("known", [True, False])
async def test_a_link_to_a_table_that_is_gone_is_told(server: Served, opens: Open, known: bool) -> None:
    guest = Guest("Anna", await token(server, "Anna")) if known else None
    person = await opens(server.url, "/t/ZZZZZZ", guest=guest)
    if not known:
        await person.page.get_by_role("button", name="Join the table").click()
    await person.sees("[data-screen=home] [role=alert]", "There is no such table.")


async def test_a_guest_whom_the_server_does_not_know_is_a_new_one(server: Served, opens: Open) -> None:
    code, _ = await seated(server, ["Anna"], start=False, **{**STILL, "max_players": 3})
    person = await opens(server.url, f"/t/{code}", guest=Guest("Boris", "a token of another server"))
    await person.sees("[data-screen=lobby]")
    await person.page.get_by_role("button", name="Sit here").first.click()
    await person.sees(".row", "Boris")


async def test_a_name_that_is_none_is_told(server: Served, opens: Open) -> None:
    person = await opens(server.url)
    await names_itself(person, "\N{MAN}\N{ZERO WIDTH JOINER}\N{WOMAN}")
    await person.page.get_by_role("button", name="Play against bots").click()
    await person.sees("[data-screen=home] [role=alert]", "name")
    person.complaints.clear()  # the console tells of the refusal as well


async def test_a_full_table_says_so(server: Served, opens: Open) -> None:
    code, _ = await seated(server, start=False, **STILL)
    late = await opens(server.url)
    await joins(late, code)
    await late.sees("[data-screen=lobby] [role=alert]", "The table is full.")
    assert await late.page.locator("[data-act=join]").count() == 0


async def test_a_game_that_runs_without_me_says_so(server: Served, opens: Open) -> None:
    code, _ = await seated(server, ["Anna"], bots=["easy"], **STILL)
    late = await opens(server.url)
    await joins(late, code)
    await late.sees(".status [role=alert]", "The game has begun.")
    await late.sees(".status", "You are watching")


async def listeners(person: Person) -> int:
    """How many listeners the page has once everything is collected that can be."""
    session = await person.context.new_cdp_session(person.page)
    await session.send("Performance.enable")
    for _ in range(3):
        await session.send("HeapProfiler.collectGarbage")
    metrics = {one["name"]: one["value"] for one in (await session.send("Performance.getMetrics"))["metrics"]}
    await session.detach()
    return int(metrics["JSEventListeners"])


async def test_a_table_that_was_left_leaves_nothing_behind(server: Served, opens: Open) -> None:
    code, _ = await seated(server, ["Anna"], bots=["easy"], **{**STILL, "turn_clock_s": 60})
    late = await opens(server.url)
    counts = []
    for _ in range(4):
        await joins(late, code)
        await late.sees(".timer[data-clock=turn]")
        await late.page.get_by_role("button", name="Leave").click()
        await late.sees("[data-screen=home]")
        await asyncio.sleep(0.3)  # the clock notices that its bar is gone
        counts.append(await listeners(late))
    assert counts[-1] == counts[0], counts
