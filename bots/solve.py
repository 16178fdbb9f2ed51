"""`durak solve POSITION`: the exact result and best line of an ending of two players."""

import argparse
import json
import sys
import time
from typing import Any, Final

from durak.bots.search.endgame import Endgame
from durak.bots.search.ending import is_ending, result_for
from durak.protocol.rules.errors import NotationError
from durak.protocol.rules.game import Game
from durak.protocol.rules.notation import AnyMove, Move, Step, read_position, write_move

TABLE_BITS: Final = 20
DEFAULT_NODES: Final = 500_000_000

EPILOG = """\
A position is written in the project's notation: the trump suit, and the two hands; what else there is has a word before it.

  durak solve 'S | 6S 7H / 8S 9H'                                seat 0 leads
  durak solve 'H | 6S 7C 9H / 8S 10C JC | attacker 1'
  durak solve 'S | 7D 9C / 8S QC 10H | table 7H-9H 9D | limit 3'   in the middle of a bout
  durak solve 'S | rules challenge | 6S 7H / 8S' --json

The stock is empty, and both know all cards. How many cards? Twelve take milliseconds, sixteen seconds, where durak is compiled
(durak --version).
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `durak solve`."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EPILOG
    parser.add_argument("position", metavar="POSITION", help="the ending, in quotes")
    parser.add_argument(
        "--nodes", metavar="N", type=int, default=DEFAULT_NODES, help="give up after so many nodes (default: %(default)s)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Solve, print; 0, or 1 if it was given up."""
    if args.nodes < 1:
        args.usage_error("argument --nodes: choose 1 or more")
    try:
        game = read_position(args.position)
    except NotationError as error:
        args.usage_error(f"{error} [bad_position]")
    if game.phase not in ("lead", "bout", "decide"):
        args.usage_error("the game has to be running [not_an_ending]")
    if not is_ending(game.kernel):
        args.usage_error("only an ending of two seats with an empty stock can be solved [not_an_ending]")
    solved = solve(game, args.nodes)
    if solved is None:
        print(f"durak solve: given up after {args.nodes:,} nodes; --nodes allows more [too_hard]", file=sys.stderr)
        return 1
    print(json.dumps(solved, indent=1) if args.json else text_of(solved))
    return 0


def solve(game: Game, nodes: int) -> dict[str, Any] | None:
    """The durak (None: a draw), the line of best play, nodes and milliseconds; None if so many nodes don't suffice."""
    kernel = game.kernel
    seat = kernel.attacker
    solver = Endgame(kernel.trump, kernel.after_take, kernel.forfeit_defence, TABLE_BITS)
    solver.budget = nodes
    began = time.perf_counter()
    result = result_for(kernel.copy(), seat, solver)
    if solver.stopped:
        return None
    searched, spent_ms = int(solver.nodes), 1000 * (time.perf_counter() - began)
    line = best_line(game.copy(), solver)
    return {
        "durak": None if result == 0 else int(kernel.defender if result > 0 else seat),
        "line": [write_move(move) for move in line],
        "nodes": searched,
        "ms": spent_ms,
    }


def best_line(game: Game, solver: Endgame) -> list[AnyMove]:
    """A line that both play best: of several best moves the first in the order of legal actions. The solver has solved the game."""
    line: list[AnyMove] = []
    while game.result is None:
        if game.quiet():
            game.close()
            line.append(Step.CLOSE)
            continue
        kernel = game.kernel
        defends = game.phase == "decide" or (kernel.open_cards > 0 and not kernel.taking)
        seat = kernel.defender if defends and game.phase != "lead" else kernel.attacker
        value = None
        for action in game.legal(seat):
            child = game.copy()
            child.act(seat, action)
            solver.nodes = 0
            result = result_for(child.kernel.copy(), seat, solver)
            if value is None or result > value:
                value, best, after = result, action, child
        game = after
        line.append(Move(seat, best))
    return line


def text_of(solved: dict[str, Any]) -> str:
    """The result for a person."""
    result = "a draw" if solved["durak"] is None else f"seat {solved['durak']} is the durak"
    line = " ".join(word for word in solved["line"] if word != Step.CLOSE.value)
    return f"{result}\nbest play: {line}\n{solved['nodes']:,} nodes, {solved['ms']:.1f} ms"
