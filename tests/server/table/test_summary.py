"""What is known of a table outside of it: counts, names, the bots it needs, whether anybody keeps it."""

from __future__ import annotations

from durak.protocol.rules.ruleset import Ruleset
from durak.server.table.chairs import STAND_IN_LEVEL
from durak.server.table.inputs import BotPlayer, CreateTable
from durak.server.table.machine import Table
from durak.server.table.summary import Summary, bots_needed, is_deserted, summary_of
from tests.server.table.driving import Driven, created, position, run

THREE = "S | 6S 7H / 8S QH / 9S KH | rules classic turn_clock_s=none"


def summary(driven: Driven) -> Summary:
    return summary_of(driven.table)


def needed(driven: Driven) -> tuple[BotPlayer, ...]:
    return bots_needed(driven.table)


def deserted(driven: Driven) -> bool:
    return is_deserted(driven.table)


def test_a_table_whose_creation_was_refused_has_no_number() -> None:
    assert summary_of(Table("TABLE1")).seq == 0


def test_it_tells_what_the_lobby_lists() -> None:
    told = summary(created(max_players=4, persons=2, bots=1))
    assert (told.table, told.title, told.status, told.preset, told.private) == ("TABLE1", "A table", "open", "classic", False)
    assert (told.chairs, told.taken, told.persons, told.bots) == (4, 3, 2, 1)
    assert (told.turn_clock_s, told.discreet, told.seq) == (30, False, 2)
    assert told.names == {"ann", "bob", "bot0"}


def test_a_command_finds_the_table_it_has_created() -> None:
    table = Table("TABLE1")
    table.step(CreateTable("ann", "c7", "ann", "T", Ruleset(), sit=True, start=False, private=True, bots=[]), 0)
    assert (table.created_by, summary_of(table).private) == (("ann", "c7"), True)


def test_who_has_left_a_running_game_is_counted_no_longer_but_keeps_the_name() -> None:
    told = summary(run(position(THREE), "ann:rise"))
    assert (told.taken, told.persons, told.bots) == (2, 2, 0)
    assert told.names == {"ann", "bob", "cat"}


def test_the_bots_of_a_table_are_needed_between_games_as_well() -> None:
    driven = created(max_players=3, bots=2)
    assert needed(driven) == (BotPlayer("bot0", "bot0", "normal"), BotPlayer("bot1", "bot1", "normal"))
    assert needed(run(driven, "ann:dismiss@1")) == (BotPlayer("bot1", "bot1", "normal"),)


def test_1_22_a_bot_is_needed_for_a_leaver_until_the_game_is_over_or_it_comes_back() -> None:
    driven = run(position(THREE), "ann:rise")
    assert needed(driven) == (BotPlayer("stand-in:TABLE1:0", "ann", STAND_IN_LEVEL),)
    assert needed(run(driven, "ann:sit")) == ()


def test_no_bot_is_needed_for_a_leaver_who_is_out() -> None:
    driven = run(position("S | 6S / 8S QH / 9S KH | rules classic turn_clock_s=none"), "0:6S 1:8S +1500 ann:rise")
    assert driven.table.status == "playing"
    assert needed(driven) == ()


def test_a_table_is_deserted_when_no_person_can_come_back_to_a_game() -> None:
    assert not deserted(created(max_players=3, bots=1))
    assert not deserted(run(created(max_players=3, bots=1), "ann:drop"))
    assert deserted(run(created(max_players=3, bots=1), "ann:rise"))
    assert not deserted(run(position(THREE, bots=[1, 2]), "ann:rise")), "ann may come back to the game"


def test_who_is_seated_is_who_acts_now() -> None:
    table = run(position(THREE), "ann:rise").table
    players = ("ann", "bob", "cat", "dan", "stand-in:TABLE1:0", "stand-in:TABLE1:1")
    seated = {player for player in players if table.is_seated(player)}
    assert seated == {"bob", "cat", "stand-in:TABLE1:0"}
