"""Searching bots that Hard is measured against in the arena, and Hard without one of its parts each; never offered to a table."""

import random
from dataclasses import replace
from typing import Final

from durak.bots.bot import Budget
from durak.bots.knowing.memory import Memory
from durak.bots.players.habits import settle
from durak.bots.players.hard import Hard, choices_of
from durak.bots.players.normal import sight_of
from durak.bots.players.thinking import BOLD, HARD, Thinking
from durak.bots.search.chance import Chance
from durak.bots.search.policy import GREEDY, RANDOM
from durak.bots.search.reading import position_of
from durak.bots.search.tree import TreeSearch
from durak.protocol.rules.actions import AnyAction
from durak.protocol.rules.game import Game
from durak.protocol.rules.kernel import Kernel
from durak.protocol.rules.view import GameView

MCTS_DEALS: Final = 25
MCTS_WALKS: Final = 40
FLAT_MS: Final = 4.0
FLAT: Final = Thinking(whims=100, judges=False, infers=False, tree=False)
PLAIN: Final = Thinking(playouts=RANDOM, whims=0, judges=False, infers=False, solved_cards=0, solves=False)


class Mcts:
    """Plain determinized Monte Carlo tree search: 25 deals, a tree of 40 uniformly random playouts for each, most visits win."""

    cheap = False

    def choose(self, view: GameView, memory: Memory, rng: random.Random, budget: Budget) -> AnyAction | None:
        """One of `view.legal`, or `None` to wait. The budget plays no part."""
        if not view.legal or view.phase not in ("lead", "bout"):
            return settle(view)
        choices = choices_of(view, memory.seat)
        worlds = PLAIN.worlds(position_of(view, memory), sight_of(view, memory), memory, Chance(rng.getrandbits(60)))
        visits = [0] * len(choices)
        for _ in range(MCTS_DEALS):
            tree = TreeSearch(worlds, [move for move, _ in choices], MCTS_WALKS + 64, BOLD, 0.0)
            if worlds.deal():
                for _ in range(MCTS_WALKS):
                    worlds.world.assign(worlds.dealt)
                    tree.walk(0)
            visits = [before + tree.visits[1 + index] for index, before in enumerate(visits)]
        return choices[visits.index(max(visits))][1]


class Flat(Hard):
    """The simplest strong search: 4 ms of playouts by Normal to the end, endings exactly; no more nodes than the budget has."""

    thinking = FLAT

    def choose(self, view: GameView, memory: Memory, rng: random.Random, budget: Budget) -> AnyAction | None:
        """One of `view.legal`, or `None` to wait."""
        return super().choose(view, memory, rng, Budget(FLAT_MS, budget.nodes))


class Cheat(Hard):
    """Hard that sees all hands and the order of the stock: how strong a bot could be. `game` is set by the arena."""

    game: Game

    def truth(self) -> Kernel:
        """The game itself."""
        return self.game.kernel


class NoTree(Hard):
    """Hard with flat search at all tables."""

    thinking = replace(HARD, tree=False)


class NormalOthers(Hard):
    """Hard that takes everybody else for Normal."""

    thinking = replace(HARD, others_choose=False)


class NoNetwork(Hard):
    """Hard that plays games out."""

    thinking = replace(HARD, judges=False)


class NoInference(Hard):
    """Hard that concludes nothing from how the others play but what is proved or hinted at in this bout."""

    thinking = replace(HARD, infers=False)


class NoEndgame(Hard):
    """Hard without exact endings, neither at hand nor in playouts."""

    thinking = replace(HARD, solves=False, solved_cards=0)


class GreedyPlayouts(Hard):
    """Hard that plays games out with the lowest card."""

    thinking = replace(HARD, judges=False, playouts=GREEDY)


class RandomPlayouts(Hard):
    """Hard that plays games out with any moves."""

    thinking = replace(HARD, judges=False, playouts=RANDOM)


class NoMemory(Hard):
    """Hard that remembers nothing but what lies on the table."""

    def choose(self, view: GameView, memory: Memory, rng: random.Random, budget: Budget) -> AnyAction | None:
        """One of `view.legal`, or `None` to wait."""
        forgetful = Memory(memory.seat, memory.rules)
        forgetful.restart(view)
        return super().choose(view, forgetful, rng, budget)
