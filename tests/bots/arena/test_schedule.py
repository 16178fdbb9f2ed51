"""Who sits where: each bot plays each deal from each seat."""

from __future__ import annotations

from collections import Counter

import pytest

from durak.bots.arena.schedule import games_of_a_deal, lone_seat, number_of_games


def test_two_at_a_table_of_two_change_seats() -> None:
    assert games_of_a_deal(2, 2) == [(0, 1), (1, 0)]


def test_as_many_as_seats_sit_in_every_rotation() -> None:
    assert games_of_a_deal(3, 3) == [(0, 1, 2), (2, 0, 1), (1, 2, 0)]


def test_fewer_play_one_against_the_rest_in_every_seat() -> None:
    games = games_of_a_deal(2, 3)
    assert games == [(0, 1, 1), (1, 0, 1), (1, 1, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    assert [[lone_seat(game, bot) for bot in (0, 1)] for game in games] == [
        *[[0, None], [1, None], [2, None]],
        *[[None, 0], [None, 1], [None, 2]],
    ]


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("bots", range(2, 8))
def test_every_bot_is_alone_of_its_kind_equally_often_in_every_seat(bots: int, players: int) -> None:
    games = games_of_a_deal(bots, players)
    seats = Counter((bot, lone_seat(game, bot)) for game in games for bot in range(bots) if lone_seat(game, bot) is not None)
    assert len(seats) == bots * players
    assert len(set(seats.values())) == 1
    assert len(games) == number_of_games(bots, players)
