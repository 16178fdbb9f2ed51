"""Plays deals: every game of the schedule, from the arena's seed alone, here or in processes of its own."""

import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from durak.bots.arena.contestants import Assignment, Entrant, contestant_of
from durak.bots.arena.match import Match, shuffled
from durak.bots.arena.outcome import DealOutcome, GameOutcome, Times
from durak.bots.arena.schedule import games_of_a_deal
from durak.bots.bot import BOTS, Budget, bot_named
from durak.protocol.process.workers import worked
from durak.protocol.rules.record import write_record
from durak.protocol.rules.ruleset import PRESETS

DEALS_AT_ONCE: Final = 8
"""How many deals a process is handed, where a deal takes no time."""


class Arena(msgspec.Struct, frozen=True):
    """What is played, apart from how many deals: two arenas that are equal here give equal games."""

    bots: list[Entrant]
    players: int
    preset: str
    seed: int
    budget_ms: float | None
    budget_nodes: int | None
    patience_ms: float


class DealPlayer:
    """Plays the deals of an arena in this process; `records` is where a record of each game goes, if anywhere."""

    def __init__(self, arena: Arena, records: Path | None = None) -> None:
        self._arena = arena
        self._records = records
        self._rules = PRESETS[arena.preset]
        self._budget = Budget(arena.budget_ms, arena.budget_nodes)
        self._schedule = games_of_a_deal(len(arena.bots), arena.players)
        self._contestants = [contestant_of(bot.spec, arena.patience_ms) for bot in arena.bots]

    def play(self, deal: int) -> DealOutcome:
        """All games of this deal."""
        seed = f"{self._arena.seed}/{deal}"
        deck = shuffled(random.Random(seed))
        games: list[GameOutcome] = []
        times = [Times() for _ in self._arena.bots]
        complaints: dict[int, str] = {}
        for number, bots in enumerate(self._schedule):
            assignments = [
                Assignment(seat, self._arena.players, self._rules, f"{seed}/{seat}", self._budget) for seat in range(len(bots))
            ]
            seats = [self._contestants[bot].sit(assignment) for bot, assignment in zip(bots, assignments, strict=True)]
            match = Match(self._rules, deck, seats, seed, names=[self._arena.bots[bot].name for bot in bots])
            result = match.to_the_end()
            forfeits: dict[int, dict[str, int]] = {}
            for seat, kind, detail in match.lapses:
                complaints.setdefault(bots[seat], f"{kind}, {detail} (deal {deal}, game {number}, seat {seat})")
                kinds = forfeits.setdefault(seat, {})
                kinds[kind] = kinds.get(kind, 0) + 1
            for bot, thought_ms in zip(bots, match.thought_ms, strict=True):
                times[bot].add(thought_ms)
            games.append(GameOutcome(bots, result.places, result.durak, result.draw, forfeits))
            if self._records is not None:
                record_path(self._records, deal, number).write_text(write_record(match.record))
        return DealOutcome(deal, games, {bot: its.counts for bot, its in enumerate(times)}, complaints)

    def close(self) -> None:
        """End what was started for bots from outside."""
        for contestant in self._contestants:
            contestant.close()


def record_path(folder: Path, deal: int, game: int) -> Path:
    """Where the record of a game is."""
    return folder / f"deal{deal:06}-game{game:03}.jsonl"


def play_deals(arena: Arena, deals: Sequence[int], *, jobs: int = 1, records: Path | None = None) -> Iterator[DealOutcome]:
    """The outcomes of these deals, in their order, from so many processes. Raises `WorkerLost`."""
    if jobs == 1 or len(deals) < 2:
        player = DealPlayer(arena, records)
        try:
            yield from map(player.play, deals)
        finally:
            player.close()
        return
    jobs = min(jobs, len(deals))
    quick = all(bot.spec in BOTS and bot_named(bot.spec).cheap for bot in arena.bots)
    at_once = max(1, min(DEALS_AT_ONCE, len(deals) // (4 * jobs))) if quick else 1
    yield from worked(_play, deals, jobs=jobs, at_once=at_once, begin=_begin, given=(arena, records))


# ---------------------------------------------------------------- in a process of their own

_player: DealPlayer | None = None


def _begin(arena: Arena, records: Path | None) -> Callable[[], None]:
    global _player
    _player = DealPlayer(arena, records)
    return _player.close


def _play(deal: int) -> DealOutcome:
    assert _player is not None
    return _player.play(deal)
