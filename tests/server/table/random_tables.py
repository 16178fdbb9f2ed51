"""Random tables: any options, any input at any time, sensible or not, and what must hold all the same."""

import random
import re
from collections.abc import Iterator
from typing import Any

import msgspec

from durak.protocol.codec import JSON
from durak.protocol.messages import Update, ViewChange
from durak.protocol.rules.actions import AnyAction, Beat, Finish, Forfeit, Keep, Lead, Leave, Pass, Redeal, Take, Throw
from durak.protocol.rules.cards import PACK
from durak.protocol.rules.errors import IllegalAction
from durak.protocol.rules.events import Beaten, BoutEnded, Led, ThrewIn
from durak.protocol.rules.ruleset import ruleset_of
from durak.server.table import inputs as i
from durak.server.table.chairs import Refused, stand_in_of
from durak.server.table.jitter import NO_JITTER
from durak.server.table.machine import Table
from durak.server.table.seating import AnyEvent, graces_of
from durak.server.table.view import Views, seen_by
from tests.protocol.rules.random_games import CHOICES, random_deck
from tests.server.table.driving import NAMES, Driven, everything

TIMES: dict[str, tuple[Any, ...]] = {
    "window_ms": (None, 1, 8_000, 8_000),
    "close_ms": (0, 1_000, 1_000),
    "turn_clock_s": (None, 15, 30),
    "series": (True, False),
}
CARD = re.compile(rb'"((?:10|[6-9JQKA])[SHDC])"')


class Seeded:
    """Numbers and decks of one seed."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def number(self) -> int:
        return self._rng.getrandbits(40)

    def deck(self) -> list[str]:
        return random_deck(self._rng)


class Checked(Driven):
    """A table whose steps must leave the table that was copied as it was, and keep all promises."""

    def _step(self, given: i.AnyInput, at_ms: int) -> list[AnyEvent]:
        before, known = self.table, everything(self.table)
        try:
            events = super()._step(given, at_ms)
        finally:
            assert everything(before) == known, f"{given} changed the table it was not carried out on"
        check(self, events)
        return events


def random_table(rng: random.Random) -> Checked:
    """A new table with random options; ann, who creates it, may sit."""
    options = {name: rng.choice(values) for name, values in {**CHOICES, **TIMES}.items() if rng.random() < 0.5}
    rules = ruleset_of(rng.choice(("classic", "gameweave", "challenge")), {**options, "max_players": rng.randint(2, 6)})
    driven = Checked(Table("TABLE1"), Seeded(rng))
    sits = rng.random() < 0.9
    bots = random_bots(driven, rng.randint(0 if sits else 2, rules.max_players - sits))
    start = sits and bool(bots) and rng.random() < 0.3
    bots_only = not sits and rng.random() < 0.5
    driven.submit(i.CreateTable("ann", "create", "ann", "A table", rules, sits, start, False, bots, bots_only))
    return driven


def random_bots(driven: Driven, count: int) -> list[i.BotPlayer]:
    driven.bots += count
    return [i.BotPlayer(f"bot{bot}", f"bot{bot}", "easy") for bot in range(driven.bots - count, driven.bots)]


# ---------------------------------------------------------------- what happens


def random_life(rng: random.Random, driven: Driven, steps: int) -> int:
    """Let this many things happen to a table; returns how many were accepted."""
    accepted = 0
    for number in range(steps):
        if rng.random() < 0.6:
            driven.now_ms += random_wait(rng, driven)
        given = random_input(rng, driven, f"c{number}")
        try:
            accepted += bool(driven.submit(given))
        except (Refused, IllegalAction):
            assert driven.table.deadline_ms is None or driven.table.deadline_ms > driven.now_ms
    driven.wait(0)
    return accepted


def random_wait(rng: random.Random, driven: Driven) -> int:
    """Often exactly to a deadline, or a millisecond from it; seldom so long that all who are away have left."""
    at = driven.table.deadline_ms
    if at is not None and rng.random() < 0.3:
        return max(0, at - driven.now_ms + rng.choice((-1, 0, 0, 1)))
    return rng.choice((1, 10, 700, 2_000, 2_000, 5_000, 20_000))


def random_input(rng: random.Random, driven: Driven, cid: str) -> i.AnyInput:
    """Mostly a legal action of whoever is to play; else anything by anybody."""
    table = driven.table
    if rng.random() < 0.03 and driven.entries:
        again = rng.choice(driven.entries[-9:]).input
        return again if isinstance(again, i.ByPlayer) else i.Recovered()
    if table.status == "playing" and rng.random() < 0.004:
        return i.Void()
    if table.status == "playing" and rng.random() < 0.75:
        given = legal_play(rng, driven, cid)
        if given is not None:
            return given
    player = rng.choice([*players(table), *players(table), stand_in_of(table.id, 0)])
    kinds = ["sit", "sit", "vote", "vote", "start", "fill", "dismiss", "return"]
    kinds += ["drop", "rise"] if rng.random() < 0.3 else []
    kinds += ["play", "play", "auto", "return"] if table.status == "playing" else ["vote", "vote", "start"]
    match rng.choice(kinds):
        case "sit":
            person = rng.choice(NAMES)
            return i.SitDown(person, cid, person, rng.choice((None, None, *range(7))))
        case "vote":
            return i.Vote(player, cid)
        case "start":
            return i.StartGame(player, cid)
        case "fill":
            return i.SeatBots(player, cid, random_bots(driven, rng.randint(0, 2)))
        case "dismiss":
            return i.DismissBot(player, cid, rng.randrange(7))
        case "return":
            return i.Returned(player)
        case "drop":
            return i.Dropped(rng.choice(NAMES))
        case "rise":
            return i.Rise(player, cid)
        case "auto":
            return i.SetAutoPass(player, cid, rng.random() < 0.7)
        case _:
            return random_play(rng, driven, player, cid)


def legal_play(rng: random.Random, driven: Driven, cid: str) -> i.Play | None:
    """A legal action of some seat; beating rather than taking, so that games end."""
    game = driven.game
    moves = [(seat, action) for seat in range(game.players) for action in game.legal(seat)]
    if not moves:
        return None
    weights = [4 if isinstance(action, Beat) else 0.4 if isinstance(action, Take | Pass) else 1 for _, action in moves]
    ((seat, action),) = rng.choices(moves, weights)
    return i.Play(driven.seat(seat), cid, action, game.kernel.bout, rng.choice((game.kernel.epoch, None)))


def random_play(rng: random.Random, driven: Driven, player: str, cid: str) -> i.Play:
    """Any action, often for a bout or an epoch that is over or has not begun."""
    kernel = driven.game.kernel
    action = rng.choice(every_action(driven.table) if rng.random() < 0.9 else [Leave()])
    bout, epoch = kernel.bout + rng.choice((0, 0, 0, -1, 1)), kernel.epoch + rng.choice((0, 0, 0, -1, 1))
    return i.Play(player, cid, action, bout, epoch)


def every_action(table: Table) -> list[AnyAction]:
    """Every action there is in a position, legal or not, but leaving."""
    targets = [] if table.game is None else [attack for attack, _ in table.game.table]
    plain: list[AnyAction] = [Take(), Pass(), Finish(), Forfeit(), Redeal(), Keep()]
    cards = [action for card in PACK for action in (Lead(card), Throw(card))]
    return plain + cards + [Beat(card, target) for card in PACK for target in targets]


def players(table: Table) -> list[str]:
    """Everybody who may want something of a table: persons, bots, the bots of leavers."""
    seated = [occupant.player for _, occupant in table.occupants() if occupant.kind == "bot"]
    return [*NAMES, *seated, *(stand_in_of(table.id, chair) for chair, occupant in table.occupants() if occupant.left)]


# ---------------------------------------------------------------- what must hold


def check(driven: Driven, events: list[AnyEvent]) -> None:
    """Everything that holds after every step."""
    table = driven.table
    assert table.deadline_ms == next((deadline.at_ms for deadline in table.deadlines()), None)
    assert table.graces == graces_of(table.chairs)
    check_votes(table)
    assert table.deadline_ms is None or table.deadline_ms >= table.now_ms
    assert len(table.chairs) == table.rules.max_players
    persons = [chair for chair, _ in table.persons()]
    assert table.host in persons if persons else table.host is None
    if table.game is not None:
        assert table.game.whole()
    assert (table.status == "playing") == (table.game is not None and table.game.result is None)
    if table.status != "playing":
        assert table.clocks.deadlines() == []
    check_views(table, events)
    if len(driven.told) > 1:
        check_changes(driven.told[-2].table, table)


def check_votes(table: Table) -> None:
    """Who wants the next game sits there, and there has been one."""
    staying = {chair for chair, occupant in table.occupants() if not occupant.left}
    assert table.votes <= (staying if table.status == "finished" else set())


def check_views(table: Table, events: list[AnyEvent]) -> None:
    """A viewer is shown the table, the trump and its own hand, and is told of cards that were played or that it drew."""
    views, game = Views(table, table.now_ms), table.game
    public: set[str] = set()
    if game is not None:
        public |= {card for pair in game.table for card in pair if card is not None}
        public |= {PACK[index] for index in (game.trump_card,) if index is not None}
        public |= {PACK[shown[1]] for shown in (game.dealt_trump, game.opening_trump) if shown is not None}
    played = {card for event in events if isinstance(event, BoutEnded) for card in event.cards}
    played |= {event.card for event in events if isinstance(event, Led | ThrewIn | Beaten)}
    for player in (*players(table), None):
        seat = table.seat_of_player(player)
        own = set() if game is None or seat is None else set(game.hand(seat))
        view = views.of(player)
        assert set(CARD.findall(msgspec.json.encode(view))) <= {card.encode() for card in public | own}, view
        update = JSON.encode(Update(table.seq, seen_by(events, seat), ViewChange.to(view)))
        assert set(CARD.findall(update)) <= {card.encode() for card in public | own | played}
        assert view.clock is None or 0 <= view.clock.ms <= view.clock.total_ms


def check_changes(before: Table, table: Table) -> None:
    """What has changed in a view, laid over the view before, is the view."""
    earlier, views = Views(before, table.now_ms), Views(table, table.now_ms)
    seating = views.seating_since(before)
    for player in (*players(table), None):
        assert views.change_of(player, seating).applied_to(earlier.of(player)) == views.of(player)


def commands(driven: Driven, player: str) -> Iterator[tuple[str, i.AnyInput]]:
    """The commands that `you.can` may name, each as an input."""
    yield "join", i.SitDown(player, "", player)
    yield "leave", i.Rise(player, "")
    yield "start", i.StartGame(player, "")
    yield "fill", i.SeatBots(player, "", [i.BotPlayer("new", "new", "easy")])
    for chair in range(driven.table.rules.max_players):
        yield "dismiss", i.DismissBot(player, "", chair)
    yield "rematch", i.Vote(player, "")
    yield "auto_pass", i.SetAutoPass(player, "", True)


def accepts(driven: Driven, given: i.AnyInput) -> bool:
    """True if the table would accept this now."""
    try:
        driven.table.copy().step(given, driven.now_ms, jitter=NO_JITTER, deck=list(PACK))
    except (Refused, IllegalAction):
        return False
    return True


def check_can(driven: Driven, player: str) -> None:
    """What a player is told that it can do is what would be accepted; the bot of a seat only plays."""
    views = Views(driven.table, driven.now_ms)
    told = views.of(player).you.can
    assert len(told) == len(set(told))
    accepted = {name for name, given in commands(driven, player) if accepts(driven, given)}
    only_plays = views.sits(player) and player not in NAMES
    assert set(told) == (accepted & {"auto_pass"} if only_plays else accepted), player


def check_legal(driven: Driven, player: str, actions: list[AnyAction]) -> None:
    """The legal actions that a player is shown are those of these that would be accepted."""
    view, game = Views(driven.table, driven.now_ms).of(player), driven.table.game
    legal = [] if view.game is None else view.game.legal
    bout, epoch = (0, 0) if game is None else (game.kernel.bout, game.kernel.epoch)
    for action in actions:
        assert (action in legal) == accepts(driven, i.Play(player, "", action, bout, epoch)), (player, action)
