"""A seat that a program from outside plays: what it is told, and what becomes of an answer that is none."""

from collections.abc import Callable, Sequence

import msgspec

from durak.bots.arena.match import Fault
from durak.bots.arena.outside.lines import Choose, GameBegins, GameIsOver, decode_answer
from durak.bots.arena.outside.program import Program
from durak.protocol.rules.actions import AnyAction
from durak.protocol.rules.events import GameOver
from durak.protocol.rules.view import GameView, SeenEvent


class OutsideSeat:
    """A seat of one game. `give_back` is called at its end with the program, if that still runs."""

    def __init__(self, start: Callable[[], Program], game: GameBegins, give_back: Callable[[Program], None]) -> None:
        self._events: list[SeenEvent] = []
        self._give_back = give_back
        self._patience_ms = game.patience_ms
        self._program: Program | None = None
        self._failed: Fault | None = None  # at the start, told at the first question
        try:
            self._program = start()
            self._program.tell(game)
        except Fault as fault:
            self._failed = fault

    def hear(self, events: Sequence[SeenEvent], view: GameView | None) -> None:
        """Keep it for the next line."""
        self._events += events

    def choose(self, view: GameView) -> AnyAction | None:
        """What the program answers.

        Raises `Fault`. After a crash, a silence or rubbish the program is stopped, and the rest of the game is forfeited.
        """
        if self._program is None:
            failed, self._failed = self._failed, None
            raise failed or Fault("stopped", "its program was stopped until the next game")
        line, self._events = Choose(self._events, view), []
        try:
            answer = self._program.ask(line, self._patience_ms)
            try:
                return decode_answer(answer)
            except msgspec.ValidationError as error:
                raise Fault("illegal", f"no action: {error}") from None
            except msgspec.DecodeError:
                raise Fault("rubbish", f"no JSON: {answer[:80].decode(errors='replace').strip()!r}") from None
        except Fault as fault:
            if fault.kind != "illegal":
                self._program.stop()
                self._program = None
            raise

    def closing(self, view: GameView) -> None:
        """A program hears of events only."""

    def leave(self) -> None:
        """Tell how the game has ended."""
        if self._program is not None:
            result = next((event.result for event in self._events if isinstance(event, GameOver)), None)
            self._program.tell(GameIsOver(self._events, result))
            self._give_back(self._program)
            self._program = None
