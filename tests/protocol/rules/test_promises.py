"""RULES 4: what every preset promises, on random tables: a state machine plays, and checks after every step."""

import random

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from durak.protocol.rules import bits, layout
from durak.protocol.rules.actions import AnyAction, Beat, Lead, Leave, Throw
from durak.protocol.rules.bits import array
from durak.protocol.rules.cards import INDEX, PACK
from durak.protocol.rules.errors import IllegalAction
from durak.protocol.rules.game import Game
from durak.protocol.rules.layout import MOVES
from durak.protocol.rules.notation import WORDS, read_position, write_position
from tests.protocol.rules.playing import everything
from tests.protocol.rules.random_games import make, random_deal, random_ending, random_move, random_ruleset

ALWAYS_NAMED = [action for action in WORDS.values() if not isinstance(action, Leave)]


def every_conceivable_action(game: Game) -> list[AnyAction]:
    """Each card led, thrown in, and laid on each card of the table and on a card that is not there; each word."""
    targets: list[str | None] = [None, "6S", *(attack for attack, _ in game.table)]
    played: list[AnyAction] = [action for card in PACK for action in (Lead(card), Throw(card))]
    return [*played, *(Beat(card, target) for card in PACK for target in targets), *ALWAYS_NAMED]


def kernel_moves(game: Game) -> set[int]:
    """What the kernel itself lists."""
    room = array([0] * MOVES)
    return {room[place] for place in range(game.kernel.legal(room))}


def code_of(game: Game, seat: int, action: AnyAction) -> int:
    """The kernel's number of an action, as kernel.py describes it."""
    match action:
        case Lead(card=card):
            code = INDEX[card]
        case Throw(card=card):
            code = layout.THROW_CODE + INDEX[card]
        case Beat(card=card, target=target):
            slot = [attack for attack, _ in game.table].index(str(target))
            code = layout.BEAT_CODE + 36 * slot + INDEX[card]
        case _:
            code = layout.TAKE_CODE + ["take", "pass", "finish", "forfeit", "redeal", "keep"].index(type(action).__name__.lower())
    return seat << 9 | code


class Promises(RuleBasedStateMachine):
    """One random game. The seed decides everything, so that a failure is one number."""

    @initialize(seed=st.integers(0, 2**32), near_the_end=st.booleans())
    def begin(self, seed: int, near_the_end: bool) -> None:
        self.rng = random.Random(seed)
        ruleset, players = random_ruleset(self.rng), self.rng.randint(2, 6)
        self.game = random_ending(self.rng, ruleset, players) if near_the_end else random_deal(self.rng, ruleset, players)[0]

    @precondition(lambda self: self.game.phase != "over")
    @rule(moves=st.integers(1, 12))
    def play_on(self, moves: int) -> None:
        """Some moves by anybody."""
        for _ in range(moves):
            if self.game.phase != "over":
                make(self.rng, self.game, random_move(self.rng, self.game, leaving=0.01))

    @rule(seat=st.integers(-1, 6), chance=st.floats(0, 1, exclude_max=True))
    def ask_anything(self, seat: int, chance: float) -> None:
        """Any action of any seat: refused with nothing changed, or listed as legal."""
        conceivable = every_conceivable_action(self.game)
        action = conceivable[int(chance * len(conceivable))]
        twin, before = self.game.copy(), everything(self.game)
        try:
            twin.act(seat, action, deck=PACK)
            accepted = True
        except IllegalAction:
            accepted = False
            assert everything(twin) == before
        listed = self.game.legal(seat) if 0 <= seat < self.game.players else []
        if isinstance(action, Beat) and action.target is None:  # may be left out where one beat with that card is listed
            assert accepted == ([beat.card for beat in listed if isinstance(beat, Beat)].count(action.card) == 1)
        else:
            assert accepted == (action in listed)

    @invariant()
    def there_are_36_different_cards(self) -> None:
        game, kernel = self.game, self.game.kernel
        places = [*kernel.hands, sum(1 << INDEX[card] for card in game.stock), kernel.table_cards, kernel.discard]
        assert kernel.table_cards == sum(1 << INDEX[card] for pair in game.table for card in pair if card is not None)
        assert sum(places) == layout.ALL_CARDS
        assert sum(bits.count(place) for place in places) == 36
        assert game.whole()

    @invariant()
    def what_is_listed_is_accepted_and_the_kernel_lists_the_same(self) -> None:
        game, before = self.game, everything(self.game)
        union = set()
        for seat in range(game.players):
            for action in game.legal(seat):
                union.add(code_of(game, seat, action))
                twin = game.copy()
                twin.act(seat, action, bout=game.kernel.bout, epoch=game.kernel.epoch, deck=PACK)
                assert everything(twin) != before
        assert union == kernel_moves(game)
        assert everything(game.copy()) == everything(game) == before, "a copy is equal and independent"

    @invariant()
    def the_notation_says_it_all(self) -> None:
        assert everything(read_position(write_position(self.game))) == everything(self.game)


Promises.TestCase.settings = settings(
    max_examples=120, stateful_step_count=20, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
TestPromises = Promises.TestCase
