"""Decisions are judged by what the seat could know, exactly where that is everything, and no accident is called a mistake."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from durak.bots.analysis.analysis import analyse
from durak.bots.analysis.decision import WAIT, Decision, grade_of
from durak.bots.analysis.judging import EFFORTS, Scores
from durak.bots.analysis.moments import moments_of
from durak.bots.bot import Budget
from durak.bots.players.normal import Normal
from durak.protocol.rules.cards import PACK
from durak.protocol.rules.game import Game
from durak.protocol.rules.notation import Move, read_move, write_move
from durak.protocol.rules.record import Record, RecordedGame, carry_out, replay
from durak.protocol.rules.ruleset import PRESETS
from durak.protocol.rules.view import seen
from tests.bots.analysis.games import Planter, game_of

ROUGH = Budget(nodes=5_000)
ENOUGH_TO_SOLVE = Budget(nodes=400_000)


def judged(record: Record, *numbers: int, budget: Budget = ROUGH) -> list[Decision]:
    """These decisions."""
    others = {moment.number for moment in moments_of(record)} - set(numbers)
    return list(analyse(record, budget, done=others))


def game_at(record: Record, inputs: int) -> Game:
    """The game after so many inputs."""
    return replay(Record(record.deal, record.inputs[:inputs]))


# ---------------------------------------------------------------- exact


@pytest.mark.parametrize("seed", [8, 20, 23])
def test_a_blunder_in_a_solved_ending_is_found_with_the_line_that_proves_it(seed: int) -> None:
    planter = Planter()
    record = game_of([planter, Normal()], seed)
    assert planter.planted is not None
    at = [moment.number for moment in moments_of(record) if moment.seat == 0 and moment.view.hand == planter.hand]
    (found,) = [one for one in judged(record, *at, budget=ENOUGH_TO_SOLVE) if one.played == write_move(Move(0, planter.planted))]
    assert (found.exact, found.before, found.after, found.error, found.grade) == (True, 1.0, 0.0, 0.0, "blunder")
    assert found.best in [WAIT if action is None else write_move(Move(0, action)) for action in planter.better]
    for line, durak in ((found.better_line, 1), (found.played_line, 0)):
        assert line is not None
        assert line.solved
        game = game_at(record, found.input)
        for text in line.moves:
            carry_out(game, read_move(text))
        assert game.result is not None
        assert game.result.durak == durak
    assert found.played_line is not None
    assert found.played_line.moves[0] == found.played


def test_an_ending_that_is_too_hard_for_the_budget_is_estimated() -> None:
    record = game_of([Normal(), Normal()], 20)
    endings = [moment.number for moment in moments_of(record) if moment.view.stock == 0 and sum(moment.view.counts) > 8]
    assert not judged(record, endings[0], budget=Budget(nodes=2))[0].exact
    assert judged(record, endings[0], budget=ENOUGH_TO_SOLVE)[0].exact


# ---------------------------------------------------------------- fair


def test_what_was_hidden_from_a_seat_changes_nothing_in_how_it_is_judged_until_it_learns_it() -> None:
    """Two records with the same public history, in which a card of the other hand is exchanged with one of the stock."""
    record, twin, inputs = twins(me=0)
    first, second = judged_before(record, inputs), judged_before(twin, inputs)
    assert len(first) >= 4
    assert first == second
    assert record.deal.deck != twin.deal.deck


def judged_before(record: Record, inputs: int) -> list[Decision]:
    """How seat 0 is judged in the first inputs. The lines show all cards, and so differ."""
    numbers = [moment.number for moment in moments_of(record) if moment.seat == 0 and moment.input < inputs]
    return [replace(decision, better_line=None, played_line=None) for decision in judged(record, *numbers)]


def twins(me: int) -> tuple[Record, Record, int]:
    """Two records whose first inputs, and all that this seat is told of them, are equal; and how many inputs those are."""
    inputs = 12
    for seed in range(100):
        record = game_of([Normal(), Normal()], seed)
        deck = record.deal.deck.split()
        heard = told(deck, record, inputs, me)
        for hand in range(1 - me, 12, 2):
            for stock in range(25, 35):
                other = list(deck)
                other[hand], other[stock] = deck[stock], deck[hand]
                if told(other, record, inputs, me) == heard:
                    return record, rerecorded(other, record, inputs), inputs
    raise AssertionError("there is no such pair")


def told(deck: list[str], record: Record, inputs: int, me: int) -> object:
    """What the seat is told by these inputs, early closes included; None if they are not possible with this deck."""
    rules = PRESETS["classic"]
    game, events = Game.deal(rules, deck, 2)
    heard = [[seen(event, me) for event in events]]
    quiet = []
    for entry in record.inputs[:inputs]:
        move = read_move(entry.move)
        quiet.append(game.quiet())
        if isinstance(move, Move) and move.action not in game.legal(move.seat):
            return None
        if not isinstance(move, Move) and game.kernel.open_cards and not game.kernel.taking:
            return None
        heard.append([seen(event, me) for event in carry_out(game, move)])
    return heard, quiet


def rerecorded(deck: list[str], record: Record, inputs: int) -> Record:
    """The same first inputs with this deck."""
    game, _ = RecordedGame.deal(PRESETS["classic"], deck, 2)
    for entry in record.inputs[:inputs]:
        game.at_ms = entry.at_ms
        carry_out(game, read_move(entry.move))
    assert sorted(deck) == sorted(PACK)
    return game.record


# ---------------------------------------------------------------- no accidents


def test_a_few_deals_alike_prove_nothing() -> None:
    scores = Scores(2)
    for deals in range(1, 9):
        scores.add([1.0, 0.0])
        chances, error = scores.comparison()
        assert grade_of(chances[0] - chances[1], error) is None, deals
        assert scores.unclear
    for _ in range(10):
        scores.add([1.0, 0.0])
    chances, error = scores.comparison()
    assert grade_of(chances[0] - chances[1], error) == "blunder"
    assert not scores.unclear


def test_of_equal_moves_hardly_one_in_a_thousand_is_called_a_mistake_however_often_it_is_looked_at() -> None:
    rng = random.Random(1)
    wrong = 0
    for _ in range(2_000):
        scores = Scores(2)
        for effort in EFFORTS:
            while scores.deals < 60 * effort:
                scores.add([float(rng.random() < 0.6), float(rng.random() < 0.6)])
            if not scores.unclear:
                break
        chances, error = scores.comparison()
        wrong += grade_of(chances[0] - chances[1], error) is not None
    assert wrong <= 4


def test_grades_have_the_thresholds_that_are_told() -> None:
    assert [grade_of(loss, 0) for loss in (0.0, 0.044, 0.05, 0.0951, 0.194, 0.20, 1.0)] == [
        *(None, None, "slip", "mistake", "mistake", "blunder", "blunder")
    ]


def test_a_chance_before_is_never_below_the_chance_after() -> None:
    record = game_of([Normal(), Normal(), Normal()], 3)
    for decision in judged(record, *range(20)):
        assert 0 <= decision.after <= decision.before <= 1
        assert decision.error > 0 or decision.exact
        assert decision.grade is None or decision.better_line
