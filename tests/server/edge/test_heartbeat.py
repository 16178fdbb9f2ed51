"""Heartbeats: no connection is without a frame for longer than promised, and nobody gets one that hears enough."""

from __future__ import annotations

from durak.protocol.messages import Heartbeat
from durak.server.edge.heartbeat import HEARTBEAT_MS
from tests.server.shell import House


async def test_an_idle_connection_hears_one_every_time() -> None:
    house = House()
    visitors = [house.visit(f"Guest {number}") for number in range(50)]
    for _ in range(3):
        heard = [len(visitor.told) for visitor in visitors]
        await house.clock.advance(HEARTBEAT_MS)
        news = [visitor.told[before:] for visitor, before in zip(visitors, heard, strict=True)]
        assert all(messages == [Heartbeat()] for messages in news)


async def test_they_do_not_come_all_at_once() -> None:
    house = House()
    visitors = [house.visit(f"Guest {number}") for number in range(40)]
    await house.clock.advance(HEARTBEAT_MS)
    most = 0
    for _ in range(HEARTBEAT_MS // 5):
        before = sum(len(visitor.told) for visitor in visitors)
        await house.clock.advance(5)
        most = max(most, sum(len(visitor.told) for visitor in visitors) - before)
    assert most <= 2


async def test_who_hears_enough_gets_none() -> None:
    house = House()
    ann = house.visit("Ann")
    await house.clock.advance(HEARTBEAT_MS)
    heard = len(ann.told)
    for _ in range(10):
        await house.clock.advance(HEARTBEAT_MS // 5)
        await ann.ask("lobby", on=False)
    assert not any(isinstance(message, Heartbeat) for message in ann.told[heard + 1 :])


async def test_before_hello_there_is_none() -> None:
    house = House()
    stranger = house.arrive()
    await house.clock.advance(2 * HEARTBEAT_MS)
    assert not stranger.told
