"""The desk of the bots: which seats need a bot, and which host plays each.

Bots are clients: the desk only sends a host the offer of a seat, with a token for it, and the bot then connects like anybody.
"""

from dataclasses import dataclass, field

from durak.protocol.messages import CloseCode, Level, SeatOffer
from durak.server.edge.connection import Session
from durak.server.given.clock import Clock
from durak.server.given.meter import Meter
from durak.server.people.tokens import Identity, Tokens
from durak.server.table.chairs import STAND_IN_LEVEL, stand_in_of
from durak.server.table.machine import Table

MAX_PENDING_OFFERS = 32
"""Offers that a host has not answered with a bot; more would only fill its outbox."""
OFFER_AGAIN_MS = 10_000
"""A seat whose bot has not connected by then is offered again."""

SeatKey = tuple[str, str]
"""Table and the bot's player id."""


@dataclass(slots=True, eq=False)
class BotHost:
    """A connected host, the seats it has been offered in their order, and those of them whose bots have not come yet."""

    session: Session
    levels: frozenset[Level]
    capacity: int
    seats: dict[SeatKey, None] = field(default_factory=dict)
    pending: dict[SeatKey, None] = field(default_factory=dict)

    @property
    def room(self) -> int:
        """How many more seats it would play."""
        return max(0, self.capacity - len(self.seats))

    def forget(self, key: SeatKey) -> None:
        """The seat is not this host's any more."""
        self.seats.pop(key, None)
        self.pending.pop(key, None)


@dataclass(slots=True)
class Assignment:
    """A seat that needs a bot: who was asked when, and the bot's connection once it is there."""

    level: Level
    name: str
    host: BotHost | None = None
    offered_ms: int = 0
    session: Session | None = None


def seats_for_bots(table: Table) -> dict[str, tuple[Level, str]]:
    """The players that must be bots now, with level and name: bots' chairs, and stand-ins for leavers (RULES 1.22)."""
    needed: dict[str, tuple[Level, str]] = {}
    kernel = None if table.game is None or table.status != "playing" else table.game.kernel
    for chair, occupant in table.occupants():
        if occupant.kind == "bot" and not occupant.left:
            needed[occupant.player] = (occupant.level or STAND_IN_LEVEL, occupant.name)
        elif occupant.left and kernel is not None and occupant.seat is not None and kernel.active >> occupant.seat & 1:
            needed[stand_in_of(table.id, chair)] = (STAND_IN_LEVEL, occupant.name)
    return needed


class Desk:
    """Matches seats that need bots with hosts that offer them."""

    def __init__(self, tokens: Tokens, clock: Clock, meter: Meter | None = None) -> None:
        self._tokens = tokens
        self._clock = clock
        self._meter = meter or Meter()
        self._hosts: dict[Session, BotHost] = {}
        self._seats: dict[str, dict[str, Assignment]] = {}  # by table, then by the bot's player id
        self._waiting: dict[SeatKey, None] = {}  # seats without a host
        self._delays: dict[str, tuple[int, int]] = {}  # by table

    def can_fill(self, levels: list[Level]) -> bool:
        """True if hosts have room for bots of these levels, besides the seats that wait already."""
        hosts = self._hosts.values()
        for level in set(levels):
            if sum(host.room for host in hosts if level in host.levels) < levels.count(level):
                return False
        return sum(host.room for host in hosts) - len(self._waiting) >= len(levels)

    def levels(self) -> list[Level]:
        """The levels on offer."""
        on_offer = {level for host in self._hosts.values() for level in host.levels}
        return [level for level in ("easy", "normal", "hard") if level in on_offer]

    def census(self) -> dict[str, int]:
        """How many seats wait for a host, are offered to one, and are played."""
        seats = [seat for table in self._seats.values() for seat in table.values()]
        playing = sum(1 for seat in seats if seat.session is not None)
        waiting = len(self._waiting)
        return {"waiting": waiting, "offered": len(seats) - playing - waiting, "playing": playing}

    # ---------------------------------------------------------------- hosts

    def host_offers(self, session: Session, levels: list[Level], capacity: int) -> None:
        """A host offers seats; seats that wait get them."""
        host = self._hosts.setdefault(session, BotHost(session, frozenset(), 0))
        host.levels, host.capacity = frozenset(levels), capacity
        self._offer_waiting()

    def host_gone(self, session: Session) -> None:
        """A host's connection was lost: its seats are offered to others, unless their bots are still connected."""
        host = self._hosts.pop(session, None)
        if host is None:
            return
        for table, player in host.seats:
            seat = self._seats[table][player]
            seat.host = None
            if seat.session is None:
                self._waiting[(table, player)] = None
        self._offer_waiting()

    # ---------------------------------------------------------------- seats

    def review(self, table: Table) -> None:
        """Find the seats of a table that need a bot, offer them, and send away the bots that are not needed any more."""
        needed = seats_for_bots(table)
        seats = self._seats.setdefault(table.id, {})
        self._delays[table.id] = table.rules.bot_delay_ms
        for player in [player for player in seats if player not in needed]:
            self._release((table.id, player))
        for player, (level, name) in needed.items():
            if player not in seats:
                seats[player] = Assignment(level, name)
                self._waiting[(table.id, player)] = None
        self._offer_waiting()

    def table_gone(self, table: str) -> None:
        """The table has ended."""
        for player in list(self._seats.get(table, ())):
            self._release((table, player))
        self._seats.pop(table, None)
        self._delays.pop(table, None)

    def attached(self, session: Session, table: str) -> None:
        """A bot has connected to its seat."""
        seat = self._seats.get(table, {}).get(session.player)
        if seat is not None:
            seat.session = session
            self._waiting.pop((table, session.player), None)
            if seat.host is not None:
                if (table, session.player) in seat.host.pending:
                    self._meter.bot_came(self._clock.now_ms() - seat.offered_ms)
                seat.host.pending.pop((table, session.player), None)
                self._offer_waiting()

    def detached(self, session: Session, table: str) -> None:
        """A bot's connection was lost; it resumes by itself, or its seat is offered again."""
        seat = self._seats.get(table, {}).get(session.player)
        if seat is not None and seat.session is session:
            seat.session = None
            self._check_later((table, session.player), seat)

    def _release(self, key: SeatKey) -> None:
        table, player = key
        seat = self._seats[table].pop(player)
        self._waiting.pop(key, None)
        if seat.host is not None:
            seat.host.forget(key)
        if seat.session is not None:
            seat.session.connection.close(CloseCode.SEAT_GONE, "seat_gone")

    def _check_later(self, key: SeatKey, seat: Assignment) -> None:
        seat.offered_ms = self._clock.now_ms()
        self._clock.call_at(seat.offered_ms + OFFER_AGAIN_MS, lambda: self._offer_again(key))

    def _offer_again(self, key: SeatKey) -> None:
        """Offer a seat to somebody else if its bot has not come."""
        table, player = key
        seat = self._seats.get(table, {}).get(player)
        if seat is None or seat.session is not None or self._clock.now_ms() < seat.offered_ms + OFFER_AGAIN_MS:
            return
        if seat.host is not None:
            seat.host.forget(key)
            seat.host = None
        self._waiting[key] = None
        self._offer_waiting()

    def _offer_waiting(self) -> None:
        """Offer the waiting seats, the oldest first, as long as hosts have room."""
        for key in list(self._waiting):
            able = [host for host in self._hosts.values() if host.room and len(host.pending) < MAX_PENDING_OFFERS]
            if not able:
                return
            self._offer(key, able)

    def _offer(self, key: SeatKey, hosts: list[BotHost]) -> None:
        """Offer a seat to the host with most room that plays its level; without one it goes on waiting."""
        table, player = key
        seat = self._seats[table][player]
        able = [host for host in hosts if seat.level in host.levels]
        if not able:
            return
        host = max(able, key=lambda host: host.room)
        host.seats[key] = None
        host.pending[key] = None
        seat.host = host
        del self._waiting[key]
        token = self._tokens.make(Identity(player, seat.name, "bot", table, seat.level))
        host.session.send(SeatOffer(token=token, table=table, level=seat.level, delay_ms=self._delays[table]))
        self._check_later(key, seat)
