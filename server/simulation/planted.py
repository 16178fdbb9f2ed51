"""Bugs to order, one in each guarded place: a simulator that does not find them is worth nothing.

They enter through what a node is given, so the server itself has no switch for them, compiled or not.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self
from weakref import WeakSet

from msgspec.structs import replace

from durak.protocol.messages import SeqEvents, TableState, ViewerEvent
from durak.protocol.rules.actions import Beat
from durak.protocol.rules.events import Drew
from durak.protocol.rules.view import DrewSeen
from durak.server.edge.outbox import Outbox
from durak.server.given.clock import Clock
from durak.server.given.meter import Meter
from durak.server.journal.contract import Journal
from durak.server.live.port import Viewer
from durak.server.live.watching import Commit, Moment, Watcher
from durak.server.table.inputs import AnyInput, Dropped, Expire, Play, Returned
from durak.server.table.machine import Table
from durak.server.table.seating import AnyEvent
from durak.server.viewers.audience import Audience


@dataclass(frozen=True)
class Plant:
    """What a node is given, sound but for one thing.

    `make_truth`: the tables that fold what the journal holds. With a bug that is in both, only the referee's own rules can tell.
    """

    journal: Callable[[Journal], Journal] = lambda journal: journal
    make_table: Callable[[str], Table] = Table
    make_truth: Callable[[str], Table] = Table
    make_audience: Callable[[Clock, Meter], Watcher] = Audience
    make_outbox: type[Outbox] = Outbox


class Eager:
    """A journal that says at once that everything is durable."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def append(self, table: str, number: int, entries: Sequence[bytes]) -> "asyncio.Future[None]":
        """Hand on, and be done."""
        self._journal.append(table, number, entries)
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        done.set_result(None)
        return done

    def __getattr__(self, name: str) -> Any:
        return getattr(self._journal, name)


class Forgetful(Table):
    """A command that comes again is carried out again."""

    def answer_to(self, player: str, cid: str) -> int | None:
        """Nothing was."""
        return None


class Undated(Table):
    """An action is taken for the present bout and epoch, whichever it names."""

    def step(self, cause: AnyInput, now_ms: int, **drawn: Any) -> list[AnyEvent]:
        """Name the present ones."""
        if isinstance(cause, Play) and self.game is not None:
            cause = replace(cause, bout=self.game.bout, epoch=None if cause.epoch is None else self.game.epoch)
        return super().step(cause, now_ms, **drawn)


class Late(Table):
    """What is due is carried out a moment late, and after what has come in it."""

    @property
    def deadline_ms(self) -> int | None:
        """Twenty milliseconds later."""
        due = super().deadline_ms
        return None if due is None else due + 20


class Impatient(Table):
    """The grace period of somebody who came back runs on."""

    def _returned(self, player: str) -> list[AnyEvent]:
        kept = self.graces
        events = super()._returned(player)
        self.graces = kept
        return events


class Charging(Table):
    """The clocks run while the server is down."""

    def _recover(self, outage_ms: int) -> list[AnyEvent]:
        return super()._recover(0)


class Unheeding(Table):
    """A table that was read from its journal does not notice who comes and goes afterwards."""

    _copies: ClassVar[WeakSet[Table]] = WeakSet()
    _replayed: ClassVar[set[str]] = set()

    def copy(self) -> Self:
        """What is stepped; but for a replay, which steps the table itself."""
        twin = super().copy()
        self._copies.add(twin)
        return twin

    def step(self, cause: AnyInput, now_ms: int, **drawn: Any) -> list[AnyEvent]:
        """Let it be."""
        if self not in self._copies:
            self._replayed.add(self.id)
        elif self.id in self._replayed and isinstance(cause, Dropped | Returned):
            return []
        return super().step(cause, now_ms, **drawn)


class Shared(Table):
    """A step changes the committed table itself."""

    def copy(self) -> Self:
        """No copy."""
        return self


class Clumsy(Table):
    """One card can't be beaten with."""

    def step(self, cause: AnyInput, now_ms: int, **drawn: Any) -> list[AnyEvent]:
        """Fail."""
        if isinstance(cause, Play) and isinstance(cause.action, Beat) and cause.action.card[0] == "K":
            raise RuntimeError("a bug in a transition")
        return super().step(cause, now_ms, **drawn)


class Stopped(Table):
    """What is due can't be carried out."""

    def step(self, cause: AnyInput, now_ms: int, **drawn: Any) -> list[AnyEvent]:
        """Fail."""
        if isinstance(cause, Expire):
            raise RuntimeError("a bug in an expiry")
        return super().step(cause, now_ms, **drawn)


class Skipping(Audience):
    """Who comes back is not told of the first event it missed."""

    def state_for(self, now: Moment, viewer: Viewer, seen_seq: int | None) -> TableState:
        """One later."""
        late = seen_seq is not None and seen_seq < now.table.seq
        return super().state_for(now, viewer, seen_seq + 1 if late and seen_seq is not None else seen_seq)


class Talkative(Audience):
    """Everybody is told which cards a seat draws."""

    def events_for(self, events: Iterable[AnyEvent], seat: int | None) -> list[ViewerEvent]:
        """All of them."""
        return [
            shown
            for event in events
            for shown in (
                [DrewSeen(event.seat, len(event.cards), event.cards)]
                if isinstance(event, Drew)
                else super(Talkative, self).events_for([event], seat)
            )
        ]

    def missed(self, history: Iterable[tuple[int, list[AnyEvent]]], seat: int | None, after: int) -> list[SeqEvents]:
        """All of them."""
        return [SeqEvents(seq, events) for seq, all_ in history if seq > after and (events := self.events_for(all_, seat))]


class Stumbling(Audience):
    """A watcher fails at the end of each game."""

    def committed(self, commit: Commit) -> None:
        """Fail."""
        if commit.now.table.status == "finished":
            raise RuntimeError("a bug in a watcher")
        super().committed(commit)


class Dropping(Outbox):
    """Frames that a slow reader does not take are dropped, and it is not told."""

    def _too_slow(self) -> None:
        self._frames.clear()
        self._bytes = 0


SOUND = Plant()
PLANTS = {
    "append": Plant(journal=Eager),
    "cid": Plant(make_table=Forgetful, make_truth=Forgetful),
    "stale": Plant(make_table=Undated, make_truth=Undated),
    "expiry": Plant(make_table=Late),
    "grace": Plant(make_table=Impatient, make_truth=Impatient),
    "outage": Plant(make_table=Charging, make_truth=Charging),
    "presence": Plant(make_table=Unheeding),
    "shared": Plant(make_table=Shared),
    "transition": Plant(make_table=Clumsy),
    "due": Plant(make_table=Stopped),
    "resume": Plant(make_audience=Skipping),
    "view": Plant(make_audience=Talkative),
    "watcher": Plant(make_audience=Stumbling),
    "outbox": Plant(make_outbox=Dropping),
}
