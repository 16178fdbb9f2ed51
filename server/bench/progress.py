"""One line of progress on a terminal; nothing where output is piped."""

import sys


def progress(text: str) -> None:
    """Replace the line; an empty text clears it."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
