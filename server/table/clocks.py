"""The clocks of a running game: window, early close, offer period, turn clocks and delayed passes (RULES 1.11-1.15, 1.23, 3.4).

Deadlines are milliseconds of the table's time. `rearm` is called after everything that happens in a game and sets what must run
from what the game is now and what just happened; it never looks at a real clock.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from durak.protocol.rules import kernel as k
from durak.protocol.rules.events import Beaten, BoutBegan, Dealt, Deciding, GameEvent, Led, ThrewIn, Took
from durak.protocol.rules.game import Game

SILENT_CLOCK_MS = 5_000
"""A seat's clock after two expiries in a row."""
FORGIVEN_EXPIRIES = 2
UNATTENDED_CLOCK_MS = 30_000
"""On a table without turn clock: the clock of bots and of seats that were left, so that such a table ends too."""
AUTO_PASS_DELAY_MS = (1_500, 3_000)


def closing_delay_ms(close_ms: int, luck: int) -> int:
    """The "about a second" of an early close: 0.7 to 1.5 of `close_ms` (RULES 1.14); luck 300 is exactly `close_ms`."""
    return close_ms * (700 + luck % 801) // 1_000


def auto_pass_delay_ms(luck: int, seat: int) -> int:
    """A delay for a seat's automatic pass, another one for every seat."""
    low, high = AUTO_PASS_DELAY_MS
    return low + (luck // 1_000 + 397 * seat) % (high - low + 1)


Happened = set[type[GameEvent]]
"""The kinds of events that have just happened."""
NEW_GAME_OR_BOUT: Happened = {BoutBegan, Dealt}
BEATEN_OR_TAKEN: Happened = {Beaten, Took}
CARD_PLAYED: Happened = {Led, ThrewIn, Beaten}
ANOTHER_WAITED_FOR: Happened = {Took, Deciding}


class TurnClock(NamedTuple):
    """One seat's turn clock."""

    deadline_ms: int
    total_ms: int


@dataclass(slots=True)
class Clocks:
    """What runs. `silent` counts expiries in a row, one entry per seat."""

    window_ms: int | None = None
    closing_ms: int | None = None
    closing_total_ms: int = 0
    offer_ms: int | None = None
    turns: dict[int, TurnClock] = field(default_factory=dict)
    auto_pass: dict[int, int] = field(default_factory=dict)
    auto_pass_on: set[int] = field(default_factory=set)
    silent: list[int] = field(default_factory=lambda: [0] * 6)

    def copy(self) -> "Clocks":
        """Independent clocks with the same deadlines."""
        return Clocks(
            self.window_ms,
            self.closing_ms,
            self.closing_total_ms,
            self.offer_ms,
            dict(self.turns),
            dict(self.auto_pass),
            set(self.auto_pass_on),
            list(self.silent),
        )

    def deadlines(self) -> list[tuple[int, str, int]]:
        """All deadlines with their kind and seat (-1: the table), in the order in which they expire."""
        found = [
            (at, order, kind, -1)
            for order, (kind, at) in enumerate((("offer", self.offer_ms), ("closing", self.closing_ms), ("window", self.window_ms)))
            if at is not None
        ]
        found += [(turn.deadline_ms, 3, "turn", seat) for seat, turn in self.turns.items()]
        found += [(at, 4, "auto_pass", seat) for seat, at in self.auto_pass.items()]
        return [(at, kind, seat) for at, _, kind, seat in sorted(found)]

    def earliest_ms(self) -> int | None:
        """The first of the deadlines; asked far more often than `deadlines`."""
        found = [at for at in (self.window_ms, self.closing_ms, self.offer_ms) if at is not None]
        if self.turns:
            found += [turn.deadline_ms for turn in self.turns.values()]
        if self.auto_pass:
            found += self.auto_pass.values()
        return min(found) if found else None

    def shift(self, by_ms: int) -> None:
        """Move every deadline, so that an outage is charged to nobody."""
        self.window_ms = None if self.window_ms is None else self.window_ms + by_ms
        self.closing_ms = None if self.closing_ms is None else self.closing_ms + by_ms
        self.offer_ms = None if self.offer_ms is None else self.offer_ms + by_ms
        self.turns = {seat: TurnClock(turn.deadline_ms + by_ms, turn.total_ms) for seat, turn in self.turns.items()}
        self.auto_pass = {seat: at + by_ms for seat, at in self.auto_pass.items()}

    def stop(self) -> None:
        """Nothing runs any more: the game is over."""
        self.window_ms = self.closing_ms = self.offer_ms = None
        self.turns.clear()
        self.auto_pass.clear()
        self.auto_pass_on.clear()

    def acted(self, seat: int) -> None:
        """An action of this seat was accepted: it is not silent, and its own clock starts afresh."""
        self.silent[seat] = 0
        self.turns.pop(seat, None)

    def rearm(self, game: Game, events: list[GameEvent], now_ms: int, luck: int, unattended: set[int]) -> None:
        """Set the clocks after these events. `unattended`: seats of bots and leavers."""
        kernel = game.kernel
        if kernel.phase == k.OVER:
            self.stop()
            return
        happened: Happened = {type(event) for event in events}
        if happened & NEW_GAME_OR_BOUT:
            silent = self.silent
            self.stop()
            self.silent = silent
        if Dealt in happened and kernel.phase == k.REDEAL and game.ruleset.offer_ms:
            self.offer_ms = now_ms + game.ruleset.offer_ms
        self._window_and_close(game, happened, now_ms, luck)
        self._turns(game, happened, now_ms, unattended)
        self._auto_passes(game, now_ms, luck)

    def _window_and_close(self, game: Game, happened: Happened, now_ms: int, luck: int) -> None:
        kernel, ruleset = game.kernel, game.ruleset
        if kernel.phase != k.BOUT or (kernel.open_cards and not kernel.taking):
            self.window_ms = self.closing_ms = None
            return
        if happened & BEATEN_OR_TAKEN or (kernel.taking and ThrewIn in happened):
            self.window_ms = None if ruleset.window_ms is None else now_ms + ruleset.window_ms
        if self.closing_ms is None and kernel.quiet():
            self.closing_total_ms = closing_delay_ms(ruleset.close_ms, luck)
            self.closing_ms = now_ms + self.closing_total_ms
            if self.window_ms is not None:
                self.closing_ms = min(self.closing_ms, self.window_ms)
            self.window_ms = None

    def _turns(self, game: Game, happened: Happened, now_ms: int, unattended: set[int]) -> None:
        kernel = game.kernel
        waited = self._waited_for(game)
        restart = bool(happened & ANOTHER_WAITED_FOR)
        if kernel.phase == k.BOUT and not kernel.taking and happened & CARD_PLAYED:
            restart = True
        for seat in list(self.turns):
            if seat not in waited or restart or self._turn_ms(game, seat, seat in unattended) is None:
                del self.turns[seat]
        for seat in waited:
            if seat not in self.turns:
                total = self._turn_ms(game, seat, seat in unattended)
                if total is not None:
                    self.turns[seat] = TurnClock(now_ms + total, total)

    def _waited_for(self, game: Game) -> list[int]:
        """The seats whose turn clock must run (RULES 1.23)."""
        kernel = game.kernel
        match kernel.phase:
            case k.LEAD:
                return [kernel.attacker]
            case k.DECIDE:
                return [kernel.defender]
            case k.REDEAL:
                return [] if game.ruleset.offer_ms else game.seats_in(kernel.offers)
        if kernel.open_cards and not kernel.taking:
            return [kernel.defender]
        if self.window_ms is not None or self.closing_ms is not None:
            return []
        return [seat for seat in range(game.players) if kernel.may_pass(seat) and (kernel.discreet or kernel.throwable(seat))]

    def _turn_ms(self, game: Game, seat: int, unattended: bool) -> int | None:
        seconds = game.ruleset.turn_clock_s
        if seconds is None and not unattended:
            return None
        total = UNATTENDED_CLOCK_MS if seconds is None else seconds * 1_000
        return min(total, SILENT_CLOCK_MS) if self.silent[seat] >= FORGIVEN_EXPIRIES else total

    def _auto_passes(self, game: Game, now_ms: int, luck: int) -> None:
        kernel = game.kernel
        for seat in range(game.players):
            if seat in self.auto_pass_on and kernel.may_pass(seat):
                if seat not in self.auto_pass:
                    self.auto_pass[seat] = now_ms + auto_pass_delay_ms(luck, seat)
            else:
                self.auto_pass.pop(seat, None)
