"""Token buckets: they slow a client down before they close it."""

from collections import OrderedDict
from collections.abc import Callable

FRAMES_PER_S, FRAME_BURST = 20, 60
"""Of one connection."""
GUESTS_PER_S, GUEST_BURST = 1, 30
"""New guests from one address."""


class Bucket:
    """Holds up to `burst` tokens and gains `per_s` a second; time is passed in."""

    __slots__ = ("_at_ms", "_burst", "_per_s", "_tokens")

    def __init__(self, per_s: float, burst: float) -> None:
        self._per_s = per_s
        self._burst = burst
        self._tokens = burst
        self._at_ms = 0

    def wait_ms(self, now_ms: int) -> int:
        """Take a token and return 0, or take none and return how long to wait for one."""
        gained = (now_ms - self._at_ms) * self._per_s / 1_000
        self._tokens = min(self._burst, self._tokens + gained)
        self._at_ms = now_ms
        if self._tokens >= 1:
            self._tokens -= 1
            return 0
        return max(1, int((1 - self._tokens) * 1_000 / self._per_s))


class BucketPerKey:
    """A bucket for each of the last `size` keys, such as addresses."""

    def __init__(self, make: Callable[[], Bucket], size: int = 10_000) -> None:
        self._make = make
        self._size = size
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def wait_ms(self, key: str, now_ms: int) -> int:
        """As `Bucket.wait_ms`, for this key."""
        bucket = self._buckets.pop(key, None) or self._make()
        self._buckets[key] = bucket
        if len(self._buckets) > self._size:
            self._buckets.popitem(last=False)
        return bucket.wait_ms(now_ms)


def frame_bucket() -> Bucket:
    """For the frames of one connection."""
    return Bucket(FRAMES_PER_S, FRAME_BURST)
