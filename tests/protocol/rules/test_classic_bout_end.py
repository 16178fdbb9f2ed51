"""RULES 1.17 to 1.20: clearing the table, drawing, going out, who attacks next."""

from durak.protocol.rules.events import BoutBegan, BoutEnded, Drew, WentOut
from durak.protocol.rules.game import Game
from tests.protocol.rules.playing import given, hand, play, result, roles

SIX_EACH = "S | 7H 8D 9D 10D JD QD / 9H 8C 9C 10C JC QC / 6C 6D 6S 7S 8S 9S"


def out(game: Game) -> list[int]:
    return [seat for seat in range(game.players) if game.kernel.out_rank[seat] >= 0]


# ---------------------------------------------------------------- 1.17


def test_1_17_beaten_the_cards_are_discarded_and_the_defender_attacks() -> None:
    game = given("S | 7H KC / 9H QC / 8C JC")
    discarded = game.kernel.discard
    play(game, "0:7H 1:9H")
    assert int(game.kernel.discard).bit_count() == int(discarded).bit_count() + 2
    assert roles(game) == (1, 2)


def test_1_17_taken_all_cards_go_into_the_defenders_hand_and_the_next_seat_attacks() -> None:
    game = play(given("S | 7H 7D KC / 9H QC 8S / 8C JC"), "0:7H 1:9H 0:7D 1:take")
    assert hand(game, 1) == "8S 7H 9H 7D QC"
    assert roles(game) == (2, 0)


def test_1_17_of_two_the_attacker_attacks_again_after_a_take() -> None:
    assert roles(play(given("S | 7H KC / 9H QC"), "0:7H 1:take")) == (0, 1)


def test_1_17_the_events_name_the_cards_and_the_next_bout() -> None:
    game = play(given("S | 7H KC / 9H QC / 8C JC"), "0:7H 1:9H", closes=False)
    assert game.close() == [BoutEnded("beaten", 1, ["7H", "9H"]), BoutBegan(3, 1, 2, 2)]


# ---------------------------------------------------------------- 1.18


def test_1_18_hands_are_filled_up_to_six_from_the_top_of_the_stock() -> None:
    game = play(given(f"{SIX_EACH} | stock KH KD KC AH AS"), "0:7H 1:9H close")
    assert hand(game, 0) == "KH 8D 9D 10D JD QD"
    assert hand(game, 1) == "KD 8C 9C 10C JC QC"
    assert game.stock == ["KC", "AH", "AS"]


def test_1_18_the_attacker_draws_first_the_others_clockwise_the_defender_last() -> None:
    hands = "7C 8D 9D 10D JD QD / 6C 6D 6S 7S 8S 9S / 7H KD 10S JS QS KS / 9H 9C 10C JC QC KC"
    game = play(given(f"S | {hands} | attacker 2 | stock KH QH JH 10H AH AS"), "2:7H 0:7C 3:9H 3:9C", closes=False)
    drew = [event for event in game.close() if isinstance(event, Drew)]
    assert drew == [Drew(2, ["KH"]), Drew(0, ["QH"]), Drew(3, ["10H", "JH"])]


def test_1_18_the_trump_card_is_drawn_last() -> None:
    game = play(given(f"{SIX_EACH} | stock AS"), "0:7H 1:9H close")
    assert "AS" in game.hand(0)
    assert len(game.hand(1)) == 5


def test_1_18_a_hand_of_more_than_six_draws_nothing() -> None:
    game = play(given(f"{SIX_EACH} | stock KH KD AS"), "0:7H 1:take close")
    assert len(game.hand(1)) == 7
    assert game.stock == ["KD", "AS"]


def test_1_18_nobody_draws_during_a_bout() -> None:
    game = play(given(f"{SIX_EACH} | stock KH KD AS"), "0:7H 1:9H", closes=False)
    assert (len(game.hand(0)), len(game.hand(1))) == (5, 5)


# ---------------------------------------------------------------- 1.19


def test_1_19_an_empty_hand_with_an_empty_stock_is_out_after_the_bout() -> None:
    game = play(given("S | 7H / 9H QC / 7C 8C"), "0:7H 1:9H 2:pass", closes=False)
    assert out(game) == []
    assert WentOut([0]) in game.close()
    assert out(game) == [0]


def test_1_19_with_stock_left_it_simply_draws() -> None:
    game = play(given("S | 7H / 9H QC / 7C 8C | stock KH KD 8D 9D 10D 6D 6C 6H QD AS"), "0:7H 1:9H 2:pass")
    assert out(game) == []
    assert len(game.hand(0)) == 6


def test_1_19_drawing_the_last_card_is_enough_to_stay() -> None:
    game = play(given("S | 7H / 9H | stock AS"), "0:7H 1:9H")
    assert hand(game, 0) == "AS"
    assert result(game).durak == 0


def test_1_19_the_others_go_on_throwing_in_though_the_attacker_has_no_cards_left() -> None:
    game = play(given("S | 7H / 9H QC KS / 7C 8C"), "0:7H 1:9H 2:7C 1:QC")
    assert hand(game, 2) == "8C"
    assert out(game) == [0]


def test_1_19_a_defender_with_an_empty_hand_goes_out_too() -> None:
    assert out(play(given("S | 7H KC / 9H / 8C JC"), "0:7H 1:9H")) == [1]


# ---------------------------------------------------------------- 1.20


def test_1_20_if_a_successful_defender_went_out_the_next_active_seat_attacks() -> None:
    assert roles(play(given("S | 7H KC / 9H / 8C JC"), "0:7H 1:9H")) == (2, 0)
    assert roles(play(given("S | 7H KC / 9H / - / 8C JC"), "0:7H 1:9H")) == (3, 0)


def test_1_20_seats_that_are_out_neither_attack_nor_defend() -> None:
    assert roles(given("S | 7H KC / - / - / 8C JC")) == (0, 3)
    assert roles(play(given("S | 7H KC / 9H QC / - / 8C JC"), "0:7H 1:take")) == (3, 0)


def test_1_20_the_seat_after_a_taker_may_have_gone_out_in_that_bout() -> None:
    game = play(given("S | 7H KC / 9H QC / 7C / 8C JC"), "0:7H 2:7C 1:take")
    assert out(game) == [2]
    assert roles(game) == (3, 0)
