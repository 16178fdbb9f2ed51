"""Everything is on the screen, also at its fullest (UI.md 4, check 4), and so is the trump (check 5)."""

from __future__ import annotations

import pytest

from durak.protocol.rules.cards import PACK
from tests.system.web.conftest import Open
from tests.system.web.person import DESKTOP, PHONE, Person
from tests.system.web.stage import Stage

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(40)]

SIZES = {"phone": PHONE, "sideways": (844, 390), "desktop": DESKTOP, "small": (320, 568)}
LEAST_STRIP = 24
A_PIXEL = 1.0
OUTSIDE = 8.0
"""How far the drawn corner of a turned card may stick out of its place."""


def hands(*counts: int, without: str = "") -> str:
    """Hands of so many cards, as a position has them, none of them one of these."""
    cards = [card for card in PACK if card not in without.replace("-", " ").split()]
    return " / ".join(" ".join(cards.pop(0) for _ in range(count)) for count in counts)


OPEN = "6S 6H 6D 6C 7S 7H"
PAIRS = "6S-7S 6H-7H 6D-7D 6C-7C 8S-9S 8H-9H"
FULLEST = "25 cards, five opponents, six open"
SPECTATED = "six open to a spectator, six players"
SCENES = {
    FULLEST: (f"H | {hands(25, 1, 1, 1, 1, 1, without=OPEN)} | attacker 5 | defender 0 | limit 6 | table {OPEN}"),
    "33 cards": f"H | {hands(33, 2, without='6S')} | attacker 1 | table 6S | limit 3",
    "six pairs, five opponents": f"H | {hands(4, 3, 3, 3, 3, 3, without=PAIRS + ' AH')} | stock AH | limit 6 | table {PAIRS}",
    "six pairs of an attacker with many cards": f"H | {hands(20, 2, 1, 1, without=PAIRS)} | limit 6 | table {PAIRS}",
    SPECTATED: f"H | {hands(4, 6, 4, 4, 4, 4, without=OPEN)} | limit 6 | table {OPEN} | stock 0",
}


def within(box: dict[str, float], size: tuple[int, int], beyond: float) -> bool:
    """True if a box lies within the window, or sticks out by no more than this."""
    return min(box["left"], box["top"], size[0] - box["right"], size[1] - box["bottom"]) >= -beyond


async def whole(person: Person, selector: str, size: tuple[int, int], *, beyond: float = A_PIXEL) -> None:
    """Assert that these are within the window."""
    boxes = await person.look(f"boxes({selector!r})")
    assert boxes, f"no {selector}"
    assert [box for box in boxes if not within(box, size, beyond)] == [], (size, person.view["name"])


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
async def test_nothing_is_off_the_screen(stage: Stage, comes: Open, size: tuple[int, int]) -> None:
    stage.set(SCENES["33 cards"])
    person = await comes(size=size)
    for name, scene in SCENES.items():
        if (name, size) != (FULLEST, SIZES["small"]):
            await all_is_whole(stage, person, name, scene, size)


async def test_nothing_is_off_the_smallest_screen_when_it_is_fullest(stage: Stage, comes: Open) -> None:
    stage.set(SCENES["33 cards"])
    person = await comes(size=SIZES["small"])
    await all_is_whole(stage, person, FULLEST, SCENES[FULLEST], SIZES["small"])


async def all_is_whole(stage: Stage, person: Person, name: str, scene: str, size: tuple[int, int]) -> None:
    """Assert that everything of a scene is on the screen."""
    spectates = name == SPECTATED
    title = stage.set(scene, None if spectates else 0)
    await person.look(f"table('{title}', 5000)")
    await person.look("still()")
    wide, inner = await person.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide <= inner, name
    for selector in (".bar button", ".plate", ".sentence", ".stock .chip", ".timer"):
        await whole(person, selector, size)
    await whole(person, ".felt [data-card]", size, beyond=OUTSIDE)
    await whole(person, ".felt .face", size, beyond=OUTSIDE)
    if not spectates:
        await whole(person, ".actions button", size)
        await hand_is_whole(person, size)


async def hand_is_whole(person: Person, size: tuple[int, int]) -> None:
    """Assert that every card of the hand is on the screen and shows what it is; more than 25 may have to be scrolled to."""
    hand = await person.look("hand()")
    if len(hand) <= 25 or size == PHONE:
        await whole(person, ".hand [data-card]", size)
    strips = await person.look("strips()")
    assert [card["name"] for card in strips] == hand
    for card in strips:
        assert card["strip"] >= LEAST_STRIP, (card, size)
        assert within(card, size, A_PIXEL), (card, size)


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
async def test_each_card_of_the_felt_shows_its_rank_and_suit(stage: Stage, comes: Open, size: tuple[int, int]) -> None:
    stage.set(SCENES["six pairs, five opponents"])
    person = await comes(size=size)
    await person.look("still()")
    await person.page.add_style_tag(content=".felt .card { pointer-events: auto !important; }")
    hidden = await person.page.evaluate(
        """() => [...document.querySelectorAll('.felt [data-card]')].filter((card) => {
            const box = card.getBoundingClientRect();
            const [x, y] = [box.left + box.width * 0.18, box.top + box.height * 0.16];
            return !card.contains(document.elementFromPoint(x, y));
        }).map((card) => card.dataset.card)"""
    )
    assert hidden == []


# ---------------------------------------------------------------- check 5

TWO = "D | 7S 7C / 10D 6S"
SIX = f"H | {hands(6, 6, 6, 6, 6, 6)} | trump 6H | shown 1:6H"


async def test_the_trump_card_lies_under_the_stock(stage: Stage, comes: Open) -> None:
    stage.set(f"{TWO} | stock 9S 8D")
    person = await comes()
    await person.sees("[data-trump-card='8D']")
    await person.sees(".stock .chip .pip")
    await person.page.get_by_text("2 cards in stock. Trump: eight of diamonds.").wait_for(state="attached")


async def test_the_trump_card_goes_with_the_last_of_the_stock_and_its_pip_stays(stage: Stage, comes: Open) -> None:
    stage.set(f"{TWO} | stock 0 | trump 8D")
    person = await comes()
    await person.sees(".stock .chip .pip")
    assert await person.page.locator("[data-trump-card]").count() == 0
    assert "8D" not in await person.look("cards()")
    await person.page.get_by_text("Stock empty. Trump: diamonds.").wait_for(state="attached")


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
async def test_with_six_players_the_trump_is_at_its_holders_until_it_is_played(
    stage: Stage, comes: Open, size: tuple[int, int]
) -> None:
    stage.set(SIX)
    person = await comes(size=size)
    await person.look("still()")
    stage.conduct = "plays"
    await person.sees(".seat[data-seat='1'] [data-shown='6H']")
    await person.sees(".stock .chip .pip")
    await whole(person, "[data-shown='6H']", size, beyond=OUTSIDE)
    assert await person.page.locator("[data-shown], [data-trump-card]").count() == 1
    card = (await person.pressable("card"))[0]
    await person.press("card", card)
    await person.sees(f".felt [data-card='{card}']")
    stage.do(f"1:6Hx{card}")
    await person.sees(".felt [data-card='6H']")
    await person.misses("[data-shown='6H']")
    await person.sees(".stock .chip .pip")
