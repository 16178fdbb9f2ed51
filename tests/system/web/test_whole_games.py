"""Whole games of each preset in real browsers, against each other, bots and the terminal (UI.md 4, checks 8, 9 and 14)."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator

import pytest

from tests.clients.cli.real_server import Durak, first_legal, playing
from tests.system.client import Message
from tests.system.serving import Served
from tests.system.test_secrecy import cards_in
from tests.system.web.conftest import Open
from tests.system.web.person import DESKTOP, PHONE, Person
from tests.system.web.seating import seated

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(110)]


def events_of(message: Message) -> list[Message]:
    """What a message tells of, in order."""
    missed: list[Message] = message.get("missed", [])
    return [event for one in [*missed, message] for event in one.get("events", ())]


def learnt(messages: list[Message]) -> Iterator[tuple[Message, set[str]]]:
    """Each message with all that its hearer may know by then: its own cards as dealt and drawn, and what all have seen."""
    known: set[str] = set()
    for message in messages:
        for event in events_of(message):
            if event["event"] == "dealt":
                known = {*(event["hand"] or ()), event["trump_card"]}  # another deal is another game
            elif event["event"] != "drew" or event["seat"] == message["view"]["you"]["seat"]:
                known.update(cards_in(event))
        game = message.get("view", {}).get("game")
        if game is not None and game["opening_trump"] is not None:  # it is shown to all until the lead (RULES 3.5)
            assert game["table"] == []
            known.add(game["opening_trump"]["card"])
        yield message, known


def own_cards(person: Person) -> list[str]:
    """Every card that was dealt to this person or that it drew, in the last game."""
    cards: list[str] = []
    for message in person.heard:
        for event in events_of(message):
            if event["event"] == "dealt":
                cards = list(event["hand"])
            elif event["event"] == "drew" and event["cards"]:
                cards += event["cards"]
    return cards


async def looks_for_cards(person: Person) -> None:
    """Assert that the page names only cards that its person may know; what it shows may be ahead of what we have heard."""
    shown = set(await person.look("cards()"))
    for _ in range(20):
        *_, (_, known) = learnt(person.heard)
        if shown <= known:
            return
        await asyncio.sleep(0.02)
    raise AssertionError(f"the page names {sorted(shown - known)}")


async def play_and_look(person: Person, seed: int) -> list[str]:
    """Play to the end, looking now and then for cards that nobody has shown."""
    rng = random.Random(seed)
    while await person.play(rng):
        if rng.random() < 0.3:
            await looks_for_cards(person)
    return await person.order()


@pytest.mark.parametrize(
    ("preset", "bots"), [("classic", ["normal", "easy"]), ("gameweave", ["easy", "normal"]), ("challenge", [])]
)
async def test_two_browsers_play_to_the_same_result(server: Served, opens: Open, preset: str, bots: list[str]) -> None:
    code, guests = await seated(server, preset=preset, bots=bots)
    people = [
        await opens(server.url, f"/t/{code}", guest=guest, size=size) for guest, size in zip(guests, (PHONE, DESKTOP), strict=True)
    ]
    async with asyncio.timeout(100):
        orders = await asyncio.gather(*(play_and_look(person, seed) for seed, person in enumerate(people)))
    assert orders[0] == orders[1]
    assert len(orders[0]) == 2 + len(bots)
    assert {"Anna", "Boris"} <= {line.split(" ", 1)[1] for line in orders[0]}
    for person in people:
        for message, known in learnt(person.heard):
            assert set(cards_in(message)) <= known, message
    if not any(event.get("again") for message in people[0].heard for event in message.get("events", ())):
        assert not set(own_cards(people[0])) & set(own_cards(people[1]))


async def test_a_browser_and_a_terminal_play_a_game(
    server: Served, opens: Open, tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, (anna,) = await seated(server, ["Anna"], start=False)
    person = await opens(server.url, f"/t/{code}", guest=anna)
    await person.sees("[data-screen=lobby]")
    durak = Durak(server.url, tmp_path)  # type: ignore[arg-type]
    with playing(durak, code, "--plain", "--name", "Boris", "--exit-after-game", answer=first_legal) as boris:
        await person.sees(".row", "Boris")
        await person.click("[data-act=start]")
        order = await person.play_out(1, timeout_s=90)
        assert await asyncio.to_thread(boris.status) == 0
        over = boris.printed("^Order: (.*)")[1]
    assert [line.split(" ", 1)[1] for line in order] == sorted(("Anna", "Boris"), key=over.replace("you", "Boris").index)


async def test_a_game_by_keyboard_alone(server: Served, opens: Open) -> None:
    code, (anna,) = await seated(server, ["Anna"], bots=["easy"])
    person = await opens(server.url, f"/t/{code}", guest=anna)
    rng = random.Random(3)
    keyboard = person.page.keyboard
    played = 0
    async with asyncio.timeout(100):
        while (seen := await person.look("next(15000)"))["screen"] != "result":
            by_kind = {
                kind: [choice["name"] for choice in seen["choices"] if choice["kind"] == kind] for kind in ("card", "target", "act")
            }
            assert seen["choices"], person.view
            if by_kind["act"] and (not by_kind["card"] or rng.random() < 0.3):
                await keyboard.press({"take": "t", "pass": rng.choice("pf")}[by_kind["act"][0]])
                continue
            await focus_the_hand(person)
            card = rng.choice(by_kind["card"])
            hand = await person.look("hand()")
            await keyboard.press("Home")
            for _ in range(hand.index(card) if card in hand else 0):
                await keyboard.press("ArrowRight")
            await keyboard.press("Enter")
            if await person.page.locator(".felt button.target").count():
                await keyboard.press("Enter")  # the focus is on what it may beat
            played += 1
            await asyncio.sleep(0.03)
            if (await person.look("screen()")) == "table" and await person.look("hand()"):
                assert await person.page.evaluate("document.activeElement.closest('.hand, .felt') !== null"), person.view
    assert played >= 6
    assert len(await person.order()) == 2


async def focus_the_hand(person: Person) -> None:
    """Reach the hand by Tab, if the focus is elsewhere."""
    for _ in range(12):
        if await person.page.evaluate("document.activeElement.closest('.hand') !== null"):
            return
        await person.page.keyboard.press("Tab")
    raise AssertionError("the hand cannot be reached by Tab")
