"""Who sits where: duplicate deals, each played by every line-up with every rotation of its seats.

| bots at a table of n | line-ups of a deal | games of a deal |
|---|---|---|
| n | all of them | n |
| more, m | every n of them | n × (m choose n) |
| fewer, m | one of each against n - 1 of each other | n × m × (m - 1) |

So each bot plays each deal from each seat, and luck of the cards and of the seat falls on all alike.
"""

from functools import cache
from itertools import combinations, permutations
from math import comb


def games_of_a_deal(bots: int, players: int) -> list[tuple[int, ...]]:
    """The games of one deal: for each, the bot (its number) in each seat."""
    if bots >= players:
        line_ups: list[tuple[int, ...]] = list(combinations(range(bots), players))
    else:
        line_ups = [(one, *[other] * (players - 1)) for one, other in permutations(range(bots), 2)]
    return [line_up[players - turn :] + line_up[: players - turn] for line_up in line_ups for turn in range(players)]


def number_of_games(bots: int, players: int) -> int:
    """How many games a deal has, without a list of them."""
    return players * (comb(bots, players) if bots >= players else bots * (bots - 1))


@cache
def lone_seat(line_up: tuple[int, ...], bot: int) -> int | None:
    """The seat of a bot that is the only one of its kind at the table, which counts for its score; else `None`."""
    return line_up.index(bot) if line_up.count(bot) == 1 else None
