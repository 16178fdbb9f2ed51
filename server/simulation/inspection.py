"""What the gateway, the desk and the lobby keep beside the tables, held against the tables: when all is quiet they agree."""

from collections.abc import Iterator

from durak.server.lobby.listing import listing_of
from durak.server.node import Node
from durak.server.simulation.referee import Referee
from durak.server.table.machine import Table
from durak.server.table.summary import bots_needed


def disagreements(node: Node, referee: Referee) -> Iterator[str]:
    """Where a server that is not writing disagrees with its tables."""
    for summary in node.registry.summaries():
        table = referee.table(summary.table.table)
        if not summary.busy and table is not None:
            yield from _of_table(node, table)


def _of_table(node: Node, table: Table) -> Iterator[str]:
    port = node.registry.find(table.id)
    assert port is not None
    viewers = [viewer for viewer in node.gateway.viewers() if viewer.table is port]
    present = {viewer.player for viewer in viewers}
    for chair, occupant in table.persons():
        if occupant.away == (occupant.player in present):
            how = "away, yet connected" if occupant.away else "here, yet not connected"
            yield f"{table.id}: chair {chair} is {how}"
    summary = port.summary()
    looking = sum(1 for viewer in viewers if viewer.identity.kind != "bot" and table.chair_of(viewer.player) is None)
    if summary.watchers != looking:
        yield f"{table.id}: {looking} look on, the table counts {summary.watchers}"
    needed, kept = {bot.player for bot in bots_needed(table)}, set(node.desk._seats.get(table.id, ()))
    if needed != kept:
        yield f"{table.id}: {sorted(needed)} need a bot, the desk knows of {sorted(kept)}"
    listing = None if table.private else listing_of(summary.table, looking)
    if node.lobby._listings.get(table.id) != listing:
        yield f"{table.id}: the lobby shows {node.lobby._listings.get(table.id)}, the table is {listing}"


def leftovers(node: Node) -> list[str]:
    """What a server still holds when everybody has gone and every table has ended: it should be nothing."""
    desk = node.desk
    held: dict[str, object] = {
        "tables": [summary.table.table for summary in node.registry.summaries()],
        "created": node.registry._created,
        "connections": len(node.gateway._connections),
        "lobby viewers": len(node.lobby._viewers),
        "listings": [listing.table for listing in node.lobby.all()],
        "bots' seats": desk._seats,
        "waiting seats": desk._waiting,
        "delays": desk._delays,
    }
    return [f"{name}: {what}" for name, what in held.items() if what]
