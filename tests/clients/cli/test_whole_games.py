"""Whole games on a real server, played through a pipe by a script that reads lines and answers them."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.clients.cli.real_server import DURAK, Durak, first_legal, playing, serving
from tests.conftest import free_port

FAST = ("--speed", "fast", "--exit-after-game")


@pytest.fixture(scope="module")
def server_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A real server for the whole module."""
    with serving(tmp_path_factory.mktemp("games")) as (url, _):
        yield url


@pytest.fixture
def durak(server_url: str, tmp_path: Path) -> Durak:
    """The server, for a player who has never been there."""
    return Durak(server_url, tmp_path)


@pytest.mark.parametrize(
    ("preset", "options"),
    [
        ("classic", ("--bots", "easy,normal,easy")),
        ("classic", ("--bots", "easy", "--option", "discreet=on", "--option", "window_ms=400")),
        ("gameweave", ("--bots", "normal,easy")),
        ("challenge", ("--bots", "easy", "--option", "offer_ms=200")),
    ],
)
def test_a_whole_game(durak: Durak, preset: str, options: tuple[str, ...]) -> None:
    with playing(durak, "--preset", preset, *options, *FAST, answer=first_legal) as player:
        assert player.status() == 0
        text = "\n".join(player.lines)
        assert re.search(r"^Game over: .+\.$", text, re.MULTILINE)
        assert re.search(r"^Order: 1 .+\.$", text, re.MULTILINE)
        assert "You attack with" in text or "You beat" in text or "You take." in text
        assert_plain(text)


def test_a_whole_game_in_ascii(durak: Durak) -> None:
    with playing(durak, "--bots", "easy", "--ascii", *FAST, answer=first_legal) as player:
        assert player.status() == 0
        text = "\n".join(player.lines)
        assert text.isascii()
        assert re.search(r"\b10[shdc]\b", text)


def test_a_terminal_without_utf_8_gets_ascii(durak: Durak) -> None:
    with playing(durak, "--bots", "easy", LC_ALL="C") as player:
        player.printed(r"Trump is \w+: (10|[6-9JQKA])[shdc] lies under the stock")
        player.type("quit")
        assert player.status() == 0
        assert "\n".join(player.lines).isascii()


def test_bots_play_among_themselves_and_somebody_looks_on(durak: Durak) -> None:
    made = durak.run("tables", "create", "--bots", "easy,normal,easy", "--no-seat", "--speed", "fast", "--watch", "--plain")
    assert made.returncode == 0, made.stderr
    assert "You are watching." in made.stdout
    assert "Hand:" not in made.stdout
    assert re.search(r"^Game over", made.stdout, re.MULTILINE)
    assert_plain(made.stdout)


def test_a_rematch_and_the_end_of_the_input(durak: Durak) -> None:
    games = 0

    def answer(line: str) -> list[str]:
        nonlocal games
        if line.startswith("Between two games"):
            games += 1
            return ["rematch"] if games == 1 else ["quit"]
        return first_legal(line)

    with playing(durak, "--bots", "easy", "--speed", "fast", answer=answer) as player:
        assert player.status() == 0
        assert sum(line.startswith("Game over") for line in player.lines) == 2
        player.printed(r"^Game 2 begins: ")


def test_the_same_seat_later(durak: Durak) -> None:
    with playing(durak, "--create", "--bots", "easy", "--name", "Anna") as player:
        code = player.printed(r"^Table (\w{6})")[1]
        player.type("start")
        hand = player.printed(r"Hand: .*")[0]
        player.type("quit")
        assert player.status() == 0
        player.printed(f"come back with: durak play {code}")
    with playing(durak, code.lower()) as again:
        again.printed(r"^Players: .*\byou \d+ cards?")
        assert cards(again.printed(r"Hand: .*")[0]) >= cards(hand) - {"*"} or again.printed("Bout [2-9]")
        again.type("leave")
        again.printed("^Leaving counts as a loss")
        again.type("leave")
        assert again.status() == 0


def cards(line: str) -> set[str]:
    return set(re.findall(r"\d+ (\S+?[♠♥♦♣])", line))


def test_two_people_at_one_table(durak: Durak, tmp_path: Path) -> None:
    with playing(durak, "--create", "--title", "Two", "--name", "Anna", *FAST, answer=first_legal) as anna:
        code = anna.printed(r"^Table (\w{6}), Two:")[1]
        other = Durak(durak.url, tmp_path / "other")
        with playing(other, f"{durak.url}/t/{code}", "--name", "Boris", "--exit-after-game", answer=first_legal) as boris:
            anna.printed("^Boris sits down on chair 2")
            boris.type("start")
            boris.printed("start is not possible now")
            anna.type("start")
            assert (anna.status(), boris.status()) == (0, 0)
            over = anna.printed(r"^Game over: (.*)")[1]
            assert over.startswith(("Boris", "you are", "a draw"))
            boris.printed("^Game over: ")


def test_a_server_that_dies_and_comes_back(tmp_path: Path) -> None:
    port = free_port()
    with serving(tmp_path / "games", port) as (url, server):
        durak = Durak(url, tmp_path / "state")
        with playing(durak, "--bots", "easy", *FAST) as player:
            player.printed("Hand:")
            server.kill()
            server.wait()
            player.printed("^Connection lost, reconnecting")
            with serving(tmp_path / "games", port):
                player.printed(r"^Resumed: ")
                player.type("i")
                player.printed("^Trump is")
                player.type("quit")
                assert player.status() == 0


# ---------------------------------------------------------------- going


def test_control_c_leaves_the_connection_and_says_how_to_come_back(durak: Durak) -> None:
    with playing(durak, "--bots", "easy") as player:
        code = player.printed(r"^Table (\w{6})")[1]
        player.printed("Hand:")
        player.process.send_signal(signal.SIGINT)
        assert player.status(10) == 130
        assert player.lines[-1] == f"Your seat is kept for a while; come back with: durak play {code}"
        assert player.process.stderr is not None
        assert player.process.stderr.read() == ""


def test_on_a_terminal_lines_are_folded_and_nothing_steers_it(durak: Durak) -> None:
    main, side = pty.openpty()
    fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    player = subprocess.Popen(
        (*DURAK, "play", "--bots", "easy,easy,easy"), stdin=side, stdout=side, stderr=side, env=durak.environment(TERM="xterm")
    )
    os.close(side)
    try:
        seen = read_until(main, b"Hand:")
        os.write(main, b"?\n")
        seen += read_until(main, b"watch CODE")
        os.write(main, b"\x04")  # Ctrl-D
        seen += read_until(main, b"come back with")
        assert player.wait(10) == 0
    finally:
        player.kill()
        player.wait()
        os.close(main)
    text = seen.decode().replace("\r\n", "\n")
    assert_plain(text)
    assert max(map(len, text.split("\n"))) <= 80


def read_until(descriptor: int, wanted: bytes) -> bytes:
    seen = b""
    end = time.monotonic() + 20
    while wanted not in seen:
        ready, _, _ = select.select([descriptor], [], [], max(0.0, end - time.monotonic()))
        assert ready, f"no {wanted!r} in {seen!r}"
        seen += os.read(descriptor, 65536)
    return seen


def assert_plain(text: str) -> None:
    """No escape codes, nor anything else that is no letter."""
    assert all(letter == "\n" or letter.isprintable() for letter in text)


# ---------------------------------------------------------------- what cannot be


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("play", "AAAAAA"), "There is no such table; 'durak tables' lists those there are. [no_such_table]"),
        (("play", "AAAAAA", "--watch"), "There is no such table; 'durak tables' lists those there are. [no_such_table]"),
        (("play", "--preset", "bridge"), "preset cannot have this value; 'durak tables create --help' tells which. [bad_value]"),
        (("play", "--option", "jokers=on"), "jokers is not played here. [variant_locked]"),
        (("play", "--option", "luck=7"), "There is no option luck; 'durak tables create --help' lists them. [unknown_option]"),
        (
            ("play", "--preset", "challenge", "--bots", "easy,easy"),
            "The table has 2 chairs, and 3 were asked for; name fewer bots. [too_many_players]",
        ),
        (("tables", "create", "--bots", "easy", "--option", "pack=52"), "pack is not played here. [variant_locked]"),
    ],
)
def test_refused(durak: Durak, words: tuple[str, ...], told: str) -> None:
    done = durak.run(*words)
    assert (done.returncode, done.stderr) == (1, f"durak {words[0]}: {told}\n")


def test_a_table_that_is_full(durak: Durak) -> None:
    with playing(durak, "--create", "--bots", "easy", "--preset", "challenge", "--name", "Anna") as player:
        code = player.printed(r"^Table (\w{6})")[1]
        done = durak.run("play", code, "--name", "Boris")
        assert done.returncode == 1
        assert re.search(r"\[(table_full|already_playing)\]$", done.stderr.strip())


@pytest.mark.parametrize("words", [("play",), ("play", "AAAAAA"), ("tables",), ("tables", "create")])
def test_no_server(durak: Durak, words: tuple[str, ...]) -> None:
    done = durak.run(*words, "--server", "http://127.0.0.1:9")
    told = "nothing listens at http://127.0.0.1:9; start a server with 'durak serve', or check the port [connection_refused]"
    assert (done.returncode, done.stderr) == (1, f"durak {words[0]}: {told}\n")


@pytest.mark.parametrize("name", ["x" * 25, "\x1b[31m", "  "])
def test_a_bad_name(durak: Durak, name: str) -> None:
    done = durak.run("play", "--name", name)
    assert done.returncode == 1
    assert done.stderr.endswith("[bad_name]\n")
    assert "\x1b" not in done.stderr


def test_a_token_that_the_server_does_not_know(durak: Durak, tmp_path: Path) -> None:
    assert durak.run("tables", "create").returncode == 0
    (kept,) = tmp_path.rglob("guests/*.json")
    kept.write_text(kept.read_text().replace('"token":"', '"token":"x'))
    with playing(durak, "--bots", "easy") as player:
        player.printed("^The server does not know your seat any more; you play as a new guest")
        player.printed("^Table")
        player.type("quit")
        assert player.status() == 0


# ---------------------------------------------------------------- durak tables


def test_tables_are_listed(durak: Durak) -> None:
    made = durak.run("tables", "create", "--name", "Friday", "--bots", "easy,normal", "--option", "turn_clock_s=none")
    assert made.returncode == 0, made.stderr
    code = re.search(r"^Table (\w{6}) is made\.\nTake your seat within a minute: durak play (\w{6})$", made.stdout, re.MULTILINE)
    assert code is not None
    assert code[1] == code[2]
    head, *rows = durak.run("tables").stdout.splitlines()
    assert head.split() == ["CODE", "NAME", "PRESET", "STATUS", "TAKEN", "BOTS", "CLOCK", "WATCHING"]
    (row,) = [row for row in rows if row.startswith(code[1])]
    assert row.split() == [code[1], "Friday", "classic", "open", "3/6", "2", "none", "0"]
    assert row.index("classic") == head.index("PRESET")


def test_private_tables_are_not_listed_and_json_is_json(durak: Durak) -> None:
    import json

    made = json.loads(durak.run("tables", "create", "--private", "--json").stdout)
    listed = json.loads(durak.run("tables", "list", "--json").stdout)
    assert made["table"] not in [table["table"] for table in listed]
    assert json.loads(durak.run("tables", "--json").stdout) == listed
