"""`durak bench`: what is measured, and how it is printed."""

import argparse
import json
from typing import Any

from durak.server.bench import engine, recovery, server, stages

EPILOG = """\
what is measured:
  engine    random games of the rules kernel, uniform over all legal (seat, action) pairs
  stages    CPU of one action inside the server, stage by stage, without sockets
  server    CPU of one action of a running server, beside a bare fan-out of the same bytes
  recovery  a restart with many running tables

Machines differ and are busy: trust the ratios, and run it twice.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EPILOG
    parser.add_argument("what", choices=["engine", "stages", "server", "recovery"], help="what to measure")
    parser.add_argument("--seconds", type=float, default=10.0, help="length of each measurement (default 10)")
    parser.add_argument("--tables", type=int, default=None, help="tables (default 500; for recovery 1000)")
    parser.add_argument("--rate", type=float, default=2.0, help="server: actions a second at each table (default 2)")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Measure and print."""
    if not 0.1 <= args.seconds <= 3_600:
        args.usage_error("argument --seconds: choose 0.1 to 3600")
    if args.tables is not None and not 1 <= args.tables <= 100_000:
        args.usage_error("argument --tables: choose 1 to 100000")
    if not 0.01 <= args.rate <= 1_000:
        args.usage_error("argument --rate: choose 0.01 to 1000")
    match args.what:
        case "engine":
            result = engine.measure(args.seconds)
        case "stages":
            result = stages.measure(args.seconds)
        case "server":
            result = server.measure(args.tables or 500, args.rate, args.seconds)
        case _:
            result = recovery.measure(args.tables or 1_000)
    print(json.dumps(result, indent=1) if args.json else table_of(result), flush=True)
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
