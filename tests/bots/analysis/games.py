"""Recorded games for the tests of analysis."""

from __future__ import annotations

import random

from msgspec.structs import replace

from durak.bots.bot import Bot, Budget
from durak.bots.knowing.memory import Memory
from durak.bots.players.hard import consider
from durak.bots.players.normal import Normal
from durak.protocol.rules.actions import AnyAction
from durak.protocol.rules.record import Record
from durak.protocol.rules.ruleset import PRESETS
from durak.protocol.rules.view import GameView
from tests.bots.playing import match, shuffled


def game_of(bots: list[Bot], seed: int, preset: str = "classic", names: list[str] | None = None) -> Record:
    """The record of a game between these bots."""
    played = match(PRESETS[preset], shuffled(random.Random(seed)), bots, random.Random(seed))
    played.to_the_end()
    return Record(replace(played.record.deal, names=names), played.record.inputs)


class Planter:
    """Plays as Normal does, but once throws a won ending away: `planted` is what it did instead of `better`."""

    cheap = False

    def __init__(self) -> None:
        self.planted: AnyAction | None = None
        self.better: list[AnyAction | None] = []
        self.hand: list[str] = []

    def choose(self, view: GameView, memory: Memory, rng: random.Random, budget: Budget) -> AnyAction | None:
        if self.planted is None and view.stock == 0 and sum(view.counts) <= 10 and view.legal and view.phase in ("lead", "bout"):
            choices = consider(view, memory, rng, Budget(nodes=400_000))
            worst = choices[-1]
            if worst.exact and worst.action is not None and (choices[0].chance, worst.chance) == (1, 0):
                self.planted, self.hand = worst.action, list(view.hand or [])
                self.better = [choice.action for choice in choices if choice.chance == 1]
                return worst.action
        return Normal().choose(view, memory, rng, budget)
