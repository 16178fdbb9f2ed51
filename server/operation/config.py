"""`durak config check`: what `durak serve` would run with, and where each value comes from."""

import argparse
import os
import sys

from durak.server.operation import settings
from durak.server.operation.settings import ConfigError, choose


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options: those of `durak serve`."""
    parser.add_argument("what", choices=["check"], help="print every setting with its source, or what is wrong")
    settings.add_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Print the settings; exit status 1 with one line if they can't be used."""
    try:
        chosen = choose(args, os.environ)
    except ConfigError as error:
        print(f"durak config: {error}", file=sys.stderr)
        return 1
    name = max(len(one.setting.name) for one in chosen)
    value = max(len(one.shown) for one in chosen)
    for one in chosen:
        print(f"{one.setting.name:{name}}  {one.shown:{value}}  {one.source}")
    return 0
