"""What can happen to a table: one closed union, journaled before anyone is told of it.

Players are named by their ids. A jitter arrives with every input, a deck with those that may deal; the table draws nothing.
"""

from typing import Annotated

import msgspec
from msgspec import Meta

from durak.protocol.messages import Level
from durak.protocol.rules.actions import AnyAction
from durak.protocol.rules.cards import Card
from durak.protocol.rules.ruleset import RULES_VERSION, Ruleset
from durak.server.table.jitter import Jitter


class Input(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, tag_field="in"):
    """One input of a table."""


class BotPlayer(msgspec.Struct, frozen=True):
    """A bot to be seated."""

    player: str
    name: str
    level: Level


class ByPlayer(Input, frozen=True):
    """An input that a player's command causes. `cid` is the command's id, remembered so that it is carried out once."""

    player: str
    cid: str


class CreateTable(ByPlayer, frozen=True, tag="create"):
    """The first input of every table."""

    name: str
    title: str
    rules: Ruleset
    sit: bool
    start: bool
    private: bool
    bots: list[BotPlayer]
    bots_only: bool = False
    """No person ever takes a chair: bots play here that are too fast for persons (RULES section 5, bot_delay_ms)."""


class SitDown(ByPlayer, frozen=True, tag="sit"):
    """A person takes a chair (None: the first free one), or comes back to the one left in a running game."""

    name: str
    chair: int | None = None


class Rise(ByPlayer, frozen=True, tag="rise"):
    """A player leaves the table for good."""


class StartGame(ByPlayer, frozen=True, tag="start"):
    """The host starts the game."""


class SeatBots(ByPlayer, frozen=True, tag="bots"):
    """The host fills free chairs."""

    bots: list[BotPlayer]


class DismissBot(ByPlayer, frozen=True, tag="dismiss"):
    """The host sends a bot away."""

    chair: int


class Play(ByPlayer, frozen=True, tag="play"):
    """A game action; bout and epoch as in RULES 1.16."""

    action: AnyAction
    bout: int
    epoch: int | None = None


class SetAutoPass(ByPlayer, frozen=True, tag="auto_pass"):
    """A player's switch to pass by itself until the bout ends."""

    on: bool


class Vote(ByPlayer, frozen=True, tag="vote"):
    """A person wants a rematch."""


class Dropped(Input, frozen=True, tag="dropped"):
    """A person's connection was lost."""

    player: str


class Returned(Input, frozen=True, tag="returned"):
    """A person is connected again."""

    player: str


class Expire(Input, frozen=True, tag="expire"):
    """The earliest deadline has come; the entry's time is that deadline."""


class Recovered(Input, frozen=True, tag="recovered"):
    """The table goes on after an outage, which is charged to no clock; nobody is connected yet."""


class Void(Input, frozen=True, tag="void"):
    """The operator ends the running game, without result and without score."""


ChosenInput = (
    CreateTable
    | SitDown
    | Rise
    | StartGame
    | SeatBots
    | DismissBot
    | Play
    | SetAutoPass
    | Vote
    | Dropped
    | Returned
    | Expire
    | Void
)
"""Every input but the recovery, which is about the time before it."""
AnyInput = ChosenInput | Recovered


class Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of a table's journal.

    `at_ms`: the table's time, never decreasing. `deck`: a shuffled pack, where the input may deal. `seen`: hash of the events it
    gave, so that a fold which diverges is noticed.
    """

    at_ms: int
    input: AnyInput
    jitter: Annotated[Jitter, Meta(ge=0)] = msgspec.field(default=Jitter(0), name="luck")
    deck: list[Card] | None = None
    seen: str = ""
    rules: str = RULES_VERSION
