"""One game between bots in one process, without time: who acts next is drawn, as if by their delays.

A decision that a bot does not make, in whatever way, is made for it as for a seat whose turn clock has run out (RULES 1.23), and
the record says so.
"""

import random
import time
from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol

from durak.bots.bot import Bot, Budget
from durak.bots.knowing.memory import Memory
from durak.bots.players.rivals import Cheat
from durak.protocol.rules.actions import AnyAction, Leave, Redeal
from durak.protocol.rules.cards import PACK
from durak.protocol.rules.errors import IllegalAction
from durak.protocol.rules.events import BoutBegan, Dealt, GameEvent, GameResult
from durak.protocol.rules.game import Game
from durak.protocol.rules.notation import Step
from durak.protocol.rules.record import Record, RecordedGame
from durak.protocol.rules.ruleset import Ruleset
from durak.protocol.rules.silence import action_of_silence
from durak.protocol.rules.view import GameView, SeenEvent, seen, view_of

STEP_MS: Final = 1_000
"""What a record's clock advances with each input; a game between bots has no time of its own."""


class Fault(Exception):
    """A decision that a bot did not make. `kind` is crashed, timed_out, rubbish, illegal or waited; `detail` says more."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind = kind
        self.detail = detail


class Seat(Protocol):
    """A bot in one seat of one game."""

    def hear(self, events: Sequence[SeenEvent], view: GameView | None) -> None:
        """This has happened, as the seat sees it. When a card of a hand is shown (RULES 1.3, 3.5), `view` is the game after it."""
        ...

    def choose(self, view: GameView) -> AnyAction | None:
        """One of `view.legal`, or `None` to wait until something happens. Raises `Fault`."""
        ...

    def closing(self, view: GameView) -> None:
        """The bout is closing early, since nobody is waited for (RULES 1.14)."""
        ...

    def leave(self) -> None:
        """The game is over; called once."""
        ...


class OwnSeat:
    """A seat for a bot of this process, with the memory of this seat only."""

    def __init__(self, bot: Bot, seat: int, rules: Ruleset, rng: random.Random, budget: Budget) -> None:
        self.bot = bot
        self.memory = Memory(seat, rules)
        self._rng = rng
        self._budget = budget

    def hear(self, events: Sequence[SeenEvent], view: GameView | None) -> None:
        """Remember."""
        self.memory.observe(events, view)

    def choose(self, view: GameView) -> AnyAction | None:
        """What the bot chooses. Raises `Fault` crashed."""
        self.memory.observe((), view)
        try:
            return self.bot.choose(view, self.memory, self._rng, self._budget)
        except Exception as error:
            raise Fault("crashed", f"{type(error).__name__}: {error}") from error

    def closing(self, view: GameView) -> None:
        """Remember what this tells of the hands."""
        self.memory.nobody_adds(view)

    def leave(self) -> None:
        """Nothing is left to do."""


class SeeingSeat(OwnSeat):
    """A seat for the yardstick that cheats: it sees the game itself."""

    def __init__(self, bot: Cheat, seat: int, rules: Ruleset, rng: random.Random, budget: Budget) -> None:
        super().__init__(bot, seat, rules, rng, budget)
        self._cheat = bot
        self.game: Game

    def choose(self, view: GameView) -> AnyAction | None:
        """What the bot chooses, seeing all. Raises `Fault` crashed."""
        self._cheat.game = self.game
        return super().choose(view)


class Lapse(NamedTuple):
    """A decision that was made for a seat: what was the matter (`Fault`)."""

    seat: int
    kind: str
    detail: str


class Match:
    """A game with one bot in each seat.

    `seed` is that of who comes first and of a redeal's deck. `lapses`: decisions made for bots, in order; `thought_ms`: one
    list per seat, an entry per question; `record`: the game so far.
    """

    def __init__(
        self, rules: Ruleset, deck: Sequence[str], seats: Sequence[Seat], seed: str, *, names: Sequence[str] | None = None
    ) -> None:
        self.seats = seats
        self.lapses: list[Lapse] = []
        self.thought_ms: list[list[float]] = [[] for _ in seats]
        self._order = random.Random(f"{seed}/order")
        self._redeals = random.Random(f"{seed}/redeal")
        self.game, events = RecordedGame.deal(rules, deck, len(seats), names=names)
        for player in seats:
            if isinstance(player, SeeingSeat):
                player.game = self.game
        self._tell(events)

    @property
    def record(self) -> Record:
        """The record of the game so far."""
        return self.game.record

    def to_the_end(self) -> GameResult:
        """Play until the game is over."""
        game = self.game
        waiting: set[int] = set()
        while game.result is None:
            if game.quiet():
                for number, player in enumerate(self.seats):
                    player.closing(view_of(game, number))
                self._step(Step.CLOSE)
                continue
            able = [seat for seat in range(game.players) if seat not in waiting and game.legal(seat)]
            if able:
                seat = self._order.choice(able)
                if self._ask(seat):
                    waiting.clear()
                else:
                    waiting.add(seat)
            else:
                self._let_time_pass()
                waiting.clear()
        for player in self.seats:
            player.leave()
        return game.result

    def _ask(self, seat: int) -> bool:
        """Let a seat decide. False if it waits."""
        view = view_of(self.game, seat)
        began = time.perf_counter()
        try:
            action = self.seats[seat].choose(view)
            if isinstance(action, Leave):
                raise Fault("illegal", "leave: a game in the arena is not left")
        except Fault as fault:
            self._decide_for(seat, fault)
            return True
        finally:
            self.thought_ms[seat].append(1000 * (time.perf_counter() - began))
        if action is None:
            return False
        try:
            self._act(seat, action)
        except IllegalAction as refused:
            self._decide_for(seat, Fault("illegal", f"{action}: {refused}"))
        return True

    def _let_time_pass(self) -> None:
        """Everybody waits: a window or the offer ends, or else a turn clock does (RULES 1.11, 1.23, 3.4)."""
        game = self.game
        rules = game.ruleset
        if game.phase == "redeal" and rules.offer_ms:
            self._step(Step.OFFER)
            return
        late = game.may_move()
        if game.phase == "bout":
            if game.answering():
                late = [game.defender]
            elif rules.window_ms is not None or not late:
                self._step(Step.CLOSE)
                return
        for seat in late:
            self._decide_for(seat, Fault("waited", "it waited when the table waited for it alone"))

    def _decide_for(self, seat: int, fault: Fault) -> None:
        self.lapses.append(Lapse(seat, fault.kind, fault.detail))
        self._act(seat, action_of_silence(self.game, seat), f"decided for the bot, {fault}")

    def _act(self, seat: int, action: AnyAction, note: str | None = None) -> None:
        """Carry an action out. Raises `IllegalAction`."""
        deck = shuffled(self._redeals) if isinstance(action, Redeal) else None
        self._let_a_step_pass()
        self._tell(self.game.act(seat, action, deck=deck, note=note))

    def _step(self, step: Step) -> None:
        self._let_a_step_pass()
        self._tell(self.game.end_offer() if step is Step.OFFER else self.game.close())

    def _let_a_step_pass(self) -> None:
        self.game.at_ms = STEP_MS * (len(self.record.inputs) + 1)

    def _tell(self, events: Sequence[GameEvent]) -> None:
        game = self.game
        shows = (game.dealt_trump or game.opening_trump) and any(isinstance(event, Dealt | BoutBegan) for event in events)
        for seat, player in enumerate(self.seats):
            view = view_of(game, seat) if shows else None
            player.hear([own for event in events if (own := seen(event, seat)) is not None], view)


def shuffled(rng: random.Random) -> list[str]:
    """A pack to deal from."""
    deck = list(PACK)
    rng.shuffle(deck)
    return deck
