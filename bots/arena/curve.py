"""Draws how strong the first bot of several arenas is, over what it could think: one point for each file of `durak arena --json`.

    durak arena hard normal --budget-nodes 10000 --json > a.json
    durak arena hard normal --budget-nodes 100000 --json > b.json
    python -m durak.bots.arena.curve a.json b.json --plot strength.svg

The arenas are of the same bots at the same kind of table; their budgets differ, all in nodes or all in milliseconds.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import NamedTuple

from durak.bots.arena.errors import ArenaError
from durak.bots.drawing import FAIR, FORMATS, INK, DrawingError, figure, save


class Point(NamedTuple):
    """One arena: the `unit` and size of the budget; the first bot's score with its interval, and the middle time of a decision."""

    bots: tuple[str, ...]
    players: int
    unit: str
    budget: float
    score: float
    low: float
    high: float
    fair: float
    typical_ms: float


def point_of(path: Path) -> Point:
    """What a file of `durak arena --json` says. Raises `ArenaError` bad_result."""
    try:
        result = json.loads(path.read_text(encoding="utf-8"))
        first = result["bots"][0]
        (unit, budget), *more = [(name, size) for name, size in result["budget"].items() if size is not None]
        low, high = first["ci95"]
        point = Point(
            bots=tuple(str(bot["name"]) for bot in result["bots"]),
            players=int(result["players"]),
            unit=unit,
            budget=float(budget),
            score=float(first["score"]),
            low=float(low),
            high=float(high),
            fair=float(result["fair"]["score"]),
            typical_ms=float(first["decision_ms"]["p50"]),
        )
    except OSError as error:
        raise ArenaError("bad_result", f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, LookupError, TypeError, AttributeError):
        raise ArenaError("bad_result", f"{path} is not what `durak arena --json` prints with one budget") from None
    if more:
        raise ArenaError("bad_result", f"{path} has two budgets; choose --budget-nodes or --budget-ms")
    return point


def draw(points: list[Point], path: Path) -> None:
    """Draw into this .png or .svg. Raises `ArenaError` bad_result, `DrawingError`."""
    if len({(point.bots, point.players, point.unit) for point in points}) > 1:
        raise ArenaError("bad_result", "the arenas are not of the same bots, players and kind of budget")
    canvas = figure()
    canvas.set_size_inches(7, 4)
    axes = canvas.subplots()
    points = sorted(points, key=lambda point: point.budget)
    first = points[0]
    scores = [point.score for point in points]
    below = [point.score - point.low for point in points]
    above = [point.high - point.score for point in points]
    budgets = [point.budget for point in points]
    axes.errorbar(budgets, scores, yerr=[below, above], fmt="o-", color=INK, capsize=4, markersize=6)
    for point in points:
        label = axes.annotate(
            f"{point.score:.3f}\n{point.typical_ms:.3g} ms", (point.budget, point.high), xytext=(0, 5), textcoords="offset points"
        )
        label.set(fontsize=9, color=INK, ha="center")
    axes.axhline(first.fair, color=FAIR, linestyle="--", linewidth=1.2)
    axes.annotate("fair", (budgets[-1], first.fair), xytext=(0, 4), textcoords="offset points", color=FAIR, fontsize=9, ha="right")
    axes.set_xscale("log")
    axes.set_xlabel(f"{first.unit} for each decision" if first.unit == "nodes" else "milliseconds for each decision")
    axes.set_ylabel("score, with 95 % intervals")
    axes.set_title(f"{first.bots[0]} against {' and '.join(first.bots[1:])}, {first.players} players", loc="left", fontsize=12)
    axes.margins(x=0.1, y=0.2)
    axes.grid(alpha=0.3)
    save(canvas, path)


def main(arguments: list[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(
        prog="python -m durak.bots.arena.curve", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("results", metavar="FILE", nargs="+", type=Path, help="what `durak arena --json` has printed")
    parser.add_argument("--plot", metavar="FILE", type=Path, required=True, help="draw this .png or .svg")
    args = parser.parse_args(arguments)
    if args.plot.suffix not in FORMATS:
        parser.error(f"argument --plot: the name ends in {' or '.join(FORMATS)}")
    try:
        draw([point_of(path) for path in args.results], args.plot)
    except (ArenaError, DrawingError) as error:
        print(f"curve: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
