"""The clocks of a running game: window, early close, offer period, turn clocks and delayed passes (RULES 1.11-1.15, 1.23, 3.4).

`rearmed` is asked after everything that happens in a game and says what must run, from what the game is now and what has just
happened. Nothing here looks at a real clock, and nothing here changes: other clocks are other values.
"""

from collections.abc import Iterable, Set
from typing import assert_never

import msgspec
from msgspec.structs import replace

from durak.protocol.rules.events import (
    Answered,
    Attacked,
    Beaten,
    BoutBegan,
    BoutEnded,
    Dealt,
    Deciding,
    Drew,
    GameEvent,
    GameOver,
    Left,
    Passed,
    ThrewIn,
    Took,
    WentOut,
)
from durak.protocol.rules.game import Game
from durak.server.table.deadlines import (
    AutoPassDue,
    BoutCloses,
    GameDeadline,
    OfferEnds,
    TurnEnds,
    WindowEnds,
    all_later,
    later,
)
from durak.server.table.jitter import Jitter, auto_pass_delay_ms, closing_delay_ms

SILENT_CLOCK_MS = 5_000
"""A seat's clock after two expiries in a row."""
FORGIVEN_EXPIRIES = 2
UNATTENDED_CLOCK_MS = 30_000
"""On a table without turn clock: the clock of bots and of seats that were left, so that such a table ends too."""


DEALT, BOUT_BEGAN, COVERED, THROWN, PLAYED, DECIDES = (1 << bit for bit in range(6))
"""What has happened, as far as clocks mind; a set of bits.

COVERED: a card was beaten, or the defender has taken, so that who may add has the window to do so. PLAYED: a card came onto the
table. DECIDES: the defender has said what it does, or is asked, so that another is waited for.
"""
_meanings: dict[type[GameEvent], int] = {}


def meaning_of(events: Iterable[GameEvent]) -> int:
    """What these events mean to clocks."""
    happened = 0
    for event in events:
        meaning = _meanings.get(type(event))
        if meaning is None:
            meaning = _meanings[type(event)] = _meaning_of(event)  # it is always the same, and a `match` takes its time
        happened |= meaning
    return happened


def _meaning_of(event: GameEvent) -> int:
    match event:
        case Dealt():
            return DEALT
        case BoutBegan():
            return BOUT_BEGAN
        case ThrewIn():
            return THROWN | PLAYED
        case Attacked():
            return PLAYED
        case Beaten():
            return COVERED | PLAYED
        case Took():
            return COVERED | DECIDES
        case Deciding():
            return DECIDES
        case Answered() | Passed() | BoutEnded() | Drew() | WentOut() | Left() | GameOver():
            return 0
        case _:
            assert_never(event)


class Clocks(msgspec.Struct, frozen=True, gc=False):
    """What runs. `turns` and `auto_passes` are in the order of seats; `silent` counts expiries in a row, one entry per seat."""

    offer: OfferEnds | None = None
    closing: BoutCloses | None = None
    window: WindowEnds | None = None
    turns: tuple[TurnEnds, ...] = ()
    auto_passes: tuple[AutoPassDue, ...] = ()
    auto_pass_on: frozenset[int] = frozenset()
    silent: tuple[int, ...] = (0, 0, 0, 0, 0, 0)

    # ---------------------------------------------------------------- questions

    def deadlines(self) -> list[GameDeadline]:
        """All deadlines in the order in which they expire; of several at one moment those of the table first, then by seat."""
        found: list[GameDeadline] = [one for one in (self.offer, self.closing, self.window) if one is not None]
        found += self.turns
        found += self.auto_passes
        found.sort(key=lambda deadline: deadline.at_ms)
        return found

    def earliest_ms(self) -> int | None:
        """The first of the deadlines; asked far more often than `deadlines`."""
        found = [turn.at_ms for turn in self.turns] if self.turns else []
        if self.window is not None:
            found.append(self.window.at_ms)
        if self.closing is not None:
            found.append(self.closing.at_ms)
        if self.offer is not None:
            found.append(self.offer.at_ms)
        if self.auto_passes:
            found += [one.at_ms for one in self.auto_passes]
        return min(found) if found else None

    # ---------------------------------------------------------------- other clocks

    def shifted(self, by_ms: int) -> "Clocks":
        """With every deadline later, so that an outage is charged to nobody."""
        return replace(
            self,
            offer=None if self.offer is None else later(self.offer, by_ms),
            closing=None if self.closing is None else later(self.closing, by_ms),
            window=None if self.window is None else later(self.window, by_ms),
            turns=all_later(self.turns, by_ms),
            auto_passes=all_later(self.auto_passes, by_ms),
        )

    def stopped(self) -> "Clocks":
        """With nothing running: a bout, or the game, is over."""
        return Clocks(silent=self.silent)

    def acted(self, seat: int) -> "Clocks":
        """After an accepted action of this seat: it is not silent, and its own clock starts afresh."""
        turns = _without(self.turns, seat)
        if turns == self.turns and not self.silent[seat]:
            return self
        return replace(self, turns=turns, silent=_counting(self.silent, seat, 0))

    def expired(self, due: GameDeadline) -> "Clocks":
        """Without this deadline, which has come."""
        match due:
            case OfferEnds():
                return replace(self, offer=None)
            case BoutCloses() | WindowEnds():
                return replace(self, closing=None, window=None)
            case TurnEnds(seat=seat):
                return replace(self, turns=_without(self.turns, seat), silent=_counting(self.silent, seat, self.silent[seat] + 1))
            case AutoPassDue(seat=seat):
                return replace(self, auto_passes=tuple(one for one in self.auto_passes if one.seat != seat))
            case _:
                assert_never(due)

    def switched(self, seat: int, on: bool) -> "Clocks":
        """With a seat's automatic pass on or off; `rearmed` gives it its deadline."""
        return replace(self, auto_pass_on=self.auto_pass_on | {seat} if on else self.auto_pass_on - {seat})

    def rearmed(self, game: Game, events: Iterable[GameEvent], now_ms: int, jitter: Jitter, unattended: Set[int]) -> "Clocks":
        """After these events. `unattended`: seats of bots and leavers."""
        if game.phase == "over":
            return self.stopped()
        happened = meaning_of(events)
        before = self.stopped() if happened & (DEALT | BOUT_BEGAN) else self
        offer = before.offer
        if happened & DEALT and game.phase == "redeal" and game.ruleset.offer_ms:
            offer = OfferEnds(now_ms + game.ruleset.offer_ms)
        closing, window = before._close_and_window(game, happened, now_ms, jitter)
        ending = game.closable() and (window is not None or closing is not None)
        waited = [] if ending else game.waited_for()
        turns = before._turns(game, happened, now_ms, waited, unattended)
        auto_passes = before._auto_passes(game, now_ms, jitter) if before.auto_pass_on else ()
        return Clocks(offer, closing, window, turns, auto_passes, before.auto_pass_on, before.silent)

    def _close_and_window(
        self, game: Game, happened: int, now_ms: int, jitter: Jitter
    ) -> tuple[BoutCloses | None, WindowEnds | None]:
        ruleset = game.ruleset
        if not game.closable():
            return None, None
        closing, window = self.closing, self.window
        if happened & COVERED or (game.taking and happened & THROWN):
            window = None if ruleset.window_ms is None else WindowEnds(now_ms + ruleset.window_ms)
        if closing is None and game.quiet():
            total_ms = closing_delay_ms(ruleset.close_ms, jitter)
            at_ms = now_ms + total_ms
            closing = BoutCloses(at_ms if window is None else min(at_ms, window.at_ms), total_ms)
            window = None
        return closing, window

    def _turns(self, game: Game, happened: int, now_ms: int, waited: Iterable[int], unattended: Set[int]) -> tuple[TurnEnds, ...]:
        restart = happened & DECIDES or (happened & PLAYED and game.phase == "bout" and not game.taking)
        running = {} if restart else {turn.seat: turn for turn in self.turns}
        turns = []
        for seat in waited:
            total_ms = self._turn_ms(game, seat, seat in unattended)
            if total_ms is not None:
                turns.append(running.get(seat) or TurnEnds(now_ms + total_ms, seat, total_ms))
        return tuple(turns)

    def _turn_ms(self, game: Game, seat: int, unattended: bool) -> int | None:
        seconds = game.ruleset.turn_clock_s
        if seconds is None and not unattended:
            return None
        total_ms = UNATTENDED_CLOCK_MS if seconds is None else seconds * 1_000
        return min(total_ms, SILENT_CLOCK_MS) if self.silent[seat] >= FORGIVEN_EXPIRIES else total_ms

    def _auto_passes(self, game: Game, now_ms: int, jitter: Jitter) -> tuple[AutoPassDue, ...]:
        running = {one.seat: one for one in self.auto_passes}
        return tuple(
            running.get(seat) or AutoPassDue(now_ms + auto_pass_delay_ms(jitter, seat), seat)
            for seat in sorted(self.auto_pass_on)
            if game.may_pass(seat)
        )


def _without(turns: tuple[TurnEnds, ...], seat: int) -> tuple[TurnEnds, ...]:
    return tuple([turn for turn in turns if turn.seat != seat])


def _counting(silent: tuple[int, ...], seat: int, expiries: int) -> tuple[int, ...]:
    return silent if silent[seat] == expiries else (*silent[:seat], expiries, *silent[seat + 1 :])
