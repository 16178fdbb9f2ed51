"""ROOMS 1: a table is a fold over its journal, and an outage is charged to no clock."""

import pytest

from durak.protocol.messages import WentAway
from durak.server.table.deadlines import AutoPassDue, GraceEnds
from durak.server.table.inputs import Recovered
from tests.protocol.rules.playing import shuffled
from tests.server.table.driving import Driven, Fixed, clock, created, events_of, everything, folded, position, run

OUTAGE_MS = 3_600_000
FOUR = "S | 7H 7D KC / 9H 9D AS QS / 7C 9C JC / 9S 7S 8C"


def recovered(driven: Driven) -> Driven:
    """The node was away for an hour after the last entry."""
    driven.now_ms = driven.table.now_ms + OUTAGE_MS
    driven.submit(Recovered())
    return driven


@pytest.mark.parametrize(
    ("script", "left"),
    [
        ("", "turn 30000 of 0"),
        ("0:7H +10000 2:pass", "turn 20000 of 1"),
        ("0:7H 1:9H +3000 0:pass", "window 5000"),
        ("0:7H 1:take +7000 0:pass", "window 1000"),
        ("0:7H 1:9H 0:pass 2:pass 3:pass", "closing 1000"),
    ],
)
def test_an_outage_is_charged_to_no_clock_of_the_game(script: str, left: str) -> None:
    assert clock(recovered(run(position(FOUR), script))) == left


def test_an_outage_is_charged_to_no_offer_period() -> None:
    deck = shuffled("6H 7H 8H 9H 10H QC / 6C 7C 6D 7D 8S 7S", "AS")
    driven = created("challenge", persons=2, start=True, entropy=Fixed(deck))
    assert clock(recovered(run(driven, "+2000 0:keep"))) == "offer 4000"


def test_an_outage_is_charged_to_no_countdown() -> None:
    assert clock(recovered(run(created(max_players=2, persons=2), "+1000 ann:drop"))) == "start 4000"


def test_an_outage_is_charged_to_no_automatic_pass() -> None:
    driven = run(position(FOUR), "0:7H 2:auto +1000 3:pass")
    (before,) = driven.table.clocks.auto_passes
    left_ms = before.at_ms - driven.now_ms
    assert recovered(driven).table.clocks.auto_passes == (AutoPassDue(driven.now_ms + left_ms, 2),)


def test_an_outage_is_charged_to_nobody_who_was_away() -> None:
    driven = recovered(run(position(f"{FOUR} | rules classic turn_clock_s=none"), "bob:drop +50000 0:7H"))
    assert driven.table.graces[0] == GraceEnds(driven.now_ms + 10_000, chair=1)


def test_an_outage_of_a_table_of_bots_is_charged_to_no_clock() -> None:
    assert clock(recovered(position(FOUR, bots=[0, 1, 2, 3]))) == "turn 30000 of 0"


def test_after_an_outage_every_person_has_the_grace_to_come_back() -> None:
    driven = position(FOUR, bots=[3])
    driven.now_ms = OUTAGE_MS
    assert driven.submit(Recovered()) == [WentAway(0), WentAway(1), WentAway(2)]
    assert driven.table.graces == tuple(GraceEnds(driven.now_ms + 60_000, chair) for chair in (0, 1, 2))
    assert run(driven, "ann:return bob:return cat:return").table.graces == ()


def test_after_an_outage_who_had_left_has_still_left() -> None:
    driven = recovered(run(position(FOUR), "ann:rise"))
    assert [grace.chair for grace in driven.table.graces] == [1, 2, 3]
    assert driven.seat(0).startswith("stand-in")


def test_a_journal_gives_the_same_table() -> None:
    driven = created(max_players=3, persons=2, bots=1, start=True, entropy=Fixed(jitter=123_456_789))
    attacker = driven.game.kernel.attacker
    run(driven, f"{attacker}:{driven.game.hand(attacker)[0]} ann:auto +100000 bob:drop +59000 bob:return ann:rise +200000 ann:sit")
    assert everything(folded(driven)) == everything(driven.table)


@pytest.mark.parametrize("jitter", [0, 300, 800, 987_654_321])
def test_1_14_the_journaled_jitter_gives_the_same_closing_time(jitter: int) -> None:
    driven = created(persons=2, max_players=2, start=True, entropy=Fixed(shuffled("6H 7C / 9H 8D", "AS"), jitter))
    attacker = driven.game.kernel.attacker
    run(driven, f"{attacker}:{driven.game.hand(attacker)[0]} {1 - attacker}:take {attacker}:pass")
    table = folded(driven)
    assert table.clocks.deadlines() == driven.table.clocks.deadlines()
    assert table.clocks.closing is not None


def test_a_redeal_is_dealt_from_the_journaled_deck() -> None:
    deck = shuffled("6H 7H 8H 9H 10H QC / 6C 7C 6D 7D 8S 7S", "AS")
    driven = created("challenge", persons=2, start=True, entropy=Fixed(deck))
    driven.entropy.next_deck = list(reversed(deck))
    events_of(driven, "0:redeal +6000 +6000")
    assert everything(folded(driven)) == everything(driven.table)
