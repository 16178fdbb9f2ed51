"""A short run of the fuzzer; ``python -m tests.system.fuzzing.run --frames 1000000`` is the long one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.system.fuzzing.run import OPTIONS, check_memory, fuzz
from tests.system.serving import serving


@pytest.mark.timeout(300)
async def test_no_frame_troubles_a_server_with_games_running(tmp_path: Path) -> None:
    with serving(tmp_path, *OPTIONS) as served:
        report = await fuzz(served, 30_000, seed=7)
    assert report.replies["ok"] > 100
    assert report.replies["bad_message"] > 1_000
    assert {"not_at_a_table", "no_such_table", "already_greeted", "bad_value", "too_large"} <= set(report.replies)


def test_a_server_that_grows_is_told() -> None:
    check_memory([50_000_000] * 3 + [60_000_000] * 8)
    with pytest.raises(AssertionError, match="has grown"):
        check_memory([50_000_000 + 5_000_000 * tenth for tenth in range(11)])
