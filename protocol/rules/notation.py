"""The project's one notation for moves and positions: in tests, records, logs, tools and bug reports.

Cards are written as in cards.py (``10H``), seats ``0`` to ``5``. Whitespace is free, except within a move or a card.

**A move** is ``seat:what``. Moves that follow each other are separated by whitespace.

    0:7H       seat 0 leads the 7H            1:take     takes
    2:+7C      seat 2 throws in the 7C        0:pass     passes
    1:9Hx7H    seat 1 beats the 7H by the 9H  1:finish   discards (RULES 3.3)     1:forfeit  takes all the same
    1:9Hx      the same, target left out      0:redeal   asks for a new deal      0:keep     declines it
                                              2:leave    leaves the game

``close`` and ``offer`` are the driver's steps: the attack has ended (its window or early close has run out, RULES 1.11, 1.14),
the redeal period has run out (3.4). The pack of a redeal is not part of its move; a record has it beside the move.

**A position** is fields between ``|``. The first is the trump suit, the second the hands, seat 0 first, with ``/`` between two
seats (``-`` or nothing: no cards). The others begin with their word, stand in any order, and may be left out where the default
is meant:

    S | 6S 7H / 8S | stock 9D AS | attacker 1 | table 7H-9H 7D

| field | says | default |
|---|---|---|
| ``rules challenge discreet=on offer_ms=0`` | the preset, and the options that differ from it: on, off, none, a number or a name, as in RULES 5; ``bot_delay_ms=1500-3000`` | classic |
| ``stock 9D AS`` | the stock, top first (``-`` or ``0``: empty). Cards named nowhere are in the discard | empty |
| ``trump AS`` | the card that set the trump | the last card of the stock; none, if that is empty |
| ``attacker 1`` | the main attacker | 0 |
| ``defender 2`` | the defender | the next active seat |
| ``table 7H-9H 2:7D`` | attack cards in order of play, each with the card that beat it; ``2:`` names the seat that played it | empty; the main attacker |
| ``taking`` | the defender has taken (RULES 1.10) | no |
| ``passed 0 2`` | whose pass binds (RULES 1.12) | nobody |
| ``decide`` | the phase of RULES 3.3 | lead if the table is empty, else bout |
| ``redeal 0:keep 1:redeal`` | the phase of RULES 3.4 and the answers given; with ``over``: the game ended there | |
| ``deck 6S 7S …`` | the 36 cards to deal from, of the first request | none |
| ``over``, ``over repeated`` | the game has ended (``repeated``: by RULES 1.24) | |
| ``out 1 3 / 2`` | seats that are out, a group for each bout in which some went out (``-``: nobody) | with an empty stock, the seats with no card in hand and no attack card on the table: one group |
| ``left 2 0`` | leavers in the order of leaving (RULES 1.22) | nobody |
| ``excused 1`` | seats that left without a loss (RULES 1.22) | nobody |
| ``bout 3`` | the number of the bout | 2; 0 in redeal |
| ``epoch 7`` | the epoch of RULES 1.16 | 1; 0 in redeal |
| ``limit 4`` | the limit of attack cards | by RULES 1.7 and limit_first_bout; 0 in redeal |
| ``shown 5:AS`` | the card of RULES 1.3 and its holder | none |
| ``opening 0:6S`` | the card of RULES 3.5 and its holder | none |
| ``first 2`` | the first seat | 0 |
| ``previous 1`` | the seat of the last winner | none |
| ``persons 0 2`` | seats with a person (``-``: none) | all |
| ``sixes`` | the bout that ended the game: its attacker's last two cards were sixes (RULES 3.7) | no |
| ``before 6S / 7S @0; 7S / 6S @0`` | what RULES 1.24 remembers: hands and attacker of earlier bouts, oldest first; the last bout is not named | none |

Bad text raises `NotationError`, which says what is wrong.
"""  # noqa: E501

import re
from enum import Enum
from typing import Final, NamedTuple, assert_never

from durak.protocol.rules.actions import AnyAction, Beat, Finish, Forfeit, Keep, Lead, Leave, Pass, Redeal, Take, Throw
from durak.protocol.rules.cards import INDEX
from durak.protocol.rules.errors import NotationError
from durak.protocol.rules.position import write_position
from durak.protocol.rules.reading import read_position

__all__ = ["AnyMove", "Move", "Step", "read_move", "read_moves", "read_position", "write_move", "write_position"]


class Move(NamedTuple):
    """An action and the seat it comes from."""

    seat: int
    action: AnyAction


class Step(Enum):
    """What a driver does when time has passed."""

    CLOSE = "close"
    OFFER = "offer"


AnyMove = Move | Step

WORDS: Final[dict[str, AnyAction]] = {
    "take": Take(),
    "pass": Pass(),
    "finish": Finish(),
    "forfeit": Forfeit(),
    "redeal": Redeal(),
    "keep": Keep(),
    "leave": Leave(),
}
PLAYED: Final = re.compile(r"(?P<throw>\+)?(?P<card>[0-9AJQK]+[SHDC])(?P<beat>x(?P<target>[0-9AJQK]+[SHDC])?)?")


def read_move(text: str) -> AnyMove:
    """The move or step that this text is."""
    text = text.strip()
    for step in Step:
        if text == step.value:
            return step
    seat, colon, what = text.partition(":")
    if not colon or seat not in ("0", "1", "2", "3", "4", "5"):
        raise NotationError(f"{text!r} is not a move: 0:7H, 0:+7H, 1:9Hx7H, 1:9Hx, 0:pass, close and offer are")
    if what in WORDS:
        return Move(int(seat), WORDS[what])
    played = PLAYED.fullmatch(what)
    if not played or (played["throw"] and played["beat"]):
        raise NotationError(f"{text!r} is not a move: after the seat comes 7H, +7H, 9Hx7H, 9Hx or one of {', '.join(WORDS)}")
    card, target = played["card"], played["target"]
    for named in (card, target):
        if named is not None and named not in INDEX:
            raise NotationError(f"{text!r}: {named} is not a card")
    if played["throw"]:
        return Move(int(seat), Throw(card))
    if played["beat"]:
        return Move(int(seat), Beat(card, target))
    return Move(int(seat), Lead(card))


def read_moves(text: str) -> list[AnyMove]:
    """The moves of a text, in order."""
    return [read_move(word) for word in text.split()]


def write_move(move: AnyMove) -> str:
    """The text of a move or step."""
    if isinstance(move, Step):
        return move.value
    seat, action = move
    match action:
        case Lead(card=card):
            return f"{seat}:{card}"
        case Throw(card=card):
            return f"{seat}:+{card}"
        case Beat(card=card, target=target):
            return f"{seat}:{card}x{target or ''}"
        case Take() | Pass() | Finish() | Forfeit() | Redeal() | Keep() | Leave():
            return f"{seat}:{next(word for word, other in WORDS.items() if other == action)}"
        case _:
            assert_never(action)
