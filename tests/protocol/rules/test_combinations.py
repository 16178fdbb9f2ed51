"""RULES 4: options are independent, each does one thing in any combination."""

from durak.protocol.rules.game import Game
from durak.protocol.rules.result import Score, scored
from durak.protocol.rules.ruleset import ruleset_of
from durak.protocol.rules.view import view_of
from tests.protocol.rules.playing import given, hand, legal, play, refusal, result, roles, shuffled

THREE = "S | 7H 7D KC / 9H 8D 8C / 7C QC | rules classic"


# ---------------------------------------------------------------- forfeit_defence


def test_4_forfeit_defence_with_three_seats() -> None:
    game = play(given(f"{THREE} forfeit_defence=on"), "0:7H 1:9H 0:pass 2:pass")
    assert [legal(game, seat) for seat in range(3)] == ["", "finish forfeit", ""]
    assert roles(play(game.copy(), "1:finish")) == (1, 2)
    game = play(game, "1:forfeit")
    assert (roles(game), hand(game, 1)) == ((2, 0), "7H 9H 8D 8C")


def test_4_forfeit_defence_at_the_end_of_a_window() -> None:
    game = play(given(f"{THREE} forfeit_defence=on"), "0:7H 1:9H close")
    assert (game.phase, refusal(game, "2:+7C")) == ("decide", "wrong_phase")


def test_4_a_forfeit_by_a_defender_that_had_played_its_last_card() -> None:
    game = play(given("S | 7H KC / 9H / 8C JC | rules classic forfeit_defence=on"), "0:7H 1:9H 1:forfeit")
    assert (roles(game), hand(game, 1)) == ((2, 0), "7H 9H")


# ---------------------------------------------------------------- after_take, throw_in, throw_timing


def test_4_after_take_none_adds_nothing_and_closes_as_usual() -> None:
    game = play(given(f"{THREE} after_take=none"), "0:7H 1:take", closes=False)
    assert (game.phase, game.quiet(), legal(game, 2)) == ("bout", True, "pass")
    assert refusal(game, "2:7C") == "already_taking"
    assert hand(play(game, "close"), 1) == "7H 9H 8D 8C"


def test_4_after_take_none_on_a_discreet_table() -> None:
    assert play(given(f"{THREE} after_take=none discreet=on"), "0:7H 1:take", closes=False).quiet()


def test_4_gameweave_where_all_throw_in_still_ends_at_once_by_a_take() -> None:
    game = play(given("S | 7H 7D KC / 9H 8D 8C / 7C QC | rules gameweave throw_in=all"), "0:7H 1:9H 2:7C 1:take", closes=False)
    assert (game.phase, roles(game)) == ("lead", (2, 0))


def test_4_attacker_only_at_any_time() -> None:
    game = play(given(f"{THREE} throw_in=attacker_only"), "0:7H")
    assert (legal(game, 0), legal(game, 2)) == ("+7D pass", "")


# ---------------------------------------------------------------- epaulettes, winner_leads, limit_first_bout


def test_4_epaulettes_with_three_seats_for_an_attacker_that_alone_goes_out_last() -> None:
    over = result(play(given("S | 6H 6D / 7H 8D 9C / - | rules classic epaulettes=on"), "0:6H 1:7H 0:6D 1:8D"))
    assert (over.places, over.durak, over.giver) == ([[2], [0], [1]], 1, 0)
    assert scored([Score()] * 3, over) == [Score(epaulettes=1), Score(losses=2, epaulettes=-1), Score(wins=1)]


def test_4_no_epaulettes_when_another_seat_goes_out_in_the_deciding_bout_too() -> None:
    over = result(play(given("S | 6H 6D / 7H 8D 9C QC / 7C | rules classic epaulettes=on"), "0:6H 0:6D 1:7H 1:8D 2:7C 1:take"))
    assert (over.places, over.durak, over.giver) == ([[0, 2], [1]], 1, None)


def test_4_no_epaulettes_when_a_thrower_goes_out_and_decides() -> None:
    over = result(play(given("S | 9H / 9S 10H QC / 9C | rules classic epaulettes=on"), "0:9H 2:9C 1:take"))
    assert over.giver is None


def test_4_winner_leads_with_many_seats() -> None:
    ruleset = ruleset_of("classic", {"first_attacker": "winner_leads"})
    deck = shuffled("6D / 9S / 7S / 6C", "AS")
    assert roles(Game.deal(ruleset, deck, 4, previous_winner=3)[0]) == (3, 0)
    game, _ = Game.deal(ruleset, deck, 4)
    assert roles(game) == (2, 3)
    assert view_of(game, None).opening_trump is not None


def test_4_winner_leads_without_trumps_takes_the_lowest_seat_with_a_person() -> None:
    ruleset = ruleset_of("classic", {"first_attacker": "winner_leads"})
    game, _ = Game.deal(ruleset, shuffled("6D / 7D / 8D", "6S", first=1), 3, first_seat=1, persons=[2])
    assert roles(game) == (2, 0)


def test_4_the_limit_of_five_ends_an_attack_on_a_discreet_table_too() -> None:
    text = (
        "S | 6H 6D 6C 7D 7C QS / 7H 8D 8C 9D 9C JS | stock AS | bout 1 "
        "| rules challenge discreet=on limit_first_bout=5 throw_timing=any"
    )
    game = play(given(text), "0:6H 0:6D 0:6C 1:7Hx6H 0:7D 0:7C 1:8Dx6D 1:8Cx6C 1:9Dx7D 1:9Cx7C", closes=False)
    assert game.quiet()
    assert play(game, "close").phase == "decide"
