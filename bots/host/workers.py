"""Bots that think longer than an event loop may wait do it in processes of their own, which can be killed.

A pool of our own: that of the standard library is broken for good once one of its processes is killed, and can neither stop a
thought nor choose which comes next. A process is started when there is something to think about and no idle one, up to one a core.

Depth follows the load. Who asks names the moment at which an answer has lost its use, and whose moment comes first is thought about
first. Half of what is left until then is shared by all that wait: with n of them and w workers a thought gets left / 2 * w / n. So
whether they come at once or one after another, they come to their answers, and it is the thoughts that get shallower.

Time tells nothing about the hand. An answer is given `budget + SLACK_S` after its thought began, however soon it was there: also
that of an ending solved at once, and of a move that was the only one.
"""

import asyncio
import contextlib
import heapq
import itertools
import logging
import os
import pickle
import signal
import sys
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any, Final

from durak.bots.bot import Budget
from durak.bots.host.worker import LENGTH_BYTES, OUT_OF_MEMORY, PATIENCE_S, Reply, Request, frame
from durak.bots.knowing.memory import Memory
from durak.protocol.process.compiled import is_compiled
from durak.protocol.rules.actions import AnyAction
from durak.protocol.rules.view import GameView

logger = logging.getLogger(__name__)

SPAN_S: Final = 1.0
"""From the question to the moment at which its answer has lost its use, usually."""
THINK_MS: Final = 200.0
"""What a thought gets while few wait, where nobody says otherwise."""
MOST_THINK_MS: Final = 500
"""More would not fit into `SPAN_S` beside another thought."""
MOST_WORKERS: Final = 256
LEAST_THINK_MS: Final = 2.0
"""Below that Normal is as good."""
SLACK_S: Final = 0.02 if is_compiled() else 0.1
"""What a thought may take longer than its budget without being told from others: its last playouts, the way there and back."""
START_S: Final = 30.0
END_S: Final = 1.0
NOT_FOR_WORKERS: Final = ("DURAK_HOST_TOKEN", "DURAK_SECRET")
PAUSE_S: Final = 2.0
"""After a worker that could not even be started."""
TELL_EVERY_S: Final = 60.0


class NoThought(Exception):
    """There is no decision; `code`: too_busy, worker_killed, worker_timed_out, worker_out_of_memory, worker_failed, bot_failed."""

    def __init__(self, code: str) -> None:
        super().__init__(f"no decision [{code}]")
        self.code = code


@dataclass(slots=True)
class Tally:
    """What has come of the questions so far: thoughts to their end, all their budgets in ms, what stayed without, lost workers."""

    thoughts: int = 0
    budgets_ms: float = 0.0
    without: int = 0
    replaced: int = 0

    def since(self, before: "Tally") -> "Tally":
        """The part of it that is later than `before`."""
        return Tally(
            self.thoughts - before.thoughts,
            self.budgets_ms - before.budgets_ms,
            self.without - before.without,
            self.replaced - before.replaced,
        )


@dataclass(slots=True, order=True)
class Question:
    """Somebody waits for its answer, until `until` (time of the event loop); the order is that in which they are thought about."""

    until: float
    number: int
    request: Request = field(compare=False)
    answer: "asyncio.Future[AnyAction | None]" = field(compare=False)


class Worker:
    """A running process with this bot."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def start(cls, spec: str) -> "Worker":
        """Start one and wait until its bot is ready. Raises `NoThought` worker_failed."""
        worker = cls(
            await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "durak.bots.host.worker", spec),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                env={name: value for name, value in os.environ.items() if name not in NOT_FOR_WORKERS},
            )
        )
        try:
            await worker._hear(START_S)
        except NoThought as lost:
            raise NoThought("worker_failed") from lost
        except asyncio.CancelledError:
            await worker.kill()
            raise
        return worker

    async def ask(self, request: Request) -> Reply:
        """The answer of its bot. Raises `NoThought`, and then the process has ended."""
        assert self._process.stdin is not None
        if not self._process.stdin.is_closing():  # else it has ended while it had nothing to do, which is heard next
            self._process.stdin.write(frame(request))
        reply: Reply = await self._hear(request.budget_ms / 1000 + PATIENCE_S)
        return reply

    async def kill(self) -> None:
        """End it, whatever it does."""
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()

    async def _hear(self, patience_s: float) -> Any:
        out = self._process.stdout
        assert out is not None
        try:
            async with asyncio.timeout(patience_s):
                length = await out.readexactly(LENGTH_BYTES)
                return pickle.loads(await out.readexactly(int.from_bytes(length, "big")))
        except TimeoutError:
            await self.kill()
            raise NoThought("worker_timed_out") from None
        except (asyncio.IncompleteReadError, ConnectionError, pickle.UnpicklingError):
            try:
                async with asyncio.timeout(END_S):  # killed at once, it could not tell why it has ended
                    await self._process.wait()
            except TimeoutError:
                await self.kill()
            raise NoThought(_why(self._process.returncode)) from None


class Workers:
    """At most `count` processes that think for the bot of `spec` (module:Class), `think_ms` a decision while few are asked for.

    Used as an asynchronous context, whose end leaves no process behind. Raises `BadBudget` for zero milliseconds and less.
    """

    def __init__(self, spec: str, count: int, think_ms: float = THINK_MS) -> None:
        assert Budget(ms=think_ms)
        self.tally = Tally()
        self._spec = spec
        self._count = count
        self._think_ms = think_ms
        self._numbers = itertools.count()
        self._waiting: list[Question] = []  # a heap
        self._open = 0  # questions that somebody waits for
        self._idle: list[Worker] = []
        self._busy: set[Worker] = set()
        self._starting = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._last_report = (0.0, Tally())

    async def __aenter__(self) -> "Workers":
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(worker.kill() for worker in [*self._idle, *self._busy]))

    async def think(self, view: GameView, memory: Memory, seed: int, until: float) -> AnyAction | None:
        """What the bot does in this seat, or `None` to wait. Raises `NoThought`, at `until` at the latest (time of the loop).

        Cancelled, the question is dropped; a thought that has begun ends soon by itself.
        """
        loop = asyncio.get_running_loop()
        question = Question(until, next(self._numbers), Request(view, memory, seed, 0.0), loop.create_future())
        self._open += 1
        try:
            heapq.heappush(self._waiting, question)
            self._hand_out()
            async with asyncio.timeout_at(until):
                return await question.answer
        except TimeoutError:
            self.tally.without += 1
            raise NoThought("too_busy") from None
        except NoThought:
            self.tally.without += 1
            raise
        finally:
            self._open -= 1

    # ---------------------------------------------------------------- who thinks about what

    def _hand_out(self) -> None:
        """Give questions to idle workers, and start workers for what is left."""
        now = asyncio.get_running_loop().time()
        while self._waiting and (self._idle or self._waiting[0].answer.done()):
            question = heapq.heappop(self._waiting)
            left_ms = 1000 * (question.until - now - SLACK_S)
            if not question.answer.done() and left_ms > LEAST_THINK_MS:  # else nobody waits, or it would be in vain
                budget_ms = max(LEAST_THINK_MS, min(self._think_ms, left_ms / 2 * self._count / self._open))
                worker = self._idle.pop()
                self._busy.add(worker)
                self._begin(self._think(worker, question, question.request._replace(budget_ms=budget_ms)))
        alive = len(self._idle) + len(self._busy) + self._starting
        for _ in range(min(len(self._waiting) - self._starting, self._count - alive)):
            self._starting += 1
            self._begin(self._start())

    async def _think(self, worker: Worker, question: Question, request: Request) -> None:
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            reply = await worker.ask(request)
        except NoThought as lost:
            self._busy.remove(worker)
            self.tally.replaced += 1
            logger.warning("a worker is replaced, another bot decides [%s]", lost.code)
            _settle(question, lost)
            self._hand_out()
            return
        self._busy.remove(worker)
        self._idle.append(worker)
        self.tally.thoughts += 1
        self.tally.budgets_ms += request.budget_ms
        self._hand_out()
        self._tell_load(loop.time())
        await asyncio.sleep(began + request.budget_ms / 1000 + SLACK_S - loop.time())
        legal = reply.action is None or reply.action in request.view.legal
        _settle(question, NoThought("bot_failed") if reply.failed or not legal else reply.action)

    async def _start(self) -> None:
        try:
            worker = await Worker.start(self._spec)
        except NoThought as failed:
            logger.warning("a worker could not be started [%s]", failed.code)
            await asyncio.sleep(PAUSE_S)
        else:
            self._idle.append(worker)
        finally:
            self._starting -= 1
        self._hand_out()

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # ---------------------------------------------------------------- what the operator is told

    def _tell_load(self, now: float) -> None:
        """Once a minute, if thoughts were much shallower than they may be, or were missing."""
        reported_at, before = self._last_report
        if now < reported_at + TELL_EVERY_S:
            return
        part = self.tally.since(before)
        self._last_report = (now, Tally(self.tally.thoughts, self.tally.budgets_ms, self.tally.without, self.tally.replaced))
        if reported_at and (part.without or part.budgets_ms < part.thoughts * self._think_ms / 2):
            logger.warning(
                "busy: %.0f thoughts a second of %.0f ms instead of %.0f; %d decisions were left to another bot",
                *(part.thoughts / (now - reported_at), part.budgets_ms / part.thoughts, self._think_ms, part.without),
            )


def _settle(question: Question, how: AnyAction | NoThought | None) -> None:
    """Answer whoever still waits."""
    if not question.answer.done():
        if isinstance(how, NoThought):
            question.answer.set_exception(how)
        else:
            question.answer.set_result(how)


def _why(status: int | None) -> str:
    """Why a process has ended that nobody here has ended."""
    if status == OUT_OF_MEMORY:
        return "worker_out_of_memory"
    if hasattr(signal, "SIGALRM") and status == -signal.SIGALRM:
        return "worker_timed_out"
    return "worker_killed" if status is not None and status < 0 else "worker_failed"


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
