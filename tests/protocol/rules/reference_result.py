"""The reference of the rules, last part: how a game ended and what a series counts (see `reference.py`)."""

from typing import Any

from tests.protocol.rules.reference_table import CLASSIC


def score(options: dict[str, Any], results: list[dict[str, Any]], players: int) -> dict[str, Any]:
    """The score of a series (1.22, 1.25, 3.6, 3.7); without `series` only the last game counts."""
    counted = results if (CLASSIC | options)["series"] else results[-1:]
    wins, losses, pairs = [0] * players, [0] * players, [0] * players
    for result in counted:
        if "winner" in result:  # the short form for two players
            result = _long_form(result)
        if not result["draw"]:
            for seat in result["places"][0]:
                wins[seat] += 2 if result["epaulettes"] and seat == result["giver"] else 1
        if result["durak"] is not None:
            losses[result["durak"]] += 2 if result["epaulettes"] else 1
        for seat in result["forfeits"]:
            if seat != result["durak"]:
                losses[seat] += 1
        if result["epaulettes"]:
            pairs[result["giver"]] += 1
            pairs[result["durak"]] -= 1
    return {"games": len(counted), "wins": wins, "losses": losses, "epaulettes": pairs}


def _long_form(result: dict[str, Any]) -> dict[str, Any]:
    """{winner, epaulettes} of a game of two, with None as the winner of a draw, written out."""
    winner = result["winner"]
    durak = None if winner is None else 1 - winner
    return {
        "places": [[0, 1]] if winner is None else [[winner], [durak]],
        "durak": durak,
        "draw": winner is None,
        "forfeits": [],
        "epaulettes": result["epaulettes"],
        "giver": winner if result["epaulettes"] else None,
    }
