"""`durak analyse`: the options, the bar, and what is done with the result."""

import argparse
import json
import os
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from durak.bots.analysis import plot
from durak.bots.analysis.analysis import Analysis, Settings, analyse, json_of, record_of
from durak.bots.analysis.decision import Decision
from durak.bots.analysis.errors import AnalysisError
from durak.bots.analysis.moments import moments_of
from durak.bots.analysis.telling import Teller
from durak.bots.bot import BadBudget, Budget
from durak.bots.drawing import FORMATS, DrawingError, figure
from durak.clients.words.language import language
from durak.clients.words.layout import speaks_suits, terminal_width
from durak.clients.words.speech import Speech
from durak.protocol.process.checkpoint import Checkpoint, CheckpointError
from durak.protocol.process.progress import progress
from durak.protocol.process.workers import WorkerLost
from durak.protocol.rules.record import Record, replay
from durak.protocol.rules.ruleset import RULES_VERSION

DEFAULT_MS: Final = 200.0
INTERRUPTED: Final = 130
LARGEST_RECORD: Final = 16 * 1024 * 1024
STANDARD_INPUT: Final = "-"

EPILOG = """\
GAME is the record of a game, as 'durak arena --records DIR' writes it; - reads it from standard input. A game that is not over is
judged as far as it goes.

For each decision: what was done, what Hard would do, and the chance of not being the durak with either. A player is judged by what
it could know at that moment, never by cards that were hidden from it; the two moves are played on from the same deals of the hidden
cards. What cost 5 points of 100 or more, and is no accident of these deals, is a slip, from 10 a mistake, from 20 a blunder, each
with the line that shows why. When two players are left and the stock is empty, the ending is solved, and the chances are exact.

  durak arena hard normal --deals 1 --records games              two games to look at
  durak analyse games/deal000000-game000.jsonl
  durak analyse GAME --seat normal --plot chances.png            one player's decisions, told to "you", and a plot
  durak analyse GAME --budget-ms 2000 --jobs 2 --resume kept     look closely; may be stopped, the same command goes on
  durak analyse GAME --budget-nodes 100000 --json                for programs; the same result on any machine

docs/analysis.md says how the chances are made, and what is in the JSON.

exit status: 0 judged; 1 it could not be, with the reason on one line; 2 bad usage; 130 Ctrl-C. What was judged until then is shown.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EPILOG
    parser.add_argument("game", metavar="GAME", help="the record of a game, or - for standard input")
    parser.add_argument("--seat", metavar="SEAT", help="judge this player alone: a name of the record, or a seat, from 0")
    parser.add_argument(
        "--budget-ms", metavar="MS", type=float, help=f"time for each decision (default: {DEFAULT_MS:g}); a doubt costs more"
    )
    parser.add_argument("--budget-nodes", metavar="N", type=int, help="nodes for each decision; reproducible on any machine")
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="of all chance (default: %(default)s)")
    parser.add_argument("--jobs", metavar="N", type=int, default=1, help="processes at the same time (default: %(default)s)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--plot", metavar="FILE", type=Path, action="append", default=[], help="draw a .png or .svg; may be repeated"
    )
    parser.add_argument("--resume", metavar="FILE", type=Path, help="keep each decision in this file, and go on from there")
    parser.add_argument("--ascii", action="store_true", help="cards as 10d; by itself where the terminal has no UTF-8")


def run(args: argparse.Namespace) -> int:
    """Judge, print and draw; 0, or 1 if the game cannot be judged or a process is lost, or 130 if it was interrupted."""
    budget = _budget(args)
    try:
        _look_ahead(args)
        record = record_of(_read(args.game))
        seat = None if args.seat is None else _seat(record, args.seat)
        with ExitStack() as open_files:
            checkpoint = None
            settings = Settings.of(record, budget, args.seed)
            if args.resume is not None:
                file = Checkpoint(args.resume, "analysis", settings, Decision, lambda one: one.number, rules_version=RULES_VERSION)
                checkpoint = open_files.enter_context(file)
            analysis, trouble = _judge(record, settings, budget, seat, checkpoint, args)
        if trouble is not None:
            where = "" if checkpoint is None else f"; they are kept in {args.resume}, and the same command goes on"
            reason = str(trouble) or "interrupted"
            _note(f"{reason} after {len(analysis.decisions)} of {analysis.asked} decisions{where}")
        if analysis.decisions:
            _tell(analysis, seat, args)
    except (AnalysisError, CheckpointError, DrawingError) as error:
        _note(str(error))
        return 1
    return 0 if trouble is None else INTERRUPTED if isinstance(trouble, KeyboardInterrupt) else 1


def _budget(args: argparse.Namespace) -> Budget:
    """What each decision may cost; what cannot be asked for is refused."""
    if not 1 <= args.jobs <= 256:
        args.usage_error("argument --jobs: choose 1 to 256")
    for path in args.plot:
        if path.suffix not in FORMATS:
            args.usage_error(f"argument --plot: {path} ends neither in .png nor in .svg")
    try:
        by_default = args.budget_ms is None and args.budget_nodes is None
        return Budget(DEFAULT_MS if by_default else args.budget_ms, args.budget_nodes)
    except BadBudget as error:
        args.usage_error(str(error))
        raise AssertionError("a usage error ends the process") from None


def _look_ahead(args: argparse.Namespace) -> None:
    """Find out before anything is judged what could not be written at the end. Raises `AnalysisError`, `DrawingError`."""
    if args.plot:
        figure()
    for path in [*args.plot, args.resume]:
        if path is not None and not path.parent.is_dir():
            raise AnalysisError("no_directory", f"there is no directory {path.parent} for {path.name}")


def _read(game: str) -> str:
    """The text of the record. Raises `AnalysisError` no_file or bad_record."""
    try:
        if game == STANDARD_INPUT:
            content = sys.stdin.buffer.read(LARGEST_RECORD + 1)
        else:
            with Path(game).open("rb") as file:
                content = file.read(LARGEST_RECORD + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise AnalysisError("no_file", f"{game} cannot be read: {reason}") from None
    if len(content) > LARGEST_RECORD:
        raise AnalysisError("bad_record", f"{game} is too large for the record of a game")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise AnalysisError("bad_record", f"{game} is no text, but a record of a game is JSON lines") from None


def _seat(record: Record, wish: str) -> int:
    """The seat of this name or number. Raises `AnalysisError` no_such_seat."""
    names = record.deal.names or []
    if names.count(wish) == 1:
        return names.index(wish)
    if wish.isascii() and wish.isdigit() and len(wish) == 1 and int(wish) < record.deal.players:
        return int(wish)
    seats = ", ".join(f"{seat} {name}" for seat, name in enumerate(names)) or f"0 to {record.deal.players - 1}"
    why = "several seats have the name" if wish in names else "there is no seat"
    raise AnalysisError("no_such_seat", f"{why} {wish!r}; there are {seats}")


def _judge(
    record: Record,
    settings: Settings,
    budget: Budget,
    seat: int | None,
    checkpoint: Checkpoint[Decision] | None,
    args: argparse.Namespace,
) -> tuple[Analysis, KeyboardInterrupt | WorkerLost | None]:
    """What was judged, and why it is not all. Raises `AnalysisError` nothing_to_judge."""
    seats = list(range(record.deal.players)) if seat is None else [seat]
    numbers = [moment.number for moment in moments_of(record) if moment.seat in seats]
    if not numbers:
        raise AnalysisError(
            "nothing_to_judge", "nobody has decided anything in this game" if seat is None else "this seat has decided nothing"
        )
    pieces = {} if checkpoint is None else checkpoint.pieces
    judged = {number: pieces[number] for number in numbers if number in pieces}
    before = len(judged)
    trouble: KeyboardInterrupt | WorkerLost | None = None
    began = time.monotonic()
    try:
        progress(f"{before}/{len(numbers)} decisions", before / len(numbers))
        for decision in analyse(record, budget, seed=args.seed, seats=seats, done=set(judged), jobs=args.jobs):
            if checkpoint is not None:
                checkpoint.add(decision)
            judged[decision.number] = decision
            left_s = (time.monotonic() - began) / (len(judged) - before) * (len(numbers) - len(judged))
            progress(f"{len(judged)}/{len(numbers)} decisions, {left_s:.0f} s left", len(judged) / len(numbers))
    except (KeyboardInterrupt, WorkerLost) as stopped:
        trouble = stopped
    finally:
        progress("")
    decisions = [judged[number] for number in sorted(judged)]
    return Analysis(record, settings, seats, len(numbers), decisions, replay(record).result), trouble


def _tell(analysis: Analysis, seat: int | None, args: argparse.Namespace) -> None:
    """Print the result, and then draw, so that a full disk loses nothing of it. Raises `DrawingError`, `OSError`."""
    if args.json:
        print(json.dumps(json_of(analysis), indent=1), flush=True)
    else:
        terminal = sys.stdout.isatty()
        speech = Speech(language("en", "analysis"), ascii=args.ascii or not speaks_suits(sys.stdout, dict(os.environ)))
        colours = terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        print(Teller(analysis, speech, you=seat, width=terminal_width() if terminal else None, colours=colours).text(), flush=True)
    paths: list[Path] = args.plot
    for path in paths:
        plot.draw(analysis, path)


def _note(text: str) -> None:
    print(f"durak analyse: {text}", file=sys.stderr)
