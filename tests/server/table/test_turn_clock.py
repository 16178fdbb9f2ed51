"""RULES 1.23: the turn clock."""

import pytest

from durak.protocol.messages import TimedOut
from durak.protocol.rules.events import BoutEnded, Led, Passed, Took
from tests.protocol.rules.playing import shuffled
from tests.server.table.driving import Driven, Fixed, clock, created, events_of, position, refusal_of, refused, run

FOUR = "S | 7H 7D KC / 9H 9D 10D AS QS / 7C 9C JC / 9S 7S 8C"
ADDING = "S | 7H 7D KC / 9H 9D AS QS | rules gameweave"
SEVERAL_ADDERS = "S | 7H 7D KC QC / 9H 9D AS QS / 7C 9C JC / 10S 10C 8C / 9S 8H | rules gameweave throw_in=all"
NO_CLOCK = "rules gameweave turn_clock_s=none"


def turns(driven: Driven) -> dict[int, int]:
    """Milliseconds left, by seat."""
    return {turn.seat: turn.at_ms - driven.now_ms for turn in driven.table.clocks.turns}


# ---------------------------------------------------------------- what runs, and for whom


@pytest.mark.parametrize("seconds", [15, 30, 60])
def test_1_23_the_attacker_has_a_clock_for_the_lead(seconds: int) -> None:
    driven = position(f"{FOUR} | rules classic turn_clock_s={seconds}")
    assert clock(driven) == f"turn {seconds}000 of 0"
    assert events_of(driven, f"+{seconds}000")[0] == TimedOut(0)


def test_1_23_the_clock_of_the_lead_is_over_with_the_lead() -> None:
    assert turns(run(position(FOUR), "+29999 0:7H")) == {1: 30_000}


def test_1_23_the_clock_of_the_defence_restarts_at_each_attack_card() -> None:
    driven = run(position(FOUR), "0:7H +20000 2:7C")
    assert turns(driven) == {1: 30_000}
    assert turns(run(driven, "+20000 0:7D")) == {1: 30_000}


def test_1_23_the_clock_of_the_defence_restarts_at_each_beaten_card() -> None:
    assert turns(run(position(FOUR), "0:7H 2:7C +20000 1:9Hx7H")) == {1: 30_000}


def test_1_23_the_clock_of_the_defence_does_not_restart_at_a_pass() -> None:
    assert turns(run(position(FOUR), "0:7H +20000 2:pass")) == {1: 10_000}


def test_1_23_no_turn_clock_runs_beside_a_window_or_a_close() -> None:
    assert turns(run(position(FOUR), "0:7H 1:9H")) == {}
    assert turns(run(position(FOUR), "0:7H 1:take")) == {}
    assert turns(run(position("S | 7H KC / 9H AS / JC QC"), "0:7H 1:9H")) == {}


def test_1_23_without_a_window_the_adder_has_a_clock() -> None:
    driven = run(position(ADDING), "0:7H 1:9H")
    assert turns(driven) == {0: 30_000}
    assert turns(run(driven, "+10000 0:7D")) == {1: 30_000}


def test_1_23_the_decision_has_a_clock() -> None:
    driven = run(position("S | 7H KC / 9H AS | rules challenge"), "+5 0:7H 1:9H")
    assert driven.game.phase == "decide"
    assert turns(driven) == {1: 30_000}


def test_1_23_several_adders_have_a_clock_each_and_a_pass_restarts_none() -> None:
    driven = run(position(SEVERAL_ADDERS), "0:7H 1:9H")
    assert turns(driven) == {0: 30_000, 2: 30_000, 4: 30_000}
    assert turns(run(driven, "+10000 2:pass")) == {0: 20_000, 4: 20_000}
    assert [event for event in events_of(driven, "+20000") if isinstance(event, TimedOut)] == [TimedOut(0), TimedOut(4)]


def test_1_23_a_throw_in_after_a_take_restarts_only_the_clock_of_its_seat() -> None:
    taken = SEVERAL_ADDERS.replace("gameweave throw_in=all", "classic window_ms=none")
    driven = run(position(taken.replace("9H 9D", "9H 6D")), "0:7H 1:take")
    assert turns(driven) == {0: 30_000, 2: 30_000}
    assert turns(run(driven, "+10000 0:7D")) == {2: 20_000}


# ---------------------------------------------------------------- what expires


@pytest.mark.parametrize(
    ("hand", "card"),
    [
        ("KC 7H 7D 6S", "7H"),
        ("7C 7D", "7D"),
        ("AC 6S 7S", "AC"),
        ("QS 8S AS", "8S"),
        ("8D 8C 8H", "8H"),
        ("10C 9D", "9D"),
    ],
)
def test_1_23_a_silent_attacker_leads_its_lowest_plain_card(hand: str, card: str) -> None:
    driven = position(f"S | {hand} / 9H 10H")
    assert events_of(driven, "+29999") == []
    assert events_of(driven, "+1") == [TimedOut(0), Led(0, card)]


def test_1_23_plain_cards_of_equal_rank_are_led_in_the_order_s_h_d_c() -> None:
    driven = position("H | 8C 8S 8D 6H / 9H 10H")
    assert events_of(driven, "+30000") == [TimedOut(0), Led(0, "8S")]


def test_1_23_a_silent_defender_takes_and_the_window_opens() -> None:
    driven = run(position(FOUR), "0:7H")
    assert events_of(driven, "+30000") == [TimedOut(1), Took(1)]
    assert clock(driven) == "window 8000"


def test_1_23_a_silent_adder_passes() -> None:
    driven = run(position(ADDING), "0:7H 1:9H")
    assert events_of(driven, "+30000")[:3] == [TimedOut(0), Passed(0), BoutEnded("beaten", 1, ["7H", "9H"])]


def test_1_23_a_silent_decision_finishes() -> None:
    driven = run(position("S | 7H KC / 9H AS | rules challenge"), "0:7H 1:9H")
    assert events_of(driven, "+30000")[:2] == [TimedOut(1), BoutEnded("beaten", 1, ["7H", "9H"])]


def test_1_23_a_silent_redeal_without_a_period_is_declined() -> None:
    deck = shuffled("6H 7H 8H 9H 10H QC / 6C 7C 6D 7D 6S 7S", "AS")
    driven = created("challenge", persons=2, start=True, offer_ms=0, entropy=Fixed(deck))
    assert turns(driven) == {0: 30_000}
    assert events_of(driven, "+30000")[0] == TimedOut(0)
    assert driven.game.phase == "lead"


def test_1_16_the_expiry_comes_before_an_action_of_the_same_instant() -> None:
    driven = run(position(FOUR), "+29999")
    lead = driven.input("0:KC")
    driven.now_ms += 1
    assert refusal_of(driven, lead) == "table_not_empty"
    assert driven.game.table == [("7H", None)]


def test_1_16_an_action_a_millisecond_before_the_expiry_is_played() -> None:
    assert events_of(run(position(FOUR), "+29999 0:KC"), "+1") == []


# ---------------------------------------------------------------- two in a row


LONG_GAME = "S | 6H 7H / 7C 8C | stock 6D 7D 8D 9D 10D JD QD KD AD JC QC 6C KC AC 6S | rules gameweave"


def silent_twice() -> Driven:
    """Seat 1 has taken twice in silence, and is to defend again."""
    driven = position(LONG_GAME)
    for _ in range(2):
        run(driven, f"0:{driven.game.hand(0)[0]} +29999")
        assert turns(driven) == {1: 1}
        run(driven, "+1")
    return run(driven, f"0:{driven.game.hand(0)[0]}")


def test_1_23_after_two_expiries_in_a_row_the_clock_is_5_seconds() -> None:
    driven = silent_twice()
    assert turns(driven) == {1: 5_000}
    assert clock(driven) == "turn 5000 of 1"


def test_1_23_until_the_seat_acts() -> None:
    driven = silent_twice()
    run(driven, "1:take")
    assert turns(run(driven, f"0:{driven.game.hand(0)[0]}")) == {1: 30_000}


def test_1_23_a_refused_action_is_no_act() -> None:
    driven = silent_twice()
    assert refused(driven, "1:pass") == "not_your_role"
    assert turns(run(driven, "+4999")) == {1: 1}


def test_1_23_the_automatic_pass_and_its_switch_are_no_act() -> None:
    driven = silent_twice()
    assert driven.table.clocks.silent[1] == 2
    assert run(driven, "1:auto").table.clocks.silent[1] == 2


def test_1_23_expiries_that_are_not_in_a_row_do_not_count() -> None:
    driven = position(LONG_GAME)
    for _ in range(3):
        run(driven, f"0:{driven.game.hand(0)[0]} +30000")
        run(driven, f"0:{driven.game.hand(0)[0]}")
        assert turns(driven) == {1: 30_000}
        run(driven, "1:take")


def test_1_23_the_end_of_a_window_is_no_expiry() -> None:
    driven = run(position(FOUR), "0:7H 1:9H")
    events = events_of(driven, "+8000")
    assert not any(isinstance(event, TimedOut) for event in events)
    assert driven.table.clocks.silent == (0,) * 6


def test_1_23_the_end_of_an_offer_period_is_no_expiry() -> None:
    deck = shuffled("6H 7H 8H 9H 10H QC / 6C 7C 6D 7D 6S 7S", "AS")
    driven = created("challenge", persons=2, start=True, entropy=Fixed(deck))
    assert not any(isinstance(event, TimedOut) for event in events_of(driven, "+6000"))
    assert driven.table.clocks.silent == (0,) * 6


# ---------------------------------------------------------------- no clock


def test_1_23_on_a_table_without_clock_nothing_expires_for_persons() -> None:
    driven = position(f"S | 7H 7D KC / 9H 9D AS QS | {NO_CLOCK}")
    assert driven.table.deadline_ms is None
    assert clock(run(driven, "0:7H +10000000 1:9H +10000000")) == "none"


def test_1_23_on_a_table_without_clock_bots_have_one_so_that_it_ends() -> None:
    driven = position(f"S | 7H 7D KC / 9H 9D AS QS | {NO_CLOCK}", bots=[1])
    assert clock(run(driven, "+40000 0:7H")) == "turn 30000 of 1"
    assert TimedOut(1) in events_of(driven, "+30000")


def test_1_23_on_a_table_without_clock_a_seat_that_was_left_has_one() -> None:
    driven = position(f"S | 7H 7D KC / 9H 9D AS QS / 8C 9C | {NO_CLOCK}")
    assert turns(run(driven, "0:rise")) == {0: 30_000}


def test_1_23_on_a_table_without_clock_an_owner_who_comes_back_has_none_again() -> None:
    driven = run(position(f"S | 7H 7D KC / 9H 9D AS QS / 8C 9C | {NO_CLOCK}"), "ann:rise +10000 ann:sit")
    assert turns(driven) == {}
    assert events_of(driven, "+60000") == []


def test_1_23_on_a_table_without_clock_a_seat_left_for_the_second_time_has_one_again() -> None:
    driven = run(position(f"S | 7H 7D KC / 9H 9D AS QS / 8C 9C | {NO_CLOCK}"), "ann:rise +10000 ann:sit +60000 ann:rise")
    assert turns(driven) == {0: 30_000}


def test_1_23_with_a_clock_leaving_and_coming_back_give_no_fresh_one() -> None:
    driven = run(position(FOUR), "+10000 ann:rise")
    assert turns(driven) == {0: 20_000}
    assert turns(run(driven, "+10000 ann:sit")) == {0: 10_000}
