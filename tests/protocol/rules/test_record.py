"""Records: they round-trip, replay to the same game, and name the first input that went another way."""

import json
import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from durak.protocol.rules.actions import Lead
from durak.protocol.rules.cards import PACK
from durak.protocol.rules.errors import NotationError
from durak.protocol.rules.notation import read_move
from durak.protocol.rules.record import Record, RecordedGame, RecordError, carry_out, read_record, replay, write_record
from durak.protocol.rules.ruleset import PRESETS, ruleset_of
from tests.protocol.rules.playing import everything
from tests.protocol.rules.random_games import random_deck, random_move, random_ruleset


def recorded(seed: int, moves: int = 1_000) -> tuple[Record, RecordedGame]:
    """A random game and its record."""
    rng = random.Random(seed)
    players = rng.randint(2, 6)
    game, _ = RecordedGame.deal(
        random_ruleset(rng),
        random_deck(rng),
        players,
        first_seat=rng.randrange(players),
        previous_winner=rng.choice((None, rng.randrange(players))),
        persons=[seat for seat in range(players) if rng.random() < 0.7],
    )
    for _ in range(moves):
        if game.phase == "over":
            break
        move, deck = random_move(rng, game), random_deck(rng)
        game.at_ms += rng.randrange(3_000)
        carry_out(game, move, deck=deck)
    return game.record, game


def short() -> Record:
    """Three moves of a known game."""
    game, _ = RecordedGame.deal(PRESETS["classic"], PACK, 2)
    for game.at_ms, text in ((900, "0:6S"), (2_000, "1:7Sx6S"), (2_500, "0:pass")):
        carry_out(game, read_move(text))
    return game.record


# ---------------------------------------------------------------- round trips


@settings(deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 200))
def test_records_round_trip_and_replay_to_the_same_game(seed: int, moves: int) -> None:
    record, game = recorded(seed, moves)
    text = write_record(record)
    again = read_record(text)
    assert (again.deal, again.inputs) == (record.deal, record.inputs)
    assert write_record(again) == text
    assert everything(replay(again)) == everything(game)


def test_a_redeal_has_its_pack_in_the_record() -> None:
    by_suit = sorted(PACK, key=lambda card: card[-1] == "H", reverse=True)
    for offer_ms in (0, 6_000):
        deck = [card for pair in zip(by_suit[:18], by_suit[18:], strict=True) for card in pair]
        game, _ = RecordedGame.deal(ruleset_of("challenge", {"offer_ms": offer_ms}), deck, 2)
        carry_out(game, read_move("0:redeal"), deck=PACK)
        if offer_ms:
            game.end_offer()
        assert len(game.record.inputs) == (2 if offer_ms else 1)
        again = read_record(write_record(game.record))
        assert again.inputs[0].deck == " ".join(PACK)
        assert everything(replay(again)) == everything(game)


def test_a_record_reads_as_one_line_per_input() -> None:
    lines = write_record(short()).splitlines()
    assert len(lines) == 4
    first = json.loads(lines[0])
    assert (first["rules"], first["players"], first["deck"]) == ("1.0.0", 2, " ".join(PACK))
    assert [list(json.loads(line)) for line in lines[1:]] == [["at_ms", "move", "hash"]] * 3
    assert lines[2].startswith('{"at_ms": 2000, "move": "1:7Sx6S", "hash": "')


def test_a_running_game_is_recorded_to_where_it_is() -> None:
    assert replay(short()).phase == "bout"


def test_the_fingerprints_of_this_version() -> None:
    """They are part of records that exist: another value here is another version of the rules."""
    record = short()
    fingerprints = [record.deal.hash, *(entry.hash for entry in record.inputs)]
    assert fingerprints == ["901666499d07cfd1", "a79667ebaaf405b1", "e88c14e27df616d7", "d1cc22ff8740ba9c"]


# ---------------------------------------------------------------- what went another way


def diverged(record: Record) -> tuple[str, int | None, str]:
    with pytest.raises(RecordError) as caught:
        replay(record)
    return caught.value.code, caught.value.index, str(caught.value)


@pytest.mark.parametrize("index", range(3))
def test_the_first_input_with_other_events_is_named(index: int) -> None:
    record = short()
    record.inputs[index] = msgspec.structs.replace(record.inputs[index], hash="0" * 16)
    code, where, message = diverged(record)
    assert (code, where) == ("diverged", index)
    assert f"input {index}, {record.inputs[index].move}: led to other events" in message


def test_an_input_that_is_refused_now_is_named() -> None:
    record = short()
    record.inputs[1] = msgspec.structs.replace(record.inputs[1], move="1:6Hx6S")
    code, where, message = diverged(record)
    assert (code, where) == ("diverged", 1)
    assert "refused as does_not_beat" in message


@pytest.mark.parametrize("step", ["close", "offer"])
def test_a_step_that_is_not_due_is_named(step: str) -> None:
    record = short()
    record.inputs[0] = msgspec.structs.replace(record.inputs[0], move=step)
    code, where, message = diverged(record)
    assert (code, where) == ("diverged", 0)
    assert "not_due" in message


def test_a_missing_input_shows_at_the_next() -> None:
    record = short()
    del record.inputs[1]
    assert diverged(record)[:2] == ("diverged", 1)


def test_another_pack_shows_at_the_deal() -> None:
    record = short()
    record.deal = msgspec.structs.replace(record.deal, deck=" ".join(PACK[::-1]))
    assert diverged(record)[:2] == ("diverged", -1)


def test_another_version_of_the_rules_is_refused() -> None:
    record = short()
    text = write_record(record).replace('"rules": "1.0.0"', '"rules": "2.0.0", "news": 1', 1)
    with pytest.raises(RecordError) as caught:
        read_record(text)
    assert (caught.value.code, caught.value.index) == ("unknown_version", None)
    record.deal = msgspec.structs.replace(record.deal, rules="0.9.0")
    assert diverged(record)[:2] == ("unknown_version", None)


# ---------------------------------------------------------------- bad text


def broken(line: int, old: str, new: str) -> str:
    lines = write_record(short()).splitlines()
    assert old in lines[line]
    lines[line] = lines[line].replace(old, new, 1)
    return "\n".join(lines)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        "not json",
        broken(0, '"players": 2', '"players": 7'),
        broken(0, '"first_seat": 0', '"first_seat": 2'),
        broken(0, '"previous_winner": null', '"previous_winner": 2'),
        broken(0, '"persons": [0, 1]', '"persons": [1, 0]'),
        broken(0, '"persons": [0, 1]', '"persons": [0, 2]'),
        broken(0, "6S 7S", "6S 6S"),
        broken(0, '"throw_in": "all"', '"throw_in": "some"'),
        broken(0, '"players"', '"seats"'),
        broken(1, "0:6S", "0:5S"),
        broken(1, '"at_ms": 900', '"at_ms": "900"'),
        broken(1, '"hash": "', '"hash": "x'),
        broken(1, '"move": "0:6S"', '"move": "0:redeal"'),
        broken(1, '"move": "0:6S"', f'"deck": "{" ".join(PACK)}", "move": "0:6S"'),
        broken(2, "{", "{{"),
        broken(2, "}", ', "luck": 3}'),
        "[" * 100_000,
        "\ud800",
    ],
)
def test_bad_records(text: str) -> None:
    with pytest.raises(NotationError):
        read_record(text)


@given(st.text())
def test_any_text_is_no_record(text: str) -> None:
    with pytest.raises(NotationError):
        read_record(text)


# ---------------------------------------------------------------- names and notes


def test_names_and_notes_round_trip_and_change_no_fingerprint() -> None:
    plain, record = short(), short()
    game, _ = RecordedGame.deal(PRESETS["classic"], PACK, 2, names=["Ann", "Bob"])
    game.act(0, Lead("6S"), note="made for Ann")
    named = game.record
    assert [named.deal.hash, named.inputs[0].hash] == [plain.deal.hash, plain.inputs[0].hash]
    again = read_record(write_record(named))
    assert (again.deal.names, again.inputs[0].note) == (["Ann", "Bob"], "made for Ann")
    assert replay(again).table == game.table
    assert "names" not in write_record(record)
    assert "note" not in write_record(record)


def test_names_are_one_per_seat() -> None:
    game, _ = RecordedGame.deal(PRESETS["classic"], PACK, 3, names=["Ann", "Bob"])
    with pytest.raises(NotationError, match="one per seat"):
        read_record(write_record(game.record))
