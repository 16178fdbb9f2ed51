"""The line protocol: what an arena and a bot's program say to each other, a JSON object a line. docs/your-bot.md explains it."""

import msgspec

from durak.protocol.rules.actions import AnyAction
from durak.protocol.rules.events import GameResult
from durak.protocol.rules.ruleset import Ruleset
from durak.protocol.rules.view import GameView, SeenEvent

LINE_PROTOCOL: int = 1
LONGEST_LINE = 64 * 1024
"""Bytes of a bot's answer."""


class FromArena(msgspec.Struct, frozen=True, tag_field="t"):
    """A line to the bot. A bot ignores fields, and lines with a `t`, that it does not know."""


class Hello(FromArena, frozen=True, tag="hello"):
    """The first line. The answer is `{"protocol": 1}`."""

    protocol: int
    rules: str


class Limits(msgspec.Struct, frozen=True):
    """What a decision may take: milliseconds, nodes, null without such a limit."""

    ms: float | None
    nodes: int | None


class GameBegins(FromArena, frozen=True, tag="game"):
    """A game begins, and an earlier one is over. `seed` is for a bot's own chance: the same game has the same one. No answer."""

    seat: int
    players: int
    ruleset: Ruleset
    seed: str
    budget: Limits
    patience_ms: float


class Choose(FromArena, frozen=True, tag="choose"):
    """A decision. `events`: what has happened since the last line, as the seat sees it; `view`: the game now.

    The answer is one of `view.legal`, or null to wait.
    """

    events: list[SeenEvent]
    view: GameView


class GameIsOver(FromArena, frozen=True, tag="over"):
    """The game has ended. No answer."""

    events: list[SeenEvent]
    result: GameResult | None


class Ready(msgspec.Struct, frozen=True):
    """The answer to `hello`."""

    protocol: int


AnyLine = Hello | GameBegins | Choose | GameIsOver
Answer = AnyAction | None

encode = msgspec.json.Encoder().encode
decode_line = msgspec.json.Decoder(AnyLine).decode
decode_ready = msgspec.json.Decoder(Ready).decode
decode_answer = msgspec.json.Decoder(Answer).decode
