"""Refusals: a stable code, and the paragraph of RULES.md it comes from.

RulesError
├── IllegalAction     the action is not legal here; nothing has changed
└── NotationError     a text is not a position, a move or a record
"""

from enum import Enum


class Reason(Enum):
    """Why an action is refused: the code that travels, and the rule."""

    NO_SUCH_SEAT = ("no_such_seat", "")
    SEAT_OUT = ("seat_out", "1.19")
    ALREADY_LEFT = ("already_left", "1.22")
    STALE = ("stale", "1.16")
    WRONG_PHASE = ("wrong_phase", "")
    NOT_YOUR_ROLE = ("not_your_role", "1.6")
    TABLE_EMPTY = ("table_empty", "1.5")
    TABLE_NOT_EMPTY = ("table_not_empty", "1.5")
    NOT_IN_HAND = ("not_in_hand", "")
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
    """Base of all refusals of this package."""


class IllegalAction(RulesError):
    """The action is refused and nothing has changed."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.code)
        self.reason = reason


class NotationError(RulesError):
    """The text is not in the project's notation."""
