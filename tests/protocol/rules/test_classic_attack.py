"""RULES 1.5 to 1.8: the lead, throw-ins, the limit."""

from durak.protocol.rules.actions import Lead
from durak.protocol.rules.game import Game
from durak.protocol.rules.notation import Move
from durak.protocol.rules.ruleset import ruleset_of
from tests.protocol.rules.playing import code_of, given, hand, legal, play, refusal, shuffled, table

FOUR = "S | 7H 7D KC / 9H 9D AS QS / 7C 9C JC / 9S 10C 8C"
TWO_TO_BEAT = "S | 7H 7D KC / 9H 9D / 7C 9C"


# ---------------------------------------------------------------- 1.5


def test_1_5_the_attacker_leads_any_card() -> None:
    assert legal(given(FOUR), 0) == "7D 7H KC"


def test_1_5_exactly_one_card_is_led() -> None:
    game = play(given(FOUR), "0:7H")
    assert table(game) == "7H"
    assert hand(game, 0) == "7D KC"
    assert code_of(game, Move(0, Lead("KC"))) == "table_not_empty"


def test_1_5_only_the_attacker_leads() -> None:
    for seat, card in ((1, "9H"), (2, "7C"), (3, "8C")):
        assert legal(given(FOUR), seat) == ""
        assert refusal(given(FOUR), f"{seat}:{card}") == "not_your_role"


def test_1_5_nobody_passes_takes_beats_or_throws_in_on_an_empty_table() -> None:
    for move in ("0:pass", "2:pass", "1:take", "1:9Hx7H", "2:+7C"):
        assert refusal(given(FOUR), move) == "table_empty"


def test_1_5_a_card_of_another_hand_is_not_led() -> None:
    assert refusal(given(FOUR), "0:7C") == "not_in_hand"


# ---------------------------------------------------------------- 1.6


def test_1_6_a_card_of_a_rank_on_the_table_may_be_thrown_in() -> None:
    game = play(given(FOUR), "0:7H")
    assert legal(game, 0) == "+7D pass"
    assert legal(game, 2) == "+7C pass"


def test_1_6_the_ranks_of_defence_cards_count_too() -> None:
    game = play(given(FOUR), "0:7H 1:9H")
    assert legal(game, 2) == "+7C +9C pass"
    assert legal(game, 3) == "+9S pass"


def test_1_6_another_rank_is_refused() -> None:
    assert refusal(play(given(FOUR), "0:7H"), "2:9C") == "rank"


def test_1_6_also_while_the_defender_has_open_cards() -> None:
    assert table(play(given(FOUR), "0:7H 0:7D 2:7C")) == "7H 7D 7C"


def test_1_6_there_is_no_order_among_throwers() -> None:
    assert table(play(given(FOUR), "0:7H 1:9H 3:9S 2:7C")) == "7H-9H 9S 7C"
    assert table(play(given(FOUR), "0:7H 1:9H 2:7C 3:9S")) == "7H-9H 7C 9S"


def test_1_6_the_defender_throws_nothing_in() -> None:
    assert refusal(play(given(FOUR), "0:7H 1:9H 3:9S"), "1:+9D") == "not_your_role"


def test_1_6_a_card_that_was_thrown_in_is_gone() -> None:
    game = play(given(FOUR), "0:7H 2:7C")
    assert refusal(game, "2:7C") == "not_in_hand"
    assert table(game) == "7H 7C"


def test_1_6_a_seat_that_is_out_does_nothing() -> None:
    game = play(given("S | 7H 7D KC / 9H 9D / - / 7C"), "0:7H")
    for move in ("2:+7C", "2:pass", "2:take", "2:leave"):
        assert refusal(game, move) == "seat_out"


# ---------------------------------------------------------------- 1.7


def test_1_7_never_more_than_six_attack_cards() -> None:
    game = given("S | 6H 6D 6C 6S 7H 7C 8C / 7D 8D 8S 9H 9D 9C 10H | stock AS")
    play(game, "0:6H 0:6D 0:6C 0:6S 1:7Dx6D 0:7H 0:7C 1:8Sx6S")
    assert len(game.table) == 6
    assert refusal(game, "0:8C") == "limit"


def test_1_7_never_more_than_the_defender_held_when_the_bout_began() -> None:
    assert refusal(play(given(TWO_TO_BEAT), "0:7H 0:7D"), "2:7C") == "limit"


def test_1_7_beaten_cards_count() -> None:
    game = play(given(TWO_TO_BEAT), "0:7H 1:9H 0:7D")
    assert refusal(game, "2:7C") == "limit"
    play(game, "1:9D", closes=False)
    assert refusal(game, "2:7C") == "limit"


def test_1_7_the_limit_does_not_shrink_with_the_hand() -> None:
    game = play(given("S | 7H 7D 9C KC / 9H 9D AS"), "0:7H 1:9H 0:7D 1:9D")
    assert hand(game, 1) == "AS"
    assert legal(game, 0) == "+9C pass"


def test_1_7_taking_does_not_raise_it() -> None:
    assert refusal(play(given(TWO_TO_BEAT), "0:7H 0:7D 1:take", closes=False), "2:7C") == "limit"
    assert refusal(play(given("S | 7H KC / 9H / 7C 9C"), "0:7H 1:take", closes=False), "2:7C") == "limit"


def test_1_7_each_bout_has_its_own_limit() -> None:
    six = "S | 6H 6D 6C 7H 7D 7C / 8H 8D 8C 9H 9D 9C | stock KH KD KC AH AS"
    game = play(given(six), "0:6H 1:take close")
    assert (len(game.hand(1)), game.kernel.limit) == (7, 6)
    assert play(given("S | 7H KC / 9H QC JC / 8C"), "0:7H 1:9H").kernel.limit == 1


def test_1_7_the_option_of_five_ends_with_the_first_bout() -> None:
    game, _ = Game.deal(ruleset_of("classic", {"limit_first_bout": 5}), shuffled("6S 6H 7C / 7S 8H 9C", "AS"), 2)
    assert (game.kernel.bout, game.kernel.limit) == (1, 5)
    play(game, "0:6H 1:take close")
    assert (game.kernel.bout, game.kernel.limit) == (2, 6)
    text = "S | 6H / 8H 8D 9C 9D 9H 10H | rules classic limit_first_bout=5 | bout "
    assert (given(text + "1").kernel.limit, given(text + "2").kernel.limit) == (5, 6)


def test_1_7_the_option_of_five_raises_no_limit() -> None:
    assert given("S | 6H / 8H 8D | rules classic limit_first_bout=5 | bout 1").kernel.limit == 2


# ---------------------------------------------------------------- 1.8


def test_1_8_one_place_left_the_second_throw_in_is_refused_and_keeps_its_card() -> None:
    game = play(given("S | 7H KC / 9H 9D / 7C 9C / 7D 9S"), "0:7H 3:7D")
    assert refusal(game, "2:7C") == "limit"
    assert hand(game, 2) == "7C 9C"
    assert table(game) == "7H 7D"
