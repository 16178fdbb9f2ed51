"""Who will be the durak, guessed from all cards where a bout begins: a small network. Compiled where a compiler was there.

One hidden layer over which cards lie in each hand and in the stock; a softmax over the seats that are still in the game. Learned
from games that Normal played (bots/training/learning.py).
"""

import math
from typing import Final

from durak.protocol.rules.bits import SEAT_BIT, index
from durak.protocol.rules.flat import i64, vec
from durak.protocol.rules.kernel import Kernel
from durak.protocol.rules.layout import MOST_PLAYERS, PACK_SIZE, SUIT_COUNT, SUIT_SIZE

STOCK_SIZES: Final[i64] = 25
FEATURES_AT_ONCE: Final[i64] = 37
"""A position has no more: its cards, and the size of the stock."""
"""Of cards: the trumps come last, in place of the suit that is the last one."""


def features(players: i64) -> i64:
    """How many features there are: kinds of cards by place (seats from the leader on, then the stock), and the stock's size."""
    return (players + 1) * PACK_SIZE + STOCK_SIZES


class Value:
    """A network for a number of players; weights: `first`, one row of `width` per feature; `bias`; `second`, one row per seat."""

    __slots__ = ("bias", "chances", "described", "first", "hidden", "players", "second", "width")

    def __init__(self, players: i64, width: i64, first: list[float], bias: list[float], second: list[float]) -> None:
        self.players: i64 = players
        self.width: i64 = width
        self.first: vec[float] = vec[float](first)
        self.bias: vec[float] = vec[float](bias)
        self.second: vec[float] = vec[float](second)
        self.hidden: vec[float] = vec[float]([0.0] * int(width))
        self.chances: vec[float] = vec[float]([0.0] * MOST_PLAYERS)
        self.described: vec[i64] = vec[i64]([0] * int(FEATURES_AT_ONCE))

    def look(self, kernel: Kernel) -> None:
        """Write the chances of each seat to be the durak, when a bout begins, into `chances`, by seat from the leader on."""
        width = self.width
        players = self.players
        hidden = self.hidden
        bias = self.bias
        second = self.second
        for unit in range(width):
            hidden[unit] = bias[unit]
        number = describe(kernel, self.described)
        for place in range(number):
            self.add(self.described[place] * width)
        for unit in range(width):
            if hidden[unit] < 0.0:
                hidden[unit] = 0.0
        total = 0.0
        seat = kernel.attacker
        for place in range(players):
            if kernel.active & SEAT_BIT[seat]:
                score = 0.0
                row = place * width
                for unit in range(width):
                    score += hidden[unit] * second[row + unit]
                chance = math.exp(score)
                self.chances[place] = chance
                total += chance
            else:
                self.chances[place] = 0.0
            seat += 1
            if seat == players:
                seat = 0
        for place in range(players):
            self.chances[place] = self.chances[place] / total

    def add(self, at: i64) -> None:
        """Add the row that begins there."""
        hidden = self.hidden
        first = self.first
        for unit in range(self.width):
            hidden[unit] = hidden[unit] + first[at + unit]


def kind_of(card: i64, trump: i64) -> i64:
    """Which of as many kinds as there are cards a card is: by suit and rank, the trumps last."""
    suit = card // SUIT_SIZE
    if suit == trump:
        return card % SUIT_SIZE + PACK_SIZE - SUIT_SIZE
    return card % SUIT_SIZE + SUIT_SIZE * trump if suit == SUIT_COUNT - 1 else card


def describe(kernel: Kernel, described: vec[i64]) -> i64:
    """Write the features of a position where a bout begins into `described`; how many."""
    number: i64 = 0
    seat = kernel.attacker
    for place in range(kernel.players):
        cards = kernel.hands[seat]
        while cards:
            low = cards & -cards
            cards ^= low
            described[number] = place * PACK_SIZE + kind_of(index(low), kernel.trump)
            number += 1
        seat += 1
        if seat == kernel.players:
            seat = 0
    for at in range(kernel.stock_top, i64(len(kernel.stock))):
        card = kernel.stock[at]
        described[number] = kernel.players * PACK_SIZE + kind_of(card, kernel.trump)
        number += 1
    described[number] = kernel.players * PACK_SIZE + PACK_SIZE + len(kernel.stock) - kernel.stock_top
    return number + 1
