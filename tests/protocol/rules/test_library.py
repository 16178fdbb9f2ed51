"""The rules as a library: its documentation runs, its errors have codes, and a game answers what is asked of it."""

import doctest
import importlib
import pkgutil
import re
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

import durak.protocol
from durak.protocol import rules
from durak.protocol.rules import (
    CHOICES,
    PACK,
    PRESETS,
    BadInput,
    Beat,
    Game,
    IllegalAction,
    Lead,
    Leave,
    Pass,
    RecordedGame,
    Redeal,
    RulesError,
    Ruleset,
    Throw,
    rank_of,
    read_moves,
    read_position,
    replay,
    ruleset_of,
    suit_of,
    write_position,
)
from durak.protocol.rules.layout import PACK_SIZE, SUIT_COUNT, SUIT_SIZE
from tests.protocol.rules.playing import given, play

DOCUMENT = Path(__file__).parents[3] / "docs" / "library.md"
MODULES = [f"durak.protocol.rules.{module.name}" for module in pkgutil.iter_modules(rules.__path__)]


# ---------------------------------------------------------------- documentation


@pytest.mark.parametrize("name", ["durak.protocol.rules", *MODULES])
def test_the_examples_in_docstrings_are_true(name: str) -> None:
    public = {exported: getattr(rules, exported) for exported in rules.__all__}
    assert doctest.testmod(importlib.import_module(name), extraglobs=public).failed == 0


def test_there_are_examples() -> None:
    finder = doctest.DocTestFinder()
    found = [test for name in ("durak.protocol.rules", *MODULES) for test in finder.find(importlib.import_module(name))]
    assert sum(len(test.examples) for test in found) >= 12


def test_the_script_in_the_documentation_plays_a_random_game_and_prints_its_notation() -> None:
    found = re.search(r"```python\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)
    assert found is not None
    assert len(found[1].splitlines()) <= 15
    printed = subprocess.run([sys.executable, "-c", found[1]], capture_output=True, text=True, check=True, timeout=50).stdout
    position, moves, result = printed.splitlines()
    game = play(read_position(position), "", closes=False)
    for move in read_moves(moves):
        rules.carry_out(game, move)
    assert result == repr(game.result)


def test_the_documentation_names_what_there_is() -> None:
    for name in re.findall(r"`game\.(\w+)", DOCUMENT.read_text()):
        assert hasattr(Game, name) or name in vars(given("S | 6S / 7S")), name


def test_all_that_is_exported_is_there_once() -> None:
    assert len(set(rules.__all__)) == len(rules.__all__)
    assert all(hasattr(rules, name) for name in rules.__all__)


def test_the_version_is_the_package_s() -> None:
    assert durak.protocol.__version__ == version("durak")
    with pytest.raises(AttributeError, match="nothing"):
        durak.protocol.nothing  # noqa: B018


def test_the_numbers_of_the_pack_are_the_pack_s() -> None:
    assert (len(rules.RANKS), len(rules.SUITS), len(PACK)) == (SUIT_SIZE, SUIT_COUNT, PACK_SIZE)
    assert ruleset_of("classic", {"pack": len(PACK)}) == PRESETS["classic"]


def test_the_choices_are_legal_and_those_of_the_specification() -> None:
    assert CHOICES["throw_in"] == ("all", "attacker_only")
    assert set(CHOICES["turn_clock_s"]) == {15, 30, 60, None}
    for option, values in CHOICES.items():
        for value in values:
            assert getattr(ruleset_of("classic", {option: value}), option) == value


# ---------------------------------------------------------------- bad input

GAME = "S | 6S 7H / 8S 9H / 10S JH"


def dealt(**changes: Any) -> Any:
    wanted = {"ruleset": PRESETS["classic"], "deck": PACK, "players": 2, **changes}
    return Game.deal(wanted.pop("ruleset"), wanted.pop("deck"), wanted.pop("players"), **wanted)


def position(**changes: Any) -> Game:
    return Game.position(PRESETS["classic"], **{"trump": "S", "hands": [["6S"], ["7S"]], **changes})


@pytest.mark.parametrize(
    ("code", "use"),
    [
        ("bad_players", lambda: dealt(players=1)),
        ("bad_players", lambda: dealt(players=7)),
        ("bad_deck", lambda: dealt(deck=PACK[1:])),
        ("bad_deck", lambda: dealt(deck=[*PACK[1:], "7S"])),
        ("bad_deck", lambda: dealt(deck=[*PACK[1:], "5S"])),
        ("bad_deck", lambda: dealt(deck=[*PACK, "6S"])),
        ("bad_seat", lambda: dealt(first_seat=2)),
        ("bad_seat", lambda: dealt(first_seat=-1)),
        ("bad_seat", lambda: dealt(previous_winner=2)),
        ("bad_seat", lambda: dealt(persons=[0, 5])),
        ("bad_value", lambda: dealt(ruleset=Ruleset(throw_in="nobody"))),  # type: ignore[arg-type]
        ("bad_value", lambda: dealt(ruleset=Ruleset(preset="mine"))),  # type: ignore[arg-type]
        ("bad_value", lambda: dealt(ruleset=Ruleset(turn_clock_s=16))),  # type: ignore[arg-type]
        ("bad_value", lambda: ruleset_of("mine", {})),
        ("unknown_option", lambda: ruleset_of("classic", {"weather": "fine"})),
        ("variant_locked", lambda: ruleset_of("classic", {"pack": 52})),
        ("bad_suit", lambda: position(trump="X")),
        ("bad_players", lambda: position(hands=[["6S"]])),
        ("bad_card", lambda: position(hands=[["6S"], ["5S"]])),
        ("bad_card", lambda: position(stock=["1S"])),
        ("bad_position", lambda: position(hands=[["6S"], ["6S"]])),
        ("bad_position", lambda: position(hands=[["6S", "6S"], ["7S"]])),
        ("bad_position", lambda: position(stock=["7S"])),
        ("bad_position", lambda: position(hands=[["6S"], []])),
        ("bad_position", lambda: position(hands=[["6S"], []], stock=["9S"])),
        ("bad_position", lambda: position(hands=[["6S"], [], ["7S"]], attacker=1)),
        ("bad_seat", lambda: position(attacker=2)),
        ("bad_card", lambda: given(GAME).act(0, Lead("5S"))),
        ("bad_card", lambda: given(GAME).act(0, Throw("sixS"))),
        ("bad_card", lambda: given(GAME).act(0, Lead(None))),  # type: ignore[arg-type]
        ("bad_card", lambda: given(GAME).act(1, Beat("9H", "5H"))),
        ("bad_action", lambda: given(GAME).act(0, "6S")),  # type: ignore[arg-type]
        ("bad_action", lambda: given(GAME).act(0, None)),  # type: ignore[arg-type]
        ("no_such_seat", lambda: given(GAME).act(3, Lead("6S"))),
        ("no_such_seat", lambda: given(GAME).act(-1, Lead("6S"))),
        ("bad_seat", lambda: given(GAME).hand(3)),
        ("bad_seat", lambda: given(GAME).hand(-1)),
        ("bad_seat", lambda: given(GAME).legal(3)),
        ("bad_seat", lambda: given(GAME).may_pass(-1)),
        ("bad_seat", lambda: given(GAME).may_leave(3)),
        ("bad_seat", lambda: given(GAME).is_active(3)),
        ("bad_seat", lambda: rules.view_of(given(GAME), 3)),
        ("not_due", lambda: given(GAME).close()),
        ("not_due", lambda: given(GAME).end_offer()),
        ("bad_card", lambda: rank_of("1S")),
        ("bad_card", lambda: suit_of("S")),
        ("bad_notation", lambda: read_position("X")),
    ],
)
def test_bad_input_is_an_error_with_a_code(code: str, use: Callable[[], object]) -> None:
    with pytest.raises(RulesError) as refused:
        use()
    assert refused.value.code == code
    assert str(refused.value)


@pytest.mark.parametrize("deck", [None, PACK[1:], ["6S"] * 36])
def test_a_request_for_a_redeal_without_a_pack_changes_nothing(deck: Any) -> None:
    game = given("S | 6H 7H 8H 9H 10H 6C / 8S 9S 10S JS QS 7C | stock 9D AS | rules challenge offer_ms=0 | redeal")
    before = game.copy()
    with pytest.raises(BadInput) as refused:
        game.act(0, Redeal(), deck=deck)
    assert refused.value.code == "bad_deck"
    assert game.same_as(before)
    game.act(0, Redeal(), deck=PACK)
    assert not game.same_as(before)


# ---------------------------------------------------------------- what a game answers


def test_a_game_shows_itself_in_notation() -> None:
    game = given(GAME)
    assert repr(game) == f"<Game {write_position(game)}>" == f"<Game {GAME}>"


@pytest.mark.parametrize(
    ("rules_text", "moves", "able", "waited"),
    [
        ("classic", "", [0], [0]),
        ("classic", "0:7H", [0, 1, 2], [1]),  # they might pass at once
        ("classic", "0:7H 1:9H", [0, 2], [2]),
        ("classic discreet=on", "0:7H 1:9H", [0, 2], [0, 2]),
        ("gameweave", "0:7H", [1], [1]),
        ("challenge", "0:7H 1:9H close", [1], [1]),
        ("classic", "0:7H 1:take 0:pass 2:pass", [], []),
    ],
)
def test_who_may_move_and_who_is_waited_for(rules_text: str, moves: str, able: list[int], waited: list[int]) -> None:
    game = play(given(f"S | 7H KC / 9H QC / 9C JC | rules {rules_text}"), moves, closes=False)
    assert (game.may_move(), game.waited_for()) == (able, waited)


def test_nobody_is_waited_for_while_an_offer_runs_or_when_the_game_is_over() -> None:
    text = "S | 6H 7H 8H 9H 10H 6C / 8S 9S 10S JS QS 7C | stock 9D AS | redeal | rules challenge"
    assert (given(text).may_move(), given(text).waited_for()) == ([0, 1], [])
    assert given(f"{text} offer_ms=0").waited_for() == [0, 1]
    over = play(given("S | 6S 7H / 8S | stock 0"), "0:6S 1:8S 0:pass")
    assert (over.phase, over.may_move(), over.waited_for()) == ("over", [], [])


@pytest.mark.parametrize(
    ("rules_text", "throwers"), [("classic", [0, 2, 3]), ("classic throw_in=attacker_only", [0]), ("gameweave", [0])]
)
def test_who_may_throw_in_is_one_set(rules_text: str, throwers: list[int]) -> None:
    game = play(given(f"S | 7H 7D / 9H KS / 7C QS / 7S AS / - | rules {rules_text} throw_timing=any"), "0:7H")
    assert game.throwers == throwers == rules.view_of(game, None).throwers
    for seat in range(4):
        adds = any(isinstance(action, Throw) for action in game.legal(seat))
        assert (adds, game.may_pass(seat)) == (seat in throwers, seat in throwers)
        if seat not in throwers:
            for action in (Throw("7C"), Pass()):
                with pytest.raises(IllegalAction) as refused:
                    game.act(seat, action)
                assert refused.value.code == "not_your_role"


def test_nobody_may_throw_in_before_the_first_bout_and_after_the_last() -> None:
    assert Game.deal(PRESETS["challenge"], PACK, 2)[0].throwers == []
    assert play(given("S | 6S 7H / 8S | stock 0"), "0:6S 1:8S 0:pass").throwers == []


def test_who_may_leave_and_who_has() -> None:
    game = given("S | 7H KC / 9H QC / 9C JC / -")
    game.act(2, Leave())
    assert [game.may_leave(seat) for seat in range(4)] == [True, True, False, False]
    assert (game.left, game.excused, game.active, game.out) == ([2], [], [0, 1, 2], [[3]])
    assert [game.is_active(seat) for seat in range(4)] == [True, True, True, False]
    game.act(1, Leave())
    assert (game.phase, game.left, game.may_leave(0)) == ("over", [2, 1], False)


def test_a_live_game_has_its_record_at_any_moment() -> None:
    game, _ = RecordedGame.deal(PRESETS["classic"], PACK, 2)
    game.act(0, Lead("6S"))
    twin = game.copy()
    game.act(1, Beat("7S"))
    assert replay(game.record).same_as(game)
    assert replay(twin.record).same_as(twin)
    assert [entry.move for entry in twin.record.inputs] == ["0:6S"]
    with pytest.raises(IllegalAction):
        game.act(1, Lead("9S"))
    assert [entry.move for entry in game.record.inputs] == ["0:6S", "1:7Sx"]
