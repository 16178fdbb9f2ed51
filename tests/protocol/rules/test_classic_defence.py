"""RULES 1.9 and 1.10: beating and taking."""

import pytest

from durak.protocol.rules.cards import PACK, RANKS
from tests.protocol.rules.playing import given, hand, legal, play, refusal, roles, table

# ---------------------------------------------------------------- 1.9


def test_1_9_a_higher_card_of_the_suit_or_any_trump_beats() -> None:
    game = play(given("S | 7H 9D / 6H 8H 6S KD"), "0:7H")
    assert legal(game, 1) == "6Sx7H 8Hx7H take"


def test_1_9_a_lower_card_or_another_plain_suit_does_not() -> None:
    game = play(given("S | 7H 9D / 6H 8H 6S KD"), "0:7H")
    assert refusal(game, "1:6H") == "does_not_beat"
    assert refusal(game, "1:KD") == "does_not_beat"


def test_1_9_a_trump_is_beaten_by_a_higher_trump_only() -> None:
    game = play(given("S | 9S 6D / 8S 10S AH AD"), "0:9S")
    assert legal(game, 1) == "10Sx9S take"


def test_1_9_the_trump_ace_cannot_be_beaten() -> None:
    game = play(given("S | AS 6D / 6S KS AH AD"), "0:AS")
    assert legal(game, 1) == "take"


@pytest.mark.parametrize("attack", PACK)
def test_1_9_all_cards_against_all(attack: str) -> None:
    others = [card for card in PACK if card != attack]
    game = given(f"D | - / {' '.join(others)} | table {attack} | out -")
    beating = {move.partition("x")[0] for move in legal(game, 1).split() if move != "take"}
    expected = {
        card
        for card in others
        if (card[-1] == attack[-1] and RANKS.index(card[:-1]) > RANKS.index(attack[:-1])) or (card[-1] == "D" != attack[-1])
    }
    assert beating == expected


def test_1_9_there_is_no_duty_to_follow_suit() -> None:
    assert table(play(given("S | 7H 9D / 8H 6S KD"), "0:7H 1:6S", closes=False)) == "7H-6S"


def test_1_9_any_order() -> None:
    assert table(play(given("S | KC / 8H 9D 6S QC | table 7H 7D"), "1:9D")) == "7H 7D-9D"


def test_1_9_the_action_names_its_target() -> None:
    game = given("S | KC / 8H 9D 6S QC | table 7H 7D")
    assert legal(game, 1) == "6Sx7D 6Sx7H 8Hx7H 9Dx7D take"
    assert table(play(game.copy(), "1:6Sx7D")) == "7H 7D-6S"
    assert table(play(game.copy(), "1:6Sx7H")) == "7H-6S 7D"


def test_1_9_the_target_may_be_left_out_when_only_one_is_possible() -> None:
    game = given("S | KC / 8H 9D 6S QC | table 7H 7D")
    assert refusal(game, "1:6Sx") == "target_needed"
    assert table(play(game, "1:8Hx 1:6Sx", closes=False)) == "7H-8H 7D-6S"


def test_1_9_a_target_has_to_be_open() -> None:
    game = play(given("S | KC / 8H 9D 6S QC | table 7H 7D"), "1:8H")
    assert refusal(game, "1:6Sx7H") == "bad_target"
    assert refusal(game, "1:6Sx9C") == "bad_target"
    assert refusal(game, "1:9Dx7D") is None
    assert refusal(game, "1:QCx7D") == "does_not_beat"


def test_1_9_only_the_defender_beats_and_with_a_card_of_its_own() -> None:
    game = play(given("S | 7H KC / 9H QC / 8H"), "0:7H")
    assert refusal(game, "2:8Hx7H") == "not_your_role"
    assert refusal(game, "1:8Hx7H") == "not_in_hand"


# ---------------------------------------------------------------- 1.10


def test_1_10_the_defender_may_take_what_it_could_beat() -> None:
    game = play(given("S | 7H KC / 9H QC / 8C"), "0:7H 1:take")
    assert hand(game, 1) == "7H 9H QC"
    assert roles(game) == (2, 0)


def test_1_10_while_at_least_one_card_is_open() -> None:
    game = play(given("S | 7H 7D KC / 9H QC / 8C"), "0:7H 0:7D 1:9H 1:take")
    assert hand(game, 1) == "7H 9H 7D QC"


def test_1_10_never_when_all_is_beaten() -> None:
    game = play(given("S | 7H 7D KC / 9H QC / 8C"), "0:7H 1:9H")
    assert game.phase == "bout"
    assert refusal(game, "1:take") == "nothing_to_take"


def test_1_10_it_is_final() -> None:
    game = play(given("S | 7H 7D KC / 9H QC / 8C"), "0:7H 1:take")
    assert legal(game, 1) == ""
    assert refusal(game, "1:9Hx7H") == "already_taking"
    assert refusal(game, "1:take") == "already_taking"


def test_1_10_nobody_else_takes() -> None:
    game = play(given("S | 7H 7D KC / 9H QC / 8C"), "0:7H")
    assert refusal(game, "0:take") == refusal(game, "2:take") == "not_your_role"
