"""The command line of a bot with an account: which server, under which name, at which table."""

import argparse
import asyncio
import os
import sys
from collections.abc import Sequence
from typing import Final

from durak.clients.bot.account import BotAccount
from durak.clients.link import Link, LinkError, guest_token
from durak.protocol.messages import Level, Speed

DEFAULT_SERVER: Final = "http://127.0.0.1:8080"
LEVELS: Final[tuple[Level, ...]] = ("easy", "normal", "hard")
TOKEN_VARIABLE: Final = "DURAK_TOKEN"
EPILOG = f"""\
  python mybot.py --against normal,easy --quick        a new table with two bots, at a server on this machine
  python mybot.py --server https://durak.example.org --name Robin --table K7P2QX

A name gets a guest's account. To come back to the same one, keep its token in the variable {TOKEN_VARIABLE}.
"""


def main(bot: BotAccount, argv: Sequence[str] | None = None) -> int:
    """Play one game as the arguments (default: the process's) say; the exit status: 0 played, 1 it could not be."""
    parser = argparse.ArgumentParser(
        description="Plays one game of Durak.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--server", metavar="URL", default=DEFAULT_SERVER, help="where to play (default: %(default)s)")
    parser.add_argument("--name", default=type(bot).__name__, help="what to be called (default: %(default)s)")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--table", metavar="CODE", help="take a chair at this table")
    where.add_argument("--against", metavar="LEVEL,…", help=f"make a table with such bots: {', '.join(LEVELS)}")
    parser.add_argument("--quick", action="store_true", help="with --against: bots act at once (durak serve --dev)")
    args = parser.parse_args(argv)
    against = [level for level in LEVELS for word in (args.against or "").split(",") if word.strip() == level]
    if args.against is not None and len(against) != len(args.against.split(",")):
        parser.error(f"argument --against: levels are {', '.join(LEVELS)}")
    try:
        print(asyncio.run(_play(bot, args.server, args.name, args.table, against, "fast" if args.quick else "watch")))
    except KeyboardInterrupt:
        return 130
    except (LinkError, TimeoutError) as error:
        print(f"{parser.prog}: {error or 'the server has no bots [no_bots]'}", file=sys.stderr)
        return 1
    return 0


async def _play(bot: BotAccount, server: str, name: str, table: str | None, against: Sequence[Level], speed: Speed) -> str:
    """Play, and say how it ended."""
    token = os.environ.get(TOKEN_VARIABLE) or (await guest_token(server, name)).token
    seats: list[int | None] = []
    async with Link(server, token) as link:
        result = await bot.play(link, table, against, speed)
        if link.view is not None:
            seats.append(link.view.you.seat)
    if result is None:
        return "the game was ended by the operator"
    if result.draw:
        return "a draw"
    return "lost: the durak" if result.durak in seats else "not the durak"
