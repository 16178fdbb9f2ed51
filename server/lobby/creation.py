"""From the command to create a table to the table's first input."""

from collections.abc import Collection

from durak.protocol.messages import Create, Error, Level
from durak.protocol.rules.ruleset import OptionRefused, ruleset_of
from durak.server.given.entropy import Entropy
from durak.server.people.names import MAX_TITLE, checked_name
from durak.server.people.tokens import Identity
from durak.server.table.inputs import BotPlayer, CreateTable

BOT_NAMES = (
    "Anton",
    "Lena",
    "Mira",
    "Pavel",
    "Vera",
    "Boris",
    "Darya",
    "Gleb",
    "Ivan",
    "Kira",
    "Lev",
    "Nina",
    "Oleg",
    "Rita",
    "Yana",
)
HUMAN_BOT_DELAY_MS = 1_500
"""Bots at a table with persons take at least this long (RULES section 5, bot_delay_ms)."""


def bots_named(levels: list[Level], taken: Collection[str], entropy: Entropy) -> list[BotPlayer]:
    """Bots of these levels, with names that nobody at the table bears."""
    names = [name for name in BOT_NAMES if name not in taken]
    start = entropy.number() % len(names)
    return [BotPlayer(f"bot:{entropy.player_id()}", names[(start + at) % len(names)], level) for at, level in enumerate(levels)]


def creation_of(message: Create, identity: Identity, entropy: Entropy, *, dev: bool) -> CreateTable | Error:
    """The first input of the table, or why there can be none. On a `dev` server bots may be as fast as they like."""
    title = checked_name(message.name, MAX_TITLE) if message.name.strip() else f"{identity.name}'s table"
    if title is None:
        return Error("bad_name", cid=message.cid, params={"longest": MAX_TITLE})
    options = dict(message.options)
    if message.speed == "fast":
        options = {"bot_delay_ms": [0, 0], "close_ms": 0, **options}
    try:
        rules = ruleset_of(message.preset, options)
    except OptionRefused as refused:
        return Error(refused.code, cid=message.cid, params={"option": refused.option})
    chairs = int(message.sit) + len(message.bots)
    if chairs > rules.max_players:
        return Error("too_many_players", cid=message.cid, params={"chairs": rules.max_players, "asked": chairs})
    if not message.sit and chairs < 2:
        return Error("too_few_players", cid=message.cid, params={"needed": 2})
    if message.start and chairs < 2:
        return Error("too_few_players", cid=message.cid, params={"needed": 2})
    too_fast_for_persons = rules.bot_delay_ms[0] < HUMAN_BOT_DELAY_MS
    if message.sit and too_fast_for_persons and not dev:
        return Error(
            "bad_value", cid=message.cid, params={"option": "bot_delay_ms" if "bot_delay_ms" in message.options else "speed"}
        )
    return CreateTable(
        player=identity.player,
        cid=message.cid,
        name=identity.name,
        title=title,
        rules=rules,
        sit=message.sit,
        start=message.start,
        private=message.private,
        bots=bots_named(message.bots, {identity.name}, entropy),
        bots_only=too_fast_for_persons and not message.sit,
    )
