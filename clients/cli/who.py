"""Who is who at a table: names for seats and chairs, and which of them is the viewer."""

from collections import Counter
from collections.abc import Iterable

from durak.clients.words.speech import Speech
from durak.protocol.messages import ChairView, TableView


class Who:
    """The people of a table. Names that occur twice get the number of their chair; people count chairs from 1."""

    def __init__(self, view: TableView, speech: Speech) -> None:
        self._speech = speech
        self.seat = view.you.seat
        self.chair = view.you.chair
        times = Counter(chair.name for chair in view.chairs)
        self._by_chair = {chair.chair: self._name(chair, times) for chair in view.chairs}
        self._by_seat = {chair.seat: self._by_chair[chair.chair] for chair in view.chairs if chair.seat is not None}

    @staticmethod
    def _name(chair: ChairView, times: Counter[str]) -> str:
        return chair.name if times[chair.name] == 1 else f"{chair.name} ({chair.chair + 1})"

    def at(self, seat: int) -> str:
        """The name of a seat, also of the viewer's own."""
        return self._by_seat.get(seat) or self._speech("who.seat", seat=seat + 1)

    def on(self, chair: int) -> str:
        """The name of a chair, also of the viewer's own."""
        return self._by_chair.get(chair) or self._speech("who.chair", chair=chair + 1)

    def named(self, seat: int) -> str:
        """The name of a seat, "you" for the viewer."""
        return self._speech("who.you") if seat == self.seat else self.at(seat)

    def several(self, seats: Iterable[int]) -> str:
        """Names of seats, "you" for the viewer, as an enumeration."""
        return self._speech.several([self.named(seat) for seat in seats])

    def says(self, key: str, seat: int, **params: object) -> str:
        """A sentence about a seat: the one for "you" (key with `.you`), if it is the viewer's."""
        return self._speech(f"{key}.you", **params) if seat == self.seat else self._speech(key, name=self.at(seat), **params)

    def says_of_chair(self, key: str, chair: int, **params: object) -> str:
        """A sentence about a chair: the one for "you" (key with `.you`), if it is the viewer's."""
        mine = chair == self.chair
        return self._speech(f"{key}.you", **params) if mine else self._speech(key, name=self.on(chair), **params)
