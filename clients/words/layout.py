"""How text stands on a terminal: what of it is printed, how many columns it takes, where its lines break."""

import os
import sys
import textwrap
import unicodedata
from collections.abc import Collection, Sequence
from typing import Final, TextIO

from durak.clients.words.filling import NO_BREAK
from durak.clients.words.speech import SYMBOLS

NARROWEST: Final = 20
GAP: Final = "  "


def clean(text: str) -> str:
    """Text without control characters, direction marks or escape codes: names and titles come from strangers.

    >>> clean("Anna\\x1b[2J")
    'Anna?[2J'
    """
    return "".join(letter if letter.isprintable() or letter == NO_BREAK else "?" for letter in text)


def folded(line: str, width: int | None) -> list[str]:
    """A line broken at spaces for this width, not at no-break spaces; `None`: not broken."""
    lines = [line] if width is None else textwrap.wrap(line, max(width, NARROWEST), subsequent_indent="  ", break_on_hyphens=False)
    return [part.replace(NO_BREAK, " ") for part in lines or [""]]


def columns(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return sum(0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def aligned(rows: Sequence[Sequence[str]], numbers: Collection[int] = ()) -> list[str]:
    """Rows of equally many cells as lines of columns; the columns of `numbers` end at the right.

    >>> aligned([["bout", "player"], ["3", "Anna"]], numbers=[0])
    ['bout  player', '   3  Anna']
    """
    widths = [max(map(columns, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = []
        for index, (cell, width) in enumerate(zip(row, widths, strict=True)):
            space = " " * (width - columns(cell))
            cells.append(space + cell if index in numbers else cell + space)
        lines.append(GAP.join(cells).rstrip())
    return lines


def speaks_suits(stream: TextIO, environment: dict[str, str]) -> bool:
    """True if this stream shows ``♠♥♦♣``: its encoding has them, and the locale is not C, in which Python writes UTF-8 anyway."""
    try:
        "".join(SYMBOLS.values()).encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    if environment.get("PYTHONIOENCODING") or environment.get("PYTHONUTF8") == "1":
        return True
    category = environment.get("LC_CTYPE", "")
    coerced = category in ("", "C.UTF-8", "C.utf8", "UTF-8")  # what Python itself sets where the locale is C
    locale = environment.get("LC_ALL") or (environment.get("LANG") if coerced else category)
    return locale not in ("C", "POSIX")


def terminal_width() -> int:
    """Columns of the terminal at standard output."""
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or 80
    except (OSError, ValueError):
        return 80
