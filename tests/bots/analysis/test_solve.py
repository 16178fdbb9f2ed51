"""`durak solve`: exact results and the line that leads to them; what cannot be solved is refused with a code."""

from __future__ import annotations

import json
import random

import pytest

from durak.bots.analysis.solve import solve, solve_three
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
        (["S | 6S / 7S / 8S / 9S"], "not_an_ending"),
        (["S | 6S / 7S / 8S | stock 9S"], "not_an_ending"),
        (["S | 6S / 7S / 8S | rules classic after_take=none"], "not_an_ending"),
        (["S | 6S / 7S / 8S | left 0"], "not_an_ending"),
        (["S | 6S 7H / 8S | stock 6C 7C 8C 9C 10C JC QC KC 9S"], "not_an_ending"),
        (["S | 6S 7H / 8S | stock 6S"], "bad_position"),
        (["S | 6S / 7S / 8S", "--seat", "3"], "no_such_seat"),
        (["S | 6S / 7S", "--seat", "1"], "no_such_seat"),
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


def follow(game: Game, line: list[str]) -> None:
    for step in read_moves(" ".join(line)):
        if isinstance(step, Move):
            game.act(step.seat, step.action)
        else:
            game.close()


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_with_a_stock_the_line_leads_to_the_result(preset: str) -> None:
    rng = random.Random(preset)
    for number in range(12):
        cards = rng.sample(PACK, 8)
        stock = cards[: 1 + number % 3]
        hands = cards[len(stock) :]
        size = rng.randrange(1, len(hands))
        game = Game.position(PRESETS[preset], trump=stock[-1][-1], hands=[hands[:size], hands[size:]], stock=stock)
        solved = solve(game, 1_000_000)
        assert solved is not None
        follow(game, solved["line"])
        assert game.result is not None
        assert game.result.durak == solved["durak"]


def test_of_three_the_line_leads_to_what_is_forced() -> None:
    rng = random.Random(3)
    seen = set()
    for number in range(12):
        cards = rng.sample(PACK, 6)
        rules = PRESETS[("classic", "gameweave")[number % 2]]
        game = Game.position(rules, trump=rng.choice("SHDC"), hands=[cards[:2], cards[2:4], cards[4:]])
        seat = number % 3
        solved = solve_three(game, seat, 1_000_000)
        assert solved is not None
        follow(game, solved["line"])
        forced = solved["forced"][str(seat)]
        seen.add(forced)
        out = not game.kernel.active & 1 << seat
        if forced == "out":
            assert out
            assert game.kernel.active
        elif forced == "durak":
            assert game.result is not None
            assert game.result.durak == seat
        else:
            assert game.result is not None
            assert game.result.draw
    assert {"out", "durak"} <= seen


def test_of_three_the_text_says_the_concept(capsys: pytest.CaptureFixture[str]) -> None:
    assert dispatch.main(["solve", "S | 6S 7H / 8S 9H / 10C 6D", "--seat", "1"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("each seat alone against both others")
    assert "\nseat 1 against both: 0:" in told
    assert dispatch.main(["solve", "S | 6S 7H / 8S 9H / 10C 6D", "--json"]) == 0
    solved = json.loads(capsys.readouterr().out)
    assert set(solved["forced"]) == {"0", "1", "2"}
    assert set(solved["forced"].values()) <= {"out", "draw", "durak"}


def test_of_three_too_hard_an_ending_is_given_up(capsys: pytest.CaptureFixture[str]) -> None:
    assert dispatch.main(["solve", "S | 6S 7H 8D / 8S 9H 10D / QD 6C 7C", "--nodes", "3"]) == 1
    assert "too_hard" in capsys.readouterr().err
