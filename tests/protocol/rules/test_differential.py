"""`Game` and the slow reference agree on 2,000 random games; differential.py plays more, and says what they are."""

import pytest

from tests.protocol.rules.differential import run

pytestmark = pytest.mark.long
CHUNKS, GAMES_PER_CHUNK = 8, 250


@pytest.mark.timeout(180)
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_game_and_reference_agree_on_random_games(chunk: int) -> None:
    first = 1_000_000 * (chunk + 1)
    counts, difference = run(range(first, first + GAMES_PER_CHUNK), GAMES_PER_CHUNK)
    assert difference is None, difference
    assert counts["games"] >= GAMES_PER_CHUNK
