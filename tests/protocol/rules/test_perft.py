"""How many ways of playing on there are from a few positions, to a depth, as chess programmers count (perft).

A step is any legal action of any seat, or `close` where the attack may end. The counts were made by `Game` and agreed with the
slow reference; a change of the rules changes them, a faster engine does not.
"""

import copy
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import msgspec
import pytest

from durak.protocol.rules.game import Game
from durak.protocol.rules.notation import read_position
from tests.protocol.rules.reference import Reference

Position = TypeVar("Position")

POSITIONS: dict[str, tuple[str, list[int]]] = {
    "two seats, a stock": (
        "S | 7H 7D 8S / 8H 9D 6S | stock 9C AS",
        [3, 12, 40, 114, 312, 715, 1502, 3361, 7666, 17120, 38673],
    ),
    "three seats throw in at any time": (
        "S | 7H 7D / 8H 8D 6S / 7C 8C",
        [2, 14, 80, 356, 1286, 3656, 8260, 15380, 25006],
    ),
    "gameweave, one seat is out": (
        "D | 6H 6D 7C / 7H JD / - / 8C 7S | rules gameweave",
        [3, 7, 18, 25, 48, 58, 143, 234, 469, 674, 1270, 1702, 3685, 5730],
    ),
    "challenge, two sixes": (
        "C | 6H 6D 9C / 7H 8D 10C | rules challenge",
        [3, 8, 22, 38, 78, 158, 298, 476, 740, 1102, 1486, 1858, 2340, 3392],
    ),
    "discreet, four seats, nothing added after a take": (
        "H | 9S 9D / 10S 9H / 9C QC / 10C KC | rules classic discreet=on after_take=none",
        [2, 15, 87, 369, 1199, 3378, 9790, 29390],
    ),
    "five cards in the first bout, attacker only": (
        "S | 6H 6D 6C 7H 7D 7C / 7S 8H 8D 8C 9H 9D | stock AC AS | bout 1 "
        "| rules classic limit_first_bout=5 throw_in=attacker_only forfeit_defence=on",
        [6, 40, 219, 1073, 5307, 25402],
    ),
}


def children(game: Game) -> Iterator[Game]:
    """The games one step on."""
    for seat in range(game.players):
        for action in game.legal(seat):
            child = game.copy()
            child.act(seat, action)
            yield child
    if game.closable():
        child = game.copy()
        child.close()
        yield child


def reference_children(game: Reference) -> Iterator[Reference]:
    """The same of the reference."""
    for seat in range(game.players):
        for action in game.legal(seat):
            child = copy.deepcopy(game)
            match action.split():
                case ["defend", target, "with", card]:
                    child.act(seat, "defend", card=card, target=target)
                case [act, card]:
                    child.act(seat, act, card=card)
                case [act]:
                    child.act(seat, act)
            yield child
    state = game.state()
    if state["phase"] == "bout" and (state["taking"] or all(beaten for _, beaten in state["table"])):
        child = copy.deepcopy(game)
        child.close()
        yield child


def perft(start: Position, depth: int, following: Callable[[Position], Iterable[Position]]) -> list[int]:
    """Number of ways to play 1, 2, … `depth` steps."""
    counts = [0] * depth

    def walk(position: Position, level: int) -> None:
        for child in following(position):
            counts[level] += 1
            if level + 1 < depth:
                walk(child, level + 1)

    walk(start, 0)
    return counts


def reference_of(game: Game) -> Reference:
    """The same start of a bout in the reference."""
    return Reference.position(
        msgspec.to_builtins(game.ruleset),
        trump="SHDC"[game.kernel.trump],
        hands=[game.hand(seat) for seat in range(game.players)],
        stock=game.stock,
        attacker=game.kernel.attacker,
        bout=game.kernel.bout,
    )


@pytest.mark.parametrize("name", POSITIONS)
def test_perft(name: str) -> None:
    position, counts = POSITIONS[name]
    assert perft(read_position(position), len(counts), children) == counts


@pytest.mark.parametrize("name", POSITIONS)
def test_perft_of_the_reference(name: str) -> None:
    position, counts = POSITIONS[name]
    depth = sum(1 for count in counts if count <= 3_000)
    assert perft(reference_of(read_position(position)), depth, reference_children) == counts[:depth]
