"""Coming back: what was missed is what another viewer was told, one connection a seat, and each command once."""

from __future__ import annotations

import asyncio
import contextlib
import random
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from tests.system.client import JSON, MSGPACK, Client, Message
from tests.system.conftest import Connect
from tests.system.serving import Served
from tests.system.tables import actor, one_action, play_out, playing, seated, started

HIDDEN = {"dealt": "hand", "drew": "cards"}
"""Event -> the field that only its own seat is told."""


def public(events: dict[int, list[Message]]) -> dict[int, list[Message]]:
    """Events as a spectator sees them."""
    return {
        seq: [{**event, HIDDEN[event["event"]]: None} if event["event"] in HIDDEN else event for event in one]
        for seq, one in events.items()
    }


async def test_numbers_grow_by_one_and_are_the_same_for_all(server: Served, connect: Connect) -> None:
    people, table = await started(connect, server, ("Ann", "Bob", "Cid"))
    eve = await connect(server, "Eve", table=table)
    await play_out(people, seed=1)
    last = max(person.seq or 0 for person in people)
    for client in (*people, eve):
        await client.until(lambda client=client: client.seq == last)
    told = public(eve.events)
    assert list(told) == list(range(min(told), last + 1))
    for person in people:
        own = public(person.events)
        assert {seq: own[seq] for seq in told} == told


async def test_each_sees_its_own_cards_in_the_events(server: Served, connect: Connect) -> None:
    """The hand in view is the hand that the events give."""
    people, _ = await started(connect, server, ("Ann", "Bob", "Cid"))
    for _ in range(30):
        if not playing(people[0]):
            break
        await one_action(people)
        for person in people:
            hand: set[str] = set()
            seat = person.view["you"]["seat"]
            for seq in sorted(person.events):
                for event in person.events[seq]:
                    match event:
                        case {"event": "dealt", "hand": cards} | {"event": "drew", "cards": list(cards)}:
                            hand |= set(cards)
                        case {"event": "led" | "threw_in" | "beaten", "seat": by, "card": card} if by == seat:
                            hand.remove(card)
                        case {"event": "bout_ended", "outcome": "taken", "seat": by, "cards": cards} if by == seat:
                            hand |= set(cards)
            assert hand == set(person.game["hand"])


@pytest.mark.parametrize("subprotocol", [JSON, MSGPACK])
async def test_who_comes_back_is_told_exactly_what_was_missed(server: Served, connect: Connect, subprotocol: str) -> None:
    people, table = await started(connect, server, ("Ann", "Bob", "Cid"))
    ann, bob, _ = people
    for _ in range(4):
        await one_action(people)
    await bob.drop()
    await ann.until(lambda: ann.view["chairs"][1]["away"])
    rng = random.Random(3)
    for _ in range(5):
        able = [person for person in people if person is not bob and person.legal]
        if not able:
            break
        person = rng.choice(able)
        await person.act(person.legal[0])
    back = await connect(server, token=bob.token, table=table, seq=bob.seq, subprotocol=subprotocol)
    state = back.last("table")
    assert bob.seq is not None
    assert state["resumed"] == "events"
    assert [one["seq"] for one in state["missed"]] == list(range(bob.seq + 1, state["seq"] + 1))
    await ann.until(lambda: (ann.seq or 0) >= state["seq"])
    missed = {one["seq"]: one["events"] for one in state["missed"]}
    assert public(missed) == {seq: one for seq, one in public(ann.events).items() if bob.seq < seq <= state["seq"]}
    assert state["view"]["game"]["hand"] is not None


async def test_who_has_missed_nothing_is_told_nothing_twice(server: Served, connect: Connect) -> None:
    (ann, bob), table = await started(connect, server)
    again = await connect(server, token=bob.token, table=table, seq=bob.seq)
    state = again.last("table")
    assert (state["resumed"], state["missed"], state["seq"]) == ("events", [], bob.seq)
    await one_action([ann, again])


@pytest.mark.parametrize("seen", [None, 10**6, 10**30, 0])
async def test_a_snapshot_for_who_asks_for_nothing_or_too_much(server: Served, connect: Connect, seen: Any) -> None:
    people, table = await started(connect, server)
    await one_action(people)
    eve = await connect(server, "Eve", table=table, seq=seen)
    assert eve.last("table")["resumed"] == "snapshot"
    assert eve.game["table"] == people[0].game["table"]


async def test_a_snapshot_when_it_is_too_long_ago(server: Served, connect: Connect) -> None:
    """What happened before the running game began is not told again."""
    people, table = await seated(connect, server, ("Ann", "Bob"))
    seen = people[1].seq
    await people[0].ok("start")
    await people[1].until(lambda: playing(people[1]))
    await play_out(people, seed=5)
    for person in people:
        await person.ok("rematch")
    await people[1].until(lambda: people[1].view["games"] == 1 and playing(people[1]))
    late = await connect(server, token=people[1].token, table=table, seq=seen)
    state = late.last("table")
    assert state["resumed"] == "snapshot"
    assert any(event["event"] == "started" for event in state["missed"][0]["events"])


# ---------------------------------------------------------------- one connection a seat


async def test_a_second_connection_takes_the_seat_over(server: Served, connect: Connect) -> None:
    (ann, bob), table = await started(connect, server)
    again = await connect(server, token=bob.token, table=table, seq=bob.seq)
    assert await bob.ends() == (4100, "replaced")
    await one_action([ann, again])
    assert not ann.view["chairs"][1]["away"]
    assert not any(event["event"] == "went_away" for one in ann.events.values() for event in one)


async def test_whoever_is_replaced_while_sending_is_told_so(server: Served, connect: Connect) -> None:
    """A reset in place of the close code would make the client come back, and take the seat from its other connection."""
    (_, bob), table = await started(connect, server)

    async def chatter() -> None:
        with contextlib.suppress(ConnectionClosed):
            for number in range(5_000):
                await bob.send({"t": "lobby", "cid": f"n{number}", "on": False})
                await asyncio.sleep(0)

    talking = asyncio.create_task(chatter())
    await connect(server, token=bob.token, table=table)
    assert await bob.ends() == (4100, "replaced")
    await talking


async def test_never_two_actions_for_one_click(server: Served, connect: Connect) -> None:
    """The same click on the old and on the new connection, at once and with one id: it is played once."""
    people, table = await started(connect, server)
    clicker = actor(people)
    other = next(person for person in people if person is not clicker)
    click = {"t": "act", "cid": "click", "action": clicker.legal[0], "bout": clicker.game["bout"]}
    await clicker.send(click)
    again = await connect(server, token=clicker.token, table=table, seq=clicker.seq)
    await again.send(click)
    answer = await again.until(lambda: again.answers.get("click"))
    assert answer["t"] == "ok"
    await other.until(lambda: (other.seq or 0) >= answer["seq"])
    assert sum(event["event"] == "led" for one in other.events.values() for event in one) == 1
    assert clicker.answers.get("click") in (None, answer)


async def test_many_connections_fight_for_a_seat(server: Served, connect: Connect) -> None:
    (ann, bob), table = await started(connect, server)
    rivals = await asyncio.gather(*(connect(server, token=bob.token, table=table) for _ in range(10)))
    await asyncio.sleep(0.3)
    left = [rival for rival in rivals if rival.closed is None]
    assert [rival.closed[0] for rival in rivals if rival.closed is not None] == [4100] * 9
    await one_action([ann, *left])


async def test_spectators_may_watch_twice(server: Served, connect: Connect) -> None:
    people, table = await started(connect, server)
    eve = await connect(server, "Eve", table=table)
    too = await connect(server, token=eve.token, table=table)
    await people[0].until(lambda: (people[0].last("watchers") or {}).get("count") == 2)
    await one_action([*people, eve, too])
    await too.close()
    await people[0].until(lambda: people[0].last("watchers")["count"] == 1)


# ---------------------------------------------------------------- each command once


async def test_the_same_id_gets_the_same_answer_and_changes_nothing(server: Served, connect: Connect) -> None:
    people, _ = await started(connect, server)
    person = actor(people)
    action = person.legal[0]
    first = await person.act(action, cid="mine")
    await one_action(people)
    for other in ({"act": "take"}, action):
        assert await person.act(other, cid="mine", bout=7) == first
    assert (await person.ok("rematch", cid="mine")) == first
    await one_action(people)
    told = [event for one in people[0].events.values() for event in one]
    assert told.count({"event": "led", "seat": person.view["you"]["seat"], "card": action["card"]}) == 1


async def test_an_id_is_its_players_own(server: Served, connect: Connect) -> None:
    people, _ = await started(connect, server)
    attacker = actor(people)
    defender = next(person for person in people if person is not attacker)
    first = await attacker.act(attacker.legal[0], cid="shared")
    await defender.until(lambda: defender.legal)
    second = await defender.act({"act": "take"}, cid="shared")
    assert (second["t"], second["seq"]) == ("ok", first["seq"] + 1)


async def test_a_refused_id_is_judged_anew(server: Served, connect: Connect) -> None:
    people, _ = await started(connect, server)
    defender = next(person for person in people if not person.legal)
    assert (await defender.act({"act": "take"}, cid="again"))["t"] == "error"
    await one_action(people)
    assert (await defender.act({"act": "take"}, cid="again"))["t"] == "ok"


async def test_creating_and_joining_happen_once(server: Served, connect: Connect) -> None:
    ann, bob = await connect(server, "Ann"), await connect(server, "Bob")
    made = await ann.ok("create", cid="make", options={"max_players": 3})
    await ann.until(lambda: ann.view)
    assert await ann.ok("create", cid="make", preset="challenge") == made
    table = made["table"]
    sat = await bob.ok("join", cid="sit", table=table)
    assert await bob.ok("join", cid="sit", table=table, chair=2) == sat
    again = await connect(server, token=bob.token)
    assert await again.ok("join", cid="sit", table=table) == sat
    await again.until(lambda: again.view)
    assert [chair["name"] for chair in again.view["chairs"]] == ["Ann", "Bob"]
    assert await bob.ends() == (4100, "replaced")


async def test_two_creations_at_once_make_one_table(server: Served, connect: Connect) -> None:
    ann = await connect(server)
    too = await connect(server, token=ann.token)
    made = await asyncio.gather(*(client.ok("create", cid="both") for client in (ann, too)))
    assert made[0] == made[1]


async def test_creating_again_after_much_play_does_not_undo_it(server: Served, connect: Connect) -> None:
    """A table remembers 64 commands of a player; the one that made it is known as long as the table lives."""
    ann, bob = await connect(server, "Ann"), await connect(server, "Bob")
    made = await ann.ok("create", cid="make", options={"max_players": 2, "turn_clock_s": None})
    await bob.join(made["table"])
    await ann.ok("start")
    for number in range(70):
        await ann.ok("auto_pass", on=number % 2 == 0)
    assert await ann.ok("create", cid="make", options={"max_players": 6}) == made
    await ann.until(lambda: playing(ann))
    await one_action([ann, bob])


async def test_64_commands_are_remembered_also_after_a_kill(own_server: Served, connect: Connect) -> None:
    people, table = await started(connect, own_server)
    person = actor(people)
    played = await person.act(person.legal[0], cid="play")
    answers = {f"s{number}": await person.ok("auto_pass", cid=f"s{number}", on=number % 2 == 0) for number in range(63)}
    own_server.restart()
    again = await connect(own_server, token=person.token, table=table, seq=person.seq)
    assert await again.act({"act": "take"}, cid="play") == played
    for cid, answer in answers.items():
        assert await again.ok("auto_pass", cid=cid, on=True) == answer
    await again.ok("auto_pass", cid="one more", on=False)
    assert (await again.act({"act": "pass"}, cid="play", bout=99))["code"] == "stale"
    other = next(one for one in people if one is not person)
    there = await connect(own_server, token=other.token, table=table, seq=other.seq)
    assert sum(event["event"] == "led" for one in there.events.values() for event in one) == 0
    assert len(there.game["table"]) == 1


async def test_creating_and_joining_happen_once_also_after_a_kill(own_server: Served, connect: Connect) -> None:
    ann, bob = await connect(own_server, "Ann"), await connect(own_server, "Bob")
    made = await ann.ok("create", cid="make")
    sat = await bob.ok("join", cid="sit", table=made["table"])
    own_server.restart()
    ann, bob = [await connect(own_server, token=client.token) for client in (ann, bob)]
    assert await ann.ok("create", cid="make") == made
    assert await bob.ok("join", cid="sit", table=made["table"]) == sat
    await bob.until(lambda: bob.view and not any(chair["away"] for chair in bob.view["chairs"]))
    await ann.ok("start")


async def test_leaving_twice_is_leaving_once(server: Served, connect: Connect) -> None:
    (ann, bob, cid), table = await started(connect, server, ("Ann", "Bob", "Cid"))
    left = await bob.ok("leave", cid="bye")
    assert (await bob.hears("detached"))["reason"] == "left"
    assert (await bob.refused("leave", cid="bye"))["code"] == "not_at_a_table"
    again = await connect(server, token=bob.token, table=table)
    assert await again.ok("leave", cid="bye") == left
    assert (await again.hears("detached"))["reason"] == "left"
    await ann.until(lambda: ann.view["chairs"][1]["left"])
    assert sum(event["event"] == "left" for one in ann.events.values() for event in one) == 1
    assert not cid.view["chairs"][0]["left"]


async def test_whoever_joins_and_is_gone_is_away(server: Served, connect: Connect) -> None:
    """The connection is lost while the chair is being taken: nobody waits for a ghost."""
    ann = await connect(server, "Ann")
    table = await ann.create(options={"max_players": 6})
    for number in range(5):
        ghost: Client = await Client.open(server.url, f"Ghost {number}")
        await ghost.send({"t": "join", "cid": "j", "table": table})
        await ghost.drop()
    await asyncio.sleep(0.2)
    for chair in ann.view["chairs"][1:]:
        assert chair["away"], chair
