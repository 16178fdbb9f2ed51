"""The `durak` command: a table of subcommands, each loaded only when it is asked for.

A subcommand is a module with two functions:

- `add_arguments(parser)` declares its options;
- `run(args) -> int` does the work and returns the exit status.

A module that serves two finds the name in `args.command`, before parsing in `parser.get_default("command")`.
Options that argparse alone cannot judge are refused by `args.usage_error(message)`.

Exit status: 0 done, 1 failed, 2 bad usage.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from typing import NamedTuple, NoReturn


class Command(NamedTuple):
    """Where a subcommand lives and the line that `durak --help` shows for it."""

    module: str
    help: str


COMMANDS = {
    "serve": Command("durak.server.app", "run the table server: web page, WebSocket and bots"),
    "play": Command("durak.clients.cli.play", "play in this terminal, on any server"),
    "tables": Command("durak.clients.cli.tables", "list the tables of a server, or create one"),
    "bots": Command("durak.bots.host.command", "offer computer players to a server, from this or another machine"),
    "solve": Command("durak.bots.analysis.solve", "the exact result and best play of an ending of two"),
    "arena": Command("durak.bots.arena.command", "let bots, also yours, play each other on the same deals, and measure them"),
    "analyse": Command(
        "durak.bots.analysis.command", "judge each decision of a recorded game, as Hard sees it, and show the mistakes"
    ),
    "config": Command("durak.server.operation.config", "check the settings of 'durak serve' and tell where each comes from"),
    "admin": Command("durak.server.operation.admin.command", "look after a running server: list, inspect, drain, freeze, void"),
    "backup": Command("durak.server.operation.backup", "copy a server's games into one file, also while it runs"),
    "restore": Command("durak.server.operation.backup", "put the games of such a file back"),
    "bench": Command("durak.server.bench.command", "measure the rules engine and the server on this machine"),
    "simulate": Command("durak.server.simulation.command", "play thousands of games with faults in virtual time, from seeds"),
}

EPILOG = """\
to start:
  durak serve            prints the address to open in a browser; Ctrl-C stops it
  durak play             joins a game in this terminal
  durak COMMAND --help   tells all about one command
"""


class Parser(argparse.ArgumentParser):
    """An argument parser whose refusals name the nearest option and say where to read on."""

    def error(self, message: str) -> NoReturn:
        options = [option for option in self._option_string_actions if option.startswith("--")]
        unknown = [word for word in message.split() if word.startswith("--") and "unrecognized" in message]
        nearest = [match for word in unknown for match in get_close_matches(word.split("=")[0], options, n=1)]
        hint = f" Did you mean {' '.join(nearest)}?" if nearest else ""
        self.exit(2, f"{self.prog}: {message}.{hint}\nTry '{self.prog} --help'.\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run `durak` with these arguments (default: the process's) and return its exit status."""
    argv = sys.argv[1:] if argv is None else list(argv)
    if not argv or argv[0].startswith("-"):
        return _top(argv)
    name, *rest = argv
    if name not in COMMANDS:
        nearest = get_close_matches(name, COMMANDS, n=1)
        hint = f"Did you mean 'durak {nearest[0]}'?" if nearest else f"There are: {', '.join(COMMANDS)}."
        print(f"durak: no command {name!r}. {hint}\nTry 'durak --help'.", file=sys.stderr)
        return 2
    try:
        return _run(name, rest)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader of our output has gone: `durak tables | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception as error:
        if os.environ.get("DURAK_TRACEBACK"):
            raise
        print(f"durak {name}: {_explanation(error)}", file=sys.stderr)
        return 1


def _top(argv: list[str]) -> int:
    width = max(map(len, COMMANDS))
    listing = "\n".join(f"  {name:{width}}  {command.help}" for name, command in COMMANDS.items())
    parser = Parser(
        prog="durak",
        usage="durak COMMAND [OPTIONS]",
        description=f"Durak, the card game: a table server, its bots and its clients.\n\ncommands:\n{listing}",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="store_true", help="show the version and exit")
    if parser.parse_args(argv).version:
        from durak.protocol import __version__
        from durak.protocol.process.compiled import is_compiled

        way = "compiled" if is_compiled() else "interpreted"
        print(f"durak {__version__} (Python {sys.version.split()[0]}, rules and search {way})")
    else:
        parser.print_help()
    return 0


def _run(name: str, argv: list[str]) -> int:
    command = COMMANDS[name]
    try:
        module = importlib.import_module(command.module)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{command.module}.".startswith(f"{error.name}."):
            raise
        print(f"durak {name}: not in this version yet.\nTry 'durak --help'.", file=sys.stderr)
        return 1
    parser = Parser(prog=f"durak {name}", description=_sentence(command.help), allow_abbrev=False)
    parser.set_defaults(command=name, usage_error=parser.error)
    module.add_arguments(parser)
    status: int = module.run(parser.parse_args(argv))
    return status


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _explanation(error: Exception) -> str:
    """What a user needs to know: the system's words for its refusals, a request to report for our bugs."""
    if isinstance(error, OSError):
        return f"{error.strerror or error}{f': {error.filename}' if error.filename else ''}"
    if isinstance(error, ModuleNotFoundError):
        return f"the package {error.name!r} is missing; 'pip install durak' brings it"
    return (
        f"this is a bug in durak ({type(error).__name__}: {error})."
        "\nPlease report it with what DURAK_TRACEBACK=1 shows when you run it again."
    )


if __name__ == "__main__":
    sys.exit(main())
