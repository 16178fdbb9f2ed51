"""One table as a pure state machine.

`Table.step` takes an input and the time and gives events; `Table.deadline_ms` says when an `Expire` is due. The owner steps a copy,
journals the entry and swaps the copy in, so a table in memory is never ahead of its journal.
"""

from collections.abc import Sequence
from typing import assert_never

from durak.protocol.messages import (
    AutoPassSet,
    CameBack,
    Created,
    Rose,
    Started,
    TimedOut,
    Voided,
    Voted,
    WentAway,
)
from durak.protocol.rules import bits
from durak.protocol.rules.actions import AnyAction, Leave, Pass, Redeal
from durak.protocol.rules.errors import IllegalAction, Reason
from durak.protocol.rules.events import GameEvent, Private
from durak.protocol.rules.game import Game
from durak.protocol.rules.result import scored, winner_of
from durak.protocol.rules.ruleset import Ruleset
from durak.protocol.rules.silence import action_of_silence
from durak.server.table.chairs import NO_SCORE, Occupant, Refused
from durak.server.table.clocks import Clocks
from durak.server.table.inputs import (
    AnyInput,
    ByPlayer,
    ChosenInput,
    CreateTable,
    DismissBot,
    Dropped,
    Expire,
    Play,
    Recovered,
    Returned,
    Rise,
    SeatBots,
    SetAutoPass,
    SitDown,
    StartGame,
    Void,
    Vote,
)
from durak.server.table.seating import AnyEvent, Seating

REMEMBERED_COMMANDS = 64
"""How many accepted commands a table remembers per player, to carry each out once."""


class Table(Seating):
    """A table: its chairs, its game, its clocks, its score. Chairs are 0..max_players-1; seats count the players of one game."""

    def __init__(self, table: str) -> None:
        super().__init__(table)
        self.created_by = ("", "")  # player and command id
        self.title = ""
        self.rules = Ruleset()
        self.private = False
        self.game: Game | None = None
        self.clocks = Clocks()
        self.games = 0  # finished
        self.first_chair: int | None = None  # dealt from in the running or last game
        self.last_winner: str | None = None  # a player
        self.seq = 0
        self.done: dict[str, dict[str, int]] = {}  # player -> command id -> sequence number it was answered with

    def copy(self) -> "Table":
        """An independent table in the same state."""
        twin = Table.__new__(Table)
        twin.__dict__.update(self.__dict__)
        twin.chairs = list(self.chairs)
        twin.game = None if self.game is None else self.game.copy()
        twin.clocks = self.clocks.copy()
        twin.grace = dict(self.grace)
        return twin

    # ---------------------------------------------------------------- questions

    @property
    def deadline_ms(self) -> int | None:
        """When the next `Expire` is due, `None` if nothing runs."""
        earliest = self.clocks.earliest_ms()
        if self.grace or self.start_ms is not None:
            others = [*self.grace.values(), *(() if self.start_ms is None else (self.start_ms,))]
            earliest = min(others if earliest is None else [earliest, *others])
        return earliest

    def may_deal(self, given: AnyInput) -> bool:
        """True if the input may need a deck: the owner then draws one."""
        match given:
            case CreateTable() | StartGame() | Vote():
                return True
            case Play(action=Redeal()):
                return True
            case Rise() | Play(action=Leave()):
                return self.status == "finished"
            case Expire():
                return self.start_ms is not None or self.status == "finished"
            case _:
                return False

    # ---------------------------------------------------------------- the step

    def step(self, given: AnyInput, now_ms: int, *, luck: int = 300, deck: Sequence[str] | None = None) -> list[AnyEvent]:
        """Carry out an input at this time, when every deadline before it has been dealt with.

        Raises `Refused` or `IllegalAction`; the table may then be half changed, so step a copy.
        """
        assert now_ms >= self.now_ms, "a table's time does not run backwards"
        outage_ms = now_ms - self.now_ms if isinstance(given, Recovered) else 0
        self.now_ms = now_ms
        events = self._recover(outage_ms) if isinstance(given, Recovered) else self._take(given, luck, deck)
        if not all(isinstance(event, Private) for event in events):  # a step of the sequence is one that all can see
            self.seq += 1
        if isinstance(given, ByPlayer) and given.cid:
            remembered = dict(self.done.get(given.player, {}))
            remembered[given.cid] = self.seq
            while len(remembered) > REMEMBERED_COMMANDS:
                del remembered[next(iter(remembered))]
            self.done = {**self.done, given.player: remembered}
        return events

    def _take(self, given: ChosenInput, luck: int, deck: Sequence[str] | None) -> list[AnyEvent]:
        match given:
            case Play(player=player, action=action):  # first, since nearly every input is one
                return self._play(player, action, given.bout, given.epoch, luck, deck)
            case CreateTable():
                return self._create(given, deck)
            case SitDown():
                return self._sit(given)
            case Rise(player=player):
                return self._leave(player, deck)
            case StartGame(player=player):
                self._must_be_host(player)
                self._must_be_between_games()
                return self._start(deck)
            case SeatBots(player=player, bots=bots):
                self._must_be_host(player)
                self._must_be_between_games()
                return self._seat_bots(bots)
            case DismissBot(player=player, chair=chair):
                self._must_be_host(player)
                self._must_be_between_games()
                return self._dismiss(chair)
            case SetAutoPass(player=player, on=on):
                return self._auto_pass(player, on, luck)
            case Vote(player=player):
                return self._vote(self.acting_chair(player), deck)
            case Dropped(player=player):
                return self._dropped(player)
            case Returned(player=player):
                return self._returned(player)
            case Expire():
                return self._expire(luck, deck)
            case Void():
                return self._void()
            case _:
                assert_never(given)

    # ---------------------------------------------------------------- chairs

    def _create(self, given: CreateTable, deck: Sequence[str] | None) -> list[AnyEvent]:
        self.created_by = (given.player, given.cid)
        self.title = given.title
        self.rules = given.rules
        self.private = given.private
        self.chairs = [None] * given.rules.max_players
        events: list[AnyEvent] = [Created()]
        if given.sit:
            events += self._seat(0, Occupant(given.player, given.name, "person"))
        events += self._seat_bots(given.bots)
        if given.start or not given.sit:
            events += self._start(deck)
        return events

    def _sit(self, given: SitDown) -> list[AnyEvent]:
        own = self.chair_of(given.player)
        if own is not None:
            return self._come_back(own, given.player)
        self._must_be_between_games()
        free = self._free_chairs()
        if not free:
            raise Refused("table_full")
        if given.chair is not None and given.chair >= len(self.chairs):
            raise Refused("no_such_chair", chairs=len(self.chairs))
        if given.chair is not None and given.chair not in free:
            raise Refused("chair_taken", chair=given.chair)
        return self._seat(free[0] if given.chair is None else given.chair, Occupant(given.player, given.name, "person"))

    def _come_back(self, chair: int, player: str) -> list[AnyEvent]:
        occupant = self.chairs[chair]
        assert occupant is not None
        if not occupant.left or occupant.player != player:
            raise Refused("already_seated", chair=chair)
        self._change(chair, left=False, gone=False, away=False)
        if self.status == "playing":
            self._rearm([], luck=0)
        return [CameBack(chair), *self._pass_host_on()]

    def _leave(self, player: str, deck: Sequence[str] | None) -> list[AnyEvent]:
        chair = self.acting_chair(player)
        occupant = self.chairs[chair]
        if occupant is None or occupant.player != player:
            raise Refused("already_left")
        return self._rise(chair, deck)

    def _rise(self, chair: int, deck: Sequence[str] | None) -> list[AnyEvent]:
        """A player leaves: a started game is lost, and the chair is free when it is over (RULES 1.22)."""
        occupant = self.chairs[chair]
        assert occupant is not None
        self.grace.pop(chair, None)
        if self.status == "playing" and self.game is not None and occupant.seat is not None:
            kernel = self.game.kernel
            self._change(chair, left=True, gone=True)
            events: list[AnyEvent] = self._pass_host_on()
            if kernel.active & ~(kernel.left | kernel.excused) & bits.SEAT_BIT[occupant.seat]:
                return events + self._after(self.game.act(occupant.seat, Leave()), luck=0)
            self._change(chair, away=True)
            self._rearm([], luck=0)
            return [WentAway(chair), *events]
        return [*self._vacate(chair), *self._rematch(deck)]

    def _vacate(self, chair: int) -> list[AnyEvent]:
        occupant = self.chairs[chair]
        assert occupant is not None
        self.grace.pop(chair, None)
        if self.status == "finished" and occupant.seat is not None:
            self._change(chair, left=True, gone=True, vote=False)  # the result still names its players
        else:
            self.chairs[chair] = None
        self._count_down()
        return [Rose(chair, occupant.name), *self._pass_host_on()]

    def _dismiss(self, chair: int) -> list[AnyEvent]:
        occupant = self.chairs[chair] if chair < len(self.chairs) else None
        if occupant is None or occupant.kind != "bot" or occupant.gone:
            raise Refused("not_a_bot", chair=chair)
        return self._vacate(chair)

    # ---------------------------------------------------------------- games

    def _start(self, deck: Sequence[str] | None) -> list[AnyEvent]:
        for chair, occupant in self.occupants():
            if occupant.gone:
                self.chairs[chair] = None
        taken = self.occupants()
        if len(taken) < 2:
            raise Refused("too_few_players", needed=2)
        assert deck is not None, "an input that may deal brings a deck"
        chairs = [chair for chair, _ in taken]
        if self.first_chair is None:
            self.first_chair = chairs[0]
        else:
            size = len(self.chairs)
            before = self.first_chair
            self.first_chair = min(chairs, key=lambda chair: (chair - before - 1) % size)
        for seat, (chair, occupant) in enumerate(taken):
            self._change(chair, seat=seat, vote=False, score=occupant.score if self.rules.series else NO_SCORE)
        winner = next((seat for seat, (_, occupant) in enumerate(taken) if occupant.player == self.last_winner), None)
        if winner is None:
            self.last_winner = None
        self.status = "playing"
        self.start_ms = None
        self.clocks = Clocks()
        self.game, events = Game.deal(
            self.rules,
            deck,
            len(taken),
            first_seat=chairs.index(self.first_chair),
            previous_winner=winner,
            persons=[seat for seat, (_, occupant) in enumerate(taken) if occupant.kind == "person"],
        )
        return [Started(self.games + 1, chairs), *self._after(events, luck=0)]

    def _play(
        self, player: str, action: AnyAction, bout: int, epoch: int | None, luck: int, deck: Sequence[str] | None
    ) -> list[AnyEvent]:
        if isinstance(action, Leave):
            return self._leave(player, deck)
        game, seat = self._playing_seat(player)
        events = game.act(seat, action, bout=bout, epoch=epoch, deck=deck)
        self.clocks.acted(seat)
        return self._after(events, luck)

    def _playing_seat(self, player: str) -> tuple[Game, int]:
        chair = self.acting_chair(player)
        occupant = self.chairs[chair]
        if self.status != "playing" or self.game is None or occupant is None or occupant.seat is None:
            raise Refused("not_playing")
        return self.game, occupant.seat

    def _auto_pass(self, player: str, on: bool, luck: int) -> list[AnyEvent]:
        game, seat = self._playing_seat(player)
        if not game.kernel.active & bits.SEAT_BIT[seat]:
            raise IllegalAction(Reason.SEAT_OUT)
        if on:
            self.clocks.auto_pass_on.add(seat)
        else:
            self.clocks.auto_pass_on.discard(seat)
        self._rearm([], luck)
        return [AutoPassSet(seat, on)]

    def _unattended(self) -> set[int]:
        return {
            occupant.seat
            for _, occupant in self.occupants()
            if occupant.seat is not None and (occupant.kind == "bot" or occupant.left)
        }

    def _rearm(self, events: list[GameEvent], luck: int) -> None:
        assert self.game is not None
        self.clocks.rearm(self.game, events, self.now_ms, luck, self._unattended())

    def _after(self, events: list[GameEvent], luck: int) -> list[AnyEvent]:
        """What follows from game events: clocks, bouts that close at once, the end of the game."""
        game = self.game
        assert game is not None
        told: list[AnyEvent] = list(events)
        self._rearm(events, luck)
        while self.clocks.closing_ms is not None and self.clocks.closing_ms <= self.now_ms:
            closed = game.close()
            told += closed
            self.clocks.closing_ms = None
            self._rearm(closed, luck)
        if game.result is not None:
            self._game_over()
        return told

    def _game_over(self) -> None:
        game = self.game
        assert game is not None and game.result is not None
        self.status = "finished"
        self.games += 1
        seated = sorted((occupant.seat, chair, occupant) for chair, occupant in self.occupants() if occupant.seat is not None)
        for (_, chair, _), score in zip(seated, scored([occupant.score for _, _, occupant in seated], game.result), strict=True):
            self._change(chair, score=score)
        winner = next((seat for seat, _, occupant in seated if occupant.player == self.last_winner), None)
        winner = winner_of(game.result, winner)
        self.last_winner = None if winner is None else seated[winner][2].player

    def _void(self) -> list[AnyEvent]:
        """The running game is over without result: nobody has lost, and whoever has not left sits at an open table again."""
        if self.status != "playing":
            raise Refused("not_playing")
        self.status = "open"
        self.game = None
        self.clocks = Clocks()
        return [Voided(), *self._leave_the_game()]

    def _vote(self, chair: int, deck: Sequence[str] | None) -> list[AnyEvent]:
        occupant = self.chairs[chair]
        assert occupant is not None
        if self.status != "finished":
            raise Refused("not_finished")
        if occupant.gone:
            raise Refused("already_left")
        if occupant.vote:
            raise Refused("already_voted")
        self._change(chair, vote=True)
        return [Voted(chair), *self._rematch(deck)]

    def _rematch(self, deck: Sequence[str] | None) -> list[AnyEvent]:
        """The next game, when somebody wants it and every person seated does."""
        if self.status != "finished" or not all(person.vote for _, person in self.persons()):
            return []
        staying = [occupant for _, occupant in self.occupants() if not occupant.gone]
        return self._start(deck) if len(staying) >= 2 and any(occupant.vote for occupant in staying) else []

    # ---------------------------------------------------------------- time

    def _deadlines(self) -> list[tuple[int, str, int]]:
        found = self.clocks.deadlines()
        found += [(at, "grace", chair) for chair, at in self.grace.items()]
        if self.start_ms is not None:
            found.append((self.start_ms, "start", -1))
        return found

    def _expire(self, luck: int, deck: Sequence[str] | None) -> list[AnyEvent]:
        """Carry out the first of the deadlines that have come."""
        due = min(self._deadlines(), key=lambda deadline: deadline[0], default=None)
        assert due is not None and due[0] <= self.now_ms, "an expiry has its deadline"
        _, kind, index = due
        if kind == "start":
            return self._start(deck)
        if kind == "grace":
            return self._rise(index, deck)
        assert self.game is not None
        if kind == "turn":
            return self._expire_turn(index, luck)
        if kind == "auto_pass":
            del self.clocks.auto_pass[index]
            return self._after(self.game.act(index, Pass()), luck)
        if kind == "offer":
            self.clocks.offer_ms = None
            return self._after(self.game.end_offer(), luck)
        self.clocks.window_ms = self.clocks.closing_ms = None
        return self._after(self.game.close(), luck)

    def _expire_turn(self, seat: int, luck: int) -> list[AnyEvent]:
        """Act for a silent seat (RULES 1.23)."""
        game = self.game
        assert game is not None
        self.clocks.silent[seat] += 1
        del self.clocks.turns[seat]
        action = action_of_silence(game, seat)
        return [TimedOut(seat), *self._after(game.act(seat, action), luck)]

    def _recover(self, outage_ms: int) -> list[AnyEvent]:
        """Charge the outage to no clock; every person has the grace period to come back."""
        self.clocks.shift(outage_ms)
        self.grace = {chair: at + outage_ms for chair, at in self.grace.items()}
        self.start_ms = None if self.start_ms is None else self.start_ms + outage_ms
        events: list[AnyEvent] = []
        for _, occupant in self.persons():
            events += self._dropped(occupant.player)
        return events
