"""Which decisions a recorded game has, and what its seats knew when they made them."""

from __future__ import annotations

import random

import pytest

from durak.bots.analysis.moments import moments_of
from durak.bots.knowing.memory import Memory
from durak.bots.players.habits import throws
from durak.bots.players.normal import Normal
from durak.protocol.rules.actions import AnyAction, Leave, Pass
from durak.protocol.rules.cards import PACK
from durak.protocol.rules.notation import Step, read_moves
from durak.protocol.rules.record import Record, RecordedGame, carry_out
from durak.protocol.rules.ruleset import PRESETS
from durak.protocol.rules.view import GameView
from tests.bots.analysis.games import game_of
from tests.bots.playing import match, shuffled


def recorded(deck: list[str], players: int, moves: str) -> Record:
    """The record of these moves."""
    game, _ = RecordedGame.deal(PRESETS["classic"], deck, players)
    for move in read_moves(moves):
        carry_out(game, move)
    return game.record


def decided(record: Record) -> list[tuple[int, AnyAction, bool]]:
    """Seat, action, and whether it was silence."""
    return [(moment.seat, moment.action, moment.silent) for moment in moments_of(record)]


def fresh() -> list[str]:
    """Seats 0 and 1 are dealt 6S 8S 10S QS AS 7H and 7S 9S JS KS 6H 8H; trump is clubs."""
    return list(PACK)


@pytest.mark.parametrize(("preset", "players"), [("classic", 2), ("classic", 4), ("gameweave", 3)])
def test_a_bots_every_choice_is_a_decision_with_the_view_and_the_memory_that_it_had(preset: str, players: int) -> None:
    seen: list[tuple[object, ...]] = []

    def watch(_: object, seat: int, view: GameView, memory: Memory, action: AnyAction | None) -> None:
        if action is not None and not (isinstance(action, Pass) and not throws(view)):
            seen.append((seat, view, action, *knowledge(memory)))

    played = match(PRESETS[preset], shuffled(random.Random(5)), [Normal()] * players, random.Random(7), watch)
    played.to_the_end()
    found = []
    for moment in moments_of(played.record):
        if not moment.silent:
            found.append((moment.seat, moment.view, moment.action, *knowledge(moment.memory)))
    assert found == seen
    if PRESETS[preset].throw_in == "all":
        assert any(any(barred) for _, _, _, _, _, barred, _ in found), "early closes have told something"


def knowledge(memory: Memory) -> tuple[int, list[int], list[int], list[int]]:
    """All that a memory holds of hidden cards."""
    public = memory.public
    return public.discarded, list(public.known), list(public.barred), list(public.declined)


def test_letting_the_time_for_throwing_in_run_out_is_a_decision_of_those_who_could() -> None:
    record = recorded(fresh(), 2, "0:7H 1:8Hx7H close")
    assert [seat for seat, _, silent in decided(record) if silent] == [0]


def test_passing_without_a_card_to_add_is_no_decision() -> None:
    record = recorded(fresh(), 2, "0:QS 1:KSxQS 0:pass close")
    assert [seat for seat, _, _ in decided(record)] == [0, 1]


def test_what_a_bot_does_for_a_seat_that_has_left_is_no_decision_and_neither_is_leaving() -> None:
    record = recorded(fresh(), 3, "")
    game, _ = RecordedGame.deal(PRESETS["classic"], fresh(), 3)
    game.act(game.attacker, Leave())
    game.act(game.attacker, game.legal(game.attacker)[0])
    assert decided(game.record) == decided(record) == []


def test_the_moments_of_a_whole_game_go_through_all_its_bouts() -> None:
    record = game_of([Normal(), Normal(), Normal()], 3)
    moments = [(moment.number, moment.view.bout) for moment in moments_of(record)]
    assert [number for number, _ in moments] == list(range(len(moments)))
    assert sorted({bout for _, bout in moments}) == list(range(1, moments[-1][1] + 1))
    assert any(entry.move == Step.CLOSE.value for entry in record.inputs)
