"""What somebody typed, as a command for the server, something to do here, or a problem to tell. Pure."""

from collections.abc import Callable, Sequence
from enum import Enum, auto
from typing import Any, Final, NamedTuple, get_args

from durak.clients.cli.turn import leaving_loses, open_cards, playable, possible, targets
from durak.clients.words.speech import Speech, in_order
from durak.protocol import messages as m
from durak.protocol.rules.actions import AnyAction, Beat, CardAction, Finish, Forfeit, Keep, Pass, Redeal, Take

LEVELS: Final = get_args(m.Level)
CODE_LETTERS: Final = frozenset("0123456789ABCDEFGHJKMNPQRSTVWXYZ")


class Order(NamedTuple):
    """A command to send: `make(cid, **arguments)`."""

    make: Callable[..., m.AnyCommand]
    arguments: dict[str, Any]  # of several types, by command

    @classmethod
    def of(cls, make: Callable[..., m.AnyCommand], **arguments: Any) -> "Order":
        """An order with these arguments."""
        return cls(make, arguments)


class Here(Enum):
    """What is done without the server."""

    HELP = auto()
    SITUATION = auto()
    QUIT = auto()
    NOTHING = auto()


class Problem(NamedTuple):
    """What was typed can't be done; the sentence says why."""

    sentence: str


Answer = Order | Here | Problem

WORDS: Final[dict[str, str]] = {
    "t": "take",
    "p": "pass",
    "f": "finish",
    "g": "forfeit",
    "accept": "forfeit",
    "r": "redeal",
    "k": "keep",
    "i": "situation",
    "?": "help",
    "h": "help",
    "a": "auto",
    "q": "quit",
    "exit": "quit",
}
ACTIONS: Final[dict[str, tuple[type[AnyAction], ...]]] = {
    "take": (Take,),
    "pass": (Pass,),
    "finish": (Finish, Pass),
    "forfeit": (Forfeit,),
    "redeal": (Redeal,),
    "keep": (Keep,),
}
HERE: Final = {"situation": Here.SITUATION, "help": Here.HELP, "quit": Here.QUIT}
WITH_EPOCH: Final = (Pass, Redeal, Keep)


def is_code(text: str) -> bool:
    """True if this can be the code of a table."""
    return len(text) == 6 and CODE_LETTERS.issuperset(text)


def read_levels(text: str) -> list[m.Level] | None:
    """The levels in `easy,normal`; `None` if that is no list of levels."""
    levels = [word for word in text.replace(",", " ").casefold().split() if word]
    if not levels or len(levels) > 6 or not set(levels) <= set(LEVELS):
        return None
    return [level for word in levels for level in LEVELS if level == word]


class Reader:
    """Reads answers at one table. `numbered` is the hand as it was last shown, whose numbers are meant."""

    def __init__(self, view: m.TableView, numbered: Sequence[str], speech: Speech) -> None:
        self._view = view
        self._numbered = numbered
        self._speech = speech

    def read(self, line: str) -> Answer:
        """The meaning of a line."""
        words = line.replace(",", " ").split()
        if not words:
            return Here.NOTHING
        word = WORDS.get(words[0].casefold(), words[0].casefold())
        rest = words[1:]
        if word in HERE and not rest:
            return HERE[word]
        if word in ACTIONS and not rest:
            return self._action(word, words[0])
        if word in ("auto", "rematch", "leave", "start", "join", "fill", "dismiss", "watch"):
            return self._table_command(word, rest)
        if len(words) <= 2 and self._is_card(words[0]):
            return self._card(words[0], rest[0] if rest else None)
        return self._problem("unknown", text=line.strip()[:40])

    # ---------------------------------------------------------------- table commands

    def _table_command(self, word: str, rest: list[str]) -> Answer:
        if word == "watch":
            return self._watch(rest)
        needs = "auto_pass" if word == "auto" else word
        if needs not in self._view.you.can:
            return self._not_now(word)
        if word == "fill":
            levels = read_levels(" ".join(rest))
            return self._problem("levels", text=" ".join(rest) or "-") if levels is None else Order.of(m.Fill, bots=levels)
        if word in ("dismiss", "join") and (rest or word == "dismiss"):
            chair = self._chair(rest)
            if chair is None:
                return self._problem("chair", text=" ".join(rest)[:40] or "-")
            return Order.of(m.Dismiss, chair=chair) if word == "dismiss" else Order.of(m.Join, table=self._view.table, chair=chair)
        if word == "auto" and [part.casefold() for part in rest] in ([], ["on"], ["off"]):
            return Order.of(m.AutoPass, on=rest[0].casefold() == "on" if rest else not self._view.you.auto_pass)
        if rest:
            return self._problem("unknown", text=" ".join([word, *rest])[:40])
        if word == "join":
            return Order.of(m.Join, table=self._view.table)
        if word == "leave":
            return Order.of(m.LeaveTable)
        return Order.of(m.Rematch if word == "rematch" else m.Start)

    def _watch(self, rest: list[str]) -> Answer:
        code = rest[0].upper() if rest else self._view.table
        if len(rest) > 1 or not is_code(code):
            return self._problem("code", text=" ".join(rest)[:40])
        if leaving_loses(self._view) and code != self._view.table:
            return self._problem("seated")
        return Order.of(m.Watch, table=code)

    @staticmethod
    def _chair(rest: list[str]) -> int | None:
        if len(rest) == 1 and rest[0].isascii() and rest[0].isdigit() and 1 <= int(rest[0]) <= 6:
            return int(rest[0]) - 1
        return None

    # ---------------------------------------------------------------- actions of the game

    def _action(self, word: str, typed: str) -> Answer:
        legal = [] if self._view.game is None else self._view.game.legal
        for kind in ACTIONS[word]:
            for action in legal:
                if isinstance(action, kind):
                    return self._act(action)
        return self._not_now(typed)

    def _act(self, action: AnyAction) -> Order:
        game = self._view.game
        assert game is not None
        return Order.of(m.Act, action=action, bout=game.bout, epoch=game.epoch if isinstance(action, WITH_EPOCH) else None)

    def _is_card(self, text: str) -> bool:
        return (text.isascii() and text.isdigit() and len(text) <= 3) or self._speech.read_card(text) is not None

    def _card(self, typed: str, typed_target: str | None) -> Answer:
        game = self._view.game
        if game is None or game.hand is None or self._view.status != "playing":
            return self._not_now(typed)
        card = self._held(typed)
        if isinstance(card, Problem):
            return card
        shown = self._speech.card(card)
        if card not in playable(game):
            return self._problem("not_playable", possible=True, card=shown)
        beats = {action.target: action for action in game.legal if isinstance(action, Beat) and action.card == card}
        if not beats:
            if typed_target is not None:
                return self._problem("needs_no_target")
            return self._act(next(action for action in game.legal if isinstance(action, CardAction) and action.card == card))
        if typed_target is None:
            if len(beats) > 1:
                return self._problem("which_target", card=shown, number=typed, targets=targets(game, self._speech))
            return self._act(next(iter(beats.values())))
        target = self._target(typed_target, open_cards(game))
        if target is None:
            return self._problem("no_target", target=typed_target)
        if target not in beats:
            return self._problem("does_not_beat", card=shown, target=self._speech.card(target))
        return self._act(beats[target])

    def _held(self, typed: str) -> str | Problem:
        """The card meant by a number or a name."""
        game = self._view.game
        assert game is not None and game.hand is not None
        if typed.isdigit():
            numbered = self._numbered or in_order(game.hand, game.trump)
            if not 1 <= int(typed) <= len(numbered):
                return self._problem("no_number", possible=True, number=int(typed))
            card = numbered[int(typed) - 1]
        else:
            card = self._speech.read_card(typed) or ""
        return card if card in game.hand else self._problem("not_held", possible=True, card=self._speech.card(card))

    def _target(self, typed: str, attacks: Sequence[str]) -> str | None:
        if typed.isascii() and typed.isdigit():
            number = int(typed) if len(typed) <= 3 else 0
            return attacks[number - 1] if 1 <= number <= len(attacks) else None
        card = self._speech.read_card(typed)
        return card if card in attacks else None

    # ---------------------------------------------------------------- problems

    def _not_now(self, word: str) -> Problem:
        return self._problem("not_now", possible=True, word=word)

    def _problem(self, name: str, *, possible: bool = False, **params: object) -> Problem:
        sentence = self._speech(f"problem.{name}", **params)
        if possible:
            sentence = with_possible(sentence, self._view, self._numbered, self._speech)
        return Problem(sentence)


def with_possible(sentence: str, view: m.TableView, numbered: Sequence[str], speech: Speech) -> str:
    """A sentence about what cannot be done, with what can."""
    can = possible(view, speech, numbered)
    if not can:
        return speech("problem.wait", problem=sentence)
    return speech("problem.possible", problem=sentence, possible=", ".join(can))
