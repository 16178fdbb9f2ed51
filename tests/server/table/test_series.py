"""RULES 1.1, 1.25, 3.5 and ROOMS 3: the games of a series, votes for the next one, people leaving between games."""

from typing import Any

from durak.protocol.messages import Rose, Sat, Started, Voted
from durak.protocol.rules.events import GameResult
from durak.protocol.rules.result import Score
from tests.server.table.driving import Driven, created, events_of, game_view, refused, run, view


def end(driven: Driven, places: str, *, draw: bool = False) -> Driven:
    """The running game ends: "1 / 0 2" are groups of seats in the order of going out, the durak last."""
    groups = [[int(seat) for seat in group.split()] for group in places.split("/")]
    driven.table = driven.table.copy()
    driven.game.result = GameResult(groups, None if draw else groups[-1][0], draw, [])
    driven.table.clocks = driven.table.clocks.stopped()
    driven.table._game_over()
    return driven


def series(persons: int = 3, *, max_players: int = 6, **options: Any) -> Driven:
    return created(max_players=max_players, persons=persons, start=True, **options)


def again(driven: Driven) -> Driven:
    """All vote, and the next game begins."""
    for _, person in driven.table.persons():
        run(driven, f"{person.player}:vote")
    assert driven.table.status == "playing"
    return driven


# ---------------------------------------------------------------- 1.1: the first seat


def test_1_1_the_first_game_is_dealt_from_seat_0_and_the_next_from_the_next_chair() -> None:
    driven = series(3)
    first = []
    for _ in range(5):
        first.append(driven.game.first_seat)
        again(end(driven, "0 / 1 / 2"))
    assert first == [0, 1, 2, 0, 1]


def test_1_1_the_first_seat_is_the_lowest_occupied_chair() -> None:
    driven = run(created(max_players=5, persons=1), "bob:sit@2 cat:sit@4 ann:rise bob:start")
    assert Started(1, [2, 4]) in driven.told[-1].events
    assert driven.game.first_seat == 0


def test_1_1_empty_chairs_are_skipped() -> None:
    driven = run(created(max_players=6), "bob:sit@2 cat:sit@5 ann:start")
    first = []
    for _ in range(4):
        first.append((driven.table.first_chair, driven.game.first_seat))
        again(end(driven, "0 / 1 / 2"))
    assert first == [(0, 0), (2, 1), (5, 2), (0, 0)]


def test_1_1_a_new_player_on_the_next_chair_is_dealt_to_first() -> None:
    driven = run(end(run(created(max_players=6), "bob:sit@4 ann:start"), "0 / 1"), "cat:sit@1 ann:start")
    assert (driven.table.first_chair, driven.game.first_seat) == (1, 1)


def test_1_1_when_the_first_has_gone_the_next_chair_follows_all_the_same() -> None:
    driven = run(end(series(3), "0 / 1 / 2"), "ann:rise bob:start")
    assert (driven.table.first_chair, driven.game.first_seat) == (1, 0)
    driven = run(end(driven, "0 / 1"), "bob:rise dan:sit@0 cat:start")
    assert (driven.table.first_chair, driven.game.first_seat) == (2, 1)


# ---------------------------------------------------------------- 3.5: the previous winner


def previous_winner(driven: Driven) -> int | None:
    return driven.game.previous_winner


def test_3_5_the_sole_first_out_leads_the_next_game() -> None:
    assert previous_winner(series(3)) is None
    assert previous_winner(again(end(series(3), "2 / 0 / 1"))) == 2


def test_3_5_a_draw_keeps_the_earlier_winner() -> None:
    driven = again(end(series(3), "2 / 0 / 1"))
    assert previous_winner(again(end(driven, "0 1 2", draw=True))) == 2


def test_3_5_a_shared_first_place_is_no_winner() -> None:
    driven = again(end(series(3), "2 / 0 / 1"))
    assert previous_winner(again(end(driven, "0 1 / 2"))) is None


def test_3_5_a_winner_who_has_gone_counts_as_none() -> None:
    driven = run(end(series(3), "2 / 0 / 1"), "cat:rise ann:start")
    assert previous_winner(driven) is None
    assert previous_winner(again(run(end(driven, "0 1", draw=True), "cat:sit@2"))) is None


def test_3_5_the_winner_is_a_player_not_a_chair() -> None:
    driven = run(end(series(3), "2 / 0 / 1"), "ann:rise bob:start")
    assert [occupant.player for _, occupant in driven.table.occupants()] == ["bob", "cat"]
    assert previous_winner(driven) == 1


def test_3_5_the_winner_leads_at_a_challenge_table() -> None:
    driven = again(end(created("challenge", persons=2, start=True), "1 / 0"))
    assert run(driven, "+6000").game.kernel.attacker == 1


# ---------------------------------------------------------------- 1.25: the score


def scores(driven: Driven) -> list[tuple[int, int]]:
    """Wins and losses, by chair."""
    return [(chair.score.wins, chair.score.losses) for chair in view(driven).chairs]


def test_1_25_one_win_for_the_first_out_one_loss_for_the_durak() -> None:
    driven = end(again(end(series(3), "2 / 0 / 1")), "0 2 / 1")
    assert scores(driven) == [(1, 0), (0, 2), (2, 0)]
    assert view(driven).games == 2


def test_1_25_a_draw_counts_for_nobody() -> None:
    assert scores(end(series(3), "0 / 1 2", draw=True)) == [(0, 0)] * 3


def test_1_25_without_a_series_the_score_is_that_of_one_game() -> None:
    driven = end(series(3, series=False), "2 / 0 / 1")
    assert scores(driven) == [(0, 0), (0, 1), (1, 0)]
    assert scores(again(driven)) == [(0, 0)] * 3


def test_1_25_a_new_player_begins_at_nothing() -> None:
    driven = run(end(series(3), "2 / 0 / 1"), "bob:rise dan:sit@1")
    assert scores(driven) == [(0, 0), (0, 0), (1, 0)]
    driven = run(driven, "dan:rise bob:sit@1")
    assert driven.table.chairs[1] is not None
    assert driven.table.chairs[1].score == Score()


# ---------------------------------------------------------------- votes


def test_the_next_game_begins_when_every_person_has_voted() -> None:
    driven = end(series(2, bots=1), "0 / 1 / 2")
    assert events_of(driven, "ann:vote") == [Voted(0)]
    shown = view(driven)
    assert ([chair.chair for chair in shown.chairs if chair.vote], shown.persons) == ([0], 2)
    events = events_of(driven, "bob:vote")
    assert events[:2] == [Voted(2), Started(2, [0, 1, 2])]
    assert not any(chair.vote for chair in view(driven).chairs)


def test_nobody_votes_twice_and_a_spectator_not_at_all() -> None:
    driven = run(end(series(3), "0 / 1 / 2"), "ann:vote")
    assert refused(driven, "ann:vote") == "already_voted"
    assert refused(driven, "eve:vote") == "not_seated"


def test_the_host_need_not_wait_for_votes() -> None:
    driven = run(end(series(3), "0 / 1 / 2"), "ann:start")
    assert (driven.table.status, view(driven).games) == ("playing", 1)


def test_a_new_person_has_to_vote_too() -> None:
    driven = run(end(series(2), "0 / 1"), "ann:vote cat:sit bob:vote")
    assert driven.table.status == "finished"
    assert Started(2, [0, 1, 2]) in events_of(driven, "cat:vote")


def test_one_person_alone_waits_for_another() -> None:
    driven = run(end(series(2), "0 / 1"), "bob:rise ann:vote")
    assert driven.table.status == "finished"
    assert refused(driven, "ann:start") == "too_few_players"
    assert run(driven, "cat:sit cat:vote").table.status == "playing"


def test_when_the_last_who_has_not_voted_leaves_the_next_game_begins() -> None:
    driven = run(end(series(3), "0 / 1 / 2"), "ann:vote bob:vote")
    events = events_of(driven, "cat:rise")
    assert events[:2] == [Rose(2, "cat"), Started(2, [0, 1])]


def test_when_the_last_who_has_not_voted_stays_away_the_next_game_begins() -> None:
    driven = run(end(series(3), "0 / 1 / 2"), "cat:drop +1 ann:vote bob:vote")
    assert driven.table.status == "finished"
    assert Started(2, [0, 1]) in events_of(driven, "+59999")


def test_leaving_begins_no_game_that_nobody_voted_for_or_could_play() -> None:
    assert run(end(series(2, bots=2), "0 / 1 / 2 / 3"), "ann:rise bob:rise").table.status == "finished"
    assert run(end(series(2), "0 / 1"), "ann:vote bob:rise").table.status == "finished"


def test_a_vote_goes_with_its_voter() -> None:
    driven = run(end(series(3), "0 / 1 / 2"), "cat:vote cat:rise dan:sit@2 ann:vote bob:vote")
    assert driven.table.status == "finished"


# ---------------------------------------------------------------- people leaving between games


def test_who_leaves_between_games_is_named_by_the_result_until_the_next_game() -> None:
    driven = run(end(series(3), "0 / 1 / 2"), "bob:rise")
    assert [(chair.name, chair.seat, chair.left) for chair in view(driven).chairs] == [
        ("ann", 0, False),
        ("bob", 1, True),
        ("cat", 2, False),
    ]
    assert Started(2, [0, 2]) in events_of(driven, "ann:start")
    assert [chair.name for chair in view(driven).chairs] == ["ann", "cat"]


def test_the_chair_of_who_has_left_can_be_taken() -> None:
    driven = run(end(series(3, max_players=3), "0 / 1 / 2"), "bob:rise")
    assert events_of(driven, "dan:sit") == [Sat(1, "dan", "person")]
    assert refused(driven, "bob:sit") == "table_full"


def test_a_full_table_between_games_has_no_countdown() -> None:
    driven = run(end(series(3, max_players=3), "0 / 1 / 2"), "bob:rise dan:sit")
    assert driven.table.deadline_ms is None


def test_a_dismissed_bot_is_not_dealt_to() -> None:
    driven = run(end(series(2, bots=1), "0 / 1 / 2"), "ann:dismiss@1 ann:start")
    assert [chair.name for chair in view(driven).chairs] == ["ann", "bob"]


def test_who_sits_down_between_games_sees_no_hand_of_the_last_one() -> None:
    driven = run(end(series(3), "0 / 1 / 2"), "bob:rise dan:sit@1")
    you = view(driven, "dan").you
    assert (you.chair, you.seat, game_view(driven, "dan").hand) == (1, None, None)


def test_dismissing_a_bot_begins_no_game_even_if_everybody_has_voted() -> None:
    driven = run(end(series(2), "0 / 1"), "bob:rise ann:vote ann:fill@3")
    assert events_of(driven, "ann:dismiss@1") == [Rose(1, "bot0")]
    assert driven.table.status == "finished"
