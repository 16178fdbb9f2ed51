"""A small client over the `websockets` library that keeps everything it is told, for tests to look at."""

from __future__ import annotations

import asyncio
import itertools
import json
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any, Self, TypeVar

import msgpack
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin, Subprotocol

JSON = "durak.v1.json"
MSGPACK = "durak.v1.msgpack"
WAIT_S = 15.0

Message = dict[str, Any]
Found = TypeVar("Found")
_cids = itertools.count(1)


def fetch(url: str, body: bytes | None = None, **headers: str) -> tuple[int, bytes]:
    """Status and body of an HTTP request: POST with a body, GET without."""
    request = urllib.request.Request(url, data=body, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=WAIT_S) as response:
            return response.status, response.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read()


async def guest_token(url: str, name: str) -> str:
    """A token from the server."""
    status, body = await asyncio.to_thread(fetch, f"{url}/api/guest", json.dumps({"name": name}).encode())
    assert status == 200, body
    token: str = json.loads(body)["token"]
    return token


async def dial(url: str, subprotocol: str | None = JSON, origin: str | None = None, **options: Any) -> ClientConnection:
    """An open WebSocket, nothing said yet."""
    return await connect(
        url.replace("http", "ws", 1) + "/ws",
        subprotocols=None if subprotocol is None else [Subprotocol(subprotocol)],
        origin=None if origin is None else Origin(origin),
        compression=None,
        ping_interval=None,
        max_size=None,
        close_timeout=2,
        proxy=None,
        **options,
    )


class Client:
    """One connection.

    `frames` and `told` are all frames and messages but heartbeats; `answers` the replies by command id; `events` the table's
    events by sequence number; `view` and `seq` the last ones. What the server may never do is asserted while listening.
    """

    def __init__(self, socket: ClientConnection, token: str) -> None:
        self.socket = socket
        self.token = token
        self.player = ""
        self.frames: list[bytes] = []
        self.told: list[Message] = []
        self.answers: dict[str, Message] = {}
        self.events: dict[int, list[Message]] = {}
        self.view: Any = None  # a message; who looks into it before there is one, fails
        self.seq: int | None = None
        self.lobby: dict[str, Message] = {}
        self.heartbeats = 0
        self.closed: tuple[int, str] | None = None
        self.failure: BaseException | None = None
        self._binary = socket.subprotocol == MSGPACK
        self._news = asyncio.Event()
        self._reader = asyncio.create_task(self._read())

    @classmethod
    async def open(
        cls,
        url: str,
        name: str = "Ann",
        *,
        token: str | None = None,
        table: str | None = None,
        seq: int | None = None,
        subprotocol: str = JSON,
    ) -> Self:
        """Connect and say hello; with a `table`, wait until it is shown."""
        token = await guest_token(url, name) if token is None else token
        client = cls(await dial(url, subprotocol), token)
        hello = {"t": "hello", "token": token, "table": table, "seq": seq}
        await client.send({key: value for key, value in hello.items() if value is not None})
        client.player = (await client.hears("welcome"))["player"]
        if table is not None:
            await client.until(lambda: client.view is not None or client.last("error"))
        return client

    async def close(self) -> None:
        """Close the connection."""
        await self.socket.close()
        await self._reader
        if self.failure is not None:
            raise self.failure

    async def drop(self) -> None:
        """Lose the connection without a word."""
        self.socket.transport.abort()
        await self._reader

    # ---------------------------------------------------------------- saying

    async def send(self, message: Message) -> None:
        """Send a message."""
        await self.socket.send(msgpack.packb(message) if self._binary else json.dumps(message))

    async def ask(self, t: str, *, cid: str | None = None, **fields: Any) -> Message:
        """Send a command and wait for its answer."""
        cid = f"c{next(_cids)}" if cid is None else cid
        self.answers.pop(cid, None)
        await self.send({"t": t, "cid": cid, **fields})
        return await self.until(lambda: self.answers.get(cid))

    async def ok(self, t: str, *, cid: str | None = None, **fields: Any) -> Message:
        """Send a command that is accepted."""
        answer = await self.ask(t, cid=cid, **fields)
        assert answer["t"] == "ok", (t, fields, answer)
        return answer

    async def refused(self, t: str, *, cid: str | None = None, **fields: Any) -> Message:
        """Send a command that is refused."""
        answer = await self.ask(t, cid=cid, **fields)
        assert answer["t"] == "error", (t, fields, answer)
        return answer

    async def create(self, **fields: Any) -> str:
        """Create a table and sit down; gives its id."""
        table: str = (await self.ok("create", **fields))["table"]
        await self.until(lambda: self.view and self.view["table"] == table)
        return table

    async def join(self, table: str, **fields: Any) -> None:
        """Take a chair."""
        await self.ok("join", table=table, **fields)
        await self.until(lambda: self.view and self.view["you"].get("chair") is not None)

    async def act(self, action: Message, **fields: Any) -> Message:
        """Send a game action for the bout and epoch in view; gives the answer, when what it brought about is in view too."""
        game = self.game
        answer = await self.ask("act", **{"action": action, "bout": game["bout"], "epoch": game["epoch"], **fields})
        if answer["t"] == "ok":
            await self.until(lambda: (self.seq or 0) >= answer["seq"])
        return answer

    # ---------------------------------------------------------------- hearing

    @property
    def game(self) -> Message:
        """The game in view."""
        assert self.view is not None
        game: Message = self.view["game"]
        return game

    @property
    def legal(self) -> list[Message]:
        """What this client may do now."""
        playing = self.view is not None and self.view["status"] == "playing"
        return list(self.game["legal"]) if playing else []

    def last(self, t: str) -> Any:  # else every test that knows it has come would have to say so
        """The last message of a kind, or None."""
        return next((message for message in reversed(self.told) if message["t"] == t), None)

    async def hears(self, t: str) -> Message:
        """Wait for a message of a kind; one that has come before counts."""
        return await self.until(lambda: self.last(t))

    async def until(self, found: Callable[..., Found | None], timeout_s: float = WAIT_S) -> Found:
        """Wait until this is true; fails when the connection ends first."""
        try:
            async with asyncio.timeout(timeout_s):
                while not (result := found()):
                    if self.failure is not None:
                        raise self.failure
                    assert self.closed is None, f"closed with {self.closed}"
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            raise AssertionError(f"waited in vain; last told: {self.told[-3:]}") from None
        return result

    async def ends(self) -> tuple[int, str]:
        """Wait for the end of the connection; gives code and reason."""
        await asyncio.wait_for(self._reader, WAIT_S)
        if self.failure is not None:
            raise self.failure
        assert self.closed is not None
        return self.closed

    async def _read(self) -> None:
        try:
            while True:
                self._hear(await self.socket.recv())
                self._news.set()
        except ConnectionClosed as closed:
            self.closed = (1006, "") if closed.rcvd is None else (closed.rcvd.code, closed.rcvd.reason)
        except BaseException as error:
            self.failure = error
        finally:
            self._news.set()

    def _hear(self, frame: str | bytes) -> None:
        assert isinstance(frame, bytes) == self._binary
        message: Message = msgpack.unpackb(frame) if isinstance(frame, bytes) else json.loads(frame)
        kind = message["t"]
        if kind == "heartbeat":
            self.heartbeats += 1
            return
        self.frames.append(frame if isinstance(frame, bytes) else frame.encode())
        self.told.append(message)
        if message.get("cid") is not None:
            self.answers[message["cid"]] = message
        if kind == "table":
            self._state(message)
        elif kind == "update":
            self._update(message)
        elif kind == "detached":
            self.view = self.seq = None
        elif kind == "lobby":
            if message["full"]:
                self.lobby.clear()
            self.lobby.update({line["table"]: line for line in message["tables"]})
            for gone in message.get("gone", ()):
                self.lobby.pop(gone, None)

    def _state(self, message: Message) -> None:
        if message["resumed"] == "snapshot" or (self.view is not None and self.view["table"] != message["view"]["table"]):
            self.events.clear()
        for one in message["missed"]:
            self.events.setdefault(one["seq"], []).extend(one["events"])
        self.seq, self.view = message["seq"], message["view"]

    def _update(self, message: Message) -> None:
        assert self.seq is not None, "an update before the table was shown"
        assert message["seq"] in (self.seq, self.seq + 1), f"update {message['seq']} after {self.seq}"
        self.events.setdefault(message["seq"], []).extend(message["events"])
        self.seq, self.view = message["seq"], {**(self.view or {}), **message["view"]}
