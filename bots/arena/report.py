"""What an arena has found: a table for people, JSON for programs, and a CSV with a row for each seat of each game."""

import csv
import json
from collections.abc import Sequence
from itertools import chain
from typing import IO, Any

import msgspec

from durak.bots.arena.deals import Arena
from durak.bots.arena.outcome import DealOutcome
from durak.bots.arena.ratings import Rating, ratings_of
from durak.bots.arena.schedule import lone_seat
from durak.bots.arena.statistics import Estimate, Statistics, statistics_of

PERCENTILES = {"p50": 0.50, "p95": 0.95, "p99": 0.99, "max": 1.0}
COLUMNS = ("deal", "game", "seat", "bot", "place", "durak", "draw", "score", "counts", "forfeited")


class Report(msgspec.Struct, frozen=True):
    """An arena and what follows from the deals played of it, at least one. `asked`: deals that were to be played."""

    arena: Arena
    asked: int
    deals: Sequence[DealOutcome]
    statistics: Statistics
    ratings: list[Rating]

    @classmethod
    def of(cls, arena: Arena, asked: int, deals: Sequence[DealOutcome]) -> "Report":
        """The report of these deals."""
        bots = len(arena.bots)
        return cls(arena, asked, deals, statistics_of(deals, bots, arena.players), ratings_of(deals, bots))

    @property
    def ranking(self) -> list[int]:
        """The bots, best score first."""
        return sorted(range(len(self.arena.bots)), key=lambda bot: -self.statistics.bots[bot].score.mean)

    @property
    def complaints(self) -> dict[int, str]:
        """For each bot that did not decide itself, what was the matter the first time."""
        first: dict[int, str] = {}
        for deal in self.deals:
            first = deal.complaints | first
        return first


def json_of(report: Report) -> dict[str, Any]:
    """Everything as plain values; intervals are pairs, times are milliseconds."""
    arena, statistics, complaints = report.arena, report.statistics, report.complaints
    names = [bot.name for bot in arena.bots]
    return {
        "players": arena.players,
        "deals": statistics.deals,
        "asked": report.asked,
        "games": statistics.games,
        "preset": arena.preset,
        "seed": arena.seed,
        "budget": {"ms": arena.budget_ms, "nodes": arena.budget_nodes},
        "draws": statistics.draws,
        "fair": {"score": fair_score(arena.players), "durak_rate": fair_rate(arena.players, statistics)},
        "bots": [
            {
                "name": names[number],
                "bot": arena.bots[number].spec,
                "games": bot.games,
                "score": bot.score.mean,
                "ci95": _pair(bot.score),
                "durak_rate": bot.durak.mean,
                "durak_ci95": _pair(bot.durak),
                "rating": {"mu": report.ratings[number].mu, "sigma": report.ratings[number].sigma},
                "decisions": bot.times.total,
                "decision_ms": {name: bot.times.percentile(share) for name, share in PERCENTILES.items()},
                "forfeited": bot.forfeits,
                "complaint": complaints.get(number),
            }
            for number, bot in enumerate(statistics.bots)
        ],
        "pairs": [
            {
                "bot": names[pair.one],
                "against": names[pair.other],
                "games": pair.games,
                "ahead": pair.ahead.mean,
                "ahead_ci95": _pair(pair.ahead),
                "score": pair.score.mean,
                "ci95": _pair(pair.score),
                "durak_rate": pair.durak.mean,
                "durak_ci95": _pair(pair.durak),
            }
            for pair in statistics.pairs
        ],
        "seats": [
            {"seat": number, "durak_rate": seat.mean, "durak_ci95": _pair(seat)} for number, seat in enumerate(statistics.seats)
        ],
    }


def text_of(report: Report) -> str:
    """The tables for a terminal."""
    arena, statistics = report.arena, report.statistics
    played = (
        f"{statistics.deals:,} deals" if statistics.deals == report.asked else f"{statistics.deals:,} of {report.asked:,} deals"
    )
    limits = [(arena.budget_ms, "ms"), (arena.budget_nodes, "nodes")]
    budget = "".join(f", {limit:g} {unit} a decision" for limit, unit in limits if limit is not None)
    lines = [
        f"{arena.preset}, {arena.players} players, {played}, {statistics.games:,} games, {statistics.draws:.1%} draws"
        f", seed {arena.seed}{budget}",
        f"fair: score {fair_score(arena.players):.3f}, durak rate {fair_rate(arena.players, statistics):.3f}"
        "; in brackets: 95 % intervals",
        "",
    ]
    rows = [["bot", "games", "score", "", "durak", "", "rating", "p50 ms", "p95", "p99", "max"]]
    for number in report.ranking:
        bot, rating = statistics.bots[number], report.ratings[number]
        times = [bot.times.percentile(share) for share in PERCENTILES.values()]
        rows.append(
            [
                arena.bots[number].name,
                f"{bot.games:,}",
                *_columns(bot.score),
                *_columns(bot.durak),
                f"{rating.mu:.1f} ±{rating.sigma:.1f}",
                *("-" if ms is None else f"{ms:.3g}" for ms in times),
            ]
        )
    lines += [*_aligned(rows), "", *_pairs(report), "", "durak rate by seat"]
    rows = [[f"  {number}", *_columns(seat)] for number, seat in enumerate(statistics.seats)]
    return "\n".join([*lines, *_aligned(rows), *_forfeits(report)])


def write_csv(report: Report, file: IO[str]) -> None:
    """A row for each seat of each game: `counts` is 1 where the bot sat alone of its kind, which is what its score is made of."""
    rows = csv.writer(file, lineterminator="\n")
    rows.writerow(COLUMNS)
    for deal in report.deals:
        for number, game in enumerate(deal.games):
            for seat, bot in enumerate(game.bots):
                forfeited = sum(game.forfeits.get(seat, {}).values())
                counts = int(lone_seat(game.bots, bot) == seat)
                ended = [game.place(seat), int(seat == game.durak), int(game.draw), game.score(seat), counts]
                rows.writerow([deal.deal, number, seat, report.arena.bots[bot].name, *ended, forfeited])


def fair_score(players: int) -> float:
    """The score of a bot among equals."""
    return (players - 1) / players


def fair_rate(players: int, statistics: Statistics) -> float:
    """The durak rate of a bot among equals, with as many draws as there were."""
    return (1 - statistics.draws) / players


def _pairs(report: Report) -> list[str]:
    """A matrix: the bot of the row against that of the column."""
    arena, players = report.arena, report.arena.players
    order = report.ranking
    few = len(arena.bots) < players
    if few:
        title = f"durak rate of one (row) against {players - 1} (column), fair {fair_rate(players, report.statistics):.3f}"
    elif players == 2:
        title = "score of row against column, fair 0.500"
    else:
        title = "row goes out before column, shared places half, fair 0.500"
    shown = {(pair.one, pair.other): pair.durak if few else pair.ahead for pair in report.statistics.pairs}
    rows = [["", *(str(place) for place, _ in enumerate(order, start=1))]]
    for place, one in enumerate(order, start=1):
        cells = [shown.get((one, other)) for other in order]
        name = f"  {place} {arena.bots[one].name}"
        rows.append([name, *("-" if cell is None else f"{cell.mean:.3f} ±{(cell.high - cell.low) / 2:.3f}" for cell in cells)])
    return [title, *_aligned(rows)]


def _forfeits(report: Report) -> list[str]:
    """Which bots did not decide themselves, and why."""
    lines = []
    for number, told in sorted(report.complaints.items()):
        bot = report.statistics.bots[number]
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in sorted(bot.forfeits.items()))
        lines.append(f"{report.arena.bots[number].name}: {sum(bot.forfeits.values()):,} decisions forfeited ({kinds})")
        lines.append(f"  the first: {told}")
    return list(chain([""] if lines else [], lines))


def _columns(value: Estimate) -> list[str]:
    return [f"{value.mean:.3f}", f"[{value.low:.3f}, {value.high:.3f}]"]


def _pair(value: Estimate) -> list[float]:
    return [value.low, value.high]


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Columns, the first to the left, the others to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(
            cell.rjust(width) if column else cell.ljust(width) for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]


def dump(report: Report) -> str:
    """The JSON that is printed."""
    return json.dumps(json_of(report), indent=1)
