"""Seats that change hands: away and back, left and played on by a bot, taken back, bots from a host, rematches."""

from __future__ import annotations

import asyncio
import random
from typing import Any

from tests.system.client import Client, Message
from tests.system.conftest import Connect
from tests.system.serving import Served
from tests.system.tables import actor, one_action, play_on, play_out, playing, started


async def bot_host(connect: Connect, served: Served, *levels: str, capacity: int = 10) -> Client:
    """A host that offers seats and waits for what it is given."""
    host = await connect(served, token=(served.data / "host-token").read_text().strip())
    await host.ok("host", levels=list(levels), capacity=capacity)
    return host


def offers(host: Client) -> list[Message]:
    """The seats that a host was given."""
    return [message for message in host.told if message["t"] == "seat"]


async def take(connect: Connect, served: Served, offer: Message) -> Client:
    """The bot of an offer, at its table."""
    return await connect(served, token=offer["token"], table=offer["table"])


def happened(person: Client, event: str) -> list[Message]:
    """The events of a kind that this client was told."""
    return [one for events in person.events.values() for one in events if one["event"] == event]


async def test_a_lost_connection_is_away_and_comes_back(server: Served, connect: Connect) -> None:
    (ann, bob), table = await started(connect, server)
    await bob.drop()
    await ann.until(lambda: ann.view["chairs"][1]["away"])
    again = await connect(server, token=bob.token, table=table, seq=bob.seq)
    await ann.until(lambda: not ann.view["chairs"][1]["away"])
    assert happened(ann, "went_away") == [{"event": "went_away", "chair": 1}]
    assert happened(ann, "came_back") == [{"event": "came_back", "chair": 1}]
    await one_action([ann, again])


async def test_the_host_moves_on_when_it_leaves(server: Served, connect: Connect) -> None:
    ann, bob = await connect(server, "Ann"), await connect(server, "Bob")
    table = await ann.create(options={"max_players": 4})
    await bob.join(table)
    await ann.ok("leave")
    assert (await ann.hears("detached"))["reason"] == "left"
    await bob.until(lambda: [chair["host"] for chair in bob.view["chairs"]] == [True])
    cid = await connect(server, "Cid")
    await cid.join(table)
    await bob.ok("start")
    await cid.until(lambda: playing(cid))


async def test_leaving_two_ends_the_game(server: Served, connect: Connect) -> None:
    (ann, bob), _ = await started(connect, server)
    await bob.ok("leave")
    await ann.until(lambda: ann.view["status"] == "finished")
    result = ann.game["result"]
    assert result["forfeits"] == [bob.view["you"]["seat"] if bob.view else 1]
    assert not result["draw"]


async def test_a_leaver_is_played_on_by_a_bot_until_it_comes_back(own_server: Served, connect: Connect) -> None:
    people, table = await started(connect, own_server, ("Ann", "Bob", "Cid"))
    ann, bob, cid = people
    host = await bot_host(connect, own_server, "easy", "normal")
    hand = set(bob.game["hand"])
    await bob.ok("leave")
    await host.until(lambda: offers(host))
    offer = offers(host)[0]
    assert (offer["table"], offer["level"], offer["delay_ms"]) == (table, "normal", [1500, 3000])
    bot = await take(connect, own_server, offer)
    assert set(bot.game["hand"]) >= hand or bot.game["bout"] > 1
    assert bot.view["you"]["can"] == ["auto_pass"]
    for _ in range(4):
        await one_action([ann, bot, cid])
    assert (await bot.refused("leave"))["code"] == "not_allowed"

    back = await connect(own_server, token=bob.token)
    await back.join(table)
    assert await bot.ends() == (4105, "seat_gone")
    assert not back.view["chairs"][1]["left"]
    for _ in range(3):
        await one_action([ann, back, cid])
    spy = await connect(own_server, token=offer["token"])
    await spy.send({"t": "act", "cid": "x", "action": {"act": "take"}, "bout": 1})
    assert (await spy.until(lambda: spy.answers.get("x")))["code"] == "not_at_a_table"
    await play_out([ann, back, cid], seed=4)
    assert ann.game["result"]["forfeits"] == [1], "the loss of leaving stands"


async def test_a_leaver_may_look_on(own_server: Served, connect: Connect) -> None:
    (ann, bob, cid), table = await started(connect, own_server, ("Ann", "Bob", "Cid"))
    await bob.ok("leave")
    eye = await connect(own_server, token=bob.token, table=table)
    assert eye.view["you"]["can"] == ["join"]
    await cid.drop()
    await ann.until(lambda: ann.view["chairs"][2]["away"])
    await eye.until(lambda: eye.view["chairs"][2]["away"])
    await eye.ok("leave")
    assert (await eye.hears("detached"))["reason"] == "left"


async def test_bots_fill_chairs_and_are_dismissed(own_server: Served, connect: Connect) -> None:
    host = await bot_host(connect, own_server, "easy", "hard")
    ann = await connect(own_server)
    await ann.create(options={"max_players": 4}, bots=["easy"])
    assert (await ann.refused("fill", bots=["normal"]))["code"] == "no_bots"
    assert (await ann.refused("fill", bots=["easy"] * 4))["code"] == "table_full"
    filled = await ann.ok("fill", cid="fill", bots=["hard", "easy"])
    assert await ann.ok("fill", cid="fill", bots=["hard", "easy"]) == filled
    await host.until(lambda: len(offers(host)) == 3)
    assert sorted(offer["level"] for offer in offers(host)) == ["easy", "easy", "hard"]
    bots = [await take(connect, own_server, offer) for offer in offers(host)]
    await ann.ok("dismiss", chair=1)
    await ann.until(lambda: len(ann.view["chairs"]) == 3)
    await asyncio.sleep(0.2)
    assert [bot.closed for bot in bots if bot.closed] == [(4105, "seat_gone")]
    for t, fields in (("create", {}), ("join", {"table": "ZZZZZZ"}), ("lobby", {"on": True})):
        playing_bot = next(bot for bot in bots if not bot.closed)
        assert (await playing_bot.refused(t, **fields))["code"] == "not_allowed"


async def test_a_game_with_bots_from_beginning_to_end(own_server: Served, connect: Connect) -> None:
    host = await bot_host(connect, own_server, "easy")
    ann = await connect(own_server)
    table = await ann.create(
        options={"max_players": 3, "close_ms": 0, "window_ms": None, "turn_clock_s": None}, bots=["easy"] * 2, start=True
    )
    await host.until(lambda: len(offers(host)) == 2)
    bots = [await take(connect, own_server, offer) for offer in offers(host)]
    await play_out([ann, *bots], seed=9)
    assert ann.view["status"] == "finished"
    await ann.ok("rematch")
    await ann.until(lambda: playing(ann))
    await asyncio.gather(*(bot.until(lambda bot=bot: playing(bot)) for bot in bots))
    assert len(offers(host)) == 2, "the bots have stayed"
    own_server.restart()
    people = [await connect(own_server, token=client.token, table=table, seq=client.seq) for client in (ann, *bots)]
    await play_out(people, seed=10)
    assert people[0].view["games"] == 2


async def test_a_table_of_bots_plays_by_itself(own_server: Served, connect: Connect) -> None:
    host = await bot_host(connect, own_server, "easy")
    ann = await connect(own_server)
    table = await ann.create(sit=False, bots=["easy"] * 3, speed="fast", options={"window_ms": None})
    await host.until(lambda: len(offers(host)) == 3)
    assert {tuple(offer["delay_ms"]) for offer in offers(host)} == {(0, 0)}
    bots = [await take(connect, own_server, offer) for offer in offers(host)]
    await asyncio.gather(*(play_on(bot, random.Random(number)) for number, bot in enumerate(bots)))
    await ann.until(lambda: ann.view["table"] == table and ann.view["status"] == "finished")


async def test_seats_wait_for_a_host_and_a_dying_host_is_replaced(own_server: Served, connect: Connect) -> None:
    first = await bot_host(connect, own_server, "easy", capacity=2)
    ann = await connect(own_server)
    await ann.create(options={"max_players": 3}, bots=["easy"] * 2)
    assert (await ann.refused("create", cid="more", bots=["easy"]))["code"] == "no_bots"
    await first.until(lambda: len(offers(first)) == 2)
    bot = await take(connect, own_server, offers(first)[0])
    second = await bot_host(connect, own_server, "easy", "normal")
    await first.drop()
    await second.until(lambda: len(offers(second)) == 1)
    assert offers(second)[0]["token"] != offers(first)[0]["token"]
    assert bot.closed is None


async def test_rematches_and_the_series(server: Served, connect: Connect) -> None:
    people, _ = await started(connect, server, ("Ann", "Bob", "Cid"))
    firsts: list[Any] = []
    for game in range(1, 4):
        await play_out(people, seed=game)
        for person in people:
            await person.until(lambda person=person: person.view["status"] == "finished")
        firsts.append(people[0].view["games"])
        for person in people[:-1]:
            await person.ok("rematch")
        await people[0].until(lambda: sum(chair["vote"] for chair in people[0].view["chairs"]) == 2)
        assert people[0].view["status"] == "finished"
        await people[-1].ok("rematch")
        await asyncio.gather(*(person.until(lambda person=person: playing(person)) for person in people))
    assert firsts == [1, 2, 3]
    scores = [chair["score"] for chair in people[0].view["chairs"]]
    assert sum(score["losses"] for score in scores) <= 3
    assert people[0].seq == people[1].seq == people[2].seq
    assert actor(people)
