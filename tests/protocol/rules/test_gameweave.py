"""RULES 2: what the preset gameweave does differently."""

from durak.protocol.rules.game import Game
from durak.protocol.rules.ruleset import PRESETS
from tests.protocol.rules.playing import given, hand, legal, play, refusal, roles, shuffled, table

THREE = "S | 7H 7D KC KD / 9H 9D AS QS / 7C 9C JC | rules gameweave"


# ---------------------------------------------------------------- 2.1


def test_2_1_only_the_attacker_throws_in() -> None:
    game = play(given(THREE), "0:7H 1:9H")
    assert legal(game, 0) == "+7D pass"
    assert legal(game, 2) == ""
    assert refusal(game, "2:7C") == refusal(game, "2:pass") == "not_your_role"


def test_2_1_only_when_no_card_is_open() -> None:
    game = play(given(THREE), "0:7H")
    assert refusal(game, "0:7D") == "unanswered"
    assert table(play(game, "1:9H 0:7D")) == "7H-9H 7D"


def test_2_1_the_bout_is_quiet_though_others_hold_matching_cards() -> None:
    assert play(given("S | 7H KC / 9H QC / 7C 9C | rules gameweave"), "0:7H 1:9H", closes=False).quiet()


# ---------------------------------------------------------------- 2.2


def test_2_2_taking_ends_the_bout_at_once_whatever_the_attacker_still_holds() -> None:
    game = play(given(THREE), "0:7H 1:take", closes=False)
    assert (game.phase, roles(game)) == ("lead", (2, 0))
    assert hand(game, 1) == "QS AS 7H 9H 9D"


def test_2_2_taking_is_possible_though_the_card_can_be_beaten() -> None:
    assert legal(play(given(THREE), "0:7H"), 1) == "9Hx7H ASx7H QSx7H take"


# ---------------------------------------------------------------- 2.3


def test_2_3_finishing_the_bout_is_the_attackers_pass() -> None:
    game = play(given(THREE), "0:7H 1:9H 0:pass")
    assert (game.phase, roles(game)) == ("lead", (1, 2))


def test_2_3_only_once_a_card_has_been_beaten_and_none_is_open() -> None:
    assert refusal(given(THREE), "0:pass") == "table_empty"
    game = play(given(THREE), "0:7H")
    assert refusal(game, "0:pass") == "unanswered"
    assert refusal(play(game, "1:9H 0:7D"), "0:pass") == "unanswered"


def test_2_3_the_bout_ends_by_itself_when_the_attacker_can_add_nothing() -> None:
    game = play(given("S | 7H KC / 9H QC / 7C 9C | rules gameweave"), "0:7H 1:9H")
    assert (game.phase, roles(game)) == ("lead", (1, 2))


def test_2_3_on_a_discreet_table_it_ends_by_the_pass() -> None:
    game = play(given("S | 7H KC / 9H QC / 7C 9C | rules gameweave discreet=on"), "0:7H 1:9H")
    assert game.phase == "bout"
    assert play(game, "0:pass").phase == "lead"


def test_2_3_there_is_no_throw_in_window() -> None:
    assert PRESETS["gameweave"].window_ms is None


# ---------------------------------------------------------------- 2.4


def test_2_4_the_lowest_trump_leads() -> None:
    assert roles(Game.deal(PRESETS["gameweave"], shuffled("9S / 7S", "AS"), 2)[0]) == (1, 0)


def test_2_4_the_first_seat_leads_only_when_nobody_holds_a_trump() -> None:
    for first_seat in (0, 1):
        deck = shuffled("6D / 7D", "6S", first=first_seat)
        game, _ = Game.deal(PRESETS["gameweave"], deck, 2, first_seat=first_seat, previous_winner=1 - first_seat)
        assert roles(game) == (first_seat, 1 - first_seat)


# ---------------------------------------------------------------- the rest is classic


def test_2_limit_and_draw_order_are_those_of_classic() -> None:
    game = given("S | 7H 8D 9D 10D JD QD / 9H 8C 9C 10C JC QC / 6C 6D 6S 7S 8S 9S | stock KH KD AS | rules gameweave")
    assert game.kernel.limit == 6
    play(game, "0:7H 1:9H 0:pass")
    assert ("KH" in game.hand(0), "KD" in game.hand(1), game.stock) == (True, True, ["AS"])
