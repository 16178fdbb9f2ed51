"""`durak arena`: the options, the bar, and what is done with the result."""

import argparse
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from durak.bots.arena import plot
from durak.bots.arena.contestants import check_start, entrants
from durak.bots.arena.deals import Arena, play_deals, record_path
from durak.bots.arena.errors import ArenaError
from durak.bots.arena.outcome import DealOutcome
from durak.bots.arena.report import Report, dump, text_of, write_csv
from durak.bots.arena.schedule import number_of_games
from durak.bots.bot import BOTS, LEVELS, BadBudget, Budget, NoSuchBot
from durak.bots.drawing import FORMATS, DrawingError, figure
from durak.protocol.process.checkpoint import Checkpoint, CheckpointError
from durak.protocol.process.progress import progress
from durak.protocol.process.workers import WorkerLost
from durak.protocol.rules.ruleset import PRESETS, RULES_VERSION

MOST_BOTS = 50
INTERRUPTED = 130
MOST_GAMES_OF_A_DEAL = 5_000
PATIENCE_BUDGETS = 10
LEAST_PATIENCE_MS = 2_000.0

YARDSTICKS = [name for name in BOTS if name not in LEVELS and not name.startswith("hard-")]
PARTLY = [name for name in BOTS if name.startswith("hard-")]

EPILOG = f"""\
a bot is
  {", ".join(LEVELS)}     a level that is offered at tables
  {", ".join(YARDSTICKS)}
                         a yardstick: mcts makes 1,000 random playouts a move, flat searches 4 ms, cheat sees all cards
  {", ".join(PARTLY[:3])},
  {", ".join(PARTLY[3:])}
                         hard without one of its parts
  module:Class           a class of yours with choose(view, memory, rng, budget), also from the current directory
  cmd:'./mybot --fast'   a program that reads and writes lines of JSON
  account:'./mybot {{url}} {{table}}'
                         a program that connects to a server (its token: DURAK_TOKEN), here to the arena
  NAME=…                 any of these, under another name
docs/your-bot.md has an example of each.

Every deal is played with every rotation of the seats, so the luck of the cards falls on all alike. With as many bots as
seats, all sit together; with more, every choice of them does; with fewer, each plays alone against a table full of each other
("the durak rate of one against three"). Only seats whose bot is alone of its kind count for its score: 1 not durak, 0 durak, a
draw what is fair (1/2 in two). Intervals are 95 %, clustered by deal. OpenSkill ratings follow from the order of going out.

A bot that crashes, hangs, or answers what is no legal action forfeits the decision: it is made as for a seat whose turn clock
has run out, and counted. Record and table say why.

  durak arena normal easy                                        the first result, in seconds
  durak arena normal easy greedy cheap --players 4 --deals 1000 --jobs 2 --plot arena.png
  durak arena normal mine=mybot:MyBot --deals 400 --records games
  durak arena normal cmd:./mybot --budget-ms 50 --deals 2000 --resume arena.jsonl    may be stopped; the same command goes on

The same seed gives the same games, whatever --jobs, as long as the bots think by nodes and not by time.

exit status: 0 played; 1 it could not be, with the reason on one line; 2 bad usage; 130 Ctrl-C. What was played until then is shown.
"""


class Interruption(NamedTuple):
    """Why not everything was played, and the exit status for it."""

    reason: str
    status: int


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EPILOG
    parser.add_argument("bots", metavar="BOT", nargs="+", help="two or more bots")
    parser.add_argument("--players", metavar="N", type=int, default=2, help="seats of a table, 2 to 6 (default: %(default)s)")
    parser.add_argument("--preset", choices=sorted(PRESETS), default="classic", help="the rules (default: %(default)s)")
    parser.add_argument("--deals", metavar="N", type=int, default=100, help="different deals (default: %(default)s)")
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="of the cards and all chance (default: %(default)s)")
    parser.add_argument("--jobs", metavar="N", type=int, default=1, help="processes at the same time (default: %(default)s)")
    parser.add_argument("--budget-ms", metavar="MS", type=float, help="time for each decision (default: as each bot likes)")
    parser.add_argument("--budget-nodes", metavar="N", type=int, help="nodes for each decision; reproducible on any machine")
    parser.add_argument(
        "--patience-ms",
        metavar="MS",
        type=float,
        help=f"after which a bot from outside hangs (default: {PATIENCE_BUDGETS} budgets, at least {LEAST_PATIENCE_MS:.0f})",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--csv", metavar="FILE", type=Path, help="write a row for each seat of each game")
    parser.add_argument(
        "--plot", metavar="FILE", type=Path, action="append", default=[], help="draw a .png or .svg; may be repeated"
    )
    parser.add_argument("--records", metavar="DIR", type=Path, help="write the record of each game into this directory")
    parser.add_argument("--resume", metavar="FILE", type=Path, help="keep each deal in this file, and go on from there")


def run(args: argparse.Namespace) -> int:
    """Play, print and draw; 0, or 1 if the arena cannot be held or loses a process, or 130 if it was interrupted."""
    arena = _arena(args)
    try:
        _look_ahead(args)
        for bot in arena.bots:
            check_start(bot, arena.patience_ms)
        with ExitStack() as open_files:
            checkpoint = None if args.resume is None else open_files.enter_context(_checkpoint(args.resume, arena))
            finished = {} if checkpoint is None else checkpoint.pieces
            before = {deal: outcome for deal, outcome in finished.items() if deal < args.deals}
            if args.records is not None and before and not record_path(args.records, min(before), 0).exists():
                _note(f"{len(before)} deals were played before, and have no records")
            outcomes, interruption = _play(arena, args, before, checkpoint)
        if interruption is not None:
            where = "" if checkpoint is None else f"; they are kept in {args.resume}, and the same command goes on"
            _note(f"{interruption.reason} after {len(outcomes)} of {args.deals} deals{where}")
        if outcomes:
            _tell(Report.of(arena, args.deals, outcomes), args)
    except (ArenaError, CheckpointError, DrawingError) as error:
        print(f"durak arena: {error}", file=sys.stderr)
        return 1
    return 0 if interruption is None else interruption.status


def _checkpoint(path: Path, arena: Arena) -> Checkpoint[DealOutcome]:
    return Checkpoint(path, "arena", arena, DealOutcome, lambda outcome: outcome.deal, rules_version=RULES_VERSION)


def _arena(args: argparse.Namespace) -> Arena:
    """What is to be played; what cannot be is refused."""
    for name, value, low, high in (
        ("players", args.players, 2, PRESETS[args.preset].max_players),
        ("deals", args.deals, 1, 1_000_000),
        ("jobs", args.jobs, 1, 256),
        ("patience-ms", args.patience_ms, 1, 86_400_000),
    ):
        if value is not None and not low <= value <= high:
            args.usage_error(f"argument --{name}: choose {low} to {high}")
    for path in args.plot:
        if path.suffix not in FORMATS:
            args.usage_error(f"argument --plot: {path} ends neither in .png nor in .svg")
    try:
        bots = entrants(args.bots)
        Budget(args.budget_ms, args.budget_nodes)
    except (NoSuchBot, BadBudget, ArenaError) as error:
        args.usage_error(str(error))
    if len(bots) > MOST_BOTS or number_of_games(len(bots), args.players) > MOST_GAMES_OF_A_DEAL:
        args.usage_error(f"so many bots would play more than {MOST_GAMES_OF_A_DEAL} games a deal [too_many_games]")
    patience_ms = args.patience_ms or max(LEAST_PATIENCE_MS, PATIENCE_BUDGETS * (args.budget_ms or 0))
    return Arena(bots, args.players, args.preset, args.seed, args.budget_ms, args.budget_nodes, patience_ms)


def _look_ahead(args: argparse.Namespace) -> None:
    """Find out before anything is played what could not be written at the end. Raises `ArenaError`, `DrawingError`."""
    if args.plot:
        figure()
    for path in [*args.plot, args.csv, args.resume]:
        if path is not None and not path.parent.is_dir():
            raise ArenaError("no_directory", f"there is no directory {path.parent} for {path.name}")
    if args.records is not None:
        try:
            args.records.mkdir(parents=True, exist_ok=True)
        except FileExistsError:
            raise ArenaError("no_directory", f"{args.records} is no directory") from None


def _play(
    arena: Arena, args: argparse.Namespace, before: dict[int, DealOutcome], checkpoint: Checkpoint[DealOutcome] | None
) -> tuple[list[DealOutcome], Interruption | None]:
    """The outcomes of the deals, in order, and why they are not all."""
    outcomes = dict(before)
    missing = [deal for deal in range(args.deals) if deal not in before]
    games = number_of_games(len(arena.bots), arena.players)
    interruption = None
    began = time.monotonic()
    try:
        for outcome in play_deals(arena, missing, jobs=args.jobs, records=args.records):
            if checkpoint is not None:
                checkpoint.add(outcome)
            outcomes[outcome.deal] = outcome
            left_s = (time.monotonic() - began) / (len(outcomes) - len(before)) * (args.deals - len(outcomes))
            progress(
                f"{len(outcomes)}/{args.deals} deals, {games * len(outcomes):,} games, {left_s / 60:.0f} min left",
                len(outcomes) / args.deals,
            )
    except KeyboardInterrupt:
        interruption = Interruption("interrupted", INTERRUPTED)
    except WorkerLost as lost:
        interruption = Interruption(f"{lost}", 1)
    finally:
        progress("")
    return [outcomes[deal] for deal in sorted(outcomes)], interruption


def _tell(report: Report, args: argparse.Namespace) -> None:
    """Print the result, and then write the files, so that a full disk loses nothing of it. Raises `DrawingError`, `OSError`."""
    print(dump(report) if args.json else text_of(report), flush=True)
    if args.csv is not None:
        with args.csv.open("w", newline="") as file:
            write_csv(report, file)
    paths: Sequence[Path] = args.plot
    for path in paths:
        plot.draw(report, path)


def _note(text: str) -> None:
    print(f"durak arena: {text}", file=sys.stderr)
