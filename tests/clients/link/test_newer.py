"""What a newer server says is read as far as it is known: each line of PROTOCOL.md's "Versions that differ"."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import msgpack
import msgspec
import pytest

from durak.clients.link import LeftOut, Link, LinkError
from durak.clients.link.wire import Heard, UnreadableFrame, Wire
from durak.protocol.messages import (
    SUBPROTOCOL_JSON,
    SUBPROTOCOL_MSGPACK,
    Error,
    TableState,
    TableView,
    Update,
    ViewChange,
    WentAway,
)
from durak.protocol.rules.actions import Beat, Take
from durak.protocol.rules.events import Took
from durak.protocol.rules.ruleset import PRESETS
from tests.clients.cli.shown import attached, seen
from tests.clients.link.fake_server import TABLE, Peer, fake_server, state, table_view, update, welcome

Raw = dict[str, Any]


def raw_update(view: TableView, *events: Any) -> Raw:
    """An update that a test may change."""
    raw: Raw = msgspec.to_builtins(Update(2, list(events), ViewChange.to(view)))
    return raw


def read(raw: Raw, subprotocol: str = SUBPROTOCOL_JSON) -> Heard:
    return Wire(subprotocol).decode(json.dumps(raw) if subprotocol == SUBPROTOCOL_JSON else msgpack.packb(raw))


def view_in(heard: Heard) -> Any:
    assert isinstance(heard.message, Update | TableState)
    return heard.message.view


BOUT = "S | 6H / 7H 8S / 9C | table 6S"


@pytest.mark.parametrize("subprotocol", [SUBPROTOCOL_JSON, SUBPROTOCOL_MSGPACK])
def test_a_message_of_an_unknown_kind_is_skipped(subprotocol: str) -> None:
    assert read({"t": "chat", "from": 3, "text": "hi"}, subprotocol) == Heard(None)


def test_unknown_fields_are_ignored_wherever_they_stand() -> None:
    raw = raw_update(seen(BOUT, 1), Took(1))
    plain = read(raw)
    for inside in (raw, raw["view"], raw["view"]["you"], raw["view"]["game"], raw["view"]["chairs"][0], raw["events"][0]):
        inside["mood"] = {"of": ["a", "newer", "server"]}
    assert read(raw) == plain


def test_unknown_events_are_left_out_and_named() -> None:
    raw = raw_update(seen(BOUT, 1), Took(1))
    raw["events"] = [{"event": "transferred", "seat": 0}, *raw["events"], {"event": "took", "seat": "the third"}]
    heard = read(raw)
    assert isinstance(heard.message, Update)
    assert heard.message.events == [Took(1)]
    assert heard.left_out == LeftOut(("transferred", "took"), ())


def test_unknown_events_among_those_that_were_missed() -> None:
    raw = msgspec.to_builtins(attached(seen(BOUT, 1)))
    raw["missed"] = [{"seq": 1, "events": [{"event": "transferred"}]}, {"seq": 2, "events": [{"event": "took", "seat": 1}]}]
    heard = read(raw)
    assert isinstance(heard.message, TableState)
    assert [(one.seq, one.events) for one in heard.message.missed] == [(1, []), (2, [Took(1)])]
    assert heard.left_out == LeftOut(("transferred",), ())


def test_unknown_legal_actions_are_left_out_and_named() -> None:
    raw = raw_update(seen(BOUT, 1))
    raw["view"]["game"]["legal"].append({"act": "transfer", "card": "8S"})
    heard = read(raw)
    assert view_in(heard).game.legal == [Beat("8S", "6S"), Take()]
    assert heard.left_out == LeftOut((), ("transfer",))


def test_unknown_legal_actions_of_a_refusal_are_left_out() -> None:
    heard = read(
        {"t": "error", "code": "limit", "cid": "1", "legal": [{"act": "transfer"}, {"act": "take"}], "bout": 1, "epoch": 2}
    )
    assert heard.message == Error("limit", cid="1", legal=[Take()], bout=1, epoch=2)


def test_parameters_of_another_form_are_left_out() -> None:
    heard = read({"t": "error", "code": "no_bots", "params": {"levels": ["easy"], "free": 2, "why": None, "table": TABLE}})
    assert heard == Heard(Error("no_bots", params={"free": 2, "table": TABLE}))


@pytest.mark.parametrize(("seats", "kind"), [([1], "turn"), ([], "window")])
def test_an_unknown_clock_is_its_seats_to_play_by_or_everybodys(seats: list[int], kind: str) -> None:
    raw = raw_update(seen(BOUT, 1))
    raw["view"]["clock"] = {"kind": "blitz", "ms": 900, "total_ms": 1_000, "seats": seats}
    clock = view_in(read(raw)).clock
    assert (clock.kind, clock.ms, clock.seats) == (kind, 900, seats)


OVER = {"places": [[0], [1]], "durak": 1, "draw": False, "forfeits": []}


@pytest.mark.parametrize(
    ("position", "seat", "result", "phase"),
    [(BOUT, 1, None, "bout"), ("S | 6S 7H / 8S 9S", 0, None, "lead"), (BOUT, 0, OVER, "over")],
)
def test_an_unknown_phase_and_status_are_those_whose_actions_there_are(
    position: str, seat: int, result: Raw | None, phase: str
) -> None:
    raw = raw_update(seen(position, seat))
    raw["view"]["game"] |= {"phase": "exchange", "result": result}
    raw["view"]["status"] = "paused"
    shown = view_in(read(raw))
    assert shown.game.phase == phase
    assert shown.status == ("playing" if result is None else "finished")


def test_an_unknown_status_without_a_game_is_an_open_table() -> None:
    raw = msgspec.to_builtins(state(3))
    raw["view"]["status"] = "gathering"
    assert view_in(read(raw)).status == "open"


def test_unknown_kinds_of_chairs_and_levels_are_persons() -> None:
    raw = raw_update(seen(BOUT, 1))
    raw["view"]["chairs"][0] |= {"kind": "pupil", "level": "grandmaster"}
    chair = view_in(read(raw)).chairs[0]
    assert (chair.kind, chair.level) == ("person", None)


def test_an_option_with_an_unknown_value_is_as_in_classic() -> None:
    raw = raw_update(seen(BOUT, 1))
    raw["view"]["rules"] |= {"preset": "podkidnoy", "throw_in": "neighbours", "transfer": True, "window_ms": 500}
    assert view_in(read(raw)).rules == msgspec.structs.replace(PRESETS["classic"], window_ms=500)


def test_commands_that_are_not_known_are_kept_as_names() -> None:
    raw = raw_update(seen(BOUT, 1))
    raw["view"]["you"]["can"] = ["leave", "gift"]
    assert view_in(read(raw)).you.can == ["leave", "gift"]


@pytest.mark.parametrize(
    ("raw", "field", "otherwise"),
    [
        ({"t": "detached", "table": TABLE, "reason": "kicked"}, "reason", "closed"),
        (msgspec.to_builtins(welcome()) | {"kind": "member", "protocol": 4}, "kind", "person"),
    ],
)
def test_other_words_that_are_not_known(raw: Raw, field: str, otherwise: str) -> None:
    assert getattr(read(raw).message, field) == otherwise


def test_a_table_in_the_lobby_with_an_unknown_status_is_no_table_to_join() -> None:
    line = {"table": TABLE, "name": "", "preset": "podkidnoy", "status": "paused", "chairs": 6, "taken": 2, "persons": 1, "bots": 1}
    line |= {"turn_clock_s": 45, "discreet": False, "watchers": 0}
    heard: Any = read({"t": "lobby", "full": True, "tables": [line]}).message
    assert [(table.status, table.preset) for table in heard.tables] == [("playing", "podkidnoy")]


@pytest.mark.parametrize(
    "change",
    [
        {"seq": "next"},
        {"view": None},
        {"view": {}},
        {"events": None},
        {"events": [7]},
        {"events": [{"seat": 1}]},
        {"view": {"clock": 5, "you": {}, "game": None}},
    ],
)
def test_what_is_no_message_of_any_version_is_unreadable(change: Raw) -> None:
    with pytest.raises(UnreadableFrame):
        read(raw_update(seen(BOUT, 1)) | change)


@pytest.mark.looptime
@pytest.mark.parametrize("subprotocol", [SUBPROTOCOL_MSGPACK, SUBPROTOCOL_JSON])
async def test_a_link_goes_on_over_what_it_does_not_know_and_counts_its_number(subprotocol: str) -> None:
    strange = msgspec.to_builtins(update(4)) | {"events": [{"event": "waved"}]}

    async def scene(peer: Peer) -> None:
        await peer.greet(state(3))
        pack = msgpack.packb if peer.codec.binary else lambda raw: json.dumps(raw).encode()
        await peer.send_frame(pack({"t": "chat", "text": "hi"}))
        await peer.send_frame(pack(strange))
        await peer.send(update(5, WentAway(1)))

    async with fake_server(scene) as server, Link(server.url, "tok", TABLE, subprotocol=subprotocol) as link:
        heard = [await anext(link) for _ in range(5)]
        assert heard == [welcome(), state(3), LeftOut(("waved",), ()), update(4), update(5, WentAway(1))]
        assert (link.seq, link.view, server.connections) == (5, table_view(5), 1)


@pytest.mark.looptime
async def test_what_was_left_out_of_a_message_that_is_no_news_is_not_told() -> None:
    async def scene(peer: Peer) -> None:
        await peer.greet(state(3))
        raw = msgspec.to_builtins(update(2)) | {"events": [{"event": "waved"}]}
        await peer.send_frame(msgpack.packb(raw))
        await peer.send(update(4))

    async with fake_server(scene) as server, Link(server.url, "tok", TABLE) as link:
        assert [await anext(link) for _ in range(3)] == [welcome(), state(3), update(4)]


@pytest.mark.looptime
async def test_what_no_version_can_read_ends_the_link_in_words() -> None:
    async def scene(peer: Peer) -> None:
        await peer.greet()
        await peer.send_frame(msgpack.packb({"t": "update", "seq": 1}))

    async with fake_server(scene) as server, Link(server.url, "tok", TABLE) as link:
        with pytest.raises(LinkError, match="this version cannot read"):
            async with asyncio.timeout(5):
                async for _ in link:
                    pass
