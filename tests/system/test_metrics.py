"""Each metric moves when its cause happens, at a real server; /readyz tells what is wrong."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.system.client import Client, fetch
from tests.system.conftest import Connect
from tests.system.operating import Scrape, admin, another_writes, becomes_ready, reaches, readiness, scrape
from tests.system.serving import Served, serving
from tests.system.tables import one_action, play_out, started
from tests.system.test_audience import stuffed


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server for developers that shows its metrics."""
    with serving(tmp_path_factory.mktemp("serve"), "--dev", "--metrics") as served:
        yield served


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Served]:
    """A server whose numbers nobody else moves."""
    with serving(tmp_path, "--dev", "--metrics") as served:
        yield served


def test_metrics_are_closed_unless_asked_for(own_server: Served) -> None:
    assert fetch(f"{own_server.url}/metrics")[0] == 404
    done = admin(own_server, "metrics")
    assert Scrape(done.stdout)("durak_tables", status="open") == 0
    assert "durak_action_ack_seconds_bucket" in done.stdout


async def test_an_action_is_measured(server: Served, connect: Connect) -> None:
    people, _ = await started(connect, server)
    before = scrape(server)
    for _ in range(3):
        await one_action(people)
    after = scrape(server)
    for name in ("action_ack_seconds", "action_broadcast_seconds", "append_seconds", "append_entries"):
        assert after(f"durak_{name}_count") >= before(f"durak_{name}_count") + 3, name
        assert after(f"durak_{name}_sum") > before(f"durak_{name}_sum"), name
    assert after("durak_commits_total") > before("durak_commits_total")
    assert after("durak_action_broadcast_seconds_sum") >= after("durak_action_ack_seconds_sum")


async def test_tables_connections_and_watchers_are_counted(own: Served, connect: Connect) -> None:
    people, table = await started(connect, own)
    await (await connect(own, "Cid")).create()
    await connect(own, "Eve", table=table)
    now = scrape(own)
    assert [now("durak_tables", status=status) for status in ("open", "playing", "finished", "frozen")] == [1, 1, 0, 0]
    assert now("durak_connections", kind="person") == 4
    assert now("durak_watchers") == 1
    await people[0].drop()
    while scrape(own)("durak_connections", kind="person") != 3:
        await asyncio.sleep(0.05)


async def test_a_refusal_and_a_repeated_command_are_counted(server: Served, connect: Connect) -> None:
    people, _ = await started(connect, server)
    before = scrape(server)
    await people[0].refused("start")
    await people[1].refused("dismiss", chair=0)
    await people[0].ok("auto_pass", on=True, cid="twice")
    await people[0].ok("auto_pass", on=True, cid="twice")
    after = scrape(server)
    assert after("durak_refusals_total", code="already_playing") == before("durak_refusals_total", code="already_playing") + 1
    assert after("durak_refusals_total", code="not_host") == before("durak_refusals_total", code="not_host") + 1
    assert after("durak_duplicate_commands_total") == before("durak_duplicate_commands_total") + 1


async def test_resumes_and_takeovers_are_counted(server: Served, connect: Connect) -> None:
    people, table = await started(connect, server)
    before = scrape(server)
    await connect(server, token=people[0].token, table=table, seq=people[0].seq)
    await connect(server, token=people[1].token, table=table, seq=10_000)
    after = scrape(server)
    for kind in ("events", "snapshot"):
        assert after("durak_resumes_total", kind=kind) == before("durak_resumes_total", kind=kind) + 1
    assert after("durak_takeovers_total") == before("durak_takeovers_total") + 2


async def test_a_slow_reader_is_counted(server: Served, connect: Connect) -> None:
    _, table = await started(connect, server)
    eve = await connect(server, "Eve")
    before = scrape(server)("durak_slow_closes_total")
    slow = await stuffed(server, eve.token, table)
    reaches(server, before + 1, "durak_slow_closes_total")
    slow.transport.abort()


async def test_what_comes_too_fast_is_counted(tmp_path: Path) -> None:
    with serving(tmp_path, "--metrics") as limited:
        client = await Client.open(limited.url)
        for number in range(100):
            await client.send({"t": "lobby", "cid": f"{number}", "on": False})
        await client.until(lambda: len(client.answers) == 100)
        refused = [answer for answer in client.answers.values() if answer["t"] == "error"]
        for _ in range(40):
            await asyncio.to_thread(fetch, f"{limited.url}/api/guest", json.dumps({"name": "Ann"}).encode())
        now = scrape(limited)
        assert now("durak_rate_limited_total", what="frame") == len(refused) > 0
        assert now("durak_refusals_total", code="rate_limited") == len(refused)
        assert now("durak_rate_limited_total", what="guest") > 0
        await client.close()


async def test_a_finished_game_and_the_timers_of_its_table_are_counted(server: Served, connect: Connect) -> None:
    people, _ = await started(connect, server, close_ms=20)
    before = scrape(server)
    await play_out(people, seed=3)
    await people[0].until(lambda: people[0].view and people[0].view["status"] == "finished")
    result = people[0].game["result"]
    how = "draw" if result["draw"] else "durak"
    labels = {"preset": "classic", "result": how}
    after = scrape(server)
    assert after("durak_games_finished_total", **labels) == before("durak_games_finished_total", **labels) + 1
    assert after("durak_timer_late_seconds_count") > before("durak_timer_late_seconds_count")


async def test_seats_of_bots_are_counted(own: Served, connect: Connect) -> None:
    host = await connect(own, token=(own.data / "host-token").read_text().strip())
    await host.ok("host", levels=["easy"], capacity=1)
    ann = await connect(own)
    await ann.create(bots=["easy"])
    offer = await host.hears("seat")
    states = ("waiting", "offered", "playing")
    assert [scrape(own)("durak_bot_seats", state=state) for state in states] == [0, 1, 0]
    bot = await connect(own, token=offer["token"], table=offer["table"])
    now = scrape(own)
    assert [now("durak_bot_seats", state=state) for state in states] == [0, 0, 1]
    assert now("durak_bot_seat_wait_seconds_count") == 1
    assert [now("durak_connections", kind=kind) for kind in ("person", "bot", "host")] == [1, 1, 1]
    await host.drop()
    await bot.drop()
    people, _ = await started(connect, own, ("Bea", "Cid", "Dan"))
    await people[2].ok("leave")
    reaches(own, 1, "durak_bot_seats", state="waiting")


@pytest.mark.timeout(120)
async def test_a_recovery_is_measured(own: Served, connect: Connect) -> None:
    assert scrape(own)("durak_recovered_tables") == 0
    await started(connect, own)
    own.restart()
    now = scrape(own)
    assert now("durak_recovered_tables") == 1
    assert 0 < now("durak_recovery_seconds") < 10


async def test_a_conflict_in_the_journal_and_the_table_it_freezes_are_counted(tmp_path: Path, connect: Connect) -> None:
    served = Served(tmp_path, "--dev", "--metrics", "--log-format", "json")
    served.start()
    try:
        people, table = await started(connect, served)
        another_writes(served, table)
        answer = await people[0].ask("auto_pass", on=True)
        assert (answer["code"], answer["params"]["reason"]) == ("not_saved", "sequence_conflict")
        assert (await people[0].hears("detached"))["reason"] == "frozen"
        now = scrape(served)
        assert now("durak_append_failures_total", code="sequence_conflict") == 1
        assert now("durak_tables_frozen_total", why="journal") == 1
        assert [now("durak_tables", status=status) for status in ("playing", "frozen")] == [0, 1]
        lines = [json.loads(line) for line in served.log().splitlines()]
        failed = next(line for line in lines if line["message"].startswith("append failed"))
        assert (failed["level"], failed["table"], failed["code"]) == ("ERROR", table, "sequence_conflict")
        assert failed["seq"] >= 1
    finally:
        served.end()


# ---------------------------------------------------------------- readiness


def test_a_server_that_is_all_right_is_ready(server: Served) -> None:
    assert becomes_ready(server) == {"store": None, "loop": None, "staying": None, "tables": None}
    assert fetch(f"{server.url}/livez") == (200, b'{"status": "ok"}')


def test_a_server_whose_files_are_gone_is_not_ready(own: Served) -> None:
    (own.data / "durak.db").unlink()
    status, reasons = readiness(own)
    assert (status, reasons["store"]) == (503, "data_gone")
    assert fetch(f"{own.url}/livez")[0] == 200


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="stops the process for a moment")
def test_a_server_whose_loop_lags_is_not_ready_for_a_while(own: Served) -> None:
    before = scrape(own)
    os.kill(own.pid, signal.SIGSTOP)
    time.sleep(2.5)
    os.kill(own.pid, signal.SIGCONT)
    status, reasons = readiness(own)
    assert status == 503
    assert str(reasons["loop"]).startswith("lagging: ")
    after = scrape(own)
    assert after("durak_loop_lag_seconds_sum") >= before("durak_loop_lag_seconds_sum") + 1
    becomes_ready(own)


def test_a_draining_server_is_not_ready(own: Served) -> None:
    assert admin(own, "drain").returncode == 0
    status, reasons = readiness(own)
    assert (status, str(reasons["staying"])[:10]) == (503, "draining: ")
    assert admin(own, "undrain").returncode == 0
    becomes_ready(own)


def test_a_store_that_does_not_answer_is_not_ready(own: Served) -> None:
    hold = "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.execute('BEGIN IMMEDIATE'); print('held', flush=True); input()"
    command = (sys.executable, "-c", hold, str(own.data / "durak.db"))
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        status, reasons = readiness(own)
        holder.communicate()
    assert (status, reasons["store"]) == (503, "store_silent: no answer within 2 s")
