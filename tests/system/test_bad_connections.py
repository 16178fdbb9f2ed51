"""Requests and handshakes that the server does not accept: a status or close code with a reason, and nobody else notices."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from itsdangerous import URLSafeTimedSerializer
from websockets.exceptions import InvalidStatus

from tests.system.client import JSON, Client, dial, fetch, guest_token
from tests.system.conftest import Connect
from tests.system.serving import Served, serving
from tests.system.tables import one_action, started


async def refusal(url: str, **options: object) -> tuple[int, str]:
    """Status and code of a handshake that is refused."""
    with pytest.raises(InvalidStatus) as refused:
        await dial(url, **options)  # type: ignore[arg-type]
    answer = json.loads(refused.value.response.body or b"{}")
    assert answer["hint"]
    return refused.value.response.status_code, answer["error"]


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://127.0.0.1", "http://127.0.0.1:1", "https://127.0.0.1:{port}", "file://"]
)
async def test_pages_from_elsewhere_may_not_connect(server: Served, origin: str) -> None:
    assert await refusal(server.url, origin=origin.format(port=server.port)) == (403, "bad_origin")


async def test_own_pages_may_connect(server: Served) -> None:
    for host in ("127.0.0.1", "localhost"):
        await (await dial(server.url, origin=f"http://{host}:{server.port}")).close()


async def test_pages_that_the_operator_names_may_connect(tmp_path: Path) -> None:
    with serving(tmp_path, "--origin", "https://durak.example", "--origin", "https://two.example:8443") as served:
        await (await dial(served.url, origin="https://durak.example")).close()
        await (await dial(served.url, origin="https://two.example:8443")).close()
        assert await refusal(served.url, origin="https://durak.example.evil.example") == (403, "bad_origin")


@pytest.mark.parametrize("subprotocol", [None, "durak.v2.json", "chat"])
async def test_a_subprotocol_is_needed(server: Served, subprotocol: str | None) -> None:
    assert await refusal(server.url, subprotocol=subprotocol) == (400, "subprotocol_needed")


async def test_no_more_connections_than_the_operator_allows(tmp_path: Path, connect: Connect) -> None:
    with serving(tmp_path, "--dev", "--max-connections", "2") as served:
        people, _ = await started(connect, served)
        assert await refusal(served.url) == (503, "server_full")
        await one_action(people)
        await people[1].drop()
        await people[0].until(lambda: people[0].view["chairs"][1]["away"])
        assert await Client.open(served.url, "Bob", token=people[1].token)


# ---------------------------------------------------------------- tokens


async def closed_with(served: Served, token: str) -> tuple[int | None, str | None]:
    """How a connection with this token ends."""
    async with await dial(served.url) as socket:
        await socket.send(json.dumps({"t": "hello", "token": token}))
        await asyncio.wait_for(socket.wait_closed(), 10)
        return socket.close_code, socket.close_reason


async def test_a_token_that_was_tampered_with(server: Served) -> None:
    token = await guest_token(server.url, "Mallory")
    payload, stamp, signature = token.rsplit(".", 2)
    other = (await guest_token(server.url, "Victor")).rsplit(".", 2)
    for bad in (
        "",
        "x",
        "a.b.c",
        "x" * 2000,
        f"{payload}.{stamp}.{'A' if signature[0] != 'A' else 'B'}{signature[1:]}",  # the last character carries spare bits
        token + "x",
        f"{other[0]}.{stamp}.{signature}",
        f"{payload}.{other[1]}x.{signature}",
        f"{payload}..{signature}",
        payload,
        token.swapcase(),
        "é" * 20,
    ):
        assert await closed_with(server, bad) == (4101, "bad_token"), bad


async def test_a_token_of_another_server(server: Served) -> None:
    claims = {"player": "guest:1", "name": "Mallory", "kind": "host"}
    forged = URLSafeTimedSerializer(b"another secret of 16", salt="durak.session").dumps(claims)
    assert await closed_with(server, str(forged)) == (4101, "bad_token")


async def test_expired_tokens_and_tokens_of_another_form(tmp_path: Path) -> None:
    secret = "a secret of the operator"
    signer = URLSafeTimedSerializer(secret.encode(), salt="durak.session")
    old = signer.make_signer(signer.salt)
    old.get_timestamp = lambda: 1_700_000_000  # type: ignore[attr-defined]
    claims = {"player": "guest:1", "name": "Ann"}
    with serving(tmp_path, DURAK_SECRET=secret) as served:
        expired = old.sign(signer.dump_payload(claims)).decode()
        assert await closed_with(served, expired) == (4101, "expired_token")
        forms: list[object] = [[], "x", 7, None, {}, {"player": 1, "name": "Ann"}, {**claims, "kind": "god"}]
        for form in forms:
            assert await closed_with(served, str(signer.dumps(form))) == (4101, "bad_token")
        assert await Client.open(served.url, token=str(signer.dumps(claims)))


async def test_a_bot_token_opens_its_own_table_only(tmp_path: Path, connect: Connect) -> None:
    secret = "a secret of the operator"
    signer = URLSafeTimedSerializer(secret.encode(), salt="durak.session")
    with serving(tmp_path, "--dev", DURAK_SECRET=secret) as served:
        people, table = await started(connect, served)
        for claims in (
            {"player": "bot:1", "name": "Boris", "kind": "bot", "table": "ZZZZZZ", "level": "easy"},
            {"player": "bot:1", "name": "Boris", "kind": "bot", "table": table, "level": "easy"},
            {"player": f"stand-in:{table}:0", "name": "Boris", "kind": "bot", "table": table, "level": "normal"},
        ):
            async with await dial(served.url) as socket:
                await socket.send(json.dumps({"t": "hello", "token": str(signer.dumps(claims)), "table": table}))
                assert json.loads(await socket.recv())["t"] == "welcome"
                await asyncio.wait_for(socket.wait_closed(), 10)
                assert (socket.close_code, socket.close_reason) == (4105, "seat_gone")
        await one_action(people)


# ---------------------------------------------------------------- HTTP


async def test_names_that_are_no_names(server: Served) -> None:
    for name in ("", " ", "x" * 25, "a\nb\0", "\u202eevil", "tab\x07", None, 7, ["Ann"], {"a": 1}):
        status, body = await asyncio.to_thread(fetch, f"{server.url}/api/guest", json.dumps({"name": name}).encode())
        assert (status, json.loads(body)["error"]) == (400, "bad_name"), name


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b"[" * 4000, b"nope"])
async def test_a_guest_request_that_is_no_json(server: Served, body: bytes) -> None:
    status, answer = await asyncio.to_thread(fetch, f"{server.url}/api/guest", body)
    assert (status, json.loads(answer)["error"]) == (400, "bad_json")


async def test_a_guest_request_that_is_too_large(server: Served) -> None:
    status, answer = await asyncio.to_thread(fetch, f"{server.url}/api/guest", b"x" * 5000)
    assert (status, json.loads(answer)["error"]) == (413, "too_large")


async def test_requests_for_what_is_not_there(server: Served) -> None:
    for path, body, expected in (
        ("/nowhere", None, (404, "not_found")),
        ("/api/guest", None, (405, "method_not_allowed")),
        ("/livez", b"x", (405, "method_not_allowed")),
        ("/ws", b"x", (405, "method_not_allowed")),
        ("/ws", None, (400, "subprotocol_needed")),
        ("/api/qr", None, (400, "bad_text")),
        (f"/api/qr?text={'x' * 301}", None, (400, "bad_text")),
        ("/%00", None, (404, "not_found")),
        ("/%ff", None, (404, "not_found")),
        ("/..%2f..%2fetc%2fpasswd", None, (404, "not_found")),
        ("/..%2f..%2fpyproject.toml", None, (404, "not_found")),
        ("//etc/passwd", None, (404, "not_found")),
        (f"/{'x' * 300}", None, (404, "not_found")),
        ("/t/ABCDEF/x", None, (404, "not_found")),
        ("/words/xx.json", None, (404, "not_found")),
        ("/words/filling.py", None, (404, "not_found")),
        ("/words/..%2fcli%2fplay.py", None, (404, "not_found")),
    ):
        status, answer = await asyncio.to_thread(fetch, server.url + path, body)
        assert (status, json.loads(answer)["error"]) == expected, path
    status, answer = await asyncio.to_thread(fetch, f"{server.url}/ws", None, **{"Sec-WebSocket-Protocol": JSON})
    assert (status, json.loads(answer)["error"]) == (400, "websocket_needed")
    status, answer = await asyncio.to_thread(fetch, f"{server.url}/words/en.json", None)
    assert (status, json.loads(answer)["code"]) == (200, "en"), "the words of all clients are there for the page"


@pytest.mark.parametrize(
    "said",
    [
        b"rubbish\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(64),
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
        b"GET /../../etc/passwd HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"y" * 20_000 + b"\r\n\r\n",
        b"POST /api/guest HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n",
        b"POST /api/guest HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        b"Sec-WebSocket-Key: short\r\nSec-WebSocket-Protocol: durak.v1.json\r\nConnection: close\r\n\r\n",
    ],
    ids=["rubbish", "TLS", "HTTP 9", "half a handshake", "path", "long header", "negative length", "bad chunk", "bad key"],
)
async def test_what_is_no_http(server: Served, connect: Connect, said: bytes) -> None:
    people, _ = await started(connect, server)
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(said)
    answer = await asyncio.wait_for(reader.read(64), 10)
    assert answer.startswith((b"HTTP/1.0 4", b"HTTP/1.1 4")), answer
    writer.close()
    await one_action(people)


async def test_what_is_no_websocket_after_the_handshake(server: Served, connect: Connect) -> None:
    people, _ = await started(connect, server)
    for said in (b"\xff" * 100, b"\x81\x05hello", b"\x81\xff\xff\xff\xff\xff\xff\xff\xff\xff", b"\x89\xfe\xff\xff" + bytes(8)):
        socket = await dial(server.url)
        socket.transport.write(said)
        await asyncio.wait_for(socket.wait_closed(), 20)
    await one_action(people)
