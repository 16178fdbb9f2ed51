"""The journal of a server that is down, folded step by step: the truth that clients' logs are held against."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from durak.server.journal.sqlite import SqliteJournal
from durak.server.live.entries import decode_entry, fold
from durak.server.table.inputs import ByPlayer, Play
from durak.server.table.machine import Table
from durak.server.table.seating import AnyEvent
from durak.server.table.view import seen_by


@dataclass
class Folded:
    """A table's journal. `commands`: player and command id -> sequence numbers, one for each time it was carried out."""

    table: Table
    commands: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    plays: int = 0
    _told: list[tuple[int, dict[str, int | None], list[AnyEvent]]] = field(default_factory=list)

    def step(self, line: bytes) -> None:
        """Carry out an entry."""
        entry = decode_entry(line)
        events = self.table.step(entry.input, entry.at_ms, jitter=entry.jitter, deck=entry.deck)
        if isinstance(entry.input, ByPlayer):
            self.commands.setdefault((entry.input.player, entry.input.cid), []).append(self.table.seq)
            self.plays += isinstance(entry.input, Play)
        if events:
            seats = {occupant.player: occupant.seat for _, occupant in self.table.occupants()}
            self._told.append((self.table.seq, seats, events))

    def events_for(self, player: str) -> dict[int, list[Any]]:
        """By sequence number, what this player is told, as JSON."""
        told: dict[int, list[Any]] = {}
        for seq, seats, events in self._told:
            shown = seen_by(events, seats.get(player))
            if shown:
                told.setdefault(seq, []).extend(msgspec.json.decode(msgspec.json.encode(shown)))
        return told


async def folded_journals(data: Path) -> dict[str, Folded]:
    """All live tables of a data directory that no server uses. Fails where a journal does not give what it gave."""
    journal = await SqliteJournal.open(data)
    try:
        tables: dict[str, Folded] = {}
        async for name, lines in journal.live_tables():
            table = Table(name)
            for _ in fold(table, lines):
                pass
            tables[name] = Folded(Table(name))
            for line in lines:
                tables[name].step(line)
            assert tables[name].table.seq == table.seq
        return tables
    finally:
        await journal.close()
