"""Text on a terminal: cards that stay whole, columns of any script, letters where there are no suits."""

import io

import pytest

from durak.clients.words.layout import aligned, clean, folded, speaks_suits
from durak.clients.words.speech import Speech
from durak.protocol.rules.cards import PACK
from tests.clients.cli.shown import ASCII_SPEECH, ENGLISH_SPEECH


def test_letters_of_all_languages_stay() -> None:
    assert clean("Аня и 小明 10♦") == "Аня и 小明 10♦"


@pytest.mark.parametrize("speech", [ENGLISH_SPEECH, ASCII_SPEECH])
def test_33_cards_at_80_columns(speech: Speech) -> None:
    lines = folded(speech.hand(PACK[:33], PACK[:33]), 80)
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 5
    words = " ".join(lines).split()
    for number, card in enumerate(PACK[:33], start=1):
        assert any(f"{number} {speech.card(card)}*" in line for line in lines), "a card and its number stand on one line"
    assert words[0] == "Hand:"


def test_at_60_columns_and_at_almost_none() -> None:
    assert max(map(len, folded(ENGLISH_SPEECH.hand(PACK[:33]), 60))) <= 60
    assert folded("Your turn: lead a card.", 1)[0] == "Your turn: lead a"


def test_help_fits_eighty_columns_when_folded() -> None:
    for line in ENGLISH_SPEECH.language.sentences["help"].splitlines():
        assert max(map(len, folded(line, 80))) <= 80


@pytest.mark.parametrize(
    ("encoding", "environment", "suits"),
    [
        ("utf-8", {"LANG": "de_DE.UTF-8"}, True),
        ("utf-8", {"LANG": "C.UTF-8"}, True),
        ("utf-8", {}, True),
        ("utf-8", {"LANG": "C", "LC_CTYPE": "C.UTF-8"}, False),
        ("utf-8", {"LC_ALL": "C", "LANG": "de_DE.UTF-8"}, False),
        ("utf-8", {"LC_ALL": "POSIX"}, False),
        ("utf-8", {"LANG": "C", "LC_CTYPE": "de_DE.UTF-8"}, True),
        ("utf-8", {"LANG": "C", "PYTHONIOENCODING": "utf-8"}, True),
        ("ascii", {}, False),
        ("latin-1", {"LANG": "de_DE.ISO-8859-1"}, False),
        ("koi8-r", {"LANG": "ru_RU.KOI8-R"}, False),
    ],
)
def test_letters_where_there_is_no_utf_8(encoding: str, environment: dict[str, str], suits: bool) -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    assert speaks_suits(stream, environment) is suits


def test_columns_stand_under_each_other_in_every_script() -> None:
    assert aligned([["NAME", "N"], ["小明", "1"], ["Anna", "12"]], numbers=[1]) == ["NAME   N", "小明   1", "Anna  12"]
