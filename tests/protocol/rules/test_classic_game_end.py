"""RULES 1.21 to 1.25: the end of the game, leaving, endless play, the score."""

from durak.protocol.rules.actions import Leave
from durak.protocol.rules.events import GameOver, GameResult, Left
from durak.protocol.rules.result import Score, scored
from durak.protocol.rules.view import view_of
from tests.protocol.rules.playing import given, hand, legal, play, refusal, result, roles

FOUR = "S | 7H 7D KC / 9H 9D AS QS / 7C 9C JC / 9S 10C 8C"


# ---------------------------------------------------------------- 1.21


def test_1_21_the_last_seat_with_cards_is_the_durak() -> None:
    game = play(given("S | 6S 7H / 8S | stock 0"), "0:6S 1:8S 0:pass")
    assert result(game) == GameResult([[1], [0]], durak=0, draw=False, forfeits=[])


def test_1_21_the_attackers_last_card_is_taken() -> None:
    assert result(play(given("S | 7H / 9H QC"), "0:7H 1:take")).places == [[0], [1]]


def test_1_21_nobody_left_is_a_draw() -> None:
    over = result(play(given("S | 7H / 9H"), "0:7H 1:9H"))
    assert (over.draw, over.durak, over.places) == (True, None, [[0, 1]])


def test_1_21_also_if_others_went_out_before() -> None:
    over = result(play(given("S | 7H / 9H / - | out 2"), "0:7H 1:9H"))
    assert (over.draw, over.durak, over.places) == (True, None, [[2], [0, 1]])


def test_1_21_places_follow_the_order_of_going_out() -> None:
    game = play(given("S | 7H / 9H QC / KD KH / - | out 3"), "0:7H 1:9H 1:QC 2:take")
    assert result(game).places == [[3], [0], [1], [2]]


def test_1_21_seats_going_out_in_the_same_bout_share_a_place() -> None:
    over = result(play(given("S | 7H / 9H 8D / 7C"), "0:7H 2:7C 1:take"))
    assert (over.places, over.durak) == ([[0, 2], [1]], 1)


def test_1_21_nothing_is_accepted_after_the_end() -> None:
    game = play(given("S | 7H / 9H QC"), "0:7H 1:take")
    for move in ("0:7H", "1:9H", "1:take", "0:pass", "1:leave"):
        assert refusal(game, move) == "wrong_phase"
    assert [legal(game, seat) for seat in (0, 1)] == ["", ""]


def test_1_21_the_result_is_told_and_in_every_view() -> None:
    game = play(given("S | 7H / 9H QC"), "0:7H 1:take", closes=False)
    over = game.close()[-1]
    assert over == GameOver(GameResult([[0], [1]], durak=1, draw=False, forfeits=[]))
    assert [view_of(game, viewer).result for viewer in (0, 1, None)] == [game.result] * 3


# ---------------------------------------------------------------- 1.22


def test_1_22_of_two_the_leaver_loses_at_once() -> None:
    game = play(given("S | 7H KC / 9H QC"), "0:7H 0:leave")
    assert result(game) == GameResult([[1], [0]], durak=0, draw=False, forfeits=[0])


def test_1_22_otherwise_its_cards_stay_in_play_and_somebody_plays_them_on() -> None:
    game = play(given(FOUR), "0:7H 2:leave 1:9H 2:7C")
    assert game.phase == "bout"
    assert hand(game, 2) == "9C JC"
    assert refusal(game, "2:9C") is None
    assert view_of(game, 0).left == [2]


def test_1_22_leaving_changes_nothing_in_the_bout() -> None:
    game = play(given(FOUR), "0:7H 3:pass 1:leave")
    assert (roles(game), game.kernel.passed, game.kernel.epoch) == ((0, 1), 0b1000, 1)


def test_1_22_one_leaves_once() -> None:
    assert refusal(play(given(FOUR), "2:leave"), "2:leave") == "already_left"


def test_1_22_the_game_ends_when_one_seat_that_has_not_left_remains_by_a_leaving() -> None:
    over = result(play(given(FOUR), "2:leave 0:leave 1:leave"))
    assert over == GameResult([[3], [0, 1, 2]], durak=None, draw=False, forfeits=[2, 0, 1])


def test_1_22_the_game_ends_when_one_seat_that_has_not_left_remains_by_a_going_out() -> None:
    over = result(play(given("S | 7H / 9H QC / 8C JC"), "2:leave 0:7H 1:9H"))
    assert over == GameResult([[0], [1], [2]], durak=2, draw=False, forfeits=[2])


def test_1_22_the_leaver_takes_the_last_place_wherever_its_cards_end() -> None:
    over = result(play(given("S | 7H / 9H QC / 8C JC"), "0:leave 0:7H 1:9H 1:QC 2:take"))
    assert over == GameResult([[1], [2], [0]], durak=2, draw=False, forfeits=[0])


def test_1_22_if_another_seat_ends_as_the_durak_it_has_its_loss_as_well() -> None:
    over = result(play(given("S | 7H / 9H QC / 8C JC"), "0:leave 0:7H 1:9H 1:QC 2:take"))
    assert [score.losses for score in scored([Score()] * 3, over)] == [1, 0, 1]


def test_1_22_an_empty_hand_with_an_empty_stock_leaves_without_loss() -> None:
    game = play(given("S | 7H / 9H QC / 7C 8C"), "0:7H")
    assert game.copy().act(0, Leave()) == [Left(0, loss=False)]
    over = result(play(game, "0:leave 1:9H 2:pass 1:QC 2:take"))
    assert over == GameResult([[0], [1], [2]], durak=2, draw=False, forfeits=[])


def test_1_22_it_counts_as_staying() -> None:
    game = play(given("S | 7H / 9H QC / 7C 8C"), "0:7H 0:leave 2:leave")
    assert game.phase == "bout", "seat 0 and seat 1 have not left"
    assert refusal(game, "0:leave") == "already_left"


def test_1_22_with_stock_left_an_empty_hand_loses() -> None:
    game = play(given("S | 7H / 9H QC / 7C 8C | stock AS"), "0:7H")
    assert game.act(0, Leave()) == [Left(0, loss=True)]


def test_1_22_seats_that_are_out_lose_nothing() -> None:
    game = given("S | 7H KC / 9H QC / -")
    assert refusal(game, "2:leave") == "seat_out"
    assert result(play(game, "1:leave")) == GameResult([[2], [0], [1]], durak=1, draw=False, forfeits=[1])


def test_1_22_a_leavers_loss_stands_in_a_draw_too() -> None:
    over = result(play(given("S | 7H / 9H 8C / 7C"), "2:leave 0:7H 1:9H 2:7C 1:8C"))
    assert over == GameResult([[0, 1], [2]], durak=None, draw=True, forfeits=[2])
    assert scored([Score()] * 3, over) == [Score(), Score(), Score(losses=1)]


def test_1_22_several_leavers_share_the_last_place_below_the_durak() -> None:
    game = play(given("S | 7H / 9H QC / 8C JC / KD KH"), "2:leave 3:leave 0:7H 1:9H")
    assert result(game) == GameResult([[0], [1], [2, 3]], durak=None, draw=False, forfeits=[2, 3])


# ---------------------------------------------------------------- 1.24

ENDLESS = "S | 10H 7H / 6H 8H 9H / JH | attacker 1 | rules gameweave"
SIX_BOUTS = "1:6H 2:take 0:7H 1:take 2:6H 0:take 1:7H 2:take 0:6H 1:take 2:7H 0:take "


def test_1_24_the_same_start_of_a_bout_for_the_third_time_is_a_draw() -> None:
    game = play(given(ENDLESS), SIX_BOUTS)
    assert (game.phase, roles(game), hand(game, 1)) == ("lead", (1, 2), "6H 8H 9H")
    over = result(play(game, SIX_BOUTS))
    assert over == GameResult([[0, 1, 2]], durak=None, draw=True, forfeits=[])


def test_1_24_remaining_seats_share_the_last_place() -> None:
    game = given("S | 10H 7H / 6H 8H 9H / JH / - | attacker 1 | rules gameweave | out 3")
    assert result(play(game, SIX_BOUTS * 2)).places == [[3], [0, 1, 2]]


def test_1_24_with_any_leavers() -> None:
    over = result(play(given(ENDLESS), "2:leave " + SIX_BOUTS * 2))
    assert over == GameResult([[0, 1, 2]], durak=None, draw=True, forfeits=[2])


def test_1_24_also_with_stock_left() -> None:
    text = "S | 10H 7H 8C 9C 10C JC QC / 6H 8H 9H 8D 9D 10D JD QD / JH KC KD AC AD QH | attacker 1 | stock AS | rules gameweave"
    game = play(given(text), SIX_BOUTS * 2)
    assert result(game).draw
    assert game.stock == ["AS"]


def test_1_24_another_attacker_or_another_hand_is_another_start() -> None:
    game = play(given(ENDLESS), SIX_BOUTS)
    play(game, "1:8H 2:take 0:7H 1:take 2:8H 0:take 1:7H 2:take 0:8H 1:take 2:7H 0:take")
    assert game.phase == "over", "the same hands, whichever card went round"
    game = play(given(ENDLESS), SIX_BOUTS + SIX_BOUTS.removesuffix("0:take "))
    assert game.phase == "bout"


def test_1_24_what_was_before_the_position_counts() -> None:
    start = "10H 7H / 6H 8H 9H / JH @1"
    game = given(f"{ENDLESS} | before {start}")
    assert result(play(game, SIX_BOUTS)).draw


# ---------------------------------------------------------------- 1.25


def test_1_25_a_win_for_each_seat_first_out_and_a_loss_for_the_durak() -> None:
    over = GameResult([[1, 2], [3], [0]], durak=0, draw=False, forfeits=[])
    assert scored([Score()] * 4, over) == [Score(losses=1), Score(wins=1), Score(wins=1), Score()]


def test_1_25_a_draw_counts_for_nobody() -> None:
    over = GameResult([[2], [0, 1]], durak=None, draw=True, forfeits=[])
    before = [Score(wins=1), Score(losses=2), Score(epaulettes=-1)]
    assert scored(before, over) == before


def test_1_25_scores_add_up() -> None:
    over = GameResult([[1], [0]], durak=0, draw=False, forfeits=[])
    scores = scored(scored([Score()] * 2, over), over)
    assert scores == [Score(losses=2), Score(wins=2)]


def test_1_25_the_durak_that_left_has_one_loss() -> None:
    over = result(play(given("S | 7H KC / 9H QC"), "0:leave"))
    assert scored([Score()] * 2, over) == [Score(losses=1), Score(wins=1)]
