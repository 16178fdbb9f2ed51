"""One game between bots: what a bot does not decide is decided as for a silent seat (RULES 1.23), and the record replays."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest

from durak.bots.arena.match import Fault, Match, OwnSeat, shuffled
from durak.bots.bot import Budget, bot_named
from durak.protocol.rules.actions import AnyAction, Beat, Keep, Lead, Leave, Pass, Take, Throw
from durak.protocol.rules.cards import PACK, rank_of, suit_of
from durak.protocol.rules.game import Game
from durak.protocol.rules.record import read_record, replay, write_record
from durak.protocol.rules.ruleset import PRESETS, Ruleset, ruleset_of
from durak.protocol.rules.silence import action_of_silence
from durak.protocol.rules.view import DrewSeen, GameView, SeenEvent


class Puppet:
    """A seat that does as told."""

    def __init__(self, choose: Callable[[GameView], AnyAction | None]) -> None:
        self._choose = choose
        self.heard: list[SeenEvent] = []
        self.closed_early = 0
        self.left = 0

    def hear(self, events: Sequence[SeenEvent], view: GameView | None) -> None:
        self.heard += events

    def choose(self, view: GameView) -> AnyAction | None:
        return self._choose(view)

    def closing(self, view: GameView) -> None:
        self.closed_early += 1

    def leave(self) -> None:
        self.left += 1


def seats(rules: Ruleset, names: Sequence[str]) -> list[OwnSeat]:
    return [OwnSeat(bot_named(name), seat, rules, random.Random(seat), Budget()) for seat, name in enumerate(names)]


def play(choose: Callable[[GameView], AnyAction | None], *, players: int = 2, preset: str = "classic", seed: int = 1) -> Match:
    """A puppet in seat 0 against Normal, to the end."""
    rules = PRESETS[preset]
    others = seats(rules, ["normal"] * players)[1:]
    match = Match(rules, shuffled(random.Random(seed)), [Puppet(choose), *others], str(seed))
    match.to_the_end()
    return match


def failing(kind: str) -> Callable[[GameView], AnyAction | None]:
    def choose(view: GameView) -> AnyAction | None:
        raise Fault(kind, "on purpose")

    return choose


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_records_replay_to_the_same_result_and_say_what_was_decided_for_a_bot(preset: str) -> None:
    for seed in range(20):
        match = play(failing("crashed"), preset=preset, seed=seed)
        record = read_record(write_record(match.record))
        assert replay(record).result == match.game.result
        notes = [entry for entry in record.inputs if entry.note is not None]
        assert len(notes) == len(match.lapses) > 0
        assert all(entry.move.startswith("0:") for entry in notes)
        assert notes[0].note == "decided for the bot, crashed: on purpose"


def test_the_names_of_the_seats_are_in_the_record() -> None:
    rules = PRESETS["classic"]
    match = Match(rules, shuffled(random.Random(1)), seats(rules, ["easy", "easy"]), "1", names=["mine", "yours"])
    assert read_record(write_record(match.record)).deal.names == ["mine", "yours"]


def test_1_23_what_is_decided_for_a_bot() -> None:
    done: set[str] = set()
    for seed in range(30):
        match = play(failing("timed_out"), players=2 + seed % 3, seed=seed)
        for entry in match.record.inputs:
            if entry.note is not None:
                done.add(entry.move.removeprefix("0:"))
    assert {"take", "pass"} <= done
    assert not any("x" in move or "+" in move for move in done), "it beats nothing and throws nothing in"


@pytest.mark.parametrize(
    ("hand", "trump", "led"), [("KS 6S 9H 9D", "S", "9H"), ("KS 7S", "S", "7S"), ("9C 9D 9H", "S", "9H"), ("AC 6H 6S", "H", "6S")]
)
def test_1_23_a_silent_attacker_leads_its_lowest_plain_card(hand: str, trump: str, led: str) -> None:
    game = Game.position(PRESETS["classic"], trump=trump, hands=[hand.split(), ["8C"]])
    assert action_of_silence(game, 0) == Lead(led)


def test_1_23_a_redeal_is_declined_and_a_decision_finishes() -> None:
    def choose(view: GameView) -> AnyAction | None:
        if view.phase in ("redeal", "decide"):
            raise Fault("crashed", "on purpose")
        return view.legal[0]

    forfeited = {"keep": 0, "finish": 0}
    rules = PRESETS["challenge"]
    seeds = [seed for seed in range(1000) if Game.deal(rules, shuffled(random.Random(seed)), 2)[0].kernel.offers & 1]
    for seed in seeds[:5]:
        for entry in play(choose, preset="challenge", seed=seed).record.inputs:
            what = entry.move.removeprefix("0:")
            if entry.note is not None and what in forfeited:
                forfeited[what] += 1
    assert min(forfeited.values()) > 0


@pytest.mark.parametrize(
    "answer",
    [
        lambda view: Leave(),
        lambda view: Lead(next((card for card in PACK if card not in view.hand), "6S")),
        lambda view: Beat("6S", "7H"),
        lambda view: Keep() if view.phase != "redeal" else Throw("6S"),
    ],
    ids=["leave", "not in hand", "beats nothing", "another phase"],
)
def test_an_illegal_answer_is_forfeited_and_the_game_goes_on(answer: Callable[[GameView], AnyAction]) -> None:
    match = play(answer)
    assert {lapse.kind for lapse in match.lapses} <= {"illegal"}
    assert match.lapses
    assert match.game.result is not None


def test_a_bot_that_always_waits_is_waited_for_only_when_it_must_decide() -> None:
    for preset in PRESETS:
        match = play(lambda view: None, preset=preset)
        assert {lapse.kind for lapse in match.lapses} == {"waited"}
        noted = [entry.move.removeprefix("0:") for entry in match.record.inputs if entry.note is not None]
        if preset == "classic":
            assert "pass" not in noted, "the window ends without it"
        assert replay(match.record).result == match.game.result


def test_all_bots_wait_for_ever_and_the_game_still_ends() -> None:
    for preset in PRESETS:
        for players in (2, 3, 5) if preset != "challenge" else (2,):
            match = Match(PRESETS[preset], shuffled(random.Random(3)), [Puppet(lambda view: None) for _ in range(players)], "3")
            assert match.to_the_end() is not None


def test_a_target_may_be_left_out_when_only_one_is_possible() -> None:
    def choose(view: GameView) -> AnyAction | None:
        beats = [action for action in view.legal if isinstance(action, Beat)]
        if len(view.table) == 1 and beats:
            return Beat(min(beats, key=lambda beat: (suit_of(beat.card) == view.trump, rank_of(beat.card))).card)
        return next((action for action in view.legal if isinstance(action, Lead | Pass | Take)), None)

    match = play(choose)
    assert match.lapses == []
    assert any(entry.move.startswith("0:") and "x" in entry.move for entry in match.record.inputs)


def test_a_bot_hears_only_what_its_seat_may() -> None:
    puppets = [Puppet(lambda view: None) for _ in range(3)]
    Match(PRESETS["classic"], shuffled(random.Random(3)), puppets, "3").to_the_end()
    for seat, puppet in enumerate(puppets):
        drawn = [event for event in puppet.heard if isinstance(event, DrewSeen)]
        assert {event.seat for event in drawn if event.cards is not None} <= {seat}
        assert puppet.left == 1


def test_a_crash_of_a_bot_of_this_process_is_a_fault() -> None:
    class Broken:
        cheap = True

        def choose(self, *_: object) -> AnyAction | None:
            raise ZeroDivisionError("division by zero")

    rules = PRESETS["classic"]
    broken = OwnSeat(Broken(), 0, rules, random.Random(1), Budget())
    match = Match(rules, shuffled(random.Random(1)), [broken, seats(rules, ["easy", "easy"])[1]], "1")
    match.to_the_end()
    assert match.lapses[0][1:] == ("crashed", "ZeroDivisionError: division by zero")


def test_the_same_seed_plays_the_same_game_and_another_one_another() -> None:
    rules = ruleset_of("classic", {"discreet": True})
    texts = []
    for seed in ("1/7", "1/7", "1/8"):
        match = Match(rules, shuffled(random.Random(5)), seats(rules, ["easy", "random", "easy"]), seed)
        match.to_the_end()
        texts.append(write_record(match.record))
    assert texts[0] == texts[1] != texts[2]


@pytest.mark.parametrize(("preset", "players", "card"), [("challenge", 2, "opening_trump"), ("classic", 6, "dealt_trump")])
def test_a_bot_knows_the_shown_trump_before_it_has_chosen_anything(preset: str, players: int, card: str) -> None:
    rules = ruleset_of(preset, {"redeal": False} if preset == "challenge" else {})
    told = 0
    for seed in range(10):
        table = seats(rules, ["normal"] * players)
        match = Match(rules, shuffled(random.Random(seed)), table, str(seed))
        shown = getattr(match.game, card)
        if shown is not None:
            told += 1
            assert all(seat.memory.public.known[shown[0]] & 1 << shown[1] for seat in table if seat.memory.seat != shown[0])
    assert told > 5
