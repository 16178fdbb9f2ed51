"""How a language says things: sentences by key, filled with parameters; plural forms; cards.

A language is its catalogue (sentences.py) and its plural rule. In a sentence ``{name}`` is replaced by the parameter and
``{count:card|cards}`` by the number with the form that the plural rule chooses: "1 card", "5 cards".
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from string import Formatter
from typing import Any, Final

from durak.protocol.rules.cards import INDEX, SUITS, rank_of, suit_of

SYMBOLS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
TYPED_SUITS: Final = {letter: suit for suit in SUITS for letter in (suit.lower(), SYMBOLS[suit])} | {
    "♤": "S",
    "♡": "H",
    "♢": "D",
    "♧": "C",
}
NO_BREAK: Final = "\u00a0"
"""Stands between what a line must not be broken at; shown as a space."""


@dataclass(frozen=True)
class Language:
    """One language. `plural` gives the place of the form for a number, `ranks` the letters of ranks that are not as in English."""

    code: str
    sentences: Mapping[str, str]
    plural: Callable[[int], int]
    ranks: Mapping[str, str] = field(default_factory=dict)


class _Filling(Formatter):
    def __init__(self, plural: Callable[[int], int]) -> None:
        self._plural = plural

    def format_field(self, value: Any, format_spec: str) -> str:  # Any: Formatter's own signature
        if "|" not in format_spec:
            return str(value)
        return f"{value}{NO_BREAK}{format_spec.split('|')[self._plural(int(value))]}"


class Speech:
    """A language as it is spoken on one terminal: with suit symbols, or in `ascii` with letters (``10d``)."""

    def __init__(self, language: Language, *, ascii: bool = False) -> None:
        self.language = language
        self.ascii = ascii
        self._filling = _Filling(language.plural)
        self._ranks_read = {own.casefold(): rank for rank, own in language.ranks.items()}

    def __call__(self, key: str, **params: object) -> str:
        """The sentence of this key."""
        return self._filling.vformat(self.language.sentences[key], (), params)

    def knows(self, key: str) -> bool:
        """True if there is such a sentence."""
        return key in self.language.sentences

    def card(self, card: str) -> str:
        """A card: ``10♦`` or ``10d``."""
        rank, suit = card[:-1], suit_of(card)
        return self.language.ranks.get(rank, rank) + (suit.lower() if self.ascii else SYMBOLS[suit])

    def cards(self, cards: Iterable[str]) -> str:
        """Several cards, in this order."""
        return " ".join(map(self.card, cards))

    def hand(self, hand: Sequence[str], playable: Iterable[str] = ()) -> str:
        """A hand with the numbers to type, `*` at what can be played."""
        if not hand:
            return self("hand.empty")
        marked = set(playable)
        shown = " ".join(
            f"{number}{NO_BREAK}{self.card(card)}{'*' if card in marked else ''}" for number, card in enumerate(hand, start=1)
        )
        return self("hand", cards=shown)

    def several(self, names: Sequence[str]) -> str:
        """An enumeration: "Anna, Boris and Vera"."""
        if len(names) < 2:
            return "".join(names)
        return self("and", first=", ".join(names[:-1]), last=names[-1])

    def read_card(self, text: str) -> str | None:
        """The card that somebody typed, e.g. ``10d``, ``10D``, ``10♦``; `None` if it is none."""
        typed = text.casefold().replace("\ufe0f", "")
        found = re.fullmatch(r"(.{1,2})(.)", typed)
        if found is None or found[2] not in TYPED_SUITS:
            return None
        rank = self._ranks_read.get(found[1], found[1].upper())
        card = rank + TYPED_SUITS[found[2]]
        return card if card in INDEX else None


def in_order(hand: Iterable[str], trump: str) -> list[str]:
    """A hand as it is held: trumps left, then by rank.

    >>> in_order(["6S", "QS", "9H", "10D", "6C", "JC"], "D")
    ['10D', '6S', '6C', '9H', 'JC', 'QS']
    """
    return sorted(hand, key=lambda card: (suit_of(card) != trump, rank_of(card), SUITS.index(suit_of(card))))
