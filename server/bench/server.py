"""CPU of one action of a running server, beside a bare fan-out of frames of the same sizes in the same run."""

import json
import subprocess
from typing import Any

from durak.server.bench import stages
from durak.server.bench.load import SEATS
from durak.server.bench.processes import cpu_seconds, first_address, running, serving
from durak.server.bench.progress import progress

REPLY_BYTES = 25
"""About the size of an `ok`."""


def under_load(process: "subprocess.Popen[str]", url: str, tables: int, rate: float, seconds: float, *sizes: int) -> dict[str, Any]:
    """Let people play for so long; returns what they did and the CPU seconds it cost the server."""
    arguments = [url, str(tables), str(rate), str(seconds), *map(str, sizes)]
    with running("-m", "durak.server.bench.load", *arguments) as load:
        assert load.stdout is not None
        load.stdout.readline()
        before = cpu_seconds(process.pid)
        did: dict[str, Any] = json.loads(load.stdout.readline())
        did["cpu_s"] = cpu_seconds(process.pid) - before
    return did


def measure(tables: int, rate: float, seconds: float) -> dict[str, Any]:
    """Microseconds of CPU an action, of both, and their ratio."""
    progress(f"server: {tables} tables of four play {seconds:.0f} s at {rate} actions a second each")
    with serving() as (process, url):
        durak = under_load(process, url, tables, rate, seconds)
    updates = max(1, durak["updates"])
    update_bytes = (durak["received"] - REPLY_BYTES * (durak["frames"] - updates)) // updates
    progress("server: the same bytes through a bare fan-out")
    with running("-m", "durak.server.bench.fanout", str(REPLY_BYTES), str(update_bytes)) as bare:
        command_bytes = durak["sent"] // max(1, durak["commands"])
        fan = under_load(bare, first_address(bare), tables, rate, seconds, command_bytes, REPLY_BYTES, update_bytes)
    progress("")
    durak_us, fan_us = (run["cpu_s"] / max(1, run["updates"] / SEATS) * 1e6 for run in (durak, fan))
    return {
        "tables": tables,
        "connections": tables * SEATS,
        "actions_per_s": updates / SEATS / seconds,
        "commands_per_s": durak["commands"] / seconds,
        "update_bytes": update_bytes,
        "server_us_per_action": durak_us,
        "bare_fan_out_us_per_action": fan_us,
        "ratio": durak_us / fan_us,
        "broken_tables": durak["broken"],
        "stages_us_per_action": stages.measure(min(seconds, 5.0))["us_per_action"],
    }
