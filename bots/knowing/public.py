"""What all players at a table know of the hidden cards from its public events. Compiled where a compiler was there."""

from durak.protocol.rules.bits import BIT, SEAT_BIT
from durak.protocol.rules.flat import i64, vec
from durak.protocol.rules.layout import MOST_PLAYERS


class Public:
    """Sets of cards and of ranks are integers (layout.py); one entry per seat, whatever the number of players.

    `discarded`: cards that have left the game. `known`: cards that a hand holds, because it took or showed them. `barred`: ranks
    that a hand holds none of beside what is known, proved by an early close (RULES 1.14). `declined`: ranks that a seat passed on;
    `unbeaten`: cards that it took rather than beat. The last two are hints; they and `barred` end when the seat draws.
    """

    __slots__ = ("barred", "declined", "discarded", "known", "unbeaten")

    def __init__(self) -> None:
        self.discarded: i64 = 0
        self.known: vec[i64] = vec[i64]([0] * MOST_PLAYERS)
        self.barred: vec[i64] = vec[i64]([0] * MOST_PLAYERS)
        self.declined: vec[i64] = vec[i64]([0] * MOST_PLAYERS)
        self.unbeaten: vec[i64] = vec[i64]([0] * MOST_PLAYERS)

    def assign(self, other: "Public") -> None:
        """Know what the other one knows, which stays untouched."""
        self.discarded = other.discarded
        seat: i64
        for seat in range(MOST_PLAYERS):
            self.known[seat] = other.known[seat]
            self.barred[seat] = other.barred[seat]
            self.declined[seat] = other.declined[seat]
            self.unbeaten[seat] = other.unbeaten[seat]

    def forget(self) -> None:
        """A new game, of which nothing is known."""
        self.discarded = 0
        seat: i64
        for seat in range(MOST_PLAYERS):
            self.known[seat] = 0
            self.drew(seat)

    def played(self, seat: i64, card: i64) -> None:
        """A seat has played a card."""
        self.known[seat] &= ~BIT[card]

    def passed(self, seat: i64, ranks: i64) -> None:
        """A seat has passed while these ranks could be added."""
        self.declined[seat] |= ranks

    def took(self, seat: i64, open_cards: i64) -> None:
        """A seat has taken while these cards were open."""
        self.unbeaten[seat] |= open_cards

    def nobody_adds(self, seats: i64, ranks: i64) -> None:
        """The bout closes early, so these seats, which have not passed, hold none of the ranks on the table."""
        seat: i64
        for seat in range(MOST_PLAYERS):
            if seats & SEAT_BIT[seat]:
                self.barred[seat] |= ranks

    def ended(self, defender: i64, cards: i64, taken: bool) -> None:
        """A bout has ended with these cards on the table."""
        if taken:
            self.known[defender] |= cards
        else:
            self.discarded |= cards

    def drew(self, seat: i64) -> None:
        """A seat has drawn."""
        self.barred[seat] = 0
        self.declined[seat] = 0
        self.unbeaten[seat] = 0
