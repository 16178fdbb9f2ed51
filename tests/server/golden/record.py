"""Record the journals that this release writes: ``python tests/server/golden/record.py VERSION`` makes the folder VERSION.

One file a table, one base64 line an entry. Journals of earlier releases are never recorded again: they must fold for ever.
"""

import base64
import random
import sys
from pathlib import Path

from durak.protocol.rules.actions import Keep, Pass, Redeal
from durak.protocol.rules.cards import PACK
from durak.protocol.rules.ruleset import ruleset_of
from durak.server.live.entries import encode_entry, hash_of
from durak.server.table.inputs import (
    AnyInput,
    BotPlayer,
    CreateTable,
    Dropped,
    Entry,
    Expire,
    Play,
    Recovered,
    Returned,
    Rise,
    SetAutoPass,
    SitDown,
    StartGame,
    Vote,
)
from durak.server.table.jitter import Jitter
from durak.server.table.machine import Table

FOLDER = Path(__file__).parent
TABLES = {
    "classic": ("classic", {"max_players": 4}, 3),
    "discreet": ("classic", {"max_players": 3, "discreet": True}, 2),
    "gameweave": ("gameweave", {"max_players": 3}, 2),
    "challenge": ("challenge", {}, 2),
}
"""Preset, options and persons of each; a bot takes a further chair where there is one."""


def journal_of(name: str) -> list[bytes]:
    """The journal of two games at one table, with everything that happens to tables."""
    preset, options, persons = TABLES[name]
    rng = random.Random(name)
    rules = ruleset_of(preset, options)
    table, lines, now_ms = Table("G0LDEN"), [], 1_000_000

    def step(given: AnyInput) -> None:
        jitter, deck = Jitter(rng.randrange(2**40)), None
        if table.may_deal(given):
            deck = list(PACK)
            rng.shuffle(deck)
        events = table.step(given, now_ms, jitter=jitter, deck=deck)
        lines.append(encode_entry(Entry(now_ms, given, jitter, deck, hash_of(events))))

    bots = [BotPlayer("bot:1", "Anton", "normal")] if persons < rules.max_players else []
    step(CreateTable("p0", "c", "Ann", "golden", rules, True, False, False, bots))
    for person in range(1, persons):
        step(SitDown(f"p{person}", "s", f"P{person}"))
    step(StartGame("p0", "g"))
    step(SetAutoPass("p1", "auto", True))
    for game in range(2):
        while table.game is not None and table.status == "playing":
            choices = [
                (occupant.player, action)
                for _, occupant in table.occupants()
                if occupant.seat is not None and not occupant.left
                for action in table.game.legal(occupant.seat)
            ]
            if not choices or rng.random() < 0.1:
                assert table.deadline_ms is not None
                now_ms = max(now_ms, table.deadline_ms)
                step(Expire())
                continue
            now_ms += rng.randrange(50)
            player, action = rng.choice(choices)
            epoch = table.game.kernel.epoch if isinstance(action, Pass | Redeal | Keep) else None
            step(Play(player, f"{len(lines)}", action, table.game.kernel.bout, epoch))
            if len(lines) == 30:
                step(Dropped("p0"))
                now_ms += 5_000
                step(Recovered())
                for person in range(persons):
                    step(Returned(f"p{person}"))
        if game == 0:
            for person in range(persons):
                if table.status == "finished":
                    step(Vote(f"p{person}", "v"))
    step(Rise("p1", "r"))
    return lines


def main() -> int:
    """Write the files of one release."""
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    folder = FOLDER / sys.argv[1]
    folder.mkdir()
    for name in TABLES:
        lines = journal_of(name)
        (folder / f"{name}.journal").write_text("".join(base64.b64encode(line).decode() + "\n" for line in lines))
        print(f"{folder.name}/{name}: {len(lines)} entries")
    return 0


if __name__ == "__main__":
    sys.exit(main())
