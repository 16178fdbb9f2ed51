"""The value networks: a chance for every seat that is in the game, better than a guess."""

from __future__ import annotations

import math

import pytest

from durak.bots.players.value import network_for
from durak.bots.players.weights import policy_for
from durak.bots.search.chance import Chance
from durak.bots.search.lessons import lessons
from durak.bots.search.playout import deal_randomly
from durak.protocol.rules.cards import set_of
from durak.protocol.rules.game import Game
from durak.protocol.rules.kernel import Kernel
from durak.protocol.rules.notation import read_position

EVERY = [2, 3, 4, 5, 6]


def chances(kernel: Kernel) -> list[float]:
    """By seat."""
    network = network_for(int(kernel.players))
    network.look(kernel)
    players, leader = int(kernel.players), int(kernel.attacker)
    return [network.chances[(seat - leader) % players] for seat in range(players)]


@pytest.mark.parametrize("players", EVERY)
def test_the_chances_add_up_to_one(players: int) -> None:
    kernel = Kernel(players)
    deal_randomly(kernel, Chance(players))
    found = chances(kernel)
    assert sum(found) == pytest.approx(1)
    assert min(found) > 0


def test_a_seat_that_is_out_is_not_the_durak() -> None:
    game = read_position("S | 6S 7H / 8S 9H / -")
    assert chances(game.kernel)[2] == 0


def test_who_holds_the_trumps_is_hardly_the_durak() -> None:
    game: Game = read_position("S | 10S JS QS / 6H 7H 8D")
    assert game.kernel.hands[0] == set_of(["10S", "JS", "QS"])
    mine, theirs = chances(game.kernel)
    assert mine < 0.2 < 0.8 < theirs


@pytest.mark.parametrize("players", EVERY)
def test_the_network_knows_more_than_chance_does(players: int) -> None:
    """Its log loss on games that it has not learned from is well below that of equal chances."""
    normal = policy_for(players)
    rows = [row for row in lessons(Kernel(players), normal, 60, 4_711, 0) if row[0] >= 0]
    network = network_for(players)
    loss = guess = 0.0
    for durak, seats, *described in rows:
        hidden = [
            max(0.0, network.bias[unit] + sum(network.first[feature * network.width + unit] for feature in described))
            for unit in range(int(network.width))
        ]
        scores = [
            math.exp(sum(hidden[unit] * network.second[place * network.width + unit] for unit in range(int(network.width))))
            * (seats >> place & 1)
            for place in range(players)
        ]
        loss -= math.log(scores[durak] / sum(scores))
        guess += math.log(bin(seats).count("1"))
    assert loss < 0.95 * guess
