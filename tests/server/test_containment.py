"""A bug stays where it is: thrown into every transition, watcher, handler and view in turn, it is one answer `internal`.

Everybody else plays on, and nothing is on disk that can't be folded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NoReturn

import pytest

from durak.protocol.messages import Detached, Error, Ok, TableState, Update, ViewerEvent
from durak.server.live.entries import fold
from durak.server.live.outcome import Frozen, Internal
from durak.server.live.watching import Watcher
from durak.server.operation.admin.listener import refusal_of
from durak.server.operation.health import Health
from durak.server.table import inputs as i
from durak.server.table.chairs import Refused
from durak.server.table.machine import Table
from durak.server.table.seating import AnyEvent
from durak.server.viewers.audience import Audience
from tests.server.shell import House, Visitor, settled


class Bug(RuntimeError):
    """What nobody expects."""


def breaking(given_type: type | tuple[type, ...]) -> type[Table]:
    """A table with a bug in the transition of this input, which shows when half of it is done."""

    class Breaking(Table):
        broken = True

        def step(self, cause: i.AnyInput, now_ms: int, **drawn: Any) -> list[AnyEvent]:
            if isinstance(cause, given_type) and type(self).broken:
                self.seq += 100
                raise Bug
            return super().step(cause, now_ms, **drawn)

    return Breaking


def folds(house: House) -> bool:
    """True if everything on disk can be folded by a table without the bug."""
    for table, lines in house.journal.tables.items():
        for _ in fold(Table(table), lines):
            pass
    return True


async def a_table(house: House, *names: str, **options: Any) -> tuple[list[Visitor], str]:
    """These people at an open table of four."""
    people = [house.visit(name) for name in names]
    made = await people[0].ask("create", options={"max_players": 4, "turn_clock_s": None, **options})
    assert isinstance(made, Ok)
    assert made.table is not None
    for person in people[1:]:
        assert isinstance(await person.ask("join", table=made.table), Ok)
    return people, made.table


def action_of(visitor: Visitor) -> dict[str, Any]:
    """A legal action of this visitor, as an `act` command has it."""
    view = None
    for message in visitor.told:
        if isinstance(message, TableState):
            view = message.view
        elif isinstance(message, Update):
            assert view is not None
            view = message.view.applied_to(view)
    assert view is not None
    assert view.game is not None
    if not view.game.legal:
        return {}
    return {"action": {"act": "lead", "card": view.game.legal[0].card}, "bout": view.game.bout}  # type: ignore[union-attr]


TRANSITIONS: dict[type, tuple[str, dict[str, Any]]] = {
    i.SitDown: ("join", {}),
    i.Rise: ("leave", {}),
    i.StartGame: ("start", {}),
    i.SeatBots: ("fill", {"bots": ["easy"]}),
    i.DismissBot: ("dismiss", {"chair": 3}),
    i.SetAutoPass: ("auto_pass", {"on": True}),
    i.Vote: ("rematch", {}),
    i.Play: ("act", {"action": {"act": "pass"}, "bout": 1}),
}


@pytest.mark.parametrize("given", TRANSITIONS, ids=lambda given: given.__name__)
async def test_a_bug_in_a_transition_is_answered_internal_to_that_input_alone(given: type) -> None:
    house = House(make_table=breaking(given))
    command, fields = TRANSITIONS[given]
    host = house.visit("host", kind="host")
    await host.ask("host", levels=["easy"], capacity=3)
    if given is i.SitDown:
        (ann,), table = await a_table(house, "Ann")
        bob, fields = house.visit("Bob"), {"table": table}
    else:
        (ann, bob), table = await a_table(house, "Ann", "Bob")
    asks = bob if given in (i.SitDown, i.Rise) else ann
    house.journal.held = []
    house.node.registry.find(table).submit(i.Dropped("guest:Cid"))  # type: ignore[union-attr]
    before = len(house.journal.tables[table])
    asks.say({"t": command, "cid": "bug", **fields})
    ann.say({"t": "watch", "cid": "other", "table": table})
    house.journal.release()
    await settled()
    answers = [message for message in asks.told if getattr(message, "cid", None) == "bug"]
    assert answers == [Error("internal", cid="bug")]
    assert isinstance(ann.last(Ok), Ok)
    assert len(house.journal.tables[table]) == before
    assert house.bugs.places == ["input"]
    assert folds(house)
    house.node.registry.find(table).summary()  # type: ignore[union-attr]
    cid = await house.visit("Cid").ask("watch", table=table)
    assert isinstance(cid, Ok)
    assert cid.seq is not None
    assert cid.seq < 100, "the half that was done is gone"


async def test_the_other_inputs_of_the_same_round_go_on() -> None:
    """Symptom: a good input in the round of a bad one was never answered."""
    house = House(make_table=breaking(i.DismissBot))
    (ann, bob, cid), table = await a_table(house, "Ann", "Bob", "Cid")
    bob.say({"t": "leave", "cid": "before"})
    ann.say({"t": "dismiss", "cid": "bug", "chair": 2})
    cid.say({"t": "leave", "cid": "after"})
    await settled()
    assert [bob.last(Ok).cid, cid.last(Ok).cid] == ["before", "after"]  # type: ignore[union-attr]
    assert [message for message in ann.told if isinstance(message, Error)] == [Error("internal", cid="bug")]
    assert len(house.journal.tables[table]) == 5
    assert folds(house)


async def test_a_creation_that_fails_leaves_no_table() -> None:
    house = House(make_table=breaking(i.CreateTable))
    ann = house.visit("Ann")
    assert await ann.ask("create", cid="c") == Error("internal", cid="c")
    await settled()
    assert house.tables == []
    assert folds(house)


# ---------------------------------------------------------------- what is due


async def test_a_failing_expiry_freezes_the_table_and_that_is_seen_everywhere(caplog: pytest.LogCaptureFixture) -> None:
    """Symptom: the timer was gone, every later input stayed unanswered, and the server called itself ready."""
    make = breaking(i.Expire)
    house = House(make_table=make)
    (ann, bob), table = await a_table(house, "Ann", "Bob", turn_clock_s=15)
    (dora, emil), other = await a_table(house, "Dora", "Emil")
    await ann.ask("start")
    eve = house.visit("Eve")
    await eve.ask("watch", table=table)
    entries = len(house.journal.tables[table])
    await house.clock.advance(20_000)
    assert [visitor.last(Detached) for visitor in (ann, bob, eve)] == [Detached(table, "frozen")] * 3
    assert await eve.ask("watch", cid="w", table=table) == Error("frozen", cid="w", params={"table": table})
    assert house.bugs.places == ["expiry"]
    assert "table frozen: bug" in caplog.text
    assert [(one.table.table, one.status, one.frozen) for one in house.node.registry.summaries()] == [
        (table, "frozen", "bug"),
        (other, "open", None),
    ]
    assert house.node.frozen == 1
    health = Health(house.journal, house.clock, house.bugs, house.node.leaving, lambda: house.node.frozen)  # type: ignore[arg-type]
    assert [check.note for check in await health.checks() if check.name == "tables"] == [
        "frozen: 1 can't go on; 'durak admin list' names them, the log says why"
    ]
    assert len(house.journal.tables[table]) == entries
    assert folds(house)
    assert isinstance(await emil.ask("leave"), Ok), "the other table goes on"
    assert dora.last(Update) is not None


async def test_what_was_done_before_a_failing_expiry_is_kept_and_told() -> None:
    house = House(make_table=breaking(i.Expire))
    (ann, bob), table = await a_table(house, "Ann", "Bob", turn_clock_s=15)
    await ann.ask("start")
    house.journal.held = []
    ann.say({"t": "auto_pass", "cid": "kept", "on": True})
    await settled()
    ann.say({"t": "auto_pass", "cid": "too", "on": False})
    await house.clock.advance(14_000)
    house.journal.release()
    await settled()
    assert {message.cid for message in ann.told if isinstance(message, Ok)} >= {"kept", "too"}
    await house.clock.advance(2_000)
    assert bob.last(Detached) == Detached(table, "frozen")
    assert folds(house)


async def test_a_restart_without_the_bug_thaws_the_table() -> None:
    house = House(make_table=breaking(i.Expire))
    (ann, _), table = await a_table(house, "Ann", "Bob", turn_clock_s=15)
    await ann.ask("start")
    await house.clock.advance(20_000)
    after = House(journal=house.journal)
    await after.clock.advance(30_000)
    assert await after.node.start() == 1
    back = after.visit("Ann", table=table)
    state = back.last(TableState)
    assert isinstance(state, TableState)
    assert state.view.status == "playing"


async def test_a_deadline_that_can_not_be_known_freezes_the_table() -> None:
    class Timeless(Table):
        @property
        def deadline_ms(self) -> int | None:
            if self.status == "playing":
                raise Bug
            return super().deadline_ms

    house = House(make_table=Timeless)
    (ann, bob), table = await a_table(house, "Ann", "Bob")
    assert isinstance(await ann.ask("start"), Ok)
    assert bob.last(Detached) == Detached(table, "frozen")
    assert folds(house)


async def test_a_journal_that_throws_is_a_failed_append() -> None:
    house = House()
    (ann, _), _ = await a_table(house, "Ann", "Bob")

    def throws(*words: object) -> NoReturn:
        raise Bug

    sound, house.journal.append = house.journal.append, throws  # type: ignore[method-assign, assignment]
    answer = await ann.ask("start")
    assert isinstance(answer, Error)
    assert answer.code == "not_saved"
    house.journal.append = sound  # type: ignore[method-assign]
    await house.clock.advance(1_000)
    assert isinstance(await ann.ask("start"), Ok)


async def test_a_table_that_fails_in_its_round_takes_nobody_with_it() -> None:
    house = House()
    (ann, _), table = await a_table(house, "Ann", "Bob")
    (dora, _), _ = await a_table(house, "Dora", "Emil")
    live: Any = house.node.registry.find(table)

    def throws() -> NoReturn:
        raise Bug

    live._stepped = throws
    ann.say({"t": "start", "cid": "bug"})
    dora.say({"t": "start", "cid": "fine"})
    await settled()
    assert ann.last(Error) == Error("frozen", cid="bug")
    assert isinstance(dora.last(Ok), Ok)
    assert house.bugs.places == ["round"]


# ---------------------------------------------------------------- watchers and views


def throwing(method: str) -> Callable[..., Watcher]:
    """An audience that fails where this is told."""

    class Throwing(Audience):
        pass

    def throws(self: object, *words: object) -> NoReturn:
        raise Bug

    setattr(Throwing, method, throws)
    return Throwing


@pytest.mark.parametrize("method", ["committed", "attached", "detached", "ended", "reloaded", "recovered"])
async def test_a_watcher_that_fails_harms_neither_the_table_nor_the_other_watchers(method: str) -> None:
    house = House(make_audience=throwing(method))
    host = house.visit("host", kind="host")
    await host.ask("host", levels=["easy"], capacity=3)
    (ann, bob), table = await a_table(house, "Ann", "Bob")
    assert isinstance(await ann.ask("fill", bots=["easy"]), Ok)
    assert [line.bots for line in house.node.lobby.all()] == [1]
    bob.go()
    await settled()
    house.journal.broken = True
    await ann.ask("start")
    house.journal.broken = False
    await house.clock.advance(1_000)
    assert isinstance(await ann.ask("start"), Ok)
    assert [line.status for line in house.node.lobby.all()] == ["playing"]
    after = House(journal=house.journal, make_audience=throwing(method))
    assert await after.node.start() == 1
    assert [line.table for line in after.node.lobby.all()] == [table]
    house.node.registry.freeze(table)
    assert house.node.lobby.all() == []
    places = {*house.bugs.places, *after.bugs.places}
    assert places == {"watcher"}
    assert folds(house)


class Shy(Audience):
    """What seat 0 may see can't be made; and with `all_of_it` nobody's."""

    all_of_it = False

    def events_for(self, events: Iterable[AnyEvent], seat: int | None) -> list[ViewerEvent]:
        if self.all_of_it or seat == 0:
            raise Bug
        return super().events_for(events, seat)


@pytest.mark.parametrize("everybody", [False, True])
async def test_a_view_that_can_not_be_made_closes_its_viewer_who_resumes(everybody: bool) -> None:
    class Audience(Shy):
        pass

    house = House(make_audience=Audience)
    people = [house.visit(name) for name in ("Ann", "Bob")]
    made = await people[0].ask("create", options={"max_players": 4})
    assert isinstance(made, Ok)
    await people[1].ask("join", table=made.table)
    Audience.all_of_it = everybody
    answer = await people[0].ask("start")
    assert isinstance(answer, Ok), "the game has begun all the same"
    closings = [person.closed for person in people]
    assert closings == [(4002, "internal"), (4002, "internal") if everybody else None]
    if not everybody:
        assert people[1].last(Update) is not None
    assert set(house.bugs.places) == {"view"}
    back = house.visit("Ann", table=made.table)
    state = back.last(TableState)
    assert isinstance(state, TableState)
    assert state.view.status == "playing"
    assert folds(house)


# ---------------------------------------------------------------- handlers


class Failing:
    """A conversation with a bug in everything."""

    def gone(self, viewer: object) -> NoReturn:
        raise Bug

    def __getattr__(self, name: str) -> Any:
        raise Bug


COMMANDS: dict[str, tuple[str, dict[str, Any]]] = {
    "create": ("_lobby", {}),
    "join": ("_table", {"table": "TAB001"}),
    "watch": ("_table", {"table": "TAB001"}),
    "start": ("_table", {}),
    "act": ("_table", {"action": {"act": "pass"}, "bout": 1}),
    "lobby": ("_lobby", {"on": True}),
}


@pytest.mark.parametrize("command", COMMANDS)
async def test_a_bug_in_a_handler_is_answered_internal_to_its_sender_alone(command: str) -> None:
    house = House()
    (ann, bob), table = await a_table(house, "Ann", "Bob")
    conversation, fields = COMMANDS[command]
    gateway: Any = house.node.gateway
    sound = getattr(gateway, conversation)
    setattr(gateway, conversation, Failing())
    assert await ann.ask(command, cid="x", **fields) == Error("internal", cid="x")
    assert ann.closed is None
    setattr(gateway, conversation, sound)
    assert house.bugs.places == ["handler"]
    assert isinstance(await bob.ask("watch", table=table), Ok)
    assert isinstance(await ann.ask("start"), Ok)


async def test_a_bug_in_the_greeting_sends_its_guest_away_to_come_back() -> None:
    house = House()
    gateway: Any = house.node.gateway
    gateway._greeting, sound = Failing(), gateway._greeting
    ann = house.visit("Ann")
    assert ann.closed == (4002, "internal")
    gateway._greeting = sound
    assert house.visit("Ann").closed is None


# ---------------------------------------------------------------- inputs that nobody sends


async def test_a_bug_in_noticing_who_comes_and_goes_stops_nobody() -> None:
    house = House(make_table=breaking((i.Dropped, i.Returned)))
    (ann, bob), table = await a_table(house, "Ann", "Bob")
    bob.go()
    await settled()
    back = house.visit("Bob", table=table)
    await settled()
    assert isinstance(back.last(TableState), TableState)
    assert set(house.bugs.places) == {"input"}
    assert isinstance(await ann.ask("start"), Ok)
    assert folds(house)


async def test_a_table_that_can_not_note_the_outage_is_frozen_and_the_server_starts() -> None:
    house = House()
    await a_table(house, "Ann", "Bob")
    (dora, _), other = await a_table(house, "Dora", "Emil")
    await dora.ask("start")

    class Breaking(Table):
        def step(self, cause: i.AnyInput, now_ms: int, **drawn: Any) -> list[AnyEvent]:
            if isinstance(cause, i.Recovered) and self.status == "playing":
                raise Bug
            return super().step(cause, now_ms, **drawn)

    after = House(journal=house.journal, make_table=Breaking)
    assert await after.node.start() == 2
    assert [(one.table.table == other, one.frozen) for one in after.node.registry.summaries()] == [(False, None), (True, "bug")]
    assert after.bugs.places == ["expiry"]
    assert folds(after)


async def test_a_bug_in_voiding_is_told_to_the_operator() -> None:
    house = House(make_table=breaking(i.Void))
    (ann, _), table = await a_table(house, "Ann", "Bob")
    await ann.ask("start")
    outcomes: list[object] = []
    port = house.node.registry.find(table)
    assert port is not None
    port.submit(i.Void(), outcomes.append)
    await settled()
    assert outcomes == [Internal()]
    assert refusal_of(Internal()) == (500, "internal", "That is a bug in the server; its log says where")
    assert isinstance(await ann.ask("auto_pass", on=True), Ok)
    assert folds(house)


# ---------------------------------------------------------------- nobody waits for ever


async def test_a_bug_while_a_step_is_told_answers_it_and_freezes_the_table() -> None:
    """Symptom: whoever sat there got no answer any more, and the server called itself well."""

    class Blind(Table):
        def is_seated(self, player: str) -> bool:
            if self.status == "playing":
                raise Bug
            return super().is_seated(player)

    house = House(make_table=Blind)
    (ann, bob), table = await a_table(house, "Ann", "Bob")
    assert isinstance(await ann.ask("start"), Ok)
    assert bob.last(Detached) == Detached(table, "frozen")
    assert house.bugs.places == ["round"]
    port = house.node.registry.find(table)
    assert port is not None
    outcomes: list[object] = []
    port.submit(i.Void(), outcomes.append)
    await settled()
    assert outcomes == [Frozen("bug")]
    assert folds(house)


async def test_a_meter_that_throws_costs_nobody_an_answer() -> None:
    house = House()
    (ann, _), _ = await a_table(house, "Ann", "Bob")

    def throws(*words: object) -> NoReturn:
        raise Bug

    house.bugs.appended = throws  # type: ignore[method-assign, assignment]
    assert isinstance(await ann.ask("start"), Ok)
    assert isinstance(await ann.ask("auto_pass", on=True), Ok)


@pytest.mark.parametrize("queued", [False, True])
async def test_an_expiry_that_is_refused_freezes_the_table_at_once(queued: bool) -> None:
    """Symptom: it was tried again without end, and nothing was logged."""
    expiries = 0

    class Refusing(Table):
        def step(self, cause: i.AnyInput, now_ms: int, **drawn: Any) -> list[AnyEvent]:
            if isinstance(cause, i.Expire):
                nonlocal expiries
                expiries += 1
                raise Refused("too_few_players", needed=2)
            return super().step(cause, now_ms, **drawn)

    house = House(make_table=Refusing)
    (ann, _), _ = await a_table(house, "Ann", "Bob", turn_clock_s=15)
    await ann.ask("start")
    if queued:
        house.clock._now_ms += 20_000
        assert await ann.ask("auto_pass", cid="x", on=True) == Error("frozen", cid="x")
    else:
        await house.clock.advance(20_000)
    assert (expiries, house.node.frozen, house.bugs.places) == (1, 1, ["expiry"])


async def test_a_journal_that_throws_when_it_is_read_is_read_again() -> None:
    house = House()
    (ann, _), _ = await a_table(house, "Ann", "Bob")
    house.journal.broken = True
    await ann.ask("start")
    house.journal.broken = False
    sound, reads = house.journal.read, 0

    async def throws_once(table: str) -> list[bytes]:
        nonlocal reads
        reads += 1
        if reads == 1:
            raise Bug
        return await sound(table)

    house.journal.read = throws_once  # type: ignore[method-assign]
    await house.clock.advance(2_000)
    assert (reads, house.bugs.places) == (2, ["journal"])
    assert isinstance(await ann.ask("start"), Ok)


async def test_a_flood_of_refusals_is_answered_and_breaks_nothing() -> None:
    """Symptom: each batch stepped the next inside of itself, until Python gave up and the table was frozen."""
    house = House()
    _, table = await a_table(house, "Ann", "Bob")
    port = house.node.registry.find(table)
    assert port is not None
    outcomes: list[object] = []
    for _ in range(25_000):
        port.submit(i.Vote("guest:Ann", ""), outcomes.append)
    while len(outcomes) < 25_000:
        before = len(outcomes)
        await settled()
        assert len(outcomes) > before
    assert port.frozen is None
    assert all(isinstance(outcome, Refused) for outcome in outcomes)


async def test_a_table_that_can_not_note_the_outage_is_neither_listed_nor_offered() -> None:
    house = House()
    host = house.visit("host", kind="host")
    await host.ask("host", levels=["easy"], capacity=3)
    (ann, _), _ = await a_table(house, "Ann", "Bob")
    await ann.ask("fill", bots=["easy"])
    after = House(journal=house.journal, make_table=breaking(i.Recovered))
    await after.node.start()
    assert after.node.lobby.all() == []
    assert after.node.desk.census() == {"waiting": 0, "offered": 0, "playing": 0}


async def test_a_table_that_is_frozen_while_it_writes_is_gone_when_it_has_written() -> None:
    """Symptom: what was being written listed the table again, and let its author look at it for ever."""
    house = House()
    host = house.visit("host", kind="host")
    await host.ask("host", levels=["easy"], capacity=3)
    (ann, _), table = await a_table(house, "Ann", "Bob")
    house.journal.held = []
    cid = house.visit("Cid")
    cid.say({"t": "join", "cid": "j", "table": table})
    await settled()
    house.node.registry.freeze(table)
    house.journal.release()
    await settled()
    assert house.node.lobby.all() == []
    assert [type(message) for message in cid.told[1:]] == [Ok, Detached]
    assert ann.told.count(Detached(table, "frozen")) == 1
    assert cid.connection.viewer is not None
    assert cid.connection.viewer.table is None


async def test_creating_again_what_is_frozen_now_says_so() -> None:
    house = House()
    ann = house.visit("Ann")
    made = await ann.ask("create", cid="c")
    assert isinstance(made, Ok)
    assert made.table is not None
    house.node.registry.freeze(made.table)
    assert await ann.ask("create", cid="c") == Error("frozen", cid="c")
    assert house.node.lobby.all() == []


async def test_a_view_that_fails_on_coming_is_one_answer_and_a_closed_connection() -> None:
    """Symptom: `ok` and `internal` to the same command, and a client that sat there without a state."""
    house = House()
    _, table = await a_table(house, "Ann", "Bob")
    live: Any = house.node.registry.find(table)

    def throws(*words: object) -> NoReturn:
        raise Bug

    live._attendance.attach = throws
    eve = house.visit("Eve")
    eve.say({"t": "watch", "cid": "w", "table": table})
    await settled()
    assert [message for message in eve.told if getattr(message, "cid", None) == "w"] == [eve.last(Ok)]
    assert eve.closed == (4002, "internal")


async def test_reaping_goes_on_after_a_bug_at_one_table() -> None:
    class Sometimes(Table):
        broken = False

        def persons(self) -> Any:
            if Sometimes.broken and self.id == "TAB001":
                raise Bug
            return super().persons()

    house = House(make_table=Sometimes)
    house.node.registry.watch_for_idle()
    (ann,), _ = await a_table(house, "Ann")
    (bob,), other = await a_table(house, "Bob")
    await ann.ask("leave")
    await bob.ask("leave")
    Sometimes.broken = True
    await house.clock.advance(120_000)
    assert house.tables == ["TAB001"]
    assert set(house.bugs.places) == {"timer"}
    Sometimes.broken = False
    await house.clock.advance(120_000)
    assert house.tables == []
    assert other in house.journal.ended


async def test_a_lost_connection_is_taken_leave_of_everywhere() -> None:
    house = House()
    host = house.visit("host", kind="host")
    await host.ask("host", levels=["easy"], capacity=3)
    assert host.connection.viewer is not None
    gateway: Any = house.node.gateway
    gateway._lobby = Failing()
    host.go()
    assert house.node.desk.levels() == []
    assert house.bugs.places == ["handler"]
