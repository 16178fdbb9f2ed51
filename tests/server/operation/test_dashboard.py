"""The Grafana dashboard shows every metric there is, and no other."""

import json
import re
from pathlib import Path
from typing import Any

from durak.server.given.meter import Census
from durak.server.operation.metrics import Metrics

DASHBOARD: dict[str, Any] = json.loads((Path(__file__).parents[3] / "deploy" / "grafana.json").read_text())
PANELS = [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]


def metrics() -> set[str]:
    """The names of our metrics, without the endings that their parts have."""
    kept = Metrics()
    kept.census = lambda: Census({"open": 1}, 0, {"person": 1}, 0, {"waiting": 1}, 1)
    return {metric.name for metric in kept.registry.collect() if metric.name.startswith("durak_")}


def shown() -> set[str]:
    """The names in all queries."""
    queries = " ".join(target["expr"] for panel in PANELS for target in panel["targets"])
    return {re.sub(r"_(total|bucket|sum|count)$", "", name) for name in re.findall(r"\bdurak_\w+", queries)}


def test_every_metric_is_shown_and_nothing_else() -> None:
    assert shown() == metrics()


def test_panels_are_named_in_words_do_not_overlap_and_have_their_own_numbers() -> None:
    assert all(" " in panel["title"] or panel["title"].isalpha() for panel in PANELS)
    assert all("durak_" not in panel["title"] and panel["description"] for panel in PANELS)
    numbers = [panel["id"] for panel in DASHBOARD["panels"]]
    assert len(numbers) == len(set(numbers))
    cells = [
        (x, y)
        for panel in DASHBOARD["panels"]
        for x in range(panel["gridPos"]["x"], panel["gridPos"]["x"] + panel["gridPos"]["w"])
        for y in range(panel["gridPos"]["y"], panel["gridPos"]["y"] + panel["gridPos"]["h"])
    ]
    assert len(cells) == len(set(cells))
    assert max(x for x, _ in cells) < 24


def test_every_query_asks_for_the_chosen_servers_only() -> None:
    for panel in PANELS:
        for target in panel["targets"]:
            assert target["expr"].count("durak_") + target["expr"].count("process_") == target["expr"].count("$instance"), target
