"""A player who never gives up: comes back after every loss, repeats what was not answered, and keeps a log of it all."""

from __future__ import annotations

import asyncio
import itertools
import random
from typing import Any

from websockets.exceptions import InvalidHandshake, WebSocketException

from tests.system.client import Client, Message, guest_token
from tests.system.folding import Folded
from tests.system.serving import Served
from tests.system.tables import playing

PAUSE_S = 0.02


class PersistentPlayer:
    """Plays one chair as fast as answers come, over any number of connections.

    `acked`: command id -> sequence number; `refused`: ids that were refused; `events`: all events by sequence number.
    """

    def __init__(self, url: str, name: str, token: str, table: str, rng: random.Random) -> None:
        self.url = url
        self.name = name
        self.token = token
        self.table = table
        self.player = ""
        self.acked: dict[str, int] = {}
        self.refused: set[str] = set()
        self.events: dict[int, list[Message]] = {}
        self.seq: int | None = None
        self.skipped: list[tuple[int, int]] = []
        self.resumed: list[str] = []
        self.repeated = 0
        self._rng = rng
        self._pending: Message | None = None
        self._number = 0

    async def run(self, stop: asyncio.Event) -> None:
        """Play until told to stop; the last command is answered by then, or still unanswered."""
        while not stop.is_set():
            try:
                client = await Client.open(self.url, token=self.token, table=self.table, seq=self.seq)
            except (OSError, AssertionError, WebSocketException, InvalidHandshake, TimeoutError):
                await asyncio.sleep(PAUSE_S)
                continue
            self.player = client.player
            self._compare(client)
            try:
                await self._play(client, stop)
            finally:
                self._keep(client)
                await client.drop()
                if client.failure is not None:
                    raise client.failure

    def _compare(self, client: Client) -> None:
        """On attaching: nothing that was told before is taken back."""
        state = next((message for message in client.told if message["t"] == "table"), None)
        assert state is not None, f"{self.name} is not shown the table: {client.told}"
        if self.seq is None:
            return
        self.resumed.append(state["resumed"])
        assert state["seq"] >= self.seq, f"{self.name}: the table went back from {self.seq} to {state['seq']}"
        if state["resumed"] == "events":
            assert all(one["seq"] > self.seq for one in state["missed"])
        else:
            first = state["missed"][0]["seq"]
            assert first > self.seq + 1, "a snapshot although nothing before the game is missing"
            self.skipped.append((self.seq, first))

    def _keep(self, client: Client) -> None:
        for seq, events in client.events.items():
            assert self.events.get(seq, events) == events, f"{self.name}: {seq} was told differently"
            self.events[seq] = events
        if client.seq is not None:
            self.seq = client.seq

    async def _play(self, client: Client, stop: asyncio.Event) -> None:
        while not stop.is_set() and client.closed is None:
            if self._pending is None:
                self._pending = self._next(client)
            else:
                self.repeated += 1
            try:
                if self._pending is None:
                    seq = client.seq
                    await client.until(lambda seq=seq: client.seq != seq or stop.is_set(), timeout_s=600)
                    continue
                cid = self._pending["cid"]
                await client.send(self._pending)
                answer = await client.until(lambda cid=cid: client.answers.get(cid), timeout_s=60)
            except (AssertionError, WebSocketException):
                if client.closed is None:
                    raise
                return
            self._pending = None
            if answer["t"] == "ok":
                self.acked[cid] = answer["seq"]
                await self._seen(client, answer["seq"])
            else:
                self.refused.add(cid)

    async def _seen(self, client: Client, seq: int) -> None:
        """Wait for what was just acknowledged."""
        try:
            await client.until(lambda: (client.seq or 0) >= seq, timeout_s=60)
        except AssertionError:
            if client.closed is None:
                raise

    def _next(self, client: Client) -> Message | None:
        assert client.view is not None
        command: dict[str, Any]
        if playing(client) and client.legal:
            command = {"t": "act", "action": self._rng.choice(client.legal), "bout": client.game["bout"]}
            command["epoch"] = client.game["epoch"]
        elif "rematch" in client.view["you"]["can"]:
            command = {"t": "rematch"}
        else:
            return None
        self._number += 1
        return {**command, "cid": f"{self.name}-{self._number}"}


async def opened_table(
    served: Served, name: str, people: int, rng: random.Random, *, bots: int = 0, **options: Any
) -> list[PersistentPlayer]:
    """The people of a table whose game has begun, with so many bots."""
    tokens = [await guest_token(served.url, f"{name}-{chair}") for chair in range(people)]
    clients = [await Client.open(served.url, token=token) for token in tokens]
    table = await clients[0].create(options={"max_players": people + bots, **options}, bots=["easy"] * bots)
    for client in clients[1:]:
        await client.join(table)
    await clients[0].ok("start")
    for client in clients:
        await client.drop()
    return [
        PersistentPlayer(served.url, f"{name}-{chair}", token, table, random.Random(rng.random()))
        for chair, token in enumerate(tokens)
    ]


def hold_against(journals: dict[str, Folded], player: PersistentPlayer) -> None:
    """A player's log against the journal: what was acknowledged was played once, and all that was told is what happened."""
    journal = journals[player.table]
    for cid, seq in player.acked.items():
        assert journal.commands.get((player.player, cid)) == [seq], f"{player.name} {cid}: acknowledged as {seq}"
    for cid in player.refused:
        assert (player.player, cid) not in journal.commands, f"{player.name} {cid}: refused, and yet played"

    truth = journal.events_for(player.player)
    for seq, events in player.events.items():
        assert truth[seq] == events, f"{player.name}: {seq} was told differently"
    numbers = sorted(player.events)
    gaps = [(seq, later) for seq, later in itertools.pairwise(numbers) if later != seq + 1]
    assert all(any(last <= seq and later <= first for last, first in player.skipped) for seq, later in gaps), gaps
