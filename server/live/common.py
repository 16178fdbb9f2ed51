"""What the live tables of a node have in common."""

from collections.abc import Callable
from typing import ParamSpec

from durak.server.given.clock import Clock
from durak.server.given.containment import note_bug
from durak.server.given.entropy import Entropy
from durak.server.given.meter import Meter, Place
from durak.server.journal.contract import Journal
from durak.server.live.rounds import Rounds
from durak.server.live.watching import Watcher
from durak.server.table.machine import Table

P = ParamSpec("P")


class Common:
    """The journal, time and chance that tables are given, how a table is made, who watches them all, and the rounds they share."""

    def __init__(self, journal: Journal, clock: Clock, entropy: Entropy, meter: Meter, make_table: Callable[[str], Table]) -> None:
        self.journal = journal
        self.clock = clock
        self.entropy = entropy
        self.meter = meter
        self.make_table = make_table
        self.rounds = Rounds(clock)
        self.watchers: list[Watcher] = []
        self.closing = False
        """The server stops: a connection that is lost from now on has not dropped."""

    def contain(self, where: Place, table: str, act: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> None:
        """Call, and keep what it raises from everybody else: logged and counted."""
        try:
            act(*args, **kwargs)
        except Exception:
            note_bug(self.meter, where, table)

    def tell(self, table: str, how: Callable[[Watcher], None]) -> None:
        """Tell every watcher of something at this table."""
        for watcher in self.watchers:
            self.contain("watcher", table, how, watcher)

    def failed(self, where: Place, table: str) -> None:
        """Note the exception that is being handled."""
        note_bug(self.meter, where, table)
