"""The settings of `durak serve`: one table of them, and where the value of each comes from.

The command line counts more than the environment, that more than the file, that more than the default. In the file a setting has
its own name (`bot_seats = 100`), on the command line that of an option (`--bot-seats 100`), in the environment DURAK_BOT_SEATS.

ConfigError   bad_value, unknown_setting, config_missing, config_no_toml, weak_secret
"""

import argparse
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from durak.bots.host.workers import MOST_THINK_MS, MOST_WORKERS, THINK_MS, cores
from durak.server.journal.directory import default_directory
from durak.server.operation.options import folder, host_name, number_up_to, one_of, origin, switch

CONFIG_VARIABLE = "DURAK_CONFIG"
SHORTEST_SECRET = 16


class ConfigError(Exception):
    """The settings can't be used; the text is one line: the stable code, what is wrong, what to do."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(f"{code}: {text}")
        self.code = code


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting. `flag` False: not on the command line, which others on the machine can read."""

    name: str
    default: str
    read: Callable[[str], object]
    help: str
    form: str = "value"
    """value, switch (on or off), or list"""
    flag: bool = True
    secret: bool = False

    @property
    def option(self) -> str:
        """Its option."""
        return "--" + self.name.replace("_", "-")

    @property
    def variable(self) -> str:
        """Its environment variable."""
        return "DURAK_" + self.name.upper()


@dataclass(frozen=True, slots=True)
class Settings:
    """The values, one for each `Setting`."""

    host: str
    port: int
    data: Path
    bot_seats: int
    bot_workers: int
    bot_think_ms: int
    max_connections: int
    max_tables: int
    synchronous: Any  # "FULL" or "NORMAL"
    origin: list[str]
    metrics: bool
    log_format: str
    log_level: str
    dev: bool
    secret: str | None


DURABLE = "FULL survives a power loss, NORMAL only a crash of the process"
THINKING = "what a hard bot may think about a decision, in milliseconds; less while many do"
SETTINGS = (
    Setting("host", "127.0.0.1", host_name, "address to listen on; 0.0.0.0 lets others in your network join"),
    Setting("port", "8080", number_up_to(65_535), "port, 0 = any free one"),
    Setting("data", str(default_directory()), folder, "directory of the games; made if it does not exist"),
    Setting("bot_seats", "2000", number_up_to(100_000), "seats for the server's own bots, 0 = none"),
    Setting("bot_workers", str(cores()), number_up_to(MOST_WORKERS), "processes in which hard bots think, 0 = no hard bots"),
    Setting("bot_think_ms", f"{THINK_MS:.0f}", number_up_to(MOST_THINK_MS, lowest=1), THINKING),
    Setting("max_connections", "10000", number_up_to(1_000_000), "connections at one time"),
    Setting("max_tables", "10000", number_up_to(1_000_000), "tables at one time"),
    Setting("synchronous", "FULL", one_of("FULL", "NORMAL"), DURABLE),
    Setting("origin", "", origin, "also accept browsers from this origin, e.g. https://durak.example", form="list"),
    Setting(
        "metrics", "off", switch, "show /metrics at the port of the players as well; they tell nothing of any hand", form="switch"
    ),
    Setting("log_format", "auto", one_of("auto", "json", "text"), "how to log; auto = text on a terminal, json elsewhere"),
    Setting("log_level", "info", one_of("debug", "info", "warning"), "what to log; debug tells every refusal"),
    Setting("dev", "off", switch, "for developing bots: no rate limits, bots may be as fast as they like", form="switch"),
    Setting("secret", "", str, "what signs the tokens", flag=False, secret=True),
)
NAMES = {setting.name: setting for setting in SETTINGS}
assert list(NAMES) == [field.name for field in fields(Settings)], "each setting has its value"


@dataclass(frozen=True, slots=True)
class Chosen:
    """A setting's value and where it comes from."""

    setting: Setting
    value: object
    source: str

    @property
    def shown(self) -> str:
        """The value as it may be shown."""
        if self.setting.secret:
            return "********" if self.value else "(made at the first start)"
        if isinstance(self.value, bool):
            return "on" if self.value else "off"
        return ",".join(self.value) if isinstance(self.value, list) else str(self.value)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options; what is not given is None."""
    parser.add_argument("--config", metavar="FILE", type=Path, help=f"file with settings, in TOML (or {CONFIG_VARIABLE})")
    for setting in SETTINGS:
        if not setting.flag:
            continue
        text = f"{setting.help} (default {setting.default or 'none'}; or {setting.variable})"
        if setting.form == "switch":
            parser.add_argument(setting.option, action="store_true", default=None, help=text)
        elif setting.form == "list":
            parser.add_argument(setting.option, action="append", type=_argument(setting), metavar="URL", help=text)
        else:
            parser.add_argument(setting.option, type=_argument(setting), help=text)


def _argument(setting: Setting) -> Callable[[str], object]:
    def read(text: str) -> object:
        try:
            return setting.read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(f"{text!r} {error}") from None

    return read


def choose(args: argparse.Namespace, environment: Mapping[str, str]) -> list[Chosen]:
    """The value of every setting. Raises `ConfigError`."""
    named = args.config or environment.get(CONFIG_VARIABLE)
    path = Path(named) if named else None
    written = {} if path is None else _read_file(path)
    chosen = []
    for setting in SETTINGS:
        given = getattr(args, setting.name, None)
        variable = environment.get(setting.variable)
        if given is not None:
            found = Chosen(setting, given, setting.option)
        elif variable or (variable is not None and setting.secret):
            found = Chosen(setting, _value(setting, variable, setting.variable), setting.variable)
        elif setting.name in written:
            found = Chosen(setting, _written(setting, written[setting.name], f"{setting.name} in {path}"), str(path))
        else:
            found = Chosen(setting, None if setting.secret else _value(setting, setting.default, "default"), "default")
        chosen.append(found)
        if setting.secret and isinstance(found.value, str) and len(found.value) < SHORTEST_SECRET:
            what = f"the secret in {found.source} has fewer than {SHORTEST_SECRET} characters"
            raise ConfigError("weak_secret", f"{what}. Choose a longer one, or leave it out.")
    return chosen


def settings_of(chosen: list[Chosen]) -> Settings:
    """The values by name."""
    values: dict[str, Any] = {one.setting.name: one.value for one in chosen}  # each of its own type
    return Settings(**values)


def _value(setting: Setting, text: str, source: str) -> object:
    """What a text means. Raises `ConfigError`."""
    try:
        if setting.form == "list":
            return [setting.read(part.strip()) for part in text.split(",") if part.strip()]
        return setting.read(text)
    except ValueError as error:
        shown = "it" if setting.secret else repr(text)
        raise ConfigError("bad_value", f"{shown} in {source} {error}.") from None


def _written(setting: Setting, value: object, source: str) -> object:
    """What a value of the file means. Raises `ConfigError`."""
    if setting.form == "switch" and isinstance(value, bool):
        return value
    if setting.form == "list" and isinstance(value, list) and all(isinstance(part, str) for part in value):
        return _value(setting, ",".join(value), source)
    if setting.form == "value" and isinstance(value, str | int) and not isinstance(value, bool):
        return _value(setting, str(value), source)
    wanted = {"switch": "true or false", "list": "a list of texts", "value": "a text or a whole number"}[setting.form]
    shown = "it" if setting.secret else repr(value)
    raise ConfigError("bad_value", f"{shown} for {source} is not {wanted}.")


def _read_file(path: Path) -> dict[str, object]:
    try:
        written = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError("config_missing", f"{path} can't be read ({error.strerror}). Name another with --config.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError("config_no_toml", f"{path} is no TOML ({error}). Write lines such as: port = 8080") from None
    for name in written:
        if name not in NAMES:
            nearest = get_close_matches(name.replace("-", "_").lower(), NAMES, n=1, cutoff=0.5)
            hint = f"Did you mean {nearest[0]}?" if nearest else f"There are: {', '.join(NAMES)}."
            raise ConfigError("unknown_setting", f"there is no setting {name!r}, which is in {path}. {hint}")
    return written
