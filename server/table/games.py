"""The games of a table, one after another: starting, playing, leaving, the end, the vote for the next."""

from collections.abc import Sequence

from msgspec.structs import replace

from durak.protocol.messages import AutoPassSet, CameBack, Rose, Started, Voided, Voted, WentAway
from durak.protocol.rules.actions import Leave
from durak.protocol.rules.errors import IllegalAction, Reason
from durak.protocol.rules.events import GameEvent
from durak.protocol.rules.game import Game
from durak.protocol.rules.result import scored, winner_of
from durak.protocol.rules.ruleset import Ruleset
from durak.server.table.chairs import NO_SCORE, PRESENT, Gone, Occupant, Refused
from durak.server.table.clocks import Clocks
from durak.server.table.inputs import Play
from durak.server.table.jitter import SHORTEST, Jitter
from durak.server.table.seating import AnyEvent, Seating

Deck = Sequence[str] | None
"""A shuffled pack, if the input may deal."""


class Games(Seating):
    """A table with its game: seats count the players of one game, chairs are 0..max_players-1."""

    def __init__(self, table: str) -> None:
        super().__init__(table)
        self.rules = Ruleset()
        self.game: Game | None = None
        """The game that runs, or has run last."""
        self.clocks = Clocks()
        self.games = 0  # finished
        self.votes: frozenset[int] = frozenset()  # chairs that want the next game, once one has finished
        self.first_chair: int | None = None  # dealt from in the running or last game
        self.last_winner: str | None = None  # a player

    # ---------------------------------------------------------------- starting

    def _start(self, deck: Deck) -> list[AnyEvent]:
        self._free_chairs_of_leavers()
        taken = self.occupants()
        if len(taken) < 2:
            raise Refused("too_few_players", needed=2)
        assert deck is not None, "an input that may deal brings a deck"
        chairs = [chair for chair, _ in taken]
        self.first_chair = self._next_first_chair(chairs)
        for seat, (chair, occupant) in enumerate(taken):
            self._change(chair, seat=seat, score=occupant.score if self.rules.series else NO_SCORE)
        winner = next((seat for seat, (_, occupant) in enumerate(taken) if occupant.player == self.last_winner), None)
        if winner is None:
            self.last_winner = None
        self.status = "playing"
        self.votes = frozenset()
        self.countdown = None
        self.clocks = Clocks()
        self.game, events = Game.deal(
            self.rules,
            deck,
            len(taken),
            first_seat=chairs.index(self.first_chair),
            previous_winner=winner,
            persons=[seat for seat, (_, occupant) in enumerate(taken) if occupant.kind == "person"],
        )
        return [Started(self.games + 1, chairs), *self._after(events, SHORTEST)]

    def _next_first_chair(self, chairs: list[int]) -> int:
        """The first of these chairs, then clockwise from game to game."""
        before, size = self.first_chair, len(self.chairs)
        return chairs[0] if before is None else min(chairs, key=lambda chair: (chair - before - 1) % size)

    # ---------------------------------------------------------------- playing

    def _play(self, play: Play, jitter: Jitter, deck: Deck) -> list[AnyEvent]:
        if isinstance(play.action, Leave):
            return self._leave(play.player, deck)
        game, seat = self._playing_seat(play.player)
        events = game.act(seat, play.action, bout=play.bout, epoch=play.epoch, deck=deck)
        self.clocks = self.clocks.acted(seat)
        return self._after(events, jitter)

    def _playing_seat(self, player: str) -> tuple[Game, int]:
        chair = self.acting_chair(player)
        seat = self._occupant(chair).seat
        if self.status != "playing" or self.game is None or seat is None:
            raise Refused("not_playing")
        return self.game, seat

    def _auto_pass(self, player: str, on: bool, jitter: Jitter) -> list[AnyEvent]:
        game, seat = self._playing_seat(player)
        if not game.is_active(seat):
            raise IllegalAction(Reason.SEAT_OUT)
        self.clocks = self.clocks.switched(seat, on)
        self._rearm([], jitter)
        return [AutoPassSet(seat, on)]

    def _rearm(self, events: list[GameEvent], jitter: Jitter) -> None:
        assert self.game is not None
        self.clocks = self.clocks.rearmed(self.game, events, self.now_ms, jitter, self._unattended())

    def _unattended(self) -> set[int]:
        """The seats of bots and leavers, which matter to clocks only where others have none."""
        if self.rules.turn_clock_s is not None:
            return set()
        return {
            occupant.seat
            for _, occupant in self.occupants()
            if occupant.seat is not None and (occupant.kind == "bot" or occupant.left)
        }

    def _after(self, events: list[GameEvent], jitter: Jitter) -> list[AnyEvent]:
        """What follows from game events: clocks, bouts that close at once, the end of the game."""
        game = self.game
        assert game is not None
        all_events: list[AnyEvent] = list(events)
        self._rearm(events, jitter)
        while (closing := self.clocks.closing) is not None and closing.at_ms <= self.now_ms:
            closed = game.close()
            all_events += closed
            self.clocks = self.clocks.expired(closing)
            self._rearm(closed, jitter)
        if game.result is not None:
            self._game_over()
        return all_events

    # ---------------------------------------------------------------- leaving

    def _leave(self, player: str, deck: Deck) -> list[AnyEvent]:
        chair = self.acting_chair(player)
        if self._occupant(chair).player != player:
            raise Refused("already_left")
        return self._rise(chair, deck)

    def _rise(self, chair: int, deck: Deck) -> list[AnyEvent]:
        """A player leaves: a started game is lost, and the chair is free when it is over (RULES 1.22)."""
        occupant = self._occupant(chair)
        if self.status != "playing" or self.game is None or occupant.seat is None:
            return [*self._vacate(chair), *self._rematch(deck)]
        loses = self.game.may_leave(occupant.seat)
        self._change(chair, presence=Gone(away=occupant.away or not loses))
        events = self._pass_host_on()
        if loses:
            return events + self._after(self.game.act(occupant.seat, Leave()), SHORTEST)
        self._rearm([], SHORTEST)
        return [WentAway(chair), *events]

    def _vacate(self, chair: int) -> list[AnyEvent]:
        """A chair becomes free between games."""
        occupant = self._occupant(chair)
        self.votes -= {chair}
        if self.status == "finished" and occupant.seat is not None:
            self._put(chair, replace(occupant, presence=Gone(occupant.away)))  # the result still names its players
        else:
            self._put(chair, None)
        self._count_down()
        return [Rose(chair, occupant.name), *self._pass_host_on()]

    def _come_back(self, chair: int, player: str) -> list[AnyEvent]:
        """The owner of a hand that a bot plays on takes it over again."""
        occupant: Occupant = self._occupant(chair)
        if not occupant.left or occupant.player != player:
            raise Refused("already_seated", chair=chair)
        self._change(chair, presence=PRESENT)
        if self.status == "playing":
            self._rearm([], SHORTEST)
        return [CameBack(chair), *self._pass_host_on()]

    # ---------------------------------------------------------------- the end, and the next

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
        events = self._free_chairs_of_leavers()
        for chair, _ in self.occupants():
            self._change(chair, seat=None)
        return [Voided(), *events]

    def _vote(self, chair: int, deck: Deck) -> list[AnyEvent]:
        if self.status != "finished":
            raise Refused("not_finished")
        if self._occupant(chair).left:
            raise Refused("already_left")
        if chair in self.votes:
            raise Refused("already_voted")
        self.votes |= {chair}
        return [Voted(chair), *self._rematch(deck)]

    def _rematch(self, deck: Deck) -> list[AnyEvent]:
        """The next game, when somebody wants it and every person seated does."""
        if self.status != "finished" or not self.votes.issuperset(chair for chair, _ in self.persons()):
            return []
        staying = [chair for chair, occupant in self.occupants() if not occupant.left]
        return self._start(deck) if len(staying) >= 2 and self.votes else []
