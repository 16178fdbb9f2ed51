"""Hard: plays endings exactly, and before them searches a tree over many deals of the hidden cards (thinking.py)."""

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from durak.bots.bot import Budget
from durak.bots.knowing.memory import Memory
from durak.bots.knowing.sight import Sight
from durak.bots.players.habits import settle
from durak.bots.players.normal import Normal, sight_of
from durak.bots.players.thinking import HARD, Thinking
from durak.bots.search.chance import Chance
from durak.bots.search.endgame import WON
from durak.bots.search.ending import alone_for, complete, endgame_for, forces, is_ending, is_known_ending, is_known_trio, result_for
from durak.bots.search.flat import FlatSearch
from durak.bots.search.policy import WAIT
from durak.bots.search.position import Position
from durak.bots.search.reading import position_of
from durak.protocol.process.compiled import is_compiled
from durak.protocol.rules.actions import AnyAction, Beat, Pass
from durak.protocol.rules.kernel import Kernel
from durak.protocol.rules.legality import move_of
from durak.protocol.rules.view import GameView

THINKING_MS: Final = 50.0
"""How long it thinks where nobody says."""
MOST_SOLVER_BITS: Final = 18
ALONE_BITS: Final = 15
"""Small, since this table is made for few nodes, and is two."""
NODES_A_MS: Final = 10_000 if is_compiled() else 100
"""What the solver searches in a millisecond, cautiously."""
NODES_A_PLAYOUT: Final = 100
"""What one playout counts in the nodes of a budget."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What may be done (`None`: wait), and what Hard thinks of it.

    `chance`: of not being the durak, where a draw counts what is fair (1 - 1/players); `exact`: it is the result of best play.
    """

    action: AnyAction | None
    chance: float
    exact: bool


class Hard:
    """Plays for not being the durak."""

    cheap = False
    thinking = HARD

    def choose(self, view: GameView, memory: Memory, rng: random.Random, budget: Budget) -> AnyAction | None:
        """One of `view.legal`, or `None` to wait."""
        if not view.legal or view.phase not in ("lead", "bout"):
            return settle(view)
        choices = choices_of(view, memory.seat)
        if len(choices) == 1:
            return choices[0][1]
        return consider(view, memory, rng, budget, self.thinking, self.truth())[0].action

    def truth(self) -> Kernel | None:
        """The game itself, for a bot that may see it."""
        return None


def consider(
    view: GameView, memory: Memory, rng: random.Random, budget: Budget, thinking: Thinking = HARD, truth: Kernel | None = None
) -> list[Choice]:
    """All that this seat may do in a bout (phase lead or bout), the best first. `truth`: the game itself, for who may see it."""
    ms, nodes = budget.limits(THINKING_MS)
    until = time.perf_counter() + ms / 1000
    choices = choices_of(view, memory.seat)
    usual = Normal().choose(view, memory, rng, budget)
    position, sight = position_of(view, memory), sight_of(view, memory)
    ranking = None
    if thinking.solves:
        ranking = solution(position, sight, choices, usual, solver_nodes(budget) // 2)
    if ranking is None:
        worlds = thinking.worlds(position, sight, memory, Chance(rng.getrandbits(60)))
        if truth is not None:
            worlds.reveal(truth)
        ranking = by_halving(thinking.search(worlds, [move for move, _ in choices]), choices, until, nodes)
    return ranking


def solver_nodes(budget: Budget) -> int:
    """How many nodes of an ending fit into a budget."""
    ms, nodes = budget.limits(THINKING_MS)
    return int(min(nodes, ms * NODES_A_MS))


def exact_chance(result: int, players: int) -> float:
    """Of not being the durak, with this result of best play: a draw counts what is fair."""
    return (1 + result) / 2 if result else 1 - 1 / players


def choices_of(view: GameView, seat: int) -> list[tuple[int, AnyAction | None]]:
    """What may be chosen, as moves of the kernel and as actions. While a card is open an attacker waits rather than passes."""
    choices: list[tuple[int, AnyAction | None]] = []
    waits = not view.taking and any(pair.beaten is None for pair in view.table)
    slots = {pair.attack: slot for slot, pair in enumerate(view.table)}
    for action in view.legal:
        match action:
            case Beat(target=str(target)):
                choices.append((move_of(seat, action, slots[target]), action))
            case Pass() if waits:
                pass
            case _:
                choices.append((move_of(seat, action), action))
    if waits and seat != view.defender:
        choices.append((WAIT, None))
    return choices


def solution(
    position: Position, sight: Sight, choices: list[tuple[int, AnyAction | None]], usual: AnyAction | None, nodes: int
) -> list[Choice] | None:
    """The choices of an ending in which all cards are known, of equal ones the usual one first; None if it is no such ending.

    With a stock, or with three seats, it takes a quarter of the nodes at most. With three seats it is one only if the seat can go
    out whatever the others do; the chances of choices that don't force that are not known and count what is fair.
    """
    kernel = position.kernel.copy()
    two, three = is_known_ending(kernel), is_known_trio(kernel)
    if not (two or three) or not complete(kernel, sight):
        return None
    drawn = 1 - 1 / kernel.players
    chances = []
    if two:
        budget = nodes if is_ending(kernel) else nodes // 4
        bits = min(MOST_SOLVER_BITS, budget.bit_length())  # to clear a large table takes milliseconds
        solver = endgame_for(kernel, bits)
        solver.budget = budget
        for child in after_each(kernel, choices):
            result = result_for(child, sight.me, solver)
            if solver.stopped:
                return None
            chances.append(exact_chance(int(result), kernel.players))
    else:
        alone = alone_for(kernel, ALONE_BITS)
        alone.budget = nodes // 4
        for child in after_each(kernel, choices):
            chances.append(1.0 if forces(WON, child, sight.me, alone) else drawn)
            if alone.stopped:
                return None
        if 1.0 not in chances:
            return None
    ranking = [Choice(action, chance, exact=two or chance == 1) for (_, action), chance in zip(choices, chances, strict=True)]
    return sorted(ranking, key=lambda choice: (-choice.chance, choice.action != usual))


def after_each(kernel: Kernel, choices: list[tuple[int, AnyAction | None]]) -> Iterator[Kernel]:
    """The game after each choice."""
    for move, _ in choices:
        child = kernel.copy()
        if move != WAIT:
            child.apply(move)
        yield child


def by_halving(search: FlatSearch, choices: list[tuple[int, AnyAction | None]], until: float, nodes: float) -> list[Choice]:
    """The choices, of which the worse half is given up again and again: until `until`, or for so many nodes if they end first."""
    began = time.perf_counter()
    rounds = max(1, (len(choices) - 1).bit_length())
    spent = halvings = 0
    while True:
        playouts = search.try_all(1)
        spent += max(1, playouts) * NODES_A_PLAYOUT
        now = time.perf_counter()
        share = max(spent / nodes, (now - began) / (until - began)) if now < until else 1.0
        if share >= 1:
            break
        while halvings < rounds - 1 and share >= (halvings + 1) / rounds:
            search.halve()
            halvings += 1
    order = sorted(range(len(choices)), key=lambda index: (not search.alive[index], -search.mean(index)))
    return [Choice(choices[index][1], search.mean(index), exact=False) for index in order]
