"""The gateway with its tables, without sockets: who is attached, who is away, and what time does to both."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from durak.protocol.messages import Detached, Error, Ok, SeatOffer, TableState, Update, Watchers, Welcome
from durak.server.journal.contract import JournalError
from durak.server.live.entries import decode_entry
from durak.server.live.registry import IDLE_MS, REAP_EVERY_MS
from durak.server.table.inputs import CreateTable, Void
from tests.server.shell import House, Visitor, settled

GRACE_MS = 60_000
HELLO_MS = 15_000


async def a_game(house: House, *names: str, **options: Any) -> tuple[list[Visitor], str]:
    """These people in a game."""
    people = [house.visit(name) for name in names]
    made = await people[0].ask("create", options={"max_players": len(names), "turn_clock_s": None, "window_ms": None, **options})
    assert isinstance(made, Ok)
    assert made.table is not None
    for person in people[1:]:
        assert isinstance(await person.ask("join", table=made.table), Ok)
    assert isinstance(await people[0].ask("start"), Ok)
    return people, made.table


def state(visitor: Visitor) -> Any:
    """What a visitor sees."""
    view: Any = None
    for message in visitor.told:
        if isinstance(message, TableState):
            view = message.view
        elif isinstance(message, Update):
            view = message.view.applied_to(view)
    return view


def numbers(visitor: Visitor) -> list[int]:
    """The sequence numbers told, from the first state on."""
    return [message.seq for message in visitor.told if isinstance(message, TableState | Update)]


async def test_a_connection_has_to_say_hello_in_time() -> None:
    house = House()
    silent, greeted = house.arrive(), house.visit("Ann")
    assert isinstance(greeted.told[0], Welcome)
    await house.clock.advance(HELLO_MS)
    assert silent.closed == (4103, "no_hello")
    assert greeted.closed is None


async def test_who_joins_is_shown_the_table_once() -> None:
    house = House()
    ann, bob = house.visit("Ann"), house.visit("Bob")
    made = await ann.ask("create")
    assert isinstance(made, Ok)
    house.journal.held = []
    bob.say({"t": "join", "cid": "j", "table": made.table})
    ann.say({"t": "leave", "cid": "l"})
    await settled()
    house.journal.release()
    await settled()
    assert [type(message) for message in bob.told] == [Welcome, Ok, TableState, Update]
    assert numbers(bob) == [2, 3]
    assert isinstance(ann.told[-1], Detached)


async def test_a_game_that_is_left_by_silence() -> None:
    """Away, a minute of grace, then the loss; a bot is asked to play on, and the owner may come back."""
    house = House()
    host = house.visit("host", kind="host")
    await host.ask("host", levels=["normal"], capacity=5)
    (ann, bob, cid), table = await a_game(house, "Ann", "Bob", "Cid")
    bob.go()
    await settled()
    assert state(ann).chairs[1].away
    await house.clock.advance(GRACE_MS - 1)
    assert not state(ann).chairs[1].left
    assert host.last(SeatOffer) is None
    await house.clock.advance(1)
    assert state(ann).chairs[1].left
    offer = host.last(SeatOffer)
    assert isinstance(offer, SeatOffer)
    bot = house.come(offer.token, table)
    await settled()
    assert state(bot).game.hand is not None
    again = house.visit("Bob", table=table)
    assert state(again).you.can == ["join"]
    assert isinstance(await again.ask("join", table=table), Ok)
    assert bot.closed == (4105, "seat_gone")
    assert not state(cid).chairs[1].left
    late = house.come(offer.token, table)
    assert late.closed == (4105, "seat_gone"), "a token for a seat that its owner has taken back shows nothing"
    assert late.last(TableState) is None


async def test_the_bot_of_a_seat_may_play_and_nothing_else() -> None:
    house = House()
    host = house.visit("host", kind="host")
    await host.ask("host", levels=["normal"], capacity=5)
    ann = house.visit("Ann")
    made = await ann.ask("create", bots=["normal"], options={"max_players": 3})
    offer = host.last(SeatOffer)
    assert isinstance(made, Ok)
    assert isinstance(offer, SeatOffer)
    bot = house.come(offer.token, made.table)
    await settled()
    others: list[tuple[str, dict[str, Any]]] = [
        ("leave", {}),
        ("rematch", {}),
        ("start", {}),
        ("fill", {"bots": ["normal"]}),
        ("dismiss", {"chair": 1}),
        ("join", {"table": made.table}),
        ("watch", {"table": made.table}),
        ("create", {}),
        ("lobby", {"on": True}),
        ("host", {"levels": ["normal"], "capacity": 1}),
        ("act", {"bout": 1, "action": {"act": "leave"}}),
    ]
    for t, fields in others:
        answer = await bot.ask(t, **fields)
        assert isinstance(answer, Error), t
        assert answer.code == "not_allowed", t
    assert state(bot).you.can == []
    assert isinstance(await ann.ask("start"), Ok)
    assert not state(ann).chairs[1].left
    answer = await bot.ask("act", bout=9, action={"act": "take"})
    assert isinstance(answer, Error)
    assert answer.code != "not_allowed", "to play is judged by the table"
    assert state(bot).you.can == ["auto_pass"]
    assert isinstance(await bot.ask("auto_pass", on=True), Ok)


async def test_coming_back_in_time_is_no_leaving() -> None:
    house = House()
    (ann, bob), table = await a_game(house, "Ann", "Bob")
    bob.go()
    await house.clock.advance(GRACE_MS - 1)
    again = house.visit("Bob", table=table, seq=numbers(bob)[-1])
    await house.clock.advance(10 * GRACE_MS)
    assert state(ann).status == "playing"
    assert not state(ann).chairs[1].away
    assert numbers(again)[-1] == numbers(ann)[-1]


async def test_whoever_is_gone_before_the_chair_is_given_is_away() -> None:
    house = House()
    ann = house.visit("Ann")
    made = await ann.ask("create")
    assert isinstance(made, Ok)
    house.journal.held = []
    bob = house.visit("Bob")
    bob.say({"t": "join", "cid": "j", "table": made.table})
    bob.go()
    house.journal.release()
    await settled()
    assert [chair.away for chair in state(ann).chairs] == [False, True]
    await house.clock.advance(GRACE_MS)
    assert len(state(ann).chairs) == 1


async def test_a_table_is_kept_while_a_person_may_come_back_and_reaped_afterwards() -> None:
    house = House()
    house.node.registry.watch_for_idle()
    ann = house.visit("Ann")
    made = await ann.ask("create")
    assert isinstance(made, Ok)
    await house.clock.advance(10 * IDLE_MS)
    assert made.table in house.tables
    ann.go()
    await house.clock.advance(GRACE_MS)
    assert made.table in house.tables
    await house.clock.advance(IDLE_MS + 2 * REAP_EVERY_MS)
    assert house.tables == []
    assert house.journal.ended == {made.table}
    assert house.node.lobby.all() == []


async def test_a_table_is_not_reaped_while_somebody_sits_down() -> None:
    """The chair is being written at the very moment of reaping."""
    house = House()
    ann, bob = house.visit("Ann"), house.visit("Bob")
    made = await ann.ask("create")
    assert isinstance(made, Ok)
    await ann.ask("leave")
    await house.clock.advance(10)
    house.node.registry.watch_for_idle()
    await house.clock.advance(IDLE_MS - 1)
    house.journal.held = []
    bob.say({"t": "join", "cid": "j", "table": made.table})
    await house.clock.advance(2 * REAP_EVERY_MS)
    house.journal.release()
    await settled()
    assert made.table in house.tables
    assert state(bob).you.chair is not None


async def test_spectators_are_counted_and_told_when_it_changes() -> None:
    house = House()
    (ann, _), table = await a_game(house, "Ann", "Bob")
    eve = house.visit("Eve", table=table)
    for _ in range(3):
        await eve.ask("watch", table=table)
    assert [message.count for message in ann.told if isinstance(message, Watchers)] == [1]
    eve.go()
    assert [message.count for message in ann.told if isinstance(message, Watchers)] == [1, 0]


async def test_a_spectator_who_joins_is_one_spectator_less() -> None:
    house = House()
    ann = house.visit("Ann")
    made = await ann.ask("create")
    assert isinstance(made, Ok)
    eve = house.visit("Eve", table=made.table)
    await eve.ask("join", table=made.table)
    assert [message.count for message in ann.told if isinstance(message, Watchers)] == [1, 0]


async def test_going_to_another_table_leaves_the_first_one_away() -> None:
    house = House()
    (ann, bob), _ = await a_game(house, "Ann", "Bob")
    await bob.ask("create")
    await settled()
    assert state(ann).chairs[1].away
    assert state(bob).name == "Bob's table"


async def test_nobody_learns_of_a_private_event_by_resuming() -> None:
    house = House()
    (ann, bob), table = await a_game(house, "Ann", "Bob")
    seen = numbers(bob)[-1]
    bob.go()
    await settled()
    for on in (True, False, True):
        await ann.ask("auto_pass", on=on)
    again = house.visit("Bob", table=table, seq=seen)
    shown = again.last(TableState)
    assert isinstance(shown, TableState)
    assert [one.seq for one in shown.missed] == [seen + 1], "only that Bob went away"


async def test_what_was_not_saved_is_refused_with_when_to_try_again() -> None:
    house = House()
    (ann, bob), table = await a_game(house, "Ann", "Bob")
    house.journal.broken = True
    answer = await bob.ask("auto_pass", cid="x", on=True)
    assert answer == Error("not_saved", cid="x", params={"reason": "data_full"}, retry_after_ms=1_000)
    house.journal.broken = False
    await house.clock.advance(1_000)
    assert isinstance(await bob.ask("auto_pass", cid="x", on=True), Ok)
    assert isinstance(ann.last(TableState), TableState)
    assert state(ann).table == table


async def test_a_table_that_could_not_be_made_is_forgotten() -> None:
    house = House()
    ann = house.visit("Ann")
    house.journal.broken = True
    assert isinstance(await ann.ask("create", cid="x"), Error)
    assert house.tables == []
    house.journal.broken = False
    made = await ann.ask("create", cid="x")
    assert isinstance(made, Ok)
    await house.clock.advance(10_000)
    assert house.tables == [made.table]
    assert list(house.journal.tables) == [made.table]


async def test_two_creations_at_once_of_which_the_first_is_not_saved() -> None:
    house = House()
    ann, too = house.visit("Ann"), house.visit("Ann")
    house.journal.held = []
    house.journal.broken = True
    for visitor in (ann, too):
        visitor.say({"t": "create", "cid": "x"})
    house.journal.release()
    await settled()
    await house.clock.advance(10_000)
    answers = [[message for message in visitor.told if getattr(message, "cid", None) == "x"] for visitor in (ann, too)]
    assert [len(told) for told in answers] == [1, 1]
    assert house.tables == []


async def test_a_creation_that_waits_behind_one_that_fails_is_refused_without_an_exception() -> None:
    house = House()
    escaped: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: escaped.append(context))
    ann = house.visit("Ann")
    house.journal.held = []
    house.journal.broken = True
    for _ in range(2):
        ann.say({"t": "create", "cid": "x"})
    house.journal.release()
    await settled()
    assert [message.code for message in ann.told if isinstance(message, Error)] == ["not_saved", "not_saved"]
    assert house.tables == []
    assert escaped == []


async def test_a_table_whose_creation_was_refused_does_not_come_back_after_a_restart() -> None:
    house = House()
    ann = house.visit("Ann")
    house.journal.broken = house.journal.silently = True
    assert isinstance(await ann.ask("create", cid="x"), Error)
    await settled()
    assert [table async for table, _ in house.journal.live_tables()] == []


async def test_tables_are_recovered_with_their_creation() -> None:
    house = House()
    (ann, _), table = await a_game(house, "Ann", "Bob")
    first = next(message for message in ann.told if isinstance(message, Ok))
    after = House(journal=house.journal)
    assert await after.node.start() == 1
    again = after.visit("Ann")
    assert await again.ask("create", cid=first.cid) == first
    assert state(again).status == "playing"
    assert state(again).table == table
    assert after.node.lobby.all()[0].table == table


async def test_a_server_that_can_not_write_does_not_begin() -> None:
    house = House()
    await a_game(house, "Ann", "Bob")
    after = House(journal=house.journal)
    house.journal.broken = True
    with pytest.raises(JournalError, match="data_full"):
        await after.node.start()
    await after.node.stop()


async def test_closing_all_is_no_leaving() -> None:
    house = House()
    people, table = await a_game(house, "Ann", "Bob")
    house.node.close()
    entries = len(house.journal.tables[table])
    for person in people:
        assert person.closed == (4000, "restarting")
        person.go()
    await settled()
    assert len(house.journal.tables[table]) == entries


async def test_the_creation_is_the_only_first_entry() -> None:
    house = House()
    _, table = await a_game(house, "Ann", "Bob")
    inputs = [decode_entry(line).input for line in house.journal.tables[table]]
    assert [isinstance(given, CreateTable) for given in inputs] == [True, *([False] * (len(inputs) - 1))]


async def test_who_goes_while_the_journal_fails_is_away_all_the_same() -> None:
    house = House()
    (ann, bob), _ = await a_game(house, "Ann", "Bob")
    house.journal.broken = True
    bob.go()
    await settled()
    house.journal.broken = False
    await house.clock.advance(2_000)
    assert [chair.away for chair in state(ann).chairs] == [False, True]
    await house.clock.advance(GRACE_MS)
    assert state(ann).chairs[1].left


async def test_who_comes_back_while_the_journal_fails_is_not_thrown_out() -> None:
    house = House()
    (ann, bob), table = await a_game(house, "Ann", "Bob")
    bob.go()
    await settled()
    house.journal.broken = True
    house.visit("Bob", table=table)
    await settled()
    house.journal.broken = False
    await house.clock.advance(2_000)
    assert [chair.away for chair in state(ann).chairs] == [False, False]
    await house.clock.advance(2 * GRACE_MS)
    assert not state(ann).chairs[1].left


async def test_bots_of_an_entry_that_was_written_and_yet_refused_are_found() -> None:
    house = House()
    host = house.visit("host", kind="host")
    assert isinstance(await host.ask("host", levels=["easy"], capacity=2), Ok)
    ann = house.visit("Ann")
    assert isinstance(await ann.ask("create", options={"max_players": 3}), Ok)
    house.journal.broken = house.journal.silently = True
    assert isinstance(await ann.ask("fill", bots=["easy"]), Error)
    house.journal.broken = house.journal.silently = False
    await house.clock.advance(2_000)
    assert host.last(SeatOffer) is not None
    assert house.node.lobby.all()[0].bots == 1


async def test_who_left_by_an_entry_that_was_written_and_yet_refused_is_detached() -> None:
    house = House()
    ann, bob = house.visit("Ann"), house.visit("Bob")
    made = await ann.ask("create")
    assert isinstance(made, Ok)
    await bob.ask("join", table=made.table)
    house.journal.broken = house.journal.silently = True
    assert isinstance(await bob.ask("leave"), Error)
    house.journal.broken = house.journal.silently = False
    await house.clock.advance(2_000)
    assert bob.last(Detached) == Detached(made.table or "", "left")


async def test_who_leaves_a_table_is_not_listed_as_a_spectator_of_it() -> None:
    house = House()
    ann, bob = house.visit("Ann"), house.visit("Bob")
    made = await ann.ask("create")
    assert isinstance(made, Ok)
    await bob.ask("join", table=made.table)
    await bob.ask("leave")
    assert [listing.watchers for listing in house.node.lobby.all()] == [0]


async def test_a_bot_that_was_dismissed_is_not_listed_as_a_spectator() -> None:
    house = House()
    host = house.visit("host", kind="host")
    assert isinstance(await host.ask("host", levels=["easy"], capacity=2), Ok)
    ann = house.visit("Ann")
    made = await ann.ask("create", bots=["easy"])
    assert isinstance(made, Ok)
    offer = host.last(SeatOffer)
    assert isinstance(offer, SeatOffer)
    house.come(offer.token, made.table)
    await settled()
    assert isinstance(await ann.ask("dismiss", chair=1), Ok)
    assert [(listing.bots, listing.watchers) for listing in house.node.lobby.all()] == [(0, 0)]


async def test_nobody_is_kept_by_the_timer_that_waits_for_its_hello() -> None:
    """Symptom: under many short connections each lost one stayed in memory for fifteen seconds."""
    house = House()
    house.visit("Ann")
    assert not house.node.gateway._unknown
    stranger = house.arrive()
    assert len(house.node.gateway._unknown) == 1
    house.node.gateway.disconnected(stranger.connection)
    assert not house.node.gateway._unknown
    assert not any(timer.callback for _, _, timer in house.clock._calls if "connected" in repr(timer.callback))


async def test_who_only_looks_on_leaves_at_once_also_while_the_store_fails() -> None:
    house = House()
    (ann, _), table = await a_game(house, "Ann", "Bob")
    eve = house.visit("Eve")
    await eve.ask("watch", table=table)
    house.journal.broken = house.journal.unreadable = True
    await ann.ask("auto_pass", on=True)
    assert isinstance(await eve.ask("leave"), Ok)
    assert eve.told[-1] == Detached(table, "left")


async def test_leaving_and_watching_in_one_go_ends_at_the_table() -> None:
    house = House()
    _, table = await a_game(house, "Ann", "Bob")
    eve = house.visit("Eve")
    await eve.ask("watch", table=table)
    before = len(eve.told)
    eve.say({"t": "leave", "cid": "l"})
    eve.say({"t": "watch", "cid": "w", "table": table})
    await settled()
    kinds = [type(message) for message in eve.told[before:] if not isinstance(message, Watchers)]
    assert kinds == [Ok, Detached, Ok, TableState]


async def test_a_leave_that_comes_again_after_sitting_down_again_drops_nobody() -> None:
    house = House()
    ann, bob = house.visit("Ann"), house.visit("Bob")
    made = await ann.ask("create")
    assert isinstance(made, Ok)
    await bob.ask("join", table=made.table)
    first = await bob.ask("leave", cid="7")
    await bob.ask("join", table=made.table)
    assert await bob.ask("leave", cid="7") == first
    assert [chair.away for chair in state(ann).chairs] == [False, False]
    assert not isinstance(bob.told[-1], Detached)


async def test_creating_again_with_other_words_is_still_the_same_table() -> None:
    house = House(dev=False)
    ann = house.visit("Ann")
    made = await ann.ask("create", cid="c")
    again = await ann.ask("create", cid="c", bots=["easy"] * 6)
    assert isinstance(made, Ok)
    assert again == made


async def test_watchers_are_counted_anew_when_a_leavers_chair_is_taken_away() -> None:
    house = House()
    (ann, bob, _), table = await a_game(house, "Ann", "Bob", "Cid")
    await bob.ask("leave")
    await bob.ask("watch", table=table)
    port = house.node.registry.find(table)
    assert port is not None
    port.submit(Void())
    await settled()
    assert ann.last(Watchers) == Watchers(1)
    assert port.summary().watchers == 1
