"""The machine's Redis and browser, as the system tests get them."""

from __future__ import annotations

import subprocess

from redis import Redis


def test_redis_is_real_and_has_functions(redis_url: str) -> None:
    with Redis.from_url(redis_url) as redis:
        redis.function_load("#!lua name=probe\nredis.register_function('seven', function() return 7 end)")
        assert redis.fcall("seven", 0) == 7


def test_redis_is_empty_for_the_next_test(redis_url: str) -> None:
    with Redis.from_url(redis_url) as redis:
        assert redis.dbsize() == 0
        assert redis.function_list() == []


def test_chromium_answers(chromium_path: str) -> None:
    assert subprocess.run([chromium_path, "--version"], capture_output=True, check=True).stdout
