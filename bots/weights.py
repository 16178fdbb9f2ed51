"""Normal's weights for each number of players, tuned by play against Greedy and Cheap with the cross-entropy method.

A save-all-trumps heuristic loses to lowest-card play, and weights tuned for two players are poor with four: do not edit by feel;
measure with `durak arena`.
"""

from typing import Final

from durak.bots.weighing import Weights

# fmt: off
TUNED: Final[dict[str, tuple[float, ...]]] = {
    # players:                      2                 3                 4                5-6
    # stock:                   some     none     some     none     some     none     some     none
    "trump":            (  11.61,    6.53,   10.64,   10.82,   10.63,   10.97,   10.41,   11.01),
    "high":             (   0.27,   -0.25,    0.14,   -0.03,    0.16,   -0.06,    0.11,   -0.14),
    "power":            (   0.24,   -0.14,   -0.27,   -0.06,   -0.25,   -0.06,   -0.20,   -0.02),
    "stock":            (   4.17,    1.22,    2.14,    0.53,    2.07,    0.50,    2.14,    0.47),
    "lead_worth":       (   1.03,    0.94,    1.06,    0.99,    0.99,    1.01,    1.03,    0.99),
    "lead_group":       (   1.40,    2.54,    1.12,    0.58,    1.11,    0.55,    1.10,    0.50),
    "lead_unbeatable":  (   0.18,    0.32,   -0.04,    0.25,   -0.01,    0.21,   -0.00,    0.25),
    "lead_void":        (  -0.02,    0.42,    0.12,    0.29,    0.49,    0.31,    0.69,    0.34),
    "lead_trump":       (   2.02,    1.42,    1.65,   -0.12,    1.74,   -0.19,    1.64,   -0.16),
    "throw_base":       (   7.99,   10.12,    7.34,   11.73,    7.39,   11.73,    7.38,   11.63),
    "throw_late":       (   7.65,   -1.19,    1.43,    0.06,    1.27,    0.11,    1.28,   -0.03),
    "throw_worth":      (   0.39,    0.09,    0.64,    0.36,    0.64,    0.34,    0.66,    0.45),
    "throw_unbeatable": (  -0.01,    0.40,    0.16,    0.35,    0.09,    0.40,    0.07,    0.32),
    "throw_void":       (   0.09,    0.17,    0.06,    0.22,    0.05,    0.25,    0.01,    0.29),
    "throw_table":      (   0.03,    0.02,    0.01,    0.02,   -0.00,    0.08,    0.04,    0.09),
    "throw_trump":      (   5.99,    0.97,    6.26,    4.08,    6.31,    4.10,    6.18,    4.13),
    "throw_far":        (   0.68,    0.10,   -0.23,    0.62,   -0.27,    0.60,   -0.28,    0.63),
    "throw_few":        (  -0.97,    0.71,   -1.48,    0.73,   -1.45,    1.30,   -1.26,    1.36),
    "give_base":        (   5.63,   16.87,    5.61,    6.65,    5.59,    6.91,    5.48,    6.44),
    "give_late":        (   0.91,   -0.89,    1.53,   -2.43,    1.21,   -2.41,    1.19,   -2.64),
    "give_worth":       (   0.85,    0.40,    0.93,    0.38,    0.92,    0.40,    0.95,    0.38),
    "give_trump":       (   1.84,   -0.10,    3.87,    0.94,    3.67,    0.90,    3.70,    0.85),
    "take_base":        (  13.88,   25.57,   19.32,   23.37,   18.97,   23.09,   18.33,   23.09),
    "take_late":        (   1.88,   -1.10,   -0.25,   -0.65,   -0.12,   -0.98,   -0.06,   -1.59),
    "take_cards":       (   0.21,    1.17,    0.60,    1.23,    0.68,    1.26,    0.84,    1.26),
    "take_worth":       (   0.23,    0.28,   -0.37,    0.20,   -0.35,    0.20,   -0.38,    0.22),
    "beat_worth":       (   0.46,    0.18,    0.33,    0.22,    0.37,    0.26,    0.33,    0.20),
    "beat_exposed":     (   1.66,    1.11,    1.07,    1.03,    1.13,    0.89,    1.07,    0.93),
    "beat_first":       (   1.01,    1.98,    0.31,    1.78,    0.37,    1.75,    0.45,    1.63),
    "beat_few":         (   1.35,    5.79,    1.95,    3.57,    2.01,    3.77,    2.03,    3.87),
}
# fmt: on


def _column(number: int) -> Weights:
    return Weights({name: values[number] for name, values in TUNED.items()})


_FOR: Final = [(_column(2 * group), _column(2 * group + 1)) for group in range(4)]


def weights_for(players: int, *, stock: bool) -> Weights:
    """The weights for a game that began with so many players, while stock remains or not."""
    some, none = _FOR[min(max(players, 2), 5) - 2]
    return some if stock else none
