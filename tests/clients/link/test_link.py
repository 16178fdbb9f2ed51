"""The link comes back, misses nothing, repeats nothing, and says what is wrong."""

from __future__ import annotations

import asyncio
import gc
import random
from typing import Any

import msgpack
import msgspec
import pytest

from durak.clients.link import CannotConnect, Link, LinkClosed, LinkError, Refused
from durak.clients.link.position import Position
from durak.protocol.messages import (
    SUBPROTOCOL_JSON,
    SUBPROTOCOL_MSGPACK,
    AutoPassSet,
    CameBack,
    CloseCode,
    Command,
    Detached,
    Error,
    Heartbeat,
    Join,
    LeaveTable,
    Ok,
    SeqEvents,
    TableState,
    Update,
    ViewChange,
    Voted,
    Welcome,
    WentAway,
)
from tests.clients.link.fake_server import HEARTBEAT_MS, TABLE, Peer, fake_server, state, table_view, update, welcome

pytestmark = pytest.mark.looptime


async def hear(link: Link, count: int) -> list[Any]:
    """The next so many messages."""
    return [await anext(link) for _ in range(count)]


async def silent(peer: Peer) -> None:
    await peer.greet()


# ---------------------------------------------------------------- messages and commands


@pytest.mark.parametrize("subprotocol", [SUBPROTOCOL_MSGPACK, SUBPROTOCOL_JSON])
async def test_messages_arrive_typed_in_both_encodings(subprotocol: str) -> None:
    async def scene(peer: Peer) -> None:
        await peer.greet(state(3), Heartbeat(), update(4, WentAway(1)))

    async with fake_server(scene) as server, Link(server.url, "tok", TABLE, subprotocol=subprotocol) as link:
        assert await hear(link, 3) == [welcome(), state(3), update(4, WentAway(1))]
        assert (link.table, link.seq, link.view) == (TABLE, 4, table_view(4))
        assert server.hellos[0].token == "tok"
        assert server.hellos[0].table == TABLE


async def test_a_command_is_answered_by_ok() -> None:
    async def scene(peer: Peer) -> None:
        await peer.greet()
        await peer.answer()

    async with fake_server(scene) as server, Link(server.url, "tok") as link:
        first = await link.command(Join, table=TABLE)
        second = await link.command(lambda cid: Join(cid, TABLE, chair=2))
        assert [type(command) for command in server.asked] == [Join, Join]
        assert [first.cid, second.cid] == [command.cid for command in server.asked]
        assert first.cid != second.cid


async def test_a_refused_command_raises_the_servers_error() -> None:
    async def scene(peer: Peer) -> None:
        await peer.greet()
        command = await peer.read()
        assert isinstance(command, Command)
        await peer.send(Error("stale", cid=command.cid, rule="1.16", bout=7))

    async with fake_server(scene) as server, Link(server.url, "tok") as link:
        with pytest.raises(Refused) as refused:
            await link.command(LeaveTable)
        assert refused.value.code == "stale"
        assert refused.value.error.bout == 7


async def test_an_error_without_cid_is_a_message() -> None:
    async def scene(peer: Peer) -> None:
        await peer.greet(Error("no_such_table", params={"table": TABLE}))

    async with fake_server(scene) as server, Link(server.url, "tok", TABLE) as link:
        assert isinstance((await hear(link, 2))[1], Error)
        assert link.table is None


async def test_a_command_too_large_is_refused_here() -> None:
    async with fake_server(silent) as server, Link(server.url, "tok") as link:
        with pytest.raises(ValueError, match="4096"):
            await link.command(Join, table="X" * 5000)


async def test_unknown_kinds_and_fields_are_ignored() -> None:
    async def scene(peer: Peer) -> None:
        await peer.greet()
        await peer.send_frame(msgpack.packb({"t": "fireworks", "colour": 3}))
        await peer.send_frame(msgpack.packb({**msgspec.to_builtins(Detached(TABLE, "left")), "since": 3}))

    async with fake_server(scene) as server, Link(server.url, "tok") as link:
        assert (await hear(link, 2))[1] == Detached(TABLE, "left")


async def test_an_unreadable_frame_ends_the_link() -> None:
    async def scene(peer: Peer) -> None:
        await peer.greet()
        await peer.send_frame(b"\xc1")

    async with fake_server(scene) as server, Link(server.url, "tok") as link:
        await hear(link, 1)
        with pytest.raises(LinkError, match="unreadable"):
            await anext(link)


# ---------------------------------------------------------------- loss and resume


async def test_after_a_loss_it_asks_for_what_it_missed() -> None:
    async def first(peer: Peer) -> None:
        await peer.greet(state(3), update(4, WentAway(1)))
        await asyncio.sleep(0.1)
        peer.drop()

    async def second(peer: Peer) -> None:
        await peer.greet(state(6, [SeqEvents(5, [CameBack(1)]), SeqEvents(6, [Voted(0)])]), update(7, WentAway(0)))

    async with fake_server(first, second) as server, Link(server.url, "tok", TABLE) as link:
        heard = await hear(link, 6)
        assert [type(message) for message in heard] == [Welcome, TableState, Update, Welcome, TableState, Update]
        assert [hello.seq for hello in server.hellos] == [None, 4]
        assert heard[4].missed == [SeqEvents(5, [CameBack(1)]), SeqEvents(6, [Voted(0)])]
        assert link.seq == 7


async def test_events_told_twice_are_heard_once() -> None:
    async def first(peer: Peer) -> None:
        await peer.greet(state(3), update(4, WentAway(1)), update(4, WentAway(1)), update(3), update(4, AutoPassSet(0, True)))
        await asyncio.sleep(0.1)
        peer.drop()

    async def second(peer: Peer) -> None:
        await peer.greet(state(5, [SeqEvents(4, [WentAway(1)]), SeqEvents(5, [CameBack(1)])]), update(5, CameBack(1)))

    async with fake_server(first, second) as server, Link(server.url, "tok", TABLE) as link:
        heard = await hear(link, 8)
        events = [message.events for message in heard if isinstance(message, Update)]
        assert events == [[WentAway(1)], [], [AutoPassSet(0, True)], []]
        assert heard[6].missed == [SeqEvents(5, [CameBack(1)])]


async def test_a_missing_number_is_asked_for_again() -> None:
    async def first(peer: Peer) -> None:
        await peer.greet(state(3), update(5, CameBack(1)))

    async def second(peer: Peer) -> None:
        await peer.greet(state(5, [SeqEvents(4, [WentAway(1)]), SeqEvents(5, [CameBack(1)])]))

    async with fake_server(first, second) as server, Link(server.url, "tok", TABLE) as link:
        heard = await hear(link, 4)
        assert server.hellos[1].seq == 3
        assert [one.seq for one in heard[3].missed] == [4, 5]


async def test_what_was_not_answered_is_asked_again_in_order_with_the_same_ids() -> None:
    async def first(peer: Peer) -> None:
        await peer.greet()
        await peer.read()
        await peer.read()
        peer.drop()

    async def second(peer: Peer) -> None:
        await peer.greet()
        await peer.answer()

    async with fake_server(first, second) as server, Link(server.url, "tok") as link:
        replies = await asyncio.gather(link.command(Join, table=TABLE), link.command(LeaveTable))
        assert all(isinstance(reply, Ok) for reply in replies)
        assert [type(command) for command in server.asked] == [Join, LeaveTable, Join, LeaveTable]
        assert server.asked[:2] == server.asked[2:]


async def test_a_command_given_while_the_connection_is_lost_waits_for_the_next() -> None:
    async def first(peer: Peer) -> None:
        await peer.greet()
        peer.drop()

    async def second(peer: Peer) -> None:
        await peer.greet()
        await peer.answer()

    lost = asyncio.Event()

    def note(why: LinkError | None) -> None:
        if why is not None:
            lost.set()

    async with fake_server(first, second) as server, Link(server.url, "tok", on_connection=note) as link:
        await lost.wait()
        assert not link.connected
        assert isinstance(await link.command(LeaveTable), Ok)
        assert link.connected
        assert len(server.asked) == 1


async def test_an_answer_given_twice_is_heard_once() -> None:
    async def scene(peer: Peer) -> None:
        await peer.greet()
        command = await peer.read()
        assert isinstance(command, Command)
        await peer.send(Ok(command.cid), Ok(command.cid), Error("illegal", cid=command.cid), Detached(TABLE, "left"))

    async with fake_server(scene) as server, Link(server.url, "tok") as link:
        await link.command(LeaveTable)
        assert [type(message) for message in await hear(link, 2)] == [Welcome, Detached]


async def test_nobody_waits_for_the_answer_any_more() -> None:
    async def scene(peer: Peer) -> None:
        await peer.greet()
        command = await peer.read()
        assert isinstance(command, Command)
        await asyncio.sleep(3)
        await peer.send(Ok(command.cid), Detached(TABLE, "left"))

    async with fake_server(scene) as server, Link(server.url, "tok") as link:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(1):
                await link.command(LeaveTable)
        assert (await hear(link, 2))[1] == Detached(TABLE, "left")


async def test_silence_of_two_and_a_half_heartbeats_is_a_loss() -> None:
    async def first(peer: Peer) -> None:
        await peer.greet()
        await asyncio.sleep(HEARTBEAT_MS / 1000)
        await peer.send(Heartbeat())

    losses: list[tuple[float, str]] = []

    def note(why: LinkError | None) -> None:
        if why is not None:
            losses.append((asyncio.get_running_loop().time(), why.code))

    async with fake_server(first, silent) as server, Link(server.url, "tok", on_connection=note) as link:
        began = asyncio.get_running_loop().time()
        assert [type(message) for message in await hear(link, 2)] == [Welcome, Welcome]
        assert losses[0][1] == "silent"
        assert 5 + 11.9 < losses[0][0] - began < 5 + 12.6


async def test_after_leaving_a_table_it_is_not_asked_for() -> None:
    async def first(peer: Peer) -> None:
        await peer.greet(state(3), Detached(TABLE, "left"))
        await asyncio.sleep(0.1)
        peer.drop()

    async with fake_server(first, silent) as server, Link(server.url, "tok", TABLE) as link:
        await hear(link, 4)
        assert server.hellos[1].table is None
        assert link.view is None


# ---------------------------------------------------------------- backing off


class Top(random.Random):
    """Always the longest wait."""

    def uniform(self, a: float, b: float) -> float:
        return b


async def waits_of(*scenes: Any, count: int) -> list[float]:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)
        await asyncio.sleep(0)

    async with fake_server(*scenes) as server, Link(server.url, "tok", rng=Top(), sleep=sleep) as link:
        await hear(link, count + 1)
    return waits[:count]


async def drops(peer: Peer) -> None:
    await peer.greet()
    peer.drop()


async def test_it_waits_longer_each_time_up_to_a_limit() -> None:
    assert await waits_of(drops, count=8) == [0.25, 0.5, 1, 2, 4, 8, 8, 8]


async def test_a_connection_that_has_stood_starts_the_count_anew() -> None:
    async def stands(peer: Peer) -> None:
        await peer.greet()
        await asyncio.sleep(6)
        peer.drop()

    assert await waits_of(drops, drops, stands, drops, count=4) == [0.25, 0.5, 0.25, 0.5]


async def test_the_servers_wish_to_wait_is_respected() -> None:
    async def restarts(peer: Peer) -> None:
        await peer.greet()
        await peer.close(CloseCode.RESTARTING, "restarting; retry_after_ms=1500")

    assert await waits_of(restarts, silent, count=1) == [1.75]


@pytest.mark.parametrize("code", [CloseCode.RESTARTING, CloseCode.SLOW, 4042, 1001, 1011])
async def test_codes_below_4100_mean_come_back(code: int) -> None:
    async def scene(peer: Peer) -> None:
        await peer.greet()
        await peer.close(code, "bye")

    assert len(await waits_of(scene, silent, count=1)) == 1


@pytest.mark.parametrize("code", [CloseCode.REPLACED, CloseCode.FLOODING, CloseCode.SEAT_GONE, 4199])
async def test_codes_from_4100_mean_do_not(code: int) -> None:
    async def scene(peer: Peer) -> None:
        await peer.greet(Detached(TABLE, "left"))
        await peer.read()
        await peer.close(code, "enough")

    async with fake_server(scene) as server, Link(server.url, "tok") as link:
        with pytest.raises(LinkClosed):
            await link.command(LeaveTable)
        assert len(await hear(link, 2)) == 2
        for _ in range(2):
            with pytest.raises(LinkClosed) as closed:
                await anext(link)
        assert (closed.value.close_code, closed.value.reason) == (code, "enough")
        with pytest.raises(LinkClosed):
            await link.command(LeaveTable)
    assert server.connections == 1


# ---------------------------------------------------------------- closing


async def test_closing_ends_the_iteration_and_says_goodbye() -> None:
    goodbyes: list[int | None] = []

    async def scene(peer: Peer) -> None:
        await peer.greet(state(3))
        await peer.socket.wait_closed()
        goodbyes.append(peer.socket.close_code)

    async with fake_server(scene) as server:
        link = Link(server.url, "tok", TABLE)
        await link.open()
        async for _ in link:
            await link.close()
        await link.close()
        await asyncio.sleep(0.1)
    assert goodbyes == [1000]


async def test_closing_lets_no_command_wait() -> None:
    async with fake_server(silent) as server, Link(server.url, "tok") as link:
        asking = asyncio.create_task(link.command(LeaveTable))
        await asyncio.sleep(0.1)
        await link.close()
        with pytest.raises(LinkClosed):
            await asking


async def test_closing_while_it_waits_to_reconnect() -> None:
    async with fake_server(drops) as server, Link(server.url, "tok", sleep=lambda _: asyncio.sleep(1000)):
        await asyncio.sleep(1)


# ---------------------------------------------------------------- the first connection


async def test_a_patient_link_waits_for_the_server() -> None:
    async with fake_server(silent) as server:
        pass
    waited = 0

    async def sleep(seconds: float) -> None:
        nonlocal waited
        waited += 1
        await asyncio.sleep(seconds)

    link = Link(server.url, "tok", patient=True, sleep=sleep)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(30):
            await link.open()
    assert waited > 3


async def test_a_server_that_does_not_greet_is_given_up() -> None:
    async def scene(peer: Peer) -> None:
        await peer.read()

    async with fake_server(scene) as server:
        with pytest.raises(CannotConnect, match="silent"):
            await Link(server.url, "tok").open()


async def test_what_an_update_leaves_out_is_as_it_was() -> None:
    shown = table_view(3)
    position = Position(None)
    position.take(state(3))
    position.take(Update(4, [], ViewChange(None, shown.you, None)))
    assert position.view == shown
    position.take(Update(5, [], ViewChange(None, shown.you, None, status="finished", games=8)))
    assert position.view == msgspec.structs.replace(shown, status="finished", games=8)


async def test_a_command_called_off_while_it_is_sent_leaves_no_exception_unseen() -> None:
    """Symptom: "Future exception was never retrieved" in the log of a bot host whose server went away under load."""
    unseen: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: unseen.append(context))
    async with fake_server(silent) as server:
        link = Link(server.url, "tok", TABLE)
        await link.open()
        async with link._sending:  # as if the socket took nothing more
            asking = asyncio.create_task(link.command(LeaveTable))
            await asyncio.sleep(0)
            await link.close()
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
        del asking
        gc.collect()
        await asyncio.sleep(0)
    assert unseen == []
