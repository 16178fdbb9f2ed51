"""Refusals: a stable code, and the paragraph of the rules it comes from.

RulesError
├── IllegalAction     the action is not legal here; nothing has changed
├── BadInput          what was passed to the library is nothing that can be played
├── OptionRefused     no table can have these options (ruleset.py)
├── NotationError     a text is not a position, a move or a record
└── RecordError       a record that can't be replayed (record.py)
"""

from enum import Enum


class Reason(Enum):
    """Why an action is refused: the code that travels, and the rule. A code may come from several rules."""

    NO_SUCH_SEAT = ("no_such_seat", "1.1")
    SEAT_OUT = ("seat_out", "1.19")
    ALREADY_LEFT = ("already_left", "1.22")
    STALE = ("stale", "1.16")
    GAME_OVER = ("wrong_phase", "1.21")
    OFFER = ("wrong_phase", "3.4")
    DECISION = ("wrong_phase", "3.3")
    NOT_YOUR_LEAD = ("not_your_role", "1.5")
    NOT_YOUR_THROW_IN = ("not_your_role", "1.6")
    NOT_YOUR_PASS = ("not_your_role", "1.12")
    NOT_YOUR_DEFENCE = ("not_your_role", "1.9")
    NOT_YOUR_TAKE = ("not_your_role", "1.10")
    NOT_YOUR_DECISION = ("not_your_role", "3.3")
    TABLE_EMPTY = ("table_empty", "1.5")
    TABLE_NOT_EMPTY = ("table_not_empty", "1.5")
    NOT_IN_HAND = ("not_in_hand", "4")
    RANK = ("rank", "1.6")
    LIMIT = ("limit", "1.7")
    UNANSWERED = ("unanswered", "2.1")
    PASSED = ("passed", "1.12")
    ALREADY_PASSED = ("already_passed", "1.12")
    NO_CARDS = ("no_cards", "1.12")
    DOES_NOT_BEAT = ("does_not_beat", "1.9")
    BAD_TARGET = ("bad_target", "1.9")
    TARGET_NEEDED = ("target_needed", "1.9")
    NOTHING_TO_TAKE = ("nothing_to_take", "1.10")
    ALREADY_TAKING = ("already_taking", "1.10")
    NOT_OFFERED = ("not_offered", "3.4")

    def __init__(self, code: str, rule: str) -> None:
        self.code = code
        self.rule = rule


class RulesError(Exception):
    """Base of all refusals of this package; `code` is a stable word for programs."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class IllegalAction(RulesError):
    """The action is refused and nothing has changed."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.code, reason.code)
        self.reason = reason


class BadInput(RulesError):
    """What was passed is nothing that can be played, and nothing has changed.

    `code` is bad_action, bad_card, bad_deck, bad_players, bad_position, bad_seat, bad_suit, or not_due for a driver's step.
    """


class NotationError(RulesError):
    """The text is not in the project's notation; `code` is bad_notation."""

    def __init__(self, message: str) -> None:
        super().__init__("bad_notation", message)
