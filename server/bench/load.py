"""Simulated people on real sockets: tables of four, each playing a random legal action at a steady rate.

Runs as a process of its own, so that its work is not counted as the server's:
``python -m durak.server.bench.load URL TABLES RATE SECONDS [SIZES]``. Without SIZES it plays at a Durak server; with SIZES
(bytes of a command, a reply, an update) it sends frames of that size to a bare fan-out. Prints one JSON line after the warm-up,
when measuring begins, and one when it has ended.
"""

import asyncio
import json
import random
import sys
import urllib.request
from collections.abc import Callable
from typing import Any

import msgspec
import websockets

from durak.protocol.messages import SUBPROTOCOL_MSGPACK

SEATS = 4
CONNECTS_AT_ONCE = 50
UPDATE, TABLE = b"\xa1t\xa6update", b"\xa1t\xa5table"
"""How these messages begin, after the number of their fields."""
PUBLIC_ACTIONS = ("pass", "redeal", "keep")


class Person:
    """One connection; keeps the last state it was sent, unread until it is needed."""

    def __init__(self, socket: websockets.ClientConnection) -> None:
        self.socket = socket
        self.last = b""
        self.frames = 0
        self.bytes = 0
        self.updates = 0
        self.changed = asyncio.Event()
        self.reading = asyncio.create_task(self.read())

    async def read(self) -> None:
        """Count what comes and keep the last update."""
        async for frame in self.socket:
            assert isinstance(frame, bytes)
            self.frames += 1
            self.bytes += len(frame)
            if frame[:1] == b"u" or frame.startswith(UPDATE, 1):
                self.updates += 1
            if frame.startswith((UPDATE, TABLE), 1):
                self.last = frame
                self.changed.set()

    async def until(self, found: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Wait for a state of the table in which this is found."""
        while not self.last or not found(self.view()):
            self.changed.clear()
            await self.changed.wait()
        return self.view()

    async def send(self, message: dict[str, Any]) -> int:
        """Send a message; returns its size."""
        frame = msgspec.msgpack.encode(message)
        await self.socket.send(frame)
        return len(frame)

    def view(self) -> dict[str, Any]:
        """The table as it was last seen."""
        view: dict[str, Any] = msgspec.msgpack.decode(self.last)["view"]
        return view


class Played:
    """What was sent."""

    def __init__(self) -> None:
        self.actions = 0
        self.bytes = 0


def guest_token(url: str, name: str) -> str:
    """A token from the server."""
    request = urllib.request.Request(f"{url}/api/guest", json.dumps({"name": name}).encode(), method="POST")
    with urllib.request.urlopen(request) as response:
        return str(json.load(response)["token"])


async def connect(url: str, path: str) -> Person:
    """An open connection."""
    address = url.replace("http", "ws", 1) + path
    protocols = [websockets.Subprotocol(SUBPROTOCOL_MSGPACK)]
    return Person(await websockets.connect(address, subprotocols=protocols, compression=None, ping_interval=None, max_queue=None))


async def seat_people(url: str, number: int) -> list[Person]:
    """A table of four, started."""
    people = []
    for seat in range(SEATS):
        token = await asyncio.to_thread(guest_token, url, f"p{number}-{seat}")
        person = await connect(url, "/ws")
        await person.send({"t": "hello", "token": token})
        people.append(person)
    options = {"max_players": SEATS, "close_ms": 0, "turn_clock_s": 60}
    await people[0].send({"t": "create", "cid": "c", "options": options, "private": True})
    table = (await people[0].until(lambda view: True))["table"]
    for person in people[1:]:
        await person.send({"t": "join", "cid": "j", "table": table})
        await person.until(lambda view: True)
    await people[0].send({"t": "start", "cid": "s"})
    for person in people:
        await person.until(lambda view: view["game"] is not None)
    return people


async def play(people: list[Person], rate: float, played: Played, rng: random.Random) -> None:
    """One random legal action after another, at a steady rate; a finished game goes into a rematch."""
    loop = asyncio.get_running_loop()
    due = loop.time() + rng.random() / rate
    number = 0
    while True:
        await asyncio.sleep(max(0.0, due - loop.time()))
        due += 1 / rate
        views = [person.view() for person in people]
        number += 1
        if views[0]["game"]["result"]:
            for person in people:
                await person.send({"t": "rematch", "cid": f"r{number}"})
            continue
        choices = [(seat, action) for seat, view in enumerate(views) for action in view["game"]["legal"]]
        if choices:
            seat, action = rng.choice(choices)
            game = views[seat]["game"]
            message = {"t": "act", "cid": f"a{number}", "bout": game["bout"], "action": action}
            if action["act"] in PUBLIC_ACTIONS:
                message["epoch"] = game["epoch"]
            played.bytes += await people[seat].send(message)
            played.actions += 1


async def fan_out(people: list[Person], rate: float, played: Played, rng: random.Random, size: int) -> None:
    """Frames of one size at the same rate."""
    loop = asyncio.get_running_loop()
    due = loop.time() + rng.random() / rate
    frame = b"x" * size
    while True:
        await asyncio.sleep(max(0.0, due - loop.time()))
        due += 1 / rate
        await rng.choice(people).socket.send(frame)
        played.actions += 1


def counted(played: Played, people: list[Person]) -> dict[str, int]:
    """What was sent and received so far."""
    return {
        "commands": played.actions,
        "sent": played.bytes,
        "frames": sum(person.frames for person in people),
        "received": sum(person.bytes for person in people),
        "updates": sum(person.updates for person in people),
    }


async def main(url: str, tables: int, rate: float, seconds: float, sizes: list[int]) -> None:
    """Connect, warm up, measure."""
    rng = random.Random(1)
    gate = asyncio.Semaphore(CONNECTS_AT_ONCE)

    async def party(number: int) -> list[Person]:
        async with gate:
            if sizes:
                return [await connect(url, f"/fan/{number}") for _ in range(SEATS)]
            return await seat_people(url, number)

    parties = await asyncio.gather(*(party(number) for number in range(tables)))
    played = Played()
    playing = [
        asyncio.create_task(fan_out(people, rate, played, rng, sizes[0]) if sizes else play(people, rate, played, rng))
        for people in parties
    ]
    await asyncio.sleep(2)
    people = [person for party in parties for person in party]
    before = counted(played, people)
    print(json.dumps({}), flush=True)
    await asyncio.sleep(seconds)
    did = {key: value - before[key] for key, value in counted(played, people).items()}
    print(json.dumps({**did, "broken": sum(task.done() for task in playing)}), flush=True)
    for task in playing:
        task.cancel()


if __name__ == "__main__":
    import uvloop

    _, _url, _tables, _rate, _seconds, *_sizes = sys.argv
    uvloop.run(main(_url, int(_tables), float(_rate), float(_seconds), [int(size) for size in _sizes]))
