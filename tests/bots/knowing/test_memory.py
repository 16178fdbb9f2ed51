"""What a memory holds is true, and is all that was public."""

from __future__ import annotations

import random

from durak.bots.arena.match import OwnSeat
from durak.bots.bot import bot_named
from durak.bots.knowing.memory import Memory
from durak.protocol.rules.actions import AnyAction, Beat, Lead, Pass, Take, Throw
from durak.protocol.rules.cards import INDEX, set_of
from durak.protocol.rules.events import GameEvent
from durak.protocol.rules.game import Game
from durak.protocol.rules.ruleset import PRESETS
from durak.protocol.rules.view import GameView, seen, view_of
from tests.bots.playing import match, play, shuffled


def test_it_is_right_at_every_moment_of_whole_games() -> None:
    rng = random.Random(2)
    known_cards = 0

    def watch(game: Game, seat: int, view: GameView, memory: Memory, action: AnyAction | None) -> None:
        nonlocal known_cards
        kernel = game.kernel
        assert memory.public.discarded == kernel.discard
        assert memory.stock == view.stock
        assert memory.ranks == kernel.ranks
        assert int(memory.open_cards).bit_count() == kernel.open_cards
        for other in range(game.players):
            assert memory.public.known[other] & ~kernel.hands[other] == 0
            known_cards += int(memory.public.known[other]).bit_count()
        stock = set_of(game.stock)
        assert memory.trump_card & ~stock == 0
        if view.stock:
            assert memory.trump_card == set_of([view.trump_card or ""])

    for number in range(60):
        bots = [bot_named(rng.choice(["easy", "normal", "random"])) for _ in range(2 + number % 5)]
        play(rng.choice(list(PRESETS.values())), shuffled(rng), bots, rng, watch)
    assert known_cards > 1000


class Told:
    """A position, and the memory of seat 0 that is told what happens."""

    def __init__(self, hands: list[str], stock: str, trump: str = "S") -> None:
        self.game = Game.position(PRESETS["classic"], trump=trump, hands=[hand.split() for hand in hands], stock=stock.split())
        self.memory = Memory(0, PRESETS["classic"])
        self.memory.restart(view_of(self.game, 0))

    def act(self, seat: int, action: AnyAction) -> None:
        self.tell(self.game.act(seat, action))

    def close(self) -> None:
        self.tell(self.game.close())

    def tell(self, events: list[GameEvent]) -> None:
        self.memory.observe([told for event in events if (told := seen(event, 0)) is not None], view_of(self.game, 0))


def test_who_takes_is_known_to_hold_it_until_it_is_played() -> None:
    told = Told(["6H 9D", "7D 8D", "6D 7C"], "AS")
    told.act(0, Lead("6H"))
    told.act(1, Take())
    assert told.memory.public.unbeaten[1] == set_of(["6H"])
    told.act(2, Throw("6D"))
    told.close()
    assert told.memory.public.known[1] == set_of(["6H", "6D"])
    told.act(2, Lead("7C"))
    told.act(0, Take())
    told.close()
    told.act(1, Lead("6D"))
    assert told.memory.public.known[1] == set_of(["6H"])


def test_the_last_card_of_the_stock_is_known_in_the_hand_that_drew_it() -> None:
    told = Told(["6H 7H 8H 9H 10H JH", "7D 8D 9D 10D JD QS"], "KC AS")
    told.act(0, Lead("6H"))
    told.act(1, Beat("QS"))
    told.close()
    assert told.memory.public.known[1] == set_of(["AS"])
    assert told.memory.trump_card == 0
    assert told.memory.public.discarded & set_of(["6H", "QS"]) == set_of(["6H", "QS"])


def test_a_pass_declines_the_ranks_on_the_table_until_the_seat_draws() -> None:
    told = Told(["6H 9D 9C 9H 8H KH", "7H 8D 7S 8C JC QC", "7D 7C 10D QD KD AD"], "6C 6D AS")
    told.act(0, Lead("6H"))
    told.act(1, Beat("7H"))
    told.act(2, Pass())
    assert told.memory.public.declined[2] == 1 << INDEX["6H"] % 9 | 1 << INDEX["7H"] % 9
    told.act(0, Pass())
    told.close()
    assert told.memory.public.declined[2] != 0, "it had six cards and drew none"
    assert told.memory.public.declined[0] == 0, "it drew"


def test_a_pass_when_nothing_more_fits_declines_nothing() -> None:
    told = Told(["6H 9D", "7H", "7D 7C"], "")
    told.act(0, Lead("6H"))
    told.act(1, Beat("7H"))
    told.act(2, Pass())
    assert told.memory.public.declined[2] == 0


def test_a_new_deal_forgets() -> None:
    rng = random.Random(1)
    playing = match(PRESETS["classic"], shuffled(rng), [bot_named("normal")] * 3, rng)
    playing.to_the_end()
    seat = playing.seats[0]
    assert isinstance(seat, OwnSeat)
    memory = seat.memory
    assert memory.public.discarded
    game, events = Game.deal(PRESETS["classic"], shuffled(rng), 3)
    memory.observe([told for event in events if (told := seen(event, 0)) is not None], view_of(game, 0))
    assert (memory.public.discarded, sum(memory.public.known), memory.stock) == (0, 0, 18)


def test_with_six_players_the_shown_trump_is_known_at_its_holder() -> None:
    rng = random.Random(1)
    deck = shuffled(rng)
    game, events = Game.deal(PRESETS["classic"], deck, 6)
    memory = Memory(0, PRESETS["classic"])
    memory.observe([told for event in events if (told := seen(event, 0)) is not None], view_of(game, 0))
    assert memory.public.known[5] == set_of([deck[-1]])
