"""How Normal weighs its cards: each choice is a sum of a few terms, whose weights were tuned by play (weights.py).

Worths and scores are in steps of rank: a plain seven is worth about one more than a plain six. Compiled where a compiler was there.
"""

from typing import Final

from durak.bots.knowing.sight import Sight
from durak.protocol.rules.bits import BEATERS, BIT, FLOAT, RANK_BIT, TRUMPS, count, index
from durak.protocol.rules.flat import i64
from durak.protocol.rules.layout import PACK_SIZE, RANK_IN_ALL_SUITS, SUIT_SIZE

TAKE: Final[i64] = -1
PASS: Final[i64] = -1


class Weights:
    """The weights of one situation, by name: a card's worth, a lead, a throw-in, a card given to a taker, taking, beating."""

    trump: float  # being a trump
    high: float  # each rank above the jack, besides its rank
    power: float  # beating many of the hidden cards
    stock: float  # a trump's extra worth while stock remains
    lead_worth: float  # of the card led
    lead_group: float  # each further card of the rank in hand
    lead_unbeatable: float  # the chance that the defender cannot beat it
    lead_void: float  # the chance that only a trump beats it
    lead_trump: float  # against leading a trump
    throw_base: float  # for throwing in at all
    throw_late: float  # the same as the stock shrinks
    throw_worth: float  # of the card thrown in
    throw_unbeatable: float  # the chance that the defender cannot beat it
    throw_void: float  # the chance that only a trump beats it
    throw_table: float  # worth of what the defender would take
    throw_trump: float  # against throwing in a trump
    throw_far: float  # against throwing in for another attacker
    throw_few: float  # the defender has hardly any cards left
    give_base: float  # for adding to what is taken
    give_late: float  # the same as the stock shrinks
    give_worth: float  # of the card given
    give_trump: float  # against giving a trump
    take_base: float  # price of taking
    take_late: float  # the same as the stock shrinks
    take_cards: float  # each card to take
    take_worth: float  # worth of the cards to take
    beat_worth: float  # of the card that beats
    beat_exposed: float  # each card that a new rank lets the others throw in
    beat_first: float  # to have beaten something already
    beat_few: float  # to be left with at most one card

    def __init__(self, values: dict[str, float]) -> None:
        for name, value in values.items():
            setattr(self, name, value)


def worth(sight: Sight, card: i64, w: Weights) -> float:
    """What a card is worth in the hand: its rank, being a trump, and how many of the hidden cards it beats."""
    rank = card % SUIT_SIZE
    value = FLOAT[rank]
    if rank > 5:
        value += w.high * FLOAT[rank - 5]
    if card // SUIT_SIZE == sight.trump:
        value += w.trump + w.stock * FLOAT[sight.stock] / 24.0
    size = count(sight.pool)
    if size:
        stronger = count(sight.pool & BEATERS[sight.trump * PACK_SIZE + card])
        value += w.power * 8.0 * (1.0 - FLOAT[stronger] / FLOAT[size])
    return value


def higher_of_suit(card: i64) -> i64:
    """The cards of the same suit that beat this one."""
    return BEATERS[card // SUIT_SIZE * PACK_SIZE + card]


def lead(sight: Sight, w: Weights) -> i64:
    """The card to lead."""
    best: i64 = -1
    best_score = 0.0
    cards = sight.hand
    while cards:
        low = cards & -cards
        cards ^= low
        card = index(low)
        same = count(sight.hand & RANK_BIT[card] * RANK_IN_ALL_SUITS & ~TRUMPS[sight.trump])
        score = -w.lead_worth * worth(sight, card, w)
        if same > 1:
            score += w.lead_group * FLOAT[same - 1]
        score += w.lead_unbeatable * 8.0 * sight.cannot_beat(sight.defender, card)
        score += w.lead_void * 8.0 * sight.has_none(sight.defender, higher_of_suit(card))
        if card // SUIT_SIZE == sight.trump:
            score -= w.lead_trump
        if best < 0 or score > best_score:
            best = card
            best_score = score
    return best


def throw(sight: Sight, w: Weights) -> i64:
    """The card to throw in, or PASS."""
    best: i64 = PASS
    best_score = 0.0
    table = 0.0
    late = 1.0 - FLOAT[sight.stock] / 24.0
    few = sight.counts[sight.defender] - sight.open_cards <= 2
    for slot in range(sight.attacks):
        table += worth(sight, sight.attack_cards[slot], w)
        if sight.beat_cards[slot] >= 0:
            table += worth(sight, sight.beat_cards[slot], w)
    cards = sight.hand & sight.ranks * RANK_IN_ALL_SUITS
    while cards:
        low = cards & -cards
        cards ^= low
        card = index(low)
        value = worth(sight, card, w)
        trump = card // SUIT_SIZE == sight.trump
        if sight.taking:
            score = w.give_base + w.give_late * late - w.give_worth * value
            if trump:
                score -= w.give_trump
        else:
            unbeatable = sight.cannot_beat(sight.defender, card)
            score = w.throw_base + w.throw_late * late - w.throw_worth * value
            score += w.throw_void * 8.0 * sight.has_none(sight.defender, higher_of_suit(card))
            if few:
                score += w.throw_few
            score += unbeatable * (w.throw_unbeatable * 8.0 - w.throw_table * table)
            if trump:
                score -= w.throw_trump
            if sight.me != sight.attacker:
                score -= w.throw_far
        if score > best_score:
            best = card
            best_score = score
    return best


def beat(sight: Sight, w: Weights) -> i64:
    """The slot and card to beat with, as ``slot * PACK_SIZE + card``, or TAKE."""
    hand = sight.hand
    ranks = sight.ranks
    cost = 0.0
    first: i64 = TAKE
    gained = 0.0
    lying: i64 = 0
    slots: i64 = 0
    for slot in range(sight.attacks):
        lying += 1
        gained += worth(sight, sight.attack_cards[slot], w)
        if sight.beat_cards[slot] >= 0:
            lying += 1
            gained += worth(sight, sight.beat_cards[slot], w)
        else:
            slots += 1
    # Beat the card with the fewest answers first, each as cheaply as possible.
    done: i64 = 0
    for _card in range(slots):
        chosen: i64 = -1
        fewest: i64 = 99
        for slot in range(sight.attacks):
            if sight.beat_cards[slot] < 0 and not done & BIT[slot]:
                answers = count(hand & BEATERS[sight.trump * PACK_SIZE + sight.attack_cards[slot]])
                if answers < fewest:
                    fewest = answers
                    chosen = slot
        if fewest == 0:
            return TAKE
        done |= BIT[chosen]
        cards = hand & BEATERS[sight.trump * PACK_SIZE + sight.attack_cards[chosen]]
        best: i64 = -1
        best_cost = 0.0
        while cards:
            low = cards & -cards
            cards ^= low
            card = index(low)
            price = w.beat_worth * worth(sight, card, w)
            if sight.attacks < sight.limit and not ranks & RANK_BIT[card]:
                wanted = RANK_BIT[card] * RANK_IN_ALL_SUITS
                price += w.beat_exposed * sight.expected_of_adders(wanted)
            if best < 0 or price < best_cost:
                best = card
                best_cost = price
        hand &= ~BIT[best]
        ranks |= RANK_BIT[best]
        cost += best_cost
        if first == TAKE:
            first = chosen * PACK_SIZE + best
    late = 1.0 - FLOAT[sight.stock] / 24.0
    price_of_taking = w.take_base + w.take_late * late + w.take_cards * FLOAT[lying] - w.take_worth * gained
    if lying > slots:
        price_of_taking += w.beat_first
    if count(hand) <= 1:
        price_of_taking += w.beat_few
    return first if cost <= price_of_taking else TAKE
