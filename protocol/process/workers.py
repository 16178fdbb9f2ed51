"""Processes for a long command: results in order, a quiet Ctrl-C, and a process that is lost is noticed.

Nothing of a process is left behind, whatever ends the command: each holds one end of a pipe, and ends when the other end is gone.
"""

import contextlib
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing.connection import Connection
from multiprocessing.util import Finalize
from typing import Any, Final, TypeVar

Work = TypeVar("Work")
Result = TypeVar("Result")

CHUNKS_AHEAD: Final = 4
"""How many pieces of work a process is ahead of the result that is waited for."""


class WorkerLost(Exception):
    """A process was killed from outside, or ran out of memory; `code` is worker_lost. The results until then are good."""

    code = "worker_lost"

    def __init__(self, text: str) -> None:
        super().__init__(f"{text} [{self.code}]")


def worked(
    function: Callable[[Work], Result],
    work: Iterable[Work],
    *,
    jobs: int,
    at_once: int = 1,
    begin: Callable[..., Callable[[], None] | None] | None = None,
    given: tuple[Any, ...] = (),  # Any: the parameters of `begin`
) -> Iterator[Result]:
    """`function` of each piece of work, in order, from so many processes, each handed `at_once` pieces at a time.

    `begin(*given)` prepares a process, and may return what ends it in good order. All are functions of a module. Raises
    `WorkerLost`, and whatever `function` raises.
    """
    context = multiprocessing.get_context("spawn")
    leash, held = context.Pipe(duplex=False)
    pieces = iter(work)
    waiting: deque[Future[list[Result]]] = deque()
    pool = ProcessPoolExecutor(jobs, context, _begin, (leash, begin, given))
    try:
        while True:
            while len(waiting) < CHUNKS_AHEAD * jobs and (chunk := list(islice(pieces, at_once))):
                with _ctrl_c_later():  # it may start a process
                    waiting.append(pool.submit(_carry_out, function, chunk))
            if not waiting:
                break
            yield from waiting.popleft().result()
        pool.shutdown()
    except BrokenProcessPool:
        text = "a worker process was lost: killed from outside, or out of memory; the same command again may do, or fewer --jobs"
        raise WorkerLost(text) from None
    finally:
        held.close()  # whoever still works stops now
        leash.close()
        pool.shutdown(wait=False, cancel_futures=True)


@contextlib.contextmanager
def _ctrl_c_later() -> Iterator[None]:
    """Put Ctrl-C off in this block, and keep it from processes that are started here: until they are ready it would kill them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heard: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    blocks = hasattr(signal, "pthread_sigmask")
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if blocks else set()
    try:
        yield
    finally:
        if blocks:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.signal(signal.SIGINT, before)
    if heard:
        signal.raise_signal(signal.SIGINT)


# ---------------------------------------------------------------- in a process of their own


def _begin(leash: Connection, begin: Callable[..., Callable[[], None] | None] | None, given: tuple[Any, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the first process
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    end = (begin(*given) if begin is not None else None) or _nothing
    Finalize(None, end, exitpriority=10)

    def now(*_: object) -> None:
        end()
        os._exit(1)  # an exception would be taken for that of the work

    signal.signal(signal.SIGTERM, now)
    threading.Thread(target=_hold, args=(leash, now), daemon=True).start()


def _hold(leash: Connection, now: Callable[[], None]) -> None:
    """Wait until the first process lets go of the leash, or is gone, even by a kill."""
    with contextlib.suppress(EOFError, OSError):
        leash.recv()
    now()


def _nothing() -> None:
    pass


def _carry_out(function: Callable[[Work], Result], chunk: list[Work]) -> list[Result]:
    return [function(piece) for piece in chunk]
