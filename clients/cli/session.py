"""At the table: messages to the screen, typed lines to the server, the timer, and when it is time to go. The asyncio shell."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any, Final

from durak.clients.cli.answers import Here, Order, Problem
from durak.clients.cli.teller import Teller
from durak.clients.cli.terminal import Screen
from durak.clients.cli.turn import leaving_loses
from durak.clients.link import LeftOut, Link, LinkClosed, LinkError, Refused
from durak.protocol.messages import Create, Detached, Error, Join, LeaveTable, ServerMessage, TableView, Watch

SETTLE_S: Final = 2.0
"""How long to wait for the update that belongs to an accepted command."""
BOTS_START_S: Final = 1.0
BOTS_START_TRIES: Final = 5
SAME_DEADLINE_S: Final = 0.8
GONE: Final = ("no_such_table", "frozen")
"""Codes that answer a resume when the table is no more."""


class Ended(Exception):
    """The session cannot go on: `code` and a sentence."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence


class Session:
    """One stay at a table.

    `interactive`: the end of input (Ctrl-D) means to go; otherwise it means to stay until a game is over. `exit_after_game`: go
    when a game is over. `back` is the command line that leads back, for a seat and for a spectator.
    """

    def __init__(
        self, teller: Teller, screen: Screen, *, interactive: bool, exit_after_game: bool, back: tuple[str, str] = ("", "")
    ) -> None:
        self._teller = teller
        self._screen = screen
        self._interactive = interactive
        self._exit_after_game = exit_after_game
        self._back = back
        self._link: Link | None = None
        self._over: asyncio.Future[None] | None = None
        self._news = asyncio.Event()
        self._seq = -1
        self._may_confirm = False
        self._leaving = False
        self._calls: list[asyncio.TimerHandle] = []
        self._deadline: tuple[str, float] | None = None

    # ---------------------------------------------------------------- from first to last

    async def open(self, link: Link, opening: Order) -> None:
        """Go to the table. Raises `Refused` or `LinkClosed`."""
        self._link = link
        for attempt in range(BOTS_START_TRIES):
            try:
                await link.command(opening.make, **opening.arguments)
                return
            except Refused as refused:
                if refused.code == "already_seated":
                    return  # and the server has attached us all the same
                starting = refused.code == "no_bots" and not refused.error.params.get("levels")
                if not starting or attempt == BOTS_START_TRIES - 1:
                    raise
            await asyncio.sleep(BOTS_START_S)  # a server that has just begun has no bots yet

    async def run(self, lines: AsyncIterator[str] | None) -> None:
        """Stay until it is time to go. Raises `LinkError` or `Ended` if that is not by the player's will."""
        self._over = asyncio.get_running_loop().create_future()
        tasks = [asyncio.create_task(self._ending(self._hear())), asyncio.create_task(self._ending(self._obey(lines)))]
        try:
            await self._over
        finally:
            self._quiet()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def lost(self, why: LinkError | None) -> None:
        """The link has lost its connection (or, with `None`, has one again)."""
        if why is not None:
            self._quiet()
            self._say_aside(self._teller.lost())

    def _say_aside(self, lines: list[str]) -> None:
        """Say something from outside the session's own work: if nobody can hear it, the session ends."""
        try:
            self._screen.say(lines)
        except OSError as error:
            if self._over is not None and not self._over.done():
                self._over.set_exception(error)

    def farewell(self) -> list[str]:
        """How to come back."""
        view = self._teller.view
        if view is None:
            return []
        if view.you.chair is None:
            return [self._say("link.again", command=self._back[1].format(table=view.table))]
        return [self._say("link.kept", command=self._back[0].format(table=view.table))]

    async def _ending(self, work: Coroutine[Any, Any, None]) -> None:
        """Do this work; if it fails, the session ends with its error."""
        try:
            await work
        except asyncio.CancelledError:
            raise
        except BaseException as error:
            assert self._over is not None
            if self._over.done():
                return
            self._over.set_exception(error)

    def _go(self) -> None:
        if self._over is not None and not self._over.done():
            self._over.set_result(None)

    def _say(self, key: str, **params: object) -> str:
        return self._teller.speech(key, **params)

    # ---------------------------------------------------------------- what the server says

    async def _hear(self) -> None:
        link = self._link
        assert link is not None
        async for message in link:
            before = self._teller.view
            if self._leaving and isinstance(message, Detached):
                continue  # said when the command was answered
            was_offline = self._teller.offline
            self._screen.say(self._teller.hear(message))
            if isinstance(message, Error) and message.code in GONE and was_offline:
                raise Ended(message.code, self._teller.error(message))
            if isinstance(message, Detached):
                self._detached(message)
                return
            self._applied(message, before)
        self._go()

    def _applied(self, message: ServerMessage | LeftOut, before: TableView | None) -> None:
        seq = getattr(message, "seq", None)
        if seq is None:
            return
        self._call_time()
        self._seq = seq
        self._news.set()
        view = self._teller.view
        if view is None or before is None or before.table != view.table:
            return
        if before.status != "finished" and view.status == "finished" and (self._exit_after_game or not self._can_follow(view)):
            self._go()

    @staticmethod
    def _can_follow(view: TableView) -> bool:
        """True if there can be another game: bots alone play none."""
        return view.persons > 0 or view.you.chair is not None

    def _detached(self, message: Detached) -> None:
        if message.reason == "frozen":
            raise Ended("frozen", self._say("error.frozen"))
        self._go()

    # ---------------------------------------------------------------- what is typed

    async def _obey(self, lines: AsyncIterator[str] | None) -> None:
        if lines is not None:
            async for line in lines:
                await self._obey_line(line)
        if self._interactive:
            self._quit()
            return
        self._exit_after_game = True
        view = self._teller.view
        if view is not None and view.status == "finished":
            self._go()

    async def _obey_line(self, line: str) -> None:
        confirms, self._may_confirm = self._may_confirm, False
        teller = self._teller
        if teller.view is None:
            await self._until(lambda: teller.view is not None)
            if teller.view is None:
                return
        answer = teller.read(line)
        if confirms and not (isinstance(answer, Order) and answer.make is LeaveTable):
            self._screen.say([self._say("leave.stay")])
        match answer:
            case Here.HELP:
                self._screen.say(teller.help())
            case Here.SITUATION:
                self._screen.say(teller.situation())
            case Here.QUIT:
                self._quit()
            case Here.NOTHING:
                pass
            case Problem(sentence=sentence):
                self._screen.say([sentence])
            case Order():
                await self._carry_out(answer, confirms)

    def _quit(self) -> None:
        self._screen.say(self.farewell())
        self._go()

    async def _carry_out(self, order: Order, confirmed: bool) -> None:
        link, view = self._link, self._teller.view
        assert link is not None and view is not None
        if self._teller.offline:
            self._screen.say([self._say("problem.offline")])
            return
        leaves = order.make is LeaveTable
        loses = leaves and leaving_loses(view)
        if loses and not confirmed:
            self._may_confirm = True
            self._screen.say([self._say("leave.sure")])
            return
        self._leaving = leaves
        try:
            accepted = await link.command(order.make, **order.arguments)
        except Refused as refused:
            self._leaving = False
            self._screen.say([self._teller.refusal(refused.error)])
            return
        except LinkClosed:
            return  # the reader tells why
        settled = accepted.seq
        if settled is not None and order.make not in (Create, Join, Watch):
            await self._until(lambda: self._seq >= settled)  # so that the next line is read in its light
        if leaves:
            self._screen.say([self._say("detached.left")])
            if loses:
                self._screen.say([self._say("leave.back", command=self._back[0].format(table=view.table))])
            self._go()

    async def _until(self, ready: Callable[[], bool]) -> None:
        """Wait until the server's messages have brought this about, but not for ever."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(SETTLE_S):
                while not ready():
                    self._news.clear()
                    await self._news.wait()

    # ---------------------------------------------------------------- the timer

    def _call_time(self) -> None:
        """Let the timer speak; while a clock runs on, what it was going to say stays as it is."""
        view, loop = self._teller.view, asyncio.get_running_loop()
        calls = self._teller.time_calls()
        if view is None or view.clock is None or not calls:
            self._quiet()
            return
        deadline = loop.time() + view.clock.ms / 1000
        if self._deadline is not None:
            kind, earlier = self._deadline
            if kind == view.clock.kind and abs(deadline - earlier) < SAME_DEADLINE_S:
                return
        self._quiet()
        self._deadline = (view.clock.kind, deadline)
        self._calls = [loop.call_later(in_ms / 1000, self._say_aside, [line]) for in_ms, line in calls]

    def _quiet(self) -> None:
        for call in self._calls:
            call.cancel()
        self._calls = []
        self._deadline = None
