"""What has happened: one event, one sentence, in the second person where it is about me."""

import pytest

from durak.clients.cli.news import lines_of
from durak.protocol.messages import (
    AutoPassSet,
    CameBack,
    Created,
    HostIs,
    Rose,
    Sat,
    Started,
    TableView,
    TimedOut,
    ViewerEvent,
    Voided,
    Voted,
    WentAway,
)
from durak.protocol.rules.events import (
    Answered,
    Beaten,
    BoutBegan,
    BoutEnded,
    Deciding,
    GameOver,
    GameResult,
    Led,
    Left,
    Passed,
    ThrewIn,
    Took,
    WentOut,
)
from durak.protocol.rules.result import Score
from durak.protocol.rules.view import DealtSeen, DrewSeen
from tests.clients.cli.shown import ASCII_SPEECH, ENGLISH_SPEECH, chair, plain, seen, waiting

THREE = seen("S | 7H QD / 9S 10S / 7C | stock 6H AS")


def say(*events: ViewerEvent, view: TableView = THREE) -> str:
    return plain(lines_of(events, view, ENGLISH_SPEECH))


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (Led(1, "7S"), "Boris attacks with 7♠."),
        (Led(0, "7S"), "You attack with 7♠."),
        (ThrewIn(2, "7C"), "Vera adds 7♣."),
        (ThrewIn(0, "7C"), "You add 7♣."),
        (Beaten(1, "7C", "10C"), "Boris beats 7♣ with 10♣."),
        (Beaten(0, "7C", "10C"), "You beat 7♣ with 10♣."),
        (Took(1), "Boris takes."),
        (Took(0), "You take."),
        (Passed(2), "Vera passes."),
        (Passed(0), "You pass."),
        (Deciding(1), "Boris decides: discard, or take all the same."),
        (Deciding(0), ""),
        (BoutBegan(3, 1, 2, 6), "Bout 3: Boris attacks Vera."),
        (BoutBegan(3, 0, 1, 6), "Bout 3: you attack Boris."),
        (BoutBegan(3, 2, 0, 6), "Bout 3: Vera attacks you."),
        (BoutBegan(9, 2, 0, 1), "Bout 9: Vera attacks you.\nBout 9: at most 1 card this time."),
        (BoutEnded("beaten", 1, ["7S", "8S"]), "All is beaten, 2 cards go to the discard."),
        (BoutEnded("taken", 1, ["7S"]), "Boris picks up 1 card."),
        (BoutEnded("taken", 0, ["7S", "8S"]), "You pick up 2 cards: 7♠ 8♠."),
        (WentOut([1]), "Boris is out, place 1."),
        (Left(1, True), "Boris has left, which is a loss; a bot plays on."),
        (Left(0, True), "You have left, which is a loss."),
        (Left(1, False), "Boris has left without a loss."),
        (Answered(0, True), "You ask for a new deal."),
        (Answered(0, False), "You keep your cards."),
        (TimedOut(1), "Time is up for Boris."),
        (TimedOut(0), "Your time is up."),
        (Voided(), "The operator has ended the game; it does not count."),
        (AutoPassSet(0, True), "Auto-pass is on until the bout ends."),
        (AutoPassSet(0, False), "Auto-pass is off."),
        (Created(), "The table is made."),
        (Sat(1, "Boris", "person"), "Boris sits down on chair 2."),
        (Sat(0, "Anna", "person"), "You sit on chair 1."),
        (Rose(4, "Egor"), "Egor has left the table."),
        (HostIs(1), "Boris is the host now."),
        (HostIs(0), "You are the host."),
        (WentAway(1), "Boris is away, the connection is lost."),
        (CameBack(1), "Boris is back."),
        (Started(2, [0, 1, 2]), "Game 2 begins: you, Boris, Vera."),
        (DealtSeen(["7S"], [6, 6, 6], "S", "AS", False), "Cards are dealt, trump is spades: A♠ lies under the stock."),
    ],
)
def test_events(event: ViewerEvent, sentence: str) -> None:
    assert say(event) == sentence


def test_every_kind_of_event_is_tested() -> None:
    kinds = {type(case[0]) for mark in vars(test_events)["pytestmark"] for case in mark.args[1]}
    assert kinds | {DrewSeen, GameOver, Voted} == set(ViewerEvent.__args__)


def test_draws_of_others_share_a_line() -> None:
    draws = (DrewSeen(1, 1, None), DrewSeen(2, 3, None), DrewSeen(0, 2, ["6H", "9S"]))
    assert say(*draws) == "Boris draws 1 card, Vera 3 from the stock.\nYou draw 9♠ 6♥."


def test_draws_stand_where_they_happened() -> None:
    events = (BoutEnded("taken", 1, ["7S"]), DrewSeen(0, 1, ["6H"]), WentOut([2]), BoutBegan(3, 2, 0, 6))
    assert say(*events).split("\n") == [
        "Boris picks up 1 card.",
        "You draw 6♥.",
        "Vera is out, place 1.",
        "Bout 3: Vera attacks you.",
    ]


def test_places_follow_the_order_of_going_out() -> None:
    view = seen("S | - / - / 7C / 8C / - | out 1 4 / 0 | attacker 2")
    assert say(WentOut([0]), view=view) == "You are out, place 3."
    assert say(WentOut([1, 4]), view=view) == "Boris is out, place 1.\nDaria is out, place 1."


def test_six_players_are_told_whose_the_trump_is() -> None:
    view = seen("S | 7H / 9S / 7C / 8C / 9C / AS | shown 5:AS")
    dealt = DealtSeen([], [6] * 6, "S", "AS", False)
    assert say(dealt, view=view) == "All cards are dealt, trump is spades: A♠ belongs to Egor."
    mine = seen("S | AS / 9S / 7C / 8C / 9C / 7H | shown 0:AS")
    assert say(dealt, view=mine) == "All cards are dealt, trump is spades: A♠ is yours."
    later = seen("S | 7H / 9S / 7C / 8C / 9C / 10C")
    assert say(dealt, view=later) == "All cards are dealt, trump is spades: A♠ was the last."


def test_challenge_shows_the_opening_trump_and_the_offer() -> None:
    view = seen("S | 7H / 9S | rules challenge | opening 1:9S | attacker 1 | bout 1")
    assert say(BoutBegan(1, 1, 0, 6), view=view) == "Boris holds the lowest trump, 9♠.\nBout 1: Boris attacks you."
    offer = seen("S | 7H / 9S | rules challenge | redeal")
    dealt = DealtSeen([], [6, 6], "S", "AS", True)
    assert say(dealt, view=offer) == (
        "The cards are shuffled again.\n"
        "Cards are dealt, trump is spades: A♠ lies under the stock.\n"
        "Whoever holds five of a suit may ask for a new deal."
    )


def test_where_only_the_attacker_adds_its_pass_finishes() -> None:
    view = seen("S | 7H / 9S | rules gameweave")
    assert say(Passed(1), view=view) == "Boris finishes the attack."


def test_votes_are_counted() -> None:
    view = waiting(chairs=3)
    voted = [chair(0, vote=True), chair(1, vote=True), chair(2)]
    view = seen("S | - / 7S / - | over", chairs=voted)
    assert say(Voted(1), view=view) == "Boris wants a rematch, 2 of 3."
    assert say(Voted(0), view=view) == "You want a rematch, 2 of 3."


def test_the_same_name_twice_gets_the_chair() -> None:
    view = seen("S | 7H / 9S / 7C", chairs=[chair(0), chair(1, "Anna"), chair(2)])
    assert say(Led(1, "7S"), Beaten(2, "7S", "8S"), view=view) == "Anna (2) attacks with 7♠.\nVera beats 7♠ with 8♠."


def test_ascii() -> None:
    assert lines_of([Led(1, "10D")], THREE, ASCII_SPEECH) == ["Boris attacks with 10d."]


# ---------------------------------------------------------------- the end


def result(places: list[list[int]], durak: int | None, *, draw: bool = False, forfeits: tuple[int, ...] = ()) -> str:
    view = seen("S | - / 7S / - | over")
    return say(GameOver(GameResult(places, durak, draw, list(forfeits))), view=view)


SCORE = "\nScore: you 0 wins, 0 losses; Boris 0 wins, 0 losses; Vera 0 wins, 0 losses."


def test_somebody_is_the_durak() -> None:
    assert result([[0, 2], [1]], 1) == "Game over: Boris is the durak.\nOrder: 1 you and Vera, 3 Boris." + SCORE


def test_i_am_the_durak() -> None:
    assert result([[1], [2], [0]], 0) == "Game over: you are the durak.\nOrder: 1 Boris, 2 Vera, 3 you." + SCORE


def test_a_draw() -> None:
    assert result([[1], [0, 2]], None, draw=True) == "Game over: a draw.\nOrder: 1 Boris, 2 you and Vera." + SCORE


def test_leavers_are_named() -> None:
    assert result([[1], [0, 2]], None, forfeits=(2, 0)) == (
        "Game over: nobody is the durak.\nOrder: 1 Boris, 2 you and Vera.\nLeft, which is a loss: Vera and you." + SCORE
    )


def test_epaulettes() -> None:
    score = Score(wins=2, losses=1, epaulettes=-1)
    view = seen("S | - / 7S | over | rules challenge", chairs=[chair(0, score=score), chair(1)])
    over = GameOver(GameResult([[0], [1]], 1, False, [], giver=0))
    assert say(over, view=view).split("\n") == [
        "Game over: Boris is the durak.",
        "Order: 1 you, 2 Boris.",
        "Two sixes at the end: you gave epaulettes to Boris, a double win and a double loss.",
        "Score: you 2 wins, 1 loss, epaulettes -1; Boris 0 wins, 0 losses, epaulettes 0.",
    ]
