"""Settings: the command line counts more than the environment, that more than the file, that more than the default."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from durak.server.operation import settings
from durak.server.operation.settings import SETTINGS, Chosen, ConfigError, choose, settings_of


def chosen(*arguments: str, file: str | None = None, folder: Path | None = None, **environment: str) -> dict[str, Chosen]:
    """Every setting by name."""
    parser = argparse.ArgumentParser()
    settings.add_arguments(parser)
    if file is not None:
        assert folder is not None
        path = folder / "durak.toml"
        path.write_text(file, encoding="utf-8")
        arguments += ("--config", str(path))
    return {one.setting.name: one for one in choose(parser.parse_args(arguments), environment)}


def test_precedence(tmp_path: Path) -> None:
    file = "port = 4\nmax_tables = 4\nbot_seats = 4\n"
    found = chosen("--port", "2", file=file, folder=tmp_path, DURAK_PORT="3", DURAK_MAX_TABLES="3")
    names = ("port", "max_tables", "bot_seats", "max_connections")
    assert [found[name].value for name in names] == [2, 3, 4, 10_000]
    path = str(tmp_path / "durak.toml")
    assert [found[name].source for name in names] == ["--port", "DURAK_MAX_TABLES", path, "default"]


def test_the_file_is_named_by_the_environment_too(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text("port = 1")
    (tmp_path / "b.toml").write_text("port = 2")
    assert chosen(DURAK_CONFIG=str(tmp_path / "a.toml"))["port"].value == 1
    assert chosen("--config", str(tmp_path / "b.toml"), DURAK_CONFIG=str(tmp_path / "a.toml"))["port"].value == 2


def test_every_form_in_every_place(tmp_path: Path) -> None:
    origins = ["https://a.example", "https://b.example"]
    in_file = 'dev = true\norigin = ["https://a.example", "https://b.example"]\nhost = "0.0.0.0"\nport = "1"\n'
    ways = [
        chosen("--dev", "--origin", origins[0], "--origin", origins[1], "--host", "0.0.0.0", "--port", "1"),
        chosen(DURAK_DEV="1", DURAK_ORIGIN=", ".join(origins), DURAK_HOST="0.0.0.0", DURAK_PORT="1"),
        chosen(file=in_file, folder=tmp_path),
    ]
    for way in ways:
        made = settings_of(list(way.values()))
        assert (made.dev, made.origin, made.host, made.port, made.metrics, made.secret) == (
            True,
            origins,
            "0.0.0.0",
            1,
            False,
            None,
        )


def test_an_empty_variable_is_none_and_switches_can_be_off(tmp_path: Path) -> None:
    found = chosen(file="dev = true", folder=tmp_path, DURAK_PORT="", DURAK_DEV="off")
    assert (found["port"].source, found["dev"].value) == ("default", False)


@pytest.mark.parametrize(
    ("file", "code", "words"),
    [
        ("prot = 1", "unknown_setting", "Did you mean port?"),
        ("bot_think_ms = 0", "bad_value", "is no whole number from 1 to 500"),
        ("bot-seats = 1", "unknown_setting", "Did you mean bot_seats?"),
        ("zzzzzz = 1", "unknown_setting", "There are: host, port"),
        ("[server]\nport = 1", "unknown_setting", "'server'"),
        ("port = 70000", "bad_value", "'70000' in port in"),
        ("port = 1.5", "bad_value", "is not a text or a whole number"),
        ("port = true", "bad_value", "is not a text or a whole number"),
        ("dev = 1", "bad_value", "is not true or false"),
        ('origin = "https://a.example"', "bad_value", "is not a list of texts"),
        ('origin = ["*"]', "bad_value", "is no origin"),
        ('log_format = "xml"', "bad_value", "is not auto or json or text"),
        ("port = x", "config_no_toml", "line 1"),
        ('secret = "short"', "weak_secret", "fewer than 16"),
        ("secret = 1.5", "bad_value", "it for secret"),
    ],
)
def test_files_that_can_not_be_used(tmp_path: Path, file: str, code: str, words: str) -> None:
    with pytest.raises(ConfigError) as error:
        chosen(file=file, folder=tmp_path)
    assert error.value.code == code
    assert words in str(error.value)
    assert "short" not in str(error.value) or "Choose a longer" in str(error.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"config_missing: .*No such file"):
        chosen("--config", str(tmp_path / "none.toml"))
    with pytest.raises(ConfigError, match="config_missing: "):
        chosen("--config", str(tmp_path))


def test_secrets_are_no_options_and_are_never_shown() -> None:
    secret = "a-secret-of-decent-length"
    found = chosen(DURAK_SECRET=secret)["secret"]
    assert found.value == secret
    assert secret not in found.shown
    assert all(setting.form == "value" and not setting.flag for setting in SETTINGS if setting.secret)
