"""The languages: a file of data each, ``en.json``, of which every client takes what it says.

In a file are the language's `code`, its `name`, the letters of `ranks` that are not as in English, and sentences by key: those
that are `shared`, and a section for each client. A client says the sentence of its section, else the shared one. How sentences
are filled is in filling.py. The page reads the same file, so that a sentence is translated once.

A key that ends in ``.you`` speaks to the reader. ``error.<code>`` and ``detached.<reason>`` are what the server says by code,
``problem.<name>`` is about what was typed, ``past.<act>`` and ``better.<act>`` fit behind "Anna" and "you", and behind "to".
"""

import functools
import importlib.resources
from collections.abc import Callable, Mapping
from typing import Final, Literal, NamedTuple

import msgspec

Client = Literal["terminal", "analysis"]


class Numbers(NamedTuple):
    """What CLDR says of a language: the index of the form for a number of things, the category of a number in an order."""

    form: Callable[[int], int]
    ordinal: Callable[[int], str]


class Language(NamedTuple):
    """One language as a client speaks it. `ranks` has the letters of ranks that are not as in English."""

    code: str
    sentences: Mapping[str, str]
    numbers: Numbers
    ranks: Mapping[str, str] = {}


class LanguageFile(msgspec.Struct, frozen=True):
    """What is in the file of a language; a client that has no section in it does not speak the language yet."""

    code: str
    name: str
    ranks: dict[str, str]
    shared: dict[str, str]
    terminal: dict[str, str] = {}
    analysis: dict[str, str] = {}
    page: dict[str, str] = {}


def _english_ordinal(number: int) -> str:
    if number % 100 in (11, 12, 13):
        return "other"
    return {1: "one", 2: "two", 3: "few"}.get(number % 10, "other")


NUMBERS: Final = {"en": Numbers(lambda number: 0 if number == 1 else 1, _english_ordinal)}
"""Of the languages that the terminal speaks."""


@functools.cache
def file_of(code: str) -> LanguageFile:
    """The file of a language."""
    content = (importlib.resources.files("durak.clients") / "words" / f"{code}.json").read_bytes()
    return msgspec.json.decode(content, type=LanguageFile)


def language(code: str, client: Client) -> Language:
    """The language of this code, one of `NUMBERS`, as a client speaks it."""
    file = file_of(code)
    return Language(code, {**file.shared, **getattr(file, client)}, NUMBERS[code], file.ranks)
