"""Messages to frames and back, with the `msgpack` and `json` libraries.

The server encodes with msgspec; that the two agree makes every test across them a test of the standard.
"""

import json
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import msgpack
import msgspec

from durak.clients.link.newer import LeftOut, Reader
from durak.protocol.messages import MAX_FRAME_BYTES, SUBPROTOCOL_JSON, SUBPROTOCOL_MSGPACK, FromClient, ServerMessage

KNOWN: Final = frozenset(kind.__struct_config__.tag for kind in ServerMessage.__args__)


class UnreadableFrame(Exception):
    """The server sent something that is no message of this protocol."""


class Heard(NamedTuple):
    """A message, `None` for one of a kind that this version does not know; and what of it had to be left out."""

    message: ServerMessage | None
    left_out: LeftOut | None = None


class Wire:
    """One subprotocol: msgpack in binary frames, or JSON in text frames."""

    def __init__(self, subprotocol: str) -> None:
        if subprotocol not in (SUBPROTOCOL_MSGPACK, SUBPROTOCOL_JSON):
            raise ValueError(f"no subprotocol {subprotocol!r}")
        self.subprotocol = subprotocol
        binary = subprotocol == SUBPROTOCOL_MSGPACK
        self._pack: Callable[[Any], str | bytes] = msgpack.packb if binary else json.dumps
        self._unpack: Callable[[Any], Any] = msgpack.unpackb if binary else json.loads

    def encode(self, message: FromClient) -> str | bytes:
        """The frame of a message. Raises `ValueError` if a server would refuse it for its size."""
        frame = self._pack(msgspec.to_builtins(message))
        size = len(frame.encode()) if isinstance(frame, str) else len(frame)
        if size > MAX_FRAME_BYTES:
            raise ValueError(f"a message of {size} bytes; a server reads at most {MAX_FRAME_BYTES}")
        return frame

    def decode(self, frame: str | bytes) -> Heard:
        """The message in a frame, as far as this version knows it. Raises `UnreadableFrame`."""
        try:
            raw = self._unpack(frame)
            if isinstance(raw, dict) and isinstance(raw.get("t"), str) and raw["t"] not in KNOWN:
                return Heard(None)
            return Heard(msgspec.convert(raw, ServerMessage))
        except msgspec.ValidationError as error:
            return self._of_newer(raw, error)
        except (ValueError, TypeError, RecursionError, msgpack.UnpackException) as error:
            raise UnreadableFrame(str(error)) from None

    def _of_newer(self, raw: Any, why: msgspec.ValidationError) -> Heard:
        """What is known of a message that cannot be read as it is, for this reason."""
        reader = Reader()
        try:
            return Heard(msgspec.convert(reader.message(raw), ServerMessage), reader.left_out)
        except (msgspec.ValidationError, LookupError, TypeError, AttributeError):
            raise UnreadableFrame(str(why)) from None
