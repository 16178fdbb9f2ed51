"""Bots that misbehave, each in its own way, from the tenth decision on."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import Any

SPEAKING = """\
#!{python}
import json, os, sys, time
decisions = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["t"] == "hello":
        print('{{"protocol": 1}}', flush=True)
    elif message["t"] == "choose":
        decisions += 1
        answer = json.dumps(message["view"]["legal"][0])
        if decisions > 9:
            {misdeed}
        print(answer, flush=True)
"""

MISDEEDS = {
    "crashes": "raise ZeroDivisionError('oh no')",
    "exits": "sys.exit(0)",
    "dies": "os.kill(os.getpid(), 9)",
    "hangs": "time.sleep(1000)",
    "closes its output": "os.close(1); time.sleep(1000)",
    "no JSON": "answer = 'thinking...'",
    "an empty line": "answer = ''",
    "no UTF-8": "sys.stdout.buffer.write(b'\\xff\\xfe\\n'); continue",
    "an endless line": "answer = 'x' * 1_000_000",
    "no end of the line": "sys.stdout.write(answer); sys.stdout.flush(); sys.exit(0)",
    "two answers": "answer += '\\n' + answer",
    "a flood": "answer = '\\n'.join(map(str, range(100_000)))",
    "a card that is none": "answer = json.dumps({'act': 'lead', 'card': '1S'})",
    "a card it has not": "answer = json.dumps({'act': 'lead', 'card': '6S' if '6S' not in message['view']['hand'] else '7S'})",
    "another phase": "answer = json.dumps({'act': 'redeal'})",
    "leaves": "answer = json.dumps({'act': 'leave'})",
    "a number": "answer = '17'",
    "a list": "answer = '[' * 50_000",
}

KINDS = {
    "crashes": {"crashed", "stopped"},
    "exits": {"crashed", "stopped"},
    "dies": {"crashed", "stopped"},
    "hangs": {"timed_out", "stopped"},
    "closes its output": {"crashed", "stopped"},
    "no JSON": {"rubbish", "stopped"},
    "an empty line": {"rubbish", "stopped"},
    "no UTF-8": {"rubbish", "stopped"},
    "an endless line": {"rubbish", "stopped"},
    "no end of the line": {"rubbish", "stopped"},
    "two answers": {"rubbish", "stopped"},
    "a flood": {"rubbish", "stopped"},
    "a card that is none": {"illegal"},
    "a card it has not": {"illegal"},
    "another phase": {"illegal"},
    "leaves": {"illegal"},
    "a number": {"illegal"},
    "a list": {"illegal"},
}


def script(misdeed: str) -> str:
    """A program that plays the first legal action nine times, and then does this."""
    return SPEAKING.format(python=sys.executable, misdeed=MISDEEDS[misdeed])


class Counting:
    """The first legal action nine times, then `misbehave`."""

    misbehave: Callable[..., Any]

    def __init__(self) -> None:
        self.decisions = 0

    def choose(self, view, memory, rng, budget):  # type: ignore[no-untyped-def]
        self.decisions += 1
        return view.legal[0] if self.decisions < 10 else self.misbehave(view)


class Crashing(Counting):
    def misbehave(self, view):  # type: ignore[no-untyped-def]
        raise ZeroDivisionError("oh no")


class Hanging(Counting):
    def misbehave(self, view):  # type: ignore[no-untyped-def]
        while True:
            pass


class Sleeping(Counting):
    def misbehave(self, view):  # type: ignore[no-untyped-def]
        time.sleep(1000)


class Dying(Counting):
    def misbehave(self, view):  # type: ignore[no-untyped-def]
        os._exit(7)


class Printing(Counting):
    """Prints all it thinks, which is no misdeed."""

    def misbehave(self, view):  # type: ignore[no-untyped-def]
        print("thinking", view.legal)
        return view.legal[0]


class Nonsense(Counting):
    def misbehave(self, view):  # type: ignore[no-untyped-def]
        return object()
