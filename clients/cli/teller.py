"""From what the server sends to what is printed: keeps the view, the numbers last shown and the last thing said. Pure."""

from typing import assert_never

from durak.clients.cli.answers import Answer, Reader, with_possible
from durak.clients.cli.news import lines_of
from durak.clients.cli.situation import situation
from durak.clients.cli.turn import my_hand, now, time_calls, waiting_line
from durak.clients.link import LeftOut
from durak.clients.words.speech import Speech
from durak.protocol.messages import (
    Detached,
    Error,
    Heartbeat,
    LobbyState,
    Ok,
    SeatOffer,
    ServerMessage,
    TableState,
    TableView,
    Update,
    ViewerEvent,
    Watchers,
    Welcome,
)
from durak.protocol.rules.view import DealtSeen


class Teller:
    """One table, told in lines."""

    def __init__(self, speech: Speech) -> None:
        self.speech = speech
        self.view: TableView | None = None
        self.offline = False
        self._watchers = 0
        self._numbered: list[str] = []
        self._coming: tuple[str, ...] = ()  # actions of the next view that this version does not know
        self._unknown: tuple[str, ...] = ()  # and those of the present one
        self._last_choice: tuple[int, str] | None = None  # bout and line of what I was last told I can do

    # ---------------------------------------------------------------- what comes from the server

    def hear(self, message: ServerMessage | LeftOut) -> list[str]:
        """The lines for a message."""
        match message:
            case LeftOut(actions=actions):
                self._coming = actions
                return []
            case TableState(view=view, watchers=watchers):
                self._watchers = watchers
                self._unknown, self._coming = self._coming, ()
                return self._attached(message, view)
            case Update(view=change, events=events):
                assert self.view is not None, "a link hands on no update before the table"
                self._unknown, self._coming = self._coming, ()
                return self._happened(change.applied_to(self.view), events)
            case Detached(reason=reason):
                self.view = None
                return [self.speech(f"detached.{reason}")]
            case Watchers(count=count):
                self._watchers = count
                return []
            case Error():
                return [self.refusal(message)]
            case Welcome() | Ok() | LobbyState() | Heartbeat() | SeatOffer():
                return []
            case _:
                assert_never(message)

    def lost(self) -> list[str]:
        """The connection is lost; said once, however often it fails to come back."""
        if self.offline:
            return []
        self.offline = True
        return [self.speech("link.lost")]

    def refusal(self, error: Error) -> str:
        """What a refused command is told as."""
        sentence = self.error(error)
        if error.legal is None or self.view is None:
            return sentence
        return with_possible(sentence, self.view, self._numbered, self.speech)

    def error(self, error: Error) -> str:
        """The sentence for a code of the server."""
        key = f"error.{error.code}"
        if error.code == "no_bots" and error.params.get("levels"):
            key = "error.no_bots_of"
        try:
            sentence = self.speech(key, **error.params)
        except KeyError:  # a code, or a parameter, of another version
            sentence = self.speech("error", code=error.code)
        if error.retry_after_ms is not None:
            sentence = self.speech("error.again", sentence=sentence, seconds=-(-error.retry_after_ms // 1000))
        return sentence

    def _attached(self, message: TableState, view: TableView) -> list[str]:
        known = self.view is not None and self.view.table == view.table
        resumed, self.offline = self.offline, False
        if not (known and resumed):
            self.view = view
            return self.situation()
        if message.resumed == "snapshot":
            self.view = view
            return [self.speech("link.snapshot"), *self.situation()]
        missed = [event for one in message.missed for event in one.events]
        self._last_choice = None
        return [self.speech("link.resumed", missed=len(missed)), *self._happened(view, missed)]

    def _happened(self, view: TableView, events: list[ViewerEvent]) -> list[str]:
        before, self.view = self.view, view
        lines = lines_of(events, view, self.speech)
        clock = view.clock
        if clock is not None and clock.kind == "start" and (before is None or before.clock is None):
            lines.append(self.speech("event.countdown", seconds=-(-clock.ms // 1000)))
        can = now(view, self.speech, self._unknown)
        if can is None or not can.unasked:
            self._last_choice = None
            waiting = waiting_line(view, self.speech) if any(isinstance(event, DealtSeen) for event in events) else None
            if waiting is not None:
                self._show_hand(view)
                lines.append(waiting)
            return lines
        choice = (_bout(view), can.line)
        if self._last_choice != choice:
            self._last_choice = choice
            self._numbered = can.hand or self._numbered
            lines.append(can.line)
        return lines

    # ---------------------------------------------------------------- what is asked here

    def situation(self) -> list[str]:
        """The whole situation; the numbers in it are those that count from now on."""
        if self.view is None:
            return []
        can = now(self.view, self.speech, self._unknown)
        self._last_choice = None if can is None else (_bout(self.view), can.line)
        self._show_hand(self.view)
        return situation(self.view, self._watchers, self.speech, self._unknown)

    def help(self) -> list[str]:
        """What can be typed."""
        return self.speech("help").splitlines()

    def read(self, line: str) -> Answer:
        """The meaning of a typed line. The table must be known."""
        assert self.view is not None
        return Reader(self.view, self._numbered, self.speech).read(line)

    def time_calls(self) -> list[tuple[int, str]]:
        """When the timer speaks, in milliseconds from the last view, and what it says."""
        return [] if self.view is None or self.offline else time_calls(self.view, self.speech)

    def _show_hand(self, view: TableView) -> None:
        if view.game is not None and view.game.hand is not None:
            self._numbered = my_hand(view.game)


def _bout(view: TableView) -> int:
    """The bout that what I can do belongs to, 0 if to none: the same choice in another bout is said again."""
    return view.game.bout if view.game is not None and view.game.legal else 0
