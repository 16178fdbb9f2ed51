"""RULES 4, non-interference: cards that a seat cannot see, exchanged between other hands and the stock, change no byte it receives.

A game is played at random and written down. Then cards that the viewer has not seen in it change places in the pack, the same moves
are made again, and all that the viewer was sent is compared as bytes. An exchange that changes the public history itself is not
meant, and passed over: who begins (RULES 1.4), whether a redeal comes, and, on a table that is not discreet, when an attacker has
nothing to add.
"""

import random

import msgspec
import pytest

from durak.protocol.rules.actions import Beat, Keep, Lead, Pass, Redeal, Take, Throw
from durak.protocol.rules.cards import PACK
from durak.protocol.rules.errors import IllegalAction
from durak.protocol.rules.events import Beaten, BoutBegan, Dealt, Drew, GameEvent, Led, ThrewIn
from durak.protocol.rules.game import Game
from durak.protocol.rules.layout import RANK_IN_ALL_SUITS
from durak.protocol.rules.notation import AnyMove, Move
from durak.protocol.rules.record import carry_out
from durak.protocol.rules.ruleset import Ruleset, ruleset_of
from durak.protocol.rules.view import seen, view_of
from tests.protocol.rules.random_games import random_deck, random_move

pytestmark = pytest.mark.long
ENCODERS = (msgspec.json.encode, msgspec.msgpack.encode)
GAMES = 10


class NotMeant(Exception):
    """The public history is another one after this exchange."""


class Play:
    """A game made from its packs, move by move, and what one viewer receives of it (`None`: a spectator)."""

    def __init__(self, ruleset: Ruleset, players: int, viewer: int | None, decks: list[list[str]]) -> None:
        self.viewer, self.decks = viewer, iter(decks)
        self.received: list[list[bytes]] = []  # one list per step
        self.public: list[object] = []  # what an exchange that is meant leaves as it is
        self.seen_cards: list[set[str]] = []  # by the viewer, one set per pack dealt
        self.game, events = Game.deal(ruleset, next(self.decks), players)
        self.send(events)

    def send(self, events: list[GameEvent]) -> None:
        """After a step the viewer gets what it may know of the events, and its view; and it may try things."""
        told = [seen(event, self.viewer) for event in events]
        messages = [encode(message) for message in (*told, view_of(self.game, self.viewer)) for encode in ENCODERS]
        self.received.append([*messages, b"quiet" if self.game.quiet() else b"", *self.refusals()])
        for event in events:
            self.look(event)
        kernel = self.game.kernel
        self.public.append((self.game.phase, kernel.attacker if kernel.bout else None, self.game.opening_trump))
        if not self.game.ruleset.discreet and kernel.attacks:
            matching = kernel.ranks * RANK_IN_ALL_SUITS
            self.public.append([bool(kernel.hands[seat] & matching) for seat in self.game.throwers])

    def refusals(self) -> list[bytes]:
        """What the viewer is answered to some actions, the same ones at the same step."""
        rng = random.Random(len(self.received))
        card, target = rng.sample(PACK, 2)
        codes = []
        for action in (Lead(card), Throw(card), Beat(card), Beat(card, target), Take(), Pass(), Keep()):
            try:
                self.game.copy().act(-1 if self.viewer is None else self.viewer, action)
                codes.append(b"ok")
            except IllegalAction as refused:
                codes.append(refused.reason.code.encode())
        return codes

    def look(self, event: GameEvent) -> None:
        """Remember the cards that the viewer sees here."""
        match event:
            case Dealt(hands=hands, trump_card=trump_card):
                self.seen_cards.append({trump_card, *(hands[self.viewer] if self.viewer is not None else [])})
            case Drew(seat=seat, cards=cards) if seat == self.viewer:
                self.seen_cards[-1] |= set(cards)
            case Led(card=card) | ThrewIn(card=card) | Beaten(card=card):
                self.seen_cards[-1].add(card)
            case BoutBegan() if self.game.opening_trump is not None:
                self.seen_cards[-1].add(PACK[self.game.opening_trump[1]])
            case _:
                pass

    def make(self, move: AnyMove) -> None:
        """Make a move. Answers of others to a redeal are secret: after an exchange there may be nothing to decline (RULES 3.4)."""
        redeal = isinstance(move, Move) and isinstance(move.action, Redeal)
        if isinstance(move, Move) and isinstance(move.action, Redeal | Keep) and move.seat != self.viewer:
            before = view_of(self.game, self.viewer)
            try:
                events = carry_out(self.game, move, deck=next(self.decks) if redeal else None)
            except IllegalAction:
                if redeal:
                    raise NotMeant from None
                return
            assert [seen(event, self.viewer) for event in events] == [None]
            assert view_of(self.game, self.viewer) == before
        else:
            self.send(carry_out(self.game, move, deck=next(self.decks) if redeal else None))


def exchanged(rng: random.Random, deck: list[str], seen_cards: set[str]) -> list[str]:
    """The pack with two, some or all of the unseen cards in other places."""
    places = [place for place, card in enumerate(deck) if card not in seen_cards]
    chosen = rng.sample(places, min(len(places), rng.choice((2, 2, 2, 3, 5, len(places)))))
    other = list(deck)
    for place, source in zip(chosen, rng.sample(chosen, len(chosen)), strict=True):
        other[place] = deck[source]
    return other


def useful_exchanges(rng: random.Random, ruleset: Ruleset, players: int) -> int:
    """Play one game, exchange cards in its packs again and again, and compare; returns how many exchanges were meant."""
    decks = [random_deck(rng) for _ in range(40)]
    viewer = rng.choice((None, *range(players)))
    first, moves = Play(ruleset, players, viewer, decks), []
    for _ in range(rng.randint(1, 120)):
        if first.game.phase == "over":
            break
        moves.append(random_move(rng, first.game))
        first.make(moves[-1])
    useful = 0
    for _ in range(8 if ruleset.discreet else 20):
        others = [exchanged(rng, deck, cards) for deck, cards in zip(decks, first.seen_cards, strict=False)]
        try:
            second = Play(ruleset, players, viewer, [*others, *decks[len(others) :]])
            for move in moves:
                if second.public != first.public[: len(second.public)]:
                    raise NotMeant
                second.make(move)
            if second.public != first.public:
                raise NotMeant
        except NotMeant:
            continue
        assert second.received == first.received
        useful += others != decks[: len(others)]
    return useful


@pytest.mark.parametrize("discreet", [False, True])
@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("preset", ["classic", "gameweave", "challenge"])
def test_4_unseen_cards_exchanged_change_no_byte(preset: str, players: int, discreet: bool) -> None:
    rng = random.Random(f"{preset} {players} {discreet}")
    ruleset = ruleset_of(preset, {"discreet": discreet})
    useful = sum(useful_exchanges(rng, ruleset, players) for _ in range(GAMES))
    assert useful >= GAMES, "the test tests something"
