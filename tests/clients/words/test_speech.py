"""Cards as they are shown and typed, in English and in a language with other ranks."""

import pytest

from durak.clients.words.speech import in_order
from durak.protocol.rules.cards import PACK
from tests.clients.cli.shown import ASCII_SPEECH, ENGLISH_SPEECH, plain
from tests.clients.words.russian import RUSSIAN


def test_every_card_is_read_as_it_is_shown() -> None:
    for speech in (ENGLISH_SPEECH, ASCII_SPEECH, RUSSIAN):
        for card in PACK:
            assert speech.read_card(speech.card(card)) == card


@pytest.mark.parametrize("typed", ["10d", "10D", "10♦", "10♢", "10♦\ufe0f"])
def test_a_card_is_typed_in_many_ways(typed: str) -> None:
    assert ENGLISH_SPEECH.read_card(typed) == "10D"


@pytest.mark.parametrize("typed", ["", "1", "10", "d", "5s", "11s", "7x", "7ss", "j", "s7", "10dd", "²s", "ßs", "7 s"])
def test_what_is_no_card_is_none(typed: str) -> None:
    assert ENGLISH_SPEECH.read_card(typed) is None


def test_ascii_cards() -> None:
    assert ASCII_SPEECH.cards(["10D", "QS", "6H", "AC"]) == "10d Qs 6h Ac"
    assert ENGLISH_SPEECH.cards(["10D", "QS", "6H", "AC"]) == "10♦ Q♠ 6♥ A♣"


def test_trumps_stand_left_then_by_rank() -> None:
    assert " ".join(in_order(["6S", "QS", "9H", "10D", "6C", "JC"], "D")) == "10D 6S 6C 9H JC QS"


def test_russian_has_its_own_ranks() -> None:
    assert RUSSIAN.cards(["QH", "10D"]) == "Д♥ 10♦"
    assert RUSSIAN.read_card("дh") == "QH"


def test_english_plural() -> None:
    assert plain(ENGLISH_SPEECH("note.cards", count=1)) == "1 card"
    assert plain(ENGLISH_SPEECH("note.cards", count=0)) == "0 cards"


def test_an_enumeration() -> None:
    assert ENGLISH_SPEECH.several(["Anna", "Boris", "Vera"]) == "Anna, Boris and Vera"
