"""Tables driven as a live one is, by a clock that only the test turns: `run(position("S | 6S 7H / 8S"), "0:6S +29999 1:8S")`.

A script is words, carried out in order. Who acts is a seat of the running game (whoever acts for it now) or a player's name.

    0:6S 1:8Sx6S 0:pass ann:leave   game actions in the notation of the rules; `0:6S` leads, throws in or beats
    bob:sit bob:sit@2 bob:rise      a chair (the first free one, or chair 2) is taken, given up
    ann:start ann:fill@2 ann:dismiss@1 ann:vote     the host's commands, with two bots, on chair 1; a vote for a rematch
    0:auto 0:noauto bob:drop bob:return             the automatic pass; the connection
    +7999                           time passes; whatever expires does so at its own time

Persons are called ann, bob, cat, dan, eve and fay, and sit in this order; bots are called bot0, bot1, …
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from durak.protocol.codec import JSON, Codec
from durak.protocol.messages import TableView, Update
from durak.protocol.rules.actions import Beat, Lead, Throw
from durak.protocol.rules.cards import PACK
from durak.protocol.rules.errors import IllegalAction
from durak.protocol.rules.events import BoutBegan
from durak.protocol.rules.game import Game
from durak.protocol.rules.notation import Move, read_move, read_position
from durak.protocol.rules.ruleset import ruleset_of
from durak.protocol.rules.view import GameView
from durak.server.live.entries import decode_entry, encode_entry, hash_of
from durak.server.table import inputs as i
from durak.server.table.chairs import Occupant, Refused, stand_in_of
from durak.server.table.clocks import Clocks
from durak.server.table.jitter import NO_JITTER, Jitter
from durak.server.table.machine import Table
from durak.server.table.seating import AnyEvent
from durak.server.table.view import Views, seen_by
from tests.protocol.rules import playing

NAMES = ("ann", "bob", "cat", "dan", "eve", "fay")


class Fixed:
    """Jitters and decks that a test has chosen."""

    def __init__(self, deck: Sequence[str] = PACK, jitter: int = NO_JITTER) -> None:
        self.next_deck = list(deck)
        self.next_jitter = jitter

    def number(self) -> int:
        return self.next_jitter

    def deck(self) -> list[str]:
        return list(self.next_deck)


class Told(NamedTuple):
    """Something was carried out: when, the table after it, its events."""

    at_ms: int
    table: Table
    events: list[AnyEvent]


class Driven:
    """A table, the time, and all that was carried out."""

    def __init__(self, table: Table, entropy: Any = None) -> None:
        self.table = table
        self.now_ms = table.now_ms
        self.entropy = entropy or Fixed()
        self.entries: list[i.Entry] = []
        self.told: list[Told] = []
        self.bots = 0

    @property
    def game(self) -> Game:
        """The game that runs, or has run last."""
        assert self.table.game is not None
        return self.table.game

    def submit(self, given: i.AnyInput) -> list[AnyEvent]:
        """Carry out an input now, after everything that expires before it. Raises its refusal; then nothing has changed."""
        if not isinstance(given, i.Recovered):
            self.wait(0)
        if isinstance(given, i.ByPlayer) and self.table.answer_to(given.player, given.cid) is not None:
            return []
        return self._step(given, self.now_ms)

    def wait(self, ms: int) -> None:
        """Let time pass, with everything that expires, each at its own time."""
        until = self.now_ms + ms
        while self.table.deadline_ms is not None and self.table.deadline_ms <= until:
            assert self.table.deadline_ms >= self.table.now_ms
            self._step(i.Expire(), self.table.deadline_ms)
        self.now_ms = until

    def _step(self, given: i.AnyInput, at_ms: int) -> list[AnyEvent]:
        jitter = Jitter(self.entropy.number())
        deck = self.entropy.deck() if self.table.may_deal(given) else None
        after = self.table.copy()
        events = after.step(given, at_ms, jitter=jitter, deck=deck)
        if events or isinstance(given, i.ByPlayer | i.Expire | i.Recovered):
            self.entries.append(i.Entry(at_ms, given, jitter, deck, hash_of(events)))
            self.told.append(Told(at_ms, after, events))
            self.table = after
        return events

    def seat(self, seat: int) -> str:
        """The player who acts for a seat now."""
        for chair, occupant in self.table.occupants():
            if occupant.seat == seat:
                return stand_in_of(self.table.id, chair) if occupant.left else occupant.player
        raise AssertionError(f"nobody has seat {seat}")

    def player(self, who: str | int) -> str:
        """The player of a script's word: a seat's number, or a name."""
        return self.seat(int(who)) if str(who).isdecimal() else str(who)

    def input(self, word: str) -> i.AnyInput:
        """The input that a word of a script means now."""
        who, _, what = word.rpartition(":")
        player = self.player(who)
        command, _, number = what.partition("@")
        match command:
            case "sit":
                return i.SitDown(player, "", player, int(number) if number else None)
            case "rise":
                return i.Rise(player, "")
            case "start":
                return i.StartGame(player, "")
            case "fill":
                self.bots += int(number)
                names = [f"bot{bot}" for bot in range(self.bots - int(number), self.bots)]
                return i.SeatBots(player, "", [i.BotPlayer(name, name, "normal") for name in names])
            case "dismiss":
                return i.DismissBot(player, "", int(number))
            case "vote":
                return i.Vote(player, "")
            case "auto" | "noauto":
                return i.SetAutoPass(player, "", command == "auto")
            case "drop":
                return i.Dropped(player)
            case "return":
                return i.Returned(player)
        return self.play(player, what)

    def play(self, player: str, what: str) -> i.Play:
        """The game action that these words mean now, for the bout and epoch of this moment."""
        seat = self.table.seat_of_player(player)
        move = read_move(f"{seat or 0}:{what}")
        assert isinstance(move, Move)
        action, game = move.action, self.table.game
        if isinstance(action, Lead) and game is not None and game.phase == "bout":
            action = Beat(action.card) if seat == game.kernel.defender else Throw(action.card)
        kernel = None if game is None else game.kernel
        return i.Play(player, "", action, kernel.bout if kernel else 0, kernel.epoch if kernel else None)


# ---------------------------------------------------------------- tables to begin with


def position(text: str, *, bots: Sequence[int] = (), entropy: Any = None) -> Driven:
    """A table in the middle of a game, at this position, one player a seat."""
    game = read_position(text)
    table = Table("TABLE1")
    table.rules, table.game, table.status, table.host = game.ruleset, game, "playing", 0
    table.chairs = tuple(
        Occupant(f"bot{seat}", f"bot{seat}", "normal", seat) if seat in bots else Occupant(NAMES[seat], NAMES[seat], seat=seat)
        for seat in range(game.players)
    )
    kernel = game.kernel
    began = BoutBegan(kernel.bout, kernel.attacker, kernel.defender, kernel.limit)
    table.clocks = Clocks().rearmed(game, [began], 0, NO_JITTER, set(bots))
    return Driven(table, entropy)


def created(
    preset: str = "classic",
    *,
    persons: int = 1,
    bots: int = 0,
    start: bool = False,
    entropy: Any = None,
    **options: Any,
) -> Driven:
    """A new table: ann creates it and sits, unless there are no persons; the others sit down; with `start` ann starts the game."""
    driven = Driven(Table("TABLE1"), entropy)
    driven.bots = bots
    seated = [i.BotPlayer(f"bot{bot}", f"bot{bot}", "normal") for bot in range(bots)]
    rules = ruleset_of(preset, options)
    driven.submit(i.CreateTable("ann", "", "ann", "A table", rules, sit=persons > 0, start=False, private=False, bots=seated))
    run(driven, " ".join(f"{name}:sit" for name in NAMES[1:persons]))
    return run(driven, "ann:start") if start else driven


# ---------------------------------------------------------------- what tests do and ask


def run(driven: Driven, script: str) -> Driven:
    """Carry out a script and return the table."""
    for word in script.split():
        if word.startswith("+"):
            driven.wait(int(word[1:]))
        else:
            driven.submit(driven.input(word))
    return driven


def refusal_of(driven: Driven, given: i.AnyInput) -> str | None:
    """The code by which an input is refused now, None if it would be accepted; what has expired by now is carried out first."""
    driven.wait(0)
    twin = driven.table.copy()
    before = everything(driven.table)
    try:
        twin.step(given, driven.now_ms, jitter=NO_JITTER, deck=list(PACK))
    except Refused as refused:
        return refused.code
    except IllegalAction as illegal:
        return illegal.reason.code
    finally:
        assert everything(driven.table) == before
    return None


def refused(driven: Driven, word: str) -> str | None:
    """The code by which a script's word is refused now, None if it would be accepted."""
    bots = driven.bots
    try:
        return refusal_of(driven, driven.input(word))
    finally:
        driven.bots = bots


def events_of(driven: Driven, script: str) -> list[AnyEvent]:
    """Carry out a script and return what happened, in order."""
    before = len(driven.told)
    run(driven, script)
    return [event for told in driven.told[before:] for event in told.events]


def view(driven: Driven, who: str | int | None = None) -> TableView:
    """The table as a player sees it now, or as a spectator does."""
    return Views(driven.table, driven.now_ms).of(None if who is None else driven.player(who))


def game_view(driven: Driven, who: str | int | None = None) -> GameView:
    """The game as a player sees it now, or as a spectator does."""
    game = view(driven, who).game
    assert game is not None
    return game


def clock(driven: Driven, who: str | int | None = None) -> str:
    """The clock that a viewer is shown: "window 8000", "turn 30000 of 0 2", "none"."""
    shown = view(driven, who).clock
    if shown is None:
        return "none"
    return f"{shown.kind} {shown.ms}" + (f" of {' '.join(map(str, shown.seats))}" if shown.seats else "")


def received(driven: Driven, player: str | None, codec: Codec = JSON) -> list[tuple[int, bytes]]:
    """What a viewer has been sent, and when: an update for everything that holds something for it."""
    frames = []
    before = Table(driven.table.id)
    for at_ms, table, events in driven.told:
        seen, public = seen_by(events, table.seat_of_player(player)), seen_by(events, None)
        if seen or public:
            views = Views(table, at_ms)
            frames.append((at_ms, codec.encode(Update(table.seq, seen, views.change_of(player, views.seating_since(before))))))
        before = table
    return frames


def folded(driven: Driven) -> Table:
    """The table that the journal gives, each entry written and read again."""
    table = Table(driven.table.id)
    for entry in map(decode_entry, map(encode_entry, driven.entries)):
        assert hash_of(table.step(entry.input, entry.at_ms, jitter=entry.jitter, deck=entry.deck)) == entry.seen
    return table


def everything(table: Table) -> dict[str, Any]:
    """All there is to know of a table, as plain values that no later step can change."""
    return {**vars(table), "game": None if table.game is None else playing.everything(table.game)}
