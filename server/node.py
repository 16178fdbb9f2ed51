"""A node: everything that serves tables, composed here and nowhere else, from a journal, time, chance and a meter.

`server.app` gives it the real ones, a simulation virtual ones, a test such as it can set by hand. Sockets, the process and the
operator's tools are not part of it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from durak.protocol.messages import CloseCode
from durak.server.edge.conversations.greeting import GreetingHandler
from durak.server.edge.conversations.hosting import HostingHandler
from durak.server.edge.conversations.lobby import LobbyHandler
from durak.server.edge.conversations.table import TableHandler
from durak.server.edge.gateway import Gateway
from durak.server.given.clock import Clock
from durak.server.given.entropy import Entropy
from durak.server.given.meter import Census, Meter
from durak.server.journal.contract import Journal
from durak.server.live.registry import Registry
from durak.server.live.watching import Watcher
from durak.server.lobby.desk import Desk
from durak.server.lobby.listing import Lobby
from durak.server.people.tokens import Tokens
from durak.server.table.machine import Table
from durak.server.viewers.audience import Audience


@dataclass(frozen=True)
class Parts:
    """What a node is given from outside; and how it makes tables and their audience, since a simulator plants its bugs there.

    `first_watchers` are told of everything before the node's own.
    """

    journal: Journal
    clock: Clock
    entropy: Entropy
    meter: Meter
    make_table: Callable[[str], Table]
    make_audience: Callable[[Clock, Meter], Watcher]
    first_watchers: Sequence[Watcher]


def sound(journal: Journal, clock: Clock, entropy: Entropy, meter: Meter) -> Parts:
    """These four, and tables and audience as they are."""
    return Parts(journal, clock, entropy, meter, Table, Audience, ())


@dataclass(frozen=True)
class Options:
    """How a node serves. `name`: as clients are told; `key` signs tokens; on a `dev` server bots may be as fast as they like."""

    name: str
    key: bytes
    max_tables: int
    dev: bool


class Node:
    """Tables, and all that is said about them."""

    def __init__(self, parts: Parts, options: Options) -> None:
        journal, clock, entropy, meter = parts.journal, parts.clock, parts.entropy, parts.meter
        self.tokens = Tokens(options.key, clock.now_ms)
        self.registry = Registry(journal, clock, entropy, meter, parts.make_table, max_tables=options.max_tables)
        self.lobby = Lobby(clock, meter)
        self.desk = Desk(self.tokens, clock, meter)
        for watcher in (*parts.first_watchers, parts.make_audience(clock, meter), self.desk, self.lobby):
            self.registry.watch(watcher)
        self.gateway = Gateway(
            GreetingHandler(self.tokens, self.registry, options.name),
            LobbyHandler(self.registry, self.lobby, self.desk, entropy, dev=options.dev),
            TableHandler(self.registry, self.desk, entropy),
            HostingHandler(self.desk),
            clock,
            meter,
        )

    async def start(self) -> int:
        """Recover the tables and go on; returns their number. Raises `JournalError` where that can't be written."""
        recovered = await self.registry.recover()
        self.registry.watch_for_idle()
        self.gateway.start()
        return recovered

    def close(self) -> None:
        """Let everybody go; they may come back when the server runs again."""
        self.registry.close()
        self.gateway.close_all(CloseCode.RESTARTING, "restarting")

    async def stop(self) -> None:
        """After `close`: no table moves any more, and what was being written is written."""
        await self.registry.stop()

    def census(self, commits: int) -> Census:
        """How many there are of everything, now; `commits` of the store."""
        connections, watchers = self.gateway.census()
        tables, queued = self.registry.census()
        return Census(tables, queued, connections, watchers, self.desk.census(), commits)

    @property
    def frozen(self) -> int:
        """How many tables can't go on."""
        return self.registry.census()[0]["frozen"]

    def leaving(self) -> str | None:
        """Why no new players should come."""
        if self.gateway.closing:
            return "stopping: the server ends"
        return "draining: the operator wants no new tables" if self.registry.draining else None
