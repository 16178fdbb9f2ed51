"""An arena's result drawn with matplotlib: score and durak rate of each bot, durak rate of each seat, with their intervals."""

from pathlib import Path
from typing import Any

from durak.bots.arena.report import Report, fair_rate, fair_score
from durak.bots.arena.statistics import Estimate
from durak.bots.drawing import FAIR, INK, figure, save


def draw(report: Report, path: Path) -> None:
    """Draw into this .png or .svg. Raises `DrawingError`."""
    canvas = figure()
    arena, statistics = report.arena, report.statistics
    order = report.ranking[::-1]  # the best at the top
    names = [arena.bots[bot].name for bot in order]
    rows = max(len(order), len(statistics.seats))
    canvas.set_size_inches(12, 1.9 + 0.42 * rows)
    rate = fair_rate(arena.players, statistics)
    score, durak, seats = canvas.subplots(1, 3)
    panel(score, names, [statistics.bots[bot].score for bot in order], fair_score(arena.players), "Score")
    panel(durak, names, [statistics.bots[bot].durak for bot in order], rate, "Durak rate")
    panel(seats, [f"seat {seat}" for seat in reversed(range(arena.players))], statistics.seats[::-1], rate, "Durak rate by seat")
    canvas.suptitle(
        f"{arena.preset}, {arena.players} players: {statistics.deals:,} deals, {statistics.games:,} games",
        x=0.01,
        ha="left",
        fontsize=12,
    )
    canvas.supxlabel("bars: 95 % intervals, clustered by deal; dashed: fair", fontsize=9, color="#555555")
    save(canvas, path)


def panel(axes: Any, names: list[str], values: list[Estimate], fair: float, title: str) -> None:
    """One value a line, with its interval, beside what is fair."""
    lines = range(len(values))
    means = [value.mean for value in values]
    below = [value.mean - value.low for value in values]
    above = [value.high - value.mean for value in values]
    axes.axvline(fair, color=FAIR, linestyle="--", linewidth=1.2, zorder=1)
    axes.errorbar(means, lines, xerr=[below, above], fmt="o", color=INK, capsize=4, markersize=6, zorder=2)
    for line, mean in zip(lines, means, strict=True):
        label = axes.annotate(f"{mean:.3f}", (mean, line), xytext=(0, 7), textcoords="offset points", ha="center")
        label.set(fontsize=9, color=INK, bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8})
    axes.set_yticks(lines, names)
    axes.set_ylim(-0.6, len(values) - 0.35)
    axes.margins(x=0.15)
    axes.locator_params(axis="x", nbins=5)
    axes.set_title(f"{title} (fair {fair:.3f})", fontsize=11, loc="left")
    axes.grid(axis="x", color="#dddddd", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
