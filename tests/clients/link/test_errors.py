"""What people are told when no connection comes about: a code, and what helps."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import ClassVar

import pytest
from websockets.asyncio.server import ServerConnection
from websockets.http11 import Request, Response

from durak.clients.link import CannotConnect, Guest, Link, LinkClosed, LinkError, NameRefused, guest_token
from durak.clients.link.address import socket_url, web_url
from durak.protocol.messages import CloseCode
from tests.clients.link.fake_server import Peer, fake_server
from tests.conftest import free_port


async def why(url: str) -> LinkError:
    """The error of opening a link there."""
    with pytest.raises(LinkError) as refused:
        await Link(url, "tok").open()
    return refused.value


async def test_connection_refused() -> None:
    error = await why(f"http://127.0.0.1:{free_port()}")
    assert error.code == "connection_refused"
    assert "durak serve" in error.hint


async def test_connection_refused_at_every_address_of_a_name() -> None:
    assert (await why(f"http://localhost:{free_port()}")).code == "connection_refused"


@pytest.mark.parametrize(("status", "code"), [(404, "wrong_path"), (403, "forbidden"), (503, "busy"), (200, "not_durak")])
async def test_another_answer_than_a_websocket(status: int, code: str) -> None:
    async def scene(peer: Peer) -> None: ...

    def answers(connection: ServerConnection, request: Request) -> Response:
        return connection.respond(HTTPStatus(status), "no\n")

    async with fake_server(scene, process_request=answers) as server:
        error = await why(server.url)
        assert error.code == code
        assert "/ws" in error.hint


async def test_a_websocket_that_speaks_something_else() -> None:
    async def scene(peer: Peer) -> None: ...

    async with fake_server(scene, subprotocols=None) as server:
        assert (await why(server.url)).code == "not_durak"


async def test_a_server_that_speaks_no_http() -> None:
    async def gibberish(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 mail.example.org\r\n")
        writer.close()

    server = await asyncio.start_server(gibberish, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        assert (await why(f"http://127.0.0.1:{port}")).code == "not_durak"
        assert (await why(f"https://127.0.0.1:{port}")).code == "tls"


async def test_bad_token() -> None:
    async def scene(peer: Peer) -> None:
        await peer.read()
        await peer.close(CloseCode.BAD_TOKEN, "expired_token")

    async with fake_server(scene) as server:
        error = await why(server.url)
        assert isinstance(error, LinkClosed)
        assert error.code == "bad_token"
        assert "get a new one" in error.hint


@pytest.mark.parametrize("url", ["", "ftp://example.org", "http://", "http://host:port", "http://[::1", "host:99999"])
async def test_bad_url(url: str) -> None:
    error = await why(url)
    assert isinstance(error, CannotConnect)
    assert error.code == "bad_url"


@pytest.mark.parametrize(
    ("typed", "web", "socket"),
    [
        ("localhost:8080", "http://localhost:8080", "ws://localhost:8080/ws"),
        ("http://h/", "http://h", "ws://h/ws"),
        ("https://h/durak/", "https://h/durak", "wss://h/durak/ws"),
        ("wss://h/durak/ws", "https://h/durak", "wss://h/durak/ws"),
        ("ws://[::1]:80/ws", "http://[::1]:80", "ws://[::1]:80/ws"),
    ],
)
def test_addresses_as_people_type_them(typed: str, web: str, socket: str) -> None:
    assert (web_url(typed), socket_url(typed)) == (web, socket)


# ---------------------------------------------------------------- guests


class Answer(BaseHTTPRequestHandler):
    status, body = 200, b""
    asked: ClassVar[list[tuple[str, bytes]]] = []

    def do_POST(self) -> None:
        self.asked.append((self.path, self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(self.status)
        self.end_headers()
        self.wfile.write(self.body)

    def log_message(self, *args: object) -> None: ...


@pytest.fixture
def web_server() -> Iterator[tuple[str, type[Answer]]]:
    handler = type("Handler", (Answer,), {"asked": []})
    server = HTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", handler
    server.shutdown()
    thread.join()
    server.server_close()


async def test_a_guests_token(web_server: tuple[str, type[Answer]]) -> None:
    url, handler = web_server
    handler.body = b'{"token":"t","player":"guest:1","name":"Ann","new_field":1}'
    assert await guest_token(url, "Ann") == Guest("t", "guest:1", "Ann")
    assert handler.asked == [("/api/guest", b'{"name":"Ann"}')]


@pytest.mark.parametrize(
    ("status", "body", "kind", "code"),
    [
        (400, b'{"error":"bad_name","hint":"no"}', NameRefused, "bad_name"),
        (404, b"nothing here", CannotConnect, "wrong_path"),
        (429, b'{"error":"rate_limited"}', CannotConnect, "busy"),
        (500, b"oops", CannotConnect, "not_durak"),
        (200, b"<html>", CannotConnect, "not_durak"),
    ],
)
async def test_no_token(web_server: tuple[str, type[Answer]], status: int, body: bytes, kind: type[LinkError], code: str) -> None:
    url, handler = web_server
    handler.status, handler.body = status, body
    with pytest.raises(kind) as refused:
        await guest_token(url, "Ann")
    assert refused.value.code == code


async def test_no_server_for_a_token() -> None:
    with pytest.raises(CannotConnect, match="connection_refused"):
        await guest_token(f"127.0.0.1:{free_port()}", "Ann")
