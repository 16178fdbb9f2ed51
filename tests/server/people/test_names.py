"""Names of people and tables."""

from __future__ import annotations

import pytest

from durak.server.people.names import MAX_NAME, MAX_TITLE, checked_name


@pytest.mark.parametrize("name", ["Ann", "Жанна", "李雷", "O'Neil", "a", "x" * MAX_NAME, "Ann Bob", "🃏 Ann", "עדי", "Zoë"])
def test_names_of_people(name: str) -> None:
    assert checked_name(name) == name


def test_space_is_put_in_order() -> None:
    assert checked_name("  Ann \t of \n the   hill ") == "Ann of the hill"
    assert checked_name("\u00a0Ann\u2003B\u3000") == "Ann B"


def test_letters_are_composed() -> None:
    assert checked_name("Zoe\u0308") == "Zoë"


@pytest.mark.parametrize(
    "name",
    [
        *("", " ", "\u00a0", "x" * (MAX_NAME + 1), "a\0b", "\x1b[2J", "a\u202eb", "\u200b", "a\u200db", "\ufeffAnn", "\ue000"),
        *("\ud800", "a\u2028\u0000", None, 7, b"Ann", ["Ann"]),
    ],
)
def test_what_is_no_name(name: object) -> None:
    assert checked_name(name) is None


def test_titles_may_be_longer() -> None:
    assert checked_name("x" * MAX_TITLE, MAX_TITLE) == "x" * MAX_TITLE
    assert checked_name("x" * (MAX_TITLE + 1), MAX_TITLE) is None
