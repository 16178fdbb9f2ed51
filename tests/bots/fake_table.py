"""A table around a real game, behind a fake server: what a bot's seat is connected to. Its driver plays the other seats."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Literal

import msgspec

from durak.protocol.messages import (
    Act,
    Error,
    Hello,
    Ok,
    SeatOffer,
    SeqEvents,
    TableState,
    TableView,
    Update,
    ViewChange,
    Welcome,
    YouView,
)
from durak.protocol.rules.actions import AnyAction
from durak.protocol.rules.errors import IllegalAction
from durak.protocol.rules.events import GameEvent
from durak.protocol.rules.game import Game
from durak.protocol.rules.view import seen, view_of
from tests.clients.link.fake_server import HEARTBEAT_MS, TABLE, Peer


def offer(level: str = "normal", delay_ms: tuple[int, int] = (1500, 3000), token: str = "seat-token") -> SeatOffer:
    """An offer of the seat at the table of the tests."""
    return msgspec.convert({"t": "seat", "token": token, "table": TABLE, "level": level, "delay_ms": delay_ms}, SeatOffer)


class FakeTable:
    """One bot in seat `bot`; `acts` notes its accepted actions and `tried` all, each with the time it came at."""

    def __init__(self, game: Game, bot: int) -> None:
        self.game = game
        self.bot = bot
        self.seq = 1
        self.history: list[SeqEvents] = []
        self.peer: Peer | None = None
        self.acts: list[tuple[float, AnyAction]] = []
        self.tried: list[tuple[float, AnyAction]] = []
        self.refuse: Callable[[Act], Error | None] = lambda _: None
        self.came = asyncio.Event()
        self.there = asyncio.Event()

    def view(self) -> TableView:
        """The table as the bot sees it."""
        status: Literal["playing", "finished"] = "playing" if self.game.result is None else "finished"
        you = YouView(0, self.bot, False, [])
        return TableView(TABLE, "", status, False, self.game.ruleset, [], 0, 0, None, you, view_of(self.game, self.bot))

    async def scene(self, peer: Peer) -> None:
        """Serve one connection of the bot."""
        hello = await peer.read()
        assert isinstance(hello, Hello)
        peer.server.hellos.append(hello)
        await peer.send(Welcome("b", "Bot", "bot", "test", 1, "1.0.0", HEARTBEAT_MS))
        missed = [one for one in self.history if hello.seq is not None and one.seq > hello.seq]
        await peer.send(TableState(self.seq, "snapshot" if hello.seq is None else "events", missed, 0, self.view()))
        self.peer = peer
        self.there.set()
        while True:
            act = await peer.read()
            assert isinstance(act, Act)
            now = asyncio.get_running_loop().time()
            self.tried.append((now, act.action))
            error = self.refuse(act)
            if error is None:
                try:
                    events = self.game.act(self.bot, act.action, bout=act.bout, epoch=act.epoch)
                except IllegalAction as illegal:
                    error = Error(illegal.reason.code, cid=act.cid)
            if error is None:
                self.acts.append((now, act.action))
                await peer.send(Ok(act.cid, TABLE, self.seq + 1))
                await self.tell(events)
            else:
                await peer.send(msgspec.structs.replace(error, cid=act.cid))
            self.came.set()

    async def tell(self, events: list[GameEvent]) -> None:
        """Something has happened at the table."""
        self.seq += 1
        shown = [told for event in events if (told := seen(event, self.bot)) is not None]
        self.history.append(SeqEvents(self.seq, list(shown)))
        if self.peer is not None:
            await self.peer.send(Update(self.seq, list(shown), ViewChange.to(self.view())))

    async def other(self, seat: int, action: AnyAction) -> None:
        """Another seat acts."""
        await self.tell(self.game.act(seat, action))

    def cut(self) -> None:
        """Cut the bot's line."""
        assert self.peer is not None
        self.peer.drop()
        self.peer = None
        self.there.clear()

    async def attached(self) -> None:
        """Wait until the bot is there."""
        await self.there.wait()

    async def next_try(self) -> tuple[float, AnyAction]:
        """Wait for the bot's next action, accepted or not."""
        self.came.clear()
        await self.came.wait()
        return self.tried[-1]
