"""The notation: every position and move round-trips, defaults are what they say, and bad text is a NotationError."""

import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from durak.protocol.rules.actions import Beat, Finish, Forfeit, Keep, Lead, Leave, Pass, Redeal, Take, Throw
from durak.protocol.rules.cards import PACK, set_of
from durak.protocol.rules.errors import NotationError
from durak.protocol.rules.game import Game
from durak.protocol.rules.notation import AnyMove, Move, Step, read_move, read_moves, read_position, write_move, write_position
from durak.protocol.rules.ruleset import PRESETS, ruleset_of
from tests.protocol.rules.playing import everything, play, refusal
from tests.protocol.rules.random_games import make, random_deal, random_ending, random_move, random_ruleset

SEATS = st.integers(0, 5)
CARDS = st.sampled_from(PACK)
ACTIONS = st.one_of(
    st.builds(Lead, CARDS),
    st.builds(Throw, CARDS),
    st.builds(Beat, CARDS, st.none() | CARDS),
    st.sampled_from([Take(), Pass(), Finish(), Forfeit(), Redeal(), Keep(), Leave()]),
)
MOVES = st.sampled_from(Step) | st.builds(Move, SEATS, ACTIONS)


# ---------------------------------------------------------------- moves


@given(st.lists(MOVES))
def test_moves_round_trip(moves: list[AnyMove]) -> None:
    assert [read_move(write_move(move)) for move in moves] == moves
    assert read_moves("  ".join(map(write_move, moves))) == moves


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("0:7H", Move(0, Lead("7H"))),
        ("2:+7C", Move(2, Throw("7C"))),
        ("1:9Hx7H", Move(1, Beat("9H", "7H"))),
        ("1:10Hx", Move(1, Beat("10H"))),
        ("1:take", Move(1, Take())),
        ("0:pass", Move(0, Pass())),
        ("1:finish", Move(1, Finish())),
        ("1:forfeit", Move(1, Forfeit())),
        ("0:redeal", Move(0, Redeal())),
        ("0:keep", Move(0, Keep())),
        ("2:leave", Move(2, Leave())),
        ("close", Step.CLOSE),
        ("offer", Step.OFFER),
    ],
)
def test_moves_are_written_as_documented(text: str, move: AnyMove) -> None:
    assert read_move(text) == move
    assert write_move(move) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "7H",
        "6:7H",
        "-1:7H",
        "0:",
        ":7H",
        "0:5H",
        "0:7h",
        "0:11S",
        "0:1S",
        "0:+9Hx7H",
        "1:9Hx7",
        "1:xx",
        "0:fold",
        "0 :7H",
        "٠:7H",
        "Close",
    ],
)
def test_bad_moves(text: str) -> None:
    with pytest.raises(NotationError):
        read_move(text)


@given(st.text() | st.text(alphabet="0123456789:+x AJQKSHDCtakepass"))
def test_any_text_is_a_move_or_a_notation_error(text: str) -> None:
    try:
        move = read_move(text)
    except NotationError:
        return
    assert write_move(move) == text.strip()


# ---------------------------------------------------------------- positions


@settings(deadline=None, max_examples=300)
@given(st.integers(0, 2**32), st.booleans(), st.integers(0, 250))
def test_every_reachable_position_round_trips(seed: int, near_the_end: bool, moves: int) -> None:
    rng = random.Random(seed)
    ruleset, players = random_ruleset(rng), rng.randint(2, 6)
    game = random_ending(rng, ruleset, players) if near_the_end else random_deal(rng, ruleset, players)[0]
    passive = rng.random() < 0.2
    for _ in range(moves):
        if game.phase == "over":
            break
        make(rng, game, random_move(rng, game, leaving=0.01, passive=passive))
    text = write_position(game)
    again = read_position(text)
    assert everything(again) == everything(game)
    assert write_position(again) == text
    assert "\n" not in text


def test_a_position_read_goes_on_as_the_original() -> None:
    for seed in range(60):
        game, _ = random_deal(random.Random(seed), random_ruleset(random.Random(seed)), 2 + seed % 5)
        rng = random.Random(seed)
        for _ in range(rng.randint(0, 60)):
            if game.phase != "over":
                make(rng, game, random_move(rng, game))
        twin, other = read_position(write_position(game)), random.Random(seed)
        rng.seed(seed)
        while game.phase != "over":
            move = random_move(rng, game)
            assert random_move(other, twin) == move
            assert make(rng, game, move) == make(other, twin, move)
        assert everything(twin) == everything(game)


def test_defaults_are_omitted_and_meant() -> None:
    game = read_position("S | 7H 6S / 8S")
    assert write_position(game) == "S | 6S 7H / 8S"
    assert (game.phase, game.stock, game.trump_card, game.kernel.attacker, game.kernel.defender) == ("lead", [], None, 0, 1)
    assert (game.kernel.bout, game.kernel.epoch, game.kernel.limit, game.first_seat, game.previous_winner) == (2, 1, 1, 0, None)
    assert (game.ruleset, game.persons) == (PRESETS["classic"], frozenset({0, 1}))


def test_beaten_cards_of_a_position_lie_on_the_table_once() -> None:
    game = read_position("S | KC QC / 10D JD 6S | table 7H-8H 7D-9D 8C | limit 5 | stock AS")
    assert game.table == [("7H", "8H"), ("7D", "9D"), ("8C", None)]
    assert (game.whole(), game.discarded, game.counts, game.answering()) == (True, 36 - 5 - 5 - 1, [2, 3], True)
    assert (game.kernel.open_cards, game.kernel.attacks, game.kernel.ranks) == (1, 3, 0b1110)
    assert game.kernel.table_cards == set_of(["7H", "8H", "7D", "9D", "8C"])
    assert [action.card for action in game.legal(1)[:-1] if isinstance(action, Beat)] == ["6S"]
    assert refusal(game, "0:+KC") == "rank"


@pytest.mark.parametrize(("table", "limit"), [("7H", 2), ("7H-8H", 3), ("7H-8H 7D-9D", 4), ("7H-8H 7D-9D 7C-10C 7S-9S", 6)])
def test_1_7_the_limit_of_a_position_counts_the_beaten_cards_once(table: str, limit: int) -> None:
    game = read_position(f"S | KC / JD QD | table {table}")
    assert game.limit == limit
    assert read_position(write_position(game)).limit == limit
    assert f"limit {limit}" not in write_position(game)


@pytest.mark.parametrize("text", ["S | 8H / 9S | table 7H-8H", "S | KC / 8H | table 7H-8H", "S | KC / 9S | table 7H-8H | stock 8H"])
def test_a_card_that_has_beaten_another_is_nowhere_else(text: str) -> None:
    with pytest.raises(NotationError, match="8H stands in two places"):
        read_position(text)


def test_it_is_the_game_of_game_position() -> None:
    made = Game.position(PRESETS["gameweave"], trump="S", hands=[["7H"], ["8H", "9H"], []], attacker=1, bout=5)
    assert everything(read_position("S | 7H / 8H 9H / - | rules gameweave | attacker 1 | bout 5")) == everything(made)


def test_fields_stand_in_any_order_and_whitespace_is_free() -> None:
    text = "S|6S 7D/8S 10H|bout 3|stock 9D AS|table 7H-9H 0:7S|limit 4|epoch 8"
    other = " S |\n 6S  7D\t/ 8S 10H | epoch 8|limit 4 |stock 9D  AS| table 7H-9H 7S|bout 3"
    assert everything(read_position(text)) == everything(read_position(other))


@pytest.mark.parametrize(
    "text",
    [
        "S | 6S 7H / 8S",
        "D | 9H / 7H 8H / 6D | stock 9C AD | attacker 2 | bout 7 | epoch 12 | table 6C-7C 1:7S",
        "S | KC / 9H 9D / 7C | limit 3 | table 7H 2:7D | taking | passed 0",
        "S | KC 7D / 9D | rules challenge offer_ms=0 | table 7H-9H | decide",
        "S | KC / QC | rules classic window_ms=none after_take=none discreet=on limit_first_bout=5 bot_delay_ms=0-10",
        "S | KC / QC / - / - | out 3 / 2 | left 3",
        "S | KC / - / 7H | table 6H-8H | out - | excused 1",
        "S | KC / QC 8S | trump AS | first 1 | previous 0 | persons -",
        "S | KC QC 8C 7C 6C 6D / QD KD JD 10D 9D 8S | rules challenge | stock AS | redeal 0:keep | persons 1",
        "S | 6S KC / 7S QC | rules challenge | stock AS | bout 1 | opening 0:6S",
        "S | 10H 7H / 6H 8H / JH | attacker 1 | before 10H 7H / 6H 8H / JH @1; 7H 8H / 6H / JH 10H @0",
        "S | - / 8C | sixes | over",
        "S | 7H / 8C | over repeated",
    ],
)
def test_positions_that_people_write(text: str) -> None:
    game = read_position(text)
    assert everything(read_position(write_position(game))) == everything(game)


def test_the_phase_of_a_redeal_has_its_pack() -> None:
    game, _ = Game.deal(PRESETS["challenge"], sorted(PACK, key=lambda card: card[-1] == "H")[::-1], 2)
    asked = play(game, "0:redeal", decks=[PACK])
    text = write_position(asked)
    assert "redeal 0:redeal" in text
    assert f"deck {' '.join(PACK)}" in text
    assert everything(read_position(text)) == everything(asked)


def test_every_option_can_be_written() -> None:
    for changes in ({"after_take": "none"}, {"window_ms": None}, {"bot_delay_ms": [0, 7]}, {"series": False}, {"turn_clock_s": 15}):
        game = Game.position(ruleset_of("gameweave", changes), trump="S", hands=[["7H"], ["8H"]])
        assert read_position(write_position(game)).ruleset == game.ruleset


# ---------------------------------------------------------------- bad positions


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "begins with the trump suit"),
        ("X | 6S / 7S", "begins with the trump suit"),
        ("S", "the second field"),
        ("S | 6S", "2 to 6 seats"),
        ("S | 6S / 7S / 8S / 9S / 10S / JS / QS", "2 to 6 seats"),
        ("S | 6S / 5S", "hands: '5S' is not a card"),
        ("S | 6S / 6S", "6S stands in two places"),
        ("S | 6S 6S / 7S", "a card stands twice"),
        ("S | 6S / 7S | stock 6S", "6S stands in two places"),
        ("S | 6S / 7S | stock 8D", "is not of the trump suit"),
        ("S | 6S / 7S | stock AS | trump KS", "the last card of the stock"),
        ("S | 6S / 7S | attack 1", "'attack' is no field"),
        ("S | 6S / 7S | bout 3 | bout 3", "the field bout stands twice"),
        ("S | 6S / 7S | bout three", "'three' is not a number"),
        ("S | 6S / 7S | bout 0", "the first bout is number 1"),
        ("S | 6S / 7S | attacker 2", "'2' is not a number from 0 to 1"),
        ("S | 6S / 7S | limit 7", "'7' is not a number from 0 to 6"),
        ("S | 6S / 7S | limit 0", "the lead has to be allowed"),
        ("S | 6S / 7S / 8S | defender 2", "the next active seat"),
        ("S | 6S / 7S | table 7H-8D", "8D does not beat 7H"),
        ("S | 6S / 7S | table 7H 7D", "2 attack cards lie on the table"),
        ("S | 6S / 7S | table 7H+", "is not a card"),
        ("S | 6S / 7S / 8S | table 7H 1:7D", "seat 1 defends"),
        ("S | 6S / 7S / 8S | table 2:7H", "leads the first card"),
        ("S | 6S / 7S | taking", "before the lead"),
        ("S | 6S / 7S | taking yes", "nothing stands after this word"),
        ("S | 6S / 7S | passed 0", "before the lead"),
        ("S | 6S / 7S | table 7H | passed 1", "only an attacker passes"),
        ("S | 6S / 7S | table 7H | decide", "when all is beaten"),
        ("S | 6S / 7S | table 7H-8H | limit 2 | taking", "only while a card is open"),
        ("S | 6S / 7S | table 7H | redeal", "before the first lead"),
        ("S | 6S / 7S | redeal 0:keep", "no five cards of one suit"),
        ("S | 6S / 7S | redeal | deck 6S", "36 different cards"),
        ("S | 6S / 7S | over", "two seats that have not left"),
        ("S | 6S / 7S | over now", "only the word repeated"),
        ("S | 6S / 7S | left 1", "it is over"),
        ("S | 6S / 7S / - | out 1", "has cards"),
        ("S | 6S / 7S / - | out 2 / 2", "stands twice"),
        ("S | 6S / 7S / - | out -", "is out before the lead"),
        ("S | 6S / 7S / - | stock AS | attacker 2", "hold cards"),
        ("S | 6S / 7S / 8S | left 1 | excused 1", "not both"),
        ("S | 6S / 7S | shown 0:AS", "seat 0 does not hold AS"),
        ("S | 6S / 7S | opening 6S", "is not a number"),
        ("S | 6S / 7S | persons", "different seats"),
        ("S | 6S / 7S | persons 0 0", "different seats"),
        ("S | 6S / 7S | rules", "bad_value: preset"),
        ("S | 6S / 7S | rules poker", "bad_value: preset"),
        ("S | 6S / 7S | rules classic transfer=on", "variant_locked: transfer"),
        ("S | 6S / 7S | rules classic colour=red", "unknown_option: colour"),
        ("S | 6S / 7S | rules classic throw_in=nobody", "bad_value: throw_in"),
        ("S | 6S / 7S | rules classic discreet", "not an option=value"),
        ("S | 6S / 7S | rules classic redeal=on redeal=off", "each option once"),
        ("S | 6S / 7S | before 6S / 7S", "is not a number"),
        ("S | 6S / 7S | before 6S / 7S / 8S @0", "the hands of all seats"),
        ("S | 6S / 7S | before 6S / 7S @0; 6S / 7S @0", "third time"),
    ],
)
def test_bad_positions_say_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        read_position(text)
    assert message in str(caught.value)


POSITION_WORDS = """
    | | | | / / S D 6S 7H 10C AS - 0 1 2 5 9 rules classic challenge offer_ms=0 redeal=on bot_delay_ms=1-0 stock trump
    attacker defender table 7H-9H 2:7D 7H-8D taking passed decide redeal 0:keep 1:redeal deck over repeated out left
    excused bout epoch limit shown opening 0:6S first previous persons sixes before @0 ; @ 999999999999 = : =none
"""


def check_any_text(text: str) -> None:
    """It is a position that round-trips, or a NotationError."""
    try:
        game = read_position(text)
    except NotationError:
        return
    assert everything(read_position(write_position(game))) == everything(game)


@settings(deadline=None)
@given(st.text() | st.lists(st.sampled_from(POSITION_WORDS.split())).map(lambda words: "S | 6H 7C / 8H QD | " + " ".join(words)))
@example("S | 6S / 7S | before @0;")
@example("S | 6S / 7S | table :")
def test_any_text_is_a_position_or_a_notation_error(text: str) -> None:
    check_any_text(text)


@settings(deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 40))
def test_damaged_positions_are_positions_or_notation_errors(seed: int, moves: int) -> None:
    rng = random.Random(seed)
    game, _ = random_deal(rng, random_ruleset(rng), rng.randint(2, 6))
    for _ in range(moves):
        if game.phase != "over":
            make(rng, game, random_move(rng, game))
    words = write_position(game).split(" ")
    for _ in range(rng.randint(1, 3)):
        place, other = rng.randrange(len(words) + 1), rng.choice([*words, "|"])
        words[place : place + rng.randint(0, 1)] = rng.choice(([], [other], [other[:-1]], [other, "|"]))
    check_any_text(" ".join(words))
