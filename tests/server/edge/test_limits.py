"""Buckets: they fill with time, hold no more than the burst, and are kept per key."""

from __future__ import annotations

from durak.server.edge.limits import Bucket, BucketPerKey


def test_a_burst_passes_and_the_next_waits() -> None:
    bucket = Bucket(per_s=2, burst=3)
    assert [bucket.wait_ms(1_000) for _ in range(3)] == [0, 0, 0]
    assert bucket.wait_ms(1_000) == 500
    assert bucket.wait_ms(1_499) == 1
    assert bucket.wait_ms(1_500) == 0


def test_waiting_takes_nothing() -> None:
    bucket = Bucket(per_s=1, burst=1)
    assert bucket.wait_ms(0) == 0
    assert [bucket.wait_ms(10 * at) for at in range(1, 90)][-1] > 0
    assert bucket.wait_ms(1_000) == 0


def test_a_long_silence_fills_it_to_the_burst_only() -> None:
    bucket = Bucket(per_s=10, burst=2)
    bucket.wait_ms(0)
    assert [bucket.wait_ms(10**9) for _ in range(3)][:2] == [0, 0]
    assert bucket.wait_ms(10**9) > 0


def test_each_key_has_its_own() -> None:
    buckets = BucketPerKey(lambda: Bucket(1, 1))
    assert buckets.wait_ms("a", 0) == 0
    assert buckets.wait_ms("b", 0) == 0
    assert buckets.wait_ms("a", 0) > 0


def test_the_longest_unused_is_forgotten() -> None:
    buckets = BucketPerKey(lambda: Bucket(0.001, 1), size=2)
    for key in ("a", "b"):
        buckets.wait_ms(key, 0)
    assert buckets.wait_ms("a", 0) > 0
    buckets.wait_ms("c", 0)
    assert buckets.wait_ms("a", 0) > 0, "used again before b"
    assert buckets.wait_ms("b", 0) == 0
