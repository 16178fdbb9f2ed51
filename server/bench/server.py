"""A running server under load: latencies, CPU of an action, memory of a connection; beside a bare fan-out of the same bytes.

The server has a core of its own where there are several; the people come from processes on the others.
"""

import contextlib
import os
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec

from durak.protocol.process.progress import progress
from durak.server.bench import stages
from durak.server.bench.load import AFTERWARDS_S, WARM_UP_S, Heard, Plan, added
from durak.server.bench.processes import (
    BenchError,
    cores_for_server_and_load,
    cpu_by_thread,
    first_address,
    resident_bytes,
    running,
    serving,
    started_on,
)

REPLY_BYTES = 25
"""About the size of an `ok`."""
LATE_US = 5_000
"""A load whose own actions come later than this, one in a hundred, measures itself and not the server."""
FSYNC_EVERY_S = 0.1
FSYNC_BYTES = 4096


@dataclass(frozen=True)
class Measured:
    """What one server did under load."""

    heard: Heard
    cpu_s: dict[str, float]
    """By thread."""
    resident: tuple[int, int]
    """Bytes before anybody came, and after the load."""
    fsync_us: list[int]


def measure(
    *,
    tables: int,
    seats: int,
    rate: float,
    seconds: float,
    processes: int,
    spectators: int,
    idle: int,
    synchronous: str,
    bare: bool = True,
) -> dict[str, Any]:
    """Everything about one load, as the JSON that `durak bench server --json` prints."""
    plan = Plan("", tables, seats, rate, seconds, seed=1, spectators=spectators, idle=idle)
    ours, theirs = cores_for_server_and_load()
    with started_on(ours), serving(None, "--synchronous", synchronous, "--max-connections", "1000000") as (process, url):
        durak = under_load(process, "server", msgspec.structs.replace(plan, url=url), processes, theirs)
    connections = tables * seats + spectators + idle
    heard = durak.heard
    result: dict[str, Any] = {
        "tables": tables,
        "connections": connections,
        "spectators": spectators,
        "idle": idle,
        "load_processes": processes,
        "server_cores": len(ours),
        "synchronous": synchronous,
        "seconds": seconds,
        "actions_per_s": heard.actions / seconds,
        "refused_per_s": heard.refused / seconds,
        "unanswered": heard.unanswered,
        "broken": heard.broken,
        "failure": heard.failure,
        "ack_ms": percentiles(heard.ack_us),
        "broadcast_ms": percentiles(heard.broadcast_us),
        "fsync_ms": percentiles(durak.fsync_us),
        "late_ms": percentiles(heard.late_us),
        "update_bytes": heard.update_bytes / max(1, heard.updates),
        "kib_per_connection": (durak.resident[1] - durak.resident[0]) / 1024 / max(1, connections),
        "cpu_ms_per_s": sum(durak.cpu_s.values()) / seconds * 1e3,
        "cpu_us_per_action": per_action(durak),
    }
    if bare and heard.actions:
        result |= beside_a_bare_fan_out(plan, durak, processes, ours, theirs)
        result["stages_us"] = stages.measure(min(seconds, 4.0))["us_per_action"]
    result["void"] = why_void(result)
    return result


def beside_a_bare_fan_out(plan: Plan, durak: Measured, processes: int, ours: set[int], theirs: set[int]) -> dict[str, Any]:
    """The same load of the same bytes through a fan-out without game and store."""
    heard = durak.heard
    commands = heard.actions + heard.refused
    update_bytes = heard.update_bytes // max(1, heard.updates)
    sizes = (heard.sent_bytes // max(1, commands), REPLY_BYTES, update_bytes)
    rate = heard.actions / plan.seconds / (plan.tables * plan.seats)
    same = msgspec.structs.replace(plan, sizes=sizes, spectators=0, idle=0, rate=rate)
    with started_on(ours), running("-m", "durak.server.bench.fanout", str(REPLY_BYTES), str(update_bytes)) as process:
        url = first_address(process)
        bare = under_load(process, "bare fan-out", msgspec.structs.replace(same, url=url), processes, theirs)
    ratio = per_action(durak)["all"] / per_action(bare)["all"]
    return {"bare_us_per_action": per_action(bare)["all"], "bare_ack_ms": percentiles(bare.heard.ack_us), "ratio": ratio}


def under_load(
    process: "subprocess.Popen[str]",
    what: str,
    plan: Plan,
    processes: int,
    cores: set[int],
    mark: Callable[[], None] = lambda: None,
) -> Measured:
    """Let people come and play; returns what they heard and what it cost. Raises `BenchError` if they can't.

    `mark` is called when the measured time begins and when it ends.
    """
    before = resident_bytes(process.pid)
    with contextlib.ExitStack() as stack:
        with started_on(cores):
            loads = [
                stack.enter_context(running("-m", "durak.server.bench.load", msgspec.json.encode(part).decode()))
                for part in shares(plan, processes)
            ]
        wait_until_connected(loads, what, plan)
        for load in loads:
            assert load.stdin is not None
            load.stdin.write("go\n")
            load.stdin.flush()
        fsync = FsyncProbe()
        wait(WARM_UP_S, f"{what}: warming up", fsync)
        fsync.samples.clear()
        mark()
        began, at = cpu_by_thread(process.pid), time.monotonic()
        wait(plan.seconds, f"{what}: {plan.seconds:.0f} s of play", fsync)
        ended, length = cpu_by_thread(process.pid), time.monotonic() - at
        mark()
        wait(AFTERWARDS_S, f"{what}: adding up", fsync)
        heard = [msgspec.json.decode(line_of(load), type=Heard) for load in loads]
        after = resident_bytes(process.pid)
    progress("")
    spent = {name: (value - began.get(name, 0.0)) * plan.seconds / length for name, value in ended.items()}
    return Measured(added(heard), spent, (before, after), fsync.samples)


def shares(plan: Plan, processes: int) -> list[Plan]:
    """The plan of each process."""
    parts = []
    for number in range(processes):
        tables, idle = (total // processes + (number < total % processes) for total in (plan.tables, plan.idle))
        spectators = plan.spectators if number == 0 else 0
        parts.append(msgspec.structs.replace(plan, tables=tables, idle=idle, spectators=spectators, seed=number + 1))
    return parts


def wait_until_connected(loads: "list[subprocess.Popen[str]]", what: str, plan: Plan) -> None:
    """Follow the processes until all their people sit. Raises `BenchError`."""
    connected, wanted = 0, plan.tables * plan.seats + plan.idle
    for load in loads:
        while True:
            told = msgspec.json.decode(line_of(load))
            if "ready" in told:
                break
            connected += told["connected"]
            progress(f"{what}: {connected} of {wanted} connected")


def line_of(load: "subprocess.Popen[str]") -> str:
    """The next line of a process. Raises `BenchError` when it has ended."""
    assert load.stdout is not None
    line = load.stdout.readline()
    if not line:
        raise BenchError("a process of the load has failed; what it said is above. Fewer connections, or a higher 'ulimit -n'?")
    return line


class FsyncProbe:
    """How long the disk of the server takes to write a page, as samples in microseconds while the server runs."""

    def __init__(self) -> None:
        self.samples: list[int] = []

    def sample(self, file: int) -> None:
        """Write a page and wait until it is on disk."""
        began = time.perf_counter()
        os.pwrite(file, b"\0" * FSYNC_BYTES, 0)
        os.fsync(file)
        self.samples.append(round((time.perf_counter() - began) * 1e6))


def wait(seconds: float, text: str, probe: FsyncProbe) -> None:
    """Wait, with a bar and a look at the disk ten times a second."""
    end = time.monotonic() + seconds
    with tempfile.TemporaryFile() as file:
        while (left := end - time.monotonic()) > 0:
            progress(text, 1 - left / seconds)
            probe.sample(file.fileno())
            time.sleep(min(FSYNC_EVERY_S, max(0.0, end - time.monotonic())))


def per_action(measured: Measured) -> dict[str, float]:
    """Microseconds of CPU an accepted action, by thread and in all."""
    actions = max(1, measured.heard.actions)
    by_thread = {name: spent / actions * 1e6 for name, spent in measured.cpu_s.items() if spent / actions > 5e-7}
    return {"all": sum(measured.cpu_s.values()) / actions * 1e6, **by_thread}


def percentiles(samples_us: list[int]) -> dict[str, float | None]:
    """Milliseconds; null without samples."""
    ordered = sorted(samples_us)

    def at(share: float) -> float | None:
        return None if not ordered else ordered[min(len(ordered) - 1, int(share * len(ordered)))] / 1e3

    return {"p50": at(0.5), "p95": at(0.95), "p99": at(0.99), "max": at(1.0)}


def why_void(result: dict[str, Any]) -> str | None:
    """Why nothing should be concluded from a run; `None` if something may."""
    late = result["late_ms"]["p99"]
    if result["broken"]:
        return f"{result['broken']} connections or tables of the load have failed"
    if late is not None and late * 1e3 > LATE_US:
        return f"one action in a hundred was sent over {LATE_US // 1000} ms late: the load, not the server, was too slow"
    return None
