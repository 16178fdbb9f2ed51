"""RULES 1.22 and ROOMS 2: dropped connections and their grace, leaving, the bot that plays on, coming back."""

import pytest

from durak.protocol.messages import CameBack, HostIs, Rose, WentAway
from durak.protocol.rules.events import GameOver, Left
from durak.server.table.chairs import stand_in_of
from tests.server.table.driving import Driven, clock, created, events_of, game_view, position, refusal_of, refused, run, view

FOUR = "S | 7H 7D KC / 9H 9D AS QS / 7C 9C JC / 9S 10C 8C | rules classic turn_clock_s=none"
"""Without clocks for persons, so that only what these tests are about expires."""
ONE_IS_OUT = "S | 7H 7D KC / 9H 9D AS QS / - / 9S 10C 8C | rules classic turn_clock_s=none"


def chair(driven: Driven, number: int) -> str:
    """What all see of a chair: "away", "left", "away left" or nothing."""
    shown = next(shown for shown in view(driven).chairs if shown.chair == number)
    return " ".join(word for word in ("away", "left") if getattr(shown, word))


# ---------------------------------------------------------------- away


def test_a_seat_whose_connection_dropped_is_shown_as_away() -> None:
    driven = position(FOUR)
    assert events_of(driven, "bob:drop") == [WentAway(1)]
    assert chair(driven, 1) == "away"
    assert events_of(driven, "+59999 bob:return") == [CameBack(1)]
    assert chair(driven, 1) == ""


def test_away_for_60_seconds_is_leaving() -> None:
    driven = run(position(FOUR), "bob:drop")
    assert events_of(driven, "+59999") == []
    assert events_of(driven, "+1") == [Left(1, loss=True)]
    assert chair(driven, 1) == "away left"


def test_who_came_back_in_time_has_60_seconds_the_next_time_too() -> None:
    driven = run(position(FOUR), "bob:drop +59999 bob:return bob:drop")
    assert events_of(driven, "+59999") == []
    assert events_of(driven, "+1") == [Left(1, loss=True)]


def test_coming_back_and_dropping_do_nothing_twice() -> None:
    driven = position(FOUR)
    assert events_of(driven, "bob:return") == []
    assert events_of(driven, "bob:drop +1000 bob:drop") == [WentAway(1)]
    assert events_of(driven, "+59000") == [Left(1, loss=True)]
    assert events_of(driven, "bob:drop bob:return") == []


def test_the_clocks_of_who_is_away_keep_running() -> None:
    driven = run(position(FOUR.replace("none", "30")), "+10000 ann:drop")
    assert clock(driven) == "turn 20000 of 0"
    assert clock(run(driven, "+15000 ann:return")) == "turn 5000 of 0"


def test_the_return_and_the_end_of_the_grace_at_the_same_instant_have_one_winner() -> None:
    driven = run(position(FOUR), "bob:drop +59999")
    back = driven.input("bob:return")
    driven.now_ms += 1
    assert driven.submit(back) == []
    assert chair(driven, 1) == "away left"


def test_away_for_60_seconds_at_an_open_table_gives_the_chair_up() -> None:
    driven = run(created(max_players=3, persons=2), "bob:drop")
    assert events_of(driven, "+60000") == [Rose(1, "bob")]
    assert driven.table.chairs[1] is None


def test_who_is_away_may_still_play() -> None:
    """The notice of a lost connection may come after that of the next one."""
    assert refused(run(position(FOUR), "ann:drop"), "ann:7H") is None


# ---------------------------------------------------------------- leaving


@pytest.mark.parametrize("word", ["ann:rise", "ann:leave"])
def test_1_22_leaving_a_started_game_is_a_loss_and_the_game_goes_on(word: str) -> None:
    driven = position(FOUR)
    assert events_of(driven, word) == [HostIs(1), Left(0, loss=True)]
    assert game_view(driven).left == [0]
    assert chair(driven, 0) == "left"
    assert driven.game.hand(0) == ["7H", "7D", "KC"]


def test_1_22_who_has_left_acts_no_more_and_cannot_leave_again() -> None:
    driven = run(position(FOUR), "ann:rise")
    for word in ("ann:7H", "ann:pass", "ann:auto", "ann:rise", "ann:leave"):
        assert refused(driven, word) == "already_left", word


def test_1_22_a_bot_plays_the_hand_on() -> None:
    driven = run(position(FOUR), "ann:rise")
    stand_in = stand_in_of("TABLE1", 0)
    assert driven.seat(0) == stand_in
    assert game_view(driven, stand_in).hand == ["7H", "7D", "KC"]
    assert refused(driven, f"{stand_in}:7H") is None


def test_1_22_the_bot_of_a_leaver_plays_only_while_it_is_needed() -> None:
    driven = position(FOUR)
    stand_in = stand_in_of("TABLE1", 0)
    assert refused(driven, f"{stand_in}:7H") == "already_left"
    assert refused(run(driven, "ann:rise ann:sit"), f"{stand_in}:7H") == "already_left"
    for word in ("sit", "rise", "leave", "vote"):
        assert refused(driven, f"{stand_in}:{word}") is not None


def test_1_22_the_bot_of_a_leaver_neither_leaves_nor_becomes_the_owner() -> None:
    driven = run(position(FOUR), "ann:rise")
    stand_in = stand_in_of("TABLE1", 0)
    assert refused(driven, f"{stand_in}:rise") == "already_left"
    assert refused(driven, f"{stand_in}:sit") == "already_seated"
    run(driven, "bob:rise cat:rise")
    assert refused(driven, f"{stand_in}:vote") is not None


def test_1_22_a_leaver_sees_its_cards_but_has_no_actions() -> None:
    driven = run(position(FOUR), "ann:rise")
    shown = game_view(driven, "ann")
    assert (shown.hand, shown.legal) == (["7H", "7D", "KC"], [])
    assert view(driven, "ann").you.can == ["join"]


def test_1_22_when_one_seat_that_has_not_left_remains_the_game_ends() -> None:
    driven = run(position(FOUR), "ann:rise bob:rise")
    events = events_of(driven, "cat:rise")
    assert isinstance(events[-1], GameOver)
    assert (driven.table.status, driven.table.deadline_ms) == ("finished", None)
    assert driven.game.result is not None
    assert driven.game.result.forfeits == [0, 1, 2]


def test_1_22_the_game_ends_when_the_grace_of_the_last_but_one_does() -> None:
    driven = run(position("S | 7H 7D / 9H 9D | rules classic turn_clock_s=none"), "ann:drop +60000")
    assert driven.table.status == "finished"
    assert driven.game.result is not None
    assert driven.game.result.durak == 0


def test_1_22_a_seat_that_is_out_leaves_without_loss() -> None:
    driven = position(ONE_IS_OUT)
    assert events_of(driven, "cat:rise") == [WentAway(2)]
    assert game_view(driven).left == []
    assert events_of(driven, "cat:sit") == [CameBack(2)]


def test_1_22_a_seat_that_is_out_and_away_too_long_leaves_without_loss() -> None:
    driven = run(position(ONE_IS_OUT), "cat:drop")
    assert events_of(driven, "+60000") == [WentAway(2)]
    assert game_view(driven).left == []


def test_1_22_an_empty_hand_with_an_empty_stock_leaves_without_loss() -> None:
    driven = run(position("S | 7H / 9H 9D AS QS / 7C 9C | rules classic turn_clock_s=none"), "0:7H")
    assert events_of(driven, "ann:rise")[-1] == Left(0, loss=False)


# ---------------------------------------------------------------- coming back


def test_the_owner_takes_the_seat_over_from_the_bot_and_the_loss_stands() -> None:
    driven = run(position(FOUR), "bob:rise +100000")
    assert refused(driven, "eve:sit") == "already_playing"
    assert events_of(driven, "bob:sit") == [CameBack(1)]
    assert chair(driven, 1) == ""
    run(driven, "0:7H bob:9H")
    assert game_view(driven).left == [1]


def test_the_owner_comes_back_after_the_grace_has_ended_too() -> None:
    driven = run(position(FOUR), "bob:drop +60000")
    assert refused(driven, "bob:return") is None
    assert chair(run(driven, "bob:return"), 1) == "away left"
    assert chair(run(driven, "bob:sit"), 1) == ""


def test_an_action_of_the_bot_that_comes_after_the_owner_is_refused() -> None:
    driven = run(position(FOUR), "ann:rise")
    late = driven.input("0:7H")
    assert refusal_of(run(driven, "ann:sit"), late) == "already_left"


def test_who_came_back_may_leave_again_at_no_further_cost() -> None:
    driven = run(position(FOUR), "bob:rise bob:sit")
    assert events_of(driven, "bob:leave") == [WentAway(1)]
    assert refused(driven, "bob:7H") == "already_left"
    assert game_view(driven).left == [1]


def test_who_came_back_and_drops_has_the_grace_again() -> None:
    driven = run(position(FOUR), "bob:rise bob:sit bob:drop")
    assert events_of(driven, "+59999") == []
    assert events_of(driven, "+1") == [WentAway(1)]
    assert chair(driven, 1) == "away left"


def test_a_leaver_may_come_back_when_the_game_is_over_and_keeps_its_score() -> None:
    driven = run(created(max_players=3, persons=3, start=True), "ann:rise bob:rise")
    assert driven.table.status == "finished"
    assert events_of(driven, "ann:sit") == [CameBack(0)]
    assert view(driven).chairs[0].score.losses == 1


def test_the_host_who_comes_back_is_not_host_again() -> None:
    driven = run(position(FOUR), "ann:rise ann:sit")
    assert driven.table.host == 1
