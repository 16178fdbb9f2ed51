"""A language as it is spoken on one terminal: its sentences, and its cards, which it shows and reads."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from durak.clients.words.filling import NO_BREAK, Filler
from durak.clients.words.language import Language
from durak.protocol.rules.cards import INDEX, SUITS, rank_of, suit_of

SYMBOLS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
TYPED_SUITS: Final = {letter: suit for suit in SUITS for letter in (suit.lower(), SYMBOLS[suit])} | {
    "♤": "S",
    "♡": "H",
    "♢": "D",
    "♧": "C",
}


class Speech:
    """Says the sentences of a language, with suit symbols, or in `ascii` with letters (``10d``)."""

    def __init__(self, language: Language, *, ascii: bool = False) -> None:
        self.language = language
        self.ascii = ascii
        self._filler = Filler(language.sentences, language.numbers.form, language.numbers.ordinal)
        self._ranks_read = {own.casefold(): rank for rank, own in language.ranks.items()}

    def __call__(self, key: str, **params: object) -> str:
        """The sentence of this key. Raises `KeyError` if there is none, or it needs another parameter."""
        return self._filler(key, params)

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
        return self._filler.several(names, "and")

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
