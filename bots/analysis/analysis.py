"""The library call: `analyse(record)` gives a judged decision after the other, `Analysis` what they add up to."""

import hashlib
import random
from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final

import msgspec

from durak.bots.analysis.decision import GRADES, Decision
from durak.bots.analysis.errors import AnalysisError
from durak.bots.analysis.judging import judge
from durak.bots.analysis.moments import Moment, moments_of
from durak.bots.bot import Budget
from durak.protocol.process.workers import worked
from durak.protocol.rules.errors import NotationError
from durak.protocol.rules.events import GameResult
from durak.protocol.rules.record import Record, RecordError, read_record, replay, write_record

FORMAT: Final = 1
"""Of the JSON; a higher one means something else by a name that is there now."""


class Settings(msgspec.Struct, frozen=True):
    """What is analysed and how hard: two analyses that are equal here judge alike. `game`: the record's fingerprint."""

    game: str
    seed: int
    budget_ms: float | None
    budget_nodes: int | None

    @classmethod
    def of(cls, record: Record, budget: Budget, seed: int) -> "Settings":
        """The settings for this record."""
        return cls(hashlib.sha256(write_record(record).encode()).hexdigest()[:16], seed, budget.ms, budget.nodes)


class SeatSummary(msgspec.Struct, frozen=True):
    """One seat's play. `decisions`: those in which it had a choice; `lost`: what its mistakes have cost together, as a chance."""

    seat: int
    name: str | None
    decisions: int
    slips: int
    mistakes: int
    blunders: int
    lost: float

    @property
    def wrong(self) -> int:
        """Mistakes of every grade."""
        return self.slips + self.mistakes + self.blunders

    @property
    def accuracy(self) -> float | None:
        """The share of decisions without a mistake; None if there was nothing to decide."""
        return 1 - self.wrong / self.decisions if self.decisions else None


class Analysis(msgspec.Struct, frozen=True):
    """A game and the decisions judged of it, in their order. `seats`: whose were to be judged; `asked`: how many those are."""

    record: Record
    settings: Settings
    seats: list[int]
    asked: int
    decisions: list[Decision]
    result: GameResult | None

    def summary(self, seat: int) -> SeatSummary:
        """How this seat has played."""
        own = [decision for decision in self.decisions if decision.seat == seat]
        graded = {grade: sum(decision.grade == grade for decision in own) for grade in GRADES}
        names = self.record.deal.names
        return SeatSummary(
            seat,
            None if names is None else names[seat],
            sum(decision.options > 1 for decision in own),
            graded["slip"],
            graded["mistake"],
            graded["blunder"],
            sum(decision.loss for decision in own if decision.grade),
        )


def record_of(text: str) -> Record:
    """The record that this text is. Raises `AnalysisError` bad_record, unknown_version or diverged."""
    try:
        record = read_record(text)
        replay(record)
    except NotationError as error:
        hint = "a record is what 'durak arena --records DIR' writes: a line for the deal, then one for each move"
        cut = "if only its last line is cut off, delete it, and what is before it is judged"
        raise AnalysisError("bad_record", f"{error}; {hint}; {cut}") from None
    except RecordError as error:
        raise AnalysisError(error.code, f"the record does not replay: {str(error).partition(': ')[2]}") from None
    return record


def analyse(
    record: Record,
    budget: Budget,
    *,
    seed: int = 1,
    seats: Collection[int] | None = None,
    done: Collection[int] = (),
    jobs: int = 1,
) -> Iterator[Decision]:
    """Judge the decisions of these seats (default: all), in order, except those whose numbers are `done`.

    The record replays, also if its game is not over. Each decision has the budget: with nodes only, the same seed judges alike on
    every machine and with any number of `jobs`, which are processes. Raises `WorkerLost`.
    """
    wanted = [
        moment.number for moment in moments_of(record) if (seats is None or moment.seat in seats) and moment.number not in done
    ]
    given = (write_record(record), budget, seed)
    if jobs == 1 or len(wanted) < 2:
        yield from map(Judge(*given), wanted)
    else:
        yield from worked(_judge_one, wanted, jobs=min(jobs, len(wanted)), begin=_begin, given=given)


class Judge:
    """Judges decisions of one record by their numbers, which ascend."""

    def __init__(self, record: str, budget: Budget, seed: int) -> None:
        self._moments = moments_of(read_record(record))
        self._budget = budget
        self._seed = seed

    def __call__(self, number: int) -> Decision:
        """The decision of this number."""
        return judge(self._moment(number), self._budget, random.Random(f"{self._seed}/{number}"))

    def _moment(self, number: int) -> Moment:
        return next(moment for moment in self._moments if moment.number == number)


def json_of(analysis: Analysis) -> dict[str, Any]:
    """Everything as plain values (docs/analysis.md)."""
    deal, settings = analysis.record.deal, analysis.settings
    summaries = [analysis.summary(seat) for seat in analysis.seats]
    return {
        "format": FORMAT,
        "rules": deal.rules,
        "preset": deal.ruleset.preset,
        "players": deal.players,
        "names": deal.names,
        "result": msgspec.to_builtins(analysis.result),
        "seed": settings.seed,
        "budget": {"ms": settings.budget_ms, "nodes": settings.budget_nodes},
        "asked": analysis.asked,
        "judged": len(analysis.decisions),
        "seats": [msgspec.to_builtins(summary) | {"accuracy": summary.accuracy} for summary in summaries],
        "decisions": [msgspec.to_builtins(decision) | {"loss": decision.loss} for decision in analysis.decisions],
    }


def fair_chance(players: int) -> float:
    """The chance of not being the durak among equals, and what a draw counts."""
    return 1 - 1 / players


def mistakes_of(decisions: Sequence[Decision]) -> list[Decision]:
    """The decisions that have a grade, in order."""
    return [decision for decision in decisions if decision.grade]


# ---------------------------------------------------------------- in a process of their own

_judge: Judge | None = None


def _begin(record: str, budget: Budget, seed: int) -> None:
    global _judge
    _judge = Judge(record, budget, seed)


def _judge_one(number: int) -> Decision:
    assert _judge is not None
    return _judge(number)
