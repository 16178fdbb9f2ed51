"""What those who see many tables know of one: lobby, desk of the bots, registry, operator. Never a card."""

import msgspec

from durak.protocol.messages import Status
from durak.server.table.chairs import STAND_IN_LEVEL, stand_in_of
from durak.server.table.inputs import BotPlayer
from durak.server.table.machine import Table


class Summary(msgspec.Struct, frozen=True):
    """A table at one moment. `seq` is 0 until the table is created, which may be refused.

    `taken`, `persons` and `bots` count chairs, without those that are free when the game is over; `names` are those of everybody
    who has a chair.
    """

    table: str
    seq: int
    title: str
    status: Status
    private: bool
    preset: str
    turn_clock_s: int | None
    discreet: bool
    chairs: int
    taken: int
    persons: int
    bots: int
    names: frozenset[str]


def summary_of(table: Table) -> Summary:
    """The table as it is now."""
    rules, occupants = table.rules, table.occupants()
    staying = [occupant for _, occupant in occupants if not occupant.left]
    persons = sum(1 for occupant in staying if occupant.kind == "person")
    return Summary(
        table=table.id,
        seq=table.seq,
        title=table.title,
        status=table.status,
        private=table.private,
        preset=rules.preset,
        turn_clock_s=rules.turn_clock_s,
        discreet=rules.discreet,
        chairs=len(table.chairs),
        taken=len(staying),
        persons=persons,
        bots=len(staying) - persons,
        names=frozenset(occupant.name for _, occupant in occupants),
    )


def is_deserted(table: Table) -> bool:
    """True if no game runs and no person has a chair or may come back to one, so that nobody but watchers keeps the table."""
    return table.status != "playing" and not table.persons()


def bots_needed(table: Table) -> tuple[BotPlayer, ...]:
    """The players that must be bots now, in the order of their chairs: bots' chairs, and stand-ins for leavers (RULES 1.22)."""
    needed = []
    game = table.game if table.status == "playing" else None
    for chair, occupant in table.occupants():
        if occupant.level is not None and not occupant.left:
            needed.append(BotPlayer(occupant.player, occupant.name, occupant.level))
        elif occupant.left and game is not None and occupant.seat is not None and game.is_active(occupant.seat):
            needed.append(BotPlayer(stand_in_of(table.id, chair), occupant.name, STAND_IN_LEVEL))
    return tuple(needed)
