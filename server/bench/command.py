"""`durak bench`: what is measured, and how it is printed."""

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

from durak.bots.bot import LEVELS
from durak.bots.host.workers import MOST_THINK_MS, MOST_WORKERS, THINK_MS
from durak.server.bench import bots, engine, growth, recovery, report, server, stages
from durak.server.bench.processes import BenchError

EPILOG = """\
what is measured:
  engine    random games of the rules kernel, uniform over all legal (seat, action) pairs
  stages    CPU of one action inside the server, stage by stage, without sockets
  server    a running server under simulated people on real sockets, open-loop: latencies counted from the moment an action was
            due, CPU of an action by thread, memory of a connection, the disk's own fsync; and a bare fan-out of the same bytes
  bots      a server with tables full of bots that think on every core: what people at other tables notice of it, how deeply the
            bots think, and whether any is late
  growth    how the server's cost grows with tables, with spectators at one table, with idle connections (several minutes)
  recovery  a restart with many running tables

  durak bench server                                           500 tables of four, an action every two seconds from each person
  durak bench server --tables 1250 --seconds 60 --plot load.svg
  durak bench bots --tables 200 --level hard --seconds 30
  durak bench server --tables 100 --idle 3000 --synchronous NORMAL --json

The server gets a core of its own where there are several; with bots all share all. Machines differ and are busy: trust the ratios,
and run it twice. When the load comes later than it should, the run says that it is void, and the exit status is 1; with bots, when
a decision was not theirs.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EPILOG
    parser.add_argument("what", choices=["engine", "stages", "server", "bots", "growth", "recovery"], help="what to measure")
    parser.add_argument("--seconds", type=float, default=10.0, help="length of each measurement (default 10)")
    parser.add_argument("--tables", type=int, default=None, help="tables (default 500; for recovery 1000, for bots 200)")
    parser.add_argument("--seats", type=int, default=4, help="server, bots: people or bots at each table (default 4)")
    parser.add_argument("--rate", type=float, default=None, help="actions a second of each person (server: 0.5, growth: 0.2)")
    parser.add_argument("--spectators", type=int, default=0, help="server: spectators at one of the tables (default 0)")
    parser.add_argument("--idle", type=int, default=0, help="server: connections that do nothing (default 0)")
    parser.add_argument(
        "--processes", type=int, default=None, help="server, growth: processes of the load (default: one a core, at least 2)"
    )
    parser.add_argument("--level", choices=LEVELS, default="hard", help="bots: their level (default hard)")
    parser.add_argument("--workers", type=int, default=None, help="bots: processes that think (default one a core)")
    parser.add_argument("--think-ms", type=float, default=THINK_MS, help="bots: as of durak bots (default %(default).0f)")
    parser.add_argument("--synchronous", choices=["FULL", "NORMAL"], default="FULL", help="server, growth: as of durak serve")
    parser.add_argument("--plot", type=Path, default=None, help="server, growth: draw it into this .svg or .png")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Measure and print."""
    try:
        check(args)
        return measure(args)
    except BenchError as error:
        print(f"durak bench: {error}", file=sys.stderr)
        return 1


def check(args: argparse.Namespace) -> None:
    """Refuse what can't be measured."""
    for name, value, low, high in (
        ("seconds", args.seconds, 0.1, 3_600),
        ("tables", args.tables, 1, 100_000),
        ("seats", args.seats, 2, 6),
        ("rate", args.rate, 0.001, 1_000),
        ("spectators", args.spectators, 0, 100_000),
        ("idle", args.idle, 0, 1_000_000),
        ("processes", args.processes, 1, 256),
        ("workers", args.workers, 1, MOST_WORKERS),
        ("think-ms", args.think_ms, 1, MOST_THINK_MS),
    ):
        if value is not None and not low <= value <= high:
            args.usage_error(f"argument --{name}: choose {low} to {high}")
    if args.plot is not None and args.what in ("server", "growth"):
        report.panels(1)  # say that matplotlib is missing before minutes are spent


def measure(args: argparse.Namespace) -> int:
    """Measure, print, draw; the exit status."""
    processes = args.processes or max(2, (os.cpu_count() or 2) - 1)
    match args.what:
        case "server":
            tables = args.tables or 500
            result = server.measure(
                tables=tables,
                seats=args.seats,
                rate=args.rate or 0.5,
                seconds=args.seconds,
                processes=min(processes, tables),
                spectators=args.spectators,
                idle=args.idle,
                synchronous=args.synchronous,
            )
            print(json.dumps(result, indent=1) if args.json else report.text_of(result), flush=True)
            if args.plot is not None:
                report.plot(result, args.plot)
            return 1 if result["void"] else 0
        case "bots":
            played = bots.measure(
                tables=args.tables or 200,
                seats=args.seats,
                level=args.level,
                workers=args.workers,
                think_ms=args.think_ms,
                seconds=args.seconds,
            )
            print(json.dumps(played, indent=1) if args.json else bots.text_of(played), flush=True)
            return 1 if played["broken"] or played["without"] else 0
        case "growth":
            series = growth.measure(rate=args.rate or 0.2, seconds=args.seconds, processes=processes, synchronous=args.synchronous)
            print(json.dumps(series, indent=1) if args.json else growth.text_of(series), flush=True)
            if args.plot is not None:
                report.plot_growth(series, args.plot)
            return 0
        case "engine":
            other = engine.measure(args.seconds)
        case "stages":
            other = stages.measure(args.seconds)
        case _:
            other = recovery.measure(args.tables or 1_000)
    print(json.dumps(other, indent=1) if args.json else table_of(other), flush=True)
    return 0


def table_of(result: dict[str, Any], indent: str = "") -> str:
    """The numbers as aligned lines."""
    lines = []
    width = max(len(str(key)) for key in result)
    for key, value in result.items():
        if isinstance(value, dict):
            lines += [f"{indent}{key}", table_of(value, indent + "  ")]
        else:
            shown = (
                f"{value:,.2f}"
                if isinstance(value, float) and abs(value) < 100
                else f"{value:,.0f}"
                if isinstance(value, float)
                else str(value)
            )
            lines.append(f"{indent}{str(key).ljust(width)}  {shown}")
    return "\n".join(lines)
