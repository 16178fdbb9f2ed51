"""What has happened in the running game, for those who come back to it."""

from collections.abc import Iterator

import msgspec

from durak.server.table.seating import AnyEvent

MAX_HISTORY = 800
"""Entries kept: far more than a game has, and few enough for one frame."""

encode_events = msgspec.msgpack.Encoder().encode
"""Events as bytes."""
_decoder = msgspec.msgpack.Decoder(list[AnyEvent])


class History:
    """Sequence numbers with their events, from the beginning of the running game.

    Kept as bytes, in two flat lists: as objects, the events of a thousand games are most of what the garbage collector has to look
    through, and it would stop the server for a twentieth of a second every other second.
    """

    def __init__(self) -> None:
        self._numbers: list[int] = []
        self._events: list[bytes] = []

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[tuple[int, list[AnyEvent]]]:
        return ((number, _decoder.decode(events)) for number, events in zip(self._numbers, self._events, strict=True))

    @property
    def first(self) -> int | None:
        """The first number."""
        return self._numbers[0] if self._numbers else None

    def append(self, seq: int, events: bytes) -> None:
        """Something has happened: the events as `encode_events` gives them. The oldest is forgotten when there is too much."""
        self._numbers.append(seq)
        self._events.append(events)
        if len(self) > MAX_HISTORY:
            del self._numbers[: MAX_HISTORY // 4]
            del self._events[: MAX_HISTORY // 4]

    def clear(self) -> None:
        """Another game begins."""
        self._numbers.clear()
        self._events.clear()
