"""One table as a pure state machine.

`Table.step` takes an input and the time and gives events; `Table.deadline_ms` says when an `Expire` is due. A live table
steps a copy, journals the entry and swaps the copy in, so a table in memory is never ahead of its journal.
"""

from types import MappingProxyType
from typing import Self, assert_never

from durak.protocol.messages import Created, TimedOut
from durak.protocol.rules.actions import Leave, Pass, Redeal
from durak.protocol.rules.events import Private
from durak.protocol.rules.silence import action_of_silence
from durak.server.table.chairs import Occupant, Refused
from durak.server.table.deadlines import (
    AutoPassDue,
    BoutCloses,
    Deadline,
    GameDeadline,
    GraceEnds,
    OfferEnds,
    StartDue,
    TurnEnds,
    WindowEnds,
    later,
)
from durak.server.table.games import Deck, Games
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
from durak.server.table.jitter import NO_JITTER, Jitter
from durak.server.table.seating import AnyEvent

REMEMBERED_COMMANDS = 64
"""How many accepted commands a table remembers per player, to carry each out once."""

Answers = MappingProxyType[str, int]
"""Of one player: command id -> sequence number it was answered with, the oldest first."""
NO_ANSWERS: Answers = MappingProxyType({})


class Table(Games):
    """A table: its chairs, its game, its clocks, its score, and what it has answered.

    All it holds but the game are values that never change, so that a copy shares them; what changes replaces them.
    """

    def __init__(self, table: str) -> None:
        super().__init__(table)
        self.created_by = ("", "")  # player and command id
        self.title = ""
        self.private = False
        self.answers: MappingProxyType[str, Answers] = MappingProxyType({})  # by player

    def copy(self) -> Self:
        """An independent table in the same state."""
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.game = None if self.game is None else self.game.copy()
        return twin

    # ---------------------------------------------------------------- questions

    @property
    def deadline_ms(self) -> int | None:
        """When the next `Expire` is due, `None` if nothing runs."""
        earliest = self.clocks.earliest_ms()
        if self.countdown is not None and (earliest is None or self.countdown.at_ms < earliest):
            earliest = self.countdown.at_ms
        if self.graces and (earliest is None or self.graces[0].at_ms < earliest):
            earliest = self.graces[0].at_ms
        return earliest

    def deadlines(self) -> list[Deadline]:
        """All that runs, in the order in which it expires."""
        found: list[Deadline] = [*self.clocks.deadlines(), *self.graces]
        if self.countdown is not None:
            found.append(self.countdown)
        return sorted(found, key=lambda deadline: deadline.at_ms)

    def answer_to(self, player: str, cid: str) -> int | None:
        """The sequence number with which a player's command was answered; `None` if it was not carried out, or long ago."""
        return self.answers.get(player, NO_ANSWERS).get(cid)

    def may_deal(self, cause: AnyInput) -> bool:
        """True if the input may need a deck: whoever steps it then draws one."""
        match cause:
            case Play(action=action):
                return isinstance(action, Redeal) or (isinstance(action, Leave) and self.status == "finished")
            case CreateTable() | StartGame() | Vote():
                return True
            case Rise():
                return self.status == "finished"
            case Expire():
                return self.countdown is not None or self.status == "finished"
            case SitDown() | SeatBots() | DismissBot() | SetAutoPass() | Dropped() | Returned() | Recovered() | Void():
                return False
            case _:
                assert_never(cause)

    # ---------------------------------------------------------------- the step

    def step(self, cause: AnyInput, now_ms: int, *, jitter: Jitter = NO_JITTER, deck: Deck = None) -> list[AnyEvent]:
        """Carry out an input at this time, when every deadline before it has been dealt with.

        Raises `Refused` or `IllegalAction`; the table may then be half changed, so step a copy.
        """
        assert now_ms >= self.now_ms, "a table's time does not run backwards"
        outage_ms = now_ms - self.now_ms if isinstance(cause, Recovered) else 0
        self.now_ms = now_ms
        events = self._recover(outage_ms) if isinstance(cause, Recovered) else self._take(cause, jitter, deck)
        if not all(isinstance(event, Private) for event in events):  # a step of the sequence is one that all can see
            self.seq += 1
        if isinstance(cause, ByPlayer) and cause.cid:
            self._remember(cause.player, cause.cid)
        return events

    def _remember(self, player: str, cid: str) -> None:
        own = self.answers.get(player, NO_ANSWERS) | {cid: self.seq}
        while len(own) > REMEMBERED_COMMANDS:
            del own[next(iter(own))]
        self.answers = MappingProxyType(self.answers | {player: MappingProxyType(own)})

    def _take(self, cause: ChosenInput, jitter: Jitter, deck: Deck) -> list[AnyEvent]:
        match cause:
            case Play():  # first, since nearly every input is one
                return self._play(cause, jitter, deck)
            case CreateTable():
                return self._create(cause, deck)
            case SitDown():
                return self._sit(cause)
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
                return self._auto_pass(player, on, jitter)
            case Vote(player=player):
                return self._vote(self.acting_chair(player), deck)
            case Dropped(player=player):
                return self._dropped(player)
            case Returned(player=player):
                return self._returned(player)
            case Expire():
                return self._expire(jitter, deck)
            case Void():
                return self._void()
            case _:
                assert_never(cause)

    # ---------------------------------------------------------------- chairs

    def _create(self, create: CreateTable, deck: Deck) -> list[AnyEvent]:
        self.created_by = (create.player, create.cid)
        self.title = create.title
        self.rules = create.rules
        self.private = create.private
        self.bots_only = create.bots_only
        self.chairs = (None,) * create.rules.max_players
        events: list[AnyEvent] = [Created()]
        if create.sit:
            events += self._seat(0, Occupant(create.player, create.name))
        events += self._seat_bots(create.bots)
        if create.start or not create.sit:
            events += self._start(deck)
        return events

    def _sit(self, sit: SitDown) -> list[AnyEvent]:
        own = self.chair_of(sit.player)
        if own is not None:
            return self._come_back(own, sit.player)
        if self.bots_only:
            raise Refused("bots_only")
        self._must_be_between_games()
        free = self.free_chairs()
        if not free:
            raise Refused("table_full")
        if sit.chair is not None and sit.chair >= len(self.chairs):
            raise Refused("no_such_chair", chairs=len(self.chairs))
        if sit.chair is not None and sit.chair not in free:
            raise Refused("chair_taken", chair=sit.chair)
        return self._seat(free[0] if sit.chair is None else sit.chair, Occupant(sit.player, sit.name))

    def _dismiss(self, chair: int) -> list[AnyEvent]:
        occupant = self.chairs[chair] if chair < len(self.chairs) else None
        if occupant is None or occupant.kind != "bot" or occupant.left:
            raise Refused("not_a_bot", chair=chair)
        return self._vacate(chair)

    # ---------------------------------------------------------------- time

    def _expire(self, jitter: Jitter, deck: Deck) -> list[AnyEvent]:
        """Carry out the first of the deadlines that have come."""
        due = next(iter(self.deadlines()), None)
        assert due is not None and due.at_ms <= self.now_ms, "an expiry has its deadline"
        match due:
            case StartDue():
                return self._start(deck)
            case GraceEnds(chair=chair):
                return self._rise(chair, deck)
            case OfferEnds() | BoutCloses() | WindowEnds() | TurnEnds() | AutoPassDue():
                return self._expire_in_game(due, jitter)
            case _:
                assert_never(due)

    def _expire_in_game(self, due: GameDeadline, jitter: Jitter) -> list[AnyEvent]:
        game = self.game
        assert game is not None
        self.clocks = self.clocks.expired(due)
        match due:
            case OfferEnds():
                return self._after(game.end_offer(), jitter)
            case BoutCloses() | WindowEnds():
                return self._after(game.close(), jitter)
            case TurnEnds(seat=seat):  # act for a silent seat (RULES 1.23)
                return [TimedOut(seat), *self._after(game.act(seat, action_of_silence(game, seat)), jitter)]
            case AutoPassDue(seat=seat):
                return self._after(game.act(seat, Pass()), jitter)
            case _:
                assert_never(due)

    def _recover(self, outage_ms: int) -> list[AnyEvent]:
        """Charge the outage to no clock; every person has the grace period to come back."""
        self.clocks = self.clocks.shifted(outage_ms)
        self.countdown = None if self.countdown is None else later(self.countdown, outage_ms)
        self._extend_graces(outage_ms)
        events: list[AnyEvent] = []
        for _, occupant in self.persons():
            events += self._dropped(occupant.player)
        return events
