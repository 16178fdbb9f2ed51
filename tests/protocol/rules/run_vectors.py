"""Run a file of rule vectors through the table machine: ``python tests/protocol/rules/run_vectors.py FILE``.

Prints a line per failing vector and exits 1 if there is one. The file's own "format" key explains its fields.
"""

import json
import sys
from pathlib import Path
from typing import Any

import msgspec

from durak.protocol.messages import TableView
from durak.protocol.rules.actions import AnyAction, Beat, Lead, Leave, Throw
from durak.protocol.rules.cards import PACK, SUITS
from durak.protocol.rules.errors import IllegalAction, RulesError
from durak.protocol.rules.events import BoutBegan, GameResult
from durak.protocol.rules.game import Game
from durak.protocol.rules.result import Score, scored
from durak.protocol.rules.ruleset import OptionRefused, Ruleset, ruleset_of
from durak.protocol.rules.state import numbers_of
from durak.server.table.chairs import Occupant, Refused
from durak.server.table.clocks import Clocks
from durak.server.table.inputs import Expire, Play
from durak.server.table.jitter import NO_JITTER
from durak.server.table.machine import Table
from durak.server.table.view import Views


class Failure(Exception):
    """A vector does not hold."""


def vector_ruleset(vector: dict[str, Any]) -> Ruleset:
    """The preset with the vectors' conventions: no turn clock, a redeal period of 0."""
    options = {"turn_clock_s": None, "offer_ms": 0, **vector.get("options", {})}
    return msgspec.structs.replace(ruleset_of(vector["preset"], options), max_players=6)


class TableUnderTest:
    """A table in the middle of a game, one person per seat named by its number, and the time."""

    def __init__(self, vector: dict[str, Any]) -> None:
        ruleset = vector_ruleset(vector)
        self.players: int = vector["players"]
        self.table = Table("VECT0R")
        self.table.rules = ruleset
        self.table.status = "playing"
        persons = vector.get("persons") or list(range(self.players))
        self.table.chairs = tuple(
            Occupant(str(seat), f"seat {seat}", None if seat in persons else "normal", seat) for seat in range(self.players)
        )
        if "deck" in vector:
            self.table.game, events = Game.deal(
                ruleset,
                vector["deck"],
                self.players,
                first_seat=vector["first_seat"],
                previous_winner=vector["previous_winner"],
                persons=persons,
            )
        else:
            hands = [vector["hands"].get(str(seat), []) for seat in range(self.players)]
            self.table.game = Game.position(
                ruleset,
                trump=vector["trump"],
                hands=hands,
                stock=vector["stock"],
                attacker=vector["attacker"],
                bout=vector["bout"],
            )
            kernel = self.game.kernel
            if "defender" in vector and kernel.defender != vector["defender"]:
                raise Failure(f"defender is {kernel.defender}")
            events = [BoutBegan(kernel.bout, kernel.attacker, kernel.defender, kernel.limit)]
        self.table.clocks = Clocks().rearmed(self.game, events, 0, NO_JITTER, set())

    @property
    def game(self) -> Game:
        assert self.table.game is not None
        return self.table.game

    def wait(self, ms: int) -> None:
        """Let time pass; everything that expires happens, each at its own time."""
        until = self.table.now_ms + ms
        while self.table.deadline_ms is not None and self.table.deadline_ms <= until:
            self.table.step(Expire(), self.table.deadline_ms, jitter=NO_JITTER)
        self.table.now_ms = until

    def act(self, step: dict[str, Any]) -> None:
        """Carry out a step; a refusal is compared with the expected one and must change nothing."""
        seat, expected = step["seat"], step.get("refused")
        before = self.table.copy()
        try:
            if not 0 <= seat < self.players:
                self.game.act(seat, action_of(step))
            self.step(step)
        except (IllegalAction, Refused) as refusal:
            if expected is None:
                raise Failure(f"{step} was refused: {refusal.code}") from None
            if expected != refusal.code:
                raise Failure(f"{step} was refused with {refusal.code}") from None
            if state_of(before) != state_of(self.table):
                raise Failure(f"{step} was refused and changed the table") from None
            self.table = before
        else:
            if expected is not None:
                raise Failure(f"{step} was accepted")

    def step(self, step: dict[str, Any]) -> None:
        action = action_of(step)
        kernel = self.game.kernel
        if isinstance(action, Leave):
            # The vectors are about the game: there a leaver goes on acting, and an out seat's leaving is refused.
            events = self.game.act(step["seat"], action)
            self.table._after(events, NO_JITTER)
            return
        self.table.step(
            Play(str(step["seat"]), "", action, step.get("bout", kernel.bout), step.get("epoch", kernel.epoch)),
            self.table.now_ms,
            jitter=NO_JITTER,
            deck=step.get("deck"),
        )


def action_of(step: dict[str, Any]) -> AnyAction:
    """The typed action of a step."""
    match step["act"]:
        case "lead":
            return Lead(step["card"])
        case "throw":
            return Throw(step["card"])
        case "defend":
            return Beat(step["card"], step.get("target"))
        case act:
            action: AnyAction = msgspec.convert({"act": act}, AnyAction)
            return action


def state_of(table: Table) -> Any:
    """Everything of a table that an action could change, for comparison."""
    kernel = table.game.kernel if table.game else None
    return (
        None if kernel is None else numbers_of(kernel),
        table.clocks.deadlines(),
        table.clocks.silent,
        table.status,
    )


def legal_text(action: AnyAction) -> str:
    """A legal action in the vectors' words."""
    match action:
        case Lead(card=card):
            return f"lead {card}"
        case Throw(card=card):
            return f"throw {card}"
        case Beat(card=card, target=target):
            return f"defend {target} with {card}"
        case _:
            return str(type(action).__name__.lower())


def clock_of(view: TableView, part: str) -> Any:
    """The name of the clock that runs, or the milliseconds left."""
    if view.clock is None:
        return None
    return view.clock.kind if part == "clock" else view.clock.ms


def part_of(under_test: TableUnderTest, part: str) -> Any:
    """What the table says about one part of an expectation."""
    game, table = under_test.game, under_test.table
    kernel = game.kernel
    view = Views(table, table.now_ms).of(None)
    seen = view.game
    assert seen is not None
    result = game.result or GameResult([], None, False, [])
    match part:
        case "phase" | "bout" | "epoch" | "limit" | "taking" | "attacker" | "defender" | "trump_card":
            return getattr(seen, part)
        case "clock":
            return clock_of(view, part)
        case "ms_left":
            at = table.deadline_ms
            return None if at is None else at - table.now_ms
        case "trump":
            return SUITS[kernel.trump]
        case "table":
            return [list(pair) for pair in game.table]
        case "sizes":
            return seen.counts
        case "stock_size":
            return seen.stock
        case "stock":
            return game.stock
        case "discarded":
            return seen.discard
        case "passed":
            return seen.passed
        case "out":
            return [seat for group in seen.out for seat in group]
        case "durak" | "draw":
            return getattr(result, part)
        case "places":
            return result.places
        case "forfeits":
            return result.forfeits
        case "epaulettes":
            return result.giver is not None
    raise Failure(f"unknown part {part}")


def view_part(under_test: TableUnderTest, viewer: str, part: str) -> Any:
    """One part of what a viewer is shown."""
    table = under_test.table
    view = Views(table, table.now_ms).of(None if viewer == "spectator" else viewer)
    assert view.game is not None
    match part:
        case "shown_trump" | "opening_trump":
            shown = getattr(view.game, part)
            return None if shown is None else [shown.seat, shown.card]
        case "clock" | "ms_left":
            return clock_of(view, part)
        case "legal":
            return sorted(map(legal_text, view.game.legal))
        case _:
            return getattr(view.game, part)


def compare(what: str, expected: Any, found: Any) -> None:
    """Raise `Failure` where they differ."""
    if expected != found:
        raise Failure(f"{what}: expected {expected}, found {found}")


def check(under_test: TableUnderTest, expect: dict[str, Any]) -> None:
    """Compare every named part."""
    game = under_test.game
    for part, expected in expect.items():
        if part == "hands":
            for seat, cards in expected.items():
                compare(f"hand of {seat}", sorted(cards), sorted(game.hand(int(seat))))
        elif part == "legal":
            for seat, actions in expected.items():
                compare(f"legal of {seat}", sorted(actions), sorted(map(legal_text, game.legal(int(seat)))))
        elif part == "views":
            for viewer, parts in expected.items():
                for name, value in parts.items():
                    compare(f"view of {viewer}, {name}", value, view_part(under_test, viewer, name))
        else:
            compare(part, expected, part_of(under_test, part))


def all_cards_there(under_test: TableUnderTest) -> None:
    """RULES section 4: 36 different cards at every moment."""
    if not under_test.game.whole():
        raise Failure("36 different cards no longer")


def run_play(vector: dict[str, Any]) -> None:
    """A vector that plays."""
    under_test = TableUnderTest(vector)
    check(under_test, vector.get("start", {}))
    for step in vector.get("steps", []):
        if "wait" in step:
            under_test.wait(step["wait"])
        elif "act" in step:
            under_test.act(step)
        all_cards_there(under_test)
        check(under_test, step.get("expect", {}))
    check(under_test, vector.get("expect", {}))


def run_score(vector: dict[str, Any]) -> None:
    """Results of a series, one after the other."""
    players = vector["players"]
    scores = [Score()] * players
    for result in vector["results"]:
        if "winner" in result:
            winner = result["winner"]
            places = [list(range(players))] if winner is None else [[winner], [seat for seat in range(players) if seat != winner]]
            giver = winner if result["epaulettes"] else None
            ended = GameResult(places, None if winner is None else places[1][0], winner is None, [], giver)
        else:
            giver = result["giver"] if result["epaulettes"] else None
            ended = GameResult(result["places"], result["durak"], result["draw"], result["forfeits"], giver)
        scores = scored(scores, ended)
    found = {
        "games": len(vector["results"]),
        "wins": [score.wins for score in scores],
        "losses": [score.losses for score in scores],
        "epaulettes": [score.epaulettes for score in scores],
    }
    compare("score", vector["expect"], found)


def run_options(vector: dict[str, Any]) -> None:
    """Options asked for on a table."""
    try:
        ruleset_of(vector["preset"], vector["options"])
        code = None
    except OptionRefused as refusal:
        code = refusal.code
    compare("refusal", vector["expect"], code)


def run_series(vector: dict[str, Any]) -> None:
    """Games of one table in order: who is dealt to first, and who is the previous winner."""
    table = Table("VECT0R")
    table.rules = vector_ruleset(vector)
    for game in vector["games"]:
        before = {occupant.player: occupant for _, occupant in table.occupants()}
        table.chairs = tuple(
            (before.get(str(chair)) or Occupant(str(chair), str(chair))) if chair in game["occupied"] else None
            for chair in range(6)
        )
        table.status = "open"
        table._start(list(PACK))
        assert table.game is not None
        compare("first_seat", game["first_seat"], table.game.first_seat)
        compare("previous_winner", game["previous_winner"], table.game.previous_winner)
        table.game.result = GameResult(game["places"], game["durak"], game["draw"], game["forfeits"])
        table._game_over()


RUNNERS = {"play": run_play, "score": run_score, "options": run_options, "series": run_series}


def run_file(path: Path) -> list[tuple[str, str]]:
    """Run every vector; returns id and complaint of those that fail."""
    failures = []
    for vector in json.loads(path.read_text())["vectors"]:
        try:
            RUNNERS[vector.get("kind", "play")](vector)
        except Failure as failure:
            failures.append((vector["id"], str(failure)))
        except (AssertionError, KeyError, ValueError, TypeError, AttributeError, RulesError) as error:
            failures.append((vector["id"], f"{type(error).__name__}: {error}"))
    return failures


def main() -> int:
    """Command line."""
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    path = Path(sys.argv[1])
    try:
        failures = run_file(path)
    except (OSError, ValueError, KeyError, TypeError) as error:
        print(f"cannot read vectors from {path}: {error}", file=sys.stderr)
        return 2
    for vector, complaint in failures:
        print(f"FAIL {vector}: {complaint}")
    total = len(json.loads(path.read_text())["vectors"])
    print(f"{total - len(failures)} of {total} vectors hold")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
