"""The desk: each seat that needs a bot is offered to one host at a time, and to another when the bot does not come."""

from __future__ import annotations

import pytest

from durak.protocol.codec import JSON
from durak.protocol.messages import Level, SeatOffer
from durak.protocol.rules.actions import Leave
from durak.protocol.rules.ruleset import ruleset_of
from durak.server.edge.connection import Session
from durak.server.lobby.desk import OFFER_AGAIN_MS, Desk
from durak.server.people.tokens import Identity, Tokens
from durak.server.table.chairs import stand_in_of
from durak.server.table.inputs import BotPlayer, CreateTable, DismissBot, Play, SeatBots, SitDown, StartGame
from durak.server.table.machine import Table
from tests.server.shell import FixedEntropy, HandClock, KeptConnection

SECRET = b"a secret for tests"


class Office:
    """A desk with a table of four: Ann, and as many bots as one likes."""

    def __init__(self) -> None:
        self.clock = HandClock()
        self.desk = Desk(Tokens(SECRET), self.clock)
        self.table = Table("TAB001")
        rules = ruleset_of("classic", {"max_players": 4, "close_ms": 0})
        self.step(CreateTable("ann", "c1", "Ann", "T", rules, True, False, False, []))

    def step(self, given: object) -> None:
        """Carry out an input, and let the desk look at the table."""
        self.table.step(given, self.clock.now_ms(), deck=FixedEntropy().deck())  # type: ignore[arg-type]
        self.desk.review(self.table)

    def seat(self, *levels: Level) -> None:
        """Bots take chairs."""
        taken = len(self.table.occupants())
        bots = [BotPlayer(f"bot:{taken + at}", f"Bot {taken + at}", level) for at, level in enumerate(levels)]
        self.step(SeatBots("ann", f"seat-{taken}", bots))

    def host(self, *levels: Level, capacity: int = 10) -> Session:
        """A host that offers seats."""
        session = connected(Identity("host:own", "bot host", "host"))
        self.desk.host_offers(session, list(levels), capacity)
        return session

    def bot(self, offer: SeatOffer) -> Session:
        """The bot of an offer is at its table."""
        session = connected(Tokens(SECRET).read(offer.token))
        self.desk.attached(session, offer.table)
        return session


def connected(identity: Identity) -> Session:
    """A session that has said hello."""
    session = Session(KeptConnection(JSON), JSON, "127.0.0.1", None)
    session.identity = identity
    return session


def offers(session: Session) -> list[SeatOffer]:
    """The seats a host was offered."""
    connection = session.connection
    assert isinstance(connection, KeptConnection)
    return [message for message in connection.told if isinstance(message, SeatOffer)]


def closed(session: Session) -> tuple[int, str] | None:
    """How a session was closed."""
    connection = session.connection
    assert isinstance(connection, KeptConnection)
    return connection.closed


def test_a_bots_chair_is_offered_with_a_token_for_it() -> None:
    office = Office()
    host = office.host("easy", "normal")
    office.seat("easy")
    (offer,) = offers(host)
    assert (offer.table, offer.level, offer.delay_ms) == ("TAB001", "easy", (1_500, 3_000))
    assert Tokens(SECRET).read(offer.token) == Identity("bot:1", "Bot 1", "bot", "TAB001", "easy")


def test_seats_wait_for_a_host_of_their_level() -> None:
    office = Office()
    office.seat("hard", "easy")
    easy = office.host("easy")
    assert [offer.level for offer in offers(easy)] == ["easy"]
    hard = office.host("hard")
    assert [offer.level for offer in offers(hard)] == ["hard"]


def test_the_host_with_most_room_is_asked() -> None:
    office = Office()
    small, large = office.host("easy", capacity=1), office.host("easy", capacity=3)
    office.seat("easy", "easy", "easy")
    assert (len(offers(small)), len(offers(large))) == (1, 2)


def test_capacity_is_not_exceeded_and_comes_back() -> None:
    office = Office()
    host = office.host("easy", capacity=1)
    office.seat("easy", "easy")
    assert len(offers(host)) == 1
    assert not office.desk.can_fill(["easy"])
    office.step(DismissBot("ann", "d1", 1))
    assert len(offers(host)) == 2
    office.step(DismissBot("ann", "d2", 2))
    assert office.desk.can_fill(["easy"])
    assert not office.desk.can_fill(["easy"] * 2)


@pytest.mark.parametrize(
    ("levels", "fits"),
    [
        ([], True),
        (["easy"] * 2, True),
        (["easy"] * 3, False),
        (["easy", "normal", "normal"], True),
        (["easy", "easy", "normal", "normal"], False),
        (["hard"], False),
    ],
)
def test_whether_bots_can_fill(levels: list[Level], fits: bool) -> None:
    office = Office()
    office.host("easy", "normal", capacity=2)
    office.host("normal", capacity=1)
    assert office.desk.can_fill(levels) is fits
    assert office.desk.levels() == ["easy", "normal"]


async def test_a_bot_that_does_not_come_is_replaced() -> None:
    office = Office()
    first = office.host("easy", capacity=1)
    office.seat("easy")
    assert len(offers(first)) == 1
    second = office.host("easy", capacity=5)
    await office.clock.advance(OFFER_AGAIN_MS - 1)
    assert offers(second) == []
    await office.clock.advance(1)
    assert len(offers(second)) == 1
    office.bot(offers(second)[0])
    await office.clock.advance(5 * OFFER_AGAIN_MS)
    assert (len(offers(first)), len(offers(second))) == (1, 1)


async def test_a_bot_whose_connection_is_lost_may_come_back_by_itself() -> None:
    office = Office()
    host = office.host("easy")
    office.seat("easy")
    bot = office.bot(offers(host)[0])
    await office.clock.advance(10 * OFFER_AGAIN_MS)
    office.desk.detached(bot, "TAB001")
    await office.clock.advance(OFFER_AGAIN_MS // 2)
    again = office.bot(offers(host)[0])
    office.desk.detached(bot, "TAB001")  # the old connection's end is noticed late
    await office.clock.advance(10 * OFFER_AGAIN_MS)
    assert len(offers(host)) == 1
    office.desk.detached(again, "TAB001")
    await office.clock.advance(OFFER_AGAIN_MS)
    assert len(offers(host)) == 2


async def test_a_host_that_dies_keeps_the_bots_that_are_still_there() -> None:
    office = Office()
    first = office.host("easy")
    office.seat("easy", "easy")
    bot = office.bot(offers(first)[0])
    second = office.host("easy", capacity=1)
    office.desk.host_gone(first)
    assert [offer.token for offer in offers(second)] != [offers(first)[0].token]
    assert len(offers(second)) == 1
    assert closed(bot) is None
    office.desk.host_gone(first)


async def test_a_restarted_servers_bots_come_by_themselves() -> None:
    office = Office()
    office.seat("easy")
    token = Tokens(SECRET).make(Identity("bot:1", "Bot 1", "bot", "TAB001", "easy"))
    office.desk.attached(connected(Tokens(SECRET).read(token)), "TAB001")
    assert offers(office.host("easy")) == []


def test_a_leaver_is_played_on_until_it_comes_back() -> None:
    office = Office()
    host = office.host("normal")
    office.step(SitDown("bob", "b1", "Bob"))
    office.step(SitDown("cid", "c1", "Cid"))
    office.step(StartGame("ann", "s"))
    assert offers(host) == []
    office.step(Play("bob", "b2", Leave(), 1))
    (offer,) = offers(host)
    identity = Tokens(SECRET).read(offer.token)
    assert (identity.player, identity.name, offer.level) == (stand_in_of("TAB001", 1), "Bob", "normal")
    bot = office.bot(offer)
    office.step(SitDown("bob", "b3", "Bob"))
    assert closed(bot) == (4105, "seat_gone")


def test_the_end_of_a_table_lets_everybody_go() -> None:
    office = Office()
    host = office.host("easy", capacity=2)
    office.seat("easy", "easy")
    bots = [office.bot(offer) for offer in offers(host)]
    office.desk.table_gone("TAB001")
    assert [closed(bot) for bot in bots] == [(4105, "seat_gone")] * 2
    assert office.desk.can_fill(["easy"] * 2)
    office.desk.table_gone("TAB001")
    office.desk.host_gone(host)
    assert office.desk.levels() == []


def test_a_host_may_change_its_offer() -> None:
    office = Office()
    host = office.host("easy", capacity=1)
    office.seat("easy", "easy")
    office.desk.host_offers(host, ["easy"], 2)
    assert len(offers(host)) == 2
    office.desk.host_offers(host, ["easy"], 1)
    assert not office.desk.can_fill(["easy"])
