"""The desk of the bots: which seats need a bot, and which host plays each.

Bots are clients: the desk only sends a host the offer of a seat, with a token for it, and the bot then connects like anybody.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from durak.protocol.messages import CloseCode, Level, SeatOffer
from durak.server.given.clock import Clock
from durak.server.given.meter import Meter
from durak.server.live.port import Viewer
from durak.server.live.watching import Commit, Moment, Watcher
from durak.server.people.tokens import Identity, Tokens
from durak.server.table.chairs import Refused
from durak.server.table.machine import Table
from durak.server.table.summary import bots_needed

MAX_PENDING_OFFERS = 32
"""Offers that a host has not answered with a bot; more would only fill its outbox."""
OFFER_AGAIN_MS = 10_000
"""A seat whose bot has not connected by then is offered again."""

SeatKey = tuple[str, str]
"""Table and the bot's player id."""


@dataclass(slots=True, eq=False)
class BotHost:
    """A connected host, the seats it has been offered in their order, and those of them whose bots have not come yet."""

    viewer: Viewer
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
    """A seat that needs a bot: who was asked when, and the bot once it is there."""

    level: Level
    name: str
    host: BotHost | None = None
    offered_ms: int = 0
    viewer: Viewer | None = None


class Desk(Watcher):
    """Matches seats that need bots with hosts that offer them."""

    def __init__(self, tokens: Tokens, clock: Clock, meter: Meter) -> None:
        self._tokens = tokens
        self._clock = clock
        self._meter = meter
        self._hosts: dict[Viewer, BotHost] = {}
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

    def lacks(self, levels: list[Level]) -> Refused | None:
        """Why bots of these levels can't be had, if they can't."""
        return None if not levels or self.can_fill(levels) else Refused("no_bots", levels=",".join(self.levels()))

    def levels(self) -> list[Level]:
        """The levels on offer."""
        on_offer = {level for host in self._hosts.values() for level in host.levels}
        return [level for level in ("easy", "normal", "hard") if level in on_offer]

    def census(self) -> dict[str, int]:
        """How many seats wait for a host, are offered to one, and are played."""
        seats = [seat for table in self._seats.values() for seat in table.values()]
        playing = sum(1 for seat in seats if seat.viewer is not None)
        waiting = len(self._waiting)
        return {"waiting": waiting, "offered": len(seats) - playing - waiting, "playing": playing}

    # ---------------------------------------------------------------- hosts

    def host_offers(self, viewer: Viewer, levels: list[Level], capacity: int) -> None:
        """A host offers seats; seats that wait get them."""
        host = self._hosts.setdefault(viewer, BotHost(viewer, frozenset(), 0))
        host.levels, host.capacity = frozenset(levels), capacity
        self._offer_waiting()

    def host_gone(self, viewer: Viewer) -> None:
        """A host's connection was lost: its seats are offered to others, unless their bots are still connected."""
        host = self._hosts.pop(viewer, None)
        if host is None:
            return
        for table, player in host.seats:
            seat = self._seats[table][player]
            seat.host = None
            if seat.viewer is None:
                self._waiting[(table, player)] = None
        self._offer_waiting()

    # ---------------------------------------------------------------- seats

    def recovered(self, now: Moment) -> None:
        """A table goes on: its bots are to come back."""
        self._review(now.table)

    def committed(self, commit: Commit) -> None:
        """Other seats may need a bot now."""
        if commit.restands:
            self._review(commit.now.table)

    def reloaded(self, now: Moment, leaving: Sequence[Viewer]) -> None:
        """Other seats may need a bot than was thought."""
        self._review(now.table)

    def ended(self, now: Moment, how: Literal["closed", "frozen"]) -> None:
        """The table needs no bots any more."""
        table = now.table.id
        for player in list(self._seats.get(table, ())):
            self._release((table, player))
        self._seats.pop(table, None)
        self._delays.pop(table, None)

    def attached(self, now: Moment, viewer: Viewer, seen_seq: int | None) -> None:
        """Perhaps a bot has connected to its seat."""
        table = now.table.id
        seat = self._seats.get(table, {}).get(viewer.player)
        if seat is not None:
            seat.viewer = viewer
            self._waiting.pop((table, viewer.player), None)
            if seat.host is not None:
                if (table, viewer.player) in seat.host.pending:
                    self._meter.bot_came(self._clock.now_ms() - seat.offered_ms)
                seat.host.pending.pop((table, viewer.player), None)
                self._offer_waiting()

    def detached(self, now: Moment, viewer: Viewer) -> None:
        """Perhaps a bot's connection was lost; it resumes by itself, or its seat is offered again."""
        table = now.table.id
        seat = self._seats.get(table, {}).get(viewer.player)
        if seat is not None and seat.viewer is viewer:
            seat.viewer = None
            self._check_later((table, viewer.player), seat)

    def _review(self, table: Table) -> None:
        """Find the seats of a table that need a bot, offer them, and send away the bots that are not needed any more."""
        needed = {bot.player: bot for bot in bots_needed(table)}
        seats = self._seats.setdefault(table.id, {})
        self._delays[table.id] = table.rules.bot_delay_ms
        for player in [player for player in seats if player not in needed]:
            self._release((table.id, player))
        for player, bot in needed.items():
            if player not in seats:
                seats[player] = Assignment(bot.level, bot.name)
                self._waiting[(table.id, player)] = None
        self._offer_waiting()

    def _release(self, key: SeatKey) -> None:
        table, player = key
        seat = self._seats[table].pop(player)
        self._waiting.pop(key, None)
        if seat.host is not None:
            seat.host.forget(key)
        if seat.viewer is not None:
            seat.viewer.close(CloseCode.SEAT_GONE, "seat_gone")

    def _check_later(self, key: SeatKey, seat: Assignment) -> None:
        seat.offered_ms = self._clock.now_ms()
        self._clock.call_at(seat.offered_ms + OFFER_AGAIN_MS, lambda: self._offer_again(key))

    def _offer_again(self, key: SeatKey) -> None:
        """Offer a seat to somebody else if its bot has not come."""
        table, player = key
        seat = self._seats.get(table, {}).get(player)
        if seat is None or seat.viewer is not None or self._clock.now_ms() < seat.offered_ms + OFFER_AGAIN_MS:
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
        host.viewer.send(SeatOffer(token=token, table=table, level=seat.level, delay_ms=self._delays[table]))
        self._check_later(key, seat)
