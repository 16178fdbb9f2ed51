"""Bots think in processes that are killed, starved and overloaded, and everybody who asks has an answer in time."""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from durak.bots.bot import BOTS, BadBudget
from durak.bots.host import workers as workers_module
from durak.bots.host.worker import NICENESS, PATIENCE_S
from durak.bots.host.workers import LEAST_THINK_MS, SLACK_S, SPAN_S, NoThought, Workers
from durak.bots.knowing.memory import Memory
from durak.protocol.rules.actions import AnyAction, Lead
from durak.protocol.rules.bits import array
from durak.protocol.rules.game import Game
from durak.protocol.rules.ruleset import PRESETS
from durak.protocol.rules.view import view_of
from tests.bots.planted import BREAKS, CHEATS, EATS, EXITS, HANGS, QUICK, TALKS, THINKS

ROOT = Path(__file__).parents[3]
MOODY = "tests.bots.planted:Moody"

linux = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="finds processes through /proc")


@pytest.fixture(autouse=True)
def importable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers find the planted bot."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


@asynccontextmanager
async def at_work(count: int = 1, think_ms: float = 50, place: str = MOODY) -> AsyncIterator[Workers]:
    """Workers, with all of them started."""
    async with Workers(place, count, think_ms) as workers:
        if place == MOODY:
            await asyncio.gather(*(asks(workers, THINKS, 30) for _ in range(count)))
            assert len(workers_of(os.getpid())) == count
        yield workers


def now() -> float:
    return asyncio.get_running_loop().time()


def asks(workers: Workers, card: str, within_s: float = SPAN_S) -> Awaitable[AnyAction | None]:
    """A seat that may lead this card has a decision to make."""
    game = Game.position(PRESETS["classic"], trump="S", hands=[[card, "AS"], ["7D", "8D"]])
    view = view_of(game, 0)
    memory = Memory(0, PRESETS["classic"])
    memory.restart(view)
    return workers.think(view, memory, 1, now() + within_s)


def workers_of(pid: int) -> set[int]:
    """The worker processes that this process has started."""
    found = set()
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in children.read_text().split():
            try:
                if b"durak.bots.host.worker" in Path(f"/proc/{child}/cmdline").read_bytes():
                    found.add(int(child))
            except OSError:
                continue
    return found


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


async def test_hard_decides_in_a_worker() -> None:
    async with at_work(place=BOTS["hard"]) as workers:
        assert await asks(workers, "6H", within_s=30) in (Lead("6H"), Lead("AS"))
        assert await asks(workers, "6H") in (Lead("6H"), Lead("AS"))
        assert (workers.tally.thoughts, workers.tally.budgets_ms) == (2, 100)


def test_a_memory_is_the_same_in_another_process() -> None:
    memory = Memory(2, PRESETS["classic"])
    for number, sets in enumerate(("known", "barred", "declined", "unbeaten"), 1):
        setattr(memory.public, sets, array([number << seat for seat in range(6)]))
    memory.public.discarded = 1 << 35
    memory.stock, memory.ranks = 12, 5
    there = pickle.loads(pickle.dumps(memory))
    for name in Memory.__slots__:
        if name != "public":
            assert getattr(there, name) == getattr(memory, name)
    for name in ("barred", "declined", "discarded", "known", "unbeaten"):
        ours, theirs = (getattr(public, name) for public in (memory.public, there.public))
        assert theirs == ours if isinstance(ours, int) else list(theirs) == list(ours)
    there.public.drew(1)
    assert memory.public.barred[1] == 4


# ---------------------------------------------------------------- trouble


@linux
async def test_one_that_is_killed_in_the_middle_of_a_thought_is_replaced(caplog: pytest.LogCaptureFixture) -> None:
    async with at_work() as workers:
        (first,) = workers_of(os.getpid())
        thought = asyncio.ensure_future(asks(workers, HANGS, 20))
        waiting = asyncio.ensure_future(asks(workers, QUICK, 20))
        await asyncio.sleep(0.1)
        began = now()
        os.kill(first, signal.SIGKILL)
        with pytest.raises(NoThought, match="worker_killed"):
            await thought
        assert now() - began < 5, "whoever asked is told at once"
        assert await waiting == Lead(QUICK)
        assert workers_of(os.getpid()).isdisjoint({first})
        assert (workers.tally.replaced, workers.tally.without) == (1, 1)
    assert "[worker_killed]" in caplog.text


@linux
async def test_one_that_is_killed_while_it_has_nothing_to_do_is_replaced() -> None:
    async with at_work() as workers:
        os.kill(workers_of(os.getpid()).pop(), signal.SIGKILL)
        with pytest.raises(NoThought):
            await asks(workers, QUICK)
        assert await asks(workers, QUICK, 20) == Lead(QUICK)


@linux
async def test_one_that_hangs_is_killed_and_replaced(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(workers_module, "PATIENCE_S", 0.4)
    async with at_work() as workers:
        (first,) = workers_of(os.getpid())
        began = now()
        with pytest.raises(NoThought, match="too_busy"):
            await asks(workers, HANGS, 0.3)
        assert 0.29 < now() - began < 3, "nobody waits longer than the answer is of use"
        assert await asks(workers, QUICK, 20) == Lead(QUICK)
        assert not is_alive(first)
    assert "[worker_timed_out]" in caplog.text


@pytest.mark.parametrize(
    ("card", "code", "replaced"),
    [
        (EATS, "worker_out_of_memory", 1),
        (EXITS, "worker_failed", 1),
        (BREAKS, "bot_failed", 0),
        (CHEATS, "bot_failed", 0),
    ],
    ids=["eats memory", "exits", "breaks", "cheats"],
)
@linux
async def test_a_bot_that_misbehaves(card: str, code: str, replaced: int, capfd: pytest.CaptureFixture[str]) -> None:
    async with at_work() as workers:
        with pytest.raises(NoThought) as none:
            await asks(workers, card)
        assert none.value.code == code
        assert await asks(workers, QUICK, 20) == Lead(QUICK)
        assert workers.tally.replaced == replaced
    assert "JH" not in capfd.readouterr().err, "an exception may quote a hand"


@linux
async def test_what_a_bot_prints_is_no_answer(capfd: pytest.CaptureFixture[str]) -> None:
    async with at_work() as workers:
        assert await asks(workers, TALKS) == Lead(TALKS)
        assert await asks(workers, QUICK) == Lead(QUICK)


async def test_one_that_cannot_be_started_leaves_the_decision_to_others(caplog: pytest.LogCaptureFixture) -> None:
    async with at_work(place="tests.bots.planted:Nobody") as workers:
        for _ in range(2):
            with pytest.raises(NoThought, match="too_busy"):
                await asks(workers, QUICK, 0.7)
        assert workers.tally.without == 2
    assert caplog.text.count("could not be started [worker_failed]") == 1, "it is not tried again and again"


@pytest.mark.parametrize("nothing", [0, -1, float("nan"), float("inf")])
def test_a_budget_of_nothing_is_refused(nothing: float) -> None:
    with pytest.raises(BadBudget):
        Workers(MOODY, 1, nothing)


# ---------------------------------------------------------------- time


@linux
async def test_no_answer_comes_before_the_budget_is_over_however_early_it_was_found() -> None:
    async with at_work(think_ms=150) as workers:
        for card in (QUICK, THINKS) * 2:
            began = now()
            assert await asks(workers, card) == Lead(card)
            assert now() - began > 0.15 + SLACK_S - 0.005


@linux
async def test_the_more_wait_the_less_each_thinks_and_nobody_waits_in_vain() -> None:
    async with at_work(2, think_ms=200) as workers:
        before = workers.tally.thoughts, workers.tally.budgets_ms
        answers = await asyncio.gather(*(asks(workers, THINKS) for _ in range(50)))
        assert answers == [Lead(THINKS)] * 50
        thoughts, budgets_ms = workers.tally.thoughts - before[0], workers.tally.budgets_ms - before[1]
        assert thoughts == 50
        assert LEAST_THINK_MS < budgets_ms / thoughts < 60
        await asks(workers, THINKS)
        again = workers.tally.budgets_ms - before[1] - budgets_ms
        assert again == pytest.approx(200), "afterwards there is time again"
        assert workers.tally.without == 0


@linux
async def test_what_is_needed_first_is_thought_about_first() -> None:
    async with at_work() as workers:
        order: list[float] = []

        async def needs(within_s: float) -> None:
            await asks(workers, THINKS, within_s)
            order.append(within_s)

        await asyncio.gather(*(needs(within_s) for within_s in (2.0, 4.0, 3.0, 5.0)))
        assert order == [2.0, 3.0, 4.0, 5.0]


@linux
async def test_a_question_that_is_withdrawn_takes_nobodys_time() -> None:
    async with at_work(think_ms=100) as workers:
        before = workers.tally.thoughts
        first = asyncio.ensure_future(asks(workers, THINKS))
        withdrawn = [asyncio.ensure_future(asks(workers, HANGS, 0.5)) for _ in range(20)]
        await asyncio.sleep(0)
        for question in withdrawn:
            question.cancel()
        last = asyncio.ensure_future(asks(workers, THINKS))
        assert [await first, await last] == [Lead(THINKS)] * 2
        assert workers.tally.thoughts - before == 2
        assert workers.tally.without == 0


@linux
async def test_processes_are_started_as_they_are_needed() -> None:
    async with Workers(MOODY, 3, 20) as workers:
        assert workers_of(os.getpid()) == set()
        for _ in range(5):
            await asks(workers, QUICK, 30)
        assert len(workers_of(os.getpid())) == 1
        await asyncio.gather(*(asks(workers, THINKS, 30) for _ in range(20)))
        assert len(workers_of(os.getpid())) == 3


@linux
async def test_the_operator_is_told_of_shallow_thoughts_now_and_then(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(workers_module, "TELL_EVERY_S", 0.3)
    async with at_work(think_ms=50) as workers:
        began = now()
        for _ in range(10):
            await asks(workers, THINKS)
        assert "busy" not in caplog.text, "that is no load"
        for _ in range(2):
            await asyncio.gather(*(asks(workers, THINKS) for _ in range(60)))
        await asyncio.sleep(0.3)
        await asks(workers, QUICK)
        lines = [record.getMessage() for record in caplog.records]
        assert 1 <= len(lines) <= (now() - began) / 0.3, "and not of every thought"
    assert all(line.startswith("busy: ") and "ms instead of 50; " in line for line in lines)


# ---------------------------------------------------------------- the end


@linux
async def test_none_is_left_at_the_end() -> None:
    async with at_work(2) as workers:
        hanging = asyncio.ensure_future(asks(workers, HANGS))
        await asyncio.sleep(0.1)
        pids = workers_of(os.getpid())
        began = time.monotonic()
    assert time.monotonic() - began < 1
    assert not any(is_alive(pid) for pid in pids)
    hanging.cancel()
    await asyncio.gather(hanging, return_exceptions=True)


HOST = """
import asyncio
from tests.bots.host.test_workers import *

async def main():
    async with Workers(MOODY, 2, 50) as workers:
        await asks(workers, QUICK, 30)
        print("thinking", flush=True)
        await asyncio.gather(*(asks(workers, card, 60) for card in (HANGS, THINKS, HANGS)))

asyncio.run(main())
"""


@linux
def test_none_is_left_when_its_host_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", HOST], stdout=subprocess.PIPE, text=True, cwd=ROOT) as host:
        assert host.stdout is not None
        assert host.stdout.readline() == "thinking\n"
        deadline = time.monotonic() + 10
        while len(pids := workers_of(host.pid)) < 2:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        time.sleep(0.3)
        host.kill()
    deadline = time.monotonic() + PATIENCE_S + 3
    while any(is_alive(pid) for pid in pids):
        assert time.monotonic() < deadline, "a worker has outlived its host"
        time.sleep(0.05)


@linux
async def test_a_worker_knows_no_token_and_gives_way_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DURAK_HOST_TOKEN", "secret")
    async with at_work():
        (pid,) = workers_of(os.getpid())
        assert b"DURAK_HOST_TOKEN" not in Path(f"/proc/{pid}/environ").read_bytes()
        assert os.getpriority(os.PRIO_PROCESS, pid) == min(19, os.getpriority(os.PRIO_PROCESS, 0) + NICENESS)
        group = Path(f"/proc/{pid}/autogroup")
        if os.access("/proc/self/autogroup", os.W_OK):
            assert group.read_text().endswith(f"nice {NICENESS}\n")
            assert group.read_text() != Path("/proc/self/autogroup").read_text()
