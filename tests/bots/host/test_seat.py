"""A seat acts after a fresh delay on the state of that moment, survives losses, and ends with its table."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise

import msgpack
import msgspec
import pytest

from durak.bots.bot import Bot, Budget
from durak.bots.host.seat import SeatPlayer, Thinker
from durak.bots.host.workers import SPAN_S, NoThought
from durak.bots.knowing.memory import Memory
from durak.bots.players.easy import Easy
from durak.bots.players.normal import Normal
from durak.protocol.messages import Act, CloseCode, Detached, Error, SeatOffer, Update, ViewChange
from durak.protocol.rules.actions import AnyAction, Beat, Lead, Pass, Take, Throw
from durak.protocol.rules.cards import set_of
from durak.protocol.rules.game import Game
from durak.protocol.rules.ruleset import ruleset_of
from durak.protocol.rules.view import GameView
from tests.bots.fake_table import FakeTable, offer
from tests.clients.link.fake_server import TABLE, FakeServer, fake_server

pytestmark = pytest.mark.looptime


def given(hands: list[str], stock: str = "", attacker: int = 0, **options: object) -> Game:
    return Game.position(
        ruleset_of("classic", options), trump="S", hands=[hand.split() for hand in hands], stock=stock.split(), attacker=attacker
    )


@asynccontextmanager
async def seated(
    game: Game, bot: int, player: Bot | None = None, the_offer: SeatOffer | None = None, thinker: Thinker | None = None
) -> AsyncIterator[tuple[FakeTable, FakeServer, asyncio.Task[None]]]:
    """A bot at a table, attached."""
    table = FakeTable(game, bot)
    async with fake_server(table.scene) as server:
        seat = SeatPlayer(server.url, the_offer or offer(), player or Normal(), random.Random(1), thinker=thinker)
        task = asyncio.create_task(seat.play(asyncio.Semaphore(1)))
        await table.attached()
        yield table, server, task
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def now() -> float:
    return asyncio.get_running_loop().time()


async def test_it_leads_after_a_delay_of_the_offer() -> None:
    delays = []
    for _ in range(5):
        async with seated(given(["6H", "7D 8D"]), 0) as (table, _, _):
            began = now()
            at, action = await table.next_try()
            assert action == Lead("6H")
            delays.append(at - began)
    assert all(1.4 < delay < 3.1 for delay in delays)


async def test_each_delay_is_drawn_afresh() -> None:
    game = given(["6H 6D 6C 7H", "8H 8D 8C 9H 10H JH"])
    async with seated(game, 0) as (table, _, _):
        times = [now()]
        for _ in range(3):
            at, _action = await table.next_try()
            times.append(at)
            await table.other(1, Beat({"6H": "8H", "6D": "8D", "6C": "8C"}[table.game.table[-1][0]]))
        waits = [round(later - earlier, 2) for earlier, later in pairwise(times)]
        assert len(set(waits)) == 3
        assert all(1.4 < wait < 3.2 for wait in waits)


async def test_the_defender_decides_on_the_cards_that_lie_there_when_its_delay_ends() -> None:
    async with seated(given(["6H 6D 9C", "7H 8H 9S", "6C 7C"]), 1) as (table, _, _):
        await table.other(0, Lead("6H"))
        await asyncio.sleep(1)
        await table.other(0, Throw("6D"))
        await asyncio.sleep(0.4)
        await table.other(2, Throw("6C"))
        _, action = await table.next_try()
        assert action == Take(), "three cards, two of which only one trump beats"
        assert len(table.tried) == 1


async def test_an_attacker_waits_for_the_defender_and_then_draws_a_new_delay() -> None:
    async with seated(given(["6H 9D 9C 9S", "7H 8H", "KC KD"]), 2) as (table, _, _):
        await table.other(0, Lead("6H"))
        await asyncio.sleep(10)
        assert table.tried == [], "nothing to add, and a card is open"
        await table.other(1, Beat("7H"))
        began = now()
        at, action = await table.next_try()
        assert action == Pass()
        assert 1.4 < at - began < 3.1


async def test_a_new_rank_cancels_its_pass_and_it_decides_anew() -> None:
    async with seated(given(["6H 6D", "7H 9D 8C JD", "9C KD"], discreet=True), 2, Easy()) as (table, _, _):
        await table.other(0, Lead("6H"))
        await table.other(1, Beat("7H"))
        assert (await table.next_try())[1] == Pass()
        await table.other(0, Throw("6D"))
        await table.other(1, Beat("9D"))
        _, action = await table.next_try()
        assert action in (Throw("9C"), Pass())
        assert len(table.acts) == 2


async def test_a_delay_that_nobody_needs_any_more_ends() -> None:
    async with seated(given(["6H 7D", "7H 8H"]), 1) as (table, _, _):
        await table.other(0, Lead("6H"))
        await asyncio.sleep(0.5)
        await table.other(1, Take())  # its turn clock has run out
        await asyncio.sleep(10)
        assert table.tried == []


async def test_a_stale_action_is_decided_anew() -> None:
    async with seated(given(["6H", "7D 8D"]), 0) as (table, _, _):
        refusals = [Error("stale"), Error("stale")]
        table.refuse = lambda act: refusals.pop() if refusals else None
        for _ in range(3):
            await table.next_try()
        assert [action for _, action in table.tried] == [Lead("6H")] * 3
        assert len(table.acts) == 1


async def test_a_seat_that_is_always_refused_waits_for_news() -> None:
    async with seated(given(["6H", "7D 8D"]), 0) as (table, _, _):
        table.refuse = lambda act: Error("rank")
        await asyncio.sleep(11)
        assert len(table.tried) == 3
        await table.tell([])
        await asyncio.sleep(11)
        assert len(table.tried) == 6


async def test_told_to_wait_it_waits() -> None:
    async with seated(given(["6H", "7D 8D"]), 0) as (table, _, _):
        table.refuse = lambda act: Error("rate_limited", retry_after_ms=20_000) if len(table.tried) == 1 else None
        first, _ = await table.next_try()
        second, _ = await table.next_try()
        assert 20 <= second - first < 20.5


async def test_without_delays_no_action_is_sent_twice() -> None:
    game = given(["6H 6D 6C 7H 8H 9H", "7D 8D 9D 10D JD QD"])
    async with seated(game, 0, the_offer=offer(delay_ms=(0, 0))) as (table, _, _):
        await asyncio.sleep(1)
        assert table.tried == table.acts
        await table.other(1, Take())
        await asyncio.sleep(1)
        assert table.tried == table.acts
        assert table.acts[-1][1] == Pass()


class Attentive(Normal):
    """Notes what it knew of the cards in seat 0 at each decision."""

    def __init__(self) -> None:
        self.known: list[int] = []

    def choose(self, view: GameView, memory: Memory, rng: random.Random, budget: Budget) -> AnyAction | None:
        self.known.append(memory.public.known[0])
        return super().choose(view, memory, rng, budget)


async def take_two(table: FakeTable) -> None:
    """Seat 2 attacks seat 0, which takes 6H and 6D."""
    await table.other(2, Lead("6H"))
    await table.other(0, Take())
    await table.other(2, Throw("6D"))
    await table.tell(table.game.close())


async def test_after_a_loss_it_goes_on_with_what_it_knew() -> None:
    bot = Attentive()
    async with seated(given(["9H 10H", "7H 8H", "6H 6D 9D"], attacker=2), 1, bot) as (table, server, _):
        await take_two(table)
        table.cut()
        await table.attached()
        assert [hello.seq for hello in server.hellos] == [None, 5]
        await table.next_try()
        assert bot.known[-1] == set_of(["6H", "6D"])


async def test_after_an_event_of_a_newer_server_its_memory_begins_anew_from_the_view() -> None:
    bot = Attentive()
    async with seated(given(["9H 10H", "7H 8H", "6H 6D 9D"], attacker=2), 1, bot) as (table, server, task):
        await take_two(table)
        table.seq += 1
        raw = msgspec.to_builtins(Update(table.seq, [], ViewChange.to(table.view())))
        assert table.peer is not None
        await table.peer.send_frame(msgpack.packb({**raw, "events": [{"event": "hands_swapped", "seats": [0, 2]}]}))
        await table.next_try()
        assert bot.known[-1] == 0, "the cards may be somebody else's now"
        assert table.acts
        assert (server.connections, task.done()) == (1, False)


async def test_a_bot_that_fails_leaves_the_turn_clock_to_act(caplog: pytest.LogCaptureFixture) -> None:
    class Broken(Normal):
        def choose(self, view: GameView, memory: Memory, rng: random.Random, budget: Budget) -> AnyAction | None:
            raise ZeroDivisionError

    async with seated(given(["6H 9D", "7D 8D 9C"]), 0, Broken()) as (table, _, task):
        await asyncio.sleep(10)
        assert not task.done()
        assert table.tried == []
    assert "the turn clock acts for it" in caplog.text


async def test_it_stays_after_the_game_for_a_rematch() -> None:
    async with seated(given(["6H", "7H 8H"]), 0) as (table, _, task):
        await table.next_try()
        await table.other(1, Beat("7H"))
        await table.tell(table.game.close())
        assert table.game.result is not None
        await asyncio.sleep(60)
        assert not task.done()
        table.game = given(["6H", "7D 8D"])
        await table.tell([])
        assert (await table.next_try())[1] == Lead("6H")


@pytest.mark.parametrize("ending", ["detached", "seat_gone", "replaced", "table_gone"])
async def test_it_ends_with_its_seat(ending: str) -> None:
    async with seated(given(["6H", "7D 8D"]), 0) as (table, server, task):
        assert table.peer is not None
        if ending == "detached":
            await table.peer.send(Detached(TABLE, "closed"))
        elif ending == "table_gone":
            await table.peer.send(Error("no_such_table", params={"table": TABLE}))
        else:
            await table.peer.close(CloseCode.SEAT_GONE if ending == "seat_gone" else CloseCode.REPLACED, ending)
        await asyncio.wait_for(task, 5)
        assert server.connections == 1


async def test_the_bout_and_for_a_pass_the_epoch_are_named() -> None:
    acts: list[Act] = []
    async with seated(given(["6H 9D KD", "7H 8H"]), 0) as (table, _, _):
        table.refuse = acts.append
        await table.next_try()
        await table.other(1, Beat("7H"))
        await table.next_try()
        assert [(act.action, act.bout, act.epoch) for act in acts] == [(Lead("6H"), 2, None), (Pass(), 2, 2)]


# ---------------------------------------------------------------- a bot that thinks elsewhere


class Slow:
    """Thinks for so long, or fails after it; `asked` notes when it was, and about how many open cards."""

    def __init__(self, takes_s: float = 0.0, code: str | None = None, answer: AnyAction | None = None) -> None:
        self.takes_s = takes_s
        self.code = code
        self.answer = answer
        self.asked: list[tuple[float, int]] = []
        self.untils: list[float] = []

    async def think(self, view: GameView, memory: Memory, seed: int, until: float) -> AnyAction | None:
        self.asked.append((now(), sum(pair.beaten is None for pair in view.table)))
        self.untils.append(until)
        await asyncio.sleep(self.takes_s)
        if self.code is not None:
            raise NoThought(self.code)
        return self.answer or view.legal[0]


@pytest.mark.parametrize("hand", ["6H", "6H 9D JC KS"], ids=["one card", "four cards"])
async def test_when_it_acts_says_nothing_about_its_thought(hand: str) -> None:
    delays = set()
    for thinker in (None, Slow(), Slow(0.3), Slow(0.95), Slow(0.5, "worker_killed"), Slow(0.0, "too_busy")):
        async with seated(given([hand, "7D 8D"]), 0, thinker=thinker) as (table, _, _):
            began = now()
            at, _ = await table.next_try()
            delays.add(round(at - began, 3))
    assert len(delays) == 1, "each had the same delay drawn"
    assert 1.4 < delays.pop() < 3.1


async def test_where_no_thought_comes_its_cheap_bot_decides() -> None:
    async with seated(given(["6H 9D", "7D 8D"]), 0, thinker=Slow(0.2, "worker_timed_out")) as (table, _, _):
        assert (await table.next_try())[1] == Lead("6H")


async def test_it_thinks_shortly_before_it_acts_and_once() -> None:
    thinker = Slow(0.4, answer=Lead("9D"))
    async with seated(given(["6H 9D", "7D 8D"]), 0, thinker=thinker) as (table, _, _):
        at, action = await table.next_try()
        assert action == Lead("9D")
        assert thinker.asked == [(pytest.approx(at - SPAN_S, abs=0.01), 0)]
        assert thinker.untils == [pytest.approx(at, abs=0.01)]


async def test_a_change_in_the_middle_of_a_thought_is_thought_about_anew_and_moves_nothing() -> None:
    thinker, still = Slow(0.2, answer=Take()), Slow(0.2, answer=Take())
    game = given(["6H 6D 9C", "7H 8H 9S", "6C 7C"])
    async with seated(game.copy(), 1, thinker=still) as (table, _, _):
        await table.other(0, Lead("6H"))
        began = now()
        usual = (await table.next_try())[0] - began
    async with seated(game.copy(), 1, thinker=thinker) as (table, _, _):
        await table.other(0, Lead("6H"))
        began = now()
        await asyncio.sleep(usual - 0.5)
        await table.other(0, Throw("6D"))
        at, _ = await table.next_try()
        assert at - began == pytest.approx(usual, abs=0.01)
        assert [cards for _, cards in thinker.asked] == [1, 2]


async def test_a_change_just_before_it_acts_gives_the_time_of_a_thought_and_no_end_of_it() -> None:
    thinker = Slow(0.2, answer=Take())
    async with seated(given(["6H 6D 9C", "7H 8H 9S", "6C 7C"]), 1, thinker=thinker) as (table, _, _):
        await table.other(0, Lead("6H"))
        while not thinker.asked:
            await asyncio.sleep(0.01)
        due = thinker.untils[0]
        await asyncio.sleep(due - now() - 0.1)
        await table.other(0, Throw("6D"))
        await asyncio.sleep(0.15)
        await table.other(2, Throw("6C"))
        at, _ = await table.next_try()
        assert at == pytest.approx(due + 0.05 + 0.2, abs=0.03)
        assert thinker.untils == [due, pytest.approx(due - 0.1 + SPAN_S, abs=0.03), pytest.approx(due + SPAN_S, abs=0.03)]


async def test_what_does_not_concern_the_game_disturbs_no_thought() -> None:
    thinker = Slow(0.5)
    async with seated(given(["6H", "7D 8D"]), 0, thinker=thinker) as (table, _, _):
        while not thinker.asked:
            await asyncio.sleep(0.01)
        await table.tell([])
        await table.next_try()
        assert len(thinker.asked) == 1


async def test_a_thought_that_nobody_needs_any_more_ends() -> None:
    thinker = Slow(0.5, answer=Beat("7H", "6H"))
    async with seated(given(["6H 7D", "7H 8H"]), 1, thinker=thinker) as (table, _, _):
        await table.other(0, Lead("6H"))
        while not thinker.asked:
            await asyncio.sleep(0.01)
        await table.other(1, Take())  # its turn clock has run out
        await asyncio.sleep(10)
        assert table.tried == []


async def test_without_delays_it_thinks_for_every_action_and_acts_once() -> None:
    thinker = Slow(0.25)
    game = given(["6H 6D 6C 7H 8H 9H", "7D 8D 9D 10D JD QD"])
    async with seated(game, 0, None, offer(delay_ms=(0, 0)), thinker) as (table, _, _):
        await asyncio.sleep(1)
        assert len(table.tried) == len(table.acts) == 3
        assert [at for at, _ in table.acts] == [pytest.approx(0.25 * n + thinker.asked[0][0], abs=0.05) for n in (1, 2, 3)]
