"""My hand: what it reads, what can be pressed, what a press sends (UI.md 4, checks 1 to 3, 10, 11)."""

from __future__ import annotations

import asyncio

import pytest

from durak.protocol.messages import Act
from durak.protocol.rules.actions import Beat, Lead
from tests.system.web.conftest import Open
from tests.system.web.person import Person
from tests.system.web.stage import Stage

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(40)]

F1 = "D | 7S 7C / 10D 6S 6C 9H JC QS | stock 8D 7D | table 8H 8S"
"""Seat 1 defends; two cards are open."""
NOTHING_HAPPENS_S = 0.3


def acts(stage: Stage) -> list[object]:
    """The game actions that the page has sent."""
    return [message.action if isinstance(message, Act) else message for message in stage.heard]


async def heard(stage: Stage, count: int = 1) -> list[object]:
    """Wait for so many messages of the page, and a moment longer for one too many."""
    await stage.hears(count)
    await asyncio.sleep(NOTHING_HAPPENS_S)
    return acts(stage)


async def touch(person: Person, card: str, *, up: float, aside: float = 0.0) -> None:
    """Swipe with a finger from this card of the hand."""
    x, y = await person.spot("card", card)
    finger = await person.context.new_cdp_session(person.page)
    await finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for step in range(1, 9):
        at = {"x": x + aside * step / 8, "y": y - up * step / 8}
        await finger.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [at]})
        await asyncio.sleep(0.016)
    await finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


async def test_the_hand_reads_trumps_first_and_three_cards_can_be_pressed(stage: Stage, comes: Open) -> None:
    stage.set(F1, 1)
    person = await comes()
    assert await person.look("hand()") == ["10D", "6S", "6C", "9H", "JC", "QS"]
    lefts = [box["left"] for box in await person.look("boxes('.hand [data-card]')")]
    assert lefts == sorted(lefts)
    assert await person.pressable("card") == ["10D", "9H", "QS"]
    assert await person.pressable("act") == ["take"]
    names = await person.page.locator(".hand [data-card]").evaluate_all("cards => cards.map((card) => card.ariaLabel)")
    assert names[0] == "ten of diamonds, trump, playable"
    assert names[1] == "six of spades, not playable now"


async def test_a_card_that_is_not_legal_sends_nothing(stage: Stage, comes: Open) -> None:
    stage.set(F1, 1)
    person = await comes()
    await person.page.locator(".hand [data-card='6S']").click(position={"x": 12, "y": 40}, force=True)
    await person.page.locator(".hand [data-card='6S']").focus()
    await person.page.keyboard.press("Enter")
    await person.page.keyboard.press("Space")
    await asyncio.sleep(NOTHING_HAPPENS_S)
    assert acts(stage) == []


@pytest.mark.parametrize("again", ["Escape", "10D"])
async def test_a_card_that_beats_two_waits_for_its_target(stage: Stage, comes: Open, again: str) -> None:
    stage.set(F1, 1)
    person = await comes()
    targets = person.page.locator(".felt button")
    await person.press("card", "10D")
    await targets.first.wait_for()
    assert await targets.evaluate_all("cards => cards.map((card) => card.ariaLabel)") == [
        "Beat eight of hearts with ten of diamonds",
        "Beat eight of spades with ten of diamonds",
    ]
    assert await person.pressable("target") == ["8H", "8S"]
    await (person.page.keyboard.press("Escape") if again == "Escape" else person.press("card", "10D"))
    await targets.first.wait_for(state="hidden")
    await person.press("card", "10D")
    await targets.first.wait_for()
    assert acts(stage) == []
    await person.press("target", "8S")
    assert await heard(stage) == [Beat("10D", "8S")]


async def test_pressing_another_card_sends_that_one(stage: Stage, comes: Open) -> None:
    stage.set(F1, 1)
    person = await comes()
    await person.press("card", "10D")
    await person.press("card", "QS")
    assert await heard(stage) == [Beat("QS", "8S")]


@pytest.mark.parametrize("by", ["finger", "mouse"])
async def test_a_swipe_up_plays(stage: Stage, comes: Open, by: str) -> None:
    stage.set(F1, 1)
    person = await comes(has_touch=True)
    if by == "finger":
        await touch(person, "9H", up=70)
    else:
        await person.page.locator(".hand [data-card='9H']").hover(position={"x": 12, "y": 40})
        await person.page.mouse.down()
        await person.page.mouse.move(200, 600, steps=5)
        await person.page.mouse.up()
    assert await heard(stage) == [Beat("9H", "8H")]


async def test_a_swipe_too_short_or_aside_plays_nothing(stage: Stage, comes: Open) -> None:
    stage.set(F1, 1)
    person = await comes(has_touch=True)
    await touch(person, "9H", up=30)
    await touch(person, "9H", up=45, aside=90)
    await asyncio.sleep(NOTHING_HAPPENS_S)
    assert acts(stage) == []


async def test_a_tap_plays(stage: Stage, comes: Open) -> None:
    stage.set(F1, 1)
    person = await comes(has_touch=True)
    box = await person.page.locator(".hand [data-card='9H']").bounding_box()
    assert box is not None
    await person.page.touchscreen.tap(box["x"] + 12, box["y"] + 30)
    assert await heard(stage) == [Beat("9H", "8H")]


async def test_three_taps_on_a_slow_line_are_one_action(stage: Stage, comes: Open) -> None:
    stage.set(F1, 1)
    person = await comes()
    stage.delay_ms, stage.conduct = 800, "plays"
    await person.page.evaluate(
        """() => document.querySelector('[data-card="9H"]').addEventListener('pointerdown', (event) => {
            const card = event.currentTarget;
            const began = performance.now();
            const watch = () => {
                if (card.classList.contains('sent')) window.liftedAfter ??= performance.now() - began;
                else if (performance.now() - began < 1000) setTimeout(watch, 4);
            };
            watch();
        })"""
    )
    box = await person.page.locator(".hand [data-card='9H']").bounding_box()
    assert box is not None
    for _ in range(3):
        await person.page.mouse.click(box["x"] + 12, box["y"] + 30)
    lifted_ms = await person.page.evaluate("window.liftedAfter")
    assert lifted_ms is not None
    assert lifted_ms < 100
    level, sent = await person.page.evaluate(
        "['6S', '9H'].map((card) => document.querySelector(`.hand [data-card=\"${card}\"]`).getBoundingClientRect().top)"
    )
    assert sent < level
    assert await heard(stage) == [Beat("9H", "8H")]
    await person.sees(".felt [data-card='9H']")
    await person.misses(".hand [data-card='9H']")
    assert acts(stage) == [Beat("9H", "8H")]


async def test_a_refused_card_comes_back_and_says_why(stage: Stage, comes: Open) -> None:
    stage.set(F1, 1)
    person = await comes()
    stage.conduct = "refuses"
    await person.press("card", "9H")
    await person.sees("[role=alert]", "Too late: the bout has moved on.")
    assert await person.pressable("card") == ["10D", "9H", "QS"]


async def test_twenty_clicks_into_a_move_arrive(stage: Stage, comes: Open) -> None:
    scenes = (
        "D | 7S 7C 7H 7D 9S / 10D 6S 6C 9H JC QS | stock 8D 6D",
        "D | 7S 7C 9S / 10D 6S 6C 9H JC QS | stock 8D 6D | table 7H-9D",
    )
    stage.set(scenes[1])
    person = await comes()
    stage.conduct = "accepts"
    moving = 0
    for click in range(20):
        title = stage.set(scenes[click % 2])
        await person.look(f"table('{title}', 5000)")
        await asyncio.sleep(0.06)
        moving += await person.page.evaluate(
            "document.getAnimations().some((one) => one.id === 'flip' && one.playState === 'running')"
        )
        await person.press("card", "7C")
        await stage.hears(click + 1)
    assert acts(stage)[0] == Lead("7C")
    assert len(acts(stage)) == 20
    assert moving >= 10


async def test_reduced_motion_means_no_scripted_animation(stage: Stage, comes: Open) -> None:
    stage.set("D | 7S 7C 7H / 10D 6S 6C 9H JC QS | stock 8D 6D")
    person = await comes(reduced_motion="reduce")
    await person.page.evaluate(
        """() => {
            window.animated = 0;
            const animate = Element.prototype.animate;
            Element.prototype.animate = function (...how) { window.animated += 1; return animate.apply(this, how); };
        }"""
    )
    stage.conduct = "plays"
    await person.press("card", "7C")
    await person.sees(".felt [data-card='7C']")
    stage.do("1:10D")
    await person.sees(".felt [data-card='10D']")
    assert await person.page.evaluate("[window.animated, document.getAnimations().length]") == [0, 0]
