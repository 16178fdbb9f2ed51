"""The lines of a journal: entries as bytes, and the hash by which a fold that diverges is noticed."""

import hashlib
from collections.abc import Iterator, Sequence

import msgspec

from durak.protocol.rules.errors import IllegalAction
from durak.server.live.history import encode_events
from durak.server.table.chairs import Refused
from durak.server.table.inputs import Entry
from durak.server.table.machine import Table
from durak.server.table.seating import AnyEvent

encode_entry = msgspec.msgpack.Encoder().encode
"""The line of an entry."""
decode_entry = msgspec.msgpack.Decoder(Entry).decode
"""The entry in a line. Raises `msgspec.DecodeError`."""


class Diverged(Exception):
    """A journal does not give what it gave when it was written; the text says where."""


def hash_of(events: Sequence[AnyEvent]) -> str:
    """A short hash of events."""
    return hash_of_encoded(encode_events(events))


def hash_of_encoded(events: bytes) -> str:
    """The same of events as `encode_events` gives them."""
    return hashlib.blake2b(events, digest_size=6).hexdigest()


def fold(table: Table, lines: Sequence[bytes]) -> Iterator[tuple[list[AnyEvent], bytes]]:
    """Carry out a journal on a new table, entry by entry: the events of each, and the same as bytes. Raises `Diverged`."""
    for number, line in enumerate(lines, 1):
        try:
            entry = decode_entry(line)
            events = table.step(entry.input, entry.at_ms, jitter=entry.jitter, deck=entry.deck)
        except Exception as error:  # whatever it is, this table can't go on, and the others can
            raise Diverged(f"entry {number} can't be carried out: {_cause_of(error)}") from error
        encoded = encode_events(events)
        if hash_of_encoded(encoded) != entry.seen:
            raise Diverged(f"entry {number} gives other events than it gave when it was written")
        yield events, encoded


def _cause_of(error: Exception) -> str:
    """For the log: the code of a refusal, else the kind of error; its text might quote a card."""
    if isinstance(error, IllegalAction):
        return error.reason.code
    return error.code if isinstance(error, Refused) else type(error).__name__
