"""Samples of the hidden cards honour every certain fact, weigh hints, and never exclude the truth."""

from __future__ import annotations

import random
from collections import Counter

from durak.bots.knowing.sight import Sight
from durak.bots.search.chance import Chance
from durak.bots.search.policy import Player
from durak.bots.search.sampling import Sampler
from durak.protocol.rules.cards import set_of
from durak.protocol.rules.layout import ALL_CARDS
from tests.bots.search.test_policy import Twins, moments


def check(sight: Sight, sampler: Sampler, players: int) -> None:
    """That a sample is a deal as it may be."""
    stock = list(sampler.stock)
    seen = sum(1 << card for card in stock)
    assert len(set(stock)) == len(stock) == sight.stock
    assert not sight.bottom or 1 << stock[-1] == sight.bottom
    for seat in range(players):
        hand = sampler.hands[seat]
        assert hand & seen == 0, "a card lies in two places"
        seen |= hand
        if seat == sight.me:
            assert hand == sight.hand
        else:
            assert int(hand).bit_count() == sight.counts[seat]
            assert hand & sight.known[seat] == sight.known[seat]
            assert hand & ~sight.known[seat] & sight.barred[seat] == 0
            assert hand & ~sight.known[seat] & ~sight.pool == 0


def test_samples_honour_certain_facts_in_whole_games() -> None:
    rng = random.Random(1)
    chance = Chance(3)
    player, sampler, sight = Player(Chance(2)), Sampler(), Sight()
    drawn = again = 0
    for number in range(100):
        players = 2 + number % 5
        preset = ("classic", "gameweave", "challenge")[number % 3] if players == 2 else "classic"
        for position in moments(Twins(preset, players, rng), player, rng):
            position.look(rng.randrange(players), sight)
            tries = 1
            while not sampler.draw(sight, chance):
                tries += 1
                assert tries < 100, "the true deal is one of those looked for"
            again += tries - 1
            drawn += 1
            check(sight, sampler, players)
            kernel = position.kernel
            hands = sum(sampler.hands[other] for other in range(players))
            lying = sum(1 << card for card in sampler.stock)
            assert hands | lying | kernel.table_cards | kernel.discard == ALL_CARDS
    assert drawn > 5_000
    assert again < drawn / 10


def three_hidden_of_six() -> Sight:
    """Seat 0 sees nothing but its own card; seat 1 holds two cards and seat 2 one, out of six that may be anywhere."""
    sight = Sight()
    sight.hand = set_of(["6S"])
    sight.pool = set_of(["7H", "8H", "9H", "10H", "JH", "QH"])
    sight.counts[1], sight.counts[2] = 2, 1
    sight.stock = 3
    return sight


def frequencies(sight: Sight, seat: int, samples: int = 12_000) -> Counter[int]:
    """How often each card is dealt to the seat."""
    sampler, chance = Sampler(), Chance(7)
    times: Counter[int] = Counter()
    for _ in range(samples):
        assert sampler.draw(sight, chance)
        times.update(card for card in range(36) if sampler.hands[seat] >> card & 1)
    return times


def test_without_hints_every_card_is_as_likely_as_any_other() -> None:
    times = frequencies(three_hidden_of_six(), 1)
    assert len(times) == 6
    assert all(3_700 < number < 4_300 for number in times.values())


def test_a_barred_rank_is_never_dealt_and_a_doubted_card_less_often() -> None:
    sight = three_hidden_of_six()
    sight.barred[1] = set_of(["7H", "8H", "9H", "10H"])
    assert set(frequencies(sight, 1)) == {card for card in range(36) if set_of(["JH", "QH"]) >> card & 1}
    sight.barred[1] = 0
    sight.doubted[1] = set_of(["7H"])
    times = frequencies(sight, 1)
    seven = times.pop(next(card for card in range(36) if set_of(["7H"]) >> card & 1))
    assert 0.25 * min(times.values()) < seven < 0.7 * min(times.values())


def test_known_cards_lie_where_they_are_known_to_be() -> None:
    sight = three_hidden_of_six()
    sight.known[2] = set_of(["AD"])
    assert set(frequencies(sight, 2, 100)) == {card for card in range(36) if set_of(["AD"]) >> card & 1}
