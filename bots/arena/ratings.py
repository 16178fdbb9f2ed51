"""OpenSkill ratings (Plackett-Luce) from the order of going out: how strong each bot is on one scale."""

from collections.abc import Sequence
from statistics import fmean

import msgspec
from openskill.models import PlackettLuce

from durak.bots.arena.outcome import DealOutcome


class Rating(msgspec.Struct, frozen=True):
    """Strength `mu` and its uncertainty `sigma`; a bot begins at 25 and 25/3."""

    mu: float
    sigma: float


def ratings_of(deals: Sequence[DealOutcome], bots: int) -> list[Rating]:
    """One rating per bot, after all games in their order; a shared place is a tie.

    Where a bot has several seats of a table, each is rated and the bot becomes the mean of them.
    """
    model = PlackettLuce(tau=0.0)  # bots do not change from game to game
    now = [model.rating() for _ in range(bots)]
    for deal in deals:
        for game in deal.games:
            places = [float(game.place(seat)) for seat in range(len(game.bots))]
            after = model.rate([[now[bot]] for bot in game.bots], ranks=places)
            for bot in set(game.bots):
                its = [team[0] for team, player in zip(after, game.bots, strict=True) if player == bot]
                now[bot] = model.rating(mu=fmean(one.mu for one in its), sigma=fmean(one.sigma for one in its))
    return [Rating(rating.mu, rating.sigma) for rating in now]
