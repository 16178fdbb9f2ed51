"""Frames that are no messages, over a real socket: a coded error or a close code, and the table plays on."""

from __future__ import annotations

import contextlib
import json
import random
from typing import Any

import msgpack
import pytest
from websockets.exceptions import ConnectionClosed

from tests.system.client import JSON, MSGPACK, Client, dial
from tests.system.conftest import Connect
from tests.system.serving import Served
from tests.system.tables import one_action, started

LEAD = {"act": "lead", "card": "6S"}


def act(**changes: Any) -> dict[str, Any]:
    """An action of the right form, changed."""
    return {"t": "act", "cid": "x", "action": LEAD, "bout": 1, "epoch": 1, **changes}


NO_MESSAGES: dict[str, Any] = {
    "no object": [],
    "a number": 7,
    "a text": "hello",
    "null": None,
    "empty object": {},
    "no type": {"cid": "x"},
    "type is a number": {"t": 1, "cid": "x"},
    "no cid": {"t": "leave"},
    "empty cid": {"t": "leave", "cid": ""},
    "long cid": {"t": "leave", "cid": "x" * 41},
    "cid is a number": {"t": "leave", "cid": 7},
    "unknown field": {"t": "leave", "cid": "x", "seat": 1},
    "somebody else's seat": act(seat=1),
    "somebody else's player": act(player="guest:other"),
    "no action": {"t": "act", "cid": "x", "bout": 1},
    "action is a text": act(action="lead 6S"),
    "unknown action": act(action={"act": "steal", "card": "6S"}),
    "action without card": act(action={"act": "lead"}),
    "action with a seat": act(action={**LEAD, "seat": 1}),
    "no such card": act(action={"act": "lead", "card": "5S"}),
    "no such suit": act(action={"act": "lead", "card": "6X"}),
    "card is a number": act(action={"act": "lead", "card": 6}),
    "card is null": act(action={"act": "lead", "card": None}),
    "card is a long text": act(action={"act": "lead", "card": "6S" * 500}),
    "negative bout": act(bout=-1),
    "fractional bout": act(bout=1.5),
    "bout is a text": act(bout="1"),
    "bout is null": act(bout=None),
    "negative epoch": act(epoch=-1),
    "chair 6": {"t": "dismiss", "cid": "x", "chair": 6},
    "chair -1": {"t": "dismiss", "cid": "x", "chair": -1},
    "huge chair": {"t": "dismiss", "cid": "x", "chair": 2**63},
    "table code too short": {"t": "join", "cid": "x", "table": "ABC"},
    "table code of other letters": {"t": "join", "cid": "x", "table": "ABCDEI"},
    "table code is a path": {"t": "join", "cid": "x", "table": "../../"},
    "no bots to fill": {"t": "fill", "cid": "x", "bots": []},
    "seven bots": {"t": "fill", "cid": "x", "bots": ["easy"] * 7},
    "unknown level": {"t": "fill", "cid": "x", "bots": ["godlike"]},
    "options are a list": {"t": "create", "cid": "x", "options": []},
    "long name": {"t": "create", "cid": "x", "name": "x" * 41},
    "unknown speed": {"t": "create", "cid": "x", "speed": "ludicrous"},
    "switch is a number": {"t": "auto_pass", "cid": "x", "on": 1},
    "too much capacity": {"t": "host", "cid": "x", "levels": ["easy"], "capacity": 10**9},
}


@pytest.mark.parametrize("subprotocol", [JSON, MSGPACK])
@pytest.mark.parametrize("message", NO_MESSAGES.values(), ids=NO_MESSAGES.keys())
async def test_what_is_no_message_gets_a_coded_error(server: Served, connect: Connect, message: Any, subprotocol: str) -> None:
    client = await connect(server, subprotocol=subprotocol)
    await client.send(message)
    error = await client.hears("error")
    assert error["code"] == "bad_message"
    assert error["params"]["detail"]
    cid = message.get("cid") if isinstance(message, dict) else None
    assert error.get("cid") == (cid if isinstance(cid, str) and 1 <= len(cid) <= 40 else None)
    assert (await client.ask("lobby", on=False))["t"] == "ok"


@pytest.mark.parametrize("subprotocol", [JSON, MSGPACK])
@pytest.mark.parametrize("t", ["cheat", "ok", ""], ids=["of no version", "a server's", "empty"])
async def test_a_command_that_there_is_not_gets_a_code_of_its_own(
    server: Served, connect: Connect, t: str, subprotocol: str
) -> None:
    client = await connect(server, subprotocol=subprotocol)
    await client.send({"t": t, "cid": "x"})
    error = await client.hears("error")
    assert (error["code"], error["cid"], error["params"]) == ("unknown_command", "x", {"command": t})
    assert (await client.ask("lobby", on=False))["t"] == "ok"


RAW: dict[str, tuple[str, str | bytes]] = {
    "half an object": (JSON, "{"),
    "nothing": (JSON, ""),
    "two objects": (JSON, '{"t":"leave","cid":"x"}{"t":"leave","cid":"y"}'),
    "not a number": (JSON, '{"t":"act","cid":"x","action":{"act":"take"},"bout":NaN}'),
    "a huge exponent": (JSON, '{"t":"act","cid":"x","action":{"act":"take"},"bout":1e999}'),
    "half a character": (JSON, '{"t":"leave","cid":"\\ud800"}'),
    "a zero byte": (JSON, '{"t":"leave\0","cid":"x"}'),
    "nested lists": (JSON, "[" * 4000),
    "nested objects": (JSON, '{"a":' * 800),
    "nested options": (JSON, '{"t":"create","cid":"x","options":{"a":' + "[" * 1900 + "]" * 1900 + "}}"),
    "nothing, packed": (MSGPACK, b""),
    "a byte that means nothing": (MSGPACK, b"\xc1"),
    "cut short": (MSGPACK, msgpack.packb({"t": "leave", "cid": "x"})[:-1]),
    "more than one": (MSGPACK, msgpack.packb({"t": "leave", "cid": "x"}) * 2),
    "four billion elements": (MSGPACK, b"\xdd\xff\xff\xff\xff"),
    "four billion pairs": (MSGPACK, b"\xdf\xff\xff\xff\xff"),
    "four billion bytes": (MSGPACK, b"\xdb\xff\xff\xff\xff"),
    "nested lists, packed": (MSGPACK, b"\x91" * 4000),
    "nested maps, packed": (MSGPACK, b"\x81\xa1a" * 1300),
    "nested options, packed": (MSGPACK, b"\x83\xa1t\xa6create\xa3cid\xa1x\xa7options\x81\xa1a" + b"\x91" * 2000 + b"\xc0"),
    "bytes for a text": (MSGPACK, msgpack.packb({"t": b"leave", "cid": "x"})),
    "keys that are lists": (MSGPACK, b"\x81\x91\x01\x01"),
    "a moment": (MSGPACK, msgpack.packb({"t": "leave", "cid": msgpack.Timestamp(1)})),
    "an extension": (MSGPACK, msgpack.packb({"t": "leave", "cid": msgpack.ExtType(5, b"xyz")})),
    "no utf-8": (MSGPACK, b"\x82\xa1t\xa5leave\xa3cid\xa2\xff\xfe"),
}


@pytest.mark.parametrize(("subprotocol", "frame"), RAW.values(), ids=RAW.keys())
async def test_bytes_that_are_no_message_get_a_coded_error(
    server: Served, connect: Connect, subprotocol: str, frame: str | bytes
) -> None:
    client = await connect(server, subprotocol=subprotocol)
    await client.socket.send(frame)
    assert (await client.hears("error"))["code"] == "bad_message"
    assert (await client.ask("lobby", on=False))["t"] == "ok"


@pytest.mark.parametrize("subprotocol", [JSON, MSGPACK])
async def test_a_frame_over_4_kib_gets_a_coded_error(server: Served, connect: Connect, subprotocol: str) -> None:
    client = await connect(server, subprotocol=subprotocol)
    await client.send({"t": "create", "cid": "big", "name": "x" * 5000})
    assert (await client.hears("error"))["code"] == "too_large"
    assert (await client.ask("lobby", on=False))["t"] == "ok"


async def test_a_frame_over_64_kib_closes_the_connection(server: Served, connect: Connect) -> None:
    client = await connect(server)
    await client.socket.send("x" * 100_000)
    assert (await client.ends())[0] == 1009


async def test_a_text_frame_that_is_no_utf_8_closes_the_connection(server: Served, connect: Connect) -> None:
    client = await connect(server)
    await client.socket.send([b"\xff\xfe"], text=True)
    assert (await client.ends())[0] == 1007


async def test_a_binary_frame_is_read_as_the_subprotocol_says(server: Served, connect: Connect) -> None:
    client = await connect(server)
    await client.socket.send(json.dumps({"t": "lobby", "cid": "b", "on": False}).encode())
    assert (await client.until(lambda: client.answers.get("b")))["t"] == "ok"


async def test_twenty_frames_in_a_row_that_are_no_messages_close_the_connection(server: Served, connect: Connect) -> None:
    client = await connect(server)
    for _ in range(20):
        await client.socket.send("{")
    assert await client.ends() == (4102, "bad_message")


async def test_a_message_in_between_is_patience_anew(server: Served, connect: Connect) -> None:
    client = await connect(server)
    for _ in range(3):
        for _ in range(19):
            await client.socket.send("{")
        await client.ok("lobby", on=False)


async def test_without_hello_the_connection_is_closed(server: Served) -> None:
    async with await dial(server.url) as socket:
        await socket.send(json.dumps({"t": "lobby", "cid": "x", "on": True}))
        await socket.wait_closed()
        assert (socket.close_code, socket.close_reason) == (4103, "no_hello")


async def test_rubbish_instead_of_a_hello_closes_the_connection(server: Served) -> None:
    async with await dial(server.url) as socket:
        await socket.send("rubbish")
        await socket.wait_closed()
        assert (socket.close_code, socket.close_reason) == (4102, "bad_message")


@pytest.mark.timeout(40)
async def test_who_never_says_hello_is_not_waited_for(server: Served) -> None:
    async with await dial(server.url) as socket:
        await socket.wait_closed()
        assert (socket.close_code, socket.close_reason) == (4103, "no_hello")


async def test_a_second_hello_is_refused(server: Served, connect: Connect) -> None:
    client = await connect(server)
    await client.send({"t": "hello", "token": client.token})
    assert (await client.hears("error"))["code"] == "already_greeted"


@pytest.mark.parametrize("subprotocol", [JSON, MSGPACK])
async def test_two_thousand_damaged_frames(server: Served, connect: Connect, subprotocol: str) -> None:
    """Frames with a few bytes changed, from one seed: each is answered or closes the connection, and others play on."""
    rng = random.Random(7)
    people, table = await started(connect, server)
    pack = json.dumps if subprotocol == JSON else msgpack.packb
    whole = [
        pack(message)
        for message in (
            act(),
            {"t": "create", "cid": "c", "preset": "classic", "options": {"window_ms": 8000, "bot_delay_ms": [1500, 3000]}},
            {"t": "join", "cid": "j", "table": table, "chair": 1},
            {"t": "watch", "cid": "w", "table": table},
            {"t": "lobby", "cid": "l", "on": False},
            {"t": "fill", "cid": "f", "bots": ["easy"]},
        )
    ]
    vandal = await connect(server, "Vandal", subprotocol=subprotocol)
    for number in range(2000):
        if vandal.closed is not None:
            vandal = await connect(server, "Vandal", token=vandal.token, subprotocol=subprotocol)
        with contextlib.suppress(ConnectionClosed):
            await vandal.socket.send(damaged(rng, rng.choice(whole)))
        if number % 10 == 9 and vandal.closed is None:
            await vandal.send({"t": "lobby", "cid": f"n{number}", "on": False})
            await vandal.until(lambda vandal=vandal, number=number: vandal.answers.get(f"n{number}"))
    for _ in range(3):
        await one_action(people)


def damaged(rng: random.Random, frame: str | bytes) -> str | bytes:
    """A frame with up to four of its bytes changed, taken out or doubled; a text remains a text."""
    raw = bytearray(frame if isinstance(frame, bytes) else frame.encode())
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(raw))
        match rng.randrange(3):
            case 0:
                raw[at] = rng.randrange(256) if isinstance(frame, bytes) else rng.randrange(32, 127)
            case 1 if len(raw) > 1:
                del raw[at]
            case _:
                raw.insert(at, raw[at])
    return bytes(raw) if isinstance(frame, bytes) else raw.decode(errors="replace")


async def test_the_table_plays_on_beside_all_this(server: Served, connect: Connect) -> None:
    people, _ = await started(connect, server)
    vandal: Client = people[1]
    await vandal.socket.send("[" * 4000)
    await vandal.send(act(seat=0))
    seqs = [await one_action(people) for _ in range(5)]
    assert seqs == list(range(seqs[0], seqs[0] + 5))
