"""RULES 3.4: the redeal, with an offer period and without."""

import pytest

from durak.protocol.rules.actions import Keep, Redeal
from durak.protocol.rules.cards import PACK
from durak.protocol.rules.errors import NotationError
from durak.protocol.rules.events import Answered, BoutBegan, Dealt
from durak.protocol.rules.game import Game
from durak.protocol.rules.notation import write_position
from durak.protocol.rules.ruleset import PRESETS, Ruleset, ruleset_of
from durak.protocol.rules.view import seen, view_of
from tests.protocol.rules.playing import everything, given, hand, legal, play, refusal, roles, shuffled

FIVE_HEARTS = "7H 8H 9H JH QH 7C / 6D 7D 8S 9C 10D KC"
BOTH = "7H 8H 9H JH QH 7C / 6D 7D 8D 9D 10D KS"
NOBODY = "7H 8H 9H JH 8C 7C / 6D 7D 8S 9D 10D KC"
AT_ONCE = ruleset_of("challenge", {"offer_ms": 0})
IN_A_PERIOD = PRESETS["challenge"]


def deal(hands: str, ruleset: Ruleset = AT_ONCE) -> Game:
    return Game.deal(ruleset, shuffled(hands, "AS"), 2)[0]


def pack(hands: str) -> list[str]:
    return shuffled(hands, "AD")


# ---------------------------------------------------------------- who is offered it


def test_3_4_five_cards_of_one_suit_are_offered_a_redeal() -> None:
    game = deal(FIVE_HEARTS)
    assert (game.phase, legal(game, 0), legal(game, 1)) == ("redeal", "keep redeal", "")
    assert refusal(game, "1:redeal") == refusal(game, "1:keep") == "not_offered"


def test_3_4_four_are_not() -> None:
    assert deal(NOBODY).phase == "lead"


def test_3_4_without_the_option_nobody_is() -> None:
    for ruleset in (PRESETS["classic"], PRESETS["gameweave"], ruleset_of("challenge", {"redeal": False})):
        game = deal(FIVE_HEARTS, ruleset)
        assert game.phase == "lead"
        assert refusal(game, "0:redeal") == "not_offered"


def test_3_4_nothing_else_is_done_before() -> None:
    game = deal(FIVE_HEARTS)
    for move in ("0:7H", "1:8S", "0:pass", "1:take", "1:finish"):
        assert refusal(game, move) == "wrong_phase"


def test_3_4_there_is_no_redeal_after_the_first_lead_or_before_another_bout() -> None:
    game = play(deal(FIVE_HEARTS), "0:keep")
    assert refusal(game, "0:redeal") == "not_offered"
    attacker, defender = roles(game)
    play(game, f"{attacker}:{game.hand(attacker)[0]} {defender}:take {attacker}:pass")
    assert (game.phase, refusal(game, "0:redeal")) == ("lead", "not_offered")


# ---------------------------------------------------------------- what it does


def test_3_4_all_cards_are_dealt_anew_and_everything_computed_afresh() -> None:
    game = deal(FIVE_HEARTS)
    assert (game.kernel.trump, game.kernel.epoch) == (0, 0)
    play(game, "0:redeal", decks=[pack("6S 7S 8H 9C 10D JC / 6D 7D 8S 9H 10S KC")])
    assert (hand(game, 0), hand(game, 1)) == ("6S 7S 8H 10D 9C JC", "8S 10S 9H 6D 7D KC")
    view = view_of(game, 0)
    assert (view.trump, view.trump_card, view.epoch, view.bout) == ("D", "AD", 2, 1)
    assert roles(game) == (1, 0)


def test_3_4_declined_the_game_goes_on_with_the_cards_dealt() -> None:
    game = play(deal(FIVE_HEARTS), "0:keep")
    assert (game.phase, roles(game), game.kernel.epoch) == ("lead", (1, 0), 1)


def test_3_4_a_new_hand_may_qualify_again() -> None:
    game = play(deal(FIVE_HEARTS), "0:redeal", decks=[pack(FIVE_HEARTS)])
    assert (game.phase, legal(game, 0), game.kernel.epoch) == ("redeal", "keep redeal", 1)
    assert refusal(game, "0:keep", epoch=0) == "stale"


def test_3_4_if_both_may_either_may() -> None:
    game = play(deal(BOTH), "0:keep")
    assert (game.phase, legal(game, 0), legal(game, 1)) == ("redeal", "", "keep redeal")
    assert play(game.copy(), "1:keep").phase == "lead"
    assert play(game, "1:redeal", decks=[pack(NOBODY)]).kernel.epoch == 2


def test_3_4_more_than_two_seats_may_have_it_too() -> None:
    deck = shuffled("7H 8H 9H JH QH 7C / 6D 7D 8S 9C 10D KC / 6S 7S 9S 10S JS 6C", "AS")
    game, _ = Game.deal(ruleset_of("classic", {"redeal": True}), deck, 3)
    assert [legal(game, seat) for seat in range(3)] == ["keep redeal", "", "keep redeal"]


# ---------------------------------------------------------------- the offer period


def test_3_4_every_deal_has_the_period_offer_or_not() -> None:
    for hands in (NOBODY, FIVE_HEARTS, BOTH):
        game = deal(hands, IN_A_PERIOD)
        assert game.phase == "redeal"
        assert play(game, "offer").phase == "lead"


def test_3_4_a_redeal_has_it_again() -> None:
    game = play(deal(FIVE_HEARTS, IN_A_PERIOD), "0:redeal offer", decks=[pack(NOBODY)])
    assert (game.phase, game.kernel.epoch, game.kernel.bout) == ("redeal", 1, 0)
    assert play(game, "offer").kernel.epoch == 2


def test_3_4_answers_take_effect_at_its_end() -> None:
    game = play(deal(FIVE_HEARTS, IN_A_PERIOD), "0:redeal", decks=[pack(NOBODY)])
    assert (game.phase, game.kernel.epoch, "7H" in game.hand(0)) == ("redeal", 0, True)
    kept = play(deal(FIVE_HEARTS, IN_A_PERIOD), "0:keep")
    assert kept.phase == "redeal"


def test_3_4_answers_are_final() -> None:
    for answer in ("keep", "redeal"):
        game = play(deal(BOTH, IN_A_PERIOD), f"0:{answer}", decks=[pack(NOBODY)])
        assert refusal(game, "0:redeal") == refusal(game, "0:keep") == "not_offered"


def test_3_4_two_requests_are_one_redeal_with_the_first_pack() -> None:
    first, second = pack(NOBODY), pack(FIVE_HEARTS)
    game = play(deal(BOTH, IN_A_PERIOD), "1:redeal 0:redeal offer", decks=[first, second])
    assert [game.hand(seat)[0] for seat in (0, 1)] == ["7H", "8S"]
    assert "8C" in game.hand(0)
    assert game.redeal_deck is None


def test_3_4_answers_are_told_to_the_table_in_their_order_and_count_for_their_own_seat() -> None:
    game = deal(BOTH, IN_A_PERIOD)
    assert game.act(1, Keep()) == [Answered(1, False)]
    assert (legal(game, 0), legal(game, 1)) == ("keep redeal", "")
    assert game.act(0, Redeal(), deck=pack(NOBODY)) == [Answered(0, True)]
    assert (legal(game, 0), game.redeal_deck) == ("", pack(NOBODY))
    assert [type(event) for event in game.end_offer()] == [Dealt]


def test_3_4_at_once_the_answer_and_what_follows_are_told_together() -> None:
    game = deal(BOTH)
    assert game.act(0, Keep()) == [Answered(0, False)]
    kept, begun = game.act(1, Keep())
    assert (kept, type(begun)) == (Answered(1, False), BoutBegan)
    again = deal(BOTH)
    asked, dealt, begun = again.act(0, Redeal(), deck=pack(NOBODY))
    assert (asked, type(dealt), type(begun)) == (Answered(0, True), Dealt, BoutBegan)
    assert again.epoch == 2


@pytest.mark.parametrize("answers", ["0:keep", "0:redeal", "1:keep", "0:keep 1:redeal", "0:redeal 1:redeal", "0:keep 1:keep"])
def test_3_4_a_position_has_the_answers_given(answers: str) -> None:
    asks = "redeal" in answers
    text = f"S | 7C 7H 8H 9H JH QH / KS 6D 7D 8D 9D 10D | stock AS | redeal {answers} | rules challenge"
    text += f" | deck {' '.join(PACK)}" if asks else ""
    game = given(text)
    assert everything(given(write_position(game))) == everything(game)
    for seat in (0, 1):
        assert legal(game, seat) == ("" if f"{seat}:" in answers else "keep redeal")
    ended = [type(event) for event in game.end_offer()]
    assert ended == ([Dealt] if asks else [BoutBegan])
    assert (game.hand(0)[0] == "6S") == asks


@pytest.mark.parametrize(
    ("answers", "what"),
    [
        ("2:keep", "not a number from 0 to 1"),
        ("0:perhaps", "is not an answer"),
        ("0:keep 0:keep", "stands twice"),
        ("0:redeal", "a request for a redeal has one"),
        ("0:keep | deck 6S", "the 36 different cards"),
    ],
)
def test_3_4_answers_that_nobody_could_give_are_no_position(answers: str, what: str) -> None:
    with pytest.raises(NotationError, match=what):
        given(f"S | 7C 7H 8H 9H JH QH / KS 6D 7D 8D 9D 10D | stock AS | rules challenge | redeal {answers}")


# ---------------------------------------------------------------- who learns of it


def test_3_4_nobody_learns_who_qualifies_or_what_another_answered() -> None:
    assert view_of(deal(FIVE_HEARTS, IN_A_PERIOD), 1) == view_of(deal(FIVE_HEARTS.replace("7C", "10H"), IN_A_PERIOD), 1)
    game = play(deal(BOTH, IN_A_PERIOD), "0:keep")
    assert view_of(game, 1) == view_of(deal(BOTH, IN_A_PERIOD), 1)
    assert (seen(Answered(0, True), 0), seen(Answered(0, True), 1), seen(Answered(0, True), None)) == (
        Answered(0, True),
        None,
        None,
    )


def test_3_4_the_first_attacker_is_chosen_after_the_offer() -> None:
    game = deal(FIVE_HEARTS, IN_A_PERIOD)
    for viewer in (0, 1, None):
        view = view_of(game, viewer)
        assert (view.attacker, view.defender, view.opening_trump) == (None, None, None)
    assert game.end_offer() == [BoutBegan(bout=1, attacker=1, defender=0, limit=6)]
    assert view_of(game, 0).opening_trump is not None


def test_3_4_a_request_is_told_as_a_new_deal() -> None:
    game = play(deal(FIVE_HEARTS, IN_A_PERIOD), "0:redeal", decks=[pack(NOBODY)])
    (dealt,) = game.end_offer()
    assert isinstance(dealt, Dealt)
    assert dealt.again


def test_3_4_a_seat_may_leave_during_the_offer() -> None:
    game = play(deal(FIVE_HEARTS, IN_A_PERIOD), "0:leave")
    assert game.phase == "over"
    assert refusal(game, "0:keep") == "wrong_phase"
