"""Bytes to messages and back, in both subprotocols."""

from typing import Any

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


class BadFrame(Exception):
    """A frame that is no message: `code` is too_large or bad_message; `cid` is its command id, if one could be read."""

    def __init__(self, code: str, detail: str, cid: str | None = None) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail
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
            raise BadFrame("too_large", f"a frame holds at most {MAX_FRAME_BYTES} bytes")
        try:
            message: ClientMessage = self._from_client.decode(frame)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise BadFrame("bad_message", str(error)[:200], self._cid_in(frame)) from None
        return message

    def decode_from_server(self, frame: bytes) -> ServerMessage:
        """The message in a server's frame, unknown fields ignored. Raises `msgspec.DecodeError`."""
        message: ServerMessage = self._from_server.decode(frame)
        return message

    def _cid_in(self, frame: bytes) -> str | None:
        """The command id of a frame that is no valid message, so that the refusal finds its sender's question."""
        try:
            raw = self._untyped.decode(frame)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, TypeError, ValueError):
            return None
        cid = raw.get("cid") if isinstance(raw, dict) else None
        return cid if isinstance(cid, str) and 1 <= len(cid) <= 40 else None


JSON = Codec(SUBPROTOCOL_JSON)
MSGPACK = Codec(SUBPROTOCOL_MSGPACK)
CODECS = {codec.subprotocol: codec for codec in (MSGPACK, JSON)}
