"""Plays a bot `module:Class` as a program that speaks the line protocol: a bot that hangs can be killed, and not the arena with it.

    python -m durak.bots.arena.outside.runner module:Class

What the bot prints goes to standard error. It ends with its input.
"""

import importlib
import os
import queue
import random
import sys
import threading
import traceback
from typing import Any, BinaryIO

from durak.bots.arena.outside.lines import LINE_PROTOCOL, Choose, GameBegins, GameIsOver, Hello, Ready, decode_line, encode
from durak.bots.bot import Bot, Budget
from durak.bots.knowing.memory import Memory


def bot_of(spec: str) -> Bot:
    """The bot of `module:Class`, from the current directory too. Raises what the import, or the class, raises."""
    if "" not in sys.path:
        sys.path.insert(0, "")
    module, name = spec.split(":")
    bot: Any = getattr(importlib.import_module(module), name)()
    if not callable(getattr(bot, "choose", None)):
        raise TypeError(f"{spec} has no method choose(view, memory, rng, budget)")
    made: Bot = bot
    return made


def play(bot: Bot, lines: "queue.Queue[bytes]", out: BinaryIO) -> None:
    """Answer one line after the other, for ever."""
    memory, rng, budget = None, random.Random(), Budget()
    while True:
        match decode_line(lines.get()):
            case Hello():
                answer: Any = Ready(LINE_PROTOCOL)
            case GameBegins() as game:
                memory = Memory(game.seat, game.ruleset)
                rng = random.Random(game.seed)
                budget = Budget(game.budget.ms, game.budget.nodes)
                continue
            case Choose(events=events, view=view):
                assert memory is not None, "a game begins before the first decision"
                memory.observe(events, view)
                answer = bot.choose(view, memory, rng, budget)
            case GameIsOver():
                continue
        out.write(encode(answer) + b"\n")
        out.flush()


def read(lines: "queue.Queue[bytes]") -> None:
    """Hand the lines on, and end the process with the last: whoever reads them may be thinking for ever."""
    for line in sys.stdin.buffer:
        lines.put(line)
    os._exit(0)


def main() -> None:
    """Play the bot named by the argument."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    lines: queue.Queue[bytes] = queue.Queue()
    bot = bot_of(sys.argv[1])
    threading.Thread(target=read, args=(lines,), daemon=True).start()
    try:
        play(bot, lines, out)
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)  # an orderly end would wait for the thread, which waits for a line


if __name__ == "__main__":
    main()
