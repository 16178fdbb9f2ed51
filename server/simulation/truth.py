"""What the journal says, folded the moment it is durable, and what must hold of every entry whatever the server thinks of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import msgspec
from msgspec.structs import replace

from durak.protocol.messages import AnyTableEvent, Started, ViewerEvent
from durak.protocol.rules.actions import Keep, Leave, Pass, Redeal
from durak.protocol.rules.cards import PACK
from durak.protocol.rules.errors import IllegalAction
from durak.protocol.rules.events import Attacked, Beaten, Dealt, Drew, GameOver, Private
from durak.protocol.rules.game import Game
from durak.server.live.entries import decode_entry, hash_of
from durak.server.table.chairs import Refused
from durak.server.table.deadlines import Deadline, GraceEnds
from durak.server.table.inputs import ByPlayer, Dropped, Entry, Expire, Play, Recovered, Returned, SitDown
from durak.server.table.machine import Table
from durak.server.table.seating import GRACE_MS, AnyEvent
from durak.server.table.view import seen_by

Report = Callable[[str], None]


@dataclass(slots=True)
class Known:
    """The cards of one game that may be named: to everybody, and to each seat."""

    public: set[str] = field(default_factory=set)
    own: dict[int, set[str]] = field(default_factory=dict)

    def to(self, seat: int | None) -> set[str]:
        """The cards that this viewer may be told of."""
        return self.public if seat is None else self.public | self.own.get(seat, set())


@dataclass(slots=True)
class Happening:
    """The events of one entry, and who sat in which seat when they happened."""

    seats: dict[str, int | None]
    events: list[AnyEvent]


class Truth:
    """One table as its journal tells it. `commands`: player and command id -> sequence number."""

    def __init__(self, table: Table, report: Report) -> None:
        self.table = table
        self.number = 0
        self.commands: dict[tuple[str, str], int] = {}
        self.happenings: dict[int, list[Happening]] = {}
        self.known: dict[int, Known] = {}
        self.plays = 0
        self._report = report
        self._away_since: dict[int, int] = {}

    def game_number(self) -> int:
        """Which game is running, or was the last."""
        return game_number(self.table)

    def events_for(self, player: str, seq: int) -> list[ViewerEvent]:
        """What this player may be told of a sequence number."""
        return [event for entry in self.happenings.get(seq, ()) for event in seen_by(entry.events, entry.seats.get(player))]

    def fold(self, line: bytes) -> None:
        """Carry out an entry, and judge it."""
        entry = decode_entry(line)
        self.number += 1
        table, cause = self.table, entry.input
        self._judge(entry)
        before_ms, left_ms = table.now_ms, self._left_ms()
        gone = {chair for chair, occupant in table.occupants() if occupant.left}
        seated = {chair: occupant.player for chair, occupant in table.occupants()}
        try:
            events = table.step(cause, entry.at_ms, jitter=entry.jitter, deck=entry.deck)
        except (IllegalAction, Refused, AssertionError) as error:
            self._report(f"entry {self.number} of {table.id} can't be replayed: {error!r}")
            return
        if hash_of(events) != entry.seen:
            self._report(f"entry {self.number} of {table.id} gives other events when replayed")
        if isinstance(cause, Recovered):
            self._judge_outage(left_ms, entry.at_ms - before_ms)
        self._judge_grace(cause, gone, seated)
        self._note(entry, events)
        if table.game is not None:
            self._judge_cards(table.game)

    # ---------------------------------------------------------------- judging

    def _judge(self, entry: Entry) -> None:
        table, cause = self.table, entry.input
        deadline = table.deadline_ms
        if isinstance(cause, Expire):
            if deadline is None or entry.at_ms != max(deadline, table.now_ms):
                self._report(f"{table.id}: an expiry at {entry.at_ms}, the deadline is {deadline}")
        elif deadline is not None and deadline <= entry.at_ms and not isinstance(cause, Recovered):
            self._report(f"{table.id}: {type(cause).__name__} at {entry.at_ms} before the expiry that was due at {deadline}")
        if isinstance(cause, ByPlayer) and (cause.player, cause.cid) in self.commands:
            self._report(f"{table.id}: command {cause.cid} of {cause.player} is carried out twice")
        if isinstance(cause, Play) and not isinstance(cause.action, Leave) and table.game is not None:
            counted = isinstance(cause.action, Pass | Redeal | Keep) and cause.epoch is not None
            if cause.bout != table.game.bout or (counted and cause.epoch != table.game.epoch):
                self._report(f"{table.id}: {cause} was accepted in bout {table.game.bout}, epoch {table.game.epoch}")

    def _left_ms(self) -> dict[Deadline, int]:
        """What runs, each as if it were due at 0, with the milliseconds left."""
        return {replace(deadline, at_ms=0): deadline.at_ms - self.table.now_ms for deadline in self.table.deadlines()}

    def _judge_outage(self, before: dict[Deadline, int], outage_ms: int) -> None:
        for clock, left in self._left_ms().items():
            if left != before.get(clock, GRACE_MS if isinstance(clock, GraceEnds) else None):
                self._report(f"{self.table.id}: an outage of {outage_ms} ms was charged to {clock}: {before.get(clock)} -> {left}")
        self._away_since = {chair: since + outage_ms for chair, since in self._away_since.items()}

    def _judge_grace(self, cause: object, gone: set[int], seated: dict[int, str]) -> None:
        """Whoever is away has the whole grace period, and whoever is there is not thrown out."""
        table = self.table
        away: dict[int, int] = self._away_since
        if isinstance(cause, Expire):
            for chair, player in seated.items():
                now = table.chairs[chair]
                if chair in gone or (now is not None and now.player == player and not now.left):
                    continue
                since = away.get(chair)
                if since is None or table.now_ms - since < GRACE_MS:
                    spent = "was there" if since is None else f"was away for {table.now_ms - since} ms"
                    self._report(f"{table.id}: chair {chair} counts as having left, though it {spent}")
        for chair in [chair for chair in away if not self._is_person(chair)]:
            del away[chair]
        if isinstance(cause, Dropped):
            self._note_away(cause.player)
        elif isinstance(cause, Recovered):
            for _, occupant in table.persons():
                self._note_away(occupant.player)
        elif isinstance(cause, Returned | SitDown):
            chair_back = table.chair_of(cause.player)
            if chair_back is not None:
                away.pop(chair_back, None)

    def _is_person(self, chair: int) -> bool:
        occupant = self.table.chairs[chair]
        return occupant is not None and occupant.kind == "person" and not occupant.left

    def _note_away(self, player: str) -> None:
        chair = self.table.chair_of(player)
        if chair is not None and self._is_person(chair):
            self._away_since.setdefault(chair, self.table.now_ms)

    def _judge_cards(self, game: Game) -> None:
        """RULES section 4: every card of the pack at every moment, each once."""
        if not game.whole():
            self._report(f"{self.table.id}: there are not {len(PACK)} different cards after entry {self.number}")

    # ---------------------------------------------------------------- noting

    def _note(self, entry: Entry, events: Sequence[AnyEvent]) -> None:
        table, cause = self.table, entry.input
        if isinstance(cause, ByPlayer):
            self.commands[(cause.player, cause.cid)] = table.seq
            self.plays += isinstance(cause, Play)
        if events:
            seats = {occupant.player: occupant.seat for _, occupant in table.occupants()}
            self.happenings.setdefault(table.seq, []).append(Happening(seats, list(events)))
        if table.game is None:
            return
        for event in events:
            match event:
                case Started(game=game):
                    self.known[game] = Known()
                case Dealt(hands=hands, trump_card=trump):
                    known = self._known_now(events)
                    known.public.add(trump)
                    for seat, hand in enumerate(hands):
                        known.own.setdefault(seat, set()).update(hand)
                case Drew(seat=seat, cards=cards):
                    self._known_now(events).own.setdefault(seat, set()).update(cards)
                case Attacked(card=card) | Beaten(card=card):
                    self._known_now(events).public.add(card)
                case _:
                    pass
        for shown in (table.game.opening_trump, table.game.dealt_trump):
            if shown is not None:
                self._known_now(events).public.add(PACK[shown[1]])

    def _known_now(self, events: Sequence[AnyEvent]) -> Known:
        over = any(isinstance(event, GameOver) for event in events)
        return self.known.setdefault(self.table.games + (0 if over or self.table.status != "playing" else 1), Known())


def game_number(table: Table) -> int:
    """Which game of a table runs, or was the last."""
    return table.games + (table.status == "playing")


def same_table(one: Table, other: Table) -> bool:
    """True if two tables are in the same state, in everything there is."""
    left, right = dict(vars(one)), dict(vars(other))
    games = left.pop("game"), right.pop("game")
    if left != right or (games[0] is None) != (games[1] is None):
        return False
    if games[0] is None or games[1] is None:
        return True
    return bool(games[0].same_as(games[1]))


def is_private(event: ViewerEvent | AnyTableEvent) -> bool:
    """True for events that only their viewer learns of."""
    return isinstance(event, Private)


def brief(message: msgspec.Struct) -> str:
    """A message in a few words, for the trace."""
    words = []
    for name in ("cid", "code", "table", "seq", "resumed", "action", "bout", "epoch", "reason", "chair", "on", "bots", "params"):
        value = getattr(message, name, None)
        if value not in (None, {}, []):
            words.append(f"{name}={value}")
    events = getattr(message, "events", None)
    if events:
        words.append("+".join(type(event).__name__ for event in events))
    return f"{type(message).__name__} {' '.join(words)}".rstrip()
