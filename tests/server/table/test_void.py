"""ROOMS 6: the operator ends a running game; it leaves no result and no score, and the table can be played at again."""

import pytest

from durak.protocol.messages import Rose, Voided
from durak.protocol.rules.result import Score
from durak.server.table.chairs import Refused
from durak.server.table.inputs import Void
from durak.server.table.view import Views
from tests.server.table.driving import Driven, created, everything, folded, position, run

THREE = "S | 6S 7H KC / 9H 8D / 7C 9C | stock AS"


def voided(script: str = "0:7H") -> Driven:
    driven = run(position(THREE), script)
    driven.submit(Void())
    return driven


def test_nobody_has_lost_and_nothing_runs() -> None:
    driven = voided()
    table = driven.table
    assert driven.told[-1].events == [Voided()]
    assert (table.status, table.game, table.games, table.deadline_ms) == ("open", None, 0, None)
    assert [occupant.score for _, occupant in table.occupants()] == [Score()] * 3


def test_a_new_game_can_be_started() -> None:
    driven = run(voided(), "ann:start")
    assert driven.table.status == "playing"
    assert driven.table.games == 0


def test_the_chair_of_a_leaver_is_free() -> None:
    driven = voided("0:7H cat:rise")
    assert driven.told[-1].events == [Voided(), Rose(2, "cat")]
    assert [chair for chair, _ in driven.table.occupants()] == [0, 1]


def test_who_is_away_keeps_the_rest_of_its_grace() -> None:
    driven = voided("0:7H bob:drop +20000")
    assert driven.table.deadline_ms == driven.now_ms + 40_000
    driven.wait(40_000)
    assert driven.table.chair_of("bob") is None


def test_no_view_shows_a_card_afterwards() -> None:
    driven = voided()
    for player in ("ann", "bob", "cat", None):
        view = Views(driven.table, driven.now_ms).of(player)
        assert (view.game, view.you.seat, view.clock) == (None, None, None)


def test_only_a_running_game_can_be_voided() -> None:
    with pytest.raises(Refused, match="not_playing"):
        voided().submit(Void())
    with pytest.raises(Refused, match="not_playing"):
        created(persons=2).submit(Void())


def test_its_journal_folds_to_the_same_table() -> None:
    driven = run(created(persons=3, start=True), "cat:rise")
    driven.submit(Void())
    run(driven, "ann:start")
    assert everything(folded(driven)) == everything(driven.table)
