"""The journals that every release has written still fold to what was told when they were written."""

import base64
from pathlib import Path

import pytest

from durak.server.live.entries import Diverged, decode_entry, encode_entry
from durak.server.live.entries import fold as folding
from durak.server.table.machine import Table

JOURNALS = sorted(Path(__file__).parent.glob("*/*.journal"))


def lines_of(path: Path) -> list[bytes]:
    return [base64.b64decode(line) for line in path.read_text().split()]


def fold(lines: list[bytes]) -> Table:
    table = Table("G0LDEN")
    for _ in folding(table, lines):
        pass
    return table


@pytest.mark.parametrize("path", JOURNALS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_journal_of_an_earlier_release_folds(path: Path) -> None:
    table = fold(lines_of(path))
    assert table.status == "finished"
    assert table.games == 2


def test_there_is_a_journal_of_every_preset() -> None:
    assert {path.stem for path in JOURNALS} >= {"classic", "discreet", "gameweave", "challenge"}


def test_a_journal_that_folds_to_other_events_is_noticed() -> None:
    lines = lines_of(JOURNALS[0])
    entry = decode_entry(lines[20])
    lines[20] = encode_entry(type(entry)(entry.at_ms, entry.input, entry.jitter, entry.deck, "0" * 12))
    with pytest.raises(Diverged, match="entry 21"):
        fold(lines)


def test_unknown_fields_of_a_newer_node_are_ignored() -> None:
    import msgspec

    lines = lines_of(JOURNALS[0])
    for at, line in enumerate(lines):
        raw = msgspec.msgpack.decode(line)
        lines[at] = msgspec.msgpack.encode({**raw, "mood": "good", "input": {**raw["input"], "weather": 3}})
    assert fold(lines).games == 2
