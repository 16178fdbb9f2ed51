"""Both encodings: what goes in comes out, and bad bytes are a coded refusal whatever they are."""

import json
import random

import msgpack
import pytest

from durak.protocol.codec import CODECS, JSON, MSGPACK, BadFrame, Codec
from durak.protocol.messages import MAX_FRAME_BYTES, Act, Create, Error, Hello, Ok
from durak.protocol.rules.actions import Beat, Pass

BOTH = pytest.mark.parametrize("codec", [JSON, MSGPACK], ids=["json", "msgpack"])


@BOTH
@pytest.mark.parametrize(
    "message",
    [
        Hello("token", "4T7KZQ", 3),
        Act("1", Beat("9H", "7H"), 4),
        Act("2", Pass(), 4, 6),
        Create("3", name="Дача", preset="challenge", options={"turn_clock_s": None}, bots=["easy"], sit=False),
    ],
)
def test_a_clients_message_survives_both_encodings(codec: Codec, message: Hello | Act | Create) -> None:
    assert codec.decode_from_client(codec.encode(message)) == message


@BOTH
def test_a_servers_message_survives_and_unknown_fields_are_ignored(codec: Codec) -> None:
    assert codec.decode_from_server(codec.encode(Ok("1", "4T7KZQ", 3))) == Ok("1", "4T7KZQ", 3)
    newer = {"t": "ok", "cid": "1", "mood": "good"}
    frame = msgpack.packb(newer) if codec.binary else json.dumps(newer).encode()
    assert codec.decode_from_server(frame) == Ok("1")


def test_the_independent_msgpack_library_reads_the_same() -> None:
    error = Error("limit", cid="1", rule="1.7", legal=[Pass()], bout=1, epoch=2)
    assert msgpack.unpackb(MSGPACK.encode(error)) == json.loads(JSON.encode(error))


@BOTH
@pytest.mark.parametrize(
    "frame",
    [
        b"",
        b"\x00",
        b"\xff\xfe",
        b"null",
        b"[]",
        b"{}",
        b'{"t":7,"cid":"1"}',
        b'{"t":"act","cid":"1","bout":-1,"action":{"act":"take"}}',
        b'{"t":"act","cid":"1","bout":1,"action":{"act":"lead","card":"5S"}}',
        b'{"t":"act","cid":"1","bout":1,"action":{"act":"lead","card":"6S"},"seat":3}',
        b'{"t":"act","cid":"","bout":1,"action":{"act":"take"}}',
        b'{"t":"act","cid":"1","bout":NaN,"action":{"act":"take"}}',
        b"[" * 4000,
        b'{"t":' * 800,
        b"\x91" * 4000,
    ],
)
def test_rubbish_is_a_bad_message(codec: Codec, frame: bytes) -> None:
    with pytest.raises(BadFrame) as refused:
        codec.decode_from_client(frame)
    assert refused.value.code == "bad_message"


@BOTH
def test_random_bytes_are_never_another_exception(codec: Codec) -> None:
    rng = random.Random(1)
    good = codec.encode(Act("1", Beat("9H", "7H"), 4))
    for _ in range(5_000):
        frame = bytearray(good)
        for _ in range(rng.randrange(1, 4)):
            frame[rng.randrange(len(frame))] = rng.randrange(256)
        try:
            codec.decode_from_client(bytes(frame[: rng.randrange(len(frame) + 1)]))
        except BadFrame:
            pass


@BOTH
def test_a_frame_over_the_limit_is_too_large(codec: Codec) -> None:
    with pytest.raises(BadFrame) as refused:
        codec.decode_from_client(b" " * (MAX_FRAME_BYTES + 1))
    assert refused.value.code == "too_large"


@BOTH
def test_the_refusal_of_an_invalid_command_names_its_cid(codec: Codec) -> None:
    raw = {"t": "act", "cid": "17", "bout": "four"}
    frame = msgpack.packb(raw) if codec.binary else json.dumps(raw).encode()
    with pytest.raises(BadFrame) as refused:
        codec.decode_from_client(frame)
    assert refused.value.cid == "17"


def frame_of(codec: Codec, raw: object) -> bytes:
    return bytes(msgpack.packb(raw)) if codec.binary else json.dumps(raw).encode()


@BOTH
def test_a_command_of_a_newer_client_is_named_with_its_cid(codec: Codec) -> None:
    with pytest.raises(BadFrame) as refused:
        codec.decode_from_client(frame_of(codec, {"t": "gift", "cid": "17", "to": {"seat": 3}}))
    assert (refused.value.code, refused.value.params, refused.value.cid) == ("unknown_command", {"command": "gift"}, "17")
    with pytest.raises(BadFrame) as refused:
        codec.decode_from_client(frame_of(codec, {"t": "g" * 1_000, "cid": "c" * 41}))
    assert (refused.value.params, refused.value.cid) == ({"command": "g" * 40}, None)


@BOTH
def test_a_field_of_a_newer_client_is_refused_by_name(codec: Codec) -> None:
    with pytest.raises(BadFrame) as refused:
        codec.decode_from_client(frame_of(codec, {"t": "rematch", "cid": "17", "stake": 5}))
    assert (refused.value.code, refused.value.cid) == ("bad_message", "17")
    assert "stake" in str(refused.value.params["detail"])


@BOTH
def test_a_hello_may_name_capabilities_that_no_server_knows(codec: Codec) -> None:
    hello = codec.decode_from_client(frame_of(codec, {"t": "hello", "token": "x", "capabilities": ["small_updates", "chat"]}))
    assert hello == Hello("x", capabilities=["small_updates", "chat"])
    assert b"capabilities" not in codec.encode(Hello("x"))


def test_the_subprotocols_have_their_codecs() -> None:
    assert list(CODECS) == ["durak.v1.msgpack", "durak.v1.json"]
