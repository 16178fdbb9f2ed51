"""All randomness of a simulation: one seed, and a source of its own for everything that draws."""

import random

from durak.protocol.rules.cards import PACK
from durak.server.given.entropy import NUMBER_BYTES, TABLE_ID_ALPHABET, TABLE_ID_LENGTH
from durak.server.people.tokens import Identity, Tokens
from durak.server.simulation.process import EPOCH_MS

SECRET = b"the secret of a simulation"
"""It signs all tokens."""


def token_for(identity: Identity) -> str:
    """A token that the simulated server knows."""
    return Tokens(SECRET, lambda: EPOCH_MS).make(identity)


class Chance:
    """Sources by name, so that what one draws never depends on how often another did."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def of(self, *names: object) -> random.Random:
        """The source of this name."""
        return random.Random(":".join(map(str, (self._seed, *names))))


class SeededEntropy:
    """The server's randomness. Every fourth deck gives long suits, as redeals need them."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def deck(self) -> list[str]:
        """A shuffled pack."""
        deck = list(PACK)
        self._rng.shuffle(deck)
        if self._rng.random() < 0.25:
            suit = deck[0][-1]
            long = [card for card in deck if card[-1] == suit][:6]
            rest = [card for card in deck if card not in long]
            for place, card in enumerate(long):
                rest.insert(2 * place, card)
            deck = rest
        return deck

    def number(self) -> int:
        """A number for jitters and choices."""
        return self._rng.getrandbits(8 * NUMBER_BYTES)

    def table_id(self) -> str:
        """A join code."""
        return "".join(self._rng.choice(TABLE_ID_ALPHABET) for _ in range(TABLE_ID_LENGTH))

    def player_id(self) -> str:
        """An id."""
        return f"{self._rng.getrandbits(48):012x}"
