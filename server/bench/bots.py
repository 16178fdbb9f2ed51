"""Tables full of bots that think on every core, and people at other tables: what these notice, how deeply the bots think.

Nobody has a core of its own here: server, host, workers and people share all of them, as on a machine of an operator's.
"""

import asyncio
import os
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any, NamedTuple

import aiohttp
import msgspec
from prometheus_client.parser import text_string_to_metric_families

from durak.bots.host.workers import cores
from durak.protocol.messages import Level
from durak.protocol.process.progress import progress
from durak.server.bench.hosting import HostPlan, Told
from durak.server.bench.load import Brief, Plan, encode
from durak.server.bench.processes import BenchError, cpu_by_thread, running, serving
from durak.server.bench.server import line_of, percentiles, under_load

PEOPLE_TABLES = 20
PEOPLE_SEATS = 4
PEOPLE_RATE = 0.5
SEATED_WITHIN_S = 60.0


def measure(*, tables: int, seats: int, level: Level, workers: int | None, think_ms: float, seconds: float) -> dict[str, Any]:
    """Everything about one load of bots, as the JSON that `durak bench bots --json` prints."""
    workers = workers or cores()
    everywhere = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else {0}
    busy_before = os.getloadavg()[0]
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(f"{folder}/data", "--max-connections", "1000000", "--metrics") as (process, url),
    ):
        token = Path(folder, "data", "host-token").read_text().strip()
        hosted = HostPlan(url, token, level, tables * seats, workers, think_ms)
        with running("-m", "durak.server.bench.hosting", msgspec.json.encode(hosted).decode()) as host:
            asyncio.run(create_tables(url, tables, [level] * seats))
            wait_until_seated(host, tables * seats)
            watch = Watch(host, url)
            plan = Plan(url, PEOPLE_TABLES, PEOPLE_SEATS, PEOPLE_RATE, seconds, seed=1)
            people = under_load(process, "people beside bots", plan, 1, everywhere, watch.mark)
    return {
        "tables": tables,
        "seats": seats,
        "level": level,
        "workers": workers,
        "think_ms": think_ms,
        "seconds": seconds,
        "cores": len(everywhere),
        "load_average_before": busy_before,
        "people_actions_per_s": people.heard.actions / seconds,
        "broken": people.heard.broken,
        "ack_ms": percentiles(people.heard.ack_us),
        "broadcast_ms": percentiles(people.heard.broadcast_us),
        "late_ms": percentiles(people.heard.late_us),
        "fsync_ms": percentiles(people.fsync_us),
        "server_cores": sum(people.cpu_s.values()) / seconds,
        **watch.between(),
    }


async def create_tables(url: str, tables: int, bots: list[Level]) -> None:
    """So many tables of these bots, which begin at once. Raises `BenchError`."""
    command = {"t": "create", "bots": bots, "sit": False, "private": True, "options": {"max_players": len(bots)}}
    async with aiohttp.ClientSession() as session:
        async with session.post(f"{url}/api/guest", json={"name": "Load"}) as response:
            token = (await response.json())["token"]
        async with session.ws_connect(f"{url}/ws", protocols=["durak.v1.msgpack"]) as socket:
            await socket.send_bytes(encode({"t": "hello", "token": token}))
            deadline, made = time.monotonic() + SEATED_WITHIN_S, 0
            while made < tables:
                await socket.send_bytes(encode({**command, "cid": f"c{made}-{time.monotonic()}"}))
                while not (answer := msgspec.msgpack.decode(await socket.receive_bytes(), type=Brief)).cid:
                    pass
                if answer.t == "ok":
                    made += 1
                    progress(f"{made} of {tables} tables of bots")
                elif time.monotonic() > deadline:
                    raise BenchError("no_bots: the bot host has not come; what it said is above")
                else:
                    await asyncio.sleep(0.1)


def wait_until_seated(host: "subprocess.Popen[str]", seats: int) -> None:
    """Until the host plays all seats. Raises `BenchError`."""
    deadline = time.monotonic() + SEATED_WITHIN_S
    while (seated := told_by(host).seats) < seats:
        if time.monotonic() > deadline:
            raise BenchError(f"bots_missing: {seated} of {seats} bots have come to their seats")
        progress(f"{seated} of {seats} bots seated")
        time.sleep(0.2)


def told_by(host: "subprocess.Popen[str]") -> Told:
    """What the host has done so far. Raises `BenchError` when it has ended."""
    assert host.stdin is not None
    try:
        host.stdin.write("tell\n")
        host.stdin.flush()
    except BrokenPipeError:
        pass
    return msgspec.json.decode(line_of(host), type=Told)


class Mark(NamedTuple):
    """What had been done at a moment; CPU in seconds."""

    at: float
    told: Told
    host_cpu_s: float
    workers_cpu_s: float
    broadcasts: dict[float, float]


class Watch:
    """Notes what the bots have done, at both ends of the measured time."""

    def __init__(self, host: "subprocess.Popen[str]", url: str) -> None:
        self._host = host
        self._url = url
        self._marks: list[Mark] = []

    def mark(self) -> None:
        """Note it."""
        workers_cpu_s = sum(sum(cpu_by_thread(worker).values()) for worker in children_of(self._host.pid))
        host_cpu_s = sum(cpu_by_thread(self._host.pid).values())
        told, sent = told_by(self._host), broadcasts(self._url)
        self._marks.append(Mark(time.monotonic(), told, host_cpu_s, workers_cpu_s, sent))

    def between(self) -> dict[str, Any]:
        """What was done between the two."""
        before, after = self._marks
        length, thoughts = after.at - before.at, after.told.thoughts - before.told.thoughts
        counts = {bound: count - before.broadcasts[bound] for bound, count in after.broadcasts.items()}
        spare_ms = sorted(after.told.spare_ms)
        return {
            "all_actions_per_s": max(counts.values()) / length,
            "arrival_to_broadcast_ms": {"p50": quantile(counts, 0.5), "p99": quantile(counts, 0.99)},
            "thoughts_per_s": thoughts / length,
            "mean_budget_ms": (after.told.budgets_ms - before.told.budgets_ms) / thoughts if thoughts else None,
            "without": after.told.without - before.told.without,
            "replaced": after.told.replaced - before.told.replaced,
            "spare_ms": {"p50": spare_ms[len(spare_ms) // 2], "p01": spare_ms[len(spare_ms) // 100]} if spare_ms else {},
            "host_cores": (after.host_cpu_s - before.host_cpu_s) / length,
            "workers_cores": (after.workers_cpu_s - before.workers_cpu_s) / length,
        }


def children_of(pid: int) -> list[int]:
    """The processes that this one has started and that still run."""
    return [int(child) for task in Path(f"/proc/{pid}/task").glob("*/children") for child in task.read_text().split()]


def broadcasts(url: str) -> dict[float, float]:
    """How many actions, of bots too, were on their way to all viewers within so many seconds of their arrival, up to each bound."""
    with urllib.request.urlopen(f"{url}/metrics") as response:
        families = text_string_to_metric_families(response.read().decode())
    return {
        float(sample.labels["le"]): sample.value
        for family in families
        for sample in family.samples
        if sample.name == "durak_action_broadcast_seconds_bucket"
    }


def quantile(counts: dict[float, float], share: float) -> float | None:
    """In milliseconds, as Prometheus guesses it: evenly within the bin."""
    wanted, low, below = share * max(counts.values()), 0.0, 0.0
    for bound, count in sorted(counts.items()):
        if count >= wanted and count > below:
            return 1e3 * (low if bound == float("inf") else low + (bound - low) * (wanted - below) / (count - below))
        low, below = bound, count
    return None


TIMES = {
    "broadcast_ms": "a person's action to last update",
    "late_ms": "  of it: sent late by the load",
    "arrival_to_broadcast_ms": "all actions, inside the server",
    "fsync_ms": "the disk's fsync",
}


def text_of(result: dict[str, Any]) -> str:
    """The numbers for a person."""

    def shown(value: float | None) -> str:
        return "-" if value is None else f"{value:.1f}"

    spare = result["spare_ms"]
    lines = [
        f"{result['tables']} tables of {result['seats']} {result['level']} bots, {result['workers']} workers on "
        f"{result['cores']} cores, {result['seconds']:.0f} s; load average before: {result['load_average_before']:.1f}",
        f"{result['all_actions_per_s']:.0f} actions/s, {result['people_actions_per_s']:.0f} of them by people at their own tables",
        "",
        f"{'milliseconds':34}{'p50':>9}{'p99':>9}{'max':>9}",
    ]
    for key, name in TIMES.items():
        lines.append(f"{name:34}" + "".join(f"{shown(result[key].get(column)):>9}" for column in ("p50", "p99", "max")))
    lines += [
        "",
        f"thoughts: {result['thoughts_per_s']:.0f} a second of {shown(result['mean_budget_ms'])} ms on average, "
        f"up to {result['think_ms']:.0f}",
        f"missed: {result['without']} left to another bot; {result['replaced']} workers replaced",
        f"answers before they were due: {shown(spare.get('p50'))} ms at the median, {shown(spare.get('p01'))} ms or less in 1 %",
        "CPU, in cores: " + ", ".join(f"{who} {result[f'{who}_cores']:.2f}" for who in ("server", "host", "workers")),
    ]
    if result["broken"]:
        lines.append(f"VOID: {result['broken']} connections or tables of the load have failed")
    return "\n".join(lines)
