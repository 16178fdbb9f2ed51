"""The clock on the page is the server's, and its bar lies directly above the hand (UI.md 4, check 7)."""

from __future__ import annotations

import asyncio
import time

import pytest

from tests.system.web.conftest import Open
from tests.system.web.person import DESKTOP, PHONE, Person
from tests.system.web.stage import Stage

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(40)]

FOUR = "S | 7H 7D KC 6C / 9H 9D 10D AS QS / 7C 9C JC / 9S 7S 8C"
"""Seat 0 leads; once seat 1 has beaten the 7H with the 9H, seats 0, 2 and 3 each hold something to add."""
NEAR_MS = 250
READ = """() => {
    const timer = document.querySelector('.timer');
    const drain = timer.querySelector('.drain');
    const shown = new DOMMatrix(getComputedStyle(drain).transform).a;
    return { kind: timer.dataset.clock ?? null, share: shown, digits: timer.querySelector('.digits').textContent, at: Date.now() };
}"""


async def left_ms(person: Person, total_ms: int) -> float:
    """What the bar says is left now."""
    read = await person.page.evaluate(READ)
    left: float = read["share"] * total_ms - (time.time() * 1000 - read["at"])
    return left


def due_ms(stage: Stage) -> float:
    """What is left of the running clock by the server's time."""
    deadline = stage.driven.table.deadline_ms
    assert deadline is not None
    return deadline - (asyncio.get_running_loop().time() - stage._began) * 1000


async def keeps_time(person: Person, stage: Stage, kind: str, total_ms: int) -> None:
    """Assert that bar and digits agree with the server, now and a while later."""
    for _ in range(3):
        read = await person.page.evaluate(READ)
        assert read["kind"] == kind
        due = due_ms(stage)
        assert abs(await left_ms(person, total_ms) - due) < NEAR_MS
        minutes, seconds = read["digits"].split(":")
        shown_ms = (int(minutes) * 60 + int(seconds)) * 1000
        assert -NEAR_MS < shown_ms - due < 1000 + NEAR_MS
        await asyncio.sleep(0.4)


async def test_a_throw_in_window_is_shown_to_a_quarter_of_a_second(stage: Stage, comes: Open) -> None:
    stage.conduct = "plays"
    stage.set(FOUR, 0)
    person = await comes()
    await person.press("card", "7H")
    await person.sees(".timer[data-clock=turn]")
    stage.do("1:9H")
    await person.sees(".timer[data-clock=window]")
    await keeps_time(person, stage, "window", 8_000)


async def test_a_new_card_cancels_the_window_when_all_was_beaten(stage: Stage, comes: Open) -> None:
    stage.conduct = "plays"
    stage.set(f"{FOUR} | rules classic turn_clock_s=none", 0)
    person = await comes()
    await person.press("card", "7H")
    await person.sees(".felt [data-card='7H']")
    stage.do("1:9H")
    await person.sees(".timer[data-clock=window]")
    await asyncio.sleep(0.5)
    await person.press("card", "7D")
    await person.sees(".timer.idle")
    assert (await person.page.evaluate(READ))["digits"] == ""
    stage.do("1:9D")
    await person.sees(".timer[data-clock=window]")
    await keeps_time(person, stage, "window", 8_000)


async def test_a_new_card_restarts_the_window_after_a_take(stage: Stage, comes: Open) -> None:
    stage.conduct = "plays"
    stage.set(FOUR, 0)
    person = await comes()
    await person.press("card", "7H")
    await person.sees(".felt [data-card='7H']")
    stage.do("1:take")
    await person.sees(".timer[data-clock=window]")
    await asyncio.sleep(1.5)
    assert due_ms(stage) < 6_600
    await person.press("card", "7D")
    await person.sees(".felt [data-card='7D']")
    assert due_ms(stage) > 7_000
    await keeps_time(person, stage, "window", 8_000)


async def test_a_clock_that_runs_already_is_shown_as_far_as_it_is(stage: Stage, comes: Open) -> None:
    stage.conduct = "plays"
    stage.set(FOUR, 0)
    stage.driven.now_ms += 12_000
    stage._began -= 12
    person = await comes()
    await keeps_time(person, stage, "turn", 30_000)


async def test_without_motion_the_bar_goes_down_second_by_second(stage: Stage, comes: Open) -> None:
    stage.conduct = "plays"
    stage.set(FOUR, 0)
    person = await comes(reduced_motion="reduce")
    await asyncio.sleep(1.2)
    assert abs(await left_ms(person, 30_000) - due_ms(stage)) < 1000 + NEAR_MS


@pytest.mark.parametrize("size", [PHONE, DESKTOP, (844, 390), (320, 568)], ids=["phone", "desktop", "sideways", "small"])
async def test_the_bar_is_directly_above_the_hand(stage: Stage, comes: Open, size: tuple[int, int]) -> None:
    stage.set(f"{FOUR} | table 6S-8S", 0)
    person = await comes(size=size)
    await person.look("still()")
    (timer,) = await person.look("boxes('.timer')")
    cards = await person.look("boxes('.hand [data-card]')")
    top = min(card["top"] for card in cards)
    assert 0 <= top - timer["bottom"] < 40
    assert timer["left"] <= min(card["left"] for card in cards) + 1
    assert timer["right"] >= max(card["right"] for card in cards) - 1
    assert timer["bottom"] - timer["top"] >= 8
