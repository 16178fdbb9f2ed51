"""`durak play`: take a seat, or watch, in this terminal."""

import argparse
import asyncio
import contextlib
import getpass
import os
import sys
from collections.abc import AsyncIterator, Callable
from typing import Any

from durak.clients.cli import options
from durak.clients.cli.answers import Order
from durak.clients.cli.guests import Guests, SavedGuest, state_folder
from durak.clients.cli.session import Ended, Session
from durak.clients.cli.teller import Teller
from durak.clients.cli.terminal import Lines, Screen
from durak.clients.link import Link, LinkClosed, LinkError, Refused, guest_token
from durak.clients.link.address import web_url
from durak.protocol.messages import CloseCode, Create, Join, Level, Watch

EPILOG = """\
durak play K7P2QX            joins a table, or comes back to a seat; its link will do as well
durak play --bots normal     a game against one bot; without anything it is three
durak play --create          a new table that waits for others

In the game ? tells what can be typed, i repeats the situation. Ctrl-C and quit go and keep the seat for a minute; leave gives
it up. Through a pipe every line printed is one sentence and every line read one answer. At the end of the input it stays, acts
no more and watches until a game is over.

exit status: 0 done; 1 it could not be, with the reason on one line; 2 bad usage; 130 Ctrl-C
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.epilog = f"{EPILOG}\n{options.options_help()}"
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("table", nargs="?", metavar="TABLE", help="code or link of the table to join")
    options.add_server(parser)
    parser.add_argument("--name", help="your name (default: the one used last, else the login name)")
    parser.add_argument("--watch", action="store_true", help="look on at TABLE without a seat, unless one is yours")
    parser.add_argument("--create", action="store_true", help="make a table and wait for others; start begins the game")
    parser.add_argument("--bots", type=options.levels, metavar="LEVELS", help="play against these: easy, normal, hard, with commas")
    parser.add_argument("--title", default="", help="the name of the new table")
    options.add_new_table(parser)
    options.add_session(parser)


def run(args: argparse.Namespace) -> int:
    """Play until the player goes."""
    made = args.create or args.bots is not None
    if args.table is not None and made:
        args.usage_error("TABLE joins a table, --create and --bots make one: give one or the other")
    if args.watch and args.table is None:
        args.usage_error("--watch needs the TABLE to look at")
    server = options.server_of_link(args.table)
    if server is not None:
        args.server = server
    if args.table is not None:
        try:
            code = options.table_code(args.table)
        except argparse.ArgumentTypeError as error:
            args.usage_error(f"argument TABLE: {error}")
        opening = Order.of(Watch if args.watch else Join, table=code)
        return run_session(args, opening, args.name)
    if args.bots is None and not args.create:
        args.bots = ["normal"] if args.preset == "challenge" else ["normal", "normal", "normal"]
    notice = None if made else ("play.no_table", {"bots": len(args.bots)})
    return run_session(args, creation(args, args.title, args.bots or [], start=not args.create), args.name, notice)


def creation(args: argparse.Namespace, title: str, bots: list[Level], *, sit: bool = True, start: bool = False) -> Order:
    """The order for the new table that the options describe."""
    return Order.of(
        Create,
        name=title,
        preset=args.preset,
        options=dict(args.option),
        bots=bots,
        sit=sit,
        start=start,
        private=args.private,
        speed=args.speed,
    )


def run_session(
    args: argparse.Namespace, opening: Order, name: str | None, notice: tuple[str, dict[str, Any]] | None = None
) -> int:
    """Open a table and stay; the exit status."""
    teller = Teller(options.speech_of(args))
    screen = Screen.standard()
    seat = options.command_line("durak", "play", "{table}", server=args.server, name=name)
    look = options.command_line("durak", "play", "{table}", "--watch", server=args.server, name=name)
    interactive = sys.stdin is not None and sys.stdin.isatty()
    session = Session(teller, screen, interactive=interactive, exit_after_game=args.exit_after_game, back=(seat, look))

    async def stay() -> None:
        async with connection(args.server, name, teller, screen, session.lost) as link:
            await session.open(link, opening)
            if notice is not None:
                screen.say([teller.speech(notice[0], **notice[1])])
            await session.run(Lines.standard())

    try:
        asyncio.run(stay())
    except KeyboardInterrupt:
        screen.say(session.farewell())
        return 130
    except (LinkError, Ended) as error:
        return report_failure(args, teller, error)
    return 0


def report_failure(args: argparse.Namespace, teller: Teller, error: LinkError | Ended) -> int:
    """Tell why it could not be, on one line of standard error; the exit status."""
    if isinstance(error, Refused):
        sentence = teller.error(error.error)
    elif isinstance(error, LinkError):
        key = f"error.{error.code}"
        sentence = teller.speech(key) if teller.speech.knows(key) else error.hint
    else:
        sentence = error.sentence
    line = teller.speech("fatal", sentence=sentence, code=error.code)
    Screen(sys.stderr, lambda: None).say([f"durak {args.command}: {line}"])
    return 1


@contextlib.asynccontextmanager
async def connection(
    server: str, name: str | None, teller: Teller, screen: Screen, lost: Callable[[LinkError | None], None] = lambda why: None
) -> AsyncIterator[Link]:
    """A link that is open, for the guest remembered, else for a new one. Raises `LinkError`."""
    link = await _open_link(server, name, teller, screen, lost)
    try:
        yield link
    finally:
        await link.close()


async def _open_link(
    server: str, name: str | None, teller: Teller, screen: Screen, lost: Callable[[LinkError | None], None]
) -> Link:
    address = web_url(server)
    guests = Guests(state_folder(os.environ))
    guest = guests.find(address, name)
    if guest is not None:
        link = Link(address, guest.token, on_connection=lost)
        try:
            await link.open()
            return link
        except LinkClosed as closed:
            if closed.close_code != CloseCode.BAD_TOKEN:
                raise
        screen.say([teller.speech("link.token")])
        guests.forget(guest)
    wish = name or (guest.asked if guest is not None else login_name())
    new = await guest_token(address, wish)
    guest = SavedGuest(address, wish, new.name, new.token)
    try:
        guests.keep(guest)
    except OSError as error:
        screen.say([teller.speech("link.not_kept", reason=error.strerror or error)])
    link = Link(address, new.token, on_connection=lost)
    await link.open()
    return link


def login_name() -> str:
    """What to call a player who gave no name."""
    try:
        return getpass.getuser()[:24] or "guest"
    except (OSError, KeyError, ImportError):
        return "guest"
