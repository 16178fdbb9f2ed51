"""Commands that can't be carried out: a stable code, what is legal now, and nothing has changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from durak.protocol.rules.cards import PACK
from tests.system.client import Client, Message
from tests.system.conftest import Connect
from tests.system.serving import Served, serving
from tests.system.tables import UNHURRIED, actor, one_action, seated, started


async def refused_unchanged(people: list[Client], person: Client, code: str, action: Message, **fields: Any) -> Message:
    """This action is refused with this code, everybody's view stays, and the game goes on."""
    before = [(other.seq, other.game) for other in people]
    answer = await person.act(action, **fields)
    assert (answer["t"], answer["code"]) == ("error", code), answer
    assert answer["legal"] == person.legal
    assert (answer["bout"], answer["epoch"]) == (person.game["bout"], person.game["epoch"])
    assert [(other.seq, other.game) for other in people] == before
    await one_action(people)
    return answer


# ---------------------------------------------------------------- actions


async def test_a_card_that_is_not_held(server: Served, connect: Connect) -> None:
    people, _ = await started(connect, server)
    attacker = actor(people)
    foreign = next(card for card in PACK if card not in attacker.game["hand"])
    await refused_unchanged(people, attacker, "not_in_hand", {"act": "lead", "card": foreign})


@pytest.mark.parametrize("action", [{"act": "pass"}, {"act": "take"}, {"act": "finish"}, {"act": "forfeit"}, {"act": "redeal"}])
async def test_an_action_of_another_phase(server: Served, connect: Connect, action: Message) -> None:
    people, _ = await started(connect, server)
    answer = await actor(people).act(action)
    assert answer["t"] == "error"
    assert answer["code"] in ("table_empty", "not_your_role", "wrong_phase", "not_offered", "nothing_to_take"), answer
    await one_action(people)


async def test_the_defender_can_not_lead(server: Served, connect: Connect) -> None:
    people, _ = await started(connect, server)
    defender = next(person for person in people if not person.legal)
    await refused_unchanged(people, defender, "not_your_role", {"act": "lead", "card": defender.game["hand"][0]})


async def test_a_second_lead(server: Served, connect: Connect) -> None:
    people, _ = await started(connect, server)
    attacker = actor(people)
    await one_action(people)
    answer = await attacker.act({"act": "lead", "card": attacker.game["hand"][0]})
    assert (answer["code"], answer["rule"]) == ("table_not_empty", "1.5")


async def test_an_action_for_an_older_or_later_bout_is_stale(server: Served, connect: Connect) -> None:
    people, _ = await started(connect, server)
    attacker = actor(people)
    answer = await refused_unchanged(people, attacker, "stale", attacker.legal[0], bout=0)
    assert answer["rule"] == "1.16"
    attacker = actor(people)
    for bout in (99, 2**31, 2**63, 10**30):
        assert (await attacker.act(attacker.legal[0], bout=bout))["code"] == "stale"
    await one_action(people)


async def test_a_spectator_can_not_act(server: Served, connect: Connect) -> None:
    people, table = await started(connect, server)
    eve = await connect(server, "Eve")
    await eve.ok("watch", table=table)
    await eve.until(lambda: eve.view)
    assert (await eve.act(actor(people).legal[0]))["code"] == "not_seated"
    assert (await eve.refused("rematch"))["code"] == "not_seated"
    assert (await eve.refused("start"))["code"] == "not_seated"
    assert (await eve.refused("auto_pass", on=True))["code"] == "not_seated"
    await one_action(people)


async def test_nobody_acts_for_another_seat(server: Served, connect: Connect) -> None:
    """The seat comes from the session: whatever a message claims, it is the sender's own seat that acts, or none."""
    people, _ = await started(connect, server)
    attacker = actor(people)
    other = next(person for person in people if person is not attacker)
    for claim in ({"seat": 0}, {"player": attacker.player}, {"chair": 0}, {"token": attacker.token}):
        answer = await other.act(attacker.legal[0], **claim)
        assert answer["code"] == "bad_message"
    assert (await other.act(attacker.legal[0]))["t"] == "error"
    await one_action(people)


async def test_actions_without_a_table(server: Served, connect: Connect) -> None:
    client = await connect(server)
    for t, fields in (
        ("act", {"action": {"act": "take"}, "bout": 1}),
        ("leave", {}),
        ("start", {}),
        ("rematch", {}),
        ("fill", {"bots": ["easy"]}),
        ("dismiss", {"chair": 0}),
        ("auto_pass", {"on": True}),
    ):
        assert (await client.refused(t, **fields))["code"] == "not_at_a_table"


async def test_actions_before_and_after_the_game(server: Served, connect: Connect) -> None:
    (ann, bob), table = await seated(connect, server, ("Ann", "Bob"))
    assert (await ann.refused("act", action={"act": "take"}, bout=0))["code"] == "not_playing"
    assert (await ann.refused("auto_pass", on=True))["code"] == "not_playing"
    assert (await ann.refused("rematch"))["code"] == "not_finished"
    assert (await bob.refused("start"))["code"] == "not_host"
    assert (await bob.refused("fill", bots=["easy"]))["code"] in ("not_host", "no_bots")
    await ann.ok("start")
    assert (await ann.refused("start"))["code"] == "already_playing"
    assert (await ann.refused("dismiss", chair=1))["code"] == "already_playing"
    eve = await connect(server, "Eve")
    assert (await eve.refused("join", table=table))["code"] == "already_playing"
    await ann.ok("leave")
    await bob.until(lambda: bob.view["status"] == "finished")
    assert (await bob.refused("act", action={"act": "take"}, bout=1))["code"] == "not_playing"
    await bob.ok("rematch")
    assert (await bob.refused("rematch"))["code"] == "already_voted"


# ---------------------------------------------------------------- tables


async def test_tables_that_do_not_exist(server: Served, connect: Connect) -> None:
    client = await connect(server)
    for t in ("join", "watch"):
        error = await client.refused(t, table="ZZZZZZ")
        assert (error["code"], error["params"]) == ("no_such_table", {"table": "ZZZZZZ"})
    lost = await connect(server, table="ZZZZZZ")
    assert lost.last("error")["code"] == "no_such_table"
    await lost.create()


async def test_a_full_table(server: Served, connect: Connect) -> None:
    people, table = await seated(connect, server, ("Ann", "Bob", "Cid"))
    dan = await connect(server, "Dan")
    assert (await dan.refused("join", table=table))["code"] == "table_full"
    assert (await dan.refused("join", table=table, chair=1))["code"] == "table_full"
    await people[0].ok("start")


async def test_chairs_that_can_not_be_taken(server: Served, connect: Connect) -> None:
    ann, bob = await connect(server, "Ann"), await connect(server, "Bob")
    table = await ann.create(options={"max_players": 3})
    taken = await bob.refused("join", table=table, chair=0)
    assert (taken["code"], taken["params"]) == ("chair_taken", {"chair": 0})
    missing = await bob.refused("join", table=table, chair=5)
    assert (missing["code"], missing["params"]) == ("no_such_chair", {"chairs": 3})
    await bob.join(table, chair=2)
    assert (await bob.refused("join", table=table))["code"] == "already_seated"
    assert (await ann.refused("dismiss", chair=2))["code"] == "not_a_bot"
    assert (await ann.refused("dismiss", chair=1))["code"] == "not_a_bot"
    await ann.ok("start")


async def test_a_game_needs_two(server: Served, connect: Connect) -> None:
    ann = await connect(server)
    await ann.create()
    error = await ann.refused("start")
    assert (error["code"], error["params"]) == ("too_few_players", {"needed": 2})


OPTIONS: dict[str, tuple[str, Message]] = {
    "transfer": ("variant_locked", {"transfer": True}),
    "transfer by name": ("variant_locked", {"transfer": "on"}),
    "jokers": ("variant_locked", {"jokers": 2}),
    "the 52-card pack": ("variant_locked", {"pack": 52}),
    "the 36-card pack as text": ("variant_locked", {"pack": "36"}),
    "an option that does not exist": ("unknown_option", {"cheat": True}),
    "an empty option": ("unknown_option", {"": 1}),
    "the preset as option": ("unknown_option", {"preset": "challenge"}),
    "one player": ("bad_value", {"max_players": 1}),
    "seven players": ("bad_value", {"max_players": 7}),
    "players as text": ("bad_value", {"max_players": "4"}),
    "players as list": ("bad_value", {"max_players": [4]}),
    "a negative window": ("bad_value", {"window_ms": -1}),
    "no window at all": ("bad_value", {"window_ms": 0}),
    "an endless window": ("bad_value", {"window_ms": 10**12}),
    "a window beyond numbers": ("bad_value", {"window_ms": 10**30}),
    "a turn clock of 7 s": ("bad_value", {"turn_clock_s": 7}),
    "half a second": ("bad_value", {"close_ms": 0.5}),
    "discreet as number": ("bad_value", {"discreet": 1}),
    "discreet as null": ("bad_value", {"discreet": None}),
    "who throws in": ("bad_value", {"throw_in": "nobody"}),
    "delays the wrong way round": ("bad_value", {"bot_delay_ms": [3000, 1500]}),
    "one delay": ("bad_value", {"bot_delay_ms": [1500]}),
    "nested delays": ("bad_value", {"bot_delay_ms": [[[[]]]]}),
    "a limit of 4": ("bad_value", {"limit_first_bout": 4}),
    "a good one and a bad one": ("variant_locked", {"max_players": 3, "transfer": True}),
}


@pytest.mark.parametrize(("code", "options"), OPTIONS.values(), ids=OPTIONS.keys())
async def test_options_that_no_table_can_have(server: Served, connect: Connect, code: str, options: Message) -> None:
    client = await connect(server)
    error = await client.refused("create", options=options)
    assert error["code"] == code
    assert error["params"]["option"] in options
    await client.create(options={"transfer": "off", "jokers": 0, "pack": 36})


async def test_tables_that_can_not_be_made(server: Served, connect: Connect) -> None:
    client = await connect(server)
    for code, fields in (
        ("bad_value", {"preset": "poker"}),
        ("bad_value", {"preset": ""}),
        ("too_many_players", {"options": {"max_players": 2}, "bots": ["easy"] * 2}),
        ("too_few_players", {"sit": False, "bots": ["easy"]}),
        ("too_few_players", {"sit": False}),
        ("too_few_players", {"start": True}),
        ("no_bots", {"bots": ["easy"]}),
        ("no_bots", {"bots": ["hard"], "sit": True, "start": True}),
        ("bad_name", {"name": "\x1b[2J"}),
        ("bad_name", {"name": "a\u202eb"}),
    ):
        assert (await client.refused("create", **fields))["code"] == code, fields
    await client.create()
    assert (await client.refused("fill", bots=["easy"]))["code"] == "no_bots"


async def test_fast_bots_beside_people_are_for_developers(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        client = await Client.open(served.url)
        error = await client.refused("create", speed="fast")
        assert (error["code"], error["params"]) == ("bad_value", {"option": "speed"})
        error = await client.refused("create", options={"bot_delay_ms": [0, 10]})
        assert (error["code"], error["params"]) == ("bad_value", {"option": "bot_delay_ms"})
        await client.close()


async def test_people_are_no_bot_hosts(server: Served, connect: Connect) -> None:
    client = await connect(server)
    assert (await client.refused("host", levels=["easy"], capacity=5))["code"] == "not_allowed"


async def test_bot_hosts_do_nothing_but_offer(server: Served, connect: Connect) -> None:
    host = await connect(server, token=(server.data / "host-token").read_text().strip())
    for t, fields in (("create", {}), ("join", {"table": "ZZZZZZ"}), ("watch", {"table": "ZZZZZZ"}), ("lobby", {"on": True})):
        assert (await host.refused(t, **fields))["code"] == "not_allowed"


async def test_no_more_tables_than_the_operator_allows(tmp_path: Path, connect: Connect) -> None:
    with serving(tmp_path, "--dev", "--max-tables", "1") as served:
        people, _ = await started(connect, served)
        eve = await connect(served, "Eve")
        error = await eve.refused("create", options=UNHURRIED)
        assert (error["code"], error["params"]) == ("too_many_tables", {"tables": 1})
        await one_action(people)
