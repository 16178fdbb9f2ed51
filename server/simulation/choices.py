"""What simulated people choose: tables with any options, actions that are legal, late, or nonsense."""

import random
from collections.abc import Callable
from typing import Any

from durak.protocol.messages import Act, AnyCommand, AutoPass, Create, Dismiss, Fill, LeaveTable, Level, Rematch, Start, TableView
from durak.protocol.rules.actions import AnyAction, Beat, Finish, Forfeit, Keep, Lead, Leave, Pass, Redeal, Take, Throw
from durak.protocol.rules.cards import PACK
from durak.protocol.rules.ruleset import CHOICES, PRESETS
from durak.protocol.rules.view import GameView

Make = Callable[[str], AnyCommand]
"""A command that lacks its id."""

OPTIONS: dict[str, tuple[Any, ...]] = {
    **CHOICES,
    "turn_clock_s": (None, 15, 30),  # a minute is long
    "offer_ms": (0, 6_000),
    "window_ms": (None, 1, 2_000, 8_000),
    "close_ms": (0, 300, 1_000),
}


def random_table(rng: random.Random, seats: int, bots: list[Level], *, sit: bool, dev: bool) -> Make:
    """A table with random options for this many seats."""
    changed = rng.choice((0.0, 0.2, 0.5))
    options = {name: rng.choice(values) for name, values in OPTIONS.items() if rng.random() < changed}
    options["max_players"] = seats
    if dev and rng.random() < 0.5:
        options["bot_delay_ms"] = rng.choice(([0, 0], [0, 50], [200, 1_000]))
    preset = rng.choice(list(PRESETS))
    private = rng.random() < 0.2
    return lambda cid: Create(cid, preset=preset, options=options, bots=bots, sit=sit, private=private)


def random_bots(rng: random.Random, count: int) -> list[Level]:
    """Levels that a simulated host offers."""
    return [rng.choice(("easy", "easy", "normal")) for _ in range(count)]


def act(game: GameView, action: AnyAction, *, bout: int = 0, epoch: int = 0) -> Make:
    """A game action, perhaps for another bout or epoch than the present one."""
    named = game.epoch + epoch if isinstance(action, Pass | Redeal | Keep) else None
    return lambda cid: Act(cid, action, max(0, game.bout + bout), None if named is None else max(0, named))


def sensible(rng: random.Random, game: GameView) -> AnyAction:
    """A legal action; beating rather than taking, so that games end."""
    weights = [4.0 if isinstance(action, Beat) else 0.4 if isinstance(action, Take | Pass) else 1.0 for action in game.legal]
    return rng.choices(game.legal, weights)[0]


def nonsense(rng: random.Random, game: GameView) -> Make:
    """An action that is mostly not legal, or meant for another moment."""
    targets = [pair.attack for pair in game.table] or list(PACK)
    card = rng.choice(game.hand or PACK) if rng.random() < 0.6 else rng.choice(PACK)
    action: AnyAction = rng.choice(
        (Lead(card), Throw(card), Beat(card, rng.choice(targets)), Take(), Pass(), Finish(), Forfeit(), Redeal(), Keep())
    )
    if game.legal and rng.random() < 0.5:
        action = rng.choice(game.legal)
    return act(game, action, bout=rng.choice((0, 0, -1, 1)), epoch=rng.choice((0, 0, -1, 1)))


def whim(rng: random.Random, view: TableView) -> Make:
    """Any command at a table, welcome or not."""
    chair = rng.randrange(6)
    playing = view.status == "playing"
    on = rng.random() < 0.7
    bots = random_bots(rng, rng.randint(1, 2))
    makes: list[Make] = [Start, lambda cid: AutoPass(cid, on)]
    makes += [Rematch] if playing or rng.random() < 0.1 else []
    makes += [lambda cid: Dismiss(cid, chair), lambda cid: Fill(cid, bots)] if not playing or rng.random() < 0.2 else []
    return rng.choice(makes)


def leaving(rng: random.Random, view: TableView) -> Make:
    """Leave, by the command or by the action of a game."""
    if view.status == "playing" and view.game is not None and view.you.seat is not None and rng.random() < 0.4:
        bout = view.game.bout
        return lambda cid: Act(cid, Leave(), bout)
    return LeaveTable
