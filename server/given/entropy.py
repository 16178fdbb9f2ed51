"""Randomness, made in one place and passed in. Decks come from the operating system's secure source."""

import os
import random
import secrets
from typing import Protocol

from durak.protocol.rules.cards import PACK

TABLE_ID_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
TABLE_ID_LENGTH = 6
NUMBER_BYTES = 5


class Entropy(Protocol):
    """Everything that is drawn."""

    def deck(self) -> list[str]:
        """A shuffled pack."""

    def number(self) -> int:
        """A number for jitters and choices, 0 to 2**40 - 1."""

    def table_id(self) -> str:
        """A join code."""

    def player_id(self) -> str:
        """An id for a new player."""


class SecureEntropy:
    """The real source. `SystemRandom.shuffle` is Fisher-Yates with rejection sampling over os.urandom."""

    def __init__(self) -> None:
        self._random = random.SystemRandom()
        self._pool = b""

    def deck(self) -> list[str]:
        """A shuffled pack."""
        deck = list(PACK)
        self._random.shuffle(deck)
        return deck

    def number(self) -> int:
        """A number for jitters and choices; one system call serves many."""
        if not self._pool:
            self._pool = os.urandom(NUMBER_BYTES * 500)
        number, self._pool = self._pool[:NUMBER_BYTES], self._pool[NUMBER_BYTES:]
        return int.from_bytes(number, "big")

    def table_id(self) -> str:
        """Six of 32 letters and digits that are hard to mistake."""
        return "".join(secrets.choice(TABLE_ID_ALPHABET) for _ in range(TABLE_ID_LENGTH))

    def player_id(self) -> str:
        """Unguessable."""
        return secrets.token_urlsafe(9)
