"""The machine's Redis and browser, as the system tests get them; what one room's tests do without."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
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


ROOM = ("playwright", "matplotlib")
"""What the tests of most rooms do without."""


def pytest_without(packages: tuple[str, ...], folder: Path, *tests: str) -> str:
    """What `pytest` prints where there is no xdist and these packages cannot be imported."""
    for package in packages:
        (folder / package).mkdir()
        (folder / package / "__init__.py").write_text("raise ImportError")
    command = (sys.executable, "-m", "pytest", "-p", "no:xdist", "-p", "no:cacheprovider", "-q", *tests)
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("DURAK_", "PYTEST_", "COV"))}
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**inherited, "PYTHONPATH": str(folder)}, timeout=50
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("tests", ["tests/protocol/rules/test_classic_defence.py", "tests/server/table/test_series.py"])
def test_a_rooms_tests_run_without_xdist_browser_and_plots(tests: str, tmp_path: Path) -> None:
    assert " passed" in pytest_without(ROOM, tmp_path, tests)


@pytest.mark.usefixtures("chromium_path")
def test_what_needs_a_browser_or_plots_is_skipped_without(tmp_path: Path) -> None:
    shown = pytest_without(ROOM, tmp_path, "tests/system/web/test_presets.py", "tests/bots/arena/test_curve.py")
    assert "no playwright here: pip install" in shown
    assert "no matplotlib here: pip install" in shown
    assert " passed" not in shown
