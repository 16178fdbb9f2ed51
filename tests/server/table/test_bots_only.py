"""RULES section 5, bot_delay_ms: where bots are faster than persons, no person plays."""

from __future__ import annotations

from durak.protocol.rules.ruleset import ruleset_of
from durak.server.table.inputs import BotPlayer, CreateTable, SitDown
from durak.server.table.machine import Table
from tests.server.table.driving import Driven, refusal_of, refused, run, view
from tests.server.table.test_series import end


def watched(*, bots_only: bool, max_players: int = 3) -> Driven:
    """Two bots play at a table with a free chair, and ann, who created it, looks on."""
    driven = Driven(Table("TABLE1"))
    rules = ruleset_of("classic", {"bot_delay_ms": [0, 0], "max_players": max_players})
    bots = [BotPlayer(f"bot{bot}", f"bot{bot}", "normal") for bot in range(2)]
    driven.submit(
        CreateTable("ann", "c1", "ann", "Bots", rules, sit=False, start=False, private=False, bots=bots, bots_only=bots_only)
    )
    return driven


def test_after_a_game_of_fast_bots_a_person_takes_no_chair_and_is_not_offered_one() -> None:
    driven = end(watched(bots_only=True), "0 / 1")
    assert refused(driven, "bob:sit") == "bots_only"
    assert refused(driven, "ann:sit@2") == "bots_only", "nor does who has created the table"
    assert view(driven, "bob").you.can == []


def test_while_fast_bots_play_a_person_is_told_that_it_never_can_sit_down() -> None:
    driven = watched(bots_only=True)
    assert refusal_of(driven, SitDown("bob", "c2", "bob")) == "bots_only"
    assert driven.table.bots_only


def test_fast_bots_vote_for_their_next_game() -> None:
    driven = run(end(watched(bots_only=True), "0 / 1"), "bot0:vote")
    assert (driven.table.status, driven.table.games) == ("playing", 1)


def test_after_a_game_of_bots_as_slow_as_persons_a_person_may_sit_down() -> None:
    driven = end(watched(bots_only=False), "0 / 1")
    assert view(driven, "bob").you.can == ["join"]
    assert refused(driven, "bob:sit") is None
    assert not driven.table.bots_only
