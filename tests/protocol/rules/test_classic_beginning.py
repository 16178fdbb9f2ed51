"""RULES 1.1 to 1.4: the pack, the trump, six players, who begins."""

import pytest

from durak.protocol.rules.cards import PACK
from durak.protocol.rules.events import BoutBegan, Dealt
from durak.protocol.rules.game import Game
from durak.protocol.rules.ruleset import PRESETS
from durak.protocol.rules.view import view_of
from tests.protocol.rules.playing import given, hand, play, roles, shuffled

CLASSIC = PRESETS["classic"]


def deal(deck: list[str], players: int, *, first_seat: int = 0) -> Game:
    return Game.deal(CLASSIC, deck, players, first_seat=first_seat)[0]


def test_1_1_the_pack_is_36_cards_from_six_to_ace() -> None:
    assert len(set(PACK)) == 36
    assert {card[:-1] for card in PACK} == set("6789JQKA") | {"10"}
    assert {card[-1] for card in PACK} == set("SHDC")


@pytest.mark.parametrize("players", range(2, 7))
def test_1_1_each_seat_gets_six_cards_and_the_rest_is_the_stock(players: int) -> None:
    game = deal(list(PACK), players)
    assert [len(game.hand(seat)) for seat in range(players)] == [6] * players
    assert game.stock == list(PACK[6 * players :])


def test_1_1_cards_are_dealt_one_at_a_time_clockwise_from_the_first_seat() -> None:
    game = deal(list(PACK), 3, first_seat=2)
    assert game.hand(2) == sorted(PACK[0:18:3], key=PACK.index)
    assert game.hand(0) == sorted(PACK[1:18:3], key=PACK.index)
    assert game.hand(1) == sorted(PACK[2:18:3], key=PACK.index)


def test_1_1_the_dealing_tells_each_hand_and_the_first_bout() -> None:
    _, (dealt, began) = Game.deal(CLASSIC, shuffled("7S / 6S / 8S", "AS"), 3)
    assert isinstance(dealt, Dealt)
    assert "6S" in dealt.hands[1]
    assert began == BoutBegan(bout=1, attacker=1, defender=2, limit=6)


def test_1_2_the_last_card_of_the_pack_sets_the_trump_and_lies_under_the_stock() -> None:
    game = deal(shuffled("6S / 7S", "QS"), 2)
    assert game.stock[-1] == "QS"
    view = view_of(game, None)
    assert (view.trump, view.trump_card, view.stock) == ("S", "QS", 24)


def test_1_2_the_trump_stays_known_after_its_card_has_been_drawn() -> None:
    game = play(given("S | 7H 6D 9D 10D JD KC / 8H 7D 9C 10C JC QC | stock AS"), "0:7H 1:8H")
    assert "AS" in game.hand(0)
    view = view_of(game, 1)
    assert (view.trump, view.trump_card, view.stock) == ("S", "AS", 0)


def test_1_3_with_six_players_the_last_card_dealt_is_shown_and_belongs_to_its_hand() -> None:
    game = deal(shuffled("7D / 8D / 9D / 10D / 6S / KS", "KS"), 6)
    assert game.stock == []
    assert "KS" in game.hand(5)
    shown = view_of(game, 2).shown_trump
    assert shown is not None
    assert (shown.seat, shown.card) == (5, "KS")


@pytest.mark.parametrize("first_seat", range(6))
def test_1_3_the_last_card_belongs_to_the_seat_on_the_right_of_the_first_seat(first_seat: int) -> None:
    game = deal(list(PACK), 6, first_seat=first_seat)
    assert game.dealt_trump == ((first_seat - 1) % 6, PACK.index("AC"))
    assert "AC" in game.hand((first_seat - 1) % 6)


def test_1_3_the_shown_card_is_shown_until_it_is_played() -> None:
    game = deal(shuffled("KD / 8D / 9D / 10D / 6S QC / KS", "KS"), 6)
    play(game, "4:QC")
    assert view_of(game, 0).shown_trump is not None
    play(game, "5:KS")
    assert view_of(game, 0).shown_trump is None


def test_1_3_played_and_taken_up_again_it_is_an_ordinary_card() -> None:
    game = deal(shuffled("KD / 8D / 9D / 10D / 6S QC / KS", "KS"), 6)
    play(game, "4:QC 5:KS 0:KD 5:take close")
    assert "KS" in game.hand(5)
    assert view_of(game, 0).shown_trump is None


def test_1_3_the_shown_card_counts_for_who_begins() -> None:
    game = deal(shuffled("7D / 8D / 9D / 10D / JD / 6S", "6S"), 6)
    assert roles(game) == (5, 0)


def test_1_4_the_lowest_trump_in_a_hand_begins() -> None:
    assert roles(deal(shuffled("9S / 10S / 7S", "AS"), 3)) == (2, 0)


def test_1_4_the_trump_card_under_the_stock_is_in_no_hand() -> None:
    assert roles(deal(shuffled("9S / 10S / 7S", "6S"), 3)) == (2, 0)


@pytest.mark.parametrize("first_seat", range(3))
def test_1_4_if_nobody_holds_a_trump_the_first_seat_begins(first_seat: int) -> None:
    game = deal(shuffled("6D / 7D / 8D", "6S", first=first_seat), 3, first_seat=first_seat)
    assert not any(card.endswith("S") for seat in range(3) for card in hand(game, seat).split())
    assert roles(game) == (first_seat, (first_seat + 1) % 3)
