"""What each viewer is shown of a table: built once for everybody, then completed for one viewer from an allow-list."""

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from durak.protocol.messages import (
    ChairView,
    ClockView,
    SeqEvents,
    TableView,
    ViewChange,
    ViewerEvent,
    YouView,
)
from durak.protocol.rules.events import Private, Public
from durak.protocol.rules.view import GameView, complete, form_for, view_of
from durak.server.table.chairs import Occupant, stand_in_of
from durak.server.table.deadlines import Deadline
from durak.server.table.machine import Table
from durak.server.table.seating import START_COUNTDOWN_MS, AnyEvent

SPECTATOR = YouView(chair=None, seat=None, auto_pass=False, can=[])


class Views:
    """The views of a table at one moment; `now_ms` is the table's time for the clocks."""

    def __init__(self, table: Table, now_ms: int) -> None:
        self._table = table
        self._now_ms = now_ms
        self._sitting: dict[str, tuple[int, Occupant]] = {}
        self._leavers: set[str] = set()  # whose seats a bot plays on
        for chair, occupant in table.occupants():
            self._sitting[occupant.player] = (chair, occupant)
            if occupant.left:
                self._sitting[stand_in_of(table.id, chair)] = (chair, occupant)
                self._leavers.add(occupant.player)
        self._spectated: GameView | None = None if table.game is None else view_of(table.game, None)
        self._shared_clock = self._clock()

    def of(self, player: str | None) -> TableView:
        """The table as this player sees it; a spectator's view for anybody who does not sit there."""
        table, seat = self._table, self.seat_of(player)
        return TableView(
            table=table.id,
            name=table.title,
            private=table.private,
            rules=table.rules,
            clock=self._clock_of(seat),
            you=self._you(player, seat),
            game=self._game_of(player, seat),
            **self.seating(),
        )

    def change_of(self, player: str | None, seating: dict[str, Any]) -> ViewChange:
        """What has changed for this player since the step before, with what `seating_since` gives for all."""
        seat = self.seat_of(player)
        return ViewChange(self._clock_of(seat), self._you(player, seat), self._game_of(player, seat), **seating)

    def seating_since(self, before: Table) -> dict[str, Any]:
        """The fields about who sits where and how they stand, if anything of it has changed."""
        table = self._table
        same = table.chairs == before.chairs and table.votes == before.votes and table.host == before.host
        return {} if same and (table.status, table.games) == (before.status, before.games) else self.seating()

    def seating(self) -> dict[str, Any]:
        """The fields of a view about who sits where and how they stand."""
        table = self._table
        chairs = [
            ChairView(
                chair=chair,
                name=occupant.name,
                kind=occupant.kind,
                level=occupant.level,
                seat=occupant.seat,
                host=chair == table.host,
                away=occupant.away,
                left=occupant.left,
                vote=chair in table.votes,
                score=occupant.score,
            )
            for chair, occupant in table.occupants()
        ]
        return {"status": table.status, "chairs": chairs, "persons": len(table.persons()), "games": table.games}

    def sits(self, player: str) -> bool:
        """True if the player has a chair, or plays on for somebody who left one."""
        return player in self._sitting

    def seat_of(self, player: str | None) -> int | None:
        """The seat whose cards this player may see."""
        sitting = None if player is None else self._sitting.get(player)
        return None if sitting is None else sitting[1].seat

    def _you(self, player: str | None, seat: int | None) -> YouView:
        table = self._table
        sitting = None if player is None else self._sitting.get(player)
        if sitting is None:
            return replace(SPECTATOR, can=["join"]) if table.takes_persons() else SPECTATOR
        chair, occupant = sitting
        person = occupant.kind == "person" and occupant.player == player  # and not a bot, which may only play
        if player in self._leavers:
            can = ["join"] if person else []
        else:
            can = ["leave"] if person else []
            if table.status == "playing":
                if table.game is not None and seat is not None and table.game.is_active(seat):
                    can.append("auto_pass")
            elif chair == table.host:
                staying = [other for _, other in table.occupants() if not other.left]
                can += ["start"] if len(staying) >= 2 else []
                can += ["fill"] if len(staying) < len(table.chairs) else []
                can += ["dismiss"] if any(other.kind == "bot" for other in staying) else []
            if table.status == "finished" and person and chair not in table.votes and not occupant.left:
                can.append("rematch")
        return YouView(chair=chair, seat=seat, auto_pass=seat in table.clocks.auto_pass_on, can=can)

    def _game_of(self, player: str | None, seat: int | None) -> GameView | None:
        game, spectated = self._table.game, self._spectated
        if game is None or spectated is None or seat is None or seat >= game.players:
            return spectated
        shown = complete(spectated, game, seat)
        return replace(shown, legal=[]) if player in self._leavers else shown

    def _clock(self) -> ClockView | None:
        """The clock to show to everybody: the one that ends first."""
        table, clocks = self._table, self._table.clocks
        if table.countdown is not None:
            return ClockView("start", self._left_ms(table.countdown), START_COUNTDOWN_MS, [])
        if clocks.offer is not None:
            return ClockView("offer", self._left_ms(clocks.offer), table.rules.offer_ms, [])
        if clocks.closing is not None:
            return ClockView("closing", self._left_ms(clocks.closing), clocks.closing.total_ms, [])
        if clocks.window is not None:
            return ClockView("window", self._left_ms(clocks.window), table.rules.window_ms or 0, [])
        if clocks.turns:
            first = clocks.turns[0] if len(clocks.turns) == 1 else min(clocks.turns, key=lambda turn: turn.at_ms)
            return ClockView("turn", self._left_ms(first), first.total_ms, [turn.seat for turn in clocks.turns])
        return None

    def _clock_of(self, seat: int | None) -> ClockView | None:
        """The clock to show to this seat: of several turn clocks its own, if it has one."""
        shared, turns = self._shared_clock, self._table.clocks.turns
        if shared is None or shared.kind != "turn" or len(turns) == 1:
            return shared
        own = next((turn for turn in turns if turn.seat == seat), None)
        return shared if own is None else replace(shared, ms=self._left_ms(own), total_ms=own.total_ms)

    def _left_ms(self, deadline: Deadline) -> int:
        return max(0, deadline.at_ms - self._now_ms)


def seen_by(events: Iterable[AnyEvent], seat: int | None) -> list[ViewerEvent]:
    """These events as the viewer in this seat sees them."""
    shown: list[ViewerEvent] = []
    for event in events:
        if isinstance(event, Public):
            shown.append(event)
        elif isinstance(event, Private):
            if event.seat == seat:
                shown.append(event)
        else:
            shown.append(form_for(event, seat))
    return shown


def history_seen_by(history: Iterable[tuple[int, list[AnyEvent]]], seat: int | None, after: int) -> list[SeqEvents]:
    """Everything after this sequence number as the viewer sees it.

    Every number holds something for everybody; what is left out entirely is private to another seat, and that it happened as well.
    """
    return [SeqEvents(seq, seen) for seq, events in history if seq > after and (seen := seen_by(events, seat))]
