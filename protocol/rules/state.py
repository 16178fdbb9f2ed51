"""The state of a game as integers, which the kernel's moves change. Compiled where a compiler was there.

Everything here is a 64-bit integer or a flat array of them (flat.py): cards, and sets of cards, ranks and seats (layout.py).
"""

from typing import Final

from durak.protocol.rules.bits import SEAT_BIT
from durak.protocol.rules.flat import i64, vec
from durak.protocol.rules.layout import HAND_SIZE, MOST_ATTACKS, MOST_PLAYERS

REDEAL: Final[i64] = 0
LEAD: Final[i64] = 1
BOUT: Final[i64] = 2
DECIDE: Final[i64] = 3
OVER: Final[i64] = 4

THROW_IN_ATTACKER: Final[i64] = 0
THROW_IN_ALL: Final[i64] = 1

AFTER_TAKE_WINDOW: Final[i64] = 0
AFTER_TAKE_IMMEDIATE: Final[i64] = 1
AFTER_TAKE_NONE: Final[i64] = 2

ATTRIBUTES: Final = (
    *("active", "after_take", "attack_by", "attack_cards", "attacker", "attacks", "beat_cards", "bout", "defender"),
    *("discard", "discreet", "double_six", "epoch", "excused", "forfeit_defence", "hands", "history", "left"),
    *("left_order", "limit", "limit_first_bout", "offers", "open_cards", "out_groups", "out_rank", "passed", "phase"),
    *("players", "ranks", "repeated", "stock", "stock_top", "table_cards", "taking", "throw_in", "throw_any_time"),
    *("trump", "wanted"),
)
"""All that a position is; `throwers` follows from it."""


def copy_into(to: vec[i64], of: vec[i64]) -> None:
    """Make the first array equal to the second; both have a place for each seat."""
    place: i64
    for place in range(MOST_PLAYERS):
        to[place] = of[place]


if __file__.endswith(".py"):  # interpreted: a list copies itself faster
    globals()["copy_into"] = lambda to, of: to.__setitem__(slice(None), of)


def throwers_of(throw_in: i64, active: i64, attacker: i64, defender: i64) -> i64:
    """The seats that may throw in at all in a bout of these roles, by the option throw_in (RULES 1.6); `active`: a set."""
    if throw_in == THROW_IN_ALL:
        return active & ~SEAT_BIT[defender]
    return SEAT_BIT[attacker]


class State:
    """One game. The attributes are the position; per-seat lists have six places whatever the number of players."""

    __slots__ = (*ATTRIBUTES, "throwers")

    def __init__(self, players: i64) -> None:
        self.players: i64 = players
        # The ruleset, as far as it matters without time.
        self.throw_in: i64 = THROW_IN_ALL
        self.throw_any_time: bool = True
        self.after_take: i64 = AFTER_TAKE_WINDOW
        self.forfeit_defence: bool = False
        self.discreet: bool = False
        self.limit_first_bout: i64 = HAND_SIZE
        # The cards.
        self.trump: i64 = 0
        self.hands: vec[i64] = vec[i64]([0] * MOST_PLAYERS)
        self.stock: vec[i64] = vec[i64]([])  # never changed in place: copies of a game share it
        self.stock_top: i64 = 0  # index into stock of the next card to draw
        self.discard: i64 = 0
        self.attack_cards: vec[i64] = vec[i64]([0] * MOST_ATTACKS)  # one per slot, in order of play
        self.attack_by: vec[i64] = vec[i64]([0] * MOST_ATTACKS)
        self.beat_cards: vec[i64] = vec[i64]([-1] * MOST_ATTACKS)  # -1: the slot's attack card is open
        self.attacks: i64 = 0
        self.open_cards: i64 = 0
        self.ranks: i64 = 0  # set of the ranks on the table
        self.table_cards: i64 = 0  # set of all cards on the table
        # The bout.
        self.phase: i64 = LEAD
        self.bout: i64 = 0
        self.epoch: i64 = 0
        self.attacker: i64 = 0
        self.defender: i64 = 1
        self.throwers: i64 = 0  # seats that may throw in at all in this bout
        self.limit: i64 = 0
        self.taking: bool = False
        self.passed: i64 = 0
        # The seats.
        self.active: i64 = 2**players - 1
        self.left: i64 = 0  # leavers, who lose
        self.excused: i64 = 0  # left with an empty hand and an empty stock, who do not
        self.left_order: vec[i64] = vec[i64]([-1] * MOST_PLAYERS)  # place among the leavers, per seat
        self.out_rank: vec[i64] = vec[i64]([-1] * MOST_PLAYERS)  # group of going out, per seat
        self.out_groups: i64 = 0
        # The redeal offer: who has yet to answer, who asked.
        self.offers: i64 = 0
        self.wanted: i64 = 0
        # The end.
        self.repeated: bool = False
        self.double_six: bool = False  # the last bout's attacker ended with two sixes
        # Hands and attacker at the beginning of each earlier bout since a card left the hands for good; never changed in place.
        self.history: vec[i64] = vec[i64]([])

    def assign(self, other: "State") -> None:
        """Make this game equal to the other one, which stays untouched."""
        self.players = other.players
        self.throw_in = other.throw_in
        self.throw_any_time = other.throw_any_time
        self.after_take = other.after_take
        self.forfeit_defence = other.forfeit_defence
        self.discreet = other.discreet
        self.limit_first_bout = other.limit_first_bout
        self.trump = other.trump
        copy_into(self.hands, other.hands)
        self.stock = other.stock
        self.stock_top = other.stock_top
        self.discard = other.discard
        copy_into(self.attack_cards, other.attack_cards)
        copy_into(self.attack_by, other.attack_by)
        copy_into(self.beat_cards, other.beat_cards)
        self.attacks = other.attacks
        self.open_cards = other.open_cards
        self.ranks = other.ranks
        self.table_cards = other.table_cards
        self.phase = other.phase
        self.bout = other.bout
        self.epoch = other.epoch
        self.attacker = other.attacker
        self.defender = other.defender
        self.throwers = other.throwers
        self.limit = other.limit
        self.taking = other.taking
        self.passed = other.passed
        self.active = other.active
        self.left = other.left
        self.excused = other.excused
        copy_into(self.left_order, other.left_order)
        copy_into(self.out_rank, other.out_rank)
        self.out_groups = other.out_groups
        self.offers = other.offers
        self.wanted = other.wanted
        self.repeated = other.repeated
        self.double_six = other.double_six
        self.history = other.history


def numbers_of(state: "State") -> list[list[int]]:
    """The numbers of each of the `ATTRIBUTES`: equal for equal games, compiled or not."""
    values = [getattr(state, name) for name in ATTRIBUTES]
    return [[int(value)] if isinstance(value, int) else list(value) for value in values]
