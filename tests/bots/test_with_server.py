"""Bots and a real server: another implementation of both standards on each side, whole games."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from durak.clients.link import Link, NameRefused, Refused, guest_token
from durak.protocol.messages import SUBPROTOCOL_JSON, SUBPROTOCOL_MSGPACK, Create, TableState, Update
from durak.protocol.rules.events import GameOver


@asynccontextmanager
async def served(folder: Path) -> AsyncIterator[str]:
    """The address of a server with bots of its own."""
    server = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "durak.clients.dispatch", "serve", "--dev", "--port", "0", "--data", str(folder / "data")),
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        assert server.stdout is not None
        line = await asyncio.wait_for(server.stdout.readline(), 20)
        yield next(word for word in line.decode().split() if word.startswith("http"))
    finally:
        server.terminate()
        await asyncio.wait_for(server.communicate(), 20)


async def create(link: Link, **table: Any) -> None:
    """Create a table, as soon as the bots have arrived."""
    while True:
        try:
            await link.command(Create, **table)
            return
        except Refused as refused:
            if refused.code != "no_bots":
                raise
            await asyncio.sleep(0.1)


@pytest.mark.parametrize("subprotocol", [SUBPROTOCOL_MSGPACK, SUBPROTOCOL_JSON])
async def test_whole_games_of_bots_are_seen_without_a_gap(tmp_path: Path, subprotocol: str) -> None:
    async with served(tmp_path) as url:
        with pytest.raises(NameRefused, match="bad_name"):
            await guest_token(url, " ")
        guest = await guest_token(url, "Ann")
        for preset, players in (("classic", 4), ("gameweave", 3), ("challenge", 2)):
            async with Link(url, guest.token, subprotocol=subprotocol) as link:
                options = {"offer_ms": 0} if preset == "challenge" else {}
                levels = ["easy", "normal"] * 2
                await create(link, preset=preset, bots=levels[:players], sit=False, speed="fast", options=options)
                seqs: list[int] = []
                async with asyncio.timeout(40):
                    async for message in link:
                        if isinstance(message, TableState | Update):
                            seqs.append(message.seq)
                        if isinstance(message, Update) and any(isinstance(event, GameOver) for event in message.events):
                            break
                assert seqs == list(range(seqs[0], seqs[0] + len(seqs)))
                assert link.view is not None
                assert link.view.status == "finished"
