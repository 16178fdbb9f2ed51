"""What `durak play` and `durak tables` have in common on the command line."""

import argparse
import os
import re
import shlex
import sys
from typing import Any, Final
from urllib.parse import urlsplit

from durak.clients.cli.answers import is_code, read_levels
from durak.clients.cli.situation import value_text
from durak.clients.words.language import NUMBERS, language
from durak.clients.words.layout import speaks_suits
from durak.clients.words.speech import Speech
from durak.protocol.messages import Level
from durak.protocol.rules.ruleset import PRESETS, Ruleset

DEFAULT_SERVER: Final = "http://127.0.0.1:8080"
SERVER_VARIABLE: Final = "DURAK_SERVER"
LOOKS_ALIKE: Final = str.maketrans("OIL", "011")
"""What people type for the digits of a code, which has none of these letters."""
FIXED: Final = {"on": True, "true": True, "off": False, "false": False, "none": None, "null": None}


def add_server(parser: argparse.ArgumentParser, *, default: bool = True) -> None:
    """The option --server. A parser below another has no default of its own, which would hide what was given above."""
    parser.add_argument(
        "--server",
        metavar="URL",
        default=os.environ.get(SERVER_VARIABLE, DEFAULT_SERVER) if default else argparse.SUPPRESS,
        help=f"the server (default {DEFAULT_SERVER}; or {SERVER_VARIABLE})",
    )


def add_session(parser: argparse.ArgumentParser) -> None:
    """How a table is shown and when to go."""
    parser.add_argument("--lang", choices=sorted(NUMBERS), default="en", help="language (default en)")
    parser.add_argument(
        "--ascii", action="store_true", help="cards as 10d, without suit symbols; by itself where the terminal has no UTF-8"
    )
    parser.add_argument(
        "--plain",
        action="store_true",
        help="lines in, lines out, for screen readers and pipes; a full-screen client comes later, until then this is always used",
    )
    parser.add_argument("--exit-after-game", action="store_true", help="go when a game is over, instead of waiting for a rematch")


def add_new_table(parser: argparse.ArgumentParser) -> None:
    """What a new table is like."""
    parser.add_argument("--preset", default="classic", metavar="NAME", help=f"rules: {', '.join(PRESETS)} (default classic)")
    parser.add_argument(
        "--option", action="append", default=[], type=option, metavar="KEY=VALUE", help="change a rule; may be given again"
    )
    parser.add_argument("--private", action="store_true", help="do not list the table; people come by its code")
    parser.add_argument(
        "--speed", choices=("watch", "fast"), default="watch", help="fast: bots do not wait (bots among themselves)"
    )


def options_help() -> str:
    """The options of a table with what they are in each preset, for the end of a help text."""
    lines = ["options, with their values in " + ", ".join(PRESETS) + ":"]
    for name in Ruleset.__struct_fields__:
        if name != "preset":
            values = [value_text(getattr(rules, name)) for rules in PRESETS.values()]
            lines.append(f"  {name:18} {', '.join(values if len(set(values)) > 1 else values[:1])}")
    return "\n".join(lines)


def option(text: str) -> tuple[str, Any]:
    """A table option `key=value`: on, off, none, a number, a range `1500-3000`, or a word."""
    key, equals, value = text.partition("=")
    if not (key and equals and value):
        raise argparse.ArgumentTypeError(f"{text!r} is not KEY=VALUE, such as discreet=on")
    key = key.strip().replace("-", "_")
    value = value.strip()
    if value.casefold() in FIXED:
        return key, FIXED[value.casefold()]
    if re.fullmatch(r"-?[0-9]{1,15}", value):
        return key, int(value)
    span = re.fullmatch(r"([0-9]{1,15})-([0-9]{1,15})", value)
    return (key, [int(span[1]), int(span[2])]) if span else (key, value)


def levels(text: str) -> list[Level]:
    """Levels of bots, `easy,normal`."""
    found = read_levels(text)
    if found is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no list of levels; easy,normal,hard is one, of at most six")
    return found


def table_code(text: str) -> str:
    """A table's code, also in small letters or at the end of its link."""
    code = text.rstrip("/").rpartition("/")[2].upper().translate(LOOKS_ALIKE)
    if not is_code(code):
        raise argparse.ArgumentTypeError(f"{text!r} is no table's code; one looks like K7P2QX, and 'durak tables' lists them")
    return code


def server_of_link(text: str | None) -> str | None:
    """The server of a table's link `http://host:8080/t/K7P2QX`; `None` if a code was given."""
    if text is None or "://" not in text:
        return None
    parts = urlsplit(text)
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/').rpartition('/t/')[0]}"


def speech_of(args: argparse.Namespace) -> Speech:
    """The language and the cards that were asked for."""
    ascii = args.ascii or not speaks_suits(sys.stdout, dict(os.environ))
    return Speech(language(args.lang, "terminal"), ascii=ascii)


def command_line(*words: str, server: str, name: str | None = None) -> str:
    """A command to copy, with the server and the player's name where they are not what would be taken anyway."""
    if server != os.environ.get(SERVER_VARIABLE, DEFAULT_SERVER):
        words = (*words, "--server", server)
    if name is not None:
        words = (*words, "--name", name)
    return " ".join(word if word == "{table}" else shlex.quote(word).replace("{", "{{").replace("}", "}}") for word in words)
