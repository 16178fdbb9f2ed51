"""A simulated person: opens tabs, sits down, plays well and badly, leaves and comes back, and remembers all it was told."""

import asyncio
from dataclasses import dataclass, field

from msgspec.structs import replace

from durak.clients.link import LeftOut, Link, LinkError, Refused
from durak.protocol.messages import (
    SUBPROTOCOL_JSON,
    SUBPROTOCOL_MSGPACK,
    Detached,
    Fill,
    Join,
    LeaveTable,
    Lobby,
    Rematch,
    SeqEvents,
    ServerMessage,
    Start,
    TableState,
    TableView,
    Update,
    ViewerEvent,
    Watch,
)
from durak.protocol.rules.view import DealtSeen, DrewSeen
from durak.server.people.tokens import Identity
from durak.server.simulation.chance import Chance, token_for
from durak.server.simulation.choices import Make, act, leaving, nonsense, random_bots, random_table, sensible, whim
from durak.server.simulation.network import Network
from durak.server.simulation.referee import Referee
from durak.server.simulation.truth import is_private

PATIENCE_S = 600.0
"""A command that has no answer by then will never have one."""
EXPECTED_ENDS = ("replaced", "closed")


@dataclass(slots=True)
class Board:
    """What people tell each other: the codes of their tables, one entry per party, and whether it is time to go home."""

    tables: list[str | None]
    seats: list[int]
    parties: list[int]
    """How many persons are to sit there."""
    games: int
    dev: bool
    calm: bool = False
    made: int = 0


@dataclass(slots=True)
class Temper:
    """How a person is. Probabilities are per thought; `waits`: to act only when the clock is about to run out."""

    think_s: float
    waits: float
    mistakes: float
    whims: float
    leaves: float


class Tab:
    """One link of a person, and its log: by table and sequence number, the events told."""

    def __init__(self, person: "Person", number: int, table: str | None) -> None:
        rng = person.chance.of(person.name, "tab", number)
        self.log: dict[str, dict[int, list[ViewerEvent]]] = {}
        self.ended: str | None = None
        self._person = person
        self.link = Link(
            "simulated",
            person.token,
            table,
            subprotocol=rng.choice((SUBPROTOCOL_JSON, SUBPROTOCOL_MSGPACK, SUBPROTOCOL_MSGPACK)),
            patient=True,
            rng=rng,
            dial=person.network.dialer(f"{person.name}.{number}"),
            on_connection=self._connection,
        )
        self.reading = asyncio.ensure_future(self._read())

    async def _read(self) -> None:
        try:
            await self.link.open()
            async for message in self.link:
                if isinstance(message, LeftOut):
                    self._person.referee.report(f"{self._person.name}: both ends are of one version, and yet {message}")
                else:
                    self._hear(message)
            self.ended = "closed"
        except LinkError as error:
            self.ended = error.code
            if error.code not in EXPECTED_ENDS:
                self._person.referee.report(f"{self._person.name}: the link ends with {error}")
        self._person.tab_ended(self)

    def _connection(self, lost: LinkError | None) -> None:
        if lost is not None and lost.code not in ("lost", "silent", "connection_refused", "unreachable"):
            self._person.referee.report(f"{self._person.name}: {lost}")

    def _hear(self, message: ServerMessage) -> None:
        match message:
            case TableState(missed=missed, view=view, resumed=resumed):
                self._person.shown(view)
                if resumed == "snapshot":
                    self._compare(view.table, missed)
                else:
                    for one in missed:
                        self._add(view.table, one)
            case Update(seq=seq, events=list(events)):
                shown = self.link.view
                assert shown is not None, "a link hands on no update before the table"
                self._person.shown(shown)
                self._add(shown.table, SeqEvents(seq, events))
            case Detached():
                self._person.detached(message.reason)
            case _:
                pass

    def _add(self, table: str, change: SeqEvents) -> None:
        self.log.setdefault(table, {}).setdefault(change.seq, []).extend(change.events)

    def _compare(self, table: str, missed: list[SeqEvents]) -> None:
        """A snapshot tells the game from its beginning, as it was told before."""
        again: dict[int, list[ViewerEvent]] = {}
        for one in missed:
            again.setdefault(one.seq, []).extend(one.events)
        log = self.log.setdefault(table, {})
        for seq, events in again.items():
            if seq in log and public(log[seq]) != public(events):
                self._person.referee.report(f"{self._person.name}: {seq} of {table} is told differently")
        log.update(again)

    def hold_against(self, referee: Referee) -> None:
        """All that was told is what happened, as this person may see it."""
        for table, log in self.log.items():
            truth = referee.truths[table]
            for seq, events in log.items():
                true = truth.events_for(self._person.player, seq)
                if public(true) != public(events) or names_more(events, true):
                    referee.report(f"{self._person.name} was told of {seq} at {table}: {events}; it was {true}")
                    return


def public(events: list[ViewerEvent]) -> list[ViewerEvent]:
    """What everybody is told of, without what only one seat sees: who gives a chair up looks on from then, also at the past."""
    shown: list[ViewerEvent] = []
    for event in events:
        match event:
            case DealtSeen():
                shown.append(replace(event, hand=None))
            case DrewSeen():
                shown.append(replace(event, cards=None))
            case _ if not is_private(event):
                shown.append(event)
            case _:
                pass
    return shown


def names_more(heard: list[ViewerEvent], true: list[ViewerEvent]) -> bool:
    """True if an event tells a viewer what it may not know."""
    return any(event not in true and event not in public(true) for event in heard)


@dataclass(eq=False)
class Person:
    """Belongs to a party at the board; without a chair (`looks_on`) it watches."""

    name: str
    party: int
    looks_on: bool
    temper: Temper
    board: Board
    chance: Chance
    network: Network
    referee: Referee
    is_host: bool = False
    player: str = field(init=False)
    token: str = field(init=False)
    tabs: list[Tab] = field(default_factory=list)
    home: bool = False

    def __post_init__(self) -> None:
        self.player = f"guest:{self.name}"
        self.token = token_for(Identity(self.player, self.name))
        self._rng = self.chance.of(self.name)
        self._commands = 0

    # ---------------------------------------------------------------- tabs

    @property
    def tab(self) -> Tab:
        """The one in front."""
        return self.tabs[-1]

    def open_tab(self) -> None:
        """Open a tab, another one if there is one already; it takes the seat over."""
        table = self.tab.link.table if self.tabs else None
        self.tabs.append(Tab(self, len(self.tabs), table))

    def tab_ended(self, tab: Tab) -> None:
        """A tab has been closed by the server: if no other is in front, open one."""
        if tab is self.tab and not self.home:
            self.open_tab()

    def shown(self, view: TableView) -> None:
        """A table is shown."""

    def detached(self, reason: str) -> None:
        """The table is gone, or was left."""

    # ---------------------------------------------------------------- life

    async def live(self) -> None:
        """Play until it is time to go home and the game is over."""
        self.open_tab()
        while not self.home:
            await asyncio.sleep(self._thinking_s())
            make = self._choose()
            if make is not None and not self.home:
                await self._say(make)
        for tab in self.tabs:
            await tab.link.close()
            await tab.reading

    def _thinking_s(self) -> float:
        if self.board.calm:
            return self._rng.expovariate(2.0)
        clock = None if self.tab.link.view is None else self.tab.link.view.clock
        if clock is not None and self._rng.random() < self.temper.waits:
            return max(0.0, clock.ms / 1_000 + self._rng.choice((-0.1, -0.05, -0.02, 0.0, 0.02)) * self._rng.random())
        return self._rng.expovariate(1 / self.temper.think_s)

    async def _say(self, make: Make) -> None:
        link = self.tab.link
        try:
            async with asyncio.timeout(PATIENCE_S):
                ok = await link.command(make)
        except Refused as refused:
            self.referee.seen[f"refused {refused.code}"] += 1
            if refused.code in ("no_such_table", "frozen"):
                self._table_is_gone()
        except LinkError:
            pass
        except TimeoutError:
            self.referee.report(f"{self.name}: a command was never answered")
        else:
            if ok.table is not None and self.is_host and self.board.tables[self.party] is None:
                self.board.tables[self.party] = ok.table

    def _table_is_gone(self) -> None:
        if self.is_host:
            self.board.tables[self.party] = None

    # ---------------------------------------------------------------- choosing

    def _choose(self) -> Make | None:
        view = self.tab.link.view
        if self.board.calm:
            return self._finish(view)
        if view is None:
            return self._find_table()
        if self._rng.random() < self.temper.whims:
            return whim(self._rng, view)
        if view.you.chair is None:
            return self._look_on(view)
        if view.status == "playing":
            return self._play(view)
        if self._rng.random() < self.temper.leaves:
            return leaving(self._rng, view)
        if view.status == "open":
            return self._begin(view)
        if view.games < self.board.games and "rematch" in view.you.can:
            return Rematch
        return None

    def _find_table(self) -> Make | None:
        rng, board = self._rng, self.board
        table = board.tables[self.party]
        if rng.random() < 0.1:
            on = rng.random() < 0.6
            return lambda cid: Lobby(cid, on)
        if table is not None:
            if self.looks_on or rng.random() < 0.05:
                return lambda cid: Watch(cid, table)
            chair = rng.choice((None, None, None, rng.randrange(6)))
            return lambda cid: Join(cid, table, chair)
        if not self.is_host or board.made >= 4:
            return None
        board.made += 1
        seats = board.seats[self.party]
        bots = seats - board.parties[self.party]
        at_once = random_bots(rng, bots) if bots and rng.random() < 0.4 else []
        return random_table(rng, seats, at_once, sit=len(at_once) < 2 or rng.random() < 0.9, dev=board.dev)

    def _look_on(self, view: TableView) -> Make | None:
        if "join" in view.you.can and not self.looks_on and self._rng.random() < 0.5:
            return lambda cid: Join(cid, view.table)
        if self._rng.random() < 0.03:
            return LeaveTable
        return None

    def _begin(self, view: TableView) -> Make | None:
        rng, party = self._rng, self.party
        persons = sum(1 for chair in view.chairs if chair.kind == "person")
        if "start" in view.you.can and (persons >= self.board.parties[party] or rng.random() < 0.02):
            free = view.rules.max_players - len(view.chairs)
            if free and "fill" in view.you.can and rng.random() < 0.7:
                bots = random_bots(rng, free)
                return lambda cid: Fill(cid, bots)
            return Start
        if "fill" in view.you.can and self.board.parties[party] == 1:
            bots = random_bots(rng, 1)
            return lambda cid: Fill(cid, bots)
        return None

    def _play(self, view: TableView) -> Make | None:
        rng, game = self._rng, view.game
        if "join" in view.you.can:  # has left: a bot plays on
            return (lambda cid: Join(cid, view.table)) if rng.random() < 0.2 else None
        if game is None:
            return None
        if rng.random() < self.temper.leaves:
            return leaving(rng, view)
        if rng.random() < self.temper.mistakes:
            return nonsense(rng, game)
        return act(game, sensible(rng, game)) if game.legal else None

    def _finish(self, view: TableView | None) -> Make | None:
        """Time to go home: bring the game to its end and leave."""
        if not self.tab.link.connected:
            return None
        if view is None or view.you.chair is None or "join" in view.you.can:
            self.home = True
            return None
        if view.status != "playing":
            return LeaveTable
        game = view.game
        return act(game, sensible(self._rng, game)) if game is not None and game.legal else None
