"""What an operator may do to a running server, and what of it the players see."""

from __future__ import annotations

import asyncio
import json
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.system.client import Message
from tests.system.conftest import Connect
from tests.system.operating import admin, admin_says, scrape
from tests.system.serving import Served, run_durak, serving
from tests.system.tables import one_action, playing, started
from tests.system.test_secrecy import cards_in, shown_to_all


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Served]:
    """A server that shows its metrics."""
    with serving(tmp_path, "--dev", "--metrics") as served:
        yield served


async def test_list_and_inspect(own_server: Served, connect: Connect) -> None:
    assert admin(own_server, "list").stdout == "none\n"
    people, table = await started(connect, own_server, ("Ann", "Bob", "Cid"), turn_clock_s=60)
    eve = await connect(own_server, "Eve", table=table)
    for _ in range(4):
        await one_action([*people, eve])
    await people[2].drop()
    await people[0].until(lambda: people[0].view and any(chair["away"] for chair in people[0].view["chairs"]))
    (line,) = admin_says(own_server, "list")
    assert (line["table"], line["status"], line["preset"], line["persons"], line["watchers"]) == (table, "playing", "classic", 3, 1)
    seen = admin_says(own_server, "inspect", table.lower())
    assert seen["seq"] == people[0].seq
    assert (seen["queue"], seen["busy"], seen["entries"] >= seen["seq"]) == (0, False, True)
    assert {clock["kind"] for clock in seen["clocks"]} >= {"grace"}
    assert all(0 <= clock["ms"] <= 60_000 for clock in seen["clocks"])
    game: Message = seen["view"]["game"]
    assert game["hand"] is None
    assert game["legal"] == []
    late = await connect(own_server, "Late", table=table)
    assert set(cards_in(seen)) <= set().union(*shown_to_all(late.events).values())


async def test_who_may_open_the_socket(own_server: Served) -> None:
    mode = (own_server.data / "admin.sock").stat().st_mode
    assert stat.S_ISSOCK(mode)
    assert stat.S_IMODE(mode) == 0o600


async def test_drain_opens_no_new_tables_and_lets_the_others_go_on(own_server: Served, connect: Connect) -> None:
    people, _ = await started(connect, own_server)
    eve = await connect(own_server, "Eve")
    assert "1 go on" in admin(own_server, "drain").stdout
    assert (await eve.refused("create"))["code"] == "draining"
    await one_action(people)
    admin(own_server, "undrain")
    await eve.create()


async def test_freeze_stops_a_table_until_the_next_start(own_server: Served, connect: Connect) -> None:
    people, table = await started(connect, own_server)
    others, _ = await started(connect, own_server, ("Cid", "Dan"))
    lobby = await connect(own_server, "Eve")
    await lobby.ok("lobby", on=True)
    assert admin(own_server, "freeze", table).returncode == 0
    for person in people:
        assert (await person.hears("detached"))["reason"] == "frozen"
    assert (await people[0].refused("act", action={"act": "take"}, bout=1))["code"] == "not_at_a_table"
    assert (await people[0].refused("join", table=table))["code"] == "frozen"
    await lobby.until(lambda: table not in lobby.lobby)
    await one_action(others)
    assert scrape(own_server)("durak_tables_frozen_total", why="operator") == 1
    assert scrape(own_server)("durak_tables", status="frozen") == 1
    assert "frozen" in admin(own_server, "void", table).stderr
    own_server.restart()
    back = [await connect(own_server, token=person.token, table=table) for person in people]
    await one_action(back)


async def test_void_ends_a_game_without_result(own_server: Served, connect: Connect) -> None:
    people, table = await started(connect, own_server, ("Ann", "Bob", "Cid"), series=True)
    eve = await connect(own_server, "Eve", table=table)
    await one_action([*people, eve])
    assert "without result" in admin(own_server, "void", table).stdout
    for person in (*people, eve):
        await person.until(lambda person=person: person.view and person.view["status"] == "open")
        assert [event["event"] for event in person.events[person.seq or 0]] == ["voided"]
        assert person.view is not None
        assert person.view["game"] is None
        assert {tuple(chair["score"].values()) for chair in person.view["chairs"]} == {(0, 0, 0)}
    assert scrape(own_server)("durak_games_finished_total", preset="classic", result="void") == 1
    done = admin(own_server, "void", table)
    assert done.returncode == 1
    assert done.stderr.startswith("durak admin: not_playing: ")
    own_server.restart()
    back = [await connect(own_server, token=person.token, table=table) for person in people]
    await back[0].ok("start")
    await asyncio.gather(*(person.until(lambda person=person: playing(person)) for person in back))
    await one_action(back)


async def test_everything_is_audited(own_server: Served, connect: Connect) -> None:
    _, table = await started(connect, own_server)
    for arguments in (("drain",), ("void", table), ("void", table), ("freeze", table), ("inspect", table)):
        admin(own_server, *arguments)
    expected = [("drain", "ok", None), ("void", "ok", table), ("void", "not_playing", table), ("freeze", "ok", table)]
    assert own_server.log().count("the operator has acted") == len(expected)
    own_server.restart()
    kept = admin_says(own_server, "audit")
    assert [(done["action"], done["outcome"], done.get("table")) for done in kept] == expected
    assert all(done["at"].endswith("Z") for done in kept)


def test_what_can_not_be_done(own_server: Served, tmp_path: Path) -> None:
    cases = {
        ("inspect", "ABCDEF"): (1, "no_such_table: "),
        ("freeze", "../../x"): (1, "no_such_table: "),
        ("void",): (2, "needs the code of a table"),
        ("list", "ABCDEF"): (2, "is for no single table"),
        ("explode",): (2, "invalid choice"),
    }
    for arguments, (status, words) in cases.items():
        done = admin(own_server, *arguments)
        assert (done.returncode, words in done.stderr) == (status, True), done.stderr
    nowhere = run_durak("admin", "list", "--data", str(tmp_path / "nowhere"))
    assert nowhere.returncode == 1
    assert nowhere.stderr.startswith("durak admin: no_server: ")
    own_server.kill()  # its socket is left behind, and nobody answers
    assert admin(own_server, "list").stderr.startswith("durak admin: no_server: ")


def test_a_path_too_long_for_a_socket(tmp_path: Path) -> None:
    folder = tmp_path / ("x" * 100)
    folder.mkdir()
    with serving(folder) as served:
        assert json.loads(admin(served, "list", "--json").stdout) == []
        assert served.terminate() == 0
        assert not (served.data / "admin.sock").exists()
