"""RULES 3: what the preset challenge does differently, except the redeal (test_redeal.py)."""

from durak.protocol.rules.events import Deciding, GameResult
from durak.protocol.rules.game import Game
from durak.protocol.rules.result import Score, scored, winner_of
from durak.protocol.rules.ruleset import PRESETS, ruleset_of
from durak.protocol.rules.view import view_of
from tests.protocol.rules.playing import given, hand, legal, play, refusal, result, roles, shuffled, table

TWO = "S | 7H 7D 7C KC KD / 9H 9D AS QS QC | rules challenge"
CHALLENGE = ruleset_of("challenge", {"redeal": False})


# ---------------------------------------------------------------- 3.1


def test_3_1_the_attacker_throws_in_one_at_a_time_each_after_the_previous_was_beaten() -> None:
    game = play(given(TWO), "0:7H")
    assert refusal(game, "0:7D") == "unanswered"
    play(game, "1:9H 0:7D")
    assert refusal(game, "0:7C") == "unanswered"
    assert table(play(game, "1:9D 0:7C")) == "7H-9H 7D-9D 7C"


def test_3_1_with_more_seats_still_the_attacker_only() -> None:
    game = play(given("S | 7H 7D KC / 9H QC / 7C 9C | rules challenge"), "0:7H 1:9H")
    assert refusal(game, "2:7C") == "not_your_role"


# ---------------------------------------------------------------- 3.2


def test_3_2_after_acceptance_the_attacker_may_add_several_cards() -> None:
    game = play(given(TWO), "0:7H 1:take 0:7D 0:7C")
    assert hand(game, 1) == "QS AS 7H 9H 7D 9D 7C QC"
    assert roles(game) == (0, 1)


def test_3_2_until_it_ends_the_attack() -> None:
    game = play(given(TWO), "0:7H 1:take 0:7D")
    assert game.phase == "bout"
    assert play(game, "0:pass").phase == "lead"


def test_3_2_or_nothing_can_be_added() -> None:
    assert play(given("S | 7H KC / 9H QC | rules challenge"), "0:7H 1:take").phase == "lead"


def test_3_2_within_the_limit() -> None:
    game = play(given("S | 7H 7D 7C KC / 9H 9D | rules challenge"), "0:7H 1:take 0:7D")
    assert hand(game, 0) == "7C KC"


# ---------------------------------------------------------------- 3.3


def test_3_3_when_the_attack_has_ended_with_everything_beaten_the_defender_chooses() -> None:
    game = play(given(TWO), "0:7H 1:9H 0:pass", closes=False)
    assert game.close() == [Deciding(1)]
    assert (game.phase, legal(game, 0), legal(game, 1)) == ("decide", "", "finish forfeit")


def test_3_3_finish_discards_and_the_defender_attacks() -> None:
    game = play(given(TWO), "0:7H 1:9H 0:pass 1:finish")
    assert (roles(game), hand(game, 1)) == ((1, 0), "QS AS 9D QC")


def test_3_3_forfeit_takes_everything_and_the_attacker_leads_again_without_adding() -> None:
    game = play(given(TWO), "0:7H 1:9H 0:pass 1:forfeit")
    assert (game.phase, roles(game), hand(game, 1)) == ("lead", (0, 1), "QS AS 7H 9H 9D QC")


def test_3_3_the_choice_comes_only_when_the_attack_has_ended() -> None:
    game = play(given(TWO), "0:7H 1:9H")
    assert refusal(game, "1:finish") == refusal(game, "1:forfeit") == "wrong_phase"


def test_1_22_who_left_without_cards_and_took_some_up_again_loses_by_leaving_again() -> None:
    game = play(given("S | 7H 8C / 9H | rules challenge offer_ms=0"), "0:7H 1:9H 1:leave", closes=False)
    assert (game.left, game.excused, game.may_leave(1)) == ([], [1], False)
    play(game, "1:forfeit")
    assert (game.excused, game.may_leave(1), game.hand(1)) == ([], True, ["7H", "9H"])
    over = result(play(game, "1:leave"))
    assert (over.durak, over.forfeits) == (1, [1])


def test_3_3_nobody_else_chooses_and_nothing_else_is_done_meanwhile() -> None:
    game = play(given(TWO), "0:7H 1:9H 0:pass")
    for move in ("0:finish", "0:forfeit"):
        assert refusal(game, move) == "not_your_role"
    for move in ("0:+7D", "0:pass", "1:take", "0:KC"):
        assert refusal(game, move) == "wrong_phase"


def test_3_3_after_acceptance_there_is_nothing_to_choose() -> None:
    assert play(given(TWO), "0:7H 1:take 0:pass").phase == "lead"


def test_3_3_a_seat_may_leave_while_it_decides() -> None:
    assert result(play(given(TWO), "0:7H 1:9H 0:pass 1:leave")).durak == 1


# ---------------------------------------------------------------- 3.5


def deal(hands: str, *, last: str = "AS", winner: int | None = None, persons: tuple[int, ...] = (0, 1)) -> Game:
    return Game.deal(CHALLENGE, shuffled(hands, last), 2, previous_winner=winner, persons=persons)[0]


def test_3_5_the_winner_of_the_last_decided_game_begins() -> None:
    for winner in (0, 1):
        assert roles(deal("6S / 7S", winner=winner)) == (winner, 1 - winner)


def test_3_5_before_there_is_one_the_lowest_trump() -> None:
    assert roles(deal("9S / 7S")) == (1, 0)


def test_3_5_which_is_shown_to_both_until_the_lead() -> None:
    game = deal("6H 9S / 7S 6D")
    for viewer in (0, 1, None):
        opening = view_of(game, viewer).opening_trump
        assert opening is not None
        assert (opening.seat, opening.card) == (1, "7S")
    play(game, "1:6D")
    assert view_of(game, 0).opening_trump is None


def test_3_5_nothing_is_shown_when_the_winner_begins_or_in_classic() -> None:
    assert view_of(deal("9S / 7S", winner=0), 1).opening_trump is None
    game, _ = Game.deal(PRESETS["classic"], shuffled("9S / 7S", "AS"), 2)
    assert view_of(game, 1).opening_trump is None


def test_3_5_without_trumps_the_lowest_seat_with_a_person_else_seat_0() -> None:
    assert roles(deal("6D / 7D", last="6S", persons=(1,))) == (1, 0)
    assert roles(deal("6D / 7D", last="6S", persons=(0, 1))) == (0, 1)
    assert roles(deal("6D / 7D", last="6S", persons=())) == (0, 1)


def test_3_5_a_draw_keeps_the_earlier_winner() -> None:
    drawn = GameResult([[0, 1]], durak=None, draw=True, forfeits=[])
    decided = GameResult([[1], [0]], durak=0, draw=False, forfeits=[])
    assert winner_of(decided, None) == 1
    assert winner_of(drawn, 1) == 1
    assert winner_of(drawn, None) is None


def test_3_5_a_shared_first_place_falls_back_to_the_lowest_trump() -> None:
    assert winner_of(GameResult([[0, 2], [1]], durak=1, draw=False, forfeits=[]), 1) is None


# ---------------------------------------------------------------- 3.6


def test_3_6_the_seat_that_is_not_the_durak_wins() -> None:
    over = result(play(given("S | 7H / 9H QC | rules challenge"), "0:7H 1:take"))
    assert (over.places, over.durak) == ([[0], [1]], 1)


def test_3_6_both_hands_emptied_by_the_last_bout_is_a_draw() -> None:
    over = result(play(given("S | 7H / 9H | rules challenge"), "0:7H 1:9H 1:finish"))
    assert (over.draw, over.durak, over.giver) == (True, None, None)


# ---------------------------------------------------------------- 3.7


def giver(position: str, moves: str) -> int | None:
    return result(play(given(f"{position} | rules challenge"), moves)).giver


def test_3_7_two_sixes_as_the_last_cards_give_epaulettes() -> None:
    assert giver("S | 6H 6D / 7H 8D 9C", "0:6H 1:7H 0:6D 1:8D 1:finish") == 0


def test_3_7_cards_added_after_acceptance_count() -> None:
    assert giver("S | 6H 6D / 9C 10C", "0:6H 1:take 0:6D") == 0


def test_3_7_the_last_two_of_more_cards() -> None:
    assert giver("S | 8H 6D 6C / 6S 9H 9D 10C", "0:8H 1:6S 0:6D 1:9D 0:6C 1:take") == 0


def test_3_7_a_six_and_another_card_do_not() -> None:
    assert giver("S | 6H 7D / 7H 8D 9C", "0:6H 1:7H 0:7D 1:8D 1:finish") is None
    assert giver("S | 9H 6D / 6S 8D 9C", "0:9H 1:6S 0:6D 1:8D 1:finish") is None


def test_3_7_never_over_two_bouts() -> None:
    game = play(given("S | 6H 6D / 7C 8C 9C | rules challenge"), "0:6H 1:take 0:pass 0:6D 1:take")
    assert (result(game).durak, result(game).giver) == (1, None)


def test_3_7_never_as_defender() -> None:
    assert giver("S | 7H 7D 8C / 6S 9D", "0:7H 1:6S 0:7D 1:9D 1:finish") is None


def test_3_7_never_in_a_draw() -> None:
    assert giver("S | 6H 6D / 7H 8D", "0:6H 1:7H 0:6D 1:8D 1:finish") is None


def test_3_7_never_by_forfeit() -> None:
    assert giver("S | 6H 6D KC / 7H 8D 9C", "0:6H 1:7H 0:6D 1:8D 1:leave") is None


def test_3_7_never_for_the_seat_that_loses() -> None:
    assert giver("S | 6H 6D 9C / 7H 8D", "0:6H 1:7H 0:6D 1:8D 1:finish") is None


def test_3_7_a_double_win_a_double_loss_and_a_pair() -> None:
    over = result(play(given("S | 6H 6D / 9C 10C | rules challenge"), "0:6H 1:take 0:6D"))
    assert scored([Score()] * 2, over) == [Score(wins=2, epaulettes=1), Score(losses=2, epaulettes=-1)]


def test_3_7_needs_the_option() -> None:
    assert giver("S | 6H 6D / 9C 10C", "0:6H 1:take 0:6D") == 0
    game = play(given("S | 6H 6D / 9C 10C | rules challenge epaulettes=off"), "0:6H 1:take 0:6D")
    assert result(game).giver is None
