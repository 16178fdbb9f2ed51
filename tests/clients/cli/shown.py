"""Tables as the terminal client gets to see them, from positions in the notation of the rules."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from durak.clients.words.language import language
from durak.clients.words.speech import Speech
from durak.protocol.messages import ChairView, ClockView, TableState, TableView, Update, ViewChange, ViewerEvent, YouView
from durak.protocol.rules.notation import read_position
from durak.protocol.rules.result import Score
from durak.protocol.rules.ruleset import PRESETS
from durak.protocol.rules.view import view_of

NAMES = ("Anna", "Boris", "Vera", "Gleb", "Daria", "Egor")
ENGLISH = language("en", "terminal")
ENGLISH_SPEECH = Speech(ENGLISH)
ASCII_SPEECH = Speech(ENGLISH, ascii=True)

F1 = "D | 9S / 10D 6S 6C 9H JC QS | table 8H 8S"
"""UI.md section 4: I am seat 1 and defend."""


def chair(number: int, name: str | None = None, **changes: Any) -> ChairView:
    """A chair with a person on it."""
    view = ChairView(
        chair=number,
        name=name or NAMES[number],
        kind="person",
        level=None,
        seat=number,
        host=number == 0,
        away=False,
        left=False,
        vote=False,
        score=Score(),
    )
    return replace(view, **changes)


def seen(
    position: str,
    seat: int | None = 0,
    *,
    can: Sequence[str] = ("leave", "auto_pass"),
    clock: ClockView | None = None,
    **changes: Any,
) -> TableView:
    """The view of a seat (`None`: of a spectator) of a table where the game stands so."""
    game = read_position(position)
    view = TableView(
        table="K7P2QX",
        name="Friday",
        status="playing" if game.result is None else "finished",
        private=False,
        rules=game.ruleset,
        chairs=[chair(number) for number in range(game.players)],
        persons=game.players,
        games=0 if game.result is None else 1,
        clock=clock,
        you=YouView(chair=seat, seat=seat, auto_pass=False, can=[] if seat is None else list(can)),
        game=view_of(game, seat),
    )
    return replace(view, **changes)


def waiting(*can: str, chairs: int = 2, mine: int | None = 0, preset: str = "classic") -> TableView:
    """An open table."""
    return TableView(
        table="K7P2QX",
        name="Friday",
        status="open",
        private=False,
        rules=PRESETS[preset],
        chairs=[chair(number, seat=None) for number in range(chairs)],
        persons=chairs,
        games=0,
        clock=None,
        you=YouView(chair=mine, seat=None, auto_pass=False, can=list(can)),
        game=None,
    )


def attached(view: TableView, seq: int = 1) -> TableState:
    """The message by which a table is first seen."""
    return TableState(seq, "snapshot", [], 0, view)


def update(view: TableView, *events: ViewerEvent, seq: int = 2) -> Update:
    """The message that something has happened."""
    return Update(seq, list(events), ViewChange.to(view))


def plain(lines: Sequence[str] | str) -> str:
    """Lines as they are printed, in one text."""
    return ("\n".join([lines] if isinstance(lines, str) else lines)).replace("\u00a0", " ")
