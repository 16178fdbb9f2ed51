"""The options of a table and the three presets (RULES section 5)."""

from types import NoneType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from durak.protocol.rules.errors import RulesError
from durak.protocol.rules.layout import FEWEST_PLAYERS, MOST_PLAYERS, PACK_SIZE

RULES_VERSION = "1.0.0"
"""The version of the specification that this package implements; part of every record and journal."""

PresetName = Literal["classic", "gameweave", "challenge"]
ThrowIn = Literal["all", "attacker_only"]
ThrowTiming = Literal["any", "all_beaten"]
AfterTake = Literal["window", "immediate", "none"]
FirstAttacker = Literal["lowest_trump", "winner_leads"]
Milliseconds = Annotated[int, Meta(ge=0, le=600_000)]


class Ruleset(msgspec.Struct, frozen=True):
    """Every option of a table; each does one thing, and any combination is a legal table.

    `None` for `window_ms` is no countdown, for `turn_clock_s` no clock, for `limit_first_bout` no special limit. `close_ms` is the
    "about a second" of an early close before its jitter of 0.7-1.5; `offer_ms` the redeal period, 0 = answers act at once.
    """

    preset: PresetName = "classic"
    max_players: Annotated[int, Meta(ge=FEWEST_PLAYERS, le=MOST_PLAYERS)] = MOST_PLAYERS
    throw_in: ThrowIn = "all"
    throw_timing: ThrowTiming = "any"
    after_take: AfterTake = "window"
    window_ms: Annotated[int, Meta(ge=1, le=600_000)] | None = 8_000
    close_ms: Milliseconds = 1_000
    first_attacker: FirstAttacker = "lowest_trump"
    redeal: bool = False
    forfeit_defence: bool = False
    epaulettes: bool = False
    limit_first_bout: Literal[5] | None = None
    discreet: bool = False
    series: bool = True
    offer_ms: Milliseconds = 6_000
    turn_clock_s: Literal[15, 30, 60] | None = 30
    bot_delay_ms: tuple[Milliseconds, Milliseconds] = (1_500, 3_000)


def _choices(kind: Any) -> tuple[Any, ...]:
    """The values of a type that has few, else none."""
    if kind is bool:
        return False, True
    if kind is NoneType:
        return (None,)
    if get_origin(kind) is Literal:
        return get_args(kind)
    parts = [_choices(part) for part in get_args(kind)] if get_origin(kind) is Union else []
    return tuple(value for part in parts for value in part) if all(parts) else ()


CHOICES: Final[dict[str, tuple[Any, ...]]] = {
    option: values for option, kind in get_type_hints(Ruleset).items() if option != "preset" and (values := _choices(kind))
}
"""What each option may be, of those that are no numbers within a range."""

PRESETS: dict[str, Ruleset] = {
    "classic": Ruleset(),
    "gameweave": Ruleset(
        preset="gameweave",
        throw_in="attacker_only",
        throw_timing="all_beaten",
        after_take="immediate",
        window_ms=None,
        close_ms=0,
    ),
    "challenge": Ruleset(
        preset="challenge",
        max_players=2,
        throw_in="attacker_only",
        throw_timing="all_beaten",
        window_ms=None,
        close_ms=0,
        first_attacker="winner_leads",
        redeal=True,
        forfeit_defence=True,
        epaulettes=True,
    ),
}

LOCKED: dict[str, tuple[Any, ...]] = {"transfer": (False, "off"), "jokers": (False, "off", 0), "pack": (PACK_SIZE,)}
"""Variants that are not played here, with the values that may be asked for (RULES 1.26)."""


class OptionRefused(RulesError):
    """Options that no table can have: `code` is variant_locked, unknown_option or bad_value; `option` names the culprit."""

    def __init__(self, code: str, option: str) -> None:
        super().__init__(code, f"{code}: {option}")
        self.option = option


def ruleset_of(preset: str, changes: dict[str, Any]) -> Ruleset:
    """The preset's ruleset with these options changed.

    Raises `OptionRefused` for a locked variant, an option that does not exist or a value it cannot have.

    >>> ruleset_of("classic", {"throw_in": "attacker_only"}).throw_in
    'attacker_only'
    """
    if preset not in PRESETS:
        raise OptionRefused("bad_value", "preset")
    options = msgspec.to_builtins(PRESETS[preset])
    for option, value in changes.items():
        if option in LOCKED:
            if not any(value is allowed or (value == allowed and type(value) is type(allowed)) for allowed in LOCKED[option]):
                raise OptionRefused("variant_locked", option)
        elif option not in options or option == "preset":
            raise OptionRefused("unknown_option", option)
        else:
            try:
                msgspec.convert({"preset": preset, option: value}, Ruleset)
            except msgspec.ValidationError:
                raise OptionRefused("bad_value", option) from None
            options[option] = value
    low, high = options["bot_delay_ms"]
    if low > high:
        raise OptionRefused("bad_value", "bot_delay_ms")
    return msgspec.convert(options, Ruleset)


def check_ruleset(ruleset: Ruleset) -> None:
    """Raise `OptionRefused` for a ruleset that was put together with a value that its type does not allow."""
    options = msgspec.structs.asdict(ruleset)
    try:
        msgspec.convert(options, Ruleset)
    except msgspec.ValidationError:
        for option, value in options.items():
            ruleset_of("classic", {option: value} if option != "preset" else {})
        raise OptionRefused("bad_value", "preset") from None
