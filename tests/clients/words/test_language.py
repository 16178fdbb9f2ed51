"""Catalogues without gaps: another language needs nothing but its own sentences."""

import itertools
import re
from pathlib import Path

import pytest

from durak.bots import analysis
from durak.clients import cli, words
from durak.clients.words.filling import Choice, Count, Enumeration, Gap, Phrase, Sentence, read_sentence
from durak.clients.words.language import NUMBERS, Client, LanguageFile, file_of, language
from durak.protocol.messages import Detached
from durak.protocol.rules.errors import Reason
from durak.protocol.rules.events import Attacked
from tests.clients.cli.shown import ENGLISH

FILES = sorted(path.stem for path in Path(words.__path__[0]).glob("*.json"))
ROOMS = {"terminal": (cli, words), "analysis": (analysis, words)}
ATTACKS = tuple(f"event.{kind.__struct_config__.tag}" for kind in Attacked.__subclasses__())
COMPUTED = {
    "terminal": ("error.", "suit.", "tables.", "can.", "problem.", "detached.", "event.bout", *ATTACKS),
    "analysis": ("suit.", "past.", "better.", "grade.", "mistake.", *ATTACKS),
}
"""Keys that begin so are also made while running."""
FILLED = ("and", "or", "ordinal.", "rank.", "suit.")
"""What gaps are filled with."""
CODES = ("error.", "detached.")
"""What the server says by code, and the page as the terminal does."""
CLIENTS: tuple[Client, ...] = ("terminal", "analysis")


def source(client: Client) -> str:
    """The code of a client, in one text."""
    return "".join(path.read_text(encoding="utf-8") for room in ROOMS[client] for path in Path(room.__path__[0]).glob("*.py"))


def own(file: LanguageFile, client: Client) -> dict[str, str]:
    """What is in a client's own section."""
    section: dict[str, str] = getattr(file, client)
    return section


def parameters(sentence: Sentence) -> set[str]:
    """What a sentence is filled with."""
    gaps: list[Gap] = [part for part in sentence if not isinstance(part, str)]
    return {gap.name for gap in gaps}.union(*(parameters(form) for gap in gaps for form in forms_of(gap)))


def phrases(sentence: Sentence) -> set[str]:
    """The keys of the sentences that a sentence has in it."""
    keys = {key for part in sentence if isinstance(part, Enumeration) for key in (part.first, part.further) if key is not None}
    keys |= {part.key for part in sentence if isinstance(part, Phrase)}
    return keys.union(*(phrases(form) for part in sentence if not isinstance(part, str) for form in forms_of(part)))


def forms_of(gap: Gap) -> tuple[Sentence, ...]:
    """The sentences inside a gap."""
    return (gap.then, gap.otherwise) if isinstance(gap, Choice) else gap.forms if isinstance(gap, Count) else ()


@pytest.mark.parametrize("client", CLIENTS)
def test_every_key_in_the_code_has_its_sentence(client: Client) -> None:
    sentences = language("en", client).sentences
    quoted = set(re.findall(r'"((?:[a-z]+)\.[a-z_.]+[a-z])"', source(client)))
    groups = {key.partition(".")[0] for key in sentences if "." in key}
    assert not {key for key in quoted if key.partition(".")[0] in groups} - set(sentences)


@pytest.mark.parametrize("client", CLIENTS)
def test_every_sentence_of_a_client_is_used(client: Client) -> None:
    quoted = set(re.findall(r"""["']([a-z_.]+)["']""", source(client)))
    sections = own(file_of("en"), client)
    assert not {key for key in sections if not {key, key.removesuffix(".you")} & quoted and not key.startswith(COMPUTED[client])}


def test_every_shared_sentence_is_used_by_more_than_one() -> None:
    quoted = [set(re.findall(r"""["']([a-z_.]+)["']""", source(client))) for client in CLIENTS]
    for key in file_of("en").shared:
        if not key.startswith((*FILLED, *CODES, *ATTACKS)):
            assert all({key, key.removesuffix(".you")} & keys for keys in quoted), key


def test_what_two_clients_say_alike_is_shared() -> None:
    file = file_of("en")
    sections = (file.shared, file.terminal, file.analysis, file.page)
    for one, other in itertools.combinations(sections, 2):
        assert not {key for key, sentence in one.items() if other.get(key) == sentence}


@pytest.mark.parametrize("code", FILES)
def test_every_sentence_can_be_read(code: str) -> None:
    file = file_of(code)
    for section in (file.shared, file.terminal, file.analysis, file.page):
        for sentence in section.values():
            assert read_sentence(sentence)


@pytest.mark.parametrize("client", CLIENTS)
def test_every_sentence_to_you_has_one_about_others_with_no_more_parameters(client: Client) -> None:
    sentences = {key: read_sentence(text) for key, text in language("en", client).sentences.items()}
    for key, sentence in sentences.items():
        if key.endswith(".you") and key not in ("who.you", "note.you", "event.drew.you"):
            assert parameters(sentence) <= parameters(sentences[key.removesuffix(".you")]) | {"cards"}


@pytest.mark.parametrize("code", FILES)
@pytest.mark.parametrize("client", CLIENTS)
def test_whoever_speaks_a_language_has_all_its_sentences_with_the_same_parameters(code: str, client: Client) -> None:
    english, file = file_of("en"), file_of(code)
    assert file.code == code
    assert not own(file, client) or code in NUMBERS
    if own(file, client):
        theirs = {**file.shared, **own(file, client)}
        ours = {**english.shared, **own(english, client)}
        assert set(theirs) == set(ours)
        for key, sentence in theirs.items():
            assert parameters(read_sentence(sentence)) == parameters(read_sentence(ours[key])), key


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


@pytest.mark.parametrize("section", ["terminal", "analysis", "page"])
def test_every_phrase_in_a_sentence_is_a_sentence(section: str) -> None:
    file = file_of("en")
    sentences = {**file.shared, **getattr(file, section)}
    for sentence in sentences.values():
        for key in phrases(read_sentence(sentence)):
            assert any(re.fullmatch(re.escape(key).replace(r"\*", ".+"), known) for known in sentences), key


def test_sentences_without_cards_are_ascii() -> None:
    for client in CLIENTS:
        assert all(map(str.isascii, language("en", client).sentences.values()))


@pytest.mark.parametrize("client", CLIENTS)
def test_every_attack_has_its_sentences(client: Client) -> None:
    assert set(ATTACKS) == {"event.led", "event.threw_in"}
    for key in ATTACKS:
        assert {key, f"{key}.you"} <= set(language("en", client).sentences)
