"""The `durak` command's front door: it teaches, stays quick, and never shows a traceback."""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable
from importlib import metadata
from types import SimpleNamespace

import pytest

from durak.clients import dispatch


@pytest.fixture
def echo(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A subcommand `durak echo --count N`; a test may replace its `run`."""

    def add_arguments(parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--count", type=int, default=0)

    module = SimpleNamespace(add_arguments=add_arguments, run=lambda args: args.count)
    monkeypatch.setitem(sys.modules, "durak.echo", module)
    monkeypatch.setitem(dispatch.COMMANDS, "echo", dispatch.Command("durak.echo", "say it again"))
    return module


def fails_with(error: BaseException) -> Callable[[argparse.Namespace], int]:
    def run(args: argparse.Namespace) -> int:
        raise error

    return run


@pytest.mark.parametrize("argv", [[], ["--help"], ["-h"]])
def test_help_names_every_command(argv: list[str]) -> None:
    command = [sys.executable, "-m", "durak.clients.dispatch", *argv]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    for name, entry in dispatch.COMMANDS.items():
        assert f"  {name} " in out
        assert entry.help in out


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert dispatch.main(["--version"]) == 0
    assert capsys.readouterr().out.startswith(f"durak {metadata.version('durak')} ")


def test_help_loads_no_subcommand_and_no_library() -> None:
    script = (
        "import sys; from durak.clients.dispatch import main; main([]);"
        "print({'asyncio', 'aiohttp', 'websockets', 'durak.server', 'durak.bots', 'durak.protocol'} & set(sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.endswith("set()\n")


def test_a_subcommands_status_is_the_exit_status(echo: SimpleNamespace) -> None:
    assert dispatch.main(["echo", "--count", "3"]) == 3


def test_a_misspelt_command_is_refused_with_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert dispatch.main(["serv"]) == 2
    assert "Did you mean 'durak serve'?" in capsys.readouterr().err


def test_an_unknown_command_is_refused_with_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert dispatch.main(["xyzzy"]) == 2
    assert "serve, play, tables" in capsys.readouterr().err


def test_a_misspelt_option_is_refused_with_the_nearest(echo: SimpleNamespace, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        dispatch.main(["echo", "--cuont=3"])
    err = capsys.readouterr().err
    assert "Did you mean --count?" in err
    assert "Try 'durak echo --help'." in err


def test_a_bad_value_is_refused(echo: SimpleNamespace, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        dispatch.main(["echo", "--count", "many"])
    assert "argument --count: invalid int value: 'many'" in capsys.readouterr().err


def test_a_subcommand_can_refuse_its_options_itself(echo: SimpleNamespace, capsys: pytest.CaptureFixture[str]) -> None:
    echo.run = lambda args: args.usage_error("--count and --all exclude each other")
    with pytest.raises(SystemExit, match="2"):
        dispatch.main(["echo"])
    assert capsys.readouterr().err.startswith("durak echo: --count and --all exclude each other.")


def test_a_bug_is_told_in_words(echo: SimpleNamespace, capsys: pytest.CaptureFixture[str]) -> None:
    echo.run = fails_with(ValueError("37 cards"))
    assert dispatch.main(["echo"]) == 1
    err = capsys.readouterr().err
    assert "this is a bug in durak (ValueError: 37 cards)" in err
    assert "Traceback" not in err


def test_the_systems_refusal_is_told_in_its_words(echo: SimpleNamespace, capsys: pytest.CaptureFixture[str]) -> None:
    echo.run = fails_with(PermissionError(13, "Permission denied", "/games.sqlite3"))
    assert dispatch.main(["echo"]) == 1
    assert capsys.readouterr().err == "durak echo: Permission denied: /games.sqlite3\n"


def test_control_c_ends_quietly(echo: SimpleNamespace, capsys: pytest.CaptureFixture[str]) -> None:
    echo.run = fails_with(KeyboardInterrupt())
    assert dispatch.main(["echo"]) == 130
    assert capsys.readouterr().err == ""


def test_a_command_still_to_come_is_said_to_be(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(dispatch.COMMANDS, "later", dispatch.Command("durak.clients.later", "to come"))
    assert dispatch.main(["later"]) == 1
    assert "not in this version yet" in capsys.readouterr().err
