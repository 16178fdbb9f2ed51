"""One seat at one table: a connection, a memory, and after each delay a decision on the state of that moment.

When an action is sent depends on the drawn delay, on when the state has changed, and on how many others think, but never on a hand:
a thought begins before its action is due, early enough for a busy host, and anew when the state changes; the action then waits for
the moment at which it is due. Only a change shortly before that moment can move it, by the time that every thought takes.
"""

import asyncio
import logging
import random
from collections.abc import Sequence
from typing import Final, Protocol

from durak.bots.bot import Bot, Budget
from durak.bots.host.workers import SPAN_S, NoThought
from durak.bots.knowing.memory import Memory
from durak.clients.link import Dial, LeftOut, Link, LinkClosed, Refused, dial
from durak.protocol.messages import Act, Detached, Error, SeatOffer, ServerMessage, TableState, TableView, Update, ViewerEvent
from durak.protocol.rules.actions import AnyAction, Keep, Pass, Redeal
from durak.protocol.rules.view import DealtSeen, GameView

logger = logging.getLogger(__name__)

REFUSALS_IN_A_ROW: Final = 3
"""After so many, a seat waits for news before it tries again."""


class Thinker(Protocol):
    """Where a bot thinks that is not cheap."""

    async def think(self, view: GameView, memory: Memory, seed: int, until: float) -> AnyAction | None:
        """See `Workers`."""
        ...


class SeatPlayer:
    """Plays the seat of an offer until the table lets it go. `rng` gives the delays and the bot's whims.

    `bot` is cheap. With `thinker` it decides only where that one fails, so that there is always an action in time.
    """

    def __init__(
        self, url: str, offer: SeatOffer, bot: Bot, rng: random.Random, dial: Dial = dial, thinker: Thinker | None = None
    ) -> None:
        self._offer = offer
        self._bot = bot
        self._thinker = thinker
        self._rng = rng
        self._link = Link(url, offer.token, offer.table, patient=True, rng=rng, dial=dial)
        self._memory: Memory | None = None
        self._view: TableView | None = None  # after the last event that the memory has followed
        self._whole = True  # no event of the next message is of a newer version, which the memory could not follow
        self._seq = 0
        self._answered_seq = 0  # of our last action: until that has been seen, there is nothing new to decide
        self._timer: asyncio.TimerHandle | None = None  # until a decision or the beginning of a thought
        self._due = 0.0  # when the next action is to be sent
        self._thought: asyncio.Task[None] | None = None
        self._pondered: GameView | None = None  # what that thought is about
        self._acting: asyncio.Task[None] | None = None
        self._refusals = 0

    async def play(self, opening: asyncio.Semaphore) -> None:
        """Connect (as many at once as `opening` allows) and play. Returns when the seat is gone; raises `LinkError`."""
        try:
            async with opening:
                await self._link.open()
            async for message in self._link:
                if not self._hear(message):
                    break
        except LinkClosed as closed:
            logger.debug("seat at %s: %s", self._offer.table, closed.code)
        finally:
            self._stop()
            if self._acting is not None:
                self._acting.cancel()
            await self._link.close()

    # ---------------------------------------------------------------- what is heard

    def _hear(self, message: ServerMessage | LeftOut) -> bool:
        """Follow a message. False if the seat is gone."""
        match message:
            case LeftOut(events=names):
                self._whole = not names
                return True
            case TableState(seq=seq, resumed=resumed, missed=missed, view=view):
                events = [event for one in missed for event in one.events]
                self._follow(events, view, seq, gapless=resumed == "events")
            case Update(seq=seq, events=list(events), view=change):
                assert self._view is not None, "a link hands on no update before the table"
                view = change.applied_to(self._view)
                self._follow(events, view, seq, gapless=True)
            case Detached() | Error(code="no_such_table" | "frozen", cid=None):
                return False
            case _:
                return True
        return view.you.chair is not None

    def _follow(self, events: Sequence[ViewerEvent], view: TableView, seq: int, *, gapless: bool) -> None:
        self._view, self._seq = view, seq
        self._refusals = 0
        whole, self._whole = self._whole, True
        game, seat = view.game, view.you.seat
        if game is None or seat is None:
            self._memory = None
        elif gapless and whole and self._memory is not None and self._memory.seat == seat:
            self._memory.observe(events, game)
        else:
            self._memory = Memory(seat, view.rules)
            if whole and any(isinstance(event, DealtSeen) for event in events):
                self._memory.observe(events, game)
            else:
                self._memory.restart(game)
        if self._memory is not None and game is not None and view.clock is not None and view.clock.kind == "closing":
            self._memory.nobody_adds(game)
        self._consider()

    # ---------------------------------------------------------------- what is done

    def _game(self) -> GameView | None:
        """The running game, if this seat may act in it now."""
        view = self._view
        if view is None or view.game is None or view.status != "playing" or not view.game.legal:
            return None
        return view.game

    def _consider(self, at_least_ms: int = 0) -> None:
        """Draw a delay if the seat has become able to act; stop the running one if it no longer is."""
        game = self._game()
        if game is None:
            self._stop()
        elif self._thought is not None:
            if game != self._pondered:
                self._thought.cancel()
                self._begin_thought()
        elif self._timer is None and self._acting is None and self._seq >= self._answered_seq:
            loop = asyncio.get_running_loop()
            low, high = self._offer.delay_ms
            self._due = loop.time() + max(at_least_ms, self._rng.uniform(low, high)) / 1000
            if self._thinker is None:
                self._timer = loop.call_at(self._due, self._decide)
            else:
                self._timer = loop.call_at(max(loop.time(), self._due - SPAN_S), self._begin_thought)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._thought is not None:
            self._thought.cancel()
            self._thought = None

    def _decide(self) -> None:
        """The delay is over: choose on what is seen now. A bot that waits is asked again when something happens."""
        self._timer = None
        game = self._game()
        if game is not None and self._memory is not None:
            self._send(game, self._choice(game, self._memory))

    def _begin_thought(self) -> None:
        """Think about what is seen now, for the moment at which the action is due."""
        self._timer = self._thought = None
        game = self._game()
        if game is not None and self._memory is not None:
            self._pondered = game
            self._thought = asyncio.get_running_loop().create_task(self._think(game, self._memory))

    async def _think(self, game: GameView, memory: Memory) -> None:
        assert self._thinker is not None
        now = asyncio.get_running_loop().time
        try:
            action = await self._thinker.think(game, memory, self._rng.getrandbits(64), min(now(), self._due) + SPAN_S)
        except NoThought:
            action = self._choice(game, memory)
        await asyncio.sleep(self._due - now())
        self._thought = None
        self._send(game, action)

    def _choice(self, game: GameView, memory: Memory) -> AnyAction | None:
        try:
            return self._bot.choose(game, memory, self._rng, Budget())
        except Exception:
            logger.exception("a bot of level %s has failed; the turn clock acts for it", self._offer.level)
            return None

    def _send(self, game: GameView, action: AnyAction | None) -> None:
        if action is not None:
            self._acting = asyncio.get_running_loop().create_task(self._act(action, game.bout, game.epoch))

    async def _act(self, action: AnyAction, bout: int, epoch: int) -> None:
        named = epoch if isinstance(action, Pass | Redeal | Keep) else None
        wait_ms = 0
        try:
            ok = await self._link.command(Act, action=action, bout=bout, epoch=named)
            self._answered_seq = ok.seq or 0
        except Refused as refused:  # something came before it: the state has changed, so decide anew
            self._refusals += 1
            wait_ms = refused.error.retry_after_ms or 0
            if self._refusals >= REFUSALS_IN_A_ROW and not wait_ms:
                logger.warning("a bot of level %s was refused %s", self._offer.level, refused.code)
                return
        except LinkClosed:
            return  # the reader ends as well
        finally:
            self._acting = None
        self._consider(wait_ms)
