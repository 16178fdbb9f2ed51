"""Random tables and random play: any independent options, any legal move, a leaving or a late close now and then."""

import random

from durak.protocol.rules.actions import Beat, Finish, Keep, Lead, Leave, Pass, Take
from durak.protocol.rules.cards import INDEX, PACK
from durak.protocol.rules.events import GameEvent
from durak.protocol.rules.game import Game
from durak.protocol.rules.notation import AnyMove, Move, Step
from durak.protocol.rules.record import carry_out
from durak.protocol.rules.ruleset import PRESETS, Ruleset, ruleset_of

CHOICES = {
    "throw_in": ("all", "attacker_only"),
    "throw_timing": ("any", "all_beaten"),
    "after_take": ("window", "immediate", "none"),
    "first_attacker": ("lowest_trump", "winner_leads"),
    "redeal": (False, True),
    "forfeit_defence": (False, True),
    "epaulettes": (False, True),
    "limit_first_bout": (None, 5),
    "discreet": (False, True),
    "offer_ms": (0, 6_000),
}


def random_ruleset(rng: random.Random) -> Ruleset:
    """A preset with none, some or all of the options that matter without time changed."""
    changed = [option for option in CHOICES if rng.random() < rng.choice((0, 0.2, 0.5))]
    return ruleset_of(rng.choice(list(PRESETS)), {option: rng.choice(CHOICES[option]) for option in changed})


def random_deck(rng: random.Random) -> list[str]:
    """A shuffled pack; every fourth time one that gives long suits, as redeals need them."""
    deck = list(PACK)
    rng.shuffle(deck)
    if rng.random() < 0.25:
        seats = rng.choice((2, 3, 4))
        suit = deck[0][-1]
        long = [card for card in deck if card[-1] == suit][:6]
        rest = [card for card in deck if card not in long]
        for turn, card in enumerate(long):
            rest.insert(turn * seats, card)
        deck = rest
    return deck


def random_deal(rng: random.Random, ruleset: Ruleset, players: int) -> tuple[Game, list[GameEvent]]:
    """A new game with everything random that a deal may be given."""
    return Game.deal(
        ruleset,
        random_deck(rng),
        players,
        first_seat=rng.randrange(players),
        previous_winner=rng.choice((None, rng.randrange(players))),
        persons=[seat for seat in range(players) if rng.random() < 0.7],
    )


def random_ending(rng: random.Random, ruleset: Ruleset, players: int) -> Game:
    """The start of a bout late in a game: few cards in hand, at most a few in the stock, sixes and trumps among them."""
    deck = sorted(PACK, key=lambda card: rng.random() * (0.5 if card[0] == "6" else 1))
    hands = [[deck.pop(0) for _ in range(rng.randint(1, 4))] for _ in range(players)]
    stock = [deck.pop(0) for _ in range(rng.choice((0, 0, 0, 1, 2, 4)))]
    if players > 2 and not stock and rng.random() < 0.2:
        hands[rng.randrange(players)] = []
    attacker = rng.choice([seat for seat in range(players) if hands[seat]])
    trump = stock[-1][-1] if stock else rng.choice("SHDC")
    return Game.position(ruleset, trump=trump, hands=hands, stock=stock, attacker=attacker, bout=rng.randint(1, 9))


def random_move(rng: random.Random, game: Game, *, leaving: float = 0.003, passive: bool = False) -> AnyMove:
    """A legal move, or a step of the driver that is due. Beats are preferred to taking, so that games end.

    With `passive`, seats do what their clocks would do for them (RULES 1.23), so that games do not end.
    """
    staying = [seat for seat in range(game.players) if game.may_leave(seat)]
    if rng.random() < leaving and staying:
        return Move(rng.choice(staying), Leave())
    moves = [Move(seat, action) for seat in range(game.players) for action in game.legal(seat)]
    step = Step.OFFER if game.phase == "redeal" else Step.CLOSE
    if (step is Step.OFFER or game.closable()) and (not moves or rng.random() < (0.7 if game.quiet() else 0.15)):
        return step
    if passive:
        return min(moves, key=lambda move: _urge(game, move))
    weights = [4 if isinstance(move.action, Beat) else 0.5 if isinstance(move.action, Take | Pass) else 1 for move in moves]
    return rng.choices(moves, weights)[0]


def _urge(game: Game, move: Move) -> tuple[int, int]:
    """What a silent seat does comes first: take, pass, finish, keep, the lowest plain lead."""
    match move.action:
        case Take() | Finish() | Keep():
            return 0, 0
        case Pass():
            return 1, 0
        case Lead(card=card):
            return 2, INDEX[card] // 9 + 4 * (INDEX[card] % 9) + 100 * (INDEX[card] // 9 == game.kernel.trump)
        case _:
            return 3, 0


def make(rng: random.Random, game: Game, move: AnyMove) -> list[GameEvent]:
    """Carry out a move, with a random pack in case it asks for a redeal."""
    return carry_out(game, move, deck=random_deck(rng))
