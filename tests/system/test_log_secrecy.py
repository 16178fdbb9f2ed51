"""No line of the logs of a busy server holds a card, a token or a password, whatever its clients and its bots do."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import re
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from durak.protocol.process.logs import FIELDS
from tests.system.client import MSGPACK, Client, dial
from tests.system.conftest import Connect
from tests.system.operating import another_writes
from tests.system.serving import Served
from tests.system.tables import started
from tests.system.test_own_bots import creates_with_bots
from tests.system.test_secrecy import GAMES, play_and_look

SECRET = "correct-horse-battery-staple"
CARD = re.compile(r"(?<![A-Za-z0-9])(?:[6-9JQKA]|10|T)[SHDC♠♥♦♣](?![A-Za-z0-9])")
ALLOWED = {"time", "level", "logger", "message", "exception"}


async def whole_game(served: Served, connect: Connect, number: int) -> list[Client]:
    """A game of one of the presets with blunders, some of whose players lose their connections."""
    players, game = list(GAMES.values())[number]
    rng = random.Random(number)
    options = {name: value for name, value in game.items() if name != "preset"}
    if game.get("preset") == "challenge":
        options["offer_ms"] = 200
    people, table = await started(
        connect, served, [f"P{seat}" for seat in range(players)], game.get("preset", "classic"), **options
    )
    lost = await connect(served, "Eve", table=table)
    await lost.drop()
    await asyncio.gather(*(play_and_look(person, people, rng) for person in people))
    return [*people, lost]


async def misbehave(served: Served, token: str) -> None:
    """Frames that are no messages, with a token and cards in them, in every place where a frame can be bad."""
    frames: list[str | bytes] = [
        json.dumps({"t": "hello", "token": token, "seat": "7H"}),
        json.dumps({"t": "hello", "token": token + "x"}),
        json.dumps({"t": token, "cid": token[:40]}),
        json.dumps({"t": "leave", "cid": token[:40]}),
        json.dumps({"t": "leave", "cid": "10S"}),
        f"{token} holds 7H QD 10S",
        '{"t":"act","cid":"x","action":{"act":"lead","card":"7H"},"bout":"' + token + '"}',
    ]
    for frame in frames:
        for greet in (False, True):
            socket = await dial(served.url)
            with contextlib.suppress(ConnectionClosed):
                if greet:
                    await socket.send(json.dumps({"t": "hello", "token": token}))
                await socket.send(frame)
                await asyncio.wait_for(socket.recv(), 5)
            socket.transport.abort()
    packed = await dial(served.url, MSGPACK)
    await packed.send(b"\x81\xa5token" + token.encode())
    with contextlib.suppress(ConnectionClosed):
        await asyncio.wait_for(packed.recv(), 5)
    for line in (f"GET /?token={token} HTTP/1.1\r\nX\r\n\r\n", f"{token}\r\n\r\n", f"GET /t/{token} HTTP/9\r\n\r\n"):
        _, writer = await asyncio.open_connection("127.0.0.1", served.port)
        writer.write(line.encode())
        await writer.drain()
        writer.close()


@pytest.mark.timeout(240)
@pytest.mark.parametrize("form", ["json", "text"])
async def test_all_logs_of_a_busy_run(tmp_path: Path, connect: Connect, form: str) -> None:
    served = Served(tmp_path, "--dev", "--bot-seats", "8", "--log-format", form, "--log-level", "debug", DURAK_SECRET=SECRET)
    served.start()
    try:
        people = [person for number in range(len(GAMES)) for person in await whole_game(served, connect, number)]
        watcher = await connect(served)
        options = {"bot_delay_ms": [0, 10], "close_ms": 20}
        await creates_with_bots(watcher, bots=["normal", "easy"], sit=False, options=options)
        await watcher.until(lambda: (watcher.seq or 0) > 5, 60)
        await misbehave(served, people[0].token)
        victims, table = await started(connect, served)
        another_writes(served, table)
        await victims[0].ask("auto_pass", on=True)
        await victims[0].hears("detached")
        served.restart()
        served.terminate()
    finally:
        served.end()
    log = served.log()
    assert "refused" in log, "the run was not busy"
    assert "table frozen" in log
    assert not CARD.findall(log), log
    host_token = (served.data / "host-token").read_text().strip()
    for token in {person.token for person in [*people, watcher, *victims]} | {host_token}:
        assert token not in log
        assert token[:30] not in log
        assert token.rpartition(".")[2] not in log
    assert SECRET not in log
    if form == "json":
        for line in log.splitlines():
            assert set(json.loads(line)) <= ALLOWED | set(FIELDS), line
