"""RULES 1.26 and 5: the options of a table, and what is refused."""

from typing import Any

import msgspec
import pytest

from durak.protocol.rules.notation import read_position, write_position
from durak.protocol.rules.ruleset import PRESETS, OptionRefused, Ruleset, ruleset_of

TABLE_OF_SECTION_5: dict[str, tuple[Any, Any, Any]] = {
    "max_players": (6, 6, 2),
    "throw_in": ("all", "attacker_only", "attacker_only"),
    "throw_timing": ("any", "all_beaten", "all_beaten"),
    "after_take": ("window", "immediate", "window"),
    "window_ms": (8000, None, None),
    "close_ms": (1000, 0, 0),
    "first_attacker": ("lowest_trump", "lowest_trump", "winner_leads"),
    "redeal": (False, False, True),
    "forfeit_defence": (False, False, True),
    "epaulettes": (False, False, True),
    "limit_first_bout": (None, None, None),
    "discreet": (False, False, False),
    "series": (True, True, True),
    "offer_ms": (6000, 6000, 6000),
    "turn_clock_s": (30, 30, 30),
    "bot_delay_ms": ((1500, 3000), (1500, 3000), (1500, 3000)),
}


def refused(preset: str, changes: dict[str, Any]) -> tuple[str, str]:
    with pytest.raises(OptionRefused) as caught:
        ruleset_of(preset, changes)
    return caught.value.code, caught.value.option


@pytest.mark.parametrize("option", TABLE_OF_SECTION_5)
def test_5_presets_have_the_values_of_the_table(option: str) -> None:
    assert tuple(getattr(PRESETS[preset], option) for preset in ("classic", "gameweave", "challenge")) == TABLE_OF_SECTION_5[option]


@pytest.mark.parametrize("preset", PRESETS)
def test_3_4_a_table_with_redeal_on_that_names_no_period_has_six_seconds(preset: str) -> None:
    assert ruleset_of(preset, {"redeal": True}).offer_ms == 6000
    assert ruleset_of(preset, {"redeal": True, "offer_ms": 0}).offer_ms == 0
    assert read_position(f"S | 6S / 7S | rules {preset} redeal=on").ruleset.offer_ms == 6000
    at_once = f"S | 6S / 7S | rules {preset} {'redeal=on ' * (preset != 'challenge')}offer_ms=0"
    assert write_position(read_position(at_once)) == at_once


def test_5_a_preset_without_changes_is_itself() -> None:
    for name, preset in PRESETS.items():
        assert ruleset_of(name, {}) == preset


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("max_players", 2),
        ("throw_in", "attacker_only"),
        ("throw_timing", "all_beaten"),
        ("after_take", "none"),
        ("window_ms", None),
        ("window_ms", 1),
        ("close_ms", 0),
        ("first_attacker", "winner_leads"),
        ("redeal", True),
        ("forfeit_defence", True),
        ("epaulettes", True),
        ("limit_first_bout", 5),
        ("discreet", True),
        ("series", False),
        ("offer_ms", 0),
        ("turn_clock_s", None),
        ("turn_clock_s", 15),
    ],
)
def test_5_each_option_can_be_changed_and_changes_nothing_else(option: str, value: Any) -> None:
    changed = ruleset_of("classic", {option: value})
    assert getattr(changed, option) == value
    assert msgspec.structs.replace(changed, **{option: getattr(PRESETS["classic"], option)}) == PRESETS["classic"]


def test_5_the_bots_delay_is_two_numbers_in_order() -> None:
    assert ruleset_of("classic", {"bot_delay_ms": [0, 0]}).bot_delay_ms == (0, 0)
    assert refused("classic", {"bot_delay_ms": [3000, 1500]}) == ("bad_value", "bot_delay_ms")
    assert refused("classic", {"bot_delay_ms": [3000]}) == ("bad_value", "bot_delay_ms")


@pytest.mark.parametrize(
    ("option", "value"),
    [("transfer", True), ("transfer", "on"), ("jokers", True), ("jokers", 2), ("pack", 52), ("pack", 24), ("pack", "36")],
)
def test_1_26_locked_variants_are_refused(option: str, value: Any) -> None:
    assert refused("classic", {option: value}) == ("variant_locked", option)


@pytest.mark.parametrize(("option", "value"), [("transfer", False), ("transfer", "off"), ("jokers", False), ("pack", 36)])
def test_1_26_their_one_value_may_be_asked_for(option: str, value: Any) -> None:
    assert ruleset_of("classic", {option: value}) == PRESETS["classic"]


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("max_players", 7),
        ("max_players", 1),
        ("max_players", True),
        ("max_players", "6"),
        ("throw_in", "neighbours"),
        ("throw_timing", None),
        ("after_take", "window "),
        ("after_take", None),
        ("window_ms", 0),
        ("window_ms", -1),
        ("window_ms", 8000.5),
        ("close_ms", None),
        ("close_ms", 600_001),
        ("first_attacker", ["lowest_trump"]),
        ("redeal", 1),
        ("redeal", "on"),
        ("limit_first_bout", 4),
        ("limit_first_bout", False),
        ("discreet", None),
        ("offer_ms", -1),
        ("turn_clock_s", 20),
        ("turn_clock_s", 0),
        ("bot_delay_ms", 1500),
        ("bot_delay_ms", None),
    ],
)
def test_5_other_values_are_refused(option: str, value: Any) -> None:
    assert refused("classic", {option: value}) == ("bad_value", option)


def test_5_unknown_options_and_presets_are_refused() -> None:
    assert refused("classic", {"colour": "red"}) == ("unknown_option", "colour")
    assert refused("classic", {"preset": "challenge"}) == ("unknown_option", "preset")
    assert refused("durak", {}) == ("bad_value", "preset")


def test_5_the_culprit_is_named_among_good_ones() -> None:
    assert refused("challenge", {"discreet": True, "throw_in": "nobody", "offer_ms": 0}) == ("bad_value", "throw_in")


def test_4_any_combination_is_a_ruleset() -> None:
    assert isinstance(
        ruleset_of("classic", {"after_take": "none", "forfeit_defence": True, "epaulettes": True, "redeal": True}), Ruleset
    )
