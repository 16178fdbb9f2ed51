"""The chairs of a table: who sits where, who is host, who is away. It knows no game beyond whether one is running."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from durak.protocol.messages import AnyTableEvent as TableEvent
from durak.protocol.messages import CameBack, HostIs, Rose, Sat, Status, WentAway
from durak.protocol.rules.events import GameEvent
from durak.server.table.chairs import PRESENT, Away, Occupant, Present, Refused, stand_in_of
from durak.server.table.deadlines import GraceEnds, StartDue
from durak.server.table.inputs import BotPlayer

START_COUNTDOWN_MS = 5_000
"""From the moment all chairs are taken to the game."""
GRACE_MS = 60_000
"""How long a person may be away before it counts as leaving."""

AnyEvent = TableEvent | GameEvent


class Seating:
    """The part of a table that a game does not change."""

    def __init__(self, table: str) -> None:
        self.id = table
        self.status: Status = "open"
        self.chairs: tuple[Occupant | None, ...] = ()
        self.graces: tuple[GraceEnds, ...] = ()  # of `chairs`: asked for after every step, while chairs change seldom
        self.bots_only = False  # no person ever takes a chair
        self.host: int | None = None  # a chair
        self.countdown: StartDue | None = None
        self.now_ms = 0
        self.seq = 0

    # ---------------------------------------------------------------- questions

    def chair_of(self, player: str) -> int | None:
        """The chair of a player, or of the leaver for whom this bot plays on."""
        for chair, occupant in enumerate(self.chairs):
            if occupant is not None and (occupant.player == player or player == stand_in_of(self.id, chair)):
                return chair
        return None

    def acting_chair(self, player: str) -> int:
        """The chair for which this player acts now. Raises `Refused`: not_seated, or already_left while a bot plays on."""
        chair = self.chair_of(player)
        if chair is None:
            raise Refused("not_seated")
        occupant = self._occupant(chair)
        if occupant.left != (player != occupant.player):
            raise Refused("already_left")
        return chair

    def is_seated(self, player: str) -> bool:
        """True if this player may act from a chair: it has not left, or it plays on for somebody who has."""
        chair = self.chair_of(player)
        occupant = None if chair is None else self.chairs[chair]
        return occupant is not None and occupant.left == (player != occupant.player)

    def seat_of_player(self, player: str | None) -> int | None:
        """The seat whose cards this player may see."""
        chair = None if player is None else self.chair_of(player)
        occupant = None if chair is None else self.chairs[chair]
        return None if occupant is None else occupant.seat

    def occupants(self) -> list[tuple[int, Occupant]]:
        """Chair and occupant of the chairs taken."""
        return [(chair, occupant) for chair, occupant in enumerate(self.chairs) if occupant is not None]

    def persons(self) -> list[tuple[int, Occupant]]:
        """Chair and occupant of the persons who have not left."""
        return [(chair, occupant) for chair, occupant in self.occupants() if occupant.kind == "person" and not occupant.left]

    def free_chairs(self) -> list[int]:
        """Chairs that can be taken between games: empty ones, and those of players who left when the last game was over."""
        return [chair for chair, occupant in enumerate(self.chairs) if occupant is None or occupant.left]

    def takes_persons(self) -> bool:
        """True if a person who does not sit there may take a chair now."""
        return not self.bots_only and self.status != "playing" and bool(self.free_chairs())

    def _occupant(self, chair: int) -> Occupant:
        occupant = self.chairs[chair]
        assert occupant is not None, "somebody sits there"
        return occupant

    def _must_be_host(self, player: str) -> None:
        if self.acting_chair(player) != self.host:
            raise Refused("not_host")

    def _must_be_between_games(self) -> None:
        if self.status == "playing":
            raise Refused("already_playing")

    # ---------------------------------------------------------------- chairs

    def _put(self, chair: int, occupant: Occupant | None) -> None:
        self.chairs = (*self.chairs[:chair], occupant, *self.chairs[chair + 1 :])
        self.graces = graces_of(self.chairs)

    def _change(self, chair: int, **changes: Any) -> None:
        """Change what is so of the occupant of a chair."""
        self._put(chair, replace(self._occupant(chair), **changes))

    def _seat(self, chair: int, occupant: Occupant) -> list[AnyEvent]:
        self._put(chair, occupant)
        events: list[AnyEvent] = [Sat(chair, occupant.name, occupant.kind)]
        if self.host is None and occupant.kind == "person":
            self.host = chair
            events.append(HostIs(chair))
        self._count_down()
        return events

    def _seat_bots(self, bots: Sequence[BotPlayer]) -> list[AnyEvent]:
        free = self.free_chairs()
        if len(bots) > len(free):
            raise Refused("table_full", free=len(free))
        events: list[AnyEvent] = []
        for chair, bot in zip(free, bots, strict=False):
            events += self._seat(chair, Occupant(bot.player, bot.name, bot.level))
        return events

    def _count_down(self) -> None:
        """Run the countdown exactly while an open table is full."""
        full = self.status == "open" and all(self.chairs)
        if full and self.countdown is None:
            self.countdown = StartDue(self.now_ms + START_COUNTDOWN_MS)
        elif not full:
            self.countdown = None

    def _pass_host_on(self) -> list[AnyEvent]:
        """The host's role moves to the next person when the host has left."""
        stayers = [chair for chair, _ in self.persons()]
        if self.host in stayers:
            return []
        before, self.host = self.host, None
        if not stayers:
            return []
        size = len(self.chairs)
        self.host = min(stayers, key=lambda chair: (chair - (before or 0)) % size)
        return [HostIs(self.host)]

    def _free_chairs_of_leavers(self) -> list[AnyEvent]:
        events: list[AnyEvent] = []
        for chair, occupant in self.occupants():
            if occupant.left:
                self._put(chair, None)
                events.append(Rose(chair, occupant.name))
        return events

    # ---------------------------------------------------------------- connections

    def _dropped(self, player: str) -> list[AnyEvent]:
        chair = self.chair_of(player)
        if chair is None or not isinstance(self._occupant(chair).presence, Present):
            return []
        self._change(chair, presence=Away(self.now_ms + GRACE_MS, self.seq))
        return [WentAway(chair)]

    def _returned(self, player: str) -> list[AnyEvent]:
        chair = self.chair_of(player)
        if chair is None or not isinstance(self._occupant(chair).presence, Away):
            return []
        self._change(chair, presence=PRESENT)
        return [CameBack(chair)]

    def _extend_graces(self, by_ms: int) -> None:
        for chair, occupant in self.occupants():
            if isinstance(occupant.presence, Away):
                self._change(chair, presence=replace(occupant.presence, grace_ends_ms=occupant.presence.grace_ends_ms + by_ms))


def graces_of(chairs: Sequence[Occupant | None]) -> tuple[GraceEnds, ...]:
    """The grace periods that run, in the order in which they end."""
    away = [
        (occupant.presence, chair)
        for chair, occupant in enumerate(chairs)
        if occupant is not None and isinstance(occupant.presence, Away)
    ]
    away.sort(key=lambda one: (one[0].grace_ends_ms, one[0].since))
    return tuple(GraceEnds(presence.grace_ends_ms, chair) for presence, chair in away)
