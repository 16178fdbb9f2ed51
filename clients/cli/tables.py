"""`durak tables`: list the tables of a server, create one, watch one."""

import argparse
import asyncio
import sys

import msgspec

from durak.clients.cli import listing, options
from durak.clients.cli.answers import Order
from durak.clients.cli.play import connection, creation, report_failure, run_session
from durak.clients.cli.teller import Teller
from durak.clients.cli.terminal import Screen
from durak.clients.link import LinkError
from durak.protocol.messages import Create, Watch

EPILOG = """\
durak tables                                                   lists the tables
durak tables create --name "Friday" --bots easy,normal         a table with two bots and a chair for you
durak tables create --bots normal,easy,normal --no-seat --watch
                                                               bots play among themselves, and you look on
durak tables watch K7P2QX                                      looks on at a table

exit status: 0 done; 1 it could not be, with the reason on one line; 2 bad usage; 130 Ctrl-C
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.epilog = EPILOG
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    options.add_server(parser)
    parser.add_argument("--json", action="store_true", help="print the list as JSON")
    parser.set_defaults(what="list", lang="en", ascii=False)
    kinds = parser.add_subparsers(dest="what", metavar="list | create | watch", title="what to do (default: list)")

    listed = kinds.add_parser("list", help="list the tables", allow_abbrev=False)
    options.add_server(listed, default=False)
    listed.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="print the list as JSON")

    create = kinds.add_parser(
        "create",
        help="make a table",
        allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=options.options_help(),
    )
    options.add_server(create, default=False)
    create.add_argument("--name", default="", help="the table's name")
    create.add_argument("--as", dest="player", metavar="NAME", help="your own name (default: the one used last)")
    create.add_argument(
        "--bots", type=options.levels, default=[], metavar="LEVELS", help="bots on it: easy, normal, hard, with commas"
    )
    create.add_argument("--no-seat", action="store_true", help="take no seat: two bots or more play among themselves, at once")
    create.add_argument("--watch", action="store_true", help="stay at the table")
    create.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="print the new table's code as JSON")
    options.add_new_table(create)
    options.add_session(create)

    watch = kinds.add_parser("watch", help="look on at a table", allow_abbrev=False)
    options.add_server(watch, default=False)
    watch.add_argument("table", metavar="TABLE", type=options.table_code, help="the table's code")
    watch.add_argument("--as", dest="player", metavar="NAME", help="your own name (default: the one used last)")
    options.add_session(watch)


def run(args: argparse.Namespace) -> int:
    """List, create or watch."""
    if args.what == "create":
        return _create(args)
    if args.what == "watch":
        return run_session(args, Order.of(Watch, table=args.table), args.player)
    return _list(args)


def _list(args: argparse.Namespace) -> int:
    teller, screen = Teller(options.speech_of(args)), Screen.standard(folds=False)
    try:
        tables = listing.fetch(args.server)
    except LinkError as error:
        return report_failure(args, teller, error)
    if args.json:
        _print_json(msgspec.json.format(msgspec.json.encode(tables), indent=2))
    elif tables:
        screen.say(listing.rows(tables, teller.speech))
    else:
        screen.say([teller.speech("tables.none")])
    return 0


def _create(args: argparse.Namespace) -> int:
    if args.no_seat and len(args.bots) < 2:
        args.usage_error("argument --no-seat: a table without you needs two bots or more, --bots normal,normal")
    order = creation(args, args.name, args.bots, sit=not args.no_seat)
    if args.watch:
        return run_session(args, order, args.player)
    teller, screen = Teller(options.speech_of(args)), Screen.standard()

    async def make() -> str:
        async with connection(args.server, args.player, teller, Screen(sys.stderr, lambda: None)) as link:
            made = await link.command(Create, **order.arguments)
            assert made.table is not None, "the server names the table it has made"
            return made.table

    try:
        code = asyncio.run(make())
    except LinkError as error:
        return report_failure(args, teller, error)
    if args.json:
        _print_json(msgspec.json.encode({"table": code}))
        return 0
    words = ("durak", "play", "{table}", "--watch") if args.no_seat else ("durak", "play", "{table}")
    back = options.command_line(*words, server=args.server, name=args.player).format(table=code)
    screen.say(
        [teller.speech("tables.made", table=code), teller.speech("tables.watch" if args.no_seat else "tables.sit", command=back)]
    )
    return 0


def _print_json(text: bytes) -> None:
    """JSON is UTF-8, whatever the terminal speaks."""
    sys.stdout.buffer.write(text + b"\n")
    sys.stdout.flush()
