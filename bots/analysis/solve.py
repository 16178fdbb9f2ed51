"""`durak solve POSITION`: the exact result and best line of an ending of two players, and what each of three can force."""

import argparse
import json
import sys
import time
from typing import Any, Final

from durak.bots.search.alone import Alone
from durak.bots.search.endgame import MOST_STOCK, Endgame
from durak.bots.search.ending import alone_for, endgame_for, forced_for, is_known_ending, is_known_trio, recall, result_for
from durak.protocol.rules.actions import Pass, Throw
from durak.protocol.rules.errors import NotationError
from durak.protocol.rules.game import Game
from durak.protocol.rules.notation import AnyMove, Move, Step, read_position, write_move

TABLE_BITS: Final = 20
DEFAULT_NODES: Final = 500_000_000
CONCEPT: Final = "each seat alone against both others, who see all cards and whose cards come first"
FORCED: Final = {1: "out", 0: "draw", -1: "durak"}
MEANING: Final = {
    "out": "goes out, whatever the others do",
    "draw": "can force a draw, and no more",
    "durak": "is the durak, if the others work together",
}

EPILOG = """\
A position is written in the project's notation: the trump suit, and the two hands; what else there is has a word before it.

  durak solve 'S | 6S 7H / 8S 9H'                                seat 0 leads
  durak solve 'H | 6S 7C 9H / 8S 10C JC | attacker 1'
  durak solve 'S | 7D 9C / 8S QC 10H | table 7H-9H 9D | limit 3'   in the middle of a bout
  durak solve 'S | 6S 7H / 8S | rules challenge' --json
  durak solve 'S | 6S 7H 9C QD KD AH / 8S 9H JC JD 6C 7C | stock 10S'    the trump card is still to be drawn
  durak solve 'S | 6S 7H / 8S 9H / 10C 6D' --seat 1                three players

All cards are known, those of the stock too, top first. How many may there be? Of two players, twelve take milliseconds, sixteen
seconds, and each card of the stock ten times as long, where durak is compiled (durak --version); of three players, nine take tenths
of a second, ten seconds.

Of three players (an empty stock) no best play can be told: who is safe may choose which of the others loses. Told is what each seat
can force alone against both others, who work together, and whose cards come first where throw-ins have no order:
  out     it goes out whatever they do
  draw    it is not the durak whatever they do, but goes out only with them or never
  durak   they can make it the durak
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `durak solve`."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EPILOG
    parser.add_argument("position", metavar="POSITION", help="the ending, in quotes")
    parser.add_argument(
        "--nodes", metavar="N", type=int, default=DEFAULT_NODES, help="give up after so many nodes (default: %(default)s)"
    )
    parser.add_argument(
        "--seat", metavar="N", type=int, help="of three players: whose best play is told (default: whose turn it is)"
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
    kernel = game.kernel
    three = is_known_trio(kernel)
    if not three and not is_known_ending(kernel):
        args.usage_error(f"{_why_not(game)} [not_an_ending]")
    seat = _turn(game) if args.seat is None else args.seat
    if args.seat is not None and (not three or seat not in game.active):
        args.usage_error("argument --seat: choose one of three seats in the game [no_such_seat]")
    solved = solve_three(game, seat, args.nodes) if three else solve(game, args.nodes)
    if solved is None:
        print(f"durak solve: given up; at most {args.nodes:,} nodes, and --nodes allows more [too_hard]", file=sys.stderr)
        return 1
    print(json.dumps(solved, indent=1) if args.json else text_of(solved))
    return 0


def _why_not(game: Game) -> str:
    """What is too much of this position."""
    seats, stock = len(game.active), game.stock_size
    if game.left:
        return "a seat has left: only endings of those who stay can be solved"
    if seats > 3:
        return f"{seats} seats are in the game: at most three can be solved"
    if seats == 2:
        return f"{stock} cards are in the stock: at most {MOST_STOCK} can be solved"
    if stock:
        return "with three seats only an empty stock can be solved"
    return "with throw_timing=any, nothing may be added after a take (after_take): of three seats, the quickest decides"


def _turn(game: Game) -> int:
    """The seat that the game waits for first."""
    return game.defender if game.phase == "decide" or game.answering() else game.attacker


def solve(game: Game, nodes: int) -> dict[str, Any] | None:
    """The durak (None: a draw), the line of best play, nodes and milliseconds; None if so many nodes don't suffice."""
    seat = game.attacker
    solver = endgame_for(game.kernel, TABLE_BITS)
    solver.budget = nodes
    began = time.perf_counter()
    result = result_for(game.kernel.copy(), seat, solver)
    if solver.stopped:
        return None
    searched, spent_ms = int(solver.nodes), 1000 * (time.perf_counter() - began)
    line = best_line(game.copy(), solver)
    return {
        "durak": None if result == 0 else game.defender if result > 0 else seat,
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
        seat = _turn(game)
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


def solve_three(game: Game, seat: int, nodes: int) -> dict[str, Any] | None:
    """What each of three seats can force, and how this one does; None if so many nodes don't suffice for a seat or for a bout."""
    forced: dict[int, int] = {}
    searched = 0
    began = time.perf_counter()
    for one in game.active:
        solver = _alone(game, one, nodes, 2)
        forced[one] = int(forced_for(game.kernel.copy(), one, solver))
        if solver.stopped:
            return None
        searched += int(solver.nodes())
    spent_ms = 1000 * (time.perf_counter() - began)
    line = forced_line(game.copy(), seat, forced[seat], nodes)
    if line is None:
        return None
    return {
        "concept": CONCEPT,
        "forced": {str(one): FORCED[result] for one, result in forced.items()},
        "seat": seat,
        "line": [write_move(move) for move in line],
        "nodes": searched,
        "ms": spent_ms,
    }


def _alone(game: Game, seat: int, nodes: int, times: int) -> Alone:
    """A solver for three, to which bouts that have begun so often are draws when they come again."""
    solver = alone_for(game.kernel, TABLE_BITS)
    solver.budget = nodes
    recall(game.kernel, seat, solver, times)
    return solver


def forced_line(game: Game, seat: int, forced: int, nodes: int) -> list[AnyMove] | None:
    """How this seat of three forces so much against the best play of both others, until it is out or the game is over.

    No bout comes twice in what is forced, so each is solved anew, with those before it as draws. None if it is too hard.
    """
    line: list[AnyMove] = []
    bout = None
    while game.result is None and game.is_active(seat):
        if game.quiet():
            game.close()
            line.append(Step.CLOSE)
            continue
        if len(game.active) == 2:
            pair = endgame_for(game.kernel, TABLE_BITS)
            pair.budget = nodes
            line += best_line(game, pair)
            return None if pair.stopped else line
        if game.bout != bout:
            bout, solver = game.bout, _alone(game, seat, nodes, 1)
        adding = game.closable()
        others = [other for other in game.active if other != seat]
        chosen: Move | None = None
        for actor in [*others, seat] if adding else [_turn(game)]:
            for action in game.legal(actor):
                if chosen is None and (isinstance(action, Throw) or not adding):
                    child = game.copy()
                    child.act(actor, action)
                    solver.budget = solver.nodes() + nodes
                    if forced_for(child.kernel.copy(), seat, solver) == forced:
                        chosen = Move(actor, action)
                    if solver.stopped:
                        return None
        if chosen is None:  # nobody adds anything
            chosen = next(Move(actor, Pass()) for actor in [*others, seat] if Pass() in game.legal(actor))
        game.act(chosen.seat, chosen.action)
        line.append(chosen)
    return line


def text_of(solved: dict[str, Any]) -> str:
    """The result for a person."""
    line = " ".join(word for word in solved["line"] if word != Step.CLOSE.value)
    if "forced" in solved:
        seats = [f"seat {seat} {MEANING[forced]}" for seat, forced in solved["forced"].items()]
        result = "\n".join([f"{solved['concept']}:", *seats, f"seat {solved['seat']} against both: {line}"])
    else:
        result = "a draw" if solved["durak"] is None else f"seat {solved['durak']} is the durak"
        result += f"\nbest play: {line}"
    return f"{result}\n{solved['nodes']:,} nodes, {solved['ms']:.1f} ms"
