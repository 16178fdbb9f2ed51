"""A bot for the tests of workers: what it does depends on its heart."""

from __future__ import annotations

import os
import random
import time

from durak.bots.bot import Budget
from durak.bots.knowing.memory import Memory
from durak.protocol.rules.actions import AnyAction, Lead
from durak.protocol.rules.view import GameView

QUICK, THINKS, HANGS, EATS, BREAKS, CHEATS, TALKS, EXITS = "6H", "7H", "8H", "9H", "JH", "QH", "KH", "AH"


class Moody:
    """Leads its heart, or not."""

    cheap = False

    def choose(self, view: GameView, memory: Memory, rng: random.Random, budget: Budget) -> AnyAction | None:
        """As its mood is."""
        assert view.hand
        assert budget.ms is not None
        heart = next(card for card in view.hand if card.endswith("H"))
        if heart == THINKS:
            time.sleep(budget.ms / 1000)
        elif heart == EATS:
            bytearray(1 << 40)
        elif heart == BREAKS:
            raise ZeroDivisionError(heart)
        elif heart == CHEATS:
            return Lead("6C")
        elif heart == TALKS:
            print("thinking aloud")
            os.write(1, b"\0\0\0\1.")
        elif heart == EXITS:
            os._exit(3)
        while heart == HANGS:
            pass
        return Lead(heart)
