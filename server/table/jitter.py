"""By how much delays differ: what would tell of a hand by being always the same, or would let all act at once."""

from typing import NewType

AUTO_PASS_DELAY_MS = (1_500, 3_000)
"""Shortest and longest."""

Jitter = NewType("Jitter", int)
"""A random number below 2**40, drawn for an input without looking at any card.

Two things are taken from it: the early close from what it is modulo 801, the automatic passes from its thousands.
"""
NO_JITTER = Jitter(300)
"""With this an early close takes exactly `close_ms`."""
SHORTEST = Jitter(0)
"""For delays that begin because somebody comes or goes."""


def closing_delay_ms(close_ms: int, jitter: Jitter) -> int:
    """The "about a second" of an early close: 0.7 to 1.5 of `close_ms` (RULES 1.14)."""
    return close_ms * (700 + jitter % 801) // 1_000


def auto_pass_delay_ms(jitter: Jitter, seat: int) -> int:
    """A delay for a seat's automatic pass, another one for every seat."""
    low, high = AUTO_PASS_DELAY_MS
    return low + (jitter // 1_000 + 397 * seat) % (high - low + 1)
