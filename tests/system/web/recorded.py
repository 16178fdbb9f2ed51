"""Positions of whole games, played at random on the server's own table machine: one of every kind that differs to a player."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

from durak.protocol.messages import TableView
from durak.protocol.rules.errors import IllegalAction
from durak.server.table import inputs as i
from durak.server.table.chairs import Refused
from durak.server.table.view import Views
from tests.server.table.driving import Driven, created
from tests.server.table.random_tables import Seeded, legal_play

GAMES = {"classic": (4, 2), "gameweave": (3, 2), "challenge": (2, 2)}
"""Players of the games of each preset."""


class Recorded(NamedTuple):
    """A table at a moment, and the seat that looks at it."""

    preset: str
    driven: Driven
    seat: int
    view: TableView


def play_at_random(preset: str, players: int, seed: int) -> Iterator[Driven]:
    """Every state of a game, each a table of its own; somebody leaves, passes by itself or lets a clock run out now and then."""
    rng = random.Random(seed)
    driven = created(preset, persons=players, start=True, entropy=Seeded(rng), max_players=players)
    number = 0
    while driven.table.status == "playing":
        yield Driven(driven.table)
        number += 1
        if rng.random() < 0.15:
            driven.wait(rng.choice((100, 1_000, 8_000)))
            continue
        given: i.AnyInput | None = legal_play(rng, driven, f"c{number}")
        if rng.random() < 0.02:
            given = i.SetAutoPass(driven.seat(rng.randrange(players)), f"c{number}", True)
        elif rng.random() < 0.004:
            given = i.Rise(driven.seat(rng.randrange(players)), f"c{number}")
        try:
            driven.submit(given) if given is not None else driven.wait(500)
        except (Refused, IllegalAction):
            driven.wait(100)
    yield Driven(driven.table)


def kind_of(view: TableView) -> Any:
    """What makes a position another one for whoever looks at it."""
    game, seat = view.game, view.you.seat
    assert game is not None
    acts = frozenset(type(action).__name__ for action in game.legal)
    if game.phase == "over":
        return "over"  # the page shows the last table for a moment before the result: once is enough
    role = "attacker" if seat == game.attacker else "defender" if seat == game.defender else "other"
    beaten = bool(game.table) and all(pair.beaten for pair in game.table)
    out = any(seat in group for group in game.out)
    return game.phase, role, acts, game.taking, beaten, seat in game.passed, out, view.you.auto_pass, "leave" in view.you.can


def positions(preset: str) -> list[Recorded]:
    """One position of every kind, of several games."""
    found: dict[Any, Recorded] = {}
    for players in GAMES[preset]:
        for seed in range(3):
            for driven in play_at_random(preset, players, seed):
                for seat in range(players):
                    view = Views(driven.table, driven.now_ms).of(f"{('ann', 'bob', 'cat', 'dan')[seat]}")
                    if view.game is not None and view.you.seat is not None:
                        found.setdefault((players, kind_of(view)), Recorded(preset, driven, view.you.seat, view))
    return list(found.values())
