"""What is counted at a scrape: tables, waiting inputs, connections, seats of bots."""

from __future__ import annotations

from durak.protocol.messages import Error
from durak.server.given.meter import Meter
from tests.server.shell import House, settled


async def test_inputs_that_wait_for_the_journal_are_counted() -> None:
    house = House()
    ann = house.visit("Ann")
    await ann.ask("create")
    house.journal.held = []
    house.visit("Bob").say({"t": "join", "cid": "j", "table": "TAB001"})
    await settled()
    assert house.node.registry.census()[1] == 0, "it is on its way to the journal"
    house.visit("Cid").say({"t": "join", "cid": "j", "table": "TAB001"})
    assert house.node.registry.census() == ({"open": 1, "playing": 0, "finished": 0, "frozen": 0}, 1)
    house.journal.release()
    await settled()
    assert house.node.registry.census()[1] == 0


async def test_a_frozen_table_counts_as_that_and_answers_what_waits() -> None:
    house = House()
    ann = house.visit("Ann")
    await ann.ask("create")
    house.journal.held = []
    ann.say({"t": "leave", "cid": "x"})
    bob = house.visit("Bob")
    bob.say({"t": "join", "cid": "j", "table": "TAB001"})
    assert house.node.registry.freeze("TAB001")
    assert isinstance(answer := bob.last(Error), Error)
    assert answer.code == "frozen"
    house.journal.release()
    await settled()
    assert house.node.registry.census() == ({"open": 0, "playing": 0, "finished": 0, "frozen": 1}, 0)
    (summary,) = house.node.registry.summaries()
    assert not summary.busy


def test_a_meter_that_keeps_nothing_takes_everything() -> None:
    meter = Meter()
    meter.appended(meter.now(), 1)
    meter.acknowledged(meter.now())
