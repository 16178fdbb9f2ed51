"""Somebody at a browser: a page, everything it has heard and said, and a hand that presses what can be seen."""

from __future__ import annotations

import asyncio
import json
import random
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.system.client import Message

if TYPE_CHECKING:  # collected also where there is no Playwright
    from playwright.async_api import Browser, BrowserContext, Dialog, Page, WebSocket

EYES = Path(__file__).with_name("eyes.js")
PHONE = (390, 844)
DESKTOP = (1280, 800)
WAIT_MS = 10_000
WEIGHTS = {"target": 6.0, "card": 3.0, "take": 0.3, "pass": 2.0, "forfeit": 0.2, "redeal": 0.5}
"""How gladly somebody who plays at random presses what; other buttons have 1. Games end sooner where cards are beaten."""


class Guest(NamedTuple):
    """A guest that a browser may know already."""

    name: str
    token: str
    player: str = "guest:somebody"


def storage(url: str, guest: Guest) -> Any:
    """The state of a browser that has played on this server as this guest."""
    kept = {
        "durak.name": json.dumps(guest.name),
        "durak.guests": json.dumps({guest.name: {"token": guest.token, "player": guest.player}}),
    }
    items = [{"name": name, "value": value} for name, value in kept.items()]
    return {"cookies": [], "origins": [{"origin": url, "localStorage": items}]}


class Person:
    """A page; `heard` and `said` are its messages without heartbeats, `complaints` what its console says of errors."""

    def __init__(self, context: BrowserContext, page: Page) -> None:
        self.context = context
        self.page = page
        self.heard: list[Message] = []
        self.said: list[Message] = []
        self.complaints: list[str] = []
        self.dialogs: list[str] = []
        self._covered = 0
        page.on("websocket", self._connected)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda line: self.complaints.append(line.text) if line.type in ("error", "warning") else None)
        page.on("dialog", self._asked)

    @classmethod
    async def at(
        cls,
        browser: Browser,
        url: str,
        path: str = "/",
        *,
        guest: Guest | None = None,
        size: tuple[int, int] = PHONE,
        **options: Any,
    ) -> Person:
        """Somebody who opens a page of this server in a browser of their own; `guest`: as whom it knows them."""
        context = await browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            storage_state=None if guest is None else storage(url, guest),
            **options,
        )
        context.set_default_timeout(WAIT_MS)
        return await cls.in_tab(context, url + path)

    @classmethod
    async def in_tab(cls, context: BrowserContext, url: str) -> Person:
        """A tab of a browser that is open already."""
        person = cls(context, await context.new_page())
        await person.page.add_init_script(path=EYES)
        await person.page.goto(url)
        return person

    def _connected(self, socket: WebSocket) -> None:
        def note(kept: list[Message], frame: str | bytes) -> None:
            message = json.loads(frame)
            if message["t"] != "heartbeat":
                kept.append(message)

        socket.on("framereceived", lambda frame: note(self.heard, frame))
        socket.on("framesent", lambda frame: note(self.said, frame))

    async def _asked(self, dialog: Dialog) -> None:
        self.dialogs.append(dialog.type)
        await dialog.accept()

    # ---------------------------------------------------------------- looking

    @property
    def view(self) -> Message:
        """The table as the page was last told."""
        view: Message = {}
        for message in self.heard:
            if "view" in message:  # whole in a table's state; what an update leaves out is as it was
                view = message["view"] if message["t"] == "table" else {**view, **message["view"]}
        return view

    @property
    def seq(self) -> int:
        """The sequence number that the page was last told."""
        return max(int(message["seq"]) for message in self.heard if "view" in message)

    async def look(self, expression: str) -> Any:
        """What eyes.js sees: `await person.look("hand()")`."""
        return await self.page.evaluate(f"eyes.{expression}")

    async def sees(self, selector: str, text: str | None = None) -> None:
        """Wait until this is seen."""
        await self.page.locator(selector).filter(has_text=text).first.wait_for(state="visible")

    async def misses(self, selector: str) -> None:
        """Wait until nothing like this is seen."""
        await self.page.locator(selector).first.wait_for(state="hidden")

    async def pressable(self, kind: str) -> list[str]:
        """The names of the cards, targets or buttons that can be pressed now, as they lie."""
        return [choice["name"] for choice in await self.look("choices()") if choice["kind"] == kind]

    # ---------------------------------------------------------------- pressing

    async def spot(self, kind: str, name: str) -> tuple[float, float]:
        """Where this card, target or button can be pressed; while it moves, something may lie over it for a moment."""
        for _ in range(20):
            choices = await self.look("choices()")
            (found,) = [choice for choice in choices if (choice["kind"], choice["name"]) == (kind, name)] or [None]
            assert found is not None, f"no {kind} {name} can be pressed, but {choices}"
            if found["x"] is not None:
                return found["x"], found["y"]
            await asyncio.sleep(0.03)
        raise AssertionError(f"{kind} {name} is covered or off the screen")

    async def press(self, kind: str, name: str) -> None:
        """Press this card, target or button with the mouse where it is seen."""
        await self.page.mouse.click(*await self.spot(kind, name))

    async def click(self, selector: str) -> None:
        """Click on this once it is there."""
        await self.page.locator(selector).first.click()

    async def play(self, rng: random.Random) -> bool:
        """Do something at random as soon as there is something to do; false when the game is over."""
        seen = await self.look("next(15000)")
        if seen["screen"] == "result":
            return False
        choices = seen["choices"]
        assert choices, f"nothing to do for 15 s, but {self.view}"
        weights = [WEIGHTS.get(choice["name"], WEIGHTS.get(choice["kind"], 1.0)) for choice in choices]
        (choice,) = rng.choices(choices, weights)
        if choice["x"] is None:  # while it moves, something may lie over it for a moment
            self._covered += 1
            assert self._covered < 20, f"{choice} is covered or off the screen"
            await asyncio.sleep(0.03)
            return True
        self._covered = 0
        await self.page.mouse.click(choice["x"], choice["y"])
        return True

    async def play_out(self, seed: int, timeout_s: float = 60) -> list[str]:
        """Play a game to its end; gives the order of the result screen."""
        rng = random.Random(seed)
        async with asyncio.timeout(timeout_s):
            while await self.play(rng):
                pass
        return await self.order()

    async def order(self) -> list[str]:
        """The order that the result screen shows."""
        await self.sees("[data-screen=result]")
        order: list[str] = await self.look("order()")
        return order
