"""RULES 1.11 to 1.16 as far as they are free of time: passes, what cancels them, when a bout is quiet, what is stale.

The window and the clocks are the table's; here `close` stands for the end of the window.
"""

from durak.protocol.rules.view import view_of
from tests.protocol.rules.playing import given, hand, legal, passed, play, refusal, roles, table

THREE = "S | 7H 7D KC KD / 9H 9D AS QS / 7C 9C JC"
FOUR = "S | 7H 7D KC KD / 9H 9D AS QS / 7C 9C JC / 7S 10C"
DISCREET = f"{THREE} | rules classic discreet=on"


# ---------------------------------------------------------------- 1.11


def test_1_11_when_all_is_beaten_cards_may_still_be_thrown_in_and_must_be_answered() -> None:
    game = play(given(THREE), "0:7H 1:9H 2:9C")
    assert not game.quiet()
    assert legal(game, 1) == "ASx9C QSx9C take"


def test_1_11_after_a_take_cards_may_still_be_thrown_in_and_are_taken_too() -> None:
    game = play(given(THREE), "0:7H 1:take 2:7C 0:7D close")
    assert hand(game, 1) == "QS AS 7H 9H 7D 9D 7C"


def test_1_11_the_window_ends_the_bout_though_somebody_could_add() -> None:
    game = play(given(THREE), "0:7H 1:9H close")
    assert (game.phase, roles(game)) == ("lead", (1, 2))


def test_1_11_a_bout_does_not_close_while_a_card_is_open_and_not_taken() -> None:
    assert not play(given(THREE), "0:7H 1:9H 2:9C 0:pass 2:pass").quiet()


# ---------------------------------------------------------------- 1.12


def test_1_12_an_attacker_passes_at_any_time_after_the_lead() -> None:
    game = play(given(THREE), "0:7H 2:pass 0:pass")
    assert passed(game) == [0, 2]


def test_1_12_a_pass_binds() -> None:
    game = play(given(THREE), "0:7H 2:pass")
    assert refusal(game, "2:7C") == "passed"
    assert refusal(game, "2:pass") == "already_passed"
    assert legal(game, 2) == ""


def test_1_12_a_pass_needs_no_card_to_add() -> None:
    assert legal(play(given("S | 7H KC / 9H QC / 8C"), "0:7H"), 2) == "pass"


def test_1_12_an_attacker_without_cards_has_nothing_to_pass() -> None:
    game = play(given("S | 7H / 9H QC / 7C 8C"), "0:7H")
    assert refusal(game, "0:pass") == "no_cards"


def test_1_12_the_defender_does_not_pass() -> None:
    assert refusal(play(given(THREE), "0:7H"), "1:pass") == "not_your_role"


def test_1_12_a_pass_is_public() -> None:
    game = play(given(THREE), "0:7H 2:pass")
    assert [view_of(game, viewer).passed for viewer in (0, 1, 2, None)] == [[2]] * 4


def test_1_12_with_all_beaten_timing_only_when_no_card_is_open_or_after_a_take() -> None:
    game = play(given(f"{THREE} | rules classic throw_timing=all_beaten"), "0:7H")
    assert refusal(game, "2:pass") == refusal(game, "2:7C") == "unanswered"
    assert legal(play(game.copy(), "1:9H"), 2) == "+7C +9C pass"
    assert legal(play(game.copy(), "1:take"), 2) == "+7C pass"


# ---------------------------------------------------------------- 1.13


def test_1_13_a_new_rank_cancels_the_passes_of_all_attackers() -> None:
    game = play(given(FOUR), "0:7H 0:pass 2:pass 3:pass 1:9H")
    assert passed(game) == []
    assert legal(game, 3) == "+7S pass", "also of those who hold none of it"


def test_1_13_a_defence_card_of_a_known_rank_cancels_nothing() -> None:
    game = play(given(FOUR), "0:7H 0:7D 1:9H 2:pass 1:9D", closes=False)
    assert passed(game) == [2]


def test_1_13_a_throw_in_cancels_nothing() -> None:
    game = play(given(FOUR), "0:7H 1:9H 2:pass 3:7S")
    assert passed(game) == [2]


def test_1_13_taking_cancels_the_passes_of_all_attackers() -> None:
    game = play(given(FOUR), "0:7H 0:pass 2:pass 3:pass 1:take")
    assert passed(game) == []
    assert legal(game, 2) == "+7C pass"


def test_1_13_a_new_bout_begins_without_passes() -> None:
    assert passed(play(given(THREE), "0:7H 1:9H 0:pass 2:pass")) == []


# ---------------------------------------------------------------- 1.14


def test_1_14_quiet_when_every_attacker_has_passed() -> None:
    game = play(given(THREE), "0:7H 1:9H 0:pass")
    assert not game.quiet()
    assert play(game, "2:pass", closes=False).quiet()


def test_1_14_quiet_when_nobody_has_a_card_to_add() -> None:
    assert play(given("S | 7H KC / 9H QC / 8C"), "0:7H 1:9H", closes=False).quiet()


def test_1_14_quiet_when_the_limit_is_reached() -> None:
    assert play(given("S | 7H 7D KC / 9H 9D / 7C 9C"), "0:7H 0:7D 1:9H 1:9D", closes=False).quiet()


def test_1_14_an_attacker_without_cards_is_not_waited_for() -> None:
    assert play(given("S | 7H / 9H QC / 7C 8C"), "0:7H 1:9H 2:pass", closes=False).quiet()


def test_1_14_after_a_take_too() -> None:
    game = play(given(THREE), "0:7H 1:take 0:pass")
    assert not game.quiet()
    assert play(game, "2:pass", closes=False).quiet()


def test_1_14_a_quiet_bout_is_not_reopened() -> None:
    game = play(given(THREE), "0:7H 1:9H 0:pass 2:pass", closes=False)
    assert [legal(game, seat) for seat in range(3)] == ["", "", ""]


def test_1_14_an_open_card_is_never_quiet() -> None:
    assert not play(given("S | 7H KC / 9H QC / 8C"), "0:7H").quiet()
    assert not given(THREE).quiet()


# ---------------------------------------------------------------- 1.15


def test_1_15_a_discreet_table_waits_for_seats_with_nothing_to_add() -> None:
    game = play(given("S | 7H KC / 9H QC / 8C | rules classic discreet=on"), "0:7H 1:9H")
    assert not game.quiet()
    assert not play(game, "0:pass").quiet()
    assert play(game, "2:pass", closes=False).quiet()


def test_1_15_explicit_passes_close_early() -> None:
    assert play(given(DISCREET), "0:7H 1:9H 0:pass 2:pass", closes=False).quiet()


def test_1_15_the_limit_reached_closes_early() -> None:
    game = given("S | 7H 7D KC / 9H 9D / 7C 9C | rules classic discreet=on")
    assert play(game, "0:7H 0:7D 1:9H 1:9D", closes=False).quiet()


def test_1_15_an_empty_hand_is_not_waited_for() -> None:
    assert play(given("S | 7H / 9H QC / 8C | rules classic discreet=on"), "0:7H 1:9H 2:pass", closes=False).quiet()


# ---------------------------------------------------------------- 1.16


def test_1_16_the_order_of_arrival_is_the_truth() -> None:
    assert hand(play(given(THREE), "0:7H 2:7C 1:take close"), 1) == hand(play(given(THREE), "0:7H 1:take 2:7C close"), 1)


def test_1_16_an_action_for_an_older_bout_is_stale() -> None:
    game = play(given(f"{THREE} | bout 3"), "0:7H 1:9H close")
    assert game.kernel.bout == 4
    assert refusal(game, "1:AS", bout=3) == "stale"
    assert refusal(game, "1:AS", bout=4) is None


def test_1_16_a_pass_of_an_older_epoch_is_stale() -> None:
    game = play(given(THREE), "0:7H")
    assert game.kernel.epoch == 1
    assert refusal(game, "2:pass", epoch=1) is None
    play(game, "1:take")
    assert refusal(game, "2:pass", epoch=1) == "stale"
    assert refusal(game, "2:pass", epoch=2) is None


def test_1_16_the_epoch_is_raised_by_a_new_bout_a_new_rank_and_a_take() -> None:
    game = given(THREE)
    for moves, epoch in (
        ("0:7H", 1),
        ("0:7D", 1),
        ("1:9H", 2),
        ("1:9D", 2),
        ("0:pass", 2),
        ("2:9C", 2),
        ("1:take", 3),
        ("close", 4),
    ):
        play(game, moves)
        assert (moves, game.kernel.epoch) == (moves, epoch)


def test_1_16_a_throw_in_a_beat_and_a_take_carry_no_epoch() -> None:
    game = play(given(THREE), "0:7H 1:9H")
    assert refusal(game, "2:7C", bout=2, epoch=1) is None


def test_1_16_three_throw_ins_at_once_are_all_accepted() -> None:
    assert table(play(given(FOUR), "0:7H 0:7D 2:7C 3:7S")) == "7H 7D 7C 7S"


def test_1_16_leaving_is_never_stale() -> None:
    assert refusal(given(THREE), "2:leave", bout=1, epoch=0) is None


def test_1_16_a_late_throw_in_is_no_lead_of_the_next_bout() -> None:
    game = play(given(THREE), "0:7H 1:9H close")
    assert refusal(game, "2:+7C") == "table_empty"
