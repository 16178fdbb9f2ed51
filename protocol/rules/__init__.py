"""The game of Durak as a library: pure, without clock, randomness or I/O.

Deal a game, ask who may do what, act, and read what happened:

>>> from durak.protocol.rules import PACK, PRESETS, Game, Lead, write_position
>>> game, events = Game.deal(PRESETS["classic"], PACK, players=2)
>>> game.attacker, game.may_move(), game.legal(0)[0]
(0, [0], Lead(card='6S'))
>>> game.act(0, Lead("6S"))
[Led(seat=0, card='6S')]
>>> [action.card for action in game.legal(1)[:-1]], game.legal(1)[-1]
(['7S', '9S', 'JS', 'KS'], Take())

Whoever drives the game supplies time: `Game.close` when the window for throwing in has run out, or at once when `Game.quiet` says
that nobody is waited for; `Game.end_offer` when the period for asking for a redeal has. Refusals and bad input are `RulesError`s
with a stable `code`, and change nothing. A `RecordedGame` keeps a record of itself, which `replay` plays again.

Everything here is the public face; the modules below hold what searches need, the kernel, which nothing else should read.
"""

from durak.protocol.rules.actions import (
    Action,
    AnyAction,
    Beat,
    Finish,
    Forfeit,
    Keep,
    Lead,
    Leave,
    Pass,
    Redeal,
    Take,
    Throw,
)
from durak.protocol.rules.cards import PACK, RANKS, SUITS, rank_of, suit_of
from durak.protocol.rules.errors import BadInput, IllegalAction, NotationError, Reason, RulesError
from durak.protocol.rules.events import (
    Answered,
    Beaten,
    BoutBegan,
    BoutEnded,
    Dealt,
    Deciding,
    Drew,
    GameEvent,
    GameOver,
    GameResult,
    Led,
    Left,
    Passed,
    ThrewIn,
    Took,
    WentOut,
)
from durak.protocol.rules.game import Game
from durak.protocol.rules.notation import (
    AnyMove,
    Move,
    Step,
    read_move,
    read_moves,
    read_position,
    write_move,
    write_position,
)
from durak.protocol.rules.record import (
    Record,
    RecordedGame,
    RecordError,
    carry_out,
    read_record,
    replay,
    write_record,
)
from durak.protocol.rules.result import Score, scored, winner_of
from durak.protocol.rules.ruleset import CHOICES, PRESETS, RULES_VERSION, OptionRefused, Ruleset, ruleset_of
from durak.protocol.rules.silence import action_of_silence
from durak.protocol.rules.view import GameView, SeenEvent, seen, view_of

__all__ = [
    # a game
    "Game",
    "RecordedGame",
    "PACK",
    "RANKS",
    "SUITS",
    "rank_of",
    "suit_of",
    # its rules
    "Ruleset",
    "ruleset_of",
    "PRESETS",
    "CHOICES",
    "RULES_VERSION",
    # what a seat may ask for
    "AnyAction",
    "Action",
    "Lead",
    "Throw",
    "Beat",
    "Take",
    "Pass",
    "Finish",
    "Forfeit",
    "Redeal",
    "Keep",
    "Leave",
    "action_of_silence",
    # what has happened
    "GameEvent",
    "Dealt",
    "Answered",
    "BoutBegan",
    "Led",
    "ThrewIn",
    "Beaten",
    "Took",
    "Passed",
    "Deciding",
    "BoutEnded",
    "Drew",
    "WentOut",
    "Left",
    "GameOver",
    "GameResult",
    "Score",
    "scored",
    "winner_of",
    # what one viewer knows of it
    "GameView",
    "view_of",
    "SeenEvent",
    "seen",
    # notation and records
    "AnyMove",
    "Move",
    "Step",
    "read_move",
    "read_moves",
    "write_move",
    "read_position",
    "write_position",
    "carry_out",
    "Record",
    "read_record",
    "write_record",
    "replay",
    # refusals
    "RulesError",
    "IllegalAction",
    "Reason",
    "BadInput",
    "OptionRefused",
    "NotationError",
    "RecordError",
]
