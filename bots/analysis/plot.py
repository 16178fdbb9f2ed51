"""An analysis drawn with matplotlib: each seat's chance over the game, with its mistakes."""

from collections import Counter
from pathlib import Path
from typing import Any, Final

from durak.bots.analysis.analysis import Analysis, fair_chance
from durak.bots.analysis.decision import GRADES, Decision
from durak.bots.analysis.telling import names_of
from durak.bots.drawing import FAIR, INK, figure, save

SEATS: Final = (
    (INK, "-"),
    ("#c8641e", "--"),
    ("#2e7d4f", "-."),
    ("#7b4fa0", ":"),
    ("#8a6d00", (0, (5, 1))),
    ("#555555", (0, (1, 1))),
)
"""Colour and dashes of each seat."""
MARKS: Final = {"slip": ("v", 60), "mistake": ("X", 80), "blunder": ("X", 130)}
"""Shape and size."""
APART: Final = 0.055
"""Between the names at the right, as a chance."""


def draw(analysis: Analysis, path: Path) -> None:
    """Draw into this .png or .svg. Raises `DrawingError`."""
    canvas = figure()
    canvas.set_size_inches(11, 5.2)
    axes = canvas.subplots()
    deal = analysis.record.deal
    positions = _positions(analysis.decisions)
    last = max((decision.bout for decision in analysis.decisions), default=1)
    axes.axhline(fair_chance(deal.players), color=FAIR, linestyle="--", linewidth=1.0, zorder=1)
    exact = [positions[decision.number] for decision in analysis.decisions if decision.exact]
    if exact:
        axes.axvspan(min(exact), last + 1, color="#eeeeee", zorder=0)
        axes.annotate(
            "solved", (min(exact), 0.08), xytext=(4, 0), textcoords="offset points", rotation=90, va="bottom", color="#777777"
        )
    ends: list[tuple[float, int]] = []
    for seat in analysis.seats:
        own = [decision for decision in analysis.decisions if decision.seat == seat]
        across = [positions[decision.number] for decision in own]
        up = [decision.after for decision in own]
        score = _score(analysis, seat)
        if score is not None:
            across.append(max([*across, *([last + 1.0] if seat == _durak(analysis) else [])], default=last + 1.0))
            up.append(score)
        if not own:
            continue
        colour, dashes = SEATS[seat]
        axes.plot(across, up, color=colour, linestyle=dashes, linewidth=1.8, marker="o", markersize=3, zorder=2)
        ends.append((up[-1], seat))
        for decision in own:
            if decision.grade:
                position = positions[decision.number]
                axes.plot([position, position], [decision.before, decision.after], color=colour, linewidth=1.6, zorder=3)
                shape, size = MARKS[decision.grade]
                axes.scatter(
                    [position], [decision.after], s=size, marker=shape, color=colour, edgecolor="white", linewidth=0.8, zorder=4
                )
    _name_lines(axes, ends, names_of(analysis), last + 1)
    for grade, (shape, size) in MARKS.items():
        axes.scatter(
            [],
            [],
            s=size,
            marker=shape,
            color="#777777",
            edgecolor="white",
            label=f"{grade}: {GRADES[grade]} points lost, or more",
        )
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.11), ncols=3, frameon=False, fontsize=9)
    axes.set_xlim(1, last + 1)
    axes.set_ylim(-0.04, 1.04)
    axes.set_xticks([bout + 0.5 for bout in range(1, last + 1)], [str(bout) for bout in range(1, last + 1)])
    axes.set_xticks(range(1, last + 2), minor=True)
    axes.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0", "25", "50", "75", "100"])
    axes.set_xlabel("bout", fontsize=10)
    axes.set_ylabel("points of 100", fontsize=10)
    axes.grid(axis="y", color="#dddddd", linewidth=0.8)
    axes.grid(axis="x", which="minor", color="#eeeeee", linewidth=0.8)
    axes.tick_params(axis="x", length=0)
    axes.tick_params(axis="x", which="minor", length=0)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.set_title(
        f"{deal.ruleset.preset}, {deal.players} players: chance of not being the durak (dashed: fair)", fontsize=12, loc="left"
    )
    save(canvas, path)


def _positions(decisions: list[Decision]) -> dict[int, float]:
    """Where each decision lies: those of a bout evenly within it."""
    sizes = Counter(decision.bout for decision in decisions)
    seen: Counter[int] = Counter()
    positions = {}
    for decision in decisions:
        seen[decision.bout] += 1
        positions[decision.number] = decision.bout + seen[decision.bout] / (sizes[decision.bout] + 1)
    return positions


def _durak(analysis: Analysis) -> int | None:
    return None if analysis.result is None else analysis.result.durak


def _score(analysis: Analysis, seat: int) -> float | None:
    """How the game ended for a seat: 1 not the durak, 0 the durak or gone, a draw what is fair; None if it is not known."""
    result = analysis.result
    if result is None or len(analysis.decisions) < analysis.asked:
        return None
    if seat == result.durak or seat in result.forfeits:
        return 0.0
    return fair_chance(analysis.record.deal.players) if result.draw and seat in result.places[-1] else 1.0


def _name_lines(axes: Any, ends: list[tuple[float, int]], names: list[str], right: float) -> None:
    """The seats' names at the right, as high as their lines end, but not on each other."""
    height = 2.0
    for end, seat in sorted(ends, reverse=True):
        height = min(end, height - APART)
        name = axes.annotate(
            names[seat].replace("$", r"\$"), (right, height), xytext=(6, 0), textcoords="offset points", va="center"
        )
        name.set(color=SEATS[seat][0], fontsize=10, annotation_clip=False)
