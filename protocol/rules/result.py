"""Places, durak, draws, forfeits and epaulettes of a finished game, and the score of a series (RULES 1.21-1.25, 3.6, 3.7)."""

from collections.abc import Sequence

import msgspec

from durak.protocol.rules.bits import SEAT_BIT
from durak.protocol.rules.events import GameResult
from durak.protocol.rules.kernel import Kernel


def result_of(kernel: Kernel, *, epaulettes: bool) -> GameResult:
    """The result of a game whose kernel says it is over."""
    seats = range(kernel.players)
    leavers = sorted((seat for seat in seats if kernel.left & SEAT_BIT[seat]), key=lambda seat: kernel.left_order[seat])
    stayers = [seat for seat in seats if seat not in leavers]
    active = [seat for seat in seats if kernel.active & SEAT_BIT[seat]]
    remaining = [seat for seat in stayers if seat in active]
    places = [[seat for seat in stayers if kernel.out_rank[seat] == group] for group in range(kernel.out_groups)]

    durak: int | None = None
    if kernel.repeated:
        places.append(sorted(remaining + leavers))
    else:
        places += [remaining, sorted(leavers)]
        if active and active == remaining:
            durak = active[0]
        elif active and len(leavers) == 1:
            durak = leavers[0]
    draw = kernel.repeated or not active

    giver: int | None = None
    if epaulettes and durak in stayers and kernel.double_six:
        last_out = [seat for seat in seats if kernel.out_rank[seat] == kernel.out_groups - 1]
        if last_out == [kernel.attacker] and kernel.attacker in stayers:
            giver = kernel.attacker
    return GameResult([group for group in places if group], durak, draw, leavers, giver)


class Score(msgspec.Struct, frozen=True):
    """A player's score over a series: wins = first out, losses = durak or leaver, epaulettes given less received."""

    wins: int = 0
    losses: int = 0
    epaulettes: int = 0


def scored(scores: Sequence[Score], result: GameResult) -> list[Score]:
    """The scores, one per seat, after one more game (RULES 1.25, 3.7, section 4)."""
    after = []
    for seat, score in enumerate(scores):
        first = not result.draw and seat in result.places[0]
        lost = seat == result.durak or seat in result.forfeits
        gave = seat == result.giver
        received = result.giver is not None and seat == result.durak
        after.append(
            Score(
                wins=score.wins + (2 if first and gave else 1 if first else 0),
                losses=score.losses + (2 if received else 1 if lost else 0),
                epaulettes=score.epaulettes + gave - received,
            )
        )
    return after


def winner_of(result: GameResult, before: int | None) -> int | None:
    """The seat that leads the next game under `winner_leads`: a draw keeps the earlier winner, a shared first place is none."""
    if result.draw:
        return before
    first = result.places[0]
    return first[0] if len(first) == 1 else None
