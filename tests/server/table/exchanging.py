"""Whole games played twice: as they were, and with cards exchanged that a viewer has never seen (RULES section 4)."""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from durak.protocol.codec import JSON, MSGPACK
from durak.protocol.messages import Started, TableState, TimedOut, Update
from durak.protocol.rules.actions import Beat, Lead, Redeal, Throw
from durak.protocol.rules.cards import PACK
from durak.protocol.rules.errors import IllegalAction
from durak.protocol.rules.events import BoutBegan, Led
from durak.protocol.rules.layout import RANK_IN_ALL_SUITS
from durak.protocol.rules.ruleset import Ruleset
from durak.server.edge.refusals import error_for
from durak.server.live.outcome import refused_as
from durak.server.table import inputs as i
from durak.server.table.chairs import Refused
from durak.server.table.machine import Table
from durak.server.table.seating import AnyEvent
from durak.server.table.view import Views, history_seen_by, seen_by
from tests.server.table.driving import NAMES, Driven, run
from tests.server.table.random_tables import legal_play, random_play

CARD = re.compile(rb'"((?:10|[6-9JQKA])[SHDC])"')


class Dealing:
    """The deck of the game, another one for redeals, and numbers that depend on nothing but the seed."""

    def __init__(self, deck: Sequence[str], seed: int) -> None:
        self._decks = [list(deck), list(deck)]  # creating the table and starting the game each bring one
        self._rng = random.Random(seed)

    def number(self) -> int:
        return self._rng.getrandbits(40)

    def deck(self) -> list[str]:
        return self._decks.pop() if self._decks else list(reversed(PACK))


@dataclass
class Script:
    """What came in and when, from the start of a game."""

    rules: Ruleset
    players: int
    deck: list[str]
    seed: int
    inputs: list[tuple[int, i.AnyInput]] = field(default_factory=list)
    refused_cards: set[int] = field(default_factory=set)
    """Places of inputs by which somebody failed to play a card."""

    def until(self, share: float, viewer: str | None) -> list[tuple[int, i.AnyInput]]:
        """The first of the inputs, without others' failures to play a card: with another hand they might not fail."""
        return [
            (at_ms, given)
            for place, (at_ms, given) in enumerate(self.inputs[: int(len(self.inputs) * share)])
            if place not in self.refused_cards or (isinstance(given, i.ByPlayer) and given.player == viewer)
        ]


class Watched(Driven):
    """A table that notes every frame a viewer gets, and whatever may make a difference between two games (RULES section 4)."""

    def __init__(self, script: Script, deck: Sequence[str], viewer: str | None) -> None:
        super().__init__(Table("TABLE1"), Dealing(deck, script.seed))
        self.viewer = viewer
        self.frames: list[tuple[int, bytes, bytes]] = []
        self.nothing_to_add: list[tuple[bool, ...]] = []
        self.causes: list[Any] = []
        self._history: list[tuple[int, list[AnyEvent]]] = []
        self.submit(i.CreateTable("ann", "create", "ann", "A table", script.rules, True, False, False, []))
        run(self, " ".join(f"{name}:sit" for name in NAMES[1 : script.players]) + " ann:start")

    def _step(self, given: i.AnyInput, at_ms: int) -> list[AnyEvent]:
        before = self.table
        events = super()._step(given, at_ms)
        seen, public = seen_by(events, self.table.seat_of_player(self.viewer)), seen_by(events, None)
        if seen or public:
            views = Views(self.table, at_ms)
            self._note(at_ms, Update(self.table.seq, seen, views.change_of(self.viewer, views.seating_since(before))))
        if any(isinstance(event, Started) for event in events):
            self._history.clear()
        self._history.append((self.table.seq, events))
        kernel = None if self.table.game is None else self.table.game.kernel
        if kernel is not None:
            wanted = kernel.ranks * RANK_IN_ALL_SUITS
            self.nothing_to_add.append(tuple(not kernel.hands[seat] & wanted for seat in range(kernel.players)))
        for previous, event in zip([None, *events], events, strict=False):
            if (isinstance(event, BoutBegan) and event.bout == 1) or (isinstance(event, Led) and isinstance(previous, TimedOut)):
                self.causes.append((event, self.game.opening_trump))
        if isinstance(given, i.Play) and isinstance(given.action, Redeal):
            self.causes.append(at_ms)
        return events

    def _note(self, at_ms: int, message: Any) -> None:
        self.frames.append((at_ms, JSON.encode(message), MSGPACK.encode(message)))

    def replay(self, inputs: Sequence[tuple[int, i.AnyInput]]) -> "Watched":
        """Submit these inputs at their times; at the end the viewer attaches afresh and asks for all it has missed."""
        for at_ms, given in inputs:
            self.wait(at_ms - self.now_ms)
            try:
                self.submit(given)
            except (Refused, IllegalAction) as refusal:
                if isinstance(given, i.ByPlayer) and given.player == self.viewer:
                    self._note(at_ms, error_for(refused_as(refusal, self.table, given.player), given.cid))
        seat = self.table.seat_of_player(self.viewer)
        missed = history_seen_by(self._history, seat, 0)
        view = Views(self.table, self.now_ms).of(self.viewer)
        self._note(self.now_ms, TableState(self.table.seq, "events", missed, 0, view))
        return self

    def cards_seen(self) -> set[str]:
        """Every card that the viewer has ever been told of."""
        return {card.decode() for _, frame, _ in self.frames for card in CARD.findall(frame)}


def play_game(rules: Ruleset, players: int, seed: int, most: int = 160) -> Script:
    """A random game: mostly legal actions at random moments, refused ones, automatic passes, connections lost."""
    rng = random.Random(seed)
    deck = list(PACK)
    rng.shuffle(deck)
    script = Script(rules, players, deck, seed)
    driven = Watched(script, deck, None)
    while driven.table.status == "playing" and len(script.inputs) < most:
        driven.wait(rng.choice((0, 1, 300, 900, 900, 2_000, 2_000, 4_000, 8_000)))
        if driven.table.status != "playing":
            break
        given = some_input(rng, driven, f"c{len(script.inputs)}")
        if given is not None:
            script.inputs.append((driven.now_ms, given))
            try:
                driven.submit(given)
            except (Refused, IllegalAction):
                if isinstance(given, i.Play) and isinstance(given.action, Lead | Throw | Beat):
                    script.refused_cards.add(len(script.inputs) - 1)
    return script


def some_input(rng: random.Random, driven: Driven, cid: str) -> i.AnyInput | None:
    """One input of a random game."""
    player = NAMES[rng.randrange(len(driven.table.chairs))]
    match rng.choices(("legal", "any", "auto", "drop", "return", "rise"), (80, 12, 8, 1, 3, 0.3))[0]:
        case "legal":
            return legal_play(rng, driven, cid)
        case "any":
            return random_play(rng, driven, player, cid)
        case "auto":
            return i.SetAutoPass(player, cid, rng.random() < 0.8)
        case "drop":
            return i.Dropped(player)
        case "return":
            return i.Returned(player)
        case _:
            return i.Rise(player, cid)


def exchanged(rng: random.Random, deck: Sequence[str], unseen: Sequence[str], *, two: bool) -> list[str]:
    """The deck with two of these cards exchanged, or with all of them in another order."""
    cards = rng.sample(list(unseen), 2) if two else list(unseen)
    others = cards[::-1] if two else rng.sample(cards, len(cards))
    instead = dict(zip(cards, others, strict=True))
    return [instead.get(card, card) for card in deck]


def comparable(here: Watched, there: Watched) -> bool:
    """True if the exchange is one that section 4 means.

    Who begins, the opening trump and what a silent seat leads follow from hidden cards and are public; so is a redeal. On a
    table that is not discreet, neither may any attacker's "nothing to add" differ.
    """
    if here.causes != there.causes:
        return False
    return here.table.rules.discreet or all(
        mine == other for mine, other in zip(here.nothing_to_add, there.nothing_to_add, strict=False)
    )
