"""A position as one line of text: the writer, and the defaults that it shares with the reader. notation.py has the fields."""

from collections.abc import Iterable
from typing import Any

import msgspec

from durak.protocol.rules import bits
from durak.protocol.rules import state as s
from durak.protocol.rules.cards import PACK, SUITS, cards_of
from durak.protocol.rules.kernel import Kernel
from durak.protocol.rules.layout import HAND_SIZE
from durak.protocol.rules.ruleset import PRESETS, Ruleset
from durak.protocol.rules.standing import Standing, offered


def default_out(kernel: Kernel) -> list[int]:
    """With an empty stock, the seats that have no card in hand and no attack card on the table."""
    if kernel.stock_top < len(kernel.stock):
        return []
    played = kernel.attack_by[: kernel.attacks]
    return [seat for seat in range(kernel.players) if not kernel.hands[seat] and seat not in played]


def default_defender(kernel: Kernel) -> int:
    """The next active seat after the attacker; its neighbour if nobody is active."""
    following = [(kernel.attacker + step) % kernel.players for step in range(1, kernel.players)]
    return next((seat for seat in following if kernel.active & bits.SEAT_BIT[seat]), following[0])


def default_limit(kernel: Kernel) -> int:
    """RULES 1.7, from what the defender holds and has played; 0 before the first bout."""
    if not kernel.bout:
        return 0
    beaten = sum(1 for card in kernel.beat_cards[: kernel.attacks] if card >= 0)
    limit = min(HAND_SIZE, bits.count(kernel.hands[kernel.defender]) + beaten)
    return min(limit, kernel.limit_first_bout) if kernel.bout == 1 else limit


def default_trump_card(kernel: Kernel) -> int | None:
    """The last card of the stock."""
    return kernel.stock[-1] if kernel.stock_top < len(kernel.stock) else None


def bout_start(kernel: Kernel) -> list[int]:
    """What RULES 1.24 remembers of the bout that runs: the hands when it began, and its attacker."""
    hands = [kernel.hands[seat] for seat in range(kernel.players)]
    for slot in range(kernel.attacks):
        hands[kernel.attack_by[slot]] |= bits.BIT[kernel.attack_cards[slot]]
        if kernel.beat_cards[slot] >= 0:
            hands[kernel.defender] |= bits.BIT[kernel.beat_cards[slot]]
    return [*hands, kernel.attacker]


def write_position(game: Standing) -> str:
    """The position of a game as one line, without what goes without saying. `read_position` makes the same game of it."""
    kernel = game.kernel
    begun = 1 if kernel.bout else 0
    fields: list[tuple[str, str | None]] = [
        ("rules", _rules(game.ruleset)),
        ("stock", " ".join(game.stock) or None),
        ("trump", None if game.trump_card == default_trump_card(kernel) else _card(game.trump_card)),
        ("attacker", _number(kernel.attacker, 0)),
        ("defender", _number(kernel.defender, default_defender(kernel))),
        ("bout", _number(kernel.bout, 2 * begun)),
        ("epoch", _number(kernel.epoch, begun)),
        ("limit", _number(kernel.limit, default_limit(kernel))),
        ("table", _table(kernel)),
        ("taking", _flag(kernel.taking)),
        ("passed", _seats(game.passed)),
        ("out", _out(game)),
        ("left", _seats(game.left)),
        ("excused", _seats(game.excused)),
        ("decide", _flag(kernel.phase == s.DECIDE)),
        ("redeal", None if begun else _answers(kernel)),
        ("deck", None if game.redeal_deck is None else " ".join(game.redeal_deck)),
        ("shown", _holding(game.dealt_trump)),
        ("opening", _holding(game.opening_trump)),
        ("first", _number(game.first_seat, 0)),
        ("previous", None if game.previous_winner is None else str(game.previous_winner)),
        ("persons", None if game.persons == set(range(kernel.players)) else _seats(game.persons) or "-"),
        ("sixes", _flag(kernel.double_six)),
        ("before", _before(kernel)),
        ("over", None if kernel.phase != s.OVER else "repeated" if kernel.repeated else ""),
    ]
    named = [f"{word} {rest}".rstrip() for word, rest in fields if rest is not None]
    return " | ".join([SUITS[kernel.trump], _hands(kernel.hands[: kernel.players]), *named])


def _number(number: int, usual: int) -> str | None:
    return None if number == usual else str(number)


def _flag(flag: bool) -> str | None:
    return "" if flag else None


def _card(card: int | None) -> str:
    return "-" if card is None else PACK[card]


def _seats(seats: Iterable[int]) -> str | None:
    return " ".join(map(str, seats)) or None


def _holding(holding: tuple[int, int] | None) -> str | None:
    return None if holding is None else f"{holding[0]}:{PACK[holding[1]]}"


def _hands(hands: Iterable[int]) -> str:
    return " / ".join(" ".join(cards_of(hand)) or "-" for hand in hands)


def _table(kernel: Kernel) -> str | None:
    slots = []
    for slot in range(kernel.attacks):
        by = "" if kernel.attack_by[slot] == kernel.attacker else f"{kernel.attack_by[slot]}:"
        beaten = "" if kernel.beat_cards[slot] < 0 else f"-{PACK[kernel.beat_cards[slot]]}"
        slots.append(f"{by}{PACK[kernel.attack_cards[slot]]}{beaten}")
    return " ".join(slots) or None


def _out(game: Standing) -> str | None:
    groups, usual = game.out, default_out(game.kernel)
    if groups == ([usual] if usual else []):
        return None
    return " / ".join(" ".join(map(str, group)) for group in groups) or "-"


def _answers(kernel: Kernel) -> str:
    words = ("keep", "redeal")
    answered = offered(kernel) & ~kernel.offers
    seats = [seat for seat in range(kernel.players) if answered & bits.SEAT_BIT[seat]]
    return " ".join(f"{seat}:{words[kernel.wanted & bits.SEAT_BIT[seat] != 0]}" for seat in seats)


def _before(kernel: Kernel) -> str | None:
    width, numbers = kernel.players + 1, list(kernel.history)
    entries = [numbers[at : at + width] for at in range(0, len(numbers), width)]
    return "; ".join(f"{_hands(entry[:-1])} @{entry[-1]}" for entry in entries) or None


def _rules(ruleset: Ruleset) -> str | None:
    usual = msgspec.to_builtins(PRESETS[ruleset.preset])
    options = msgspec.to_builtins(ruleset)
    changed = [f"{option}={_option(value)}" for option, value in options.items() if value != usual[option]]
    return None if ruleset == PRESETS["classic"] else " ".join([ruleset.preset, *changed])


def _option(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if value is None:
        return "none"
    return "-".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
