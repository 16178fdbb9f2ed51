"""Simulated people on real sockets, open-loop: each table acts at moments fixed beforehand, however long the server takes.

Runs as a process of its own, so that its work is not counted as the server's: ``python -m durak.server.bench.load PLAN``, where
PLAN is the JSON of a `Plan`. It prints a JSON line whenever more are connected and when all are; a line on its standard input
lets it begin; after the warm-up and the measured time it prints a `Heard`.
"""

import asyncio
import random
import sys
from collections import deque

import aiohttp
import msgspec

from durak.protocol.messages import SUBPROTOCOL_MSGPACK

CONNECTS_AT_ONCE = 40
WARM_UP_S = 2.0
AFTERWARDS_S = 1.0
"""How long what is still on its way at the end is waited for."""
PUBLIC_ACTIONS = ("pass", "redeal", "keep")


class Plan(msgspec.Struct):
    """What one process does. With `sizes` (bytes of a command, a reply, an update) it plays at a bare fan-out, else at Durak."""

    url: str
    tables: int
    seats: int
    rate: float
    """Actions a second of each person."""
    seconds: float
    seed: int
    spectators: int = 0
    """At its first table."""
    idle: int = 0
    """Connections that say hello and nothing else."""
    sizes: tuple[int, int, int] | None = None


class Heard(msgspec.Struct):
    """What came of it in the measured time. Latencies in microseconds, counted from the moment an action was due."""

    actions: int = 0
    refused: int = 0
    unanswered: int = 0
    nothing_to_do: int = 0
    """Moments at which nobody at the table had a legal action."""
    sent_bytes: int = 0
    updates: int = 0
    update_bytes: int = 0
    ack_us: list[int] = []
    broadcast_us: list[int] = []
    late_us: list[int] = []
    broken: int = 0
    """Tables whose people have failed."""
    failure: str = ""


class Brief(msgspec.Struct):
    """The beginning of a server's message."""

    t: str
    seq: int = 0
    cid: str = ""


class Seen(msgspec.Struct):
    """The part of a game's view that a random player needs."""

    legal: list[dict[str, str]]
    bout: int
    epoch: int
    result: object


class SeenView(msgspec.Struct):
    """The part of a view that matters here."""

    game: Seen | None


class SeenState(msgspec.Struct):
    """The part of a state of the table that matters here."""

    view: SeenView


class Created(msgspec.Struct):
    """The answer to `create`."""

    t: str
    table: str = ""


brief = msgspec.msgpack.Decoder(Brief)
state = msgspec.msgpack.Decoder(SeenState)
encode = msgspec.msgpack.Encoder().encode


class Person:
    """One connection, and the last state it was sent, unread until it is needed."""

    def __init__(self, party: "Party | None", socket: aiohttp.ClientWebSocketResponse) -> None:
        self.party = party
        self.socket = socket
        self.last = b""
        self.answers: asyncio.Queue[bytes] = asyncio.Queue()
        self.changed = asyncio.Event()
        self.dues: deque[float] = deque()  # of frames to a fan-out without reply

    async def read(self) -> None:
        """Hear what comes, to the end."""
        loop = asyncio.get_running_loop()
        async for message in self.socket:
            frame = message.data
            if self.party is not None:
                self.party.hear(self, frame, loop.time())
        raise ConnectionError(f"closed with {self.socket.close_code}")

    async def send(self, frame: bytes) -> None:
        """Send a frame."""
        await self.socket.send_bytes(frame)

    def game(self) -> Seen | None:
        """The game as it was last seen."""
        return state.decode(self.last).view.game

    async def shown(self, *, game: bool) -> None:
        """Wait for the table; with `game`, until it is dealt."""
        while not self.last or (game and self.game() is None):
            self.changed.clear()
            await self.changed.wait()


class Party:
    """The people at one table."""

    def __init__(self, plan: Plan, rng: random.Random) -> None:
        self.heard = Heard()
        self.people: list[Person] = []
        self.viewers = 0
        self.measuring = False
        self._plan = plan
        self._rng = rng
        self._due: dict[str, float] = {}  # by command id
        self._acted: dict[int, float] = {}  # by sequence number, when it was due
        self._told: dict[int, tuple[int, float]] = {}  # by sequence number: how many viewers have it, and since when

    def hear(self, person: Person, frame: bytes, now: float) -> None:
        """Take a frame."""
        if self._plan.sizes is not None:
            self._hear_fan_out(person, frame, now)
            return
        message = brief.decode(frame)
        if message.t == "update":
            person.last = frame
            person.changed.set()
            self.heard.updates += 1
            self.heard.update_bytes += len(frame)
            count, _ = self._told.get(message.seq, (0, 0.0))
            self._told[message.seq] = (count + 1, now)
            self._broadcast(message.seq)
        elif message.t == "table":
            person.last = frame
            person.changed.set()
        elif message.cid in self._due:
            due = self._due.pop(message.cid)
            if message.t == "ok":
                self._acted[message.seq] = due
                self._broadcast(message.seq)
            self._answered(message.t == "ok", now - due)
        elif message.cid:
            person.answers.put_nowait(frame)

    def _answered(self, accepted: bool, seconds: float) -> None:
        if self.measuring:
            self.heard.actions += accepted
            self.heard.refused += not accepted
            self.heard.ack_us.append(round(seconds * 1e6))

    def _broadcast(self, seq: int) -> None:
        """If an action is answered and everybody has its update, note how long that took."""
        count, at = self._told.get(seq, (0, 0.0))
        if count >= self.viewers:
            self._told.pop(seq)
            due = self._acted.pop(seq, None)
            if due is not None and self.measuring:
                self.heard.broadcast_us.append(round((at - due) * 1e6))

    def _hear_fan_out(self, person: Person, frame: bytes, now: float) -> None:
        if frame[:1] == b"u":
            self.heard.updates += 1
            self.heard.update_bytes += len(frame)
        else:
            self._answered(True, now - person.dues.popleft())

    async def play(self) -> None:
        """Act at moments fixed beforehand."""
        loop = asyncio.get_running_loop()
        every = 1 / (self._plan.rate * self._plan.seats)
        due = loop.time() + self._rng.random() * every
        number = 0
        while True:
            await asyncio.sleep(max(0.0, due - loop.time()))
            counted_from = min(due, loop.time())  # timers of whole milliseconds may be early
            if self.measuring:
                self.heard.late_us.append(round((loop.time() - counted_from) * 1e6))
            number += 1
            await (self._fan_out(counted_from) if self._plan.sizes is not None else self._act(counted_from, number))
            due += every

    async def _act(self, due: float, number: int) -> None:
        """One random legal action; a finished game goes into a rematch."""
        games = [person.game() for person in self.people]
        first = games[0]
        if first is not None and first.result:
            for person in self.people:
                await person.send(encode({"t": "rematch", "cid": f"r{number}"}))
            return
        choices = [(seat, action) for seat, game in enumerate(games) if game is not None for action in game.legal]
        if not choices:
            self.heard.nothing_to_do += self.measuring
            return
        seat, action = self._rng.choice(choices)
        game = games[seat]
        assert game is not None
        command = {"t": "act", "cid": f"a{number}", "bout": game.bout, "action": action}
        if action["act"] in PUBLIC_ACTIONS:
            command["epoch"] = game.epoch
        self._due[f"a{number}"] = due
        await self._send(self.people[seat], encode(command))

    async def _fan_out(self, due: float) -> None:
        assert self._plan.sizes is not None
        person = self._rng.choice(self.people)
        person.dues.append(due)
        await self._send(person, b"x" * self._plan.sizes[0])

    async def _send(self, person: Person, frame: bytes) -> None:
        if self.measuring:
            self.heard.sent_bytes += len(frame)
        await person.send(frame)

    def begin(self) -> None:
        """From now on it counts."""
        self.measuring = True
        self.heard = Heard()

    def end(self) -> None:
        """What is answered from now on counts no more, but for what was asked before."""
        self.heard.unanswered = len(self._due) + sum(len(person.dues) for person in self.people)


class Load:
    """All that one process does."""

    def __init__(self, plan: Plan, session: aiohttp.ClientSession) -> None:
        self._plan = plan
        self._session = session
        self._gate = asyncio.Semaphore(CONNECTS_AT_ONCE)
        self._reading: list[asyncio.Task[None]] = []
        self._rng = random.Random(plan.seed)

    async def connect(self, party: Party | None, path: str) -> Person:
        """An open connection."""
        socket = await self._session.ws_connect(
            self._plan.url + path, protocols=[SUBPROTOCOL_MSGPACK], autoclose=False, max_msg_size=0
        )
        person = Person(party, socket)
        self._reading.append(asyncio.create_task(person.read()))
        return person

    async def guest(self, party: Party | None) -> Person:
        """A connection that has said hello."""
        async with self._session.post(f"{self._plan.url}/api/guest", json={"name": "Load"}) as response:
            token = (await response.json())["token"]
        person = await self.connect(party, "/ws")
        await person.send(encode({"t": "hello", "token": token}))
        return person

    async def seat_party(self, number: int) -> Party:
        """A table with its people, dealt."""
        plan = self._plan
        party = Party(plan, random.Random(self._rng.random()))
        async with self._gate:
            if plan.sizes is not None:
                party.people = [await self.connect(party, f"/fan/{number}") for _ in range(plan.seats)]
                return party
            party.people = [await self.guest(party) for _ in range(plan.seats)]
            first = party.people[0]
            options = {"max_players": plan.seats, "close_ms": 0, "turn_clock_s": 60}
            await first.send(encode({"t": "create", "cid": "c", "options": options, "private": True}))
            table = msgspec.msgpack.decode(await first.answers.get(), type=Created).table
            for person in party.people[1:]:
                await person.send(encode({"t": "join", "cid": "j", "table": table}))
                await person.shown(game=False)
            party.viewers = plan.seats
            await first.send(encode({"t": "start", "cid": "s"}))
            for person in party.people:
                await person.shown(game=True)
        if number == 0:
            for _ in range(plan.spectators):
                spectator = await self.guest(party)
                await spectator.send(encode({"t": "watch", "cid": "w", "table": table}))
                await spectator.shown(game=True)
            party.viewers += plan.spectators
        return party

    async def seat_idler(self) -> None:
        """Somebody who only says hello."""
        async with self._gate:
            await self.guest(None)

    async def run(self) -> Heard:
        """Connect, wait for the word, warm up, measure."""
        plan = self._plan
        parties = []
        for seated in asyncio.as_completed([self.seat_party(number) for number in range(plan.tables)]):
            parties.append(await seated)
            tell({"connected": plan.seats})
        for came in asyncio.as_completed([self.seat_idler() for _ in range(plan.idle)]):
            await came
            tell({"connected": 1})
        tell({"ready": True})
        await asyncio.to_thread(sys.stdin.readline)
        playing = [asyncio.create_task(party.play()) for party in parties]
        await asyncio.sleep(WARM_UP_S)
        for party in parties:
            party.begin()
        await asyncio.sleep(plan.seconds)
        for task in playing:
            task.cancel()
        await asyncio.sleep(AFTERWARDS_S)
        for party in parties:
            party.end()
        ended = await asyncio.gather(*playing, return_exceptions=True)
        lost = [task.exception() for task in self._reading if task.done()]
        failures = [error for error in ended + lost if error is not None and not isinstance(error, asyncio.CancelledError)]
        total = added([party.heard for party in parties])
        total.broken, total.failure = len(failures), repr(failures[0]) if failures else ""
        for task in self._reading:
            task.cancel()
        return total


def added(parts: list[Heard]) -> Heard:
    """The sum of what was heard."""
    total = Heard()
    for part in parts:
        for name in ("actions", "refused", "unanswered", "nothing_to_do", "sent_bytes", "updates", "update_bytes"):
            setattr(total, name, getattr(total, name) + getattr(part, name))
        total.ack_us += part.ack_us
        total.broadcast_us += part.broadcast_us
        total.late_us += part.late_us
        total.broken += part.broken
        total.failure = total.failure or part.failure
    return total


def tell(what: object) -> None:
    """A line for the process that waits for it."""
    sys.stdout.write(msgspec.json.encode(what).decode() + "\n")
    sys.stdout.flush()


async def main(plan: Plan) -> None:
    """Carry out a plan."""
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        tell(await Load(plan, session).run())


if __name__ == "__main__":
    import uvloop

    uvloop.run(main(msgspec.json.decode(sys.argv[1], type=Plan)))
