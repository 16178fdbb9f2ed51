"""RULES section 4: exchanging cards that a seat cannot see changes no byte, size, order or time of what it receives."""

import random

import pytest

from durak.protocol.rules.ruleset import Ruleset, ruleset_of
from tests.protocol.rules.random_games import CHOICES
from tests.server.table.driving import NAMES
from tests.server.table.exchanging import Script, Watched, comparable, exchanged, play_game

pytestmark = pytest.mark.long
GAMES = range(3)
PREFIXES = (0.1, 0.3, 0.5)
EXCHANGES = 3


def exchanges(script: Script, rng: random.Random) -> list[tuple[Watched, Watched]]:
    """The game up to some moments, as two viewers saw it, beside the same with unseen cards exchanged."""
    pairs = []
    for viewer in (rng.choice(NAMES[: script.players]), rng.choice((*NAMES[: script.players], None))):
        for prefix in PREFIXES:
            inputs = script.until(prefix, viewer)
            here = Watched(script, script.deck, viewer).replay(inputs)
            unseen = sorted(set(script.deck) - here.cards_seen())
            if len(unseen) < 2:
                continue
            for number in range(EXCHANGES):
                deck = exchanged(rng, script.deck, unseen, two=number > 0)
                pairs.append((here, Watched(script, deck, viewer).replay(inputs)))
    return pairs


def compare(rules: Ruleset, players: int, seed: int) -> int:
    """Compare a game with its exchanges; returns how many there were to compare that have changed another seat's hand."""
    compared = 0
    for here, there in exchanges(play_game(rules, players, seed), random.Random(seed)):
        if comparable(here, there):
            compared += here.game.kernel.hands != there.game.kernel.hands
            assert there.frames == here.frames
    return compared


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("discreet", [False, True], ids=["open", "discreet"])
@pytest.mark.parametrize("preset", ["classic", "gameweave", "challenge"])
def test_exchanging_unseen_cards_changes_nothing(preset: str, discreet: bool, players: int) -> None:
    rules = ruleset_of(preset, {"max_players": players, "discreet": discreet})
    assert sum(compare(rules, players, seed) for seed in GAMES) >= 1


@pytest.mark.parametrize("seed", range(16))
def test_exchanging_unseen_cards_changes_nothing_whatever_the_options(seed: int) -> None:
    rng = random.Random(seed)
    options = {name: rng.choice(values) for name, values in CHOICES.items() if rng.random() < 0.5 and name != "offer_ms"}
    players = rng.randint(2, 6)
    options |= {"max_players": players, "offer_ms": 6_000, "discreet": rng.random() < 0.7}
    options |= {"window_ms": rng.choice((None, 8_000)), "turn_clock_s": rng.choice((None, 15, 30))}
    compare(ruleset_of(rng.choice(("classic", "gameweave", "challenge")), options), players, seed)


def test_these_tests_would_notice_a_difference() -> None:
    """On a table that is not discreet, the time of closing tells an attacker's "nothing to add"."""
    differing = 0
    for seed in range(6):
        script = play_game(ruleset_of("classic", {"max_players": 4}), 4, seed)
        for here, there in exchanges(script, random.Random(seed)):
            differing += here.causes == there.causes and here.frames != there.frames
    assert differing >= 1
