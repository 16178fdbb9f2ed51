"""One line of progress on a terminal; nothing where output is piped."""

import sys

WIDTH = 24


def progress(text: str, share: float | None = None) -> None:
    """Replace the line, with a bar for the share that is done; an empty text clears it."""
    if sys.stderr.isatty():
        filled = 0 if share is None else round(min(1.0, share) * WIDTH)
        bar = "" if share is None else f"[{'#' * filled}{'.' * (WIDTH - filled)}] "
        print(f"\r\x1b[K{bar}{text}", end="", file=sys.stderr, flush=True)
