"""The options of `durak play` and `durak tables`: what they mean, and how bad ones are refused."""

import argparse
from typing import Any

import pytest

from durak.clients import dispatch
from durak.clients.cli import listing, options, play, tables
from durak.clients.cli.answers import Order
from durak.protocol import messages as m
from tests.clients.cli.shown import ENGLISH_SPEECH


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[tuple[argparse.Namespace, Order, Any]]:
    """What would have been played."""
    calls: list[tuple[argparse.Namespace, Order, Any]] = []

    def note(args: argparse.Namespace, opening: Order, name: str | None, notice: Any = None) -> int:
        calls.append((args, opening, name))
        return 0

    monkeypatch.setattr(play, "run_session", note)
    monkeypatch.setattr(tables, "run_session", note)
    return calls


def opening(calls: list[tuple[argparse.Namespace, Order, Any]], *words: str) -> Order:
    assert dispatch.main(words) == 0
    return calls[-1][1]


def test_play_a_table(opened: list[Any]) -> None:
    assert opening(opened, "play", "K7P2QX") == Order.of(m.Join, table="K7P2QX")
    assert opening(opened, "play", "k7p2qx") == Order.of(m.Join, table="K7P2QX")
    assert opening(opened, "play", "KOPIQL") == Order.of(m.Join, table="K0P1Q1")
    assert opening(opened, "play", "K7P2QX", "--watch") == Order.of(m.Watch, table="K7P2QX")


def test_play_a_link(opened: list[Any]) -> None:
    assert opening(opened, "play", "https://durak.example/games/t/K7P2QX") == Order.of(m.Join, table="K7P2QX")
    assert opened[-1][0].server == "https://durak.example/games"


def test_play_against_bots(opened: list[Any]) -> None:
    order = opening(opened, "play", "--bots", "easy,hard", "--preset", "gameweave", "--option", "discreet=on", "--private")
    assert order.make is m.Create
    assert order.arguments == {
        "name": "",
        "preset": "gameweave",
        "options": {"discreet": True},
        "bots": ["easy", "hard"],
        "sit": True,
        "start": True,
        "private": True,
        "speed": "watch",
    }


def test_play_without_anything_is_against_three_bots(opened: list[Any]) -> None:
    assert opening(opened, "play").arguments["bots"] == ["normal"] * 3
    assert opening(opened, "play", "--preset", "challenge").arguments["bots"] == ["normal"]


def test_create_waits_for_others(opened: list[Any]) -> None:
    order = opening(opened, "play", "--create", "--bots", "easy", "--title", "Friday")
    assert (order.arguments["start"], order.arguments["bots"], order.arguments["name"]) == (False, ["easy"], "Friday")


def test_tables_create_and_watch(opened: list[Any]) -> None:
    order = opening(opened, "tables", "create", "--bots", "easy,easy", "--no-seat", "--watch", "--name", "Friday", "--as", "Anna")
    assert (order.arguments["sit"], order.arguments["name"], opened[-1][2]) == (False, "Friday", "Anna")
    assert opening(opened, "tables", "watch", "k7p2qx") == Order.of(m.Watch, table="K7P2QX")


def test_the_server_may_stand_before_or_after(opened: list[Any]) -> None:
    assert dispatch.main(["tables", "--server", "http://a:1", "watch", "K7P2QX"]) == 0
    assert opened[-1][0].server == "http://a:1"
    assert dispatch.main(["tables", "watch", "K7P2QX", "--server", "http://b:2"]) == 0
    assert opened[-1][0].server == "http://b:2"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("play", "K7P2Q"), "argument TABLE: 'K7P2Q' is no table's code; one looks like K7P2QX, and 'durak tables' lists them"),
        (("play", "K7P2QU"), "argument TABLE: 'K7P2QU' is no table's code"),
        (("play", "K7P2QX", "--bots", "easy"), "TABLE joins a table, --create and --bots make one: give one or the other"),
        (("play", "--watch"), "--watch needs the TABLE to look at"),
        (("play", "--bots", "genius"), "argument --bots: 'genius' is no list of levels; easy,normal,hard is one"),
        (("play", "--bots", ""), "argument --bots: '' is no list of levels"),
        (("play", "--option", "discreet"), "argument --option: 'discreet' is not KEY=VALUE, such as discreet=on"),
        (("play", "--lang", "xx"), "argument --lang: invalid choice"),
        (("play", "--plian"), "Did you mean --plain?"),
        (("tables", "create", "--no-seat"), "argument --no-seat: a table without you needs two bots or more"),
        (("tables", "crate"), "invalid choice: 'crate'"),
        (("tables", "watch"), "the following arguments are required: TABLE"),
    ],
)
def test_bad_usage(words: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        dispatch.main(words)
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("discreet=on", ("discreet", True)),
        ("discreet=False", ("discreet", False)),
        ("window_ms=none", ("window_ms", None)),
        ("window-ms=400", ("window_ms", 400)),
        ("turn_clock_s=-1", ("turn_clock_s", -1)),
        ("bot_delay_ms=0-1500", ("bot_delay_ms", [0, 1500])),
        ("throw_in=attacker_only", ("throw_in", "attacker_only")),
        ("a=b=c", ("a", "b=c")),
    ],
)
def test_options_of_a_table(text: str, meant: tuple[str, Any]) -> None:
    assert options.option(text) == meant


def test_help_tells_every_option_and_what_comes_later(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        dispatch.main(["play", "--help"])
    told = capsys.readouterr().out
    assert "turn_clock_s" in told
    assert "full-screen client comes later" in " ".join(told.split())


def test_the_way_back_is_a_command_to_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DURAK_SERVER", raising=False)
    back = options.command_line("durak", "play", "{table}", server="http://a:1", name="Anna {x} O'Neil")
    assert back.format(table="K7P2QX") == """durak play K7P2QX --server http://a:1 --name 'Anna {x} O'"'"'Neil'"""
    assert options.command_line("durak", "play", "{table}", server=options.DEFAULT_SERVER) == "durak play {table}"


def test_columns_align_also_with_wide_letters() -> None:
    def row(name: str) -> m.TableListing:
        return m.TableListing("K7P2QX", name, "classic", "open", 6, 1, 1, 0, 30, False, 0)

    head, first, second = listing.rows([row("小明"), row("Anna and friends")], ENGLISH_SPEECH)
    assert head.index("PRESET") == second.index("classic") == first.index("classic") + 2
    assert second.split("  ")[0] == "K7P2QX"
    assert "30 s" in second


@pytest.mark.parametrize("words", [("play", "--help"), ("tables", "--help"), ("tables", "create", "--help")])
def test_help_needs_no_utf_8(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        dispatch.main(words)
    assert capsys.readouterr().out.isascii()
