"""The desk: each seat that needs a bot is offered to one host at a time, and to another when the bot does not come."""

from __future__ import annotations

import pytest

from durak.protocol.messages import Level, SeatOffer
from durak.protocol.rules.actions import Leave
from durak.protocol.rules.ruleset import ruleset_of
from durak.server.given.meter import Meter
from durak.server.live.port import Viewer
from durak.server.lobby.desk import OFFER_AGAIN_MS, Desk
from durak.server.people.tokens import Identity, Tokens
from durak.server.table.chairs import stand_in_of
from durak.server.table.inputs import BotPlayer, CreateTable, DismissBot, Play, SeatBots, SitDown, StartGame
from durak.server.table.machine import Table
from tests.server.shell import FixedEntropy, HandClock, KeptOutlet, commit, moment

SECRET = b"a secret for tests"


class Office:
    """A desk with a table of four: Ann, and as many bots as one likes."""

    def __init__(self) -> None:
        self.clock = HandClock()
        self.desk = Desk(tokens(), self.clock, Meter())
        self.table = Table("TAB001")
        rules = ruleset_of("classic", {"max_players": 4, "close_ms": 0})
        self.step(CreateTable("ann", "c1", "Ann", "T", rules, True, False, False, []))

    def step(self, given: object) -> None:
        """Carry out an input, and let the desk look at the table."""
        self.table.step(given, self.clock.now_ms(), deck=FixedEntropy().deck())  # type: ignore[arg-type]
        self.desk.committed(commit(self.table))

    def seat(self, *levels: Level) -> None:
        """Bots take chairs."""
        taken = len(self.table.occupants())
        bots = [BotPlayer(f"bot:{taken + at}", f"Bot {taken + at}", level) for at, level in enumerate(levels)]
        self.step(SeatBots("ann", f"seat-{taken}", bots))

    def host(self, *levels: Level, capacity: int = 10) -> Viewer:
        """A host that offers seats."""
        viewer = connected(Identity("host:own", "bot host", "host"))
        self.desk.host_offers(viewer, list(levels), capacity)
        return viewer

    def bot(self, offer: SeatOffer) -> Viewer:
        """The bot of an offer is at its table."""
        viewer = connected(tokens().read(offer.token))
        self.desk.attached(moment(self.table), viewer, None)
        return viewer


def tokens() -> Tokens:
    """Those of the server."""
    return Tokens(SECRET, lambda: 1_000_000)


def connected(identity: Identity) -> Viewer:
    """Somebody who has said hello."""
    return Viewer(identity, KeptOutlet())


def outlet_of(viewer: Viewer) -> KeptOutlet:
    """What somebody is sent."""
    assert isinstance(viewer._outlet, KeptOutlet)
    return viewer._outlet


def offers(viewer: Viewer) -> list[SeatOffer]:
    """The seats a host was offered."""
    return [message for message in outlet_of(viewer).told if isinstance(message, SeatOffer)]


def closed(viewer: Viewer) -> tuple[int, str] | None:
    """How somebody was sent away."""
    return outlet_of(viewer).closed


def test_a_bots_chair_is_offered_with_a_token_for_it() -> None:
    office = Office()
    host = office.host("easy", "normal")
    office.seat("easy")
    (offer,) = offers(host)
    assert (offer.table, offer.level, offer.delay_ms) == ("TAB001", "easy", (1_500, 3_000))
    assert tokens().read(offer.token) == Identity("bot:1", "Bot 1", "bot", "TAB001", "easy")


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
    office.desk.detached(moment(office.table), bot)
    await office.clock.advance(OFFER_AGAIN_MS // 2)
    again = office.bot(offers(host)[0])
    office.desk.detached(moment(office.table), bot)  # the old connection's end is noticed late
    await office.clock.advance(10 * OFFER_AGAIN_MS)
    assert len(offers(host)) == 1
    office.desk.detached(moment(office.table), again)
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
    token = tokens().make(Identity("bot:1", "Bot 1", "bot", "TAB001", "easy"))
    office.desk.attached(moment(office.table), connected(tokens().read(token)), None)
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
    identity = tokens().read(offer.token)
    assert (identity.player, identity.name, offer.level) == (stand_in_of("TAB001", 1), "Bob", "normal")
    bot = office.bot(offer)
    office.step(SitDown("bob", "b3", "Bob"))
    assert closed(bot) == (4105, "seat_gone")


def test_the_end_of_a_table_lets_everybody_go() -> None:
    office = Office()
    host = office.host("easy", capacity=2)
    office.seat("easy", "easy")
    bots = [office.bot(offer) for offer in offers(host)]
    office.desk.ended(moment(office.table), "closed")
    assert [closed(bot) for bot in bots] == [(4105, "seat_gone")] * 2
    assert office.desk.can_fill(["easy"] * 2)
    office.desk.ended(moment(office.table), "closed")
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
