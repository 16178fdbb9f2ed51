"""`durak solve`: exact results and the line that leads to them; what cannot be solved is refused with a code."""

from __future__ import annotations

import json
import random

import pytest

from durak.bots.solve import solve
from durak.clients import dispatch
from durak.protocol.rules.cards import PACK
from durak.protocol.rules.game import Game
from durak.protocol.rules.notation import Move, read_moves, read_position
from durak.protocol.rules.ruleset import PRESETS


def test_the_line_leads_to_the_result() -> None:
    rng = random.Random(2)
    duraks = set()
    for number in range(60):
        cards = rng.sample(PACK, 8)
        size = rng.randrange(2, 7)
        preset = ("classic", "gameweave", "challenge")[number % 3]
        game = Game.position(PRESETS[preset], trump=rng.choice("SHDC"), hands=[cards[:size], cards[size:]])
        solved = solve(game, 1_000_000)
        assert solved is not None
        for step in read_moves(" ".join(solved["line"])):
            if isinstance(step, Move):
                game.act(step.seat, step.action)
            else:
                game.close()
        assert game.result is not None
        assert game.result.durak == solved["durak"]
        duraks.add(solved["durak"])
    assert duraks == {0, 1, None}


def test_json_and_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert dispatch.main(["solve", "S | 6S 7H / 8S 9H"]) == 0
    assert "seat 0 is the durak\nbest play: 0:6S 1:8Sx6S 1:9H 0:take\n" in capsys.readouterr().out
    assert dispatch.main(["solve", "S | 6S 7H / 8S 9H", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["durak"] == 0


def test_several_open_cards_and_a_binding_pass() -> None:
    solved = solve(read_position("S | 7D / 8D QC 9H | table 7H 7C | limit 3 | passed 0"), 100_000)
    assert solved is not None
    assert solved["line"][0] in ("1:9Hx7H", "1:QCx7C", "1:take")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["nonsense"], "bad_position"),
        (["S | 6S / 7S / 8S"], "not_an_ending"),
        (["S | 6S 7H / 8S | stock 9S"], "not_an_ending"),
        (["S | 6S / - | over"], "not_an_ending"),
        (["S | 6S 7H / 8S", "--nodes", "0"], "--nodes"),
    ],
)
def test_what_cannot_be_solved_is_refused(arguments: list[str], code: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        dispatch.main(["solve", *arguments])
    assert left.value.code == 2
    assert code in capsys.readouterr().err


def test_too_hard_an_ending_is_given_up(capsys: pytest.CaptureFixture[str]) -> None:
    assert dispatch.main(["solve", "S | 6S 7H 8D AC KC / 8S 9H 10D QD 6C", "--nodes", "3"]) == 1
    assert "too_hard" in capsys.readouterr().err
