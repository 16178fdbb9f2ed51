"""ROOMS 3: chairs, the host, bots to fill them, the countdown, commands at the wrong time or by the wrong player."""

import pytest

from durak.protocol.messages import CameBack, HostIs, Rose, Sat, Started, WentAway
from durak.protocol.rules.ruleset import PRESETS
from durak.server.table.inputs import BotPlayer, CreateTable, SeatBots, SitDown
from durak.server.table.machine import Table
from tests.server.table.driving import Driven, clock, created, events_of, refusal_of, refused, run, view


def names(driven: Driven) -> str:
    """Who sits where: "ann bob - bot0"."""
    return " ".join("-" if occupant is None else occupant.player for occupant in driven.table.chairs)


# ---------------------------------------------------------------- sitting down


def test_who_creates_a_table_has_the_first_chair_and_is_the_host() -> None:
    driven = created(max_players=3)
    assert names(driven) == "ann - -"
    assert (driven.table.status, driven.table.host) == ("open", 0)


def test_a_person_gets_the_first_free_chair() -> None:
    driven = created(max_players=3)
    assert events_of(driven, "bob:sit") == [Sat(1, "bob", "person")]


def test_a_person_may_choose_a_free_chair() -> None:
    driven = run(created(max_players=4), "bob:sit@3 cat:sit dan:sit")
    assert names(driven) == "ann cat dan bob"


def test_a_full_table_takes_nobody() -> None:
    assert refused(created(max_players=3, persons=2, bots=1), "dan:sit") == "table_full"
    assert refused(created(max_players=3, persons=2, bots=1), "dan:sit@0") == "table_full"


def test_a_chair_that_is_taken_or_not_there_is_refused() -> None:
    driven = created(max_players=4)
    assert refused(driven, "bob:sit@0") == "chair_taken"
    assert refused(driven, "bob:sit@4") == "no_such_chair"


def test_nobody_sits_twice() -> None:
    driven = created(max_players=4, persons=2)
    assert refused(driven, "bob:sit") == "already_seated"
    assert refused(driven, "bob:sit@3") == "already_seated"


def test_nobody_sits_down_at_a_running_game() -> None:
    assert refused(created(max_players=4, persons=2, start=True), "cat:sit") == "already_playing"


def test_a_chair_given_up_is_free() -> None:
    driven = created(max_players=3, persons=3)
    assert events_of(driven, "bob:rise") == [Rose(1, "bob")]
    assert names(run(driven, "dan:sit")) == "ann dan cat"


def test_who_sits_nowhere_does_nothing() -> None:
    driven = created(max_players=4, persons=2)
    for word in ("eve:rise", "eve:start", "eve:fill@1", "eve:dismiss@1", "eve:vote", "eve:pass", "eve:auto", "eve:leave"):
        assert refused(driven, word) == "not_seated", word


# ---------------------------------------------------------------- the host


def test_only_the_host_starts_fills_and_dismisses() -> None:
    driven = created(max_players=4, persons=2, bots=1)
    for word in ("bob:start", "bob:fill@1", "bob:dismiss@1", "bot0:start"):
        assert refused(driven, word) == "not_host", word


def test_the_hosts_role_moves_on_to_the_next_person_when_the_host_leaves() -> None:
    driven = run(created(max_players=5, bots=1), "bob:sit@3 cat:sit@2")
    assert events_of(driven, "ann:rise") == [Rose(0, "ann"), HostIs(2)]
    assert events_of(driven, "cat:rise") == [Rose(2, "cat"), HostIs(3)]
    assert refused(driven, "bob:fill@1") is None


def test_the_hosts_role_goes_round_the_table() -> None:
    driven = run(created(max_players=4, persons=3), "ann:rise dan:sit@0")
    assert driven.table.host == 1
    assert events_of(driven, "bob:rise")[-1] == HostIs(2)
    assert events_of(driven, "cat:rise")[-1] == HostIs(0)


def test_with_bots_alone_there_is_no_host_and_the_next_person_becomes_it() -> None:
    driven = run(created(max_players=4, bots=2), "ann:rise")
    assert driven.table.host is None
    assert events_of(driven, "bob:sit") == [Sat(0, "bob", "person"), HostIs(0)]


def test_the_hosts_role_moves_on_in_a_running_game_too() -> None:
    driven = created(max_players=3, persons=3, start=True)
    assert HostIs(1) in events_of(driven, "ann:rise")
    assert driven.table.host == 1


def test_a_host_who_is_only_away_stays_host() -> None:
    assert run(created(max_players=3, persons=2), "ann:drop +59999").table.host == 0


def test_when_no_person_is_left_the_first_to_come_back_is_the_host() -> None:
    driven = run(created(max_players=4, persons=2, bots=2, start=True), "ann:rise bob:rise")
    assert driven.table.host is None
    assert events_of(driven, "bob:sit") == [CameBack(3), HostIs(3)]
    assert events_of(driven, "ann:sit") == [CameBack(0)]


# ---------------------------------------------------------------- bots


def test_the_host_fills_free_chairs_with_bots() -> None:
    driven = run(created(max_players=5), "bob:sit@2")
    assert events_of(driven, "ann:fill@2") == [Sat(1, "bot0", "bot"), Sat(3, "bot1", "bot")]
    assert [chair.level for chair in view(driven).chairs] == [None, "normal", None, "normal"]


def test_more_bots_than_free_chairs_are_refused_together() -> None:
    driven = created(max_players=3, persons=2)
    assert refused(driven, "ann:fill@2") == "table_full"
    assert refused(driven, "ann:fill@1") is None


def test_the_host_sends_a_bot_away() -> None:
    driven = created(max_players=4, bots=2)
    assert events_of(driven, "ann:dismiss@1") == [Rose(1, "bot0")]
    assert names(driven) == "ann - bot1 -"


@pytest.mark.parametrize("chair", [0, 1, 2, 3, 4, 99])
def test_only_bots_are_sent_away(chair: int) -> None:
    assert refused(created(max_players=4, persons=2, bots=1), f"ann:dismiss@{chair}") == ("not_a_bot" if chair != 1 else None)


def test_a_bot_is_sent_away_once() -> None:
    driven = run(created(max_players=4, persons=2, bots=1, start=True), "bob:rise ann:rise")
    run(driven, "ann:sit ann:dismiss@1")
    assert refused(driven, "ann:dismiss@1") == "not_a_bot"


def test_a_table_of_bots_only_begins_by_itself() -> None:
    driven = created(persons=0, bots=3, max_players=3)
    assert (driven.table.status, driven.table.host, driven.table.seq) == ("playing", None, 1)
    assert any(isinstance(event, Started) for event in driven.told[0].events)


def test_a_table_with_more_bots_than_chairs_is_refused() -> None:
    bots = [BotPlayer(f"bot{bot}", f"bot{bot}", "easy") for bot in range(2)]
    given = CreateTable("ann", "c", "ann", "", PRESETS["challenge"], True, False, False, bots)
    assert refusal_of(Driven(Table("TABLE1")), given) == "table_full"


def test_a_table_that_is_to_start_with_one_player_is_refused() -> None:
    given = CreateTable("ann", "c", "ann", "", PRESETS["classic"], True, True, False, [])
    assert refusal_of(Driven(Table("TABLE1")), given) == "too_few_players"


# ---------------------------------------------------------------- the beginning


def test_the_host_starts_with_two_or_more() -> None:
    driven = created(max_players=4)
    assert refused(driven, "ann:start") == "too_few_players"
    assert Started(1, [0, 3]) in events_of(run(driven, "bob:sit@3"), "ann:start")


def test_a_full_table_counts_down_and_starts() -> None:
    driven = run(created(max_players=3, persons=2), "+7777 cat:sit")
    assert clock(driven) == "start 5000"
    assert run(driven, "+4999").table.status == "open"
    assert Started(1, [0, 1, 2]) in events_of(driven, "+1")


def test_a_chair_given_up_stops_the_countdown_and_the_next_one_taken_begins_it_anew() -> None:
    driven = run(created(max_players=3, persons=3), "+3000 bob:rise")
    assert clock(driven) == "none"
    assert clock(run(driven, "+10000 dan:sit")) == "start 5000"


def test_the_host_need_not_wait_for_the_countdown() -> None:
    driven = run(created(max_players=2, persons=2), "+1000 ann:start")
    assert clock(driven).startswith("turn")


def test_bots_fill_the_table_and_the_countdown_runs() -> None:
    assert clock(run(created(max_players=3), "ann:fill@2")) == "start 5000"


def test_a_person_away_whose_time_ends_with_the_countdown_is_not_dealt_to() -> None:
    driven = run(created(max_players=2, persons=1), "ann:drop +55000 bob:sit")
    assert WentAway(0) in driven.told[1].events
    events = events_of(driven, "+5000")
    assert events == [Rose(0, "ann"), HostIs(1)]
    assert driven.table.status == "open"


# ---------------------------------------------------------------- the wrong time


def test_between_games_nobody_plays() -> None:
    driven = created(max_players=4, persons=2)
    for word in ("ann:6S", "ann:pass", "ann:auto"):
        assert refused(driven, word) == "not_playing", word
    assert refused(driven, "ann:vote") == "not_finished"


def test_in_a_game_nobody_starts_fills_dismisses_or_votes() -> None:
    driven = created(max_players=4, persons=2, bots=1, start=True)
    for word in ("ann:start", "ann:fill@1", "ann:dismiss@2"):
        assert refused(driven, word) == "already_playing", word
    assert refused(driven, "ann:vote") == "not_finished"


# ---------------------------------------------------------------- command ids


def test_a_command_sent_again_is_carried_out_once() -> None:
    driven = created(max_players=4)
    sit = SitDown("bob", "c1", "bob")
    assert driven.submit(sit) == [Sat(1, "bob", "person")]
    seq = driven.table.seq
    assert driven.submit(sit) == []
    assert (driven.table.seq, driven.table.answers["bob"]) == (seq, {"c1": seq})


def test_a_refused_command_is_judged_anew() -> None:
    driven = created(max_players=2, persons=2)
    sit = SitDown("cat", "c1", "cat")
    assert refusal_of(driven, sit) == "table_full"
    assert "cat" not in driven.table.answers
    assert run(driven, "bob:rise").submit(sit) == [Sat(1, "cat", "person")]


def test_the_last_64_commands_of_each_player_are_remembered() -> None:
    driven = created(max_players=3)
    for number in range(70):
        driven.submit(SeatBots("ann", f"c{number}", []))
    driven.submit(SitDown("bob", "c0", "bob"))
    assert list(driven.table.answers["ann"]) == [f"c{number}" for number in range(6, 70)]
    assert list(driven.table.answers["bob"]) == ["c0"]


def test_the_same_id_of_another_player_is_another_command() -> None:
    driven = created(max_players=3)
    driven.submit(SitDown("bob", "c1", "bob"))
    assert driven.submit(SitDown("cat", "c1", "cat")) == [Sat(2, "cat", "person")]


def test_a_table_that_was_copied_remembers_for_itself() -> None:
    driven = created(max_players=3)
    before = driven.table
    driven.submit(SitDown("bob", "c1", "bob"))
    assert before.answers == {}
