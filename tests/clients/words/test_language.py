"""Cards, plural forms, and a catalogue without gaps: another language needs nothing but its own sentences."""

import re
from pathlib import Path
from string import Formatter

import pytest

from durak.clients import cli, words
from durak.clients.words.english import ENGLISH, LANGUAGES
from durak.clients.words.language import Language, Speech, in_order
from durak.protocol.messages import Detached, Level
from durak.protocol.rules.cards import PACK
from durak.protocol.rules.errors import Reason
from durak.protocol.rules.events import Attacked
from tests.clients.cli.shown import ASCII_SPEECH, ENGLISH_SPEECH, plain

SOURCES = [path for room in (cli, words) for path in Path(next(iter(room.__path__))).glob("*.py") if path.name != "english.py"]
ATTACKS = tuple(f"event.{kind.__struct_config__.tag}" for kind in Attacked.__subclasses__())
COMPUTED = ("error.", "suit.", "tables.", "can.", "problem.", "detached.", "event.bout", *ATTACKS)
"""Keys that begin so are also made while running."""


def russian_plural(number: int) -> int:
    if number % 10 == 1 and number % 100 != 11:
        return 0
    return 1 if 2 <= number % 10 <= 4 and not 12 <= number % 100 <= 14 else 2


RUSSIAN = Speech(Language("ru", {"n": "{n:карта|карты|карт}"}, russian_plural, ranks={"J": "В", "Q": "Д", "K": "К", "A": "Т"}))


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


def test_russian_has_three_forms_and_its_own_ranks() -> None:
    assert [plain(RUSSIAN("n", n=number)) for number in (1, 3, 6, 11, 21, 112)] == [
        "1 карта",
        "3 карты",
        "6 карт",
        "11 карт",
        "21 карта",
        "112 карт",
    ]
    assert RUSSIAN.cards(["QH", "10D"]) == "Д♥ 10♦"
    assert RUSSIAN.read_card("дh") == "QH"


def test_english_plural() -> None:
    assert plain(ENGLISH_SPEECH("note.cards", count=1)) == "1 card"
    assert plain(ENGLISH_SPEECH("note.cards", count=0)) == "0 cards"


def test_every_key_in_the_code_has_its_sentence() -> None:
    used = {key for path in SOURCES for key in re.findall(r'"((?:[a-z]+)\.[a-z_.]+[a-z])"', path.read_text())}
    groups = {key.partition(".")[0] for key in ENGLISH.sentences if "." in key}
    missing = {key for key in used if key.partition(".")[0] in groups} - set(ENGLISH.sentences)
    assert not missing


def test_every_sentence_is_used() -> None:
    quoted = set(re.findall(r"""["']([a-z_.]+)["']""", "".join(path.read_text() for path in SOURCES)))
    assert not {key for key in ENGLISH.sentences if not {key, key.removesuffix(".you")} & quoted and not key.startswith(COMPUTED)}


def test_every_sentence_to_you_has_one_about_others_with_no_more_parameters() -> None:
    for key, sentence in ENGLISH.sentences.items():
        if key.endswith(".you") and key != "who.you" and key != "note.you" and key != "event.drew.you":
            assert parameters(sentence) <= parameters(ENGLISH.sentences[key.removesuffix(".you")]) | {"cards"}


def parameters(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


def test_all_languages_have_the_same_keys_and_parameters() -> None:
    for language in LANGUAGES.values():
        assert set(language.sentences) == set(ENGLISH.sentences)
        for key, sentence in language.sentences.items():
            assert parameters(sentence) == parameters(ENGLISH.sentences[key])


def test_every_attack_has_its_sentences() -> None:
    assert set(ATTACKS) >= {"event.led", "event.threw_in"}
    for key in ATTACKS:
        assert {key, f"{key}.you"} <= set(ENGLISH.sentences)


def test_every_refusal_of_the_rules_has_a_sentence() -> None:
    for reason in Reason:
        assert f"error.{reason.code}" in ENGLISH.sentences


def test_every_refusal_of_the_server_has_a_sentence() -> None:
    server = pytest.importorskip("durak.server.app").__file__
    sources = "".join(path.read_text() for path in Path(server).parent.rglob("*.py"))
    codes = set(re.findall(r'\b(?:Refused|Error)\(\s*"([a-z_]+)"', sources)) | set(
        re.findall(r'OptionRefused\("([a-z_]+)"', sources)
    )
    assert codes >= {"no_such_table", "no_bots", "not_host"}
    assert not {code for code in codes if f"error.{code}" not in ENGLISH.sentences} - {"already_greeted"}


def test_every_way_to_be_detached_has_a_sentence() -> None:
    for reason in Detached.__annotations__["reason"].__args__:
        assert f"detached.{reason}" in ENGLISH.sentences


def test_sentences_without_cards_are_ascii() -> None:
    assert Level
    for sentence in ENGLISH.sentences.values():
        assert sentence.isascii()
