"""The file in which a long command keeps its progress: a first line that says what is done, then a line for each piece of it.

Lines are only added, each whole or, when the process was killed, cut off; such a line is dropped, and its piece is done again.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, Final, Generic, Self, TypeVar

import msgspec

from durak.protocol import __version__

FORMAT: Final = 1
Piece = TypeVar("Piece", bound=msgspec.Struct)


class CheckpointError(Exception):
    """The file cannot be used: `code` is resume_foreign (no such file of ours), resume_version or resume_differs."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(f"{text} [{code}]")
        self.code = code


class Checkpoint(Generic[Piece]):
    """An open file of progress; `pieces` holds what was done before, by the number that `numbered` gives.

    `what` is arena or analysis; `settings`: two runs that are equal here, and in `rules_version`, do the same. Raises
    `CheckpointError`, and then the file is untouched.
    """

    def __init__(
        self,
        path: Path,
        what: str,
        settings: msgspec.Struct,
        kind: type[Piece],
        numbered: Callable[[Piece], int],
        *,
        rules_version: str,
    ) -> None:
        self.pieces: dict[int, Piece] = {}
        self._path = path
        self._what = what
        self._numbered = numbered
        self._versions: dict[str, Any] = {f"{what}_format": FORMAT, "durak": __version__, "rules": rules_version}
        whole = self._read(settings, kind) if path.exists() else 0
        self._file: IO[bytes] = path.open("r+b" if path.exists() else "xb")
        self._file.truncate(whole)
        self._file.seek(whole)
        if not whole:
            self._add(self._versions | {what: settings})

    def add(self, piece: Piece) -> None:
        """Keep a piece."""
        self.pieces[self._numbered(piece)] = piece
        self._add(piece)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()

    def _add(self, line: object) -> None:
        self._file.write(msgspec.json.encode(line) + b"\n")
        self._file.flush()

    def _read(self, settings: msgspec.Struct, kind: type[Piece]) -> int:
        """Read the pieces, and return how many bytes of the file are whole lines."""
        content = self._path.read_bytes()
        whole = content.rfind(b"\n") + 1
        if not whole and f'{{"{self._what}_format":'.encode().startswith(content[:16]):
            return 0  # empty, or killed while the first line was written
        first, *lines = content[:whole].splitlines() or [content]
        try:
            heading = msgspec.json.decode(first, type=dict[str, Any])
            self._check_versions(heading)
            self._check_same(msgspec.convert(heading.get(self._what), type(settings)), settings)
            for line in lines:
                piece = msgspec.json.decode(line, type=kind)
                self.pieces.setdefault(self._numbered(piece), piece)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            text = f"{self._path} holds no progress of an {self._what}: {error}; choose another file"
            raise CheckpointError("resume_foreign", text) from None
        return whole

    def _check_versions(self, its: dict[str, Any]) -> None:
        ours = self._versions
        if not ours.keys() <= its.keys():
            raise msgspec.ValidationError(f"the first line has no {', '.join(sorted(ours.keys() - its.keys()))}")
        for name, value in ours.items():
            if its[name] != value:
                text = f"was written by another version ({name.replace('_', ' ')} {its[name]}, this is {value})"
                raise CheckpointError("resume_version", f"{self._path} {text}; choose another file")

    def _check_same(self, its: msgspec.Struct, ours: msgspec.Struct) -> None:
        for name in ours.__struct_fields__:
            before, now = getattr(its, name), getattr(ours, name)
            if before != now:
                text = f"{self._path} is of another {self._what}: {name} {_shown(before)}, not {_shown(now)}; choose another file"
                raise CheckpointError("resume_differs", text)


def _shown(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
