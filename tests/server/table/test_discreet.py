"""RULES 1.15: on a discreet table the time of closing says nothing about hands. And the automatic pass that goes with it."""

import pytest

from durak.protocol.codec import JSON, MSGPACK, Codec
from durak.protocol.messages import AutoPassSet
from durak.protocol.rules.events import Passed
from durak.server.table.jitter import Jitter, auto_pass_delay_ms
from tests.server.table.driving import Driven, Fixed, clock, events_of, position, received, refused, run, view

HOLDING = "S | 7H 7D KC / 9H 9D AS QS / 7C 9C JC / 9S 7S 8C"
HOLDING_NOTHING = "S | 7H KD KC / 9H 9D AS QS / 6C 6D JC / 10S 10C 8C"
"""The same for seat 1, but the others hold nothing to add."""
DISCREET = "rules classic discreet=on"
WAITING = ["0:7H 1:9H", "0:7H 1:take", "0:7H 1:9H +3000 2:pass", "0:7H 1:9H 0:pass 2:pass", "0:7H 0:pass 1:take +1 3:pass"]


def both(rules: str, script: str) -> tuple[Driven, Driven]:
    return run(position(f"{HOLDING} | {rules}"), script), run(position(f"{HOLDING_NOTHING} | {rules}"), script)


# ---------------------------------------------------------------- closing


@pytest.mark.parametrize("script", WAITING)
def test_1_15_hands_do_not_change_any_deadline(script: str) -> None:
    holding, nothing = both(DISCREET, script)
    assert holding.table.clocks.deadlines() == nothing.table.clocks.deadlines()
    assert clock(holding).startswith("window")


@pytest.mark.parametrize("codec", [JSON, MSGPACK], ids=["json", "msgpack"])
@pytest.mark.parametrize("script", WAITING)
@pytest.mark.parametrize("viewer", ["bob", None])
def test_1_15_who_cannot_see_the_hands_gets_the_same_bytes_at_the_same_times(script: str, viewer: str | None, codec: Codec) -> None:
    holding, nothing = both(DISCREET, f"{script} +8000")
    assert received(holding, viewer, codec) == received(nothing, viewer, codec)


@pytest.mark.parametrize("script", WAITING[:2])
def test_1_14_on_other_tables_they_tell_who_has_nothing_to_add(script: str) -> None:
    holding, nothing = both("rules classic", f"{script} +8000")
    assert received(holding, None) != received(nothing, None)


@pytest.mark.parametrize("answer", ["1:9H", "1:take"])
@pytest.mark.parametrize("hands", [HOLDING, HOLDING_NOTHING])
def test_1_15_explicit_passes_close_a_bout_early(hands: str, answer: str) -> None:
    driven = run(position(f"{hands} | {DISCREET}"), f"0:7H {answer} 0:pass 2:pass")
    assert clock(driven) == "window 8000"
    assert clock(run(driven, "3:pass")) == "closing 1000"


def test_1_15_the_limit_reached_closes_a_bout_early() -> None:
    assert clock(run(position(f"S | 7H 7D / 9H / 7C 8C | {DISCREET}"), "0:7H 1:9H")) == "closing 1000"


def test_1_15_an_empty_hand_is_not_waited_for() -> None:
    assert clock(run(position(f"S | 7H / 9H AS / 10C 8C | {DISCREET}"), "0:7H 1:9H 2:pass")) == "closing 1000"


@pytest.mark.parametrize("hands", ["S | 7H 7D KC / 9H 9D AS QS", "S | 7H 6D KC / 9H 9D AS QS"])
def test_1_15_without_a_window_the_turn_clock_of_the_adder_runs_whatever_it_holds(hands: str) -> None:
    driven = run(position(f"{hands} | rules gameweave discreet=on"), "0:7H 1:9H")
    assert clock(driven) == "turn 30000 of 0"
    assert run(driven, "+30000").game.phase == "lead"


def test_1_15_without_a_window_several_adders_are_waited_for_whatever_they_hold() -> None:
    holding, nothing = both("rules gameweave throw_in=all discreet=on", "0:7H 1:9H +10 2:pass +29990")
    assert received(holding, None) == received(nothing, None)
    assert holding.game.phase == "lead"


# ---------------------------------------------------------------- the automatic pass


def test_1_15_the_delay_of_an_automatic_pass_is_from_1500_to_3000_milliseconds() -> None:
    delays = [auto_pass_delay_ms(Jitter(jitter), seat) for jitter in range(0, 3_000_000, 331) for seat in range(6)]
    assert (min(delays), max(delays)) == (1_500, 3_000)
    assert len({auto_pass_delay_ms(Jitter(12_345_678), seat) for seat in range(6)}) == 6


@pytest.mark.parametrize("jitter", [0, 777_000, 1_500_000, 2**40 - 1])
def test_1_15_a_seat_passes_by_itself_after_its_delay(jitter: int) -> None:
    driven = position(f"{HOLDING} | {DISCREET}", entropy=Fixed(jitter=jitter))
    run(driven, "0:7H 2:auto")
    delay_ms = auto_pass_delay_ms(Jitter(jitter), 2)
    assert events_of(driven, f"+{delay_ms - 1}") == []
    assert events_of(driven, "+1") == [Passed(2)]


def test_1_15_switched_on_before_the_lead_the_delay_begins_with_the_lead() -> None:
    driven = run(position(f"{HOLDING} | {DISCREET}"), "2:auto +20000 0:7H")
    assert events_of(driven, "+1499") == []
    assert events_of(driven, "+1501") == [Passed(2)]


def test_1_15_where_a_pass_must_wait_the_delay_begins_when_it_may_come() -> None:
    driven = run(position(f"{HOLDING} | {DISCREET} throw_timing=all_beaten"), "2:auto 0:7H +5000")
    assert driven.game.kernel.passed == 0
    assert Passed(2) in events_of(run(driven, "1:9H"), "+3000")


def test_1_15_after_a_new_rank_it_passes_again_with_a_new_delay() -> None:
    driven = run(position(f"{HOLDING} | {DISCREET}"), "2:auto 0:7H +3000")
    assert driven.game.seats_in(driven.game.kernel.passed) == [2]
    run(driven, "1:9H")
    assert events_of(driven, "+1499") == []
    assert events_of(driven, "+1501") == [Passed(2)]


def test_1_15_with_all_seats_passing_by_themselves_a_bout_closes_early() -> None:
    driven = run(position(f"{HOLDING} | {DISCREET}"), "0:auto 2:auto 3:auto 0:7H 1:9H +4000")
    assert driven.game.phase == "lead"


def test_1_15_the_switch_ends_with_the_bout() -> None:
    driven = run(position(f"{HOLDING} | {DISCREET}"), "0:7H 3:auto")
    assert view(driven, 3).you.auto_pass
    run(driven, "1:9H +8000")
    assert not view(driven, 3).you.auto_pass
    assert driven.table.clocks.auto_passes == ()


def test_1_15_switched_off_in_time_it_does_not_pass() -> None:
    driven = run(position(f"{HOLDING} | {DISCREET}"), "0:7H 2:auto +1499 2:noauto")
    assert events_of(driven, "+5000") == []
    assert not view(driven, 2).you.auto_pass


def test_1_15_a_seat_that_passes_by_itself_may_still_throw_in() -> None:
    driven = run(position(f"{HOLDING} | {DISCREET}"), "0:7H 2:auto +1499 2:7C")
    assert [by for by, _ in zip(driven.game.kernel.attack_by, driven.game.table, strict=False)] == [0, 2]


def test_1_15_the_window_may_end_before_the_delay() -> None:
    driven = run(position(f"{HOLDING} | {DISCREET} window_ms=1000"), "0:7H 1:9H 2:auto +1000")
    assert driven.game.phase == "lead"
    assert events_of(driven, "+5000") == []


@pytest.mark.parametrize("switch", ["auto", "noauto"])
def test_1_15_the_switch_is_private(switch: str) -> None:
    driven = run(position(f"{HOLDING} | {DISCREET}"), "0:7H 1:9H")
    seq = driven.table.seq
    before = {who: view(driven, who) for who in (0, 1, 3, None)}
    told = {who: len(received(driven, who)) for who in ("ann", "bob", "dan", None)}
    assert events_of(driven, f"2:{switch}") == [AutoPassSet(2, switch == "auto")]
    assert driven.table.seq == seq
    assert {who: view(driven, who) for who in (0, 1, 3, None)} == before
    assert {who: len(received(driven, who)) for who in ("ann", "bob", "dan", None)} == told
    assert view(driven, 2).you.auto_pass == (switch == "auto")


def test_the_switch_is_for_active_seats_of_a_running_game() -> None:
    driven = run(position(f"S | 7H / 9H / 10C 8C / - | {DISCREET}"), "")
    assert refused(driven, "3:auto") == "seat_out"
    assert refused(driven, "eve:auto") == "not_seated"
    assert refused(driven, "1:auto") is None
    assert refused(run(driven, "1:rise 2:rise"), "ann:auto") == "not_playing"
