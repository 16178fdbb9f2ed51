"""Buttons and cards can be pressed exactly when the server says so (UI.md 4, check 6)."""

from __future__ import annotations

import pytest

from durak.protocol.messages import AutoPass, TableView
from durak.protocol.rules.actions import Beat, Lead, Throw
from tests.system.web.conftest import Open
from tests.system.web.recorded import positions
from tests.system.web.stage import Stage

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(60)]

PHASES = {
    "classic": {"lead", "bout", "over"},
    "gameweave": {"lead", "bout", "over"},
    "challenge": {"redeal", "lead", "bout", "decide", "over"},
}

OFFER = "S | 6S 7S 8S 9S 10S KC / 9D 10D JC QC AH AD | rules challenge | redeal"


def expected(view: TableView) -> tuple[set[str], set[str]]:
    """Cards and buttons that this seat may press."""
    assert view.game is not None
    legal = [] if view.status == "finished" else view.game.legal
    cards = {action.card for action in legal if isinstance(action, Lead | Throw | Beat)}
    return cards, {type(action).__name__.lower() for action in legal if not isinstance(action, Lead | Throw | Beat)}


@pytest.mark.parametrize("preset", PHASES)
async def test_what_can_be_pressed_is_what_is_legal(stage: Stage, comes: Open, preset: str) -> None:
    recorded = positions(preset)
    seen = {one.view.game.phase for one in recorded if one.view.game is not None}
    assert seen == PHASES[preset]
    stage.set(recorded[0].driven, recorded[0].seat)
    person = await comes(reduced_motion="reduce")
    for one in recorded:
        title = stage.set(one.driven, one.seat)
        view = stage.view()
        if view.status == "finished":
            await person.sees("[data-screen=result]")
            assert await person.look("choices()") == []
            continue
        choices = await person.look(f"table('{title}', 5000)")
        cards, acts = expected(view)
        kind = (one.seat, view)
        assert {choice["name"] for choice in choices if choice["kind"] == "card"} == cards, kind
        assert {choice["name"] for choice in choices if choice["kind"] == "act"} - {"join"} == acts, kind
        assert [choice["name"] for choice in choices if choice["x"] is None] == [], kind
        assert [choice for choice in choices if choice["kind"] == "target"] == []


READS: dict[str, tuple[int, dict[str, str]]] = {
    "S | 7D KC / 9H 9D 10D | table 7H": (1, {"take": "Take 1 card"}),
    "S | 7D KC / 9D 10D | table 7H-9H 8H": (1, {"take": "Take 3 cards"}),
    "S | 7D KC / 9D 10D | table 7H-9H 8H | taking": (1, {}),
    "S | 7D KC / 9D 10D | table 7H-9H": (0, {"pass": "Finish the bout"}),
    "S | 7D KC / 9D 10D | table 7H | taking": (0, {"pass": "Pass"}),
    "S | 7D KC / 9D 10D | table 7H": (0, {"pass": "Pass"}),
    "S | 7D KC / 9D 10D / 7C JC | table 7H-9H": (2, {"pass": "Pass"}),
    "S | 7D KC / 9D 10D / 7C JC | table 7H-9H | passed 2": (2, {}),
    "S | 7D KC / 9D 10D | rules challenge | table 7H-9H | decide": (
        1,
        {"finish": "Discard and attack", "forfeit": "Accept anyway"},
    ),
    "S | 7D KC / 9D 10D | rules challenge | table 7H-JH | decide": (0, {}),
    f"{OFFER}": (0, {"redeal": "Redeal", "keep": "Keep"}),
    f"{OFFER} 0:keep": (0, {}),
    "S | 7D KC / 9D 10D": (0, {}),
}


async def test_the_buttons_say_what_they_do(stage: Stage, comes: Open) -> None:
    stage.set(OFFER, 0)
    person = await comes()
    for position, (seat, reads) in READS.items():
        title = stage.set(position, seat)
        await person.look(f"table('{title}', 5000)")
        shown = await person.page.locator(".actions button").evaluate_all(
            "buttons => Object.fromEntries(buttons.map((button) => [button.dataset.act, button.querySelector('span').textContent]))"
        )
        assert shown == reads, position


async def test_the_switch_to_pass_by_itself(stage: Stage, comes: Open) -> None:
    stage.set("S | 7D KC / 9D 10D / 7C JC | table 7H | rules classic", 1)
    person = await comes()
    switch = person.page.get_by_role("switch", name="Auto-pass this bout")
    assert await switch.count() == 0  # the defender passes nothing
    stage.conduct = "plays"
    await person.look(f"table('{stage.set(stage.driven, 2)}', 5000)")
    await switch.click()
    await stage.hears(1)
    assert isinstance(stage.heard[0], AutoPass)
    assert stage.heard[0].on
    await person.page.get_by_role("switch", checked=True).wait_for()
    await person.sees(".pill[data-role=passed]", "You passed")  # after a while, which tells nothing
