"""A player that is a program: takes a chair at a table of any server, and plays whatever `choose` says until the game is over."""

import asyncio
import logging
from collections.abc import Sequence
from typing import Final

from durak.clients.link import Link, Refused
from durak.protocol.messages import Act, Create, Join, Level, Speed, TableState, TableView, Update, ViewerEvent
from durak.protocol.rules.actions import AnyAction, Keep, Pass, Redeal
from durak.protocol.rules.events import GameResult
from durak.protocol.rules.view import GameView

logger = logging.getLogger(__name__)

REFUSALS_IN_A_ROW: Final = 3
"""After so many, it waits for news; the turn clock acts for it if there is none."""
NEWS_MS: Final = 50.0
"""For so long the news that explain a refusal may still be on their way."""
BOTS_ARRIVE_S: Final = 20.0


class BotAccount:
    """A bot; override `choose`. One object plays one game at a time."""

    def choose(self, view: GameView) -> AnyAction | None:
        """One of `view.legal`, which is not empty, or `None` to wait until something happens.

        It is asked whenever something has happened, and may take its time, as the turn clock allows; the connection is looked after
        only between two decisions, so a long one belongs into a thread or process of its own.
        """
        raise NotImplementedError

    def hear(self, events: Sequence[ViewerEvent], view: TableView) -> None:
        """This has happened, and led to that; nothing needs to be done about it."""

    async def play(
        self, link: Link, table: str | None = None, against: Sequence[Level] = (), speed: Speed = "watch"
    ) -> GameResult | None:
        """Play one game over an open link and return how it ended, `None` if the operator has ended it.

        At `table` a chair is taken, if there is none yet; without one a table is made, for itself and bots of these levels; `speed`
        "fast" lets the bots act at once, at a server for developers. Raises `LinkError`.
        """
        if table is None:
            await self._create(link, against, speed)
        elif link.table is None:
            await link.command(Join, table=table)
        answered_seq = 0
        view: TableView | None = None
        begun = False
        async for message in link:
            match message:
                case TableState(seq=seq, missed=missed):
                    view, events = message.view, [event for one in missed for event in one.events]
                case Update(seq=seq, events=list(events), view=change):
                    assert view is not None, "a link hands on no update before the table"
                    view = change.applied_to(view)
                case _:
                    continue
            self.hear(events, view)
            begun = begun or view.status == "playing"
            if begun and view.status != "playing":
                return None if view.game is None else view.game.result
            if seq >= answered_seq and seq == link.seq:  # what has arrived since then is decided on first
                answered_seq = await self._decide(link, seq)
        return None

    async def _decide(self, link: Link, seq: int) -> int:
        """Choose, on what is known now, and return the sequence number of the answer."""
        for _ in range(REFUSALS_IN_A_ROW):
            if link.view is None or link.view.status != "playing" or (game := link.view.game) is None or not game.legal:
                return seq
            action = self.choose(game)
            if action is None:
                return seq
            epoch = game.epoch if isinstance(action, Pass | Redeal | Keep) else None
            try:
                ok = await link.command(Act, action=action, bout=game.bout, epoch=epoch)
                return ok.seq or seq
            except Refused as refused:
                last = refused
                await asyncio.sleep((refused.error.retry_after_ms or NEWS_MS) / 1000)
                if link.seq != seq:
                    return seq  # somebody was faster; that is decided on
        logger.warning("%s", last)
        return seq

    async def _create(self, link: Link, against: Sequence[Level], speed: Speed) -> None:
        """Make a table; a server that has just started has no bots for a moment."""
        async with asyncio.timeout(BOTS_ARRIVE_S):
            while True:
                try:
                    await link.command(Create, bots=list(against), speed=speed, start=True)
                    return
                except Refused as refused:
                    if refused.code != "no_bots" or refused.error.params.get("levels"):
                        raise
                await asyncio.sleep(0.2)
