"""A live table: told only what is on disk, in order, and nothing invented when the disk fails."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from durak.protocol.messages import CameBack, Started, TimedOut, WentAway
from durak.protocol.rules.actions import Lead, Pass
from durak.protocol.rules.ruleset import ruleset_of
from durak.server.journal.contract import JournalError
from durak.server.live.batch import MAX_BATCH
from durak.server.live.common import Common
from durak.server.live.history import MAX_HISTORY
from durak.server.live.outcome import Accepted, Frozen, Illegal, Outcome
from durak.server.live.table import RETRY_MS, LiveTable
from durak.server.table.chairs import Refused
from durak.server.table.inputs import BotPlayer, CreateTable, Dropped, Play, Recovered, Returned, SetAutoPass, SitDown, StartGame
from durak.server.table.machine import Table
from tests.server.shell import Bugs, FixedEntropy, HandClock, Listener, MemoryJournal, a_viewer, settled


class Bench:
    """A live table of two, with everything around it."""

    def __init__(self, make_table: Callable[[str], Table] = Table, **options: object) -> None:
        self.make_table = make_table
        self.rules = ruleset_of("classic", {"max_players": 2, "close_ms": 0, **options})
        self.clock, self.journal, self.listener, self.bugs = HandClock(), MemoryJournal(), Listener(), Bugs()
        self.live = self.table_again()
        self.outcomes: list[tuple[str, Outcome]] = []

    def table_again(self) -> LiveTable:
        """A live table over the same journal."""
        common = Common(self.journal, self.clock, FixedEntropy(), self.bugs, self.make_table)  # type: ignore[arg-type]
        common.watchers.append(self.listener)
        return LiveTable("TAB001", common)

    def reply(self, name: str) -> Callable[[Outcome], None]:
        """A reply that notes the outcome under a name."""
        return lambda outcome: self.outcomes.append((name, outcome))

    def submit(self, name: str, given: object) -> None:
        """Submit an input."""
        self.live.submit(given, self.reply(name))  # type: ignore[arg-type]

    async def started(self) -> None:
        """Ann and Bob play."""
        self.submit("create", CreateTable("ann", "c1", "Ann", "T", self.rules, True, False, False, []))
        self.submit("sit", SitDown("bob", "c2", "Bob"))
        self.submit("start", StartGame("ann", "c3"))
        await settled()
        for player in ("ann", "bob"):
            self.live.attach(a_viewer(player)[0])
        await settled()
        self.outcomes.clear()
        self.listener.heard.clear()

    @property
    def leader(self) -> str:
        """Whose lead it is."""
        game = self.live.table.game
        assert game is not None
        return ("ann", "bob")[game.kernel.attacker]

    def lead(self, cid: str) -> Play:
        """The leader's first legal lead."""
        game = self.live.table.game
        assert game is not None
        return Play(self.leader, cid, game.legal(game.kernel.attacker)[0], game.kernel.bout, game.kernel.epoch)


async def test_nothing_is_told_before_it_is_on_disk() -> None:
    bench = Bench()
    await bench.started()
    bench.journal.held = []
    bench.submit("lead", bench.lead("c4"))
    await settled()
    assert (bench.outcomes, bench.listener.heard) == ([], [])
    assert bench.live.busy
    before = bench.live.table.seq
    bench.journal.release()
    await settled()
    assert bench.outcomes == [("lead", Accepted("TAB001", before + 1))]
    assert [seq for seq, _ in bench.listener.heard] == [before + 1]
    assert not bench.live.busy


async def test_what_arrives_meanwhile_goes_with_the_next_append() -> None:
    bench = Bench()
    await bench.started()
    bench.journal.held = []
    appends = bench.journal.appends
    bench.submit("lead", bench.lead("c4"))
    await settled()
    for number in range(10):
        bench.submit(f"switch {number}", SetAutoPass("bob", f"s{number}", number % 2 == 0))
    await settled()
    assert bench.journal.appends == appends + 1
    bench.journal.release()
    await settled()
    assert bench.journal.appends == appends + 2
    assert [name for name, _ in bench.outcomes] == ["lead", *(f"switch {number}" for number in range(10))]


async def test_the_same_id_is_answered_alike_and_written_once() -> None:
    bench = Bench()
    await bench.started()
    lead = bench.lead("c4")
    bench.journal.held = []
    bench.submit("first", lead)
    bench.submit("at once", lead)
    bench.journal.release()
    await settled()
    entries = len(bench.journal.tables["TAB001"])
    bench.submit("later", Play(bench.leader, "c4", Pass(), 99))
    await settled()
    first = bench.outcomes[0][1]
    assert isinstance(first, Accepted)
    assert not first.repeated
    assert [outcome for _, outcome in bench.outcomes[1:]] == [Accepted("TAB001", first.seq, repeated=True)] * 2
    assert len(bench.outcomes) == 3
    assert len(bench.journal.tables["TAB001"]) == entries


async def test_a_refusal_is_not_written_and_its_id_is_judged_anew() -> None:
    bench = Bench()
    await bench.started()
    entries = list(bench.journal.tables["TAB001"])
    other = "ann" if bench.leader == "bob" else "bob"
    bench.submit("pass", Play(other, "c9", Pass(), 1))
    bench.submit("stranger", Play("eve", "c1", Pass(), 1))
    await settled()
    assert [type(outcome) for _, outcome in bench.outcomes] == [Illegal, Refused]
    assert bench.journal.tables["TAB001"] == entries
    bench.submit("again", SetAutoPass(other, "c9", True))
    await settled()
    assert isinstance(bench.outcomes[-1][1], Accepted)


async def test_hundreds_of_refusals_are_all_answered() -> None:
    """More than a batch, with nothing to write: the rest does not wait for the next event."""
    bench = Bench()
    await bench.started()
    bench.journal.held = []
    bench.submit("lead", bench.lead("c4"))
    for number in range(5 * MAX_BATCH):
        bench.submit(f"bad {number}", Play("ann", f"b{number}", Lead("6S"), 99))
    bench.journal.release()
    await settled()
    assert len(bench.outcomes) == 1 + 5 * MAX_BATCH
    assert not bench.live.busy


async def test_whoever_looks_while_it_is_told_sees_that_moment() -> None:
    """Replies and updates of one batch: at each, the table and its history are as of that step."""
    bench = Bench()
    await bench.started()
    seen: list[tuple[int, int]] = []

    def look(outcome: Outcome) -> None:
        assert isinstance(outcome, Accepted)
        assert bench.live.table.seq == outcome.seq
        seen.append((outcome.seq, list(bench.live.history)[-1][0]))
        bench.live.submit(Returned("ann"))  # what a reply submits waits until all is told

    bench.journal.held = []
    bench.live.submit(bench.lead("c4"))
    bench.live.submit(Dropped("bob"), look)
    bench.live.submit(Returned("bob"), look)
    bench.live.submit(Dropped("ann"), look)
    await settled()
    bench.journal.release()
    await settled()
    first = seen[0][0]
    assert seen == [(first, first), (first + 1, first + 1), (first + 2, first + 2)]
    assert [type(events[0]) for _, events in bench.listener.heard[1:]] == [WentAway, CameBack, WentAway, CameBack]


async def test_a_reply_that_fails_harms_no_other(caplog: pytest.LogCaptureFixture) -> None:
    bench = Bench()
    await bench.started()

    def fails(outcome: Outcome) -> None:
        raise ZeroDivisionError

    bench.journal.held = []
    bench.live.submit(Dropped("ann"), fails)
    bench.submit("dropped", Dropped("bob"))
    bench.journal.release()
    await settled()
    assert isinstance(bench.outcomes[0][1], Accepted)
    assert "a bug in the server: reply" in caplog.text
    assert bench.bugs.places == ["reply"]
    bench.submit("returned", Returned("bob"))
    await settled()
    assert len(bench.outcomes) == 2


# ---------------------------------------------------------------- when the disk fails


async def test_what_was_not_saved_is_refused_and_has_not_happened() -> None:
    bench = Bench()
    await bench.started()
    before = bench.live.table.seq
    bench.journal.broken = True
    lead = bench.lead("c4")
    bench.submit("lead", lead)
    await settled()
    assert isinstance(bench.outcomes[0][1], JournalError)
    assert bench.outcomes[0][1].code == "data_full"
    assert (bench.live.table.seq, bench.listener.heard) == (before, [])
    bench.journal.broken = False
    await bench.clock.advance(RETRY_MS)
    assert bench.listener.reloads == 1
    bench.submit("again", lead)
    await settled()
    assert bench.outcomes[1][1] == Accepted("TAB001", before + 1)


async def test_what_was_saved_although_it_failed_is_found_again() -> None:
    bench = Bench()
    await bench.started()
    before = bench.live.table.seq
    bench.journal.broken = bench.journal.silently = True
    lead = bench.lead("c4")
    bench.submit("lead", lead)
    await settled()
    assert isinstance(bench.outcomes[0][1], JournalError)
    bench.journal.broken = False
    await bench.clock.advance(RETRY_MS)
    assert bench.live.table.seq == before + 1
    bench.submit("again", lead)
    await settled()
    assert bench.outcomes[1][1] == Accepted("TAB001", before + 1, repeated=True)
    assert len(bench.journal.tables["TAB001"]) == 4


async def test_another_writer_is_a_conflict_and_what_it_wrote_is_taken_over() -> None:
    bench = Bench()
    await bench.started()
    rival = bench.table_again()
    rival.replay(bench.journal.tables["TAB001"])
    rival.submit(SetAutoPass("bob", "rival", True))
    await settled()
    bench.submit("lead", bench.lead("c4"))
    await settled()
    assert isinstance(bench.outcomes[0][1], JournalError)
    assert bench.outcomes[0][1].code == "sequence_conflict"
    await bench.clock.advance(RETRY_MS)
    assert bench.live.table.answer_to("bob", "rival") is not None
    bench.submit("again", bench.lead("c4"))
    await settled()
    assert isinstance(bench.outcomes[1][1], Accepted)


async def test_it_waits_as_long_as_the_journal_can_not_be_read(caplog: pytest.LogCaptureFixture) -> None:
    bench = Bench()
    await bench.started()
    bench.journal.broken = bench.journal.unreadable = True
    bench.submit("lead", bench.lead("c4"))
    await settled()
    bench.submit("waits", bench.lead("c5"))
    appends = bench.journal.appends
    await bench.clock.advance(5 * RETRY_MS)
    assert bench.journal.appends == appends, "it does not try to write what it can't know"
    assert caplog.text.count("reload failed") == 5
    bench.journal.broken = bench.journal.unreadable = False
    await bench.clock.advance(RETRY_MS)
    assert isinstance(dict(bench.outcomes)["waits"], Accepted)


async def test_a_broken_journal_is_not_tried_in_a_tight_loop() -> None:
    bench = Bench(turn_clock_s=15)
    await bench.started()
    bench.journal.broken = True
    appends = bench.journal.appends
    await bench.clock.advance(15_000 + 10 * RETRY_MS)
    assert bench.journal.appends - appends <= 12


async def test_a_journal_that_folds_otherwise_freezes_the_table(caplog: pytest.LogCaptureFixture) -> None:
    bench = Bench()
    await bench.started()
    bench.journal.broken = True
    bench.submit("lead", bench.lead("c4"))
    await settled()
    bench.journal.tables["TAB001"][1] = b"\x80"
    bench.journal.broken = False
    await bench.clock.advance(RETRY_MS)
    assert bench.live.frozen == "journal"
    assert bench.listener.endings == ["frozen"]
    bench.submit("again", Dropped("ann"))
    await settled()
    assert isinstance(bench.outcomes[-1][1], Frozen)
    assert "table frozen: entry 2" in caplog.text


@pytest.mark.parametrize("damage", [b"", b"\xc1", b"\x80", b"junk"])
async def test_a_replay_of_rubbish_is_frozen(damage: bytes, caplog: pytest.LogCaptureFixture) -> None:
    bench = Bench()
    await bench.started()
    lines = [*bench.journal.tables["TAB001"], damage]
    for number, kept in (4, lines), (2, [lines[0], lines[2]]):
        again = bench.table_again()
        again.replay(kept)
        assert again.frozen == "journal"
        assert f"table frozen: entry {number}" in caplog.text


async def test_a_stopped_table_refuses_what_waits() -> None:
    bench = Bench()
    await bench.started()
    bench.journal.held = []
    bench.submit("lead", bench.lead("c4"))
    await settled()
    bench.submit("waits", Dropped("ann"))
    bench.live.stop()
    bench.submit("late", Dropped("bob"))
    bench.journal.release()
    await settled()
    outcomes = dict(bench.outcomes)
    assert isinstance(outcomes["lead"], Accepted), "what is being written is told"
    assert isinstance(outcomes["waits"], JournalError)
    assert isinstance(outcomes["late"], JournalError)


# ---------------------------------------------------------------- time


async def test_an_expiry_comes_before_what_was_stamped_after_it() -> None:
    bench = Bench(turn_clock_s=15)
    await bench.started()
    leader, lead = bench.leader, bench.lead("late")
    await bench.clock.advance(15_000 - 1)
    assert not any(isinstance(event, TimedOut) for _, events in bench.listener.heard for event in events)
    await bench.clock.advance(1)
    assert [type(events[0]) for _, events in bench.listener.heard] == [TimedOut]
    bench.live.submit(lead, bench.reply("late"))
    await settled()
    assert isinstance(bench.outcomes[0][1], Illegal), leader


async def test_an_outage_is_charged_to_no_clock() -> None:
    bench = Bench(turn_clock_s=15)
    await bench.started()
    await bench.clock.advance(10_000)
    bench.live.stop()
    await bench.clock.advance(3_600_000)
    again = bench.table_again()
    again.replay(bench.journal.tables["TAB001"])
    again.submit(Recovered())
    await settled()
    assert again.table.deadline_ms is not None
    assert again.table.deadline_ms >= bench.clock.now_ms() + 5_000
    assert not any(isinstance(event, TimedOut) for _, events in again.history for event in events)


async def test_an_outage_is_charged_to_no_bot_either() -> None:
    """A table of bots only: nobody goes away, and yet the clocks move."""
    bench = Bench(turn_clock_s=15)
    bots = [BotPlayer("bot:1", "Boris", "easy"), BotPlayer("bot:2", "Vera", "easy")]
    bench.submit("create", CreateTable("ann", "c1", "Ann", "T", bench.rules, False, True, False, bots))
    await settled()
    bench.live.stop()
    await bench.clock.advance(600_000)
    again = bench.table_again()
    again.replay(bench.journal.tables["TAB001"])
    again.submit(Recovered())
    await settled()
    assert again.table.deadline_ms == bench.clock.now_ms() + 15_000
    assert len(bench.journal.tables["TAB001"]) == 2


# ---------------------------------------------------------------- history


async def test_the_history_begins_with_the_running_game_and_is_bounded() -> None:
    bench = Bench()
    await bench.started()
    assert isinstance(next(iter(bench.live.history))[1][0], Started)
    for number in range(2 * MAX_HISTORY):
        bench.submit("switch", SetAutoPass("ann", f"s{number}", number % 2 == 0))
        await asyncio.sleep(0)
    await settled()
    assert MAX_HISTORY // 2 < len(bench.live.history) <= MAX_HISTORY
    assert bench.live.table.answer_to("ann", "c3") is None
    assert bench.live.table.answer_to("ann", f"s{2 * MAX_HISTORY - 1}") == bench.live.table.seq
