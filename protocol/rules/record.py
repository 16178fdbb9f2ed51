"""The record of a game: what was dealt, what came in and when, and a fingerprint of what followed; `replay` plays it again.

As text it is JSON lines, for people and for `diff`: the first line is the deal, then one line per input, in order.

    {"rules": "1.0.0", "players": 2, "first_seat": 0, …, "deck": "9H QS …", "ruleset": {…}, "hash": "b1946ac92492d234"}
    {"at_ms": 1250, "move": "0:7H", "hash": "0f343b0931126a20"}

`rules` is the version of the specification that the game was played by, `at_ms` a clock of the recorder's choice (rules know no
time), `move` a move or step in the project's notation, with `deck` beside a request for a redeal. `hash` covers the events of
this line and of all before it. `names`, one per seat, and `note`, a remark on one input, are there where the recorder knows more.

A `RecordedGame` keeps its record while it is played; a plain `Game` keeps nothing and pays nothing for it.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Self, TypeVar, assert_never

import msgspec
from msgspec import Meta

from durak.protocol.rules.actions import AnyAction, Redeal
from durak.protocol.rules.cards import Seat, is_pack
from durak.protocol.rules.errors import BadInput, IllegalAction, NotationError, RulesError
from durak.protocol.rules.events import GameEvent
from durak.protocol.rules.game import Game
from durak.protocol.rules.layout import FEWEST_PLAYERS, MOST_PLAYERS, PACK_SIZE
from durak.protocol.rules.notation import AnyMove, Move, Step, read_move, write_move
from durak.protocol.rules.ruleset import RULES_VERSION, Ruleset

Line = TypeVar("Line")
Hash = Annotated[str, Meta(pattern="^[0-9a-f]{16}$", description="16 hexadecimal digits of a SHA-256.")]
Deck = Annotated[str, Meta(max_length=200, description=f"{PACK_SIZE} cards with spaces between them, in the order of the pack.")]


class RecordError(RulesError):
    """A record that cannot be replayed: `code` is unknown_version or diverged.

    `index` is the place of the first input that went another way (-1: the deal), `None` if none was tried.
    """

    def __init__(self, code: str, message: str, index: int | None = None) -> None:
        super().__init__(code, f"{code}: {message}")
        self.index = index


class Input(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One accepted action or driver's step, and the fingerprint after it."""

    at_ms: int
    move: str
    hash: Hash
    deck: Deck | None = None
    note: str | None = None


class Deal(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How the game began, and the fingerprint after the deal."""

    rules: str
    players: Annotated[int, Meta(ge=FEWEST_PLAYERS, le=MOST_PLAYERS)]
    first_seat: Seat
    previous_winner: Seat | None
    persons: list[Seat]
    deck: Deck
    ruleset: Ruleset
    hash: Hash
    names: list[str] | None = None


class Version(msgspec.Struct, frozen=True):
    """The one part of a first line that is read whatever its version."""

    rules: str


@dataclass
class Record:
    """The record of one game, running or over: its deal, and its inputs in order."""

    deal: Deal
    inputs: list[Input] = field(default_factory=list)


class RecordedGame(Game):
    """A game that keeps its record while it is played; `at_ms` is the recorder's clock, which whoever plays may move on.

    >>> game, _ = RecordedGame.deal(PRESETS["classic"], PACK, players=2)
    >>> game.at_ms = 1_250
    >>> game.act(0, Lead("6S"))
    [Led(seat=0, card='6S')]
    >>> [entry.move for entry in game.record.inputs]
    ['0:6S']
    >>> replay(game.record).same_as(game)
    True
    """

    record: Record
    at_ms: int = 0

    @classmethod
    def deal(
        cls,
        ruleset: Ruleset,
        deck: Sequence[str],
        players: int,
        *,
        first_seat: int = 0,
        previous_winner: int | None = None,
        persons: Iterable[int] | None = None,
        names: Sequence[str] | None = None,
    ) -> tuple[Self, list[GameEvent]]:
        """Deal a game, as `Game.deal` does, and begin its record; `names`, one per seat, are for its readers."""
        game, events = super().deal(ruleset, deck, players, first_seat=first_seat, previous_winner=previous_winner, persons=persons)
        deal = Deal(
            RULES_VERSION,
            players,
            first_seat,
            previous_winner,
            sorted(game.persons),
            " ".join(deck),
            ruleset,
            fingerprint("", events),
            None if names is None else list(names),
        )
        game.record = Record(deal)
        return game, events

    def copy(self) -> Self:
        """An independent game in the same position, with a record of its own."""
        twin = super().copy()
        twin.record = Record(self.record.deal, list(self.record.inputs))
        return twin

    def act(
        self,
        seat: int,
        action: AnyAction,
        *,
        bout: int | None = None,
        epoch: int | None = None,
        deck: Sequence[str] | None = None,
        note: str | None = None,
    ) -> list[GameEvent]:
        """`Game.act`; an accepted action goes into the record, with a remark if there is one."""
        events = super().act(seat, action, bout=bout, epoch=epoch, deck=deck)
        return self._noted(Move(seat, action), events, deck if isinstance(action, Redeal) else None, note)

    def close(self) -> list[GameEvent]:
        """`Game.close`."""
        return self._noted(Step.CLOSE, super().close())

    def end_offer(self) -> list[GameEvent]:
        """`Game.end_offer`."""
        return self._noted(Step.OFFER, super().end_offer())

    def _noted(
        self, move: AnyMove, events: list[GameEvent], deck: Sequence[str] | None = None, note: str | None = None
    ) -> list[GameEvent]:
        inputs = self.record.inputs
        before = inputs[-1].hash if inputs else self.record.deal.hash
        pack = None if deck is None else " ".join(deck)
        inputs.append(Input(self.at_ms, write_move(move), fingerprint(before, events), pack, note))
        return events


def fingerprint(before: str, events: Sequence[GameEvent]) -> str:
    """16 hexadecimal digits for these events after what the fingerprint `before` stands for."""
    return hashlib.sha256(before.encode() + msgspec.json.encode(events)).hexdigest()[:16]


def carry_out(game: Game, move: AnyMove, *, deck: Sequence[str] | None = None) -> list[GameEvent]:
    """Carry out a move or a driver's step. Raises `IllegalAction`, or `BadInput`, as for a step that is not due."""
    match move:
        case Move(seat, action):
            return game.act(seat, action, deck=deck)
        case Step.CLOSE:
            return game.close()
        case Step.OFFER:
            return game.end_offer()
        case _:
            assert_never(move)


def write_record(record: Record) -> str:
    """The record as JSON lines, each ended."""
    return "".join(json.dumps(msgspec.to_builtins(line)) + "\n" for line in (record.deal, *record.inputs))


def read_record(text: str) -> Record:
    """The record that this text is.

    Raises `NotationError` if it is none, `RecordError` unknown_version if other rules than these wrote it.
    """
    first, *rest = text.split("\n")
    _check_version(_decoded(first, Version, 1).rules)
    record = Record(_decoded(first, Deal, 1))
    _check_deal(record.deal)
    for number, line in enumerate(rest, start=2):
        if line.strip():
            entry = _decoded(line, Input, number)
            move = read_move(entry.move)
            asks = isinstance(move, Move) and isinstance(move.action, Redeal)
            if asks != (entry.deck is not None) or (entry.deck is not None and not is_pack(entry.deck.split())):
                raise NotationError(f"line {number}: a request for a redeal, and nothing else, has a deck of the {PACK_SIZE} cards")
            record.inputs.append(entry)
    return record


def replay(record: Record) -> Game:
    """The game after all inputs of a record.

    Raises `RecordError`: unknown_version if other rules than these wrote it, diverged at the first input that is refused
    now or leads to other events than it did.
    """
    deal = record.deal
    _check_version(deal.rules)
    game, events = Game.deal(
        deal.ruleset,
        deal.deck.split(),
        deal.players,
        first_seat=deal.first_seat,
        previous_winner=deal.previous_winner,
        persons=deal.persons,
    )
    before = deal.hash
    if fingerprint("", events) != before:
        raise RecordError("diverged", "the deal led to other events", -1)
    for index, entry in enumerate(record.inputs):
        move = read_move(entry.move)
        try:
            events = carry_out(game, move, deck=None if entry.deck is None else entry.deck.split())
        except (IllegalAction, BadInput) as refused:
            raise RecordError("diverged", f"input {index}, {entry.move}: refused as {refused.code}", index) from refused
        if fingerprint(before, events) != entry.hash:
            raise RecordError("diverged", f"input {index}, {entry.move}: led to other events", index)
        before = entry.hash
    return game


def _check_version(rules: str) -> None:
    if rules != RULES_VERSION:
        raise RecordError("unknown_version", f"the record is of the rules {rules[:20]!r}, these are {RULES_VERSION}")


def _check_deal(deal: Deal) -> None:
    seats = [deal.first_seat, *deal.persons, *([] if deal.previous_winner is None else [deal.previous_winner])]
    if not is_pack(deal.deck.split()):
        raise NotationError(f"line 1: the deck is not the {PACK_SIZE} cards")
    if max(seats) >= deal.players or deal.persons != sorted(set(deal.persons)):
        raise NotationError(f"line 1: seats are 0 to {deal.players - 1}, persons different and in order")
    if deal.names is not None and len(deal.names) != deal.players:
        raise NotationError("line 1: names are one per seat")


def _decoded(line: str, kind: type[Line], number: int) -> Line:
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise NotationError(f"line {number} is not a line of a record: {error}") from None
