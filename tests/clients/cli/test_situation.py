"""`i` repeats the situation: enough to play on without having heard anything before."""

from durak.clients.cli.situation import situation
from durak.protocol.messages import ClockView, TableView
from tests.clients.cli.shown import ENGLISH_SPEECH, chair, plain, seen, waiting


def told(view: TableView, watchers: int = 0) -> list[str]:
    return plain(situation(view, watchers, ENGLISH_SPEECH)).split("\n")


def test_an_open_table() -> None:
    view = waiting("leave", "fill", chairs=1)
    assert told(view, watchers=2) == [
        "Table K7P2QX, Friday: classic, chairs 1 of 6.",
        "Chairs: 1 Anna (you, host).",
        "Watching: 2.",
        "Others join with: durak play K7P2QX",
        "Waiting for players. You can type: fill easy,normal, leave, quit.",
    ]


def test_bots_people_away_and_options_are_named() -> None:
    view = seen(
        "S | - / 7S / - | over | rules classic discreet=on turn_clock_s=none",
        chairs=[chair(0), chair(1, kind="bot", level="easy"), chair(2, away=True)],
        can=["leave", "rematch"],
    )
    assert told(view)[:3] == [
        "Table K7P2QX, Friday: classic, chairs 3 of 6.",
        "Options: discreet=on, turn_clock_s=none.",
        "Chairs: 1 Anna (you, host), 2 Boris (bot, easy), 3 Vera (away).",
    ]


def test_a_running_game() -> None:
    view = seen(
        "S | 7H QD / 9S 10S / 7C / - / 8C | table 7D-8D 4:8H | passed 2 | limit 5 | left 4 | out 3",
        clock=ClockView("turn", 12_300, 30_000, [1]),
        chairs=[chair(0), chair(1), chair(2, away=True), chair(3), chair(4, left=True)],
    )
    assert told(view) == [
        "Table K7P2QX, Friday: classic, chairs 5 of 6.",
        "Trump is spades.",
        "Stock 0, discard 27.",
        "Players: you 2 cards, attacker; Boris 2 cards, defender; Vera 1 card, passed, away; Gleb out; Daria 1 card, left.",
        "At most 5 cards in this bout.",
        "On the table: 7♦ beaten by 8♦, 8♥ open.",
        "Time: 13 seconds for Boris.",
        "You may add a card, or p passes. Hand: 1 7♥* 2 Q♦.",
    ]


def test_the_hand_is_told_also_when_there_is_nothing_to_do() -> None:
    assert told(seen("S | 7H QD / 9S 10S", 1))[-1] == "Nothing for you to do now. Hand: 1 9♠ 2 10♠."


def test_the_hand_is_told_also_when_no_card_can_be_played() -> None:
    assert told(seen("S | QD / 9S 10S / 7C | table 7D-8D"))[-2:] == [
        "Hand: 1 Q♦.",
        "You have nothing to add, f finishes the bout.",
    ]
    assert told(seen("S | 7H QD / 9S 10S | table 7D-8D | decide | rules challenge", 1))[-2] == "Hand: 1 9♠ 2 10♠."


def test_the_trump_stays_known() -> None:
    assert told(seen("S | 7H QD / 9S 10S | stock 6C 6S"))[1:3] == [
        "Trump is spades: 6♠ lies under the stock.",
        "Stock 2, discard 30.",
    ]
    assert "Trump is spades." in told(seen("S | 7H QD / 9S 10S"))
    assert "Trump is spades: A♠ belongs to Egor." in told(seen("S | 7H / 9S / 7C / 8C / 9C / AS | shown 5:AS"))


def test_the_opening_trump_of_challenge() -> None:
    lines = told(seen("S | 7H / 9S | rules challenge | opening 1:9S | attacker 1 | bout 1"))
    assert "Boris holds the lowest trump, 9♠." in lines


def test_taken_cards() -> None:
    assert "On the table: 7♦ taken." in told(seen("S | 7H QD / 9S 10S / 7C | table 7D | taking"))


def test_a_spectator_sees_no_hand() -> None:
    lines = told(seen("S | 7H QD / 9S 10S", None))
    assert lines[-1] == "You are watching. You can type: quit."
    assert not any("Hand" in line for line in lines)


def test_a_finished_game_repeats_its_result() -> None:
    assert "Game over: Boris is the durak." in told(seen("S | - / 7S | over"))
