"""The host offers what it has, plays what it is given, comes back after a loss, and ends when told."""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import signal
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from durak.bots.host import command
from durak.bots.host.host import BotHost
from durak.clients import dispatch
from durak.clients.link import LinkClosed, Refused
from durak.protocol.messages import ClientMessage, CloseCode, Error, Hello, Host, Ok, Welcome
from durak.protocol.rules.game import Game
from durak.protocol.rules.ruleset import PRESETS
from tests.bots.fake_table import FakeTable, offer
from tests.clients.link.fake_server import HEARTBEAT_MS, FakeServer, Peer, fake_server


class FakeDesk:
    """A server that gives seats to one host; each seat's connection is a table of its own."""

    def __init__(self) -> None:
        self.host: Peer | None = None
        self.offers: list[Host] = []
        self.offered = asyncio.Event()
        self.tables: dict[str, FakeTable] = {}
        self.refusal: Error | None = None

    async def scene(self, peer: Peer) -> None:
        hello = await peer.read()
        assert isinstance(hello, Hello)
        if hello.token == "host":
            await self.serve_host(peer)
        else:
            table = self.tables[hello.token]
            peer.read = self.first_again(peer, hello)  # type: ignore[method-assign]
            await table.scene(peer)

    def first_again(self, peer: Peer, hello: Hello) -> Callable[[], Coroutine[Any, Any, ClientMessage]]:
        read = peer.read
        told: list[ClientMessage] = [hello]

        async def again() -> ClientMessage:
            return told.pop() if told else await read()

        return again

    async def serve_host(self, peer: Peer) -> None:
        self.host = peer
        await peer.send(Welcome("h", "host", "host", "test", 1, "1.0.0", HEARTBEAT_MS))
        while True:
            message = await peer.read()
            assert isinstance(message, Host)
            self.offers.append(message)
            await peer.send(Ok(message.cid) if self.refusal is None else Error(self.refusal.code, cid=message.cid))
            self.offered.set()

    async def next_offer(self) -> Host:
        self.offered.clear()
        await self.offered.wait()
        return self.offers[-1]

    async def give(self, token: str, level: str = "normal") -> FakeTable:
        """Offer a seat, and wait for its bot."""
        hands = [["6H", "9D", "AC"], ["7D", "8D", "KH"]]
        table = self.tables[token] = FakeTable(Game.position(PRESETS["classic"], trump="S", hands=hands), 0)
        assert self.host is not None
        await self.host.send(offer(level, token=token))
        await asyncio.wait_for(table.attached(), 5)
        return table


@asynccontextmanager
async def hosting(seats: int = 4) -> AsyncIterator[tuple[FakeDesk, BotHost, FakeServer, asyncio.Task[None]]]:
    desk = FakeDesk()
    async with fake_server(desk.scene) as server:
        host = BotHost(server.url, "host", ["easy", "normal"], seats, random.Random(1))
        running = asyncio.create_task(host.run())
        if desk.refusal is None:
            await desk.next_offer()
        yield desk, host, server, running
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


@pytest.mark.looptime
async def test_it_offers_its_levels_and_plays_each_seat_on_a_connection_of_its_own() -> None:
    async with hosting() as (desk, host, server, _):
        assert (desk.offers[0].levels, desk.offers[0].capacity) == (["easy", "normal"], 4)
        tables = [await desk.give(token, level) for token, level in [("a", "easy"), ("b", "normal"), ("c", "normal")]]
        assert (host.seats, server.connections) == (3, 4)
        await asyncio.sleep(4)
        assert all(table.acts for table in tables)


@pytest.mark.looptime
async def test_the_same_offer_twice_is_one_seat_and_an_unknown_level_none() -> None:
    async with hosting() as (desk, host, server, _):
        await desk.give("a")
        assert desk.host is not None
        await desk.host.send(offer(token="a"), offer("hard", token="b"))
        await asyncio.sleep(1)
        assert (host.seats, server.connections) == (1, 2)


@pytest.mark.looptime
async def test_after_a_loss_it_offers_again_what_its_seats_leave_free() -> None:
    async with hosting(seats=2) as (desk, host, _, _):
        first, second = await desk.give("a"), await desk.give("b")
        assert desk.host is not None
        desk.host.drop()
        await asyncio.sleep(2)
        assert len(desk.offers) == 1, "all its seats are played"
        assert first.peer is not None
        await first.peer.close(CloseCode.SEAT_GONE)
        assert (await desk.next_offer()).capacity == 1
        await desk.give("c")
        assert host.seats == 2
        assert second.peer is not None
        await second.peer.close(CloseCode.SEAT_GONE)
        assert (await desk.next_offer()).capacity == 2


@pytest.mark.looptime
async def test_a_server_that_does_not_want_it_ends_it() -> None:
    desk = FakeDesk()
    desk.refusal = Error("not_allowed")
    async with fake_server(desk.scene) as server:
        with pytest.raises(Refused, match="not_allowed"):
            await BotHost(server.url, "host", ["easy"], 1, random.Random(1)).run()


@pytest.mark.looptime
async def test_replaced_for_good_it_ends_and_gives_its_seats_up() -> None:
    async with hosting() as (desk, host, _, running):
        await desk.give("a")
        assert desk.host is not None
        await desk.host.close(CloseCode.BAD_TOKEN)
        with pytest.raises(LinkClosed):
            await asyncio.wait_for(running, 10)
        await asyncio.sleep(0.1)
        assert host.seats == 0


# ---------------------------------------------------------------- the command


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        (["--think-ms", "0"], "[bad_budget]"),
        (["--think-ms", "-20"], "[bad_budget]"),
        (["--think-ms", "nan"], "[bad_budget]"),
        (["--think-ms", "501"], "at most 500"),
        (["--think-ms", "long"], "--think-ms"),
        (["--workers", "0"], "1 to 256"),
        (["--workers", "257"], "1 to 256"),
        (["--levels", "expert"], "[no_such_bot]"),
        (["--levels", ","], "--levels needs"),
        (["--seats", "0"], "1 to 100000"),
        ([], "DURAK_HOST_TOKEN"),
    ],
)
def test_bad_usage_is_told(argv: list[str], told: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DURAK_HOST_TOKEN", raising=False)
    with pytest.raises(SystemExit) as ended:
        dispatch.main(["bots", *argv])
    assert ended.value.code == 2
    assert told in capsys.readouterr().err


def test_help_teaches(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        dispatch.main(["bots", "--help"])
    assert ended.value.code == 0
    out = capsys.readouterr().out
    assert "durak bots --server https://" in out
    assert "DURAK_HOST_TOKEN" in out


def test_the_token_is_read_from_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tokens: list[str] = []

    class Noted(BotHost):
        def __init__(self, url: str, token: str, *rest: object, **more: object) -> None:
            tokens.append(token)
            raise Refused(Error("not_allowed"))

    monkeypatch.setattr(command, "BotHost", Noted)
    (tmp_path / "token").write_text("secret\n")
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    args = parser.parse_args(["--levels", "easy", "--token", str(tmp_path / "token")])
    assert command.run(args) == 1
    assert tokens == ["secret"]


@pytest.mark.parametrize("how", ["terminate", "interrupt", "stdin"])
async def test_told_to_stop_it_leaves_with_status_0(how: str) -> None:
    desk = FakeDesk()
    async with fake_server(desk.scene) as server:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "durak.clients.dispatch", "bots", "--server", server.url, "--until-stdin-closes"),
            stdin=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env={**os.environ, "DURAK_HOST_TOKEN": "host"},
        )
        await asyncio.wait_for(desk.next_offer(), 20)
        await desk.give("a")
        if how == "stdin":
            assert process.stdin is not None
            process.stdin.close()
        else:
            process.send_signal(signal.SIGTERM if how == "terminate" else signal.SIGINT)
        _, said = await asyncio.wait_for(process.communicate() if how != "stdin" else drained(process), 20)
        assert process.returncode == 0
        assert b"Traceback" not in said
        assert b"offering up to" in said


async def drained(process: asyncio.subprocess.Process) -> tuple[bytes, bytes]:
    assert process.stderr is not None
    said = await process.stderr.read()
    await process.wait()
    return b"", said


async def test_a_token_that_opens_nothing_ends_it_with_status_1() -> None:
    async def scene(peer: Peer) -> None:
        await peer.read()
        await peer.close(CloseCode.BAD_TOKEN, "bad_token")

    async with fake_server(scene) as server:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "durak.clients.dispatch", "bots", "--server", server.url),
            stderr=asyncio.subprocess.PIPE,
            env={**os.environ, "DURAK_HOST_TOKEN": "nonsense"},
        )
        _, said = await asyncio.wait_for(process.communicate(), 20)
        assert process.returncode == 1
        assert b"[bad_token]" in said
