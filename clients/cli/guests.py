"""The guests this user has been, so that a seat is found again: a file each in the state directory, for the user's eyes alone."""

import hashlib
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

import msgspec


class SavedGuest(msgspec.Struct, frozen=True):
    """A guest of a server. `asked` is the name that was asked for, `name` the one the server gave."""

    server: str
    asked: str
    name: str
    token: str


def state_folder(environment: Mapping[str, str]) -> Path:
    """Where a user's state lies by the XDG Base Directory Specification."""
    given = environment.get("XDG_STATE_HOME", "")
    base = Path(given) if given.startswith("/") else Path.home() / ".local" / "state"
    return base / "durak"


class Guests:
    """The guests remembered in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "guests"

    def find(self, server: str, asked: str | None) -> SavedGuest | None:
        """The guest of this name, without a name the one used last."""
        if asked is not None:
            return self._read(self._path(server, asked))
        try:
            paths = sorted(self._folder.glob("*.json"), key=lambda path: path.stat().st_mtime_ns, reverse=True)
        except OSError:
            return None
        return next((guest for path in paths if (guest := self._read(path)) is not None and guest.server == server), None)

    def keep(self, guest: SavedGuest) -> None:
        """Remember a guest as the one used last. Raises `OSError`."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(dir=self._folder)  # made with mode 0600
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(msgspec.json.encode(guest))
            os.replace(temporary, self._path(guest.server, guest.asked))
        except BaseException:
            os.unlink(temporary)
            raise

    def forget(self, guest: SavedGuest) -> None:
        """Remember this guest no longer."""
        self._path(guest.server, guest.asked).unlink(missing_ok=True)

    def _path(self, server: str, asked: str) -> Path:
        digest = hashlib.sha256(f"{server}\n{asked}".encode()).hexdigest()[:24]
        return self._folder / f"{digest}.json"

    @staticmethod
    def _read(path: Path) -> SavedGuest | None:
        try:
            return msgspec.json.decode(path.read_bytes(), type=SavedGuest)
        except (OSError, msgspec.DecodeError):
            return None
