"""RULES 3.4 and 3.5: the offer period of a redeal table, and who learns what of it."""

from typing import Any

import pytest

from durak.protocol.codec import JSON, MSGPACK, Codec
from durak.protocol.rules.cards import PACK
from durak.protocol.rules.events import Answered, BoutBegan, Dealt
from tests.protocol.rules.playing import shuffled
from tests.server.table.driving import Driven, Fixed, clock, created, events_of, game_view, received, refusal_of, refused, run, view

FIVE_HEARTS = shuffled("6H 7H 8H 9H 10H QC / 6C 7C 6D 7D 8S 7S", "AS")
"""Seat 0 may ask for a redeal."""
BOTH = shuffled("6H 7H 8H 9H 10H QC / 6C 7C 8C 9C 10C 6S", "AS")
NOBODY = shuffled("6H 7H 8H 9H 6D QC / 6C 7C 8C 9C 7D 6S", "AS")
OTHER_HANDS = {"five hearts": FIVE_HEARTS, "both": BOTH, "nobody": NOBODY}


def dealt(deck: list[str], **options: Any) -> Driven:
    return created("challenge", persons=2, start=True, entropy=Fixed(deck), **options)


@pytest.mark.parametrize("deck", OTHER_HANDS.values(), ids=OTHER_HANDS)
def test_3_4_every_deal_shows_the_same_six_seconds(deck: list[str]) -> None:
    driven = dealt(deck)
    assert [clock(driven, who) for who in (0, 1, None)] == ["offer 6000"] * 3
    assert run(driven, "+5999").game.phase == "redeal"
    assert run(driven, "+1").game.phase == "lead"
    assert driven.told[-1].at_ms == 6_000


@pytest.mark.parametrize("deck", OTHER_HANDS.values(), ids=OTHER_HANDS)
def test_3_4_play_waits_for_the_end_of_the_period(deck: list[str]) -> None:
    driven = dealt(deck)
    assert {refused(driven, f"{seat}:{card}") for seat in (0, 1) for card in driven.game.hand(seat)} == {"wrong_phase"}
    assert game_view(driven).attacker is None


def test_3_4_five_cards_of_one_suit_may_ask_and_others_may_not() -> None:
    driven = dealt(FIVE_HEARTS)
    assert len(game_view(driven, 0).legal) == 2
    assert game_view(driven, 1).legal == []
    assert refused(driven, "0:redeal") is None
    assert (refused(driven, "1:redeal"), refused(driven, "1:keep")) == ("not_offered", "not_offered")


@pytest.mark.parametrize("answer", ["redeal", "keep"])
@pytest.mark.parametrize("codec", [JSON, MSGPACK], ids=["json", "msgpack"])
def test_3_4_nobody_but_the_seat_learns_of_its_answer(answer: str, codec: Codec) -> None:
    silent, answered = run(dealt(BOTH), "+1000"), run(dealt(BOTH), "+1000")
    before = view(answered, 0)
    assert events_of(answered, f"0:{answer}") == [Answered(0, answer == "redeal")]
    assert answered.table.seq == silent.table.seq
    for who in ("bob", None):
        assert view(answered, who) == view(silent, who)
        assert received(answered, who, codec) == received(silent, who, codec)
    assert view(answered, 0) != before
    assert len(received(answered, "ann", codec)) == len(received(silent, "ann", codec)) + 1


def test_3_4_declining_and_saying_nothing_are_the_same_to_all_others() -> None:
    silent, kept = run(dealt(BOTH), "+20000"), run(dealt(BOTH), "+1000 0:keep +19000")
    assert received(silent, "bob") == received(kept, "bob")
    assert received(silent, None) == received(kept, None)


def test_3_4_a_seat_does_not_learn_whether_the_other_may_ask() -> None:
    exchange = {"10H": "10D", "10D": "10H"}
    may, may_not = dealt(FIVE_HEARTS), dealt([exchange.get(card, card) for card in FIVE_HEARTS])
    assert (may.game.seats_in(may.game.kernel.offers), may_not.game.kernel.offers) == ([0], 0)
    assert received(may, "bob") == received(may_not, "bob")


@pytest.mark.parametrize("answer", ["redeal", "keep"])
def test_3_4_an_answer_is_final(answer: str) -> None:
    driven = run(dealt(BOTH), f"0:{answer}")
    assert (refused(driven, "0:redeal"), refused(driven, "0:keep")) == ("not_offered", "not_offered")
    assert game_view(driven, 0).legal == []


def test_3_4_answers_take_effect_at_the_end_of_the_period() -> None:
    driven = run(dealt(FIVE_HEARTS), "0:redeal")
    hand = driven.game.hand(0)
    assert run(driven, "+5999").game.hand(0) == hand
    (again,) = events_of(driven, "+1")
    assert isinstance(again, Dealt)
    assert again.again


def test_3_4_two_keeps_do_not_cut_the_period_short() -> None:
    assert clock(run(dealt(BOTH), "+1000 0:keep 1:keep")) == "offer 5000"


def test_3_4_two_requests_are_one_redeal_with_the_deck_of_the_first() -> None:
    driven = dealt(BOTH)
    driven.entropy.next_deck = list(NOBODY)
    run(driven, "1:redeal")
    driven.entropy.next_deck = list(PACK)
    run(driven, "0:redeal +6000")
    assert driven.game.hand(0) == sorted(["6H", "7H", "8H", "9H", "6D", "QC"], key=PACK.index)
    assert clock(driven) == "offer 6000"
    assert run(driven, "+6000").game.phase == "lead"


def test_3_4_a_new_hand_may_qualify_again_and_shows_the_period_again() -> None:
    driven = run(dealt(FIVE_HEARTS), "0:redeal +6000")
    assert clock(driven) == "offer 6000"
    assert refused(driven, "0:redeal") is None


def test_3_4_a_request_for_an_earlier_deal_is_stale() -> None:
    driven = dealt(BOTH)
    late = driven.input("1:redeal")
    run(driven, "0:redeal +5999")
    driven.now_ms += 1
    assert refusal_of(driven, late) == "stale"


def test_3_4_after_the_period_there_is_no_redeal() -> None:
    driven = run(dealt(FIVE_HEARTS), "+6000")
    assert (refused(driven, "0:redeal"), refused(driven, "0:keep")) == ("not_offered", "not_offered")


def test_3_4_a_period_of_0_lets_the_first_request_act_at_once() -> None:
    driven = dealt(BOTH, offer_ms=0)
    assert clock(driven, 1) == "turn 30000 of 0 1"
    second = driven.input("1:redeal")
    answered, again = events_of(driven, "0:redeal")
    assert answered == Answered(0, True)
    assert isinstance(again, Dealt)
    assert refusal_of(driven, second) == "stale"


def test_3_4_other_tables_offer_nothing() -> None:
    assert created("classic", persons=2, start=True, entropy=Fixed(FIVE_HEARTS)).game.phase == "lead"


def test_1_22_leaving_in_the_period_is_a_loss() -> None:
    driven = run(dealt(BOTH), "0:redeal bob:rise")
    assert driven.game.result is not None
    assert (driven.game.result.durak, driven.table.deadline_ms) == (1, None)


def test_1_22_with_three_seats_a_leaving_does_not_cut_the_period_short() -> None:
    deck = shuffled("6H 7H 8H 9H 10H QC / 6C 7C 6D 7D 8S 7S / 8C 9C 8D 9D 10D QD", "AS")
    driven = run(created("challenge", max_players=3, persons=3, start=True, entropy=Fixed(deck)), "+2000 ann:rise")
    assert clock(driven) == "offer 4000"
    assert refused(driven, "ann:redeal") == "already_left"
    assert refused(driven, "0:redeal") is None


# ---------------------------------------------------------------- 3.5


def test_3_5_the_opening_trump_is_shown_from_the_end_of_the_offer_until_the_lead() -> None:
    driven = dealt(FIVE_HEARTS)
    shown = [game_view(driven, who).opening_trump for who in (0, 1, None)]
    assert shown == [None] * 3
    assert BoutBegan(1, 1, 0, 6) in events_of(driven, "+6000")
    for who in (0, 1, None):
        opening = game_view(driven, who).opening_trump
        assert opening is not None
        assert (opening.seat, opening.card) == (1, "7S")
    assert game_view(run(driven, "1:7S")).opening_trump is None
