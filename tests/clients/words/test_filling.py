"""Sentences with gaps: what vectors.json says of them holds for the page too."""

import json
from pathlib import Path
from typing import Any

import pytest

from durak.clients.words.filling import NO_BREAK, BadSentence, Filler, read_sentence
from durak.clients.words.language import NUMBERS, Numbers
from tests.clients.words.russian import RUSSIAN_NUMBERS

VECTORS = json.loads((Path(__file__).parent / "vectors.json").read_text(encoding="utf-8"))
RULES = {**NUMBERS, "ru": RUSSIAN_NUMBERS}


def cases(kind: str) -> list[Any]:
    return [(code, *(case if isinstance(case, list) else [case])) for code, vectors in VECTORS.items() for case in vectors[kind]]


def filled(code: str, sentence: str, params: dict[str, Any]) -> str:
    numbers: Numbers = RULES[code]
    return Filler({**VECTORS[code]["sentences"], "tested": sentence}, numbers.form, numbers.ordinal)("tested", params)


@pytest.mark.parametrize(("code", "sentence", "params", "text"), cases("filled"))
def test_a_sentence_is_filled(code: str, sentence: str, params: dict[str, Any], text: str) -> None:
    assert filled(code, sentence, params).replace(NO_BREAK, " ") == text


@pytest.mark.parametrize(("code", "sentence", "params"), cases("missing"))
def test_what_is_missing_is_not_passed_over(code: str, sentence: str, params: dict[str, Any]) -> None:
    with pytest.raises(KeyError):
        filled(code, sentence, params)


@pytest.mark.parametrize(("code", "sentence"), cases("bad"))
def test_what_is_no_sentence_is_refused(code: str, sentence: str) -> None:
    with pytest.raises(BadSentence):
        read_sentence(sentence)


def test_a_number_and_its_word_stay_on_one_line() -> None:
    assert filled("en", "{n:card|cards}", {"n": 2}) == f"2{NO_BREAK}cards"
