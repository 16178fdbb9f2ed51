"""The record of a game: what was dealt, what came in and when, and a fingerprint of what followed; `replay` plays it again.

As text it is JSON lines, for people and for `diff`: the first line is the deal, then one line per input, in order.

    {"rules": "1.0.0", "players": 2, "first_seat": 0, …, "deck": "9H QS …", "ruleset": {…}, "hash": "b1946ac92492d234"}
    {"at_ms": 1250, "move": "0:7H", "hash": "0f343b0931126a20"}

`rules` is the version of the specification that the game was played by, `at_ms` a clock of the recorder's choice (rules know no
time), `move` a move or step in the project's notation, with `deck` beside a request for a redeal. `hash` covers the events of
this line and of all before it. `names`, one per seat, and `note`, a remark on one input, are there where the recorder knows more.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta

from durak.protocol.rules import kernel as k
from durak.protocol.rules.actions import Redeal
from durak.protocol.rules.cards import Seat, is_pack
from durak.protocol.rules.errors import IllegalAction, NotationError, RulesError
from durak.protocol.rules.events import GameEvent
from durak.protocol.rules.game import Game
from durak.protocol.rules.notation import AnyMove, Move, Step, read_move, write_move
from durak.protocol.rules.ruleset import RULES_VERSION, Ruleset

Line = TypeVar("Line")
Hash = Annotated[str, Meta(pattern="^[0-9a-f]{16}$", description="16 hexadecimal digits of a SHA-256.")]
Deck = Annotated[str, Meta(max_length=200, description="36 cards with spaces between them, in the order of the pack.")]


class RecordError(RulesError):
    """A record that cannot be replayed: `code` is unknown_version or diverged.

    `index` is the place of the first input that went another way (-1: the deal), `None` if none was tried.
    """

    def __init__(self, code: str, message: str, index: int | None = None) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
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
    players: Annotated[int, Meta(ge=2, le=6)]
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


class Record:
    """The record of one game, running or over: its deal, and its inputs in order."""

    def __init__(self, deal: Deal, inputs: Iterable[Input] = ()) -> None:
        self.deal = deal
        self.inputs = list(inputs)

    def add(
        self,
        at_ms: int,
        move: AnyMove,
        events: Sequence[GameEvent],
        *,
        deck: Sequence[str] | None = None,
        note: str | None = None,
    ) -> None:
        """Note an accepted move, or a driver's step, and the events it led to."""
        before = self.inputs[-1].hash if self.inputs else self.deal.hash
        pack = None if deck is None else " ".join(deck)
        self.inputs.append(Input(at_ms, write_move(move), fingerprint(before, events), pack, note))


def start_record(
    ruleset: Ruleset,
    deck: Sequence[str],
    players: int,
    *,
    first_seat: int = 0,
    previous_winner: int | None = None,
    persons: Iterable[int] | None = None,
    names: Sequence[str] | None = None,
) -> tuple[Record, Game, list[GameEvent]]:
    """Deal a game, as `Game.deal` does, and begin its record."""
    seats = list(range(players)) if persons is None else sorted(persons)
    game, events = Game.deal(
        ruleset, deck, players, first_seat=first_seat, previous_winner=previous_winner, persons=frozenset(seats)
    )
    deal = Deal(
        RULES_VERSION,
        players,
        first_seat,
        previous_winner,
        seats,
        " ".join(deck),
        ruleset,
        fingerprint("", events),
        None if names is None else list(names),
    )
    return Record(deal), game, events


def fingerprint(before: str, events: Sequence[GameEvent]) -> str:
    """16 hexadecimal digits for these events after what the fingerprint `before` stands for."""
    return hashlib.sha256(before.encode() + msgspec.json.encode(events)).hexdigest()[:16]


def carry_out(game: Game, move: AnyMove, *, deck: Sequence[str] | None = None) -> list[GameEvent]:
    """Carry out a move or a driver's step. Raises `IllegalAction` for a move, asserts that a step is due."""
    match move:
        case Move(seat, action):
            return game.act(seat, action, deck=deck)
        case Step.CLOSE:
            return game.close()
        case Step.OFFER:
            return game.end_offer()


def is_due(game: Game, step: Step) -> bool:
    """True if a driver may take this step now."""
    kernel = game.kernel
    if step is Step.OFFER:
        return kernel.phase == k.REDEAL
    return kernel.phase == k.BOUT and (kernel.taking or not kernel.open_cards)


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
                raise NotationError(f"line {number}: a request for a redeal, and nothing else, has a deck of the 36 cards")
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
            if isinstance(move, Step) and not is_due(game, move):
                raise RecordError("diverged", f"input {index}, {entry.move}: the step is not due", index)
            events = carry_out(game, move, deck=None if entry.deck is None else entry.deck.split())
        except IllegalAction as refused:
            raise RecordError("diverged", f"input {index}, {entry.move}: refused as {refused}", index) from refused
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
        raise NotationError("line 1: the deck is not the 36 cards")
    if max(seats) >= deal.players or deal.persons != sorted(set(deal.persons)):
        raise NotationError(f"line 1: seats are 0 to {deal.players - 1}, persons different and in order")
    if deal.names is not None and len(deal.names) != deal.players:
        raise NotationError("line 1: names are one per seat")


def _decoded(line: str, kind: type[Line], number: int) -> Line:
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise NotationError(f"line {number} is not a line of a record: {error}") from None
