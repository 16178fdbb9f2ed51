"""Random games played by `Game` and by the slow reference (reference.py) side by side, compared after every step.

    python tests/protocol/rules/differential.py --games 50000 --seed 1 --jobs 2

prints one line of progress and, at the first difference, the seed, the position in the project's notation, and what differs.
"""

import argparse
import multiprocessing
import random
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

if __name__ == "__main__":  # as a script: `tests` is found from the project's root
    sys.path.insert(0, str(Path(__file__).parents[3]))

import msgspec

from durak.protocol.rules import bits
from durak.protocol.rules.actions import AnyAction, Beat, Finish, Forfeit, Keep, Lead, Leave, Pass, Redeal, Take, Throw
from durak.protocol.rules.cards import PACK
from durak.protocol.rules.errors import IllegalAction
from durak.protocol.rules.game import Game
from durak.protocol.rules.notation import Move, Step, write_move, write_position
from durak.protocol.rules.result import Score, scored, winner_of
from tests.protocol.rules.random_games import random_deck, random_ending, random_move, random_ruleset
from tests.protocol.rules.reference import Reference, Refused, score

SIMPLE: dict[str, AnyAction] = {
    "take": Take(),
    "pass": Pass(),
    "finish": Finish(),
    "forfeit": Forfeit(),
    "redeal": Redeal(),
    "keep": Keep(),
    "leave": Leave(),
}
NAMES = {type(action): name for name, action in SIMPLE.items()}


class Difference(Exception):
    """The two engines differ."""


def words(action: AnyAction) -> tuple[str, str | None, str | None]:
    """The reference's name of an action, its card and its target."""
    match action:
        case Lead(card=card):
            return "lead", card, None
        case Throw(card=card):
            return "throw", card, None
        case Beat(card=card, target=target):
            return "defend", card, target
    return NAMES[type(action)], None, None


def text(action: AnyAction) -> str:
    """An action as the reference lists it."""
    name, card, target = words(action)
    return f"defend {target} with {card}" if name == "defend" else name if card is None else f"{name} {card}"


def state_of(game: Game) -> dict[str, Any]:
    """What `Reference.state` tells, of a `Game`."""
    kernel, over = game.kernel, game.result
    begun = kernel.bout > 0
    return {
        "phase": game.phase,
        "attacker": kernel.attacker if begun else None,
        "defender": kernel.defender if begun else None,
        "trump": "SHDC"[kernel.trump],
        "trump_card": None if game.trump_card is None else PACK[game.trump_card],
        "hands": [sorted(game.hand(seat)) for seat in range(game.players)],
        "table": [list(pair) for pair in game.table],
        "stock": game.stock,
        "discarded": bits.count(kernel.discard),
        "limit": kernel.limit,
        "taking": kernel.taking,
        "passed": game.seats_in(kernel.passed),
        "out": [seat for group in range(kernel.out_groups) for seat in range(game.players) if kernel.out_rank[seat] == group],
        "left": sorted(game.seats_in(kernel.left), key=lambda seat: kernel.left_order[seat]),
        "bout": kernel.bout,
        "epoch": kernel.epoch,
        "shown_trump": None if game.dealt_trump is None else [game.dealt_trump[0], PACK[game.dealt_trump[1]]],
        "opening_trump": None if game.opening_trump is None else [game.opening_trump[0], PACK[game.opening_trump[1]]],
        "places": [] if over is None else over.places,
        "durak": None if over is None else over.durak,
        "draw": over is not None and over.draw,
        "forfeits": sorted(game.seats_in(kernel.left), key=lambda seat: kernel.left_order[seat]) if over is None else over.forfeits,
        "epaulettes": over is not None and over.giver is not None,
        "giver": None if over is None else over.giver,
    }


def compare(what: str, ours: object, theirs: object) -> None:
    """Raise a `Difference` unless both are equal."""
    if ours != theirs:
        raise Difference(f"{what}: the game has {ours}, the reference {theirs}")


def compare_state(game: Game, reference: Reference) -> None:
    """Raise a `Difference` unless both are in the same position."""
    ours, theirs = state_of(game), reference.state()
    if ours != theirs:
        for part, value in ours.items():
            compare(part, value, theirs[part])
    for seat in range(game.players):
        compare(f"legal actions of seat {seat}", {text(action) for action in game.legal(seat)}, reference.legal(seat))
    compare("quiet", game.quiet(), reference.quiet())


class Match:
    """A series of games of the same seats, played by both engines."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.ruleset = random_ruleset(self.rng)
        self.options = msgspec.to_builtins(self.ruleset)
        self.players = self.rng.choice((2, 2, 3, 3, 4, 5, 6))
        self.first_seat = self.rng.randrange(self.players)
        self.winner: int | None = self.rng.choice((None, self.rng.randrange(self.players)))
        self.scores = [Score()] * self.players
        self.results: list[dict[str, Any]] = []
        self.game: Game | None = None
        self.counts: Counter[str] = Counter()

    def play(self, games: int) -> None:
        """Play these many games; raises `Difference`."""
        for _ in range(games):
            self.one_game()
            self.first_seat = (self.first_seat + 1) % self.players

    def begin(self) -> tuple[Game, Reference]:
        """A new game in both engines: two of three are dealt, the others begin near their end."""
        if self.rng.random() < 1 / 3:
            game = random_ending(self.rng, self.ruleset, self.players)
            reference = Reference.position(
                self.options,
                trump="SHDC"[game.kernel.trump],
                hands=[game.hand(seat) for seat in range(self.players)],
                stock=game.stock,
                attacker=game.kernel.attacker,
                bout=game.kernel.bout,
            )
            return game, reference
        deck = random_deck(self.rng)
        persons = {seat for seat in range(self.players) if self.rng.random() < 0.7}
        game, _ = Game.deal(
            self.ruleset, deck, self.players, first_seat=self.first_seat, previous_winner=self.winner, persons=persons
        )
        reference = Reference.deal(self.options, list(deck), self.players, self.first_seat, self.winner, persons)
        return game, reference

    def one_game(self) -> None:
        """One game to its end, then the score."""
        self.game, reference = game, _ = self.begin()
        passive = self.rng.random() < 0.05
        compare_state(game, reference)
        while game.phase != "over":
            self.counts["steps"] += 1
            for _ in range(self.rng.choice((0, 0, 1, 3))):
                self.try_anything(game, reference)
            if game.phase != "over":
                self.step(game, reference, passive)
                compare_state(game, reference)
        self.count(game)
        assert game.result is not None
        self.winner = winner_of(game.result, self.winner)
        self.scores = scored(self.scores, game.result)
        theirs = reference.state()
        self.results.append(theirs | {"epaulettes": theirs["giver"] is not None})
        totals = score(self.options, self.results, self.players)
        for part in ("wins", "losses", "epaulettes"):
            compare(f"score, {part}", [getattr(seat, part) for seat in self.scores], totals[part])

    def step(self, game: Game, reference: Reference, passive: bool) -> None:
        """A legal move, or the driver's step, in both engines."""
        move = random_move(self.rng, game, passive=passive)
        try:
            match move:
                case Move(seat, action):
                    deck = random_deck(self.rng) if isinstance(action, Redeal) else list(PACK)
                    name, card, target = words(action)
                    game.act(seat, action, deck=deck)
                    reference.act(seat, name, card, target, deck=list(deck))
                case Step.CLOSE:
                    game.close()
                    reference.close()
                case Step.OFFER:
                    game.end_offer()
                    reference.end_offer()
        except (IllegalAction, Refused) as refused:
            raise Difference(f"{write_move(move)}: {type(refused).__name__} {refused}") from None

    def try_anything(self, game: Game, reference: Reference) -> None:
        """Any action that a client could send, mostly refused: both engines agree whether it is."""
        action, seat = self.any_action(game), self.rng.randrange(self.players)
        if self.rng.random() < 0.02:
            seat = self.rng.choice((-1, self.players))
        name, card, target = words(action)
        bout = self.rng.choice((None, game.kernel.bout, game.kernel.bout + self.rng.choice((0, 0, 0, -1, 1))))
        epoch = self.rng.choice((None, game.kernel.epoch, game.kernel.epoch + self.rng.choice((0, 0, 0, -1, 1))))
        if isinstance(action, Leave) and self.rng.random() < 0.98:
            return
        deck = random_deck(self.rng) if isinstance(action, Redeal) else list(PACK)
        ours, theirs = "accepted", "accepted"
        try:
            game.act(seat, action, bout=bout, epoch=epoch, deck=deck)
        except IllegalAction as refused:
            ours = f"refused {refused}"
        try:
            reference.act(seat, name, card, target, bout, epoch, deck=list(deck))
        except Refused as refused:
            theirs = f"refused {refused}"
        self.counts[ours] += 1
        if ours[:7] != theirs[:7]:
            raise Difference(f"{seat} {text(action)}, bout {bout}, epoch {epoch}: the game {ours}, the reference {theirs}")
        if ours == "accepted":
            compare_state(game, reference)
        else:
            compare("state after a refusal", state_of(game), reference.state())

    def any_action(self, game: Game) -> AnyAction:
        """Half of them with cards of some hand or of the table, where refusals are near."""
        cards = [card for seat in range(game.players) for card in game.hand(seat)] if self.rng.random() < 0.5 else list(PACK)
        card = self.rng.choice(cards or list(PACK))
        attacks = [attack for attack, _ in game.table] or list(PACK)
        target = self.rng.choice((None, self.rng.choice(attacks), self.rng.choice(PACK)))
        in_bout: list[AnyAction] = [Throw(card), Throw(card), Beat(card, target), Beat(card, target), Take(), Pass()]
        if game.phase == "bout" and self.rng.random() < 0.7:
            return self.rng.choice(in_bout)
        return self.rng.choice([Lead(card), *in_bout, *SIMPLE.values()])

    def count(self, game: Game) -> None:
        """Remember what kinds of ends there were, so that a run shows what it has tried."""
        assert game.result is not None
        self.counts["games"] += 1
        happened = {
            "repeated": game.kernel.repeated,
            "drawn": game.result.draw,
            "left": bool(game.result.forfeits),
            "epaulettes": game.result.giver is not None,
        }
        self.counts.update(name for name, yes in happened.items() if yes)


def play_series(seed: int) -> tuple[Counter[str], str | None]:
    """One to three games from this seed: what was counted, and the first difference, if any."""
    match = Match(seed)
    try:
        match.play(match.rng.randint(1, 3))
    except Difference as difference:
        assert match.game is not None
        return match.counts, f"seed {seed}\n{write_position(match.game)}\n{difference}"
    return match.counts, None


def run(seeds: Iterable[int], games: int) -> tuple[Counter[str], str | None]:
    """Series from these seeds until so many games are played, or a difference is found and told."""
    counts: Counter[str] = Counter()
    for seed in seeds:
        more, difference = play_series(seed)
        counts += more
        if difference is not None or counts["games"] >= games:
            return counts, difference
    return counts, None


def main(arguments: Sequence[str] | None = None) -> int:
    """The script; 1 if a difference was found."""
    parser = argparse.ArgumentParser(description="Compare Game with the reference on random games.")
    parser.add_argument("--games", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1, help="of the first series; the others follow")
    parser.add_argument("--jobs", type=int, default=1)
    asked = parser.parse_args(arguments)
    counts: Counter[str] = Counter()
    began = time.monotonic()
    with multiprocessing.Pool(asked.jobs) as pool:
        for more, difference in pool.imap_unordered(play_series, range(asked.seed, asked.seed + asked.games)):
            counts += more
            print(f"\r{counts['games']} games, {counts['steps']} steps, {time.monotonic() - began:.0f} s", end="", flush=True)
            if difference is not None:
                print(f"\n{difference}")
                return 1
            if counts["games"] >= asked.games:
                break
    print("\n" + "\n".join(f"{number:>9} {name}" for name, number in sorted(counts.items())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
