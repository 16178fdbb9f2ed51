"""The events of a game tell the whole of it: a mirror that knows nothing else shows the same hands, table and roles."""

import random

import pytest

from durak.protocol.rules.events import (
    Beaten,
    BoutBegan,
    BoutEnded,
    Dealt,
    Drew,
    GameEvent,
    GameOver,
    GameResult,
    Led,
    Left,
    Passed,
    ThrewIn,
    Took,
    WentOut,
)
from durak.protocol.rules.game import Game
from tests.protocol.rules.random_games import make, random_deal, random_move, random_ruleset


class Mirror:
    """A game as its events tell it."""

    def __init__(self, players: int) -> None:
        self.hands: list[set[str]] = [set() for _ in range(players)]
        self.stock = 0
        self.table: list[list[str]] = []
        self.roles: tuple[int, int, int, int] | None = None
        self.passed: list[int] = []
        self.out: list[list[int]] = []
        self.left: list[int] = []
        self.taking = False
        self.result: GameResult | None = None

    def hear(self, event: GameEvent) -> None:
        """One event."""
        match event:
            case Dealt(hands=hands):
                self.hands = [set(hand) for hand in hands]
                self.stock = 36 - sum(map(len, hands))
            case BoutBegan(bout=bout, attacker=attacker, defender=defender, limit=limit):
                self.roles = (bout, attacker, defender, limit)
            case Led(seat=seat, card=card) | ThrewIn(seat=seat, card=card):
                self.hands[seat].remove(card)
                self.table.append([card])
            case Beaten(seat=seat, target=target, card=card):
                self.hands[seat].remove(card)
                if card[:-1] not in {other[:-1] for pair in self.table for other in pair}:
                    self.passed = []
                self.table[self.table.index([target])].append(card)
            case Took():
                self.taking, self.passed = True, []
            case Passed(seat=seat):
                self.passed.append(seat)
            case BoutEnded(outcome=outcome, seat=seat, cards=cards):
                assert cards == [card for pair in self.table for card in pair]
                if outcome == "taken":
                    self.hands[seat] |= set(cards)
                self.table, self.passed, self.taking = [], [], False
            case Drew(seat=seat, cards=cards):
                self.hands[seat] |= set(cards)
                self.stock -= len(cards)
            case WentOut(seats=seats):
                self.out.append(seats)
            case Left(seat=seat, loss=True):
                self.left.append(seat)
            case GameOver(result=result):
                self.result = result
            case _:
                pass

    def check(self, game: Game) -> None:
        """Compare with the game."""
        kernel = game.kernel
        assert self.hands == [set(game.hand(seat)) for seat in range(game.players)]
        assert self.table == [[card for card in pair if card is not None] for pair in game.table]
        assert self.stock == len(game.stock)
        assert (sorted(self.passed), self.taking) == (game.seats_in(kernel.passed), kernel.taking)
        assert self.out == [
            [seat for seat in range(game.players) if kernel.out_rank[seat] == group] for group in range(kernel.out_groups)
        ]
        assert set(self.left) == set(game.seats_in(kernel.left))
        assert self.result == game.result
        if game.phase in ("lead", "bout", "decide"):
            assert self.roles == (kernel.bout, kernel.attacker, kernel.defender, kernel.limit)


@pytest.mark.parametrize("seed", range(100))
def test_events_tell_the_whole_game(seed: int) -> None:
    rng = random.Random(seed)
    game, events = random_deal(rng, random_ruleset(rng), rng.randint(2, 6))
    mirror = Mirror(game.players)
    while True:
        for event in events:
            mirror.hear(event)
        mirror.check(game)
        if game.phase == "over":
            break
        events = make(rng, game, random_move(rng, game))
    assert mirror.result is not None
    assert sorted(seat for group in mirror.result.places for seat in group) == list(range(game.players))
