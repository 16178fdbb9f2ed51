"""Normal's weights for each number of players, tuned by play: `python -m durak.bots.training.tuning --players N --write`.

A save-all-trumps heuristic loses to lowest-card play, and weights tuned for two players are poor with four: do not edit by feel;
tune, and measure with `durak arena`.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from durak.bots.search.policy import NORMAL, Policy
from durak.bots.search.weighing import Weights

PLAYERS: Final = (2, 3, 4, 5, 6)

# fmt: off
TUNED: Final[dict[str, tuple[float, ...]]] = {
    # players:                   2                 3                 4                 5                 6
    # stock:                  some     none     some     none     some     none     some     none     some     none
    "trump":            (  12.25,    6.49,   15.87,   10.63,   14.55,   12.35,   10.50,   13.94,   10.68,   14.32),
    "high":             (   0.17,   -0.25,    0.09,   -0.03,    0.05,   -0.13,    0.09,   -0.20,    0.10,   -0.26),
    "power":            (   0.25,   -0.13,   -0.20,    0.07,   -0.25,    0.11,   -0.16,    0.17,   -0.13,    0.08),
    "stock":            (   4.87,    1.16,    2.36,    0.36,    2.39,    0.46,    2.48,    0.30,    2.17,    0.28),
    "lead_worth":       (   1.14,    0.70,    1.18,    1.00,    0.96,    0.83,    0.90,    0.97,    1.00,    0.77),
    "lead_group":       (   1.27,    2.65,    1.25,    0.48,    1.16,    0.27,    1.19,    0.66,    1.14,    0.26),
    "lead_unbeatable":  (   0.20,    0.44,    0.03,    0.33,    0.05,    0.27,   -0.02,    0.32,    0.09,    0.31),
    "lead_void":        (  -0.00,    0.39,    0.15,    0.30,    0.40,    0.39,    0.70,    0.46,    0.76,    0.38),
    "lead_trump":       (   1.97,    1.63,    1.76,   -0.18,    1.28,   -0.17,    1.56,   -0.11,    2.25,   -0.11),
    "throw_base":       (   7.44,   10.35,    7.36,   14.50,    7.09,   11.30,    6.65,   10.46,    8.01,   10.34),
    "throw_late":       (   8.40,   -1.38,    1.34,   -0.00,    1.27,    0.08,    1.29,   -0.08,    1.15,   -0.11),
    "throw_worth":      (   0.36,    0.06,    0.72,    0.38,    0.69,    0.59,    0.67,    0.61,    0.58,    0.61),
    "throw_unbeatable": (   0.01,    0.27,    0.21,    0.40,    0.17,    0.32,    0.04,    0.34,    0.12,    0.34),
    "throw_void":       (   0.09,    0.17,    0.16,    0.33,    0.11,    0.34,    0.10,    0.43,   -0.08,    0.39),
    "throw_table":      (   0.01,    0.02,   -0.05,   -0.10,   -0.06,    0.05,    0.01,   -0.00,    0.05,   -0.00),
    "throw_trump":      (   7.06,    0.96,    6.36,    3.98,    7.09,    3.96,    7.40,    4.47,    6.14,    4.77),
    "throw_far":        (   0.70,    0.03,   -0.24,    0.51,   -0.34,    0.63,   -0.29,    0.81,   -0.41,    0.59),
    "throw_few":        (  -1.02,    0.79,   -1.32,    0.82,   -1.36,    1.51,   -1.21,    1.29,   -1.33,    1.51),
    "give_base":        (   5.82,   16.11,    5.53,    6.41,    5.89,    6.65,    5.74,    6.12,    5.78,    7.06),
    "give_late":        (   0.91,   -0.94,    1.83,   -2.57,    1.27,   -2.62,    1.21,   -2.69,    1.43,   -2.85),
    "give_worth":       (   1.09,    0.33,    0.97,    0.39,    0.91,    0.40,    0.88,    0.36,    1.04,    0.33),
    "give_trump":       (   2.01,   -0.05,    4.06,    0.83,    3.48,    0.93,    4.09,    0.74,    4.00,    0.83),
    "take_base":        (  11.92,   23.98,   17.45,   23.06,   17.90,   22.90,   17.02,   22.61,   19.28,   20.13),
    "take_late":        (   2.03,   -0.91,   -0.17,   -0.54,   -0.05,   -1.02,   -0.07,   -1.53,    0.02,   -1.64),
    "take_cards":       (   0.25,    1.12,    0.53,    1.12,    0.74,    1.46,    0.80,    1.32,    0.80,    1.13),
    "take_worth":       (   0.26,    0.32,   -0.29,    0.19,   -0.37,    0.29,   -0.46,    0.30,   -0.33,    0.27),
    "beat_worth":       (   0.31,    0.22,    0.19,    0.24,    0.24,    0.20,    0.05,    0.26,    0.33,    0.28),
    "beat_exposed":     (   2.10,    1.31,    1.12,    1.31,    1.11,    0.82,    0.97,    1.04,    0.84,    1.07),
    "beat_first":       (   1.12,    2.25,    0.51,    2.04,    0.36,    1.81,    0.49,    1.87,    0.60,    1.50),
    "beat_few":         (   1.56,    6.27,    1.42,    3.11,    1.87,    4.14,    1.80,    3.84,    2.07,    4.39),
}
# fmt: on


def table_of(tuned: Mapping[str, Sequence[float]]) -> str:
    """The table above, as it stands in this file."""
    lines = ["TUNED: Final[dict[str, tuple[float, ...]]] = {"]
    lines.append(f"    # players:           {''.join(f'{players:9}         ' for players in PLAYERS)}".rstrip())
    lines.append(f"    # stock:             {'     some     none' * len(PLAYERS)}".rstrip())
    for name, values in tuned.items():
        numbers = ", ".join(f"{value:7.2f}" for value in values)
        lines.append(f"    {f'{chr(34)}{name}{chr(34)}:':19} ({numbers}),")
    return "\n".join([*lines, "}"]) + "\n"


def _column(number: int) -> Weights:
    return Weights({name: values[number] for name, values in TUNED.items()})


_FOR: Final = {players: (_column(2 * group), _column(2 * group + 1)) for group, players in enumerate(PLAYERS)}


def weights_for(players: int, *, stock: bool) -> Weights:
    """The weights for a game that began with so many players, while stock remains or not."""
    some, none = _FOR[players]
    return some if stock else none


def policy_for(players: int, kind: int = NORMAL) -> Policy:
    """Normal, or another kind of policy (search/policy.py), in a game that began with so many players."""
    return Policy(kind, *_FOR[players])
