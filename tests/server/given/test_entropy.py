"""The shuffle is fair, as far as counting can tell (ROOMS.md 5)."""

from __future__ import annotations

import itertools
import math
from collections import Counter

from durak.protocol.rules.cards import PACK
from durak.server.given.entropy import TABLE_ID_ALPHABET, SecureEntropy

SHUFFLES = 5_000
LIMIT_SIGMA = 6.0
"""A fair shuffle is refused once in a billion runs."""


def far_from(expected: float, observed: list[int], freedom: int) -> float:
    """The chi-square statistic in standard deviations above its mean (Wilson and Hilferty's approximation)."""
    chi_square = sum((count - expected) ** 2 / expected for count in observed)
    spread = 2 / (9 * freedom)
    return float((math.cbrt(chi_square / freedom) - (1 - spread)) / math.sqrt(spread))


def test_a_deck_is_a_pack() -> None:
    entropy = SecureEntropy()
    for _ in range(50):
        assert sorted(entropy.deck()) == sorted(PACK)


def test_every_card_comes_to_every_place_equally_often() -> None:
    entropy = SecureEntropy()
    places = Counter((card, place) for _ in range(SHUFFLES) for place, card in enumerate(entropy.deck()))
    counts = [places[card, place] for card in PACK for place in range(36)]
    assert far_from(SHUFFLES / 36, counts, 35 * 35) < LIMIT_SIGMA


def test_every_card_follows_every_other_equally_often() -> None:
    entropy = SecureEntropy()
    pairs: Counter[tuple[str, str]] = Counter()
    for _ in range(SHUFFLES):
        deck = entropy.deck()
        pairs.update(itertools.pairwise(deck))
    counts = [pairs[card, other] for card in PACK for other in PACK if card != other]
    assert far_from(SHUFFLES * 35 / (36 * 35), counts, 36 * 35 - 1) < LIMIT_SIGMA


def test_every_suit_is_trump_equally_often() -> None:
    entropy = SecureEntropy()
    trumps = Counter(entropy.deck()[-1][-1] for _ in range(SHUFFLES))
    assert far_from(SHUFFLES / 4, [trumps[suit] for suit in "SHDC"], 3) < LIMIT_SIGMA


def test_the_same_test_sees_a_naive_shuffle() -> None:
    """Exchanging every place with any place, the classic mistake, does not pass."""
    entropy = SecureEntropy()
    places: Counter[tuple[int, int]] = Counter()
    for _ in range(SHUFFLES):
        deck = list(range(36))
        for place in range(36):
            other = entropy.number() % 36
            deck[place], deck[other] = deck[other], deck[place]
        places.update((card, place) for place, card in enumerate(deck))
    counts = [places[card, place] for card in range(36) for place in range(36)]
    assert far_from(SHUFFLES / 36, counts, 35 * 35) > LIMIT_SIGMA


def test_numbers_are_spread_over_their_range() -> None:
    entropy = SecureEntropy()
    draws = [entropy.number() for _ in range(20_000)]
    assert all(0 <= number < 2**40 for number in draws)
    assert len(set(draws)) > 19_990
    thousands = Counter(number >> 35 for number in draws)
    assert far_from(20_000 / 32, [thousands[part] for part in range(32)], 31) < LIMIT_SIGMA


def test_ids_do_not_repeat() -> None:
    entropy = SecureEntropy()
    tables = [entropy.table_id() for _ in range(1_000)]
    assert all(len(table) == 6 and set(table) <= set(TABLE_ID_ALPHABET) for table in tables)
    assert len(set(tables)) >= 999
    assert len({entropy.player_id() for _ in range(10_000)}) == 10_000
