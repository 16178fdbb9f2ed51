"""A server two versions ahead: a real one, behind a proxy that says everything as a newer one might, with words nobody knows."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any

import msgpack
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from tests.system.client import JSON, MSGPACK

Raw = dict[str, Any]

WORDS = {
    "status": {"open": "gathering", "playing": "in_play", "finished": "over"},
    "phase": {"redeal": "bargain", "lead": "opening", "bout": "exchange", "decide": "verdict", "over": "end"},
    "clock": {"start": "countdown", "offer": "bargain", "turn": "blitz", "window": "pause", "closing": "last_call"},
    "chair": {"person": "member", "bot": "engine"},
    "reason": {"left": "went", "closed": "swept", "dismissed": "kicked", "frozen": "iced"},
}


def newer_events(events: list[Raw]) -> list[Raw]:
    """Each event with a field more, between others that nobody knows."""
    known = [{**event, "at": {"round": 7}} for event in events]
    return [{"event": "transferred", "seat": 0, "card": "6S"}, *known, {"event": "waved", "chair": 1}]


def newer_view(view: Raw) -> Raw:
    """The whole view, or what has changed of one."""
    view = {**view, "weather": "fine", "you": {**view["you"], "can": [*view["you"]["can"], "gift"], "badge": 3}}
    if "status" in view:
        view["status"] = WORDS["status"][view["status"]]
    if view["clock"] is not None:
        view["clock"] = {**view["clock"], "kind": WORDS["clock"][view["clock"]["kind"]], "increment_ms": 500}
    if "rules" in view:
        view["rules"] = {**view["rules"], "preset": "podkidnoy", "throw_in": "neighbours", "transfer": True}
    if "chairs" in view:
        named = [{**chair, "kind": WORDS["chair"][chair["kind"]]} for chair in view["chairs"]]
        view["chairs"] = [{**chair, "level": "grandmaster", "avatar": "cat"} for chair in named]
    if view["game"] is not None:
        game = view["game"]
        legal = [{"act": "transfer", "card": "6S"}, *game["legal"], {"act": "wave"}]
        view["game"] = {**game, "phase": WORDS["phase"][game["phase"]], "legal": legal, "jokers": []}
    return view


def newer(message: Raw) -> list[Raw]:
    """What a newer server says instead."""
    message = {**message, "sent": {"by": "a newer server"}}
    match message["t"]:
        case "welcome":
            message |= {"protocol": message["protocol"] + 2, "kind": "member" if message["kind"] == "person" else message["kind"]}
        case "error":
            message["params"] = {**message.get("params", {}), "hints": ["a", "b"], "why": None}
        case "detached":
            message["reason"] = WORDS["reason"][message["reason"]]
        case "table":
            message["missed"] = [{**one, "events": newer_events(one["events"])} for one in message["missed"]]
            message["view"] = newer_view(message["view"])
        case "update":
            message |= {"events": newer_events(message["events"]), "view": newer_view(message["view"])}
    return [{"t": "chat", "from": 1, "text": "hello"}, message]


async def _say(upstream: ClientConnection, client: ServerConnection) -> None:
    """The server's frames, as a newer one would send them."""
    async for frame in upstream:
        raw = msgpack.unpackb(frame) if isinstance(frame, bytes) else json.loads(frame)
        for message in newer(raw):
            await client.send(msgpack.packb(message) if isinstance(frame, bytes) else json.dumps(message))


async def _hear(client: ServerConnection, upstream: ClientConnection) -> None:
    async for frame in client:
        await upstream.send(frame)


@contextlib.asynccontextmanager
async def newer_server(url: str) -> AsyncIterator[str]:
    """The WebSocket of this server two versions on; gives its address."""

    async def handle(client: ServerConnection) -> None:
        assert client.subprotocol is not None
        address = url.replace("http", "ws", 1) + "/ws"
        async with connect(address, subprotocols=[client.subprotocol], compression=None) as upstream:
            pumps = [asyncio.create_task(_say(upstream, client)), asyncio.create_task(_hear(client, upstream))]
            done, waiting = await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
            for pump in waiting:
                pump.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)
            for pump in done:
                with contextlib.suppress(ConnectionClosed):
                    pump.result()
            if upstream.close_code is not None:
                await client.close(upstream.close_code, upstream.close_reason or "")

    async with serve(handle, "127.0.0.1", 0, subprotocols=[MSGPACK, JSON], compression=None, close_timeout=1) as listening:  # type: ignore[list-item]
        yield f"http://127.0.0.1:{next(iter(listening.sockets)).getsockname()[1]}"
