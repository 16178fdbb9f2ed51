"""What can be typed: every input, and what is told of the wrong ones."""

from typing import Any

import pytest

from durak.clients.cli.answers import Here, Order, Problem, Reader, read_levels
from durak.clients.cli.turn import my_hand
from durak.protocol import messages as m
from durak.protocol.rules.actions import AnyAction, Beat, Finish, Forfeit, Keep, Lead, Pass, Redeal, Take, Throw
from tests.clients.cli.shown import ENGLISH_SPEECH, F1, plain, seen, waiting

LEADING = "S | 7H 6S QD / 8S 9S"
THROWING = "S | 7H QD / 9S 10S / 7C | table 7D-8D | epoch 5 | bout 3"
REDEAL = "S | 6H 7H 8H 9H 10H 6S / 7S 8S 9S JC QC KC | rules challenge | redeal"
DECIDING = "S | 7H QD / 9S 10S | table 7D-8D | decide | rules challenge"


def typed(line: str, view: m.TableView, numbered: list[str] | None = None) -> Any:
    if numbered is None:
        numbered = [] if view.game is None else my_hand(view.game)
    return Reader(view, numbered, ENGLISH_SPEECH).read(line)


def acted(line: str, view: m.TableView) -> AnyAction:
    answer = typed(line, view)
    assert isinstance(answer, Order), answer
    assert answer.make is m.Act
    action: AnyAction = answer.arguments["action"]
    return action


def problem(line: str, view: m.TableView, numbered: list[str] | None = None) -> str:
    answer = typed(line, view, numbered)
    assert isinstance(answer, Problem), answer
    return plain(answer.sentence)


# ---------------------------------------------------------------- here


@pytest.mark.parametrize(
    ("line", "here"),
    [
        ("?", Here.HELP),
        ("help", Here.HELP),
        ("H", Here.HELP),
        ("i", Here.SITUATION),
        ("I", Here.SITUATION),
        ("situation", Here.SITUATION),
        ("quit", Here.QUIT),
        ("q", Here.QUIT),
        ("exit", Here.QUIT),
        ("", Here.NOTHING),
        ("   ", Here.NOTHING),
    ],
)
def test_here(line: str, here: Here) -> None:
    assert typed(line, seen(F1, 1)) is here
    assert typed(line, waiting("leave")) is here


# ---------------------------------------------------------------- cards


@pytest.mark.parametrize("line", ["2", "7h", "7H", "7♥", " 7h ", "02"])
def test_a_card_is_led_by_number_or_name(line: str) -> None:
    assert acted(line, seen(LEADING)) == Lead("7H")


def test_numbers_are_those_last_shown() -> None:
    view = seen("S | QD 7H / 8S 9S")
    assert typed("3", view, ["6S", "7H", "QD"]).arguments["action"] == Lead("QD")
    assert problem("1", view, ["6S", "7H", "QD"]) == "You do not hold 6♠. Possible: 2 7♥, 3 Q♦."


def test_an_action_names_its_bout() -> None:
    assert typed("1", seen(THROWING)).arguments == {"action": Throw("7H"), "bout": 3, "epoch": None}


def test_a_pass_names_its_epoch_too() -> None:
    assert typed("p", seen(THROWING)).arguments == {"action": Pass(), "bout": 3, "epoch": 5}


@pytest.mark.parametrize("line", ["4 2", "9h 8s", "4 8s", "9H 2", "4, 2", "4,2"])
def test_a_target_is_a_number_or_a_card(line: str) -> None:
    view = seen("D | 9S / 10D 6S 6C 9D JC QS | table 8H 8S", 1)
    line = line.replace("9h", "9d").replace("9H", "9D")
    hand = my_hand(view.game) if view.game is not None else []
    number = str(hand.index("9D") + 1)
    assert acted(line.replace("4", number), view) == Beat("9D", "8S")


def test_f1_without_a_target_where_one_is_possible() -> None:
    assert acted("4", seen(F1, 1)) == Beat("9H", "8H")
    assert acted("6", seen(F1, 1)) == Beat("QS", "8S")


def test_f1_a_card_that_beats_both_needs_its_target() -> None:
    assert problem("1", seen(F1, 1)) == "10♦ beats more than one: target 1 8♥, target 2 8♠. Name the target, as 1 1."
    assert acted("1 1", seen(F1, 1)) == Beat("10D", "8H")
    assert acted("1 2", seen(F1, 1)) == Beat("10D", "8S")


def test_f1_wrong_targets() -> None:
    assert problem("4 2", seen(F1, 1)) == "9♥ does not beat 8♠."
    assert problem("1 3", seen(F1, 1)) == "There is no target 3."
    assert problem("1 0", seen(F1, 1)) == "There is no target 0."
    assert problem("1 9s", seen(F1, 1)) == "There is no target 9s."
    assert problem("1 x", seen(F1, 1)) == "There is no target x."
    assert problem("1 99999999999999999999", seen(F1, 1)) == "There is no target 99999999999999999999."


def test_f1_an_illegal_card_is_not_sent() -> None:
    assert problem("2", seen(F1, 1)) == "6♠ cannot be played now. Possible: 1 10♦, 4 9♥, 6 Q♠, t."


def test_a_target_only_in_defence() -> None:
    assert problem("1 1", seen(LEADING)) == "A card takes a target only when you defend."


def test_cards_that_are_not_there() -> None:
    assert problem("4", seen(LEADING)) == "There is no card 4. Possible: 1 6♠, 2 7♥, 3 Q♦."
    assert problem("0", seen(LEADING)) == "There is no card 0. Possible: 1 6♠, 2 7♥, 3 Q♦."
    assert problem("as", seen(LEADING)) == "You do not hold A♠. Possible: 1 6♠, 2 7♥, 3 Q♦."


def test_a_card_when_it_is_not_my_turn() -> None:
    assert problem("1", seen(LEADING, 1)) == "8♠ cannot be played now. There is nothing for you to do now."
    assert problem("1", waiting("leave")) == "1 is not possible now. Possible: leave."
    assert problem("7h", seen(LEADING, None)) == "7h is not possible now. There is nothing for you to do now."


# ---------------------------------------------------------------- the other actions


@pytest.mark.parametrize(
    ("line", "position", "seat", "action"),
    [
        ("t", F1, 1, Take()),
        ("take", F1, 1, Take()),
        ("T", F1, 1, Take()),
        ("p", THROWING, 0, Pass()),
        ("pass", THROWING, 2, Pass()),
        ("f", THROWING, 0, Pass()),
        ("finish", "S | 7H QD / 9S 10S | table 7D-8D | rules gameweave", 0, Pass()),
        ("f", DECIDING, 1, Finish()),
        ("g", DECIDING, 1, Forfeit()),
        ("forfeit", DECIDING, 1, Forfeit()),
        ("accept", DECIDING, 1, Forfeit()),
        ("r", REDEAL, 0, Redeal()),
        ("k", REDEAL, 0, Keep()),
    ],
)
def test_actions(line: str, position: str, seat: int, action: AnyAction) -> None:
    assert acted(line, seen(position, seat)) == action


def test_actions_that_are_not_possible() -> None:
    assert problem("t", seen(LEADING)) == "t is not possible now. Possible: 1 6♠, 2 7♥, 3 Q♦."
    assert problem("p", seen(LEADING, 1)) == "p is not possible now. There is nothing for you to do now."
    assert problem("p", seen(DECIDING, 1)) == "p is not possible now. Possible: f, g."
    assert problem("g", seen(F1, 1)) == "g is not possible now. Possible: 1 10♦, 4 9♥, 6 Q♠, t."
    assert problem("take", waiting()) == "take is not possible now. There is nothing for you to do now."


# ---------------------------------------------------------------- the table


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("start", Order.of(m.Start)),
        ("leave", Order.of(m.LeaveTable)),
        ("rematch", Order.of(m.Rematch)),
        ("join", Order.of(m.Join, table="K7P2QX")),
        ("join 3", Order.of(m.Join, table="K7P2QX", chair=2)),
        ("fill easy", Order.of(m.Fill, bots=["easy"])),
        ("fill easy,normal", Order.of(m.Fill, bots=["easy", "normal"])),
        ("fill easy, Hard", Order.of(m.Fill, bots=["easy", "hard"])),
        ("FILL easy normal", Order.of(m.Fill, bots=["easy", "normal"])),
        ("dismiss 2", Order.of(m.Dismiss, chair=1)),
        ("auto", Order.of(m.AutoPass, on=True)),
        ("a", Order.of(m.AutoPass, on=True)),
        ("auto on", Order.of(m.AutoPass, on=True)),
        ("auto off", Order.of(m.AutoPass, on=False)),
        ("watch", Order.of(m.Watch, table="K7P2QX")),
        ("watch abc123", Order.of(m.Watch, table="ABC123")),
    ],
)
def test_table_commands(line: str, order: Order) -> None:
    view = waiting("start", "leave", "rematch", "join", "fill", "dismiss", "auto_pass")
    assert typed(line, view) == order


def test_auto_turns_round() -> None:
    view = seen(THROWING)
    on = m.YouView(chair=0, seat=0, auto_pass=True, can=["auto_pass"])
    assert typed("auto", seen(THROWING, you=on)) == Order.of(m.AutoPass, on=False)
    assert typed("auto", view) == Order.of(m.AutoPass, on=True)


@pytest.mark.parametrize("line", ["start", "rematch", "fill easy", "dismiss 2", "join", "auto"])
def test_table_commands_that_are_not_possible(line: str) -> None:
    word = line.split(maxsplit=1)[0]
    assert problem(line, waiting("leave")) == f"{word} is not possible now. Possible: leave."


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("fill", "- is no list of levels; fill easy,normal,hard is one."),
        ("fill genius", "genius is no list of levels; fill easy,normal,hard is one."),
        (
            "fill easy easy easy easy easy easy easy",
            "easy easy easy easy easy easy easy is no list of levels; fill easy,normal,hard is one.",
        ),
        ("dismiss", "- is no chair; chairs are numbered from 1."),
        ("dismiss 0", "0 is no chair; chairs are numbered from 1."),
        ("dismiss 7", "7 is no chair; chairs are numbered from 1."),
        ("dismiss ²", "² is no chair; chairs are numbered from 1."),
        ("join x", "x is no chair; chairs are numbered from 1."),
        ("watch K7", "K7 is no table; a table's code has six letters and digits."),
        ("watch ABC123 now", "ABC123 now is no table; a table's code has six letters and digits."),
        ("start now", "start now is not understood; ? tells what can be typed."),
        ("auto perhaps", "auto perhaps is not understood; ? tells what can be typed."),
    ],
)
def test_table_commands_that_are_badly_said(line: str, told: str) -> None:
    assert problem(line, waiting("start", "leave", "join", "fill", "dismiss", "auto_pass")) == told


def test_nobody_walks_away_from_a_running_game_by_watching_another() -> None:
    assert problem("watch ABC123", seen(LEADING)) == "You have a seat in a running game here; leave gives it up."


@pytest.mark.parametrize("line", ["hello", "7", "7x", "1 2 3", "t t", "i i", "\x1b[A", "🂡", "-1", "1.5", "x" * 5000, "١", "²"])
def test_anything_else_is_told_to_be_nothing(line: str) -> None:
    answer = typed(line, seen("S | 7H 6S QD / 8S 9S"))
    assert isinstance(answer, Problem)
    assert len(answer.sentence) < 120


def test_levels() -> None:
    assert read_levels("easy,normal,hard") == ["easy", "normal", "hard"]
    assert read_levels(" Easy ") == ["easy"]
    assert read_levels("") is None
    assert read_levels("easy;normal") is None
