"""A position as one line of text: its writer and its reader. notation.py says what the fields mean."""

import re
from collections.abc import Iterable
from typing import Any, Final

import msgspec

from durak.protocol.rules import kernel as k
from durak.protocol.rules.cards import INDEX, PACK, SUITS, cards_of, is_pack, set_of
from durak.protocol.rules.errors import NotationError
from durak.protocol.rules.game import Game, kernel_for, may_ask_redeal
from durak.protocol.rules.kernel import Kernel
from durak.protocol.rules.result import result_of
from durak.protocol.rules.ruleset import PRESETS, OptionRefused, Ruleset, ruleset_of

FIELDS: Final = (
    *("rules", "stock", "trump", "attacker", "defender", "table", "taking", "passed", "decide", "redeal", "deck", "over", "out"),
    *("left", "excused", "bout", "epoch", "limit", "shown", "opening", "first", "previous", "persons", "sixes", "before"),
)
SLOT: Final = re.compile(r"(?:(?P<seat>[0-5]):)?(?P<attack>\w+)(?:-(?P<beaten>\w+))?")
OPTION_WORDS: Final[dict[str, Any]] = {"on": True, "off": False, "none": None}


# ---------------------------------------------------------------- defaults, the same in both directions


def default_out(kernel: Kernel) -> list[int]:
    """With an empty stock, the seats that have no card in hand and no attack card on the table."""
    if kernel.stock_top < len(kernel.stock):
        return []
    played = kernel.attack_by[: kernel.attacks]
    return [seat for seat in range(kernel.players) if not kernel.hands[seat] and seat not in played]


def default_defender(kernel: Kernel) -> int:
    """The next active seat after the attacker; its neighbour if nobody is active."""
    following = [(kernel.attacker + step) % kernel.players for step in range(1, kernel.players + 1)]
    return next((seat for seat in following if kernel.active & k.SEAT_BIT[seat]), following[0])


def default_limit(kernel: Kernel) -> int:
    """RULES 1.7, from what the defender holds and has played."""
    beaten = sum(1 for card in kernel.beat_cards[: kernel.attacks] if card >= 0)
    limit = min(k.HAND_SIZE, k.count_cards(kernel.hands[kernel.defender]) + beaten)
    return min(limit, kernel.limit_first_bout) if kernel.bout == 1 else limit


def default_trump_card(kernel: Kernel) -> int | None:
    """The last card of the stock."""
    return kernel.stock[-1] if kernel.stock_top < len(kernel.stock) else None


def bout_start(kernel: Kernel) -> list[int]:
    """What RULES 1.24 remembers of the bout that runs: the hands when it began, and its attacker."""
    hands = kernel.hands[: kernel.players]
    for slot in range(kernel.attacks):
        hands[kernel.attack_by[slot]] |= k.BIT[kernel.attack_cards[slot]]
        if kernel.beat_cards[slot] >= 0:
            hands[kernel.defender] |= k.BIT[kernel.beat_cards[slot]]
    return [*hands, kernel.attacker]


# ---------------------------------------------------------------- writing


def write_position(game: Game) -> str:
    """The position of a game as one line, without what goes without saying. `read_position` makes the same game of it."""
    kernel = game.kernel
    begun = 0 if _in_offer(kernel) else 1
    out = [_seats(kernel, [kernel.out_rank[seat] == group for seat in range(6)]) for group in range(kernel.out_groups)]
    usual_out = default_out(kernel)
    fields: list[tuple[str, str | None]] = [
        (SUITS[kernel.trump], ""),
        (_hands(kernel.hands[: kernel.players]), ""),
        ("rules", _rules(game.ruleset)),
        ("stock", " ".join(game.stock) or None),
        ("trump", _card(game.trump_card, default_trump_card(kernel))),
        ("attacker", _number(kernel.attacker, 0)),
        ("defender", _number(kernel.defender, default_defender(kernel))),
        ("bout", _number(kernel.bout, 2 * begun)),
        ("epoch", _number(kernel.epoch, begun)),
        ("limit", _number(kernel.limit, begun * default_limit(kernel))),
        ("table", _table(kernel)),
        ("taking", _flag(kernel.taking)),
        ("passed", _seat_list(game.seats_in(kernel.passed))),
        ("out", None if out == [usual_out][: len(usual_out)] else " / ".join(" ".join(map(str, group)) for group in out) or "-"),
        ("left", _seat_list(sorted(game.seats_in(kernel.left), key=lambda seat: kernel.left_order[seat]))),
        ("excused", _seat_list(game.seats_in(kernel.excused))),
        ("decide", _flag(kernel.phase == k.DECIDE)),
        ("redeal", None if begun else _answers(kernel)),
        ("deck", None if game.redeal_deck is None else " ".join(game.redeal_deck)),
        ("shown", _holding(game.dealt_trump)),
        ("opening", _holding(game.opening_trump)),
        ("first", _number(game.first_seat, 0)),
        ("previous", _number(game.previous_winner, None)),
        ("persons", None if game.persons == set(range(kernel.players)) else _seat_list(sorted(game.persons)) or "-"),
        ("sixes", _flag(kernel.double_six)),
        ("before", _before(kernel)),
        ("over", None if kernel.phase != k.OVER else "repeated" if kernel.repeated else ""),
    ]
    return " | ".join(f"{word} {rest}".strip() for word, rest in fields if rest is not None)
