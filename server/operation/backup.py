"""`durak backup` and `durak restore`: a server's games into one file, also while it runs, and back."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from durak.server.journal.contract import JournalError
from durak.server.journal.database import COMPANIONS, DATABASE, UNFINISHED, copy
from durak.server.journal.directory import LOCK, DirectoryLock, default_directory, sync_directory, unwritable


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command that `parser` is for."""
    restoring = parser.get_default("command") == "restore"
    parser.add_argument(
        "file", metavar="FILE", type=Path, help="a file that 'durak backup' made" if restoring else "where to put the copy"
    )
    parser.add_argument(
        "--data", metavar="DIR", type=Path, default=default_directory(), help="the server's data directory (default: %(default)s)"
    )
    force = "restore over existing games, which are kept aside" if restoring else "overwrite FILE"
    parser.add_argument("--force", action="store_true", help=force)


def run(args: argparse.Namespace) -> int:
    """Back up or restore, and say so in one line."""
    work = restore if args.command == "restore" else backup
    try:
        print(work(args.data, args.file, force=args.force))
    except JournalError as error:
        print(f"durak {args.command}: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"durak {args.command}: {unwritable(Path(error.filename or args.file), error)}", file=sys.stderr)
        return 1
    return 0


def backup(directory: Path, file: Path, *, force: bool = False) -> str:
    """Copy the database of a directory into one file, verified, and tell what was copied. Raises `JournalError`, `OSError`."""
    database = directory / DATABASE
    if not database.is_file():
        raise JournalError("data_missing", f"there is no {database}", "Name the server's data directory with --data")
    if _is_ours(directory, file):
        raise JournalError("backup_exists", f"{file} belongs to the server itself", "Give another name")
    if file.exists() and not (force and file.is_file()):
        raise JournalError("backup_exists", f"{file} is there already", "Give another name, or --force to overwrite it")
    partial = file.with_name(f".{file.name}.{os.getpid()}.partial")
    copied = _copy("backing up", database, "rw", partial)
    os.rename(partial, file)
    sync_directory(file.absolute().parent)
    return f"{copied} copied from {directory} to {file}"


def restore(directory: Path, file: Path, *, force: bool = False) -> str:
    """Put the database of such a file into a directory, the old one aside. Raises `JournalError`, `OSError`."""
    if not file.is_file():
        raise JournalError("backup_missing", f"there is no file {file}", "Name a file that 'durak backup' made")
    if _is_ours(directory, file):
        raise JournalError("backup_missing", f"{file} is the database to be replaced", "Name a file that 'durak backup' made")
    lock = DirectoryLock(directory)
    try:
        held = sorted(path.name for path in directory.iterdir() if path.name not in (LOCK, UNFINISHED))
        if held and not force:
            what = f"{directory} is not empty: {', '.join(held[:3])}{', …' if held[3:] else ''}"
            raise JournalError("data_not_empty", what, "Choose another directory, or --force to put its games aside")
        unfinished = directory / UNFINISHED
        unfinished.unlink(missing_ok=True)
        copied = _copy("restoring", file, "ro", unfinished)
        aside = _put_aside(directory)
        os.rename(unfinished, directory / DATABASE)
        sync_directory(directory)
    finally:
        lock.release()
    return f"{copied} restored from {file} to {directory}{f'; the old database is {aside}' if aside else ''}"


def _is_ours(directory: Path, file: Path) -> bool:
    """True if the file is one that a server on this directory works with."""
    names = (LOCK, UNFINISHED, *(DATABASE + companion for companion in ("", *COMPANIONS)))
    return file.resolve() in {(directory / name).resolve() for name in names}


def _put_aside(directory: Path) -> Path | None:
    """Rename the database and its companions; gives the new name.

    The database goes first: were this interrupted, the others without it would be refused, and it without them would not.
    """
    if not any((directory / (DATABASE + companion)).exists() for companion in ("", *COMPANIONS)):
        return None
    stamp = time.strftime("%Y%m%d-%H%M%S")
    names = (f"{DATABASE}.{stamp}{f'-{count}' if count else ''}" for count in range(1000))
    aside = next(directory / name for name in names if not (directory / name).exists())
    for companion in ("", *COMPANIONS):
        old = directory / (DATABASE + companion)
        if old.exists():
            os.rename(old, f"{aside}{companion}")
    sync_directory(directory)
    return aside


def _copy(verb: str, source: Path, access: Literal["rw", "ro"], target: Path) -> str:
    """Copy a database with a progress bar on a terminal, and tell how much it was."""
    bar = _progress_bar(verb) if sys.stderr.isatty() else None
    try:
        tables, entries = copy(source, access, target, bar or (lambda done, pages: None))
    finally:
        if bar:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
    return f"{tables:,} tables with {entries:,} entries ({target.stat().st_size / 1e6:,.1f} MB)"


def _progress_bar(verb: str) -> Callable[[int, int], None]:
    """A bar that is redrawn for every whole percent."""
    drawn = -1

    def draw(done: int, pages: int) -> None:
        nonlocal drawn
        percent = 100 * done // max(pages, 1)
        if percent != drawn:
            drawn = percent
            print(f"\r{verb} [{'#' * (percent * 2 // 5):40}] {percent:3}%", end="", file=sys.stderr, flush=True)

    return draw
