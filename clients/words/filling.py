"""Sentences with gaps, and how they are filled: as the page fills them (web/text/fill.js); vectors.json of the tests is for both.

In a sentence stand, for a parameter `x`,

=====================  ==========================================================================================
``{x}``                its value
``{x:card|cards}``     the number and the form for it, in the order of CLDR's categories: "1 card", "5 cards"
``{x:ordinal}``        the number in an order, by the sentences ``ordinal.<category>``: "2nd"
``{x:seconds}``        milliseconds in seconds: "2.5"
``{x:rank}``           the sentence ``rank.<rank>`` of a card, "jack"; the bare rank if there is none
``{x:suit}``           the sentence ``suit.<suit>`` of a card or of a suit, "spades"; the bare suit if there is none
``{x:card.name}``      the sentence of this key (it has a dot), in which ``{it}`` is the value; a ``*`` in the key stands for
                       the value: ``{preset:preset.*}``, the bare value if no sentence has that key
``{x:list}``           several values, "Anna, Boris"; with ``and`` and ``or`` by the sentences of these keys: "Anna and Boris"
``{x:or a.* b.*}``     the same, the first value in one sentence and each further in another: "an 8 or jack"; one key for all
``{x?then|else}``      a choice: the first if there is such a parameter and it is neither false, 0 nor empty; ``|else`` may be
                       left out. Both may have gaps.
``{x>3?then|else}``    the first if the number is greater
=====================  ==========================================================================================

A list that stands for a number is its length. What is no such sentence is `BadSentence`, when it is first filled.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

NO_BREAK: Final = "\u00a0"
"""Stands between what a line must not be broken at; shown as a space."""

GAP: Final = re.compile(r"(?P<name>[A-Za-z_]+)(?:>(?P<above>[0-9]+))?(?P<kind>[:?}])")
KEY: Final = re.compile(r"[a-z_]+(?:\.(?:[A-Za-z0-9_]+|\*))+")


class BadSentence(ValueError):
    """A sentence that cannot be read, told with where it stops to make sense."""


@dataclass(frozen=True, slots=True)
class Value:
    """``{x}``."""

    name: str


@dataclass(frozen=True, slots=True)
class Count:
    """``{x:card|cards}``."""

    name: str
    forms: tuple["Sentence", ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """``{x?then|else}``, or ``{x>3?then|else}`` with `above` 3."""

    name: str
    above: int | None
    then: "Sentence"
    otherwise: "Sentence"


@dataclass(frozen=True, slots=True)
class Enumeration:
    """``{x:and}``: `joint` is ``list``, ``and`` or ``or``; the keys, if any, are of the first value and of the further ones."""

    name: str
    joint: str
    first: str | None
    further: str | None


@dataclass(frozen=True, slots=True)
class Phrase:
    """``{x:card.name}``: a sentence about one value."""

    name: str
    key: str


@dataclass(frozen=True, slots=True)
class Term:
    """``{x:ordinal}`` and what else has a word of its own."""

    name: str
    term: str


TERMS: Final = ("ordinal", "seconds", "rank", "suit")
JOINTS: Final = ("list", "and", "or")
Gap = Value | Count | Choice | Enumeration | Phrase | Term
Sentence = tuple[str | Gap, ...]


def read_sentence(text: str) -> Sentence:
    """The parts of a sentence. Raises `BadSentence`.

    >>> read_sentence("{name} takes.")
    (Value(name='name'), ' takes.')
    """
    sentence, end = _sentence(text, 0, inside=False)
    assert end == len(text)
    return sentence


def _sentence(text: str, start: int, *, inside: bool) -> tuple[Sentence, int]:
    """The parts from here to the end; `inside` a gap: to its next ``|`` or ``}``, which is left."""
    parts: list[str | Gap] = []
    stops = "{}|" if inside else "{}"
    while True:
        end = next((at for at in range(start, len(text)) if text[at] in stops), len(text))
        if end > start:
            parts.append(text[start:end])
        if end == len(text) and inside:
            raise BadSentence(f"a gap is not closed: {text!r}")
        if end == len(text) or (inside and text[end] != "{"):
            return tuple(parts), end
        if text[end] == "}":
            raise BadSentence(f"no gap is open at {end}: {text!r}")
        gap, start = _gap(text, end + 1)
        parts.append(gap)


def _gap(text: str, start: int) -> tuple[Gap, int]:
    """The gap whose name begins here, and where the text goes on behind it."""
    found = GAP.match(text, start)
    if found is None or (found["above"] is not None and found["kind"] != "?"):
        raise BadSentence(f"no gap begins so at {start}: {text!r}")
    name, at = found["name"], found.end()
    if found["kind"] == "}":
        return Value(name), at
    forms: list[Sentence] = []
    while True:
        form, at = _sentence(text, at, inside=True)
        forms.append(form)
        at += 1
        if text[at - 1] == "}":
            break
    if found["kind"] == "?":
        if len(forms) > 2:
            raise BadSentence(f"a choice is between two, at {start}: {text!r}")
        return Choice(
            name, None if found["above"] is None else int(found["above"]), forms[0], forms[1] if len(forms) == 2 else ()
        ), at
    if len(forms) > 1:
        return Count(name, tuple(forms)), at
    gap = _worded(name, forms[0])
    if gap is None:
        raise BadSentence(f"nothing is known by the words at {start}: {text!r}")
    return gap, at


def _worded(name: str, words: Sentence) -> Gap | None:
    """The gap that these words behind the colon stand for."""
    if len(words) != 1 or not isinstance(words[0], str):
        return None
    word, *keys = words[0].split(" ")
    if not all(map(KEY.fullmatch, keys)):
        return None
    if word in JOINTS and len(keys) <= 2:
        return Enumeration(name, word, keys[0] if keys else None, keys[-1] if keys else None)
    if keys:
        return None
    if word in TERMS:
        return Term(name, word)
    return Phrase(name, word) if KEY.fullmatch(word) else None


class Filler:
    """Fills the sentences of one language.

    `form` gives the index of the form for a number; the last form serves where there are fewer. `ordinal` gives the category
    of a number in an order, as CLDR calls it.
    """

    def __init__(self, sentences: Mapping[str, str], form: Callable[[int], int], ordinal: Callable[[int], str]) -> None:
        self._texts = sentences
        self._form = form
        self._ordinal = ordinal
        self._read: dict[str, Sentence] = {}

    def __call__(self, key: str, params: Mapping[str, object]) -> str:
        """The sentence of this key. Raises `KeyError` if there is none or a parameter is missing, `BadSentence`."""
        sentence = self._read.get(key)
        if sentence is None:
            sentence = self._read[key] = read_sentence(self._texts[key])
        return self._filled(sentence, params)

    def several(self, values: Sequence[str], joint: str) -> str:
        """An enumeration: "Anna, Boris and Vera" with the joint ``and``."""
        if joint == "list" or len(values) < 2:
            return ", ".join(values)
        return self(joint, {"first": ", ".join(values[:-1]), "last": values[-1]})

    def _filled(self, sentence: Sentence, params: Mapping[str, object]) -> str:
        return "".join(part if isinstance(part, str) else self._gap(part, params) for part in sentence)

    def _gap(self, gap: Gap, params: Mapping[str, object]) -> str:
        if isinstance(gap, Choice):
            value = params.get(gap.name)
            chosen = bool(value) and (gap.above is None or _number(value) > gap.above)
            return self._filled(gap.then if chosen else gap.otherwise, params)
        value = params[gap.name]
        match gap:
            case Value():
                return str(value)
            case Count(forms=forms):
                number = _number(value)
                return f"{number}{NO_BREAK}{self._filled(forms[min(self._form(number), len(forms) - 1)], params)}"
            case Enumeration(joint=joint, first=first, further=further):
                assert isinstance(value, Sequence)
                keys = [first, *[further] * (len(value) - 1)]
                values = [str(one) if key is None else self._phrase(key, one) for key, one in zip(keys, value, strict=False)]
                return self.several(values, joint)
            case Phrase(key=key):
                return self._phrase(key, value)
            case Term(term=term):
                return self._term(term, value)

    def _phrase(self, key: str, value: object) -> str:
        if "*" in key:
            key = key.replace("*", str(value))
            if key not in self._texts:
                return str(value)
        return self(key, {"it": value})

    def _term(self, term: str, value: object) -> str:
        match term:
            case "ordinal":
                return self(f"ordinal.{self._ordinal(_number(value))}", {"it": value})
            case "seconds":
                return f"{_number(value) / 1000:.3f}".rstrip("0").rstrip(".")
            case "rank":
                return self._phrase("rank.*", str(value)[:-1])
            case _:
                return self._phrase("suit.*", str(value)[-1:])


def _number(value: object) -> int:
    return value if isinstance(value, int) else len(value) if isinstance(value, Sequence) else int(str(value))
