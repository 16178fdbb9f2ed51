"""A process that thinks for seats: `python -m durak.bots.host.worker module:Class`, started, asked, and killed, by workers.py.

It is asked on its standard input and answers on its standard output, one frame each: four bytes of length, then a pickle. It
imports what its bot needs and no more, gives way to others, may use so much memory, and ends with whoever started it:
at the end of its input, or, in a thought without end, by an alarm of the system's that no loop of machine code can hold up.
"""

import signal

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the host, which then ends this process

import contextlib
import logging
import os
import pickle
import random
import sys
import time
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

from durak.bots.bot import Bot, Budget, bot_at
from durak.bots.knowing.memory import Memory
from durak.protocol.process import logs
from durak.protocol.rules.actions import AnyAction
from durak.protocol.rules.view import GameView

logger = logging.getLogger(__name__)

LENGTH_BYTES: Final = 4
PATIENCE_S: Final = 2.0
"""How much longer than its budget a thought may take: a busy machine may leave a worker without a processor for that long."""
NICENESS: Final = 5
"""A quarter of a processor that a process of usual priority wants as well, all of one that nobody else wants (docs/load.md)."""
AUTOGROUP: Final = Path("/proc/self/autogroup")
MEMORY_BYTES: Final = 256 << 20
"""What a worker may allocate; Hard needs a tenth of it."""
OUT_OF_MEMORY: Final = 77
"""Exit status."""


class Request(NamedTuple):
    """What is to be decided: all that the seat has been told, a seed for the bot's whims, and how long it may think."""

    view: GameView
    memory: Memory
    seed: int
    budget_ms: float


class Reply(NamedTuple):
    """The decision; or, with `failed`, none, since the bot has raised an exception."""

    action: AnyAction | None
    failed: bool = False


def frame(what: object) -> bytes:
    """As it goes through the pipe."""
    pickled = pickle.dumps(what, pickle.HIGHEST_PROTOCOL)
    return len(pickled).to_bytes(LENGTH_BYTES, "big") + pickled


def stay_small() -> None:
    """Give way to others, and take no more than so much memory, as far as the system knows such things."""
    if sys.platform != "win32":
        import resource

        os.nice(NICENESS)
        leave_the_group()
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES))


def leave_the_group() -> None:
    """Where Linux shares processors among sessions first, be one of low priority, and use up nothing of the server's share."""
    if os.access(AUTOGROUP, os.W_OK):
        with contextlib.suppress(OSError):
            os.setsid()
            for _ in range(20):
                try:
                    AUTOGROUP.write_text(str(NICENESS))
                    break
                except BlockingIOError:  # it lets only one process in at a time, ten a second
                    time.sleep(0.1)


def end_after(seconds: float) -> None:
    """Let the system end this process then, unless told otherwise; 0: never."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


def answer(bot: Bot, request: Request) -> Reply:
    """What the bot decides."""
    try:
        return Reply(bot.choose(request.view, request.memory, random.Random(request.seed), Budget(ms=request.budget_ms)))
    except MemoryError:
        raise
    except Exception:
        logger.exception("a bot has failed")
        return Reply(None, failed=True)


def serve(bot: Bot, questions: BinaryIO, answers: BinaryIO) -> None:
    """Say that the bot is ready, and answer to the end of the questions."""
    reply: Any = True
    while True:
        answers.write(frame(reply))
        answers.flush()
        length = questions.read(LENGTH_BYTES)
        if len(length) < LENGTH_BYTES:
            return
        request: Request = pickle.loads(questions.read(int.from_bytes(length, "big")))
        end_after(request.budget_ms / 1000 + PATIENCE_S)
        reply = answer(bot, request)
        end_after(0)


def main(spec: str) -> None:
    """Think for whoever has started this process."""
    stay_small()
    logs.set_up(os.environ.get("DURAK_LOG_FORMAT") or "text", text="durak bots: %(message)s")
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a bot prints is no answer
    try:
        serve(bot_at(spec), sys.stdin.buffer, answers)
    except BrokenPipeError:
        pass  # whoever asked is gone
    except MemoryError:
        os._exit(OUT_OF_MEMORY)


if __name__ == "__main__":
    from durak.bots.host import worker  # under the name that stands in pickles

    worker.main(sys.argv[1])
