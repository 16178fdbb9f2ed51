"""A stay at a table, against a server that says what the test wants."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import pytest

from durak.clients.cli import session
from durak.clients.cli.answers import Order
from durak.clients.cli.session import Ended
from durak.clients.link import LinkClosed, Refused
from durak.protocol import messages as m
from durak.protocol.rules.actions import Beat, Lead, Take
from durak.protocol.rules.events import GameOver, GameResult, Led
from tests.clients.cli.fake_server import FakeServer, Stay, fake_server
from tests.clients.cli.shown import F1, attached, seen, update, waiting

LEADING = seen("S | 7H QD / 8S 9S")
OVER = seen("S | - / 7S | over", can=["leave", "rematch"])
GAME_OVER = GameOver(GameResult([[0], [1]], 1, False, []))


@contextlib.asynccontextmanager
async def staying(view: m.TableView = LEADING, **options: Any) -> AsyncIterator[tuple[FakeServer, Stay]]:
    """A session that has joined a table with this view."""
    async with fake_server() as server:
        stay = Stay(server, Order.of(m.Join, table="K7P2QX"), **options)
        try:
            await server.heard(m.Hello)
            await server.accept(m.Join, attached(view))
            await stay.printed("Table K7P2QX")
            yield server, stay
        finally:
            stay.task.cancel()
            await asyncio.gather(stay.task, return_exceptions=True)


async def test_a_card_typed_is_a_card_played() -> None:
    async with staying() as (_, stay):
        assert await stay.act("1") == Lead("7H")
        assert await stay.act("qd") == Lead("QD")


async def test_f1_targets() -> None:
    async with staying(seen(F1, 1)) as (server, stay):
        assert await stay.act("1 2") == Beat("10D", "8S")
        assert await stay.act("4") == Beat("9H", "8H")
        stay.type("1", "2")
        await stay.printed("10♦ beats more than one: target 1 8♥, target 2 8♠. Name the target, as 1 1.")
        await stay.printed("6♠ cannot be played now.")
        assert server.inbox.empty()
        assert await stay.act("t") == Take()


async def test_events_are_told_as_they_come() -> None:
    async with staying(seen("S | 7H QD / 8S 9S", 1)) as (server, stay):
        await server.send(update(seen("S | QD / 8S 9S | table 7H", 1), Led(0, "7H")))
        assert await stay.printed("Your turn") == "Your turn: beat 7♥, or t takes. Hand: 1 8♠* 2 9♠*."
        assert "Anna attacks with 7♥." in stay.lines


async def test_the_next_line_waits_for_what_the_last_one_did() -> None:
    async with staying() as (server, stay):
        stay.type("1", "t")
        command = await server.heard(m.Act)
        await server.send(m.Ok(command.cid, "K7P2QX", 2))
        await asyncio.sleep(0.05)
        assert not any("t is not possible now" in line for line in stay.lines)
        await server.send(update(seen("S | QD / 8S 9S | table 7H"), Led(0, "7H"), seq=2))
        await stay.printed("t is not possible now. Possible: p.")
        assert stay.lines.index("You attack with 7♥.") < len(stay.lines) - 1


async def test_a_refusal_is_told_and_play_goes_on() -> None:
    async with staying() as (server, stay):
        stay.type("1")
        await server.refuse(m.Act, "stale", rule="1.16", legal=[])
        await stay.printed("Too late: the table has moved on. Possible: 1 7♥, 2 Q♦.")
        assert await stay.act("1") == Lead("7H")


async def test_help_and_situation() -> None:
    async with staying() as (_, stay):
        stay.type("?", "i")
        await stay.printed("Table K7P2QX", times=2)
        assert "t: take. p: pass. f: finish the bout, or discard. g: accept anyway, take all although it is beaten." in stay.lines


# ---------------------------------------------------------------- leaving and going


async def test_leaving_a_game_is_asked_back() -> None:
    async with staying() as (server, stay):
        stay.type("leave")
        await stay.printed("Leaving counts as a loss. Type leave again to leave, anything else to stay.")
        assert server.inbox.empty()
        stay.type("leave")
        await server.accept(m.LeaveTable, m.Detached("K7P2QX", "left"), seq=1)
        await stay.ended()
        assert stay.lines[-2:] == [
            "You have left the table.",
            "While the game lasts you can take your seat back: durak play K7P2QX",
        ]


async def test_anything_else_stays() -> None:
    async with staying() as (server, stay):
        stay.type("leave", "no")
        await stay.printed("You stay.")
        stay.type("leave")
        await stay.printed("Leaving counts as a loss.", times=2)
        assert await stay.act("1") == Lead("7H")
        await stay.printed("You stay.", times=2)
        assert server.inbox.empty()


async def test_leaving_an_open_table_is_not_asked_back() -> None:
    async with staying(waiting("leave")) as (server, stay):
        stay.type("leave")
        await server.accept(m.LeaveTable)
        await stay.ended()
        assert stay.lines[-1] == "You have left the table."


async def test_quit_keeps_the_seat_and_says_how_to_come_back() -> None:
    async with staying() as (server, stay):
        stay.type("quit")
        await stay.ended()
        assert stay.lines[-1] == "Your seat is kept for a while; come back with: durak play K7P2QX"
        assert server.inbox.empty()


async def test_a_spectator_who_quits_can_watch_again() -> None:
    async with staying(seen("S | 7H / 9S", None)) as (_, stay):
        stay.type("quit")
        await stay.ended()
        assert stay.lines[-1] == "Watch on with: durak play K7P2QX --watch"


async def test_control_d_on_a_terminal_is_quit() -> None:
    async with staying(interactive=True) as (_, stay):
        stay.end_input()
        await stay.ended()
        assert stay.lines[-1].startswith("Your seat is kept")


async def test_the_end_of_a_pipe_stays_until_the_game_is_over() -> None:
    async with staying() as (server, stay):
        stay.end_input()
        await server.send(update(seen("S | QD / 8S 9S | table 7H"), Led(0, "7H")))
        await stay.printed("You attack with 7♥.")
        assert not stay.task.done()
        await server.send(update(OVER, GAME_OVER, seq=3))
        await stay.ended()
        assert "Game over: Boris is the durak." in stay.lines


async def test_the_end_of_a_pipe_after_the_game_is_the_end() -> None:
    async with staying() as (server, stay):
        await server.send(update(OVER, GAME_OVER))
        await stay.printed("Game over")
        assert not stay.task.done()
        stay.end_input()
        await stay.ended()


async def test_exit_after_game() -> None:
    async with staying(exit_after_game=True) as (server, stay):
        await server.send(update(OVER, GAME_OVER))
        await stay.ended()


async def test_the_last_card_of_a_game_does_not_keep_the_session() -> None:
    async with staying(exit_after_game=True) as (server, stay):
        stay.type("1")
        await server.accept(m.Act, update(OVER, GAME_OVER, seq=2), seq=2)
        await stay.ended()


async def test_who_watches_bots_alone_goes_when_they_have_played() -> None:
    async with staying(seen("S | 7H / 9S", None)) as (server, stay):
        await server.send(update(seen("S | - / 7S | over", None, persons=0), GAME_OVER))
        await stay.ended()


async def test_rematch() -> None:
    async with staying(OVER) as (server, stay):
        stay.type("rematch")
        await server.accept(m.Rematch)


async def test_a_table_that_closes_ends_the_stay() -> None:
    async with staying(waiting("leave")) as (server, stay):
        await server.send(m.Detached("K7P2QX", "closed"))
        await stay.ended()
        assert stay.lines[-1] == "The table is closed."


async def test_a_frozen_table_is_a_failure() -> None:
    async with staying() as (server, stay):
        await server.send(m.Detached("K7P2QX", "frozen"))
        with pytest.raises(Ended, match="frozen"):
            await stay.ended()


# ---------------------------------------------------------------- connection


async def test_a_lost_connection_comes_back_by_itself() -> None:
    async with staying(seen("S | 7H QD / 8S 9S", 1)) as (server, stay):
        await server.drop()
        await stay.printed("Connection lost, reconnecting.")
        hello = await server.heard(m.Hello)
        assert (hello.table, hello.seq) == ("K7P2QX", 1)
        view = seen("S | QD / 8S 9S | table 7H", 1)
        await server.send(m.TableState(2, "events", [m.SeqEvents(2, [Led(0, "7H")])], 0, view))
        await stay.printed("Your turn: beat 7♥")
        assert stay.lines[-3:-1] == ["Resumed: 1 event missed.", "Anna attacks with 7♥."]
        assert await stay.act("1") == Beat("8S", "7H")


async def test_nothing_is_played_into_a_lost_connection() -> None:
    async with staying() as (server, stay):
        await server.drop()
        await stay.printed("Connection lost")
        stay.type("1", "i")
        await stay.printed("The connection is lost; wait until it is back.")
        await stay.printed("Table K7P2QX", times=2)
        await server.heard(m.Hello)
        assert server.inbox.empty()


async def test_a_table_that_went_with_its_server_is_told() -> None:
    async with staying() as (server, stay):
        await server.drop()
        await server.heard(m.Hello)
        await server.send(m.Error("no_such_table", params={"table": "K7P2QX"}))
        with pytest.raises(Ended) as ended:
            await stay.ended()
        assert ended.value.code == "no_such_table"


async def test_a_seat_taken_over_elsewhere_ends_the_stay() -> None:
    async with staying() as (server, stay):
        assert server.socket is not None
        await server.socket.close(m.CloseCode.REPLACED, "replaced")
        with pytest.raises(LinkClosed) as closed:
            await stay.ended()
        assert closed.value.code == "replaced"


# ---------------------------------------------------------------- beginning


async def test_who_sits_there_already_is_attached_all_the_same() -> None:
    async with fake_server() as server:
        stay = Stay(server, Order.of(m.Join, table="K7P2QX"))
        await server.heard(m.Hello)
        join = await server.heard(m.Join)
        await server.send(attached(LEADING), m.Error("already_seated", cid=join.cid))
        await stay.printed("Your turn: lead a card.")
        stay.type("quit")
        await stay.ended()


async def test_a_refused_beginning_is_a_failure() -> None:
    async with fake_server() as server:
        stay = Stay(server, Order.of(m.Join, table="K7P2QX"))
        await server.heard(m.Hello)
        await server.refuse(m.Join, "table_full")
        with pytest.raises(Refused) as refused:
            await stay.ended()
        assert refused.value.code == "table_full"


async def test_bots_that_are_still_starting_are_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "BOTS_START_S", 0.01)
    async with fake_server() as server:
        stay = Stay(server, Order.of(m.Create, bots=["easy"]))
        await server.heard(m.Hello)
        await server.refuse(m.Create, "no_bots", params={"levels": ""})
        await server.accept(m.Create, attached(LEADING))
        await stay.printed("Your turn")
        stay.type("quit")
        await stay.ended()


async def test_a_level_that_is_not_there_is_not_waited_for() -> None:
    async with fake_server() as server:
        stay = Stay(server, Order.of(m.Create, bots=["hard"]))
        await server.heard(m.Hello)
        await server.refuse(m.Create, "no_bots", params={"levels": "easy"})
        with pytest.raises(Refused):
            await stay.ended()


# ---------------------------------------------------------------- the timer


async def test_the_timer_speaks_once_while_its_clock_runs_on() -> None:
    def at(ms: int) -> m.TableView:
        return seen(F1, 1, clock=m.ClockView("turn", ms, 30_000, [1]))

    async with staying(at(10_100)) as (server, stay):
        await stay.printed("10 seconds left.")
        await server.send(update(at(10_020), Led(0, "8H")))
        await asyncio.sleep(0.2)
        assert stay.lines.count("10 seconds left.") == 1


async def test_the_timer_is_silent_when_its_clock_has_stopped() -> None:
    async with staying(seen(F1, 1, clock=m.ClockView("turn", 3_050, 30_000, [1]))) as (server, stay):
        await server.send(update(seen("D | 9S / 10D 6S 6C JC QS | table 8H-9H 8S-QD | limit 6", 1), Led(0, "8H")))
        await asyncio.sleep(0.2)
        assert "3 seconds left." not in stay.lines
