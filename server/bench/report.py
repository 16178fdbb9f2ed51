"""What a measurement of the server looks like: a table for people and, with matplotlib, a plot."""

from pathlib import Path
from typing import Any

from durak.server.bench.processes import BenchError

LATENCIES = {"ack_ms": "action to ok", "broadcast_ms": "action to last update", "bare_ack_ms": "bare fan-out, to reply"}
OTHER_TIMES = {"fsync_ms": "the disk's fsync", "late_ms": "sent late by the load"}
SERIES = {"tables": "tables of four", "spectators": "spectators at one table", "idle": "idle connections beside the tables"}
COLUMNS = ("p50", "p95", "p99", "max")


def text_of(result: dict[str, Any]) -> str:
    """The numbers of `durak bench server` as a table."""
    lines = [
        f"{result['tables']} tables, {result['connections']} connections, synchronous {result['synchronous']}, "
        f"{result['load_processes']} load processes, {result['seconds']:.0f} s",
        f"{result['actions_per_s']:,.0f} actions/s accepted, {result['refused_per_s']:,.1f} refused, "
        f"{result['unanswered']} unanswered",
        "",
        f"{'milliseconds':24}" + "".join(f"{column:>9}" for column in COLUMNS),
    ]
    for key, name in (LATENCIES | OTHER_TIMES).items():
        if key in result:
            shown = ("-" if result[key][column] is None else f"{result[key][column]:.2f}" for column in COLUMNS)
            lines.append(f"{name:24}" + "".join(f"{cell:>9}" for cell in shown))
    lines += ["", f"{'CPU, us an action':24}{result['cpu_us_per_action']['all']:>9.0f}"]
    lines += [f"  {name:22}{value:>9.0f}" for name, value in result["cpu_us_per_action"].items() if name != "all"]
    if "ratio" in result:
        lines.append(f"{'bare fan-out':24}{result['bare_us_per_action']:>9.0f}")
        lines.append(f"{'ratio':24}{result['ratio']:>9.2f}")
        lines += ["", "inside an action, without sockets (us):"]
        lines += [f"  {stage:22}{value:>9.1f}" for stage, value in result["stages_us"].items()]
    lines += ["", f"memory: {result['kib_per_connection']:.1f} KiB a connection; updates of {result['update_bytes']:.0f} bytes"]
    if result["void"]:
        lines += ["", f"VOID: {result['void']}"]
    return "\n".join(lines)


def plot(result: dict[str, Any], path: Path) -> None:
    """Latencies by percentile, and what an action costs beside the bare fan-out. Raises `BenchError`."""
    figure, (left, right) = panels(2)
    for key, name in (LATENCIES | {"fsync_ms": OTHER_TIMES["fsync_ms"]}).items():
        if result.get(key, {}).get("p50") is not None:
            left.plot(COLUMNS, [result[key][column] for column in COLUMNS], marker="o", label=name)
    left.set_yscale("log")
    left.set_ylabel("milliseconds")
    left.set_title(f"{result['connections']} connections, {result['actions_per_s']:,.0f} actions/s")
    left.legend()
    base = 0.0
    for name, value in result["cpu_us_per_action"].items():
        if name != "all":
            right.bar("Durak", value, bottom=base, label=name)
            base += value
    if "bare_us_per_action" in result:
        right.bar("bare fan-out", result["bare_us_per_action"], color="grey")
    right.set_ylabel("CPU, microseconds an action")
    right.set_title("CPU by thread" + (f", ratio {result['ratio']:.2f}" if "ratio" in result else ""))
    right.legend()
    save(figure, path)


def plot_growth(series: dict[str, list[dict[str, Any]]], path: Path) -> None:
    """How cost grows, one panel a series. Raises `BenchError`."""
    figure, axes = panels(len(series))
    for axis, (name, results) in zip(axes, series.items(), strict=True):
        across = [result[name] for result in results]
        axis.plot(across, [result["cpu_ms_per_s"] / 10 for result in results], marker="o", color="tab:blue", label="CPU")
        axis.set_xlabel(SERIES[name])
        axis.set_ylabel("CPU, percent of a core", color="tab:blue")
        axis.set_ylim(bottom=0)
        other = axis.twinx()
        other.plot(across, [result["broadcast_ms"]["p50"] for result in results], marker="s", color="tab:orange")
        other.set_ylabel("action to last update, median ms", color="tab:orange")
        other.set_ylim(bottom=0)
    save(figure, path)


def panels(count: int) -> tuple[Any, Any]:
    """A figure with so many plots side by side. Raises `BenchError` without matplotlib."""
    try:
        from matplotlib.figure import Figure  # imported when needed: it is large, and not installed with a server
    except ImportError:
        raise BenchError("no_matplotlib: a plot needs matplotlib. Install it with: pip install 'durak[plot]'") from None
    figure = Figure(figsize=(5.2 * count, 4.2), layout="constrained")
    return figure, figure.subplots(1, count)


def save(figure: Any, path: Path) -> None:
    """Write a figure in the format that the name's ending says. Raises `BenchError`."""
    try:
        figure.savefig(path)
    except (OSError, ValueError) as error:
        raise BenchError(f"bad_plot: {path} was not written: {error}. Name a .svg, .png or .pdf in a directory of yours") from None
