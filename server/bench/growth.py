"""How cost grows: with tables, with spectators at one table, with idle connections."""

from typing import Any

from durak.protocol.process.progress import progress
from durak.server.bench import server
from durak.server.bench.processes import BenchError

TABLES = (10, 50, 200, 500, 1_000, 2_000)
SPECTATORS = (0, 50, 200, 500, 1_000)
IDLE = (0, 1_000, 2_500, 5_000)
COLUMNS = ("tables", "spectators", "idle", "actions/s", "CPU ms/s", "us/action", "told p50", "told p99", "KiB/conn", "")


def measure(*, rate: float, seconds: float, processes: int, synchronous: str) -> dict[str, list[dict[str, Any]]]:
    """The three series, each a list of results of `durak bench server` without the bare fan-out."""

    def one(number: int, of: int, **load: int) -> dict[str, Any]:
        progress(f"{number} of {of}")
        result = server.measure(
            **{"tables": 1, "spectators": 0, "idle": 0, **load},
            seats=4,
            rate=rate,
            seconds=seconds,
            processes=min(processes, load.get("tables", 1)),
            synchronous=synchronous,
            bare=False,
        )
        if result["broken"]:
            raise BenchError(f"bench_failed: {result['void']}: {result['failure']}")
        return result

    series: dict[str, list[dict[str, Any]]] = {"tables": [], "spectators": [], "idle": []}
    steps: list[tuple[str, dict[str, int]]] = [
        *(("tables", {"tables": count}) for count in TABLES),
        *(("spectators", {"tables": 1, "spectators": count}) for count in SPECTATORS),
        *(("idle", {"tables": 50, "idle": count}) for count in IDLE),
    ]
    for number, (name, load) in enumerate(steps, 1):
        series[name].append(one(number, len(steps), **load))
    return series


def text_of(series: dict[str, list[dict[str, Any]]]) -> str:
    """The series as a table."""
    lines = ["".join(f"{column:>11}" for column in COLUMNS)]
    for results in series.values():
        for result in results:
            cells = (
                f"{result['tables']}",
                f"{result['spectators']}",
                f"{result['idle']}",
                f"{result['actions_per_s']:.0f}",
                f"{result['cpu_ms_per_s']:.1f}",
                f"{result['cpu_us_per_action']['all']:.0f}",
                f"{result['broadcast_ms']['p50'] or 0:.1f}",
                f"{result['broadcast_ms']['p99'] or 0:.1f}",
                f"{result['kib_per_connection']:.1f}",
                "VOID" if result["void"] else "",
            )
            lines.append("".join(f"{cell:>11}" for cell in cells))
        lines.append("")
    return "\n".join(lines)
