"""What I can do now, as one line: from the legal actions and commands of the view, and from nothing else."""

from collections.abc import Sequence
from typing import Final, NamedTuple, assert_never

from durak.clients.words.filling import NO_BREAK
from durak.clients.words.speech import Speech, in_order
from durak.protocol.messages import TableView
from durak.protocol.rules.actions import AnyAction, Beat, CardAction, Finish, Forfeit, Keep, Lead, Leave, Pass, Redeal, Take, Throw
from durak.protocol.rules.view import GameView

SPOKEN_S: Final = (10, 3)
"""When the timer speaks: seconds before the end."""
TABLE_COMMANDS: Final = ("start", "fill", "dismiss", "rematch", "join", "leave")


class Now(NamedTuple):
    """What I can do. `hand` is the hand as numbered in `line`, empty if the line shows none.

    `unasked`: worth saying when it comes about; a pass that nobody waits for is told only to whoever asks.
    """

    line: str
    hand: list[str]
    unasked: bool = True


def now(view: TableView, speech: Speech, unknown: Sequence[str] = ()) -> Now | None:
    """The line that says what this viewer can do, `None` when it can only wait.

    `unknown`: names of legal actions that only a newer version knows; said where there is no other.
    """
    game, can = view.game, view.you.can
    if view.you.chair is None:
        return Now(speech("now.watching", can=_commands(can, speech)), [])
    if view.status == "open":
        return Now(speech("now.open", can=_commands(can, speech)), [])
    if view.status == "finished" or game is None:
        return Now(speech("now.finished", can=_commands(can, speech)), [])
    if "join" in can:
        return Now(speech("now.left", can=_commands(can, speech)), [])
    if not game.legal:
        return Now(speech("now.newer", actions=", ".join(unknown)), []) if unknown else None
    hand = my_hand(game)
    shown = speech.hand(hand, playable(game))
    line = _game_line(view, game, shown, speech)
    return Now(line, hand if shown in line else [], unasked=is_waited_for(view, game))


def my_hand(game: GameView) -> list[str]:
    """The viewer's hand in the order in which it is numbered."""
    return in_order(game.hand or [], game.trump)


def playable(game: GameView) -> list[str]:
    """The cards that the legal actions name, each once."""
    return list(dict.fromkeys(action.card for action in game.legal if isinstance(action, CardAction)))


def open_cards(game: GameView) -> list[str]:
    """The cards to beat, in the order in which they are numbered as targets."""
    return [] if game.taking else [pair.attack for pair in game.table if pair.beaten is None]


def finishes(view: TableView) -> bool:
    """True if the viewer's pass is called finishing the bout: the main attacker's, where all is beaten (UI.md 2)."""
    game = view.game
    if game is None or view.you.seat is None or view.you.seat != game.attacker:
        return False
    return view.rules.throw_in == "attacker_only" or not (game.taking or open_cards(game))


def is_waited_for(view: TableView, game: GameView) -> bool:
    """False if all that the viewer can do is to pass, and the bout does not wait for that (RULES 1.14, 1.15)."""
    if any(not isinstance(action, Pass) for action in game.legal):
        return True
    return view.rules.discreet and (game.taking or not open_cards(game))


def targets(game: GameView, speech: Speech) -> str:
    """The open cards with their numbers."""
    numbered = enumerate(open_cards(game), start=1)
    return ", ".join(
        speech("now.target", number=number, card=speech.card(card)).replace(" ", NO_BREAK) for number, card in numbered
    )


def possible(view: TableView, speech: Speech, numbered: Sequence[str]) -> list[str]:
    """All that would be accepted now, as it is typed; `numbered` is the hand as last shown."""
    if view.you.chair is None or view.status != "playing" or view.game is None or "join" in view.you.can:
        return [speech(f"can.{command}") for command in TABLE_COMMANDS if command in view.you.can]
    cards = [
        f"{numbered.index(card) + 1}{NO_BREAK}{speech.card(card)}" if card in numbered else speech.card(card)
        for card in in_order(playable(view.game), view.game.trump)
    ]
    return cards + [word for action in view.game.legal if (word := word_of(action, view)) is not None]


def word_of(action: AnyAction, view: TableView) -> str | None:
    """The key that stands for an action, `None` for a card."""
    match action:
        case Take():
            return "t"
        case Pass():
            return "f" if finishes(view) else "p"
        case Finish():
            return "f"
        case Forfeit():
            return "g"
        case Redeal():
            return "r"
        case Keep():
            return "k"
        case CardAction() | Leave():
            return None
        case _:
            assert_never(action)


def _commands(can: Sequence[str], speech: Speech) -> str:
    return ", ".join([speech(f"can.{command}") for command in TABLE_COMMANDS if command in can] + [speech("can.quit")])


def _game_line(view: TableView, game: GameView, hand: str, speech: Speech) -> str:
    legal = game.legal
    if any(isinstance(action, Redeal) for action in legal):
        return speech("now.redeal", hand=hand)
    if any(isinstance(action, Lead) for action in legal):
        return speech("now.lead", hand=hand)
    if any(isinstance(action, Finish) for action in legal):
        return speech("now.decide")
    if any(isinstance(action, Take) for action in legal):
        attacks = open_cards(game)
        if not any(isinstance(action, Beat) for action in legal):
            return speech("now.cannot_beat", cards=speech.several([speech.card(card) for card in attacks]), hand=hand)
        if len(attacks) > 1:
            return speech("now.beat_several", targets=targets(game, speech), hand=hand)
        return speech("now.beat", card=speech.card(attacks[0]), hand=hand)
    may_pass = any(isinstance(action, Pass) for action in legal)
    if any(isinstance(action, Throw) for action in legal):
        key = "now.throw_only" if not may_pass else "now.throw_finish" if finishes(view) else "now.throw"
        return speech(key, hand=hand)
    return speech("now.pass_finish" if finishes(view) else "now.pass")


def clock_concerns_me(view: TableView) -> bool:
    """True if the clock that runs ends something that I can do."""
    clock, game = view.clock, view.game
    if clock is None or game is None or view.status != "playing":
        return False
    if clock.kind == "turn":
        return view.you.seat is not None and view.you.seat in clock.seats
    if clock.kind == "offer":
        return any(isinstance(action, Redeal) for action in game.legal)
    return clock.kind == "window" and any(isinstance(action, Throw) for action in game.legal)


def time_calls(view: TableView, speech: Speech) -> list[tuple[int, str]]:
    """When the timer speaks, in milliseconds from this view, and what it says."""
    if view.clock is None or not clock_concerns_me(view):
        return []
    return [
        (view.clock.ms - 1000 * seconds, speech("time.left", seconds=seconds))
        for seconds in SPOKEN_S
        if view.clock.ms >= 1000 * seconds
    ]


def leaving_loses(view: TableView) -> bool:
    """True if leaving now counts as a loss, so that it is asked back (RULES 1.22)."""
    game, seat = view.game, view.you.seat
    if view.status != "playing" or game is None or seat is None or view.you.chair is None:
        return False
    out = any(seat in group for group in game.out)
    return not out and seat not in game.left and (game.counts[seat] > 0 or game.stock > 0)


def waiting_line(view: TableView, speech: Speech) -> str | None:
    """What to say of a player who can only wait: the hand, if there is one."""
    game = view.game
    if view.status != "playing" or game is None or game.hand is None or "join" in view.you.can:
        return None
    return speech("now.wait", hand=speech.hand(my_hand(game)))
