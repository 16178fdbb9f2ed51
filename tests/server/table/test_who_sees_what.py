"""Whoever must not see an event does not get it: not as it happens, not when it is asked for afterwards, not in a snapshot."""

import json
import random
from collections import Counter
from typing import Any, get_args

import msgspec
import pytest

from durak.protocol.messages import AnyTableEvent
from durak.protocol.rules.events import Dealt, GameEvent, Personal, Private, Public
from durak.server.table.seating import AnyEvent
from durak.server.table.view import Views, history_seen_by, seen_by
from tests.server.table.driving import NAMES, Told
from tests.server.table.random_tables import players, random_life, random_table

PRIVATE = {"answered", "auto_pass_set"}
PERSONAL = {"dealt", "drew"}
PUBLIC = {
    *("created", "sat", "rose", "host_is", "started", "went_away", "came_back", "voted", "timed_out", "voided"),
    *("bout_began", "led", "threw_in", "beaten", "took", "passed", "deciding", "bout_ended", "went_out", "left", "game_over"),
}
SEEDS = 25
STEPS = 300


def name_of(event: Any) -> str:
    return str(event.__struct_config__.tag)


@pytest.mark.parametrize("event", get_args(AnyTableEvent) + get_args(GameEvent), ids=name_of)
def test_every_event_says_who_may_see_it(event: type[Any]) -> None:
    names = {Public: PUBLIC, Private: PRIVATE, Personal: PERSONAL}
    assert [kind for kind in names if issubclass(event, kind)] == [kind for kind in names if name_of(event) in names[kind]]


def check_shown(event: AnyEvent, shown: list[dict[str, Any]], seat: int | None) -> None:
    """What the viewer in this seat is told of one event."""
    name, raw = name_of(type(event)), msgspec.to_builtins(event)
    if name in PUBLIC:
        assert shown == [raw]
    elif name in PRIVATE:
        assert shown == ([raw] if raw["seat"] == seat else [])
    elif name == "dealt":
        counts = list(map(len, raw.pop("hands")))
        assert isinstance(event, Dealt)
        own = None if seat is None else event.hands[seat]
        assert shown == [{**raw, "hand": own, "counts": counts}]
    else:
        own = raw["cards"] if raw["seat"] == seat else None
        assert shown == [{**raw, "count": len(raw["cards"]), "cards": own}]


def as_read(events: Any) -> list[dict[str, Any]]:
    """Events as a client reads them."""
    read: list[dict[str, Any]] = json.loads(msgspec.json.encode(events))
    return read


def check_step(before: Told, told: Told, player: str | None) -> None:
    """What one viewer gets of a step: the events as they happen, the same when missed, and a view that tells no more."""
    seat = told.table.seat_of_player(player)
    for event in told.events:
        check_shown(event, as_read(seen_by([event], seat)), seat)
    happened = as_read(seen_by(told.events, seat))
    missed = history_seen_by([(told.table.seq, told.events)], seat, told.table.seq - 1)
    assert [as_read(one.events) for one in missed] == ([happened] if happened else [])
    if told.events and not happened:
        earlier, later = (Views(step.table, told.at_ms).of(player) for step in (before, told))
        assert later == earlier, "a view tells of what was hidden"


@pytest.mark.timeout(120)
def test_whoever_must_not_see_an_event_gets_it_in_no_way() -> None:
    seen: Counter[str] = Counter()
    for seed in range(SEEDS):
        rng = random.Random(3_000 + seed)
        driven = random_table(rng)
        random_life(rng, driven, STEPS)
        for before, told in zip(driven.told, driven.told[1:], strict=False):
            seen.update(name_of(type(event)) for event in told.events)
            for player in {*NAMES, *players(told.table), None}:
                check_step(before, told, player)
    assert set(seen) == (PUBLIC | PRIVATE | PERSONAL) - {"created"}, "created is the first, before which there is nothing"
