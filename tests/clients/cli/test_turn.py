"""What I can do now: one line in every phase of every preset, and nothing when I can only wait."""

from typing import Any

import pytest

from durak.clients.cli.turn import leaving_loses, now, possible, time_calls
from durak.protocol.messages import ClockView, TableView
from tests.clients.cli.shown import ASCII_SPEECH, ENGLISH_SPEECH, F1, plain, seen, waiting


def line(view: TableView) -> str | None:
    can = now(view, ENGLISH_SPEECH)
    return None if can is None else plain(can.line)


# ---------------------------------------------------------------- at the table, between games


def test_a_host_who_waits_for_players() -> None:
    view = waiting("leave", "start", "fill", "dismiss")
    assert line(view) == "Waiting for players. You can type: start, fill easy,normal, dismiss CHAIR, leave, quit."


def test_a_guest_who_waits_for_the_host() -> None:
    assert line(waiting("leave", mine=1)) == "Waiting for players. You can type: leave, quit."


def test_a_spectator() -> None:
    assert line(waiting("join", mine=None)) == "You are watching. You can type: join, quit."
    assert line(seen("S | 6S 7H / 8S", None)) == "You are watching. You can type: quit."


def test_after_the_game() -> None:
    view = seen("S | - / 7S 8S | over", can=["leave", "rematch"])
    assert line(view) == "Between two games. You can type: rematch, leave, quit."


def test_after_leaving_a_running_game() -> None:
    assert line(seen("S | 6S / 7S / 8S | left 0", can=["join"])) == "A bot plays your hand. You can type: join, quit."


# ---------------------------------------------------------------- the redeal offer (challenge)


REDEAL = "S | 6H 7H 8H 9H 10H 6S / 7S 8S 9S JC QC KC | rules challenge | redeal"


def test_the_redeal_is_offered() -> None:
    assert line(seen(REDEAL)) == ("You may ask for a new deal: r asks, k keeps these cards. Hand: 1 6♠ 2 6♥ 3 7♥ 4 8♥ 5 9♥ 6 10♥.")


def test_the_redeal_is_not_offered_to_the_other() -> None:
    assert line(seen(REDEAL, 1)) is None


def test_the_redeal_is_answered() -> None:
    assert line(seen("S | 6H 7H 8H 9H 10H 6S / 7S 8S 9S JC QC KC | rules challenge | redeal 0:keep")) is None


# ---------------------------------------------------------------- attack


@pytest.mark.parametrize("preset", ["classic", "gameweave", "challenge"])
def test_i_lead(preset: str) -> None:
    assert line(seen(f"S | 7H 6S / 8S 9S | rules {preset}")) == "Your turn: lead a card. Hand: 1 6♠* 2 7♥*."
    assert line(seen(f"S | 7H 6S / 8S 9S | rules {preset}", 1)) is None


def test_i_may_throw_in_while_cards_are_open() -> None:
    assert line(seen("S | 7H QD / 8S 9S 10S / 7C | table 7D")) == "You may add a card, or p passes. Hand: 1 7♥* 2 Q♦."
    assert line(seen("S | 7H QD / 8S 9S 10S / 7C | table 7D", 2)) == "You may add a card, or p passes. Hand: 1 7♣*."


def test_the_main_attacker_finishes_where_all_is_beaten() -> None:
    beaten = "S | 7H QD / 9S 10S / 7C | table 7D-8D"
    assert line(seen(beaten)) == "You may add a card, or f finishes the bout. Hand: 1 7♥* 2 Q♦."
    assert line(seen(beaten, 2)) == "You may add a card, or p passes. Hand: 1 7♣*."


def test_i_have_nothing_to_add() -> None:
    assert line(seen("S | QD / 8S 9S 10S / 7C | table 7D")) == "You have nothing to add, p passes."
    assert line(seen("S | QD / 9S 10S / KC | table 7D-8D | rules classic discreet=on")) == (
        "You have nothing to add, f finishes the bout."
    )


@pytest.mark.parametrize(
    ("position", "unasked"),
    [
        ("S | QD / 8S 9S 10S / 7C | table 7D", False),
        ("S | QD / 9S 10S / KC | table 7D-8D", False),
        ("S | QD / 8S 9S / KC | table 7D | rules classic discreet=on", False),
        ("S | QD / 9S 10S / KC | table 7D-8D | rules classic discreet=on", True),
        ("S | QD / 9S 10S / KC | table 7D | taking | rules classic discreet=on", True),
        ("S | 7H / 8S 9S / KC | table 7D", True),
    ],
)
def test_a_pass_that_nobody_waits_for_is_told_only_when_asked(position: str, unasked: bool) -> None:
    can = now(seen(position), ENGLISH_SPEECH)
    assert can is not None
    assert can.unasked is unasked


def test_i_may_add_after_a_take() -> None:
    assert line(seen("S | 7H QD / 8S 9S / 7C | table 7D | taking")) == "You may add a card, or p passes. Hand: 1 7♥* 2 Q♦."
    assert line(seen("S | 7H QD / 8S 9S | table 7D | taking | rules challenge")) == (
        "You may add a card, or f finishes the bout. Hand: 1 7♥* 2 Q♦."
    )


def test_i_have_passed() -> None:
    assert line(seen("S | 7H QD / 8S 9S 10S / 7C | table 7D | passed 0")) is None


@pytest.mark.parametrize("preset", ["gameweave", "challenge"])
def test_only_the_attacker_adds_and_only_when_all_is_beaten(preset: str) -> None:
    players = "S | 7H QD / 8S 9S 10S" + (" / 7C" if preset == "gameweave" else "")
    assert line(seen(f"{players} | table 7D | rules {preset}")) is None
    beaten = f"{players} | table 7D-8D | rules {preset}"
    assert line(seen(beaten)) == "You may add a card, or f finishes the bout. Hand: 1 7♥* 2 Q♦."
    if preset == "gameweave":
        assert line(seen(beaten, 2)) is None


# ---------------------------------------------------------------- defence


@pytest.mark.parametrize("preset", ["classic", "gameweave", "challenge"])
def test_i_beat_one_card(preset: str) -> None:
    view = seen(f"S | 9H 9D / 6D 8D 6S KC | table 7D | rules {preset}", 1)
    assert line(view) == "Your turn: beat 7♦, or t takes. Hand: 1 6♠* 2 6♦ 3 8♦* 4 K♣."


def test_f1_i_choose_among_two_open_cards() -> None:
    assert line(seen(F1, 1)) == (
        "Your turn: beat target 1 8♥, target 2 8♠, or t takes; 4 2 is card 4 on target 2. Hand: 1 10♦* 2 6♠ 3 6♣ 4 9♥* 5 J♣ 6 Q♠*."
    )


def test_f1_in_ascii() -> None:
    can = now(seen(F1, 1), ASCII_SPEECH)
    assert can is not None
    assert can.line.replace("\u00a0", " ") == (
        "Your turn: beat target 1 8h, target 2 8s, or t takes; 4 2 is card 4 on target 2. Hand: 1 10d* 2 6s 3 6c 4 9h* 5 Jc 6 Qs*."
    )


def test_targets_are_numbered_among_the_open_cards() -> None:
    view = seen("S | 9C / 6S 7S | table 8D-9D 8H 8C", 1)
    assert line(view) == ("Your turn: beat target 1 8♥, target 2 8♣, or t takes; 4 2 is card 4 on target 2. Hand: 1 6♠* 2 7♠*.")


def test_i_cannot_beat() -> None:
    assert line(seen("S | 9H 9D / 6D 6C | table 7D", 1)) == "Your turn: you cannot beat 7♦, t takes. Hand: 1 6♦ 2 6♣."
    assert line(seen("S | 9H / 6D 6C | table 7D 7H", 1)) == "Your turn: you cannot beat 7♦ and 7♥, t takes. Hand: 1 6♦ 2 6♣."


def test_i_have_taken() -> None:
    assert line(seen("S | 7H QD / 8S 9S / 7C | table 7D | taking", 1)) is None


def test_all_is_beaten_and_others_may_add() -> None:
    assert line(seen("S | 7H QD / 9S 10S / 7C | table 7D-8D", 1)) is None


def test_i_decide() -> None:
    decide = "S | 7H QD / 9S 10S | table 7D-8D | decide | rules challenge"
    assert line(seen(decide, 1)) == ("You have beaten all: f discards and you attack next, g accepts: you take all the same.")
    assert line(seen(decide, 0)) is None


def test_i_am_out() -> None:
    assert line(seen("S | - / 7S / 8S | attacker 1", 0)) is None


# ---------------------------------------------------------------- what is possible


def test_possible_in_f1() -> None:
    numbered = ["10D", "6S", "6C", "9H", "JC", "QS"]
    assert [plain(word) for word in possible(seen(F1, 1), ENGLISH_SPEECH, numbered)] == ["1 10♦", "4 9♥", "6 Q♠", "t"]


def test_possible_between_games() -> None:
    assert possible(waiting("leave", "start"), ENGLISH_SPEECH, []) == ["start", "leave"]


# ---------------------------------------------------------------- the timer


def clock(kind: Any, ms: int, *seats: int) -> ClockView:
    return ClockView(kind, ms, 30_000, list(seats))


def test_the_timer_speaks_at_ten_and_at_three_seconds() -> None:
    view = seen(F1, 1, clock=clock("turn", 30_000, 1))
    assert [(ms, plain(said)) for ms, said in time_calls(view, ENGLISH_SPEECH)] == [
        (20_000, "10 seconds left."),
        (27_000, "3 seconds left."),
    ]


def test_the_timer_of_a_short_clock_speaks_once() -> None:
    view = seen("S | 7H QD / 9S 10S / 7C | table 7D-8D", clock=clock("window", 8_000))
    assert [ms for ms, _ in time_calls(view, ENGLISH_SPEECH)] == [5_000]


def test_the_timer_is_silent_about_what_does_not_concern_me() -> None:
    assert not time_calls(seen(F1, 0, clock=clock("turn", 30_000, 1)), ENGLISH_SPEECH)
    assert not time_calls(seen("S | QD KD / 9S 10S / 7C | table 7D-8D", clock=clock("window", 8_000)), ENGLISH_SPEECH)
    assert not time_calls(seen("S | 7H QD / 9S 10S | table 7D-8D", clock=clock("closing", 900)), ENGLISH_SPEECH)
    assert not time_calls(seen(REDEAL, 1, clock=clock("offer", 6_000)), ENGLISH_SPEECH)
    assert time_calls(seen(REDEAL, 0, clock=clock("offer", 6_000)), ENGLISH_SPEECH)
    assert not time_calls(seen("S | 7H QD / 9S 10S", None, clock=clock("turn", 30_000, 0)), ENGLISH_SPEECH)


# ---------------------------------------------------------------- leaving


@pytest.mark.parametrize(
    ("position", "loses"),
    [
        ("S | 7H / 8S / 9S", True),
        ("S | - / 8S / 9S | stock 6C 6S | table 7H | attacker 0 | limit 1", True),
        ("S | - / 8S / 9S | table 0:7H", False),
        ("S | - / 8S / 9S | attacker 1", False),
        ("S | 7H / 8S / 9S | left 0", False),
        ("S | - / 8S | over", False),
    ],
)
def test_leaving_loses_only_while_one_may_still_lose(position: str, loses: bool) -> None:
    assert leaving_loses(seen(position)) is loses


def test_leaving_an_open_table_costs_nothing() -> None:
    assert not leaving_loses(waiting("leave"))
