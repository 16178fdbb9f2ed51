"""From messages to lines: nothing twice, nothing that does not matter, and the numbers that count are those last shown."""

from typing import Any

import pytest
from msgspec.structs import replace

from durak.clients.cli.answers import Order
from durak.clients.cli.teller import Teller
from durak.clients.link import LeftOut
from durak.protocol.messages import ClockView, Detached, Error, Heartbeat, SeqEvents, TableState, Watchers, Welcome
from durak.protocol.rules.actions import Lead, Throw
from durak.protocol.rules.events import Beaten, BoutBegan, BoutEnded, Led, Passed, ThrewIn
from durak.protocol.rules.view import DealtSeen
from tests.clients.cli.shown import ENGLISH_SPEECH, attached, chair, plain, seen, update, waiting


def teller_at(*messages: Any) -> Teller:
    teller = Teller(ENGLISH_SPEECH)
    for message in messages:
        teller.hear(message)
    return teller


def lines(told: list[str]) -> list[str]:
    return plain(told).split("\n") if told else []


def test_a_new_table_is_told_whole() -> None:
    teller = Teller(ENGLISH_SPEECH)
    assert lines(teller.hear(attached(seen("S | 7H / 9S"))))[0] == "Table K7P2QX, Friday: classic, chairs 2 of 6."


def test_my_turn_follows_the_event_that_made_it() -> None:
    teller = teller_at(attached(seen("S | 7H 8C / 9S", 1)))
    told = teller.hear(update(seen("S | 8C / 9S 6C | table 7H", 1), Led(0, "7H")))
    assert lines(told) == ["Anna attacks with 7♥.", "Your turn: beat 7♥, or t takes. Hand: 1 9♠* 2 6♣."]


def test_actions_that_only_a_newer_version_knows_are_told_once_where_there_are_no_others() -> None:
    waits = seen("S | 6H / 7H 8S / 9C | table 6S")
    assert waits.game is not None
    waits = replace(waits, game=replace(waits.game, legal=[]))
    teller = teller_at(attached(waits))
    newer = "There is something for you to do that only a newer version of this program knows: transfer, wave."
    assert lines(teller.hear(LeftOut((), ("transfer", "wave")))) == []
    assert lines(teller.hear(update(waits)))[-1] == newer
    teller.hear(LeftOut((), ("transfer", "wave")))
    assert newer not in lines(teller.hear(update(waits, seq=3)))
    assert lines(teller.situation())[-1] == newer
    assert newer not in lines(teller.hear(update(waits, seq=4))) + lines(teller.situation()), "they belong to one view"


def test_actions_that_only_a_newer_version_knows_are_not_told_beside_others() -> None:
    teller = teller_at(attached(seen("S | 6H / 7H 8S / 9C | table 6S", 2)))
    teller.hear(LeftOut((), ("transfer",)))
    told = lines(teller.hear(update(seen("S | 6H / 7H 8S / 9C | table 6S", 1))))
    assert told[-1].startswith("Your turn")


def test_what_i_can_do_is_not_repeated_while_it_stays() -> None:
    before = seen("S | 7H QD / 8S 9S 10S / 7C | table 7D")
    teller = teller_at(attached(before))
    assert lines(teller.hear(update(seen("S | 7H QD / 8S 9S 10S / - | table 7D 2:7C | attacker 0"), ThrewIn(2, "7C")))) == [
        "Vera adds 7♣."
    ]


def test_what_i_can_do_is_told_when_it_changes() -> None:
    teller = teller_at(attached(seen("S | 7H QD / 8S QS / 7C | table 7D")))
    told = teller.hear(update(seen("S | 7H QD / 8S / 7C | table 7D-QS"), Beaten(1, "7D", "QS")))
    assert lines(told) == ["Boris beats 7♦ with Q♠.", "You may add a card, or f finishes the bout. Hand: 1 7♥* 2 Q♦*."]


def test_the_same_choice_in_another_bout_is_told_again() -> None:
    teller = teller_at(attached(seen("S | 7H / 8S / 9S | bout 3")))
    told = teller.hear(update(seen("S | 7H / 8S / 9S | bout 6"), BoutBegan(6, 0, 1, 6)))
    assert lines(told)[-1] == "Your turn: lead a card. Hand: 1 7♥*."


def test_the_same_choice_after_waiting_is_told_again() -> None:
    beaten = "S | 7H 7C / 9S 10S | table 7D-8D | rules gameweave | limit 6"
    teller = teller_at(attached(seen(beaten)))
    first = lines(teller.hear(update(seen("S | 7C / 9S 10S | table 7D-8D 7H | rules gameweave"), ThrewIn(0, "7H"))))
    assert first == ["You add 7♥."]
    again = lines(teller.hear(update(seen("S | 7C / 10S | table 7D-8D 7H-9S | rules gameweave | limit 6"), Beaten(1, "7H", "9S"))))
    assert again[-1] == "You may add a card, or f finishes the bout. Hand: 1 7♣*."


def test_a_spectator_is_told_once_what_it_can_type() -> None:
    teller = teller_at(attached(seen("S | 7H / 9S | bout 3", None)))
    assert lines(teller.hear(update(seen("S | - / 9S 8C | table 7H | bout 3", None), Led(0, "7H")))) == ["Anna attacks with 7♥."]
    assert len(lines(teller.hear(update(seen("S | 9H / 9S | bout 4", None), BoutBegan(4, 0, 1, 6))))) == 1


def test_the_hand_is_told_when_cards_are_dealt_and_it_is_not_my_turn() -> None:
    teller = teller_at(attached(waiting("leave")))
    told = teller.hear(update(seen("S | 7H / 9S", 1), DealtSeen(["9S"], [6, 6], "S", "AS", False)))
    assert lines(told)[-1] == "Nothing for you to do now. Hand: 1 9♠."


def test_numbers_are_those_of_the_hand_last_shown() -> None:
    teller = teller_at(attached(seen("S | 7H 8H QD / 9S 10S KS / 7C")))
    teller.hear(update(seen("S | 8H QD / 9S 10S KS / 7C | table 7H"), Led(0, "7H")))  # nothing to add: no hand is shown
    shown = teller.read("3")
    assert not isinstance(shown, Order)
    teller.hear(update(seen("S | 8H QD / 9S 10S / 7C | table 7H-8S"), Beaten(1, "7H", "8S")))
    answer = teller.read("1")
    assert isinstance(answer, Order)
    assert answer.arguments["action"] == Throw("8H")


def test_the_situation_counts_as_shown() -> None:
    teller = teller_at(attached(seen("S | QD 7H / 9S")))
    assert lines(teller.situation())[-1] == "Your turn: lead a card. Hand: 1 7♥* 2 Q♦*."
    answer = teller.read("2")
    assert isinstance(answer, Order)
    assert answer.arguments["action"] == Lead("QD")


def test_the_countdown_is_told_once() -> None:
    teller = teller_at(attached(waiting("leave", chairs=5)))
    full = seen("S | 7H / 9S", status="open", game=None, clock=ClockView("start", 4_900, 5_000, []), can=["leave"])
    assert "The game starts in 5 seconds." in lines(teller.hear(update(full)))
    assert "The game starts in 5 seconds." not in lines(teller.hear(update(full)))


# ---------------------------------------------------------------- connection


def test_a_loss_is_told_once() -> None:
    teller = teller_at(attached(seen("S | 7H / 9S")))
    assert teller.lost() == ["Connection lost, reconnecting."]
    assert teller.lost() == []


def test_what_was_missed_is_told_after_resuming() -> None:
    teller = teller_at(attached(seen("S | 7H 8C / 9S 10S", 1)))
    teller.lost()
    view = seen("S | 8C / 10S | table 7H-9S | bout 2", 1)
    missed = [SeqEvents(2, [Led(0, "7H")]), SeqEvents(3, []), SeqEvents(4, [Beaten(1, "7H", "9S")])]
    assert lines(teller.hear(TableState(4, "events", missed, 0, view))) == [
        "Resumed: 2 events missed.",
        "Anna attacks with 7♥.",
        "You beat 7♥ with 9♠.",
    ]
    assert teller.lost() == ["Connection lost, reconnecting."]


def test_my_turn_is_told_again_after_resuming() -> None:
    teller = teller_at(attached(seen("S | 7H / 9S")))
    teller.lost()
    assert lines(teller.hear(TableState(1, "events", [], 0, seen("S | 7H / 9S")))) == [
        "Resumed: 0 events missed.",
        "Your turn: lead a card. Hand: 1 7♥*.",
    ]


def test_after_too_long_the_situation_is_told() -> None:
    teller = teller_at(attached(seen("S | 7H / 9S")))
    teller.lost()
    told = lines(teller.hear(attached(seen("S | 7H / 9S"), seq=90)))
    assert told[0] == "Resumed: too much was missed to tell; this is how it stands."
    assert told[1].startswith("Table K7P2QX")


def test_one_event_is_one() -> None:
    teller = teller_at(attached(seen("S | 7H / 9S", 1)))
    teller.lost()
    state = TableState(2, "events", [SeqEvents(2, [Passed(0)])], 0, seen("S | 7H / 9S", 1))
    assert lines(teller.hear(state))[0] == "Resumed: 1 event missed."


@pytest.mark.parametrize(
    ("reason", "sentence"),
    [
        ("left", "You have left the table."),
        ("closed", "The table is closed."),
        ("dismissed", "You were sent away from the table."),
        ("frozen", "The table is frozen: the server found a fault in its game and stopped it."),
    ],
)
def test_detached(reason: Any, sentence: str) -> None:
    assert teller_at(attached(waiting())).hear(Detached("K7P2QX", reason)) == [sentence]


def test_what_needs_no_words() -> None:
    teller = teller_at(attached(waiting("leave")))
    assert teller.hear(Heartbeat()) == []
    assert teller.hear(Watchers(3)) == []
    assert teller.hear(Welcome("p", "Anna", "person", "durak", 1, "1.0.0", 5000)) == []
    assert "Watching: 3." in teller.situation()


# ---------------------------------------------------------------- refusals


def refused(error: Error, position: str = "S | 7H QD / 8S 9S / 7C | table 7D") -> str:
    return plain(teller_at(attached(seen(position))).refusal(error))


def test_a_refused_action_says_why_and_what_is_possible() -> None:
    assert refused(Error("rank", cid="1", rule="1.6", legal=[])) == ("No card of this rank is on the table. Possible: 1 7♥, p.")


def test_a_refusal_with_parameters() -> None:
    assert refused(Error("too_few_players", params={"needed": 2})) == "A game needs 2 players; bots can be among them."
    assert refused(Error("no_such_chair", params={"chairs": 4})) == "There is no such chair; chairs are numbered 1 to 4."


def test_a_refusal_that_says_when_to_come_again() -> None:
    assert refused(Error("rate_limited", retry_after_ms=1_200)) == "That was too fast. Try again in 2 seconds."


def test_bots_there_are_and_bots_there_are_not() -> None:
    assert refused(Error("no_bots", params={"levels": "easy,normal"})).endswith("the levels there are: easy,normal.")
    assert refused(Error("no_bots", params={"levels": ""})).startswith("No bots are at hand;")


def test_a_code_of_another_version() -> None:
    assert refused(Error("fed_up")) == "The server refused: fed_up."
    assert refused(Error("no_such_chair")) == "The server refused: no_such_chair."


def test_an_error_without_a_command_is_told() -> None:
    assert teller_at().hear(Error("rate_limited")) == ["That was too fast."]


def test_names_of_chairs_left_are_not_needed() -> None:
    view = seen("S | - / 7S | over", chairs=[chair(0)])
    told = lines(teller_at(attached(seen("S | 7H / 9S"))).hear(update(view, BoutEnded("taken", 1, ["7H"]))))
    assert told[0] == "seat 2 picks up 1 card."
