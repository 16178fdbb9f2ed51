"""RULES 1.11 to 1.14 and 1.16: the throw-in window, passes, the early close, races."""

import pytest

from durak.protocol.rules.events import BoutEnded, ThrewIn
from durak.server.table.jitter import Jitter, closing_delay_ms
from tests.server.table.driving import Driven, Fixed, clock, events_of, game_view, position, refusal_of, refused, run

FOUR = "S | 7H 7D KC / 9H 9D 10D AS QS / 7C 9C JC / 9S 7S 8C"
"""Seat 0 leads, seat 1 beats the 7H with the 9H; then seats 0, 2 and 3 each hold something to add."""
NOTHING_TO_ADD = "S | 7H KC / 9H AS / JC QC / 8C 10C"


def table(driven: Driven) -> str:
    return " ".join(attack if beaten is None else f"{attack}-{beaten}" for attack, beaten in driven.game.table)


# ---------------------------------------------------------------- 1.11


def test_1_11_when_all_is_beaten_eight_seconds_remain() -> None:
    assert clock(run(position(FOUR), "0:7H +1234 1:9H")) == "window 8000"


def test_1_11_when_the_defender_takes_eight_seconds_remain() -> None:
    assert clock(run(position(FOUR), "0:7H +1234 1:take")) == "window 8000"


@pytest.mark.parametrize("answer", ["1:9H", "1:take"])
def test_1_11_a_throw_in_is_accepted_at_7999_ms(answer: str) -> None:
    assert refused(run(position(FOUR), f"0:7H {answer} +7999"), "2:7C") is None


@pytest.mark.parametrize("answer", ["1:9H", "1:take"])
def test_1_11_the_bout_is_closed_at_8000_ms(answer: str) -> None:
    driven = run(position(FOUR), f"0:7H {answer} +7999")
    late = driven.input("2:7C")
    driven.now_ms += 1
    assert refusal_of(driven, late) == "stale"
    assert driven.game.kernel.bout == 3
    assert driven.told[-1].at_ms == 8_000


def test_1_11_no_window_runs_while_a_card_is_open() -> None:
    assert clock(run(position(FOUR), "0:7H")) == "turn 30000 of 1"
    assert clock(run(position(FOUR), "0:7H 2:7C 1:9H")) == "turn 30000 of 1"


def test_1_11_a_throw_in_cancels_the_window_and_the_answer_opens_a_fresh_one() -> None:
    driven = run(position(FOUR), "0:7H 1:9H +7999 0:7D")
    assert clock(driven) == "turn 30000 of 1"
    assert clock(run(driven, "+20000")) == "turn 10000 of 1"
    assert clock(run(driven, "1:9D")) == "window 8000"


def test_1_11_after_a_take_a_throw_in_restarts_the_window() -> None:
    driven = run(position(FOUR), "0:7H 1:take +7999 2:7C")
    assert clock(driven) == "window 8000"
    assert clock(run(driven, "+7999 0:7D")) == "window 8000"


@pytest.mark.parametrize("answer", ["1:9H", "1:take"])
def test_1_11_a_pass_neither_cancels_nor_restarts_the_window(answer: str) -> None:
    driven = run(position(FOUR), f"0:7H {answer} +3000 0:pass")
    assert clock(driven) == "window 5000"


def test_1_11_each_table_has_its_own_window() -> None:
    driven = run(position(f"{FOUR} | rules classic window_ms=2500"), "0:7H 1:9H")
    assert clock(driven) == "window 2500"
    assert run(driven, "+2500").game.phase == "lead"


# ---------------------------------------------------------------- 1.12, 1.13


def test_1_12_an_attacker_passes_while_a_card_is_open_and_all_see_it() -> None:
    driven = run(position(FOUR), "0:7H 2:pass")
    assert game_view(driven).passed == [2]
    assert refused(driven, "2:7C") == "passed"


def test_1_12_where_only_beaten_cards_are_added_to_a_pass_waits_for_that_too() -> None:
    driven = run(position(f"{FOUR} | rules classic throw_timing=all_beaten"), "0:7H")
    assert refused(driven, "2:pass") == "unanswered"
    assert refused(run(driven, "1:9H"), "2:pass") is None


@pytest.mark.parametrize("answer", ["1:9H", "1:take"])
def test_1_13_a_new_rank_and_a_take_cancel_all_passes(answer: str) -> None:
    driven = run(position(FOUR), "0:7H 0:pass 2:pass 3:pass")
    assert run(driven, answer).game.kernel.passed == 0
    assert refused(driven, "2:7C") is None


def test_1_13_a_defence_card_of_a_known_rank_cancels_nothing() -> None:
    driven = run(position("S | 7H 7D / 7S 9H KD / 7C KC"), "0:7H 0:pass 2:pass 1:7S")
    assert driven.game.seats_in(driven.game.kernel.passed) == [0, 2]


# ---------------------------------------------------------------- 1.14


@pytest.mark.parametrize("answer", ["1:9H", "1:take"])
def test_1_14_when_every_attacker_has_passed_the_bout_closes_about_a_second_later(answer: str) -> None:
    driven = run(position(FOUR), f"0:7H {answer} 0:pass 2:pass")
    assert clock(driven) == "window 8000"
    assert clock(run(driven, "3:pass")) == "closing 1000"
    assert run(driven, "+999").game.phase == "bout"
    assert run(driven, "+1").game.phase == "lead"


@pytest.mark.parametrize("answer", ["1:9H", "1:take"])
def test_1_14_when_nobody_has_anything_to_add_the_bout_closes_without_a_pass(answer: str) -> None:
    assert clock(run(position(NOTHING_TO_ADD), f"0:7H {answer}")) == "closing 1000"


@pytest.mark.parametrize(("jitter", "delay_ms"), [(0, 700), (300, 1_000), (800, 1_500), (801, 700), (2**40 - 1, None)])
def test_1_14_the_second_is_drawn_with_the_input_that_ends_the_waiting(jitter: int, delay_ms: int | None) -> None:
    driven = run(position(FOUR), "0:7H 1:9H 0:pass 2:pass")
    driven.entropy.next_jitter = jitter
    run(driven, "3:pass")
    assert clock(driven) == f"closing {delay_ms or closing_delay_ms(1_000, Jitter(jitter))}"


def test_1_14_the_second_is_from_700_to_1500_milliseconds() -> None:
    delays = [closing_delay_ms(1_000, Jitter(jitter)) for jitter in range(10_000)]
    assert (min(delays), max(delays)) == (700, 1_500)
    assert [closing_delay_ms(0, Jitter(jitter)) for jitter in range(1_000)] == [0] * 1_000


@pytest.mark.parametrize("jitter", [0, 300, 800])
def test_1_14_the_bout_never_closes_later_than_its_window_would_have(jitter: int) -> None:
    driven = run(position(FOUR, entropy=Fixed(jitter=jitter)), "0:7H 1:9H 0:pass 2:pass +7400 3:pass")
    assert clock(driven) == "closing 600"
    assert run(driven, "+600").game.phase == "lead"


def test_1_14_a_window_shorter_than_a_second_caps_the_close_of_a_bout_without_passes() -> None:
    assert clock(run(position(f"{NOTHING_TO_ADD} | rules classic window_ms=500"), "0:7H 1:9H")) == "closing 500"


def test_1_14_while_closing_nothing_reopens_the_bout() -> None:
    driven = run(position(FOUR), "0:7H 1:9H 0:pass 2:pass 3:pass +500")
    assert {refused(driven, word) for word in ("0:7D", "2:7C", "3:9S", "0:pass", "1:take")} == {
        "passed",
        "already_passed",
        "nothing_to_take",
    }
    assert clock(driven) == "closing 500"


def test_1_14_a_pass_while_closing_changes_no_time() -> None:
    driven = run(position(NOTHING_TO_ADD), "0:7H 1:9H +400 2:pass")
    assert clock(driven) == "closing 600"


def test_1_14_a_close_of_0_ms_ends_the_bout_in_the_same_step() -> None:
    driven = position(f"{NOTHING_TO_ADD} | rules classic close_ms=0")
    events = events_of(driven, "0:7H 1:9H")
    assert BoutEnded("beaten", 1, ["7H", "9H"]) in events
    assert (driven.game.phase, driven.now_ms) == ("lead", 0)


def test_1_14_the_limit_reached_closes_the_bout() -> None:
    driven = run(position("S | 7H 7D KC / 9H / 7C 9C"), "0:7H 1:9H")
    assert clock(driven) == "closing 1000"
    assert refused(driven, "2:7C") == "limit"


# ---------------------------------------------------------------- 1.16


def test_1_16_of_an_expiry_and_a_throw_in_at_the_same_instant_the_expiry_wins() -> None:
    driven = run(position(FOUR), "0:7H 1:9H +7999")
    throw = driven.input("2:7C")
    driven.now_ms += 1
    events = events_of(driven, "+0")
    assert BoutEnded("beaten", 1, ["7H", "9H"]) in events
    assert refusal_of(driven, throw) == "stale"
    assert "7C" in driven.game.hand(2)


def test_1_16_a_throw_in_a_millisecond_earlier_wins_and_the_window_does_not_end_the_bout() -> None:
    driven = run(position(FOUR), "0:7H 1:9H +7999 2:7C")
    assert events_of(driven, "+1") == []
    assert table(driven) == "7H-9H 7C"


def test_1_16_an_action_for_an_older_bout_is_stale() -> None:
    driven = run(position(FOUR), "0:7H 1:9H")
    old = [driven.input(word) for word in ("0:7D", "2:pass", "3:9S")]
    run(driven, "+8000")
    assert {refusal_of(driven, given) for given in old} == {"stale"}


@pytest.mark.parametrize("answer", ["1:9H", "1:take"])
def test_1_16_a_pass_for_an_older_epoch_is_stale_and_a_throw_in_is_not(answer: str) -> None:
    driven = run(position(FOUR), "0:7H")
    a_pass, throw = driven.input("0:pass"), driven.input("2:7C")
    run(driven, answer)
    assert refusal_of(driven, a_pass) == "stale"
    assert refusal_of(driven, throw) is None


def test_1_16_a_beaten_card_without_a_new_rank_leaves_the_epoch() -> None:
    driven = run(position("S | 7H 7D / 7S 9H KD / 7C KC"), "0:7H")
    a_pass = driven.input("0:pass")
    assert refusal_of(run(driven, "1:7S"), a_pass) is None


def test_1_16_three_throw_ins_of_one_moment_are_all_accepted() -> None:
    driven = run(position(FOUR), "0:7H 1:9H")
    at_once = [driven.input(word) for word in ("0:7D", "2:9C", "3:9S")]
    events = [event for given in at_once for event in driven.submit(given)]
    assert events == [ThrewIn(0, "7D"), ThrewIn(2, "9C"), ThrewIn(3, "9S")]


def test_1_8_of_two_throw_ins_for_the_last_place_the_first_is_played() -> None:
    driven = run(position("S | 7H 7D KC / 9H 9D / 7C 9C"), "0:7H 1:9H")
    first, second = driven.input("2:7C"), driven.input("0:7D")
    driven.submit(first)
    assert refusal_of(driven, second) == "limit"
    assert "7D" in driven.game.hand(0)


def test_1_22_leaving_is_never_stale() -> None:
    driven = run(position(FOUR), "0:7H 1:9H")
    leave = driven.input("2:leave")
    assert refusal_of(run(driven, "+8000"), leave) is None
