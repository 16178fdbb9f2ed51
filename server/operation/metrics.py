"""The metrics of a server, for Prometheus. Counts, times and codes: nothing here can name a card, a player or a token."""

import time
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from itertools import accumulate
from typing import Literal, get_args

from prometheus_client import CollectorRegistry, Counter, Gauge, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString

from durak.server.given.meter import Census, Ending, Meter, Place, Resumed, Why

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
FAST = (0.001, 0.002, 0.004, 0.008, 0.016, 0.03, 0.06, 0.12, 0.25, 0.5, 1.0, 2.5, 10.0)
"""Bounds in seconds for what should take milliseconds; 30 ms is what an action may take."""
TIMELY = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0)
PATIENT = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
SIZES = (1, 2, 4, 8, 16, 32, 64)


class Bins(Collector):
    """A histogram without locks and labels: several are told of each action, in the thread of the event loop alone."""

    def __init__(self, name: str, text: str, bounds: tuple[float, ...]) -> None:
        self._name = name
        self._text = text
        self._bounds = bounds
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0

    def observe(self, value: float) -> None:
        """Count a value."""
        self._counts[bisect_left(self._bounds, value)] += 1
        self._sum += value

    def collect(self) -> Iterator[Metric]:
        """The counts up to each bound."""
        upper = [*map(floatToGoString, self._bounds), "+Inf"]
        yield HistogramMetricFamily(self._name, self._text, list(zip(upper, accumulate(self._counts), strict=True)), self._sum)


class Metrics(Meter):
    """Keeps what it is told in a registry of its own; `census` is asked at every scrape, and costs nothing between."""

    def __init__(self, now: Callable[[], float] = time.perf_counter) -> None:
        self.now = now  # type: ignore[method-assign]  # called twice an action: without a frame of its own
        self.registry = CollectorRegistry(auto_describe=True)
        self.census: Callable[[], Census] | None = None

        def counter(name: str, text: str, *labels: str) -> Counter:
            return Counter(name, text, labels, registry=self.registry)

        def histogram(name: str, text: str, bounds: tuple[float, ...]) -> Bins:
            bins = Bins(name, text, bounds)
            self.registry.register(bins)
            return bins

        self._ack = histogram("durak_action_ack_seconds", "From the arrival of a game action to its answer.", FAST)
        self._broadcast = histogram("durak_action_broadcast_seconds", "From its arrival to the updates of all viewers.", FAST)
        self._append = histogram("durak_append_seconds", "From giving entries to the journal to their being durable.", FAST)
        self._batch = histogram("durak_append_entries", "Entries of one table in one append.", SIZES)
        self._timer = histogram("durak_timer_late_seconds", "How late the timers of tables fire.", TIMELY)
        self._lag = histogram("durak_loop_lag_seconds", "How late the event loop comes to what is due.", TIMELY)
        self._bot = histogram("durak_bot_seat_wait_seconds", "From the offer of a seat to the arrival of its bot.", PATIENT)
        self._failed = counter("durak_append_failures", "Appends refused or failed, sequence conflicts among them.", "code")
        self._frozen = counter("durak_tables_frozen", "Tables that were frozen.", "why")
        self._bugs = counter("durak_internal_errors", "Exceptions that nobody expects, by what they were contained in.", "where")
        self._repeated = counter("durak_duplicate_commands", "Accepted commands that came again.")
        self._refused = counter("durak_refusals", "Errors sent to clients.", "code")
        self._resumed = counter("durak_resumes", "Clients that came back to a table.", "kind")
        self._taken_over = counter("durak_takeovers", "Connections replaced by a newer one of the same player.")
        self._slow = counter("durak_slow_closes", "Connections closed because their reader was too slow.")
        self._limited = counter("durak_rate_limited", "Frames and requests turned away because they came too fast.", "what")
        self._games = counter("durak_games_finished", "Games that are over.", "preset", "result")
        self._recovered = Gauge("durak_recovered_tables", "Tables recovered at the start.", registry=self.registry)
        self._recovery = Gauge("durak_recovery_seconds", "How long their recovery took.", registry=self.registry)
        for kind in ("events", "snapshot"):
            self._resumed.labels(kind)
        for what in ("frame", "guest"):
            self._limited.labels(what)
        for why in get_args(Why):
            self._frozen.labels(why)
        for where in get_args(Place):
            self._bugs.labels(where)
        self._failed.labels("sequence_conflict")
        self.registry.register(_Counting(self))
        ProcessCollector(registry=self.registry)

    def text(self) -> bytes:
        """Everything, in the text format of Prometheus."""
        return generate_latest(self.registry)

    def acknowledged(self, received: float) -> None:
        """See `Meter`."""
        self._ack.observe(self.now() - received)

    def broadcast(self, received: float) -> None:
        """See `Meter`."""
        self._broadcast.observe(self.now() - received)

    def appended(self, asked: float, entries: int) -> None:
        """See `Meter`."""
        self._append.observe(self.now() - asked)
        self._batch.observe(entries)

    def append_failed(self, code: str) -> None:
        """See `Meter`."""
        self._failed.labels(code).inc()

    def froze(self, why: Why) -> None:
        """See `Meter`."""
        self._frozen.labels(why).inc()

    def failed(self, where: Place) -> None:
        """See `Meter`."""
        self._bugs.labels(where).inc()

    def repeated(self) -> None:
        """See `Meter`."""
        self._repeated.inc()

    def refused(self, code: str) -> None:
        """See `Meter`."""
        self._refused.labels(code).inc()

    def resumed(self, kind: Resumed) -> None:
        """See `Meter`."""
        self._resumed.labels(kind).inc()

    def taken_over(self) -> None:
        """See `Meter`."""
        self._taken_over.inc()

    def closed_slow(self) -> None:
        """See `Meter`."""
        self._slow.inc()

    def limited(self, what: Literal["frame", "guest"]) -> None:
        """See `Meter`."""
        self._limited.labels(what).inc()

    def timer_fired(self, late_ms: int) -> None:
        """See `Meter`."""
        self._timer.observe(late_ms / 1_000)

    def lagged(self, seconds: float) -> None:
        """See `Meter`."""
        self._lag.observe(seconds)

    def bot_came(self, waited_ms: int) -> None:
        """See `Meter`."""
        self._bot.observe(waited_ms / 1_000)

    def recovered(self, tables: int, began: float) -> None:
        """See `Meter`."""
        self._recovered.set(tables)
        self._recovery.set(self.now() - began)

    def finished(self, preset: str, result: Ending) -> None:
        """See `Meter`."""
        self._games.labels(preset, result).inc()


class _Counting(Collector):
    """What is counted when it is asked for."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics

    def describe(self) -> Iterator[Metric]:
        """Nothing is known before the server runs."""
        return iter(())

    def collect(self) -> Iterator[Metric]:
        """The census of this moment."""
        if self._metrics.census is None:
            return
        census = self._metrics.census()
        yield _by("durak_tables", "Live tables.", "status", census.tables)
        yield _by("durak_connections", "Open connections.", "kind", census.connections)
        yield _by("durak_bot_seats", "Seats that need a bot.", "state", census.bot_seats)
        yield GaugeMetricFamily("durak_watchers", "Connections that look at a table without a seat.", census.watchers)
        yield GaugeMetricFamily("durak_queued_inputs", "Inputs of tables that wait for their outcome.", census.queued)
        yield CounterMetricFamily("durak_commits", "Transactions of the store.", census.commits)


def _by(name: str, text: str, label: str, numbers: Mapping[str, int]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, text, labels=[label])
    for value, number in sorted(numbers.items()):
        family.add_metric([value], number)
    return family
