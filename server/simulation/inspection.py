"""What the gateway, the desk and the lobby keep beside the tables, held against the tables: when all is quiet they agree."""

from collections.abc import Iterator

from durak.server.live.table import LiveTable
from durak.server.lobby.desk import seats_for_bots
from durak.server.lobby.listing import listing_of
from durak.server.simulation.node import House


def disagreements(house: House) -> Iterator[str]:
    """Where a server that is not writing disagrees with its tables."""
    for live in house.owner.tables.values():
        if not live.busy and not live.frozen and live.table.seq:
            yield from _of_table(house, live)


def _of_table(house: House, live: LiveTable) -> Iterator[str]:
    table = live.table
    viewers = house.audience.viewers.get(table.id, [])
    present = {session.player for session in viewers}
    for chair, occupant in table.persons():
        if occupant.away == (occupant.player in present):
            how = "away, yet connected" if occupant.away else "here, yet not connected"
            yield f"{table.id}: chair {chair} is {how}"
    for session in viewers:
        if session not in house.gateway._sessions or session.live is not live:
            yield f"{table.id}: {session.player} is a viewer, and its session is not attached"
    needed, kept = set(seats_for_bots(table)), set(house.desk._seats.get(table.id, ()))
    if needed != kept:
        yield f"{table.id}: {sorted(needed)} need a bot, the desk knows of {sorted(kept)}"
    listing = None if table.private else listing_of(table, house.audience.watchers(table))
    if house.lobby._listings.get(table.id) != listing:
        yield f"{table.id}: the lobby shows {house.lobby._listings.get(table.id)}, the table is {listing}"


def leftovers(house: House) -> list[str]:
    """What a server still holds when everybody has gone and every table has ended: it should be nothing."""
    gateway, desk = house.gateway, house.desk
    held: dict[str, object] = {
        "tables": list(house.owner.tables),
        "created": house.owner._created,
        "sessions": len(gateway._sessions),
        "viewers": house.audience.viewers,
        "lobby sessions": len(house.lobby._sessions),
        "listings": [listing.table for listing in house.lobby.all()],
        "bots' seats": desk._seats,
        "waiting seats": desk._waiting,
        "delays": desk._delays,
    }
    return [f"{name}: {what}" for name, what in held.items() if what]
