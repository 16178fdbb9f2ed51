"""How long to wait before the next attempt: exponential with full jitter, so that many clients do not come back at once."""

import random
import re
from typing import Final

BASE_S: Final = 0.25
CAP_S: Final = 8.0
LONGEST_WAIT_S: Final = 300.0
_RETRY_AFTER = re.compile(r"retry[_-]after(_ms|_s)?\W*(\d+(?:\.\d+)?)", re.IGNORECASE)


class Backoff:
    """Counts failures in a row."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._failures = 0

    def reset(self) -> None:
        """A connection has stood."""
        self._failures = 0

    def next_s(self, retry_after_s: float = 0.0) -> float:
        """Seconds to wait now; never less than the server has asked for."""
        ceiling: float = min(CAP_S, BASE_S * 2.0 ** min(self._failures, 16))
        self._failures += 1
        return min(max(retry_after_s, 0.0), LONGEST_WAIT_S) + self._rng.uniform(0, ceiling)


def retry_after_s(text: str) -> float:
    """Seconds that a close reason or a `Retry-After` value asks to wait, 0 if it does not.

    >>> retry_after_s("restarting; retry_after_ms=1500"), retry_after_s("retry_after: 2"), retry_after_s("bye")
    (1.5, 2.0, 0.0)
    """
    found = _RETRY_AFTER.search(text)
    if found is None:
        return 0.0
    unit, number = found.groups()
    return float(number) / (1000 if unit and unit.lower() == "_ms" else 1)
