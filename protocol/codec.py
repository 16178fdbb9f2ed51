"""Bytes to messages and back, in both subprotocols."""

from typing import Any, Final, get_args

import msgspec

from durak.protocol.messages import (
    MAX_FRAME_BYTES,
    SUBPROTOCOL_JSON,
    SUBPROTOCOL_MSGPACK,
    ClientMessage,
    FromClient,
    FromServer,
    ServerMessage,
)

KNOWN: Final = frozenset(kind.__struct_config__.tag for kind in get_args(ClientMessage))
"""The types of the messages that a client may send."""


class BadFrame(Exception):
    """A frame that is no message: `code` is too_large, unknown_command or bad_message, `params` what the sentence of it needs.

    `cid` is its command id, if one could be read.
    """

    def __init__(self, code: str, params: dict[str, str | int], cid: str | None = None) -> None:
        super().__init__(f"{code}: {params}")
        self.code = code
        self.params = params
        self.cid = cid


class Codec:
    """One encoding of the messages."""

    def __init__(self, subprotocol: str) -> None:
        encoding: Any = msgspec.msgpack if subprotocol == SUBPROTOCOL_MSGPACK else msgspec.json
        self.subprotocol = subprotocol
        self.binary = subprotocol == SUBPROTOCOL_MSGPACK
        self._encoder = encoding.Encoder()
        self._from_client = encoding.Decoder(ClientMessage)
        self._from_server = encoding.Decoder(ServerMessage)
        self._untyped = encoding.Decoder()
        self._last: tuple[FromServer | FromClient | None, bytes] = (None, b"")

    def encode(self, message: FromServer | FromClient) -> bytes:
        """The bytes of a message. One that goes to many is encoded once, if it goes to one after the other."""
        last, frame = self._last
        if last is not message:
            frame = self._encoder.encode(message)
            self._last = (message, frame)
        return frame

    def decode_from_client(self, frame: bytes) -> ClientMessage:
        """The message in a client's frame. Raises `BadFrame`, whatever the bytes."""
        if len(frame) > MAX_FRAME_BYTES:
            raise BadFrame("too_large", {"detail": f"a frame holds at most {MAX_FRAME_BYTES} bytes"})
        try:
            message: ClientMessage = self._from_client.decode(frame)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise self._refusal(frame, str(error)) from None
        return message

    def decode_from_server(self, frame: bytes) -> ServerMessage:
        """The message in a server's frame, unknown fields ignored. Raises `msgspec.DecodeError`."""
        message: ServerMessage = self._from_server.decode(frame)
        return message

    def _refusal(self, frame: bytes, detail: str) -> BadFrame:
        """What is wrong with a frame that is no valid message: a command of another version, or `detail`."""
        try:
            raw = self._untyped.decode(frame)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, TypeError, ValueError):
            raw = None
        asked = raw if isinstance(raw, dict) else {}
        cid, kind = asked.get("cid"), asked.get("t")
        if not (isinstance(cid, str) and 1 <= len(cid) <= 40):
            cid = None  # the refusal finds its sender's question only by a valid one
        if isinstance(kind, str) and kind not in KNOWN:
            return BadFrame("unknown_command", {"command": kind[:40]}, cid)
        return BadFrame("bad_message", {"detail": detail[:200]}, cid)


JSON = Codec(SUBPROTOCOL_JSON)
MSGPACK = Codec(SUBPROTOCOL_MSGPACK)
CODECS = {codec.subprotocol: codec for codec in (MSGPACK, JSON)}
