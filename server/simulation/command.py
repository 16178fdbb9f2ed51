"""`durak simulate`: many seeds, one after the other or in several processes; or one seed again, with its trace."""

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

from durak.protocol.process.progress import progress
from durak.protocol.process.workers import WorkerLost, worked
from durak.server.simulation.planted import PLANTS, SOUND
from durak.server.simulation.world import Outcome, World, free_memory

COLLECT_EVERY = 20
"""Seeds between two collections of garbage."""
SAVE_EVERY_S = 2.0
BAR = 30

EPILOG = """\
Each seed is a small world in virtual time: the real tables, gateway, session, desk and client link; simulated people who play,
blunder, leave and come back, bots, a network that loses and delays, a disk that is slow or fails, a server that stalls and is
killed. After every step it is checked that no card is lost or shown to the wrong player, that nothing acknowledged is lost or
played twice, that every journal replays to the live table, that no clock is charged for an outage, and that every game ends.

  durak simulate                               200 seeds
  durak simulate --seeds 10000 --jobs 2 --resume sim.json      may be stopped at any time; the same command goes on
  durak simulate --seed 4711 --trace           the whole story of one seed; the same trace hash every time

On a violation it prints the seed and the last lines of its trace, and the exit status is 1.
"""


class State(msgspec.Struct):
    """What is kept between two runs: every seed before `next_seed` is done."""

    first: int
    next_seed: int
    seconds: float = 0.0
    seen: dict[str, int] = {}
    failed: list[int] = []


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EPILOG
    parser.add_argument("--seeds", metavar="N", type=int, default=200, help="how many seeds (default: %(default)s)")
    parser.add_argument("--first", metavar="N", type=int, default=1, help="the first of them (default: %(default)s)")
    parser.add_argument("--jobs", metavar="N", type=int, default=1, help="processes at the same time (default: %(default)s)")
    parser.add_argument("--resume", metavar="FILE", type=Path, help="keep the progress in this file, and go on from there")
    parser.add_argument("--seed", metavar="N", type=int, help="run this seed alone and print its trace hash")
    parser.add_argument("--trace", action="store_true", help="with --seed: print all that happened")
    parser.add_argument("--plant", choices=sorted(PLANTS), help=argparse.SUPPRESS)


def run(args: argparse.Namespace) -> int:
    """Simulate; 0 if nothing was violated, else 1."""
    if args.seeds < 1 or args.first < 0:
        args.usage_error("argument --seeds: choose at least 1 seed, from 0 upwards")
    if not 1 <= args.jobs <= 256:
        args.usage_error("argument --jobs: choose 1 to 256")
    if args.trace and args.seed is None:
        args.usage_error("argument --trace: choose the seed with --seed")
    if args.seed is not None:
        return _one(args.seed, args.plant, trace=args.trace)
    try:
        state = _state(args.resume, args.first)
    except (msgspec.DecodeError, ValueError) as error:
        args.usage_error(f"argument --resume: {args.resume} cannot be used: {error}")
    return _many(state, args)


def _one(seed: int, plant: str | None, *, trace: bool) -> int:
    outcome = World(seed, keep_trace=trace, plant=PLANTS[plant] if plant else SOUND).run()
    if trace:
        print("\n".join(outcome.trace))
    elif outcome.violations:
        _show(outcome)
    print(f"seed {seed}: trace {outcome.trace_hash}, {outcome.virtual_s:.0f} virtual seconds, {_numbers(outcome.seen)}")
    print("\n".join(f"violation: {violation}" for violation in outcome.violations) or "no violation")
    return 1 if outcome.violations else 0


def _many(state: State, args: argparse.Namespace) -> int:
    end = state.first + args.seeds
    began, saved = time.monotonic(), time.monotonic()
    before_s = state.seconds
    failed = False
    try:
        for outcome in _outcomes(range(state.next_seed, end), args.jobs, args.plant):
            state.seconds = before_s + time.monotonic() - began
            for what, count in outcome.seen.items():
                state.seen[what] = state.seen.get(what, 0) + count
            if outcome.violations:
                failed = True
                state.failed.append(outcome.seed)
                progress("")
                _show(outcome)
                break
            state.next_seed = outcome.seed + 1
            progress(_bar(state, end))
            if args.resume is not None and time.monotonic() - saved > SAVE_EVERY_S:
                saved = time.monotonic()
                _save(args.resume, state)
    except WorkerLost as lost:
        failed = True
        progress("")
        print(f"durak simulate: {lost}", file=sys.stderr)
    finally:
        progress("")
        if args.resume is not None:
            _save(args.resume, state)
    done = state.next_seed - state.first
    seeds = f"{done} seeds ({state.first} to {state.next_seed - 1})"
    print(f"{seeds} without a violation in {state.seconds:.0f} s: {_numbers(state.seen)}")
    return 1 if failed else 0


def _outcomes(seeds: range, jobs: int, plant: str | None) -> Iterator[Outcome]:
    """The outcomes in the order of the seeds."""
    if jobs == 1:
        for seed in seeds:
            yield _outcome((seed, plant))
        return
    yield from worked(_outcome, ((seed, plant) for seed in seeds), jobs=jobs)


def _outcome(work: tuple[int, str | None]) -> Outcome:
    seed, plant = work
    outcome = World(seed, plant=PLANTS[plant] if plant else SOUND).run()
    if seed % COLLECT_EVERY == 0:
        free_memory()
    return outcome


# ---------------------------------------------------------------- what is printed and kept


def _show(outcome: Outcome) -> None:
    print(f"seed {outcome.seed} violates what must hold:")
    print("\n".join(f"  {violation}" for violation in outcome.violations[:3]))
    print("the last that happened, in virtual seconds:")
    print("\n".join(outcome.trace))
    print(f"again: durak simulate --seed {outcome.seed} --trace   (trace {outcome.trace_hash})")


def _bar(state: State, end: int) -> str:
    done, all_seeds = state.next_seed - state.first, end - state.first
    filled = BAR * done // all_seeds
    left_s = state.seconds / done * (all_seeds - done)
    bar = "#" * filled + "." * (BAR - filled)
    return f"[{bar}] {done}/{all_seeds} seeds, {state.seen.get('games', 0):,} games, {left_s / 60:.0f} min left"


def _numbers(seen: dict[str, int]) -> str:
    return ", ".join(f"{seen.get(what, 0):,} {name}" for what, name in NAMES.items())


NAMES = {
    "tables": "tables",
    "games": "games",
    "actions": "actions",
    "commands": "commands",
    "repeated commands": "repeated",
    "lives": "server starts",
    "crash": "kills",
    "failed appends": "failed appends",
    "lose": "lost connections",
    "fall silent": "silent connections",
    "second tab": "second tabs",
}


def _state(path: Path | None, first: int) -> State:
    if path is None or not path.exists():
        return State(first, first)
    state = msgspec.json.decode(path.read_bytes(), type=State)
    if state.first != first:
        raise ValueError(f"it began at seed {state.first}, not at {first}")
    return state


def _save(path: Path, state: State) -> None:
    fresh = path.with_name(f"{path.name}.new")
    fresh.write_bytes(msgspec.json.encode(state))
    fresh.replace(path)
