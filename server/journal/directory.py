"""The data directory: where it is, that it can be written, and that one process at a time uses it."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from durak.server.journal.contract import JournalError

LOCK = "durak.lock"


def default_directory() -> Path:
    """Where the data lives unless told otherwise: $DURAK_DATA, else `durak` in the user's XDG data directory."""
    if chosen := os.environ.get("DURAK_DATA"):
        return Path(chosen)
    try:
        return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "durak"
    except RuntimeError:  # a user without a home, as in a container
        return Path("durak-data")


def unwritable(path: Path, error: OSError) -> JournalError:
    """The refusal for a path that the system does not let us write."""
    what = f"{path} cannot be written: {error.strerror or error}"
    return JournalError("data_unwritable", what, "Make it writable for this user, or choose another place")


def sync_directory(directory: Path) -> None:
    """Make names that were added to or removed from a directory durable."""
    handle = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


class DirectoryLock:
    """Exclusive use of a data directory, which is made if need be, until `release` or the end of the process.

    The lock is the kernel's (flock), so a killed process leaves none behind; the file's content only names its holder.
    A forked child would keep it: start children with exec.
    """

    def __init__(self, directory: Path) -> None:
        """Take the lock. Raises `JournalError`: data_in_use, data_unwritable."""
        path = directory / LOCK
        try:
            _make(directory)
            self._handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise unwritable(directory, error) from error
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.ftruncate(self._handle, 0)
            os.pwrite(self._handle, str(os.getpid()).encode(), 0)
        except BlockingIOError:
            holder = os.pread(self._handle, 20, 0).decode(errors="replace") or "unknown"
            os.close(self._handle)
            what = f"{directory} is used by another server, process {holder}"
            raise JournalError("data_in_use", what, "Stop that one, or choose another directory") from None
        except OSError as error:
            os.close(self._handle)
            raise unwritable(path, error) from error

    def release(self) -> None:
        """Give the directory up; again changes nothing."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1


def _make(directory: Path) -> None:
    """Make the directory, for its user only (it will hold the signing key), and durably."""
    if not directory.exists():
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        sync_directory(directory.parent)
