"""The journal's contract: one suite, which every store passes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from durak.server.journal.contract import Journal, JournalClosed, JournalError, SequenceConflict, TableEnded
from tests.server.journal.stores import STORES, Opener


@pytest.fixture(params=STORES)
def opener(request: pytest.FixtureRequest) -> Opener:
    return STORES[request.param](request)


@pytest.fixture
async def journal(opener: Opener) -> AsyncIterator[Journal]:
    journal = await opener()
    yield journal
    await journal.close()


async def live(journal: Journal) -> dict[str, list[bytes]]:
    """All live tables; fails if one comes twice."""
    found: dict[str, list[bytes]] = {}
    async for table, entries in journal.live_tables():
        assert table not in found
        found[table] = entries
    return found


def numbered(count: int) -> list[bytes]:
    return [f"entry {number}".encode() for number in range(1, count + 1)]


class TestAppend:
    async def test_entries_come_back_in_order(self, journal: Journal) -> None:
        await journal.append("A", 1, [b"one"])
        await journal.append("A", 2, [b"two"])
        assert await journal.read("A") == [b"one", b"two"]

    async def test_several_at_once(self, journal: Journal) -> None:
        await journal.append("A", 1, numbered(3))
        await journal.append("A", 4, [b"four"])
        assert await journal.read("A") == [*numbered(3), b"four"]

    async def test_more_than_nine_entries_are_ordered_as_numbers(self, journal: Journal) -> None:
        await journal.append("A", 1, numbered(120))
        assert await journal.read("A") == numbered(120)

    async def test_it_returns_a_future_at_once(self, journal: Journal) -> None:
        future = journal.append("A", 1, [b"one"])
        assert asyncio.isfuture(future)
        assert not future.done()
        assert await asyncio.gather(future) == [None]

    async def test_appends_of_one_table_need_no_waiting_in_between(self, journal: Journal) -> None:
        await asyncio.gather(*(journal.append("A", number, [entry]) for number, entry in enumerate(numbered(200), 1)))
        assert await journal.read("A") == numbered(200)

    @pytest.mark.parametrize(
        "entry", [b"", b"\0", b"\xff\xfe", bytes(range(256)) * 1000], ids=["empty", "nul", "no text", "256 kB"]
    )
    async def test_any_bytes(self, journal: Journal, entry: bytes) -> None:
        await journal.append("A", 1, [entry, b"after"])
        assert await journal.read("A") == [entry, b"after"]

    async def test_what_the_caller_does_to_its_list_later_changes_nothing(self, journal: Journal) -> None:
        entries = [b"one"]
        future = journal.append("A", 1, entries)
        entries.append(b"two")
        await future
        assert await journal.read("A") == [b"one"]

    async def test_tables_are_apart(self, journal: Journal) -> None:
        for table in ("A", "AB", "a", "A*", "A:1"):
            await journal.append(table, 1, [table.encode()])
        assert await live(journal) == {table: [table.encode()] for table in ("A", "AB", "a", "A*", "A:1")}

    async def test_a_caller_that_no_longer_waits_has_appended(self, journal: Journal) -> None:
        journal.append("A", 1, [b"one"]).cancel()
        await journal.append("A", 2, [b"two"])
        assert await journal.read("A") == [b"one", b"two"]


class TestConflict:
    @pytest.mark.parametrize(
        ("number", "why"), [(3, "taken"), (1, "taken long ago"), (5, "not the next"), (0, "never"), (-1, "never")]
    )
    async def test_only_the_next_number_is_taken(self, journal: Journal, number: int, why: str) -> None:
        await journal.append("A", 1, numbered(3))
        with pytest.raises(SequenceConflict) as refusal:
            await journal.append("A", number, [why.encode()])
        assert refusal.value.code == "sequence_conflict"
        assert refusal.value.next_number == 4
        assert await journal.read("A") == numbered(3)

    async def test_a_table_begins_with_one(self, journal: Journal) -> None:
        with pytest.raises(SequenceConflict) as refusal:
            await journal.append("A", 2, [b"two"])
        assert refusal.value.next_number == 1
        assert await live(journal) == {}

    async def test_all_or_nothing(self, journal: Journal) -> None:
        await journal.append("A", 1, numbered(2))
        with pytest.raises(SequenceConflict):
            await journal.append("A", 2, [b"taken", b"free", b"free"])
        assert await journal.read("A") == numbered(2)

    async def test_of_two_with_the_same_number_the_first_wins(self, journal: Journal) -> None:
        first, second = journal.append("A", 1, [b"first"]), journal.append("A", 1, [b"second"])
        await first
        with pytest.raises(SequenceConflict):
            await second
        assert await journal.read("A") == [b"first"]

    async def test_it_fails_alone(self, journal: Journal) -> None:
        await journal.append("A", 1, [b"one"])
        outcomes = await asyncio.gather(
            journal.append("B", 1, [b"b1"]),
            journal.append("A", 1, [b"again"]),
            journal.append("B", 2, [b"b2"]),
            journal.append("C", 7, [b"gap"]),
            journal.append("A", 2, [b"two"]),
            return_exceptions=True,
        )
        assert [type(outcome) for outcome in outcomes] == [type(None), SequenceConflict, type(None), SequenceConflict, type(None)]
        assert await live(journal) == {"A": [b"one", b"two"], "B": [b"b1", b"b2"]}

    async def test_the_same_again_is_a_conflict(self, journal: Journal) -> None:
        await journal.append("A", 1, [b"one"])
        with pytest.raises(SequenceConflict):
            await journal.append("A", 1, [b"one"])


class TestLiveTables:
    async def test_none_at_first(self, journal: Journal) -> None:
        assert await live(journal) == {}

    async def test_all_of_many(self, journal: Journal) -> None:
        tables = {f"T{number}": numbered(number % 7 + 1) for number in range(730)}
        await asyncio.gather(*(journal.append(table, 1, entries) for table, entries in tables.items()))
        assert await live(journal) == tables

    async def test_appends_go_on_meanwhile(self, journal: Journal) -> None:
        await asyncio.gather(*(journal.append(f"T{number}", 1, numbered(2)) for number in range(300)))
        async for table, entries in journal.live_tables():
            assert entries == numbered(2)
            await journal.append(table, 3, [b"entry 3"])
        assert await live(journal) == {f"T{number}": numbered(3) for number in range(300)}


class TestEnd:
    async def test_an_ended_table_is_kept_and_not_live(self, journal: Journal) -> None:
        await journal.append("A", 1, numbered(2))
        await journal.append("B", 1, numbered(1))
        await journal.end("A", 1_000)
        assert await live(journal) == {"B": numbered(1)}
        assert await journal.read("A") == numbered(2)

    @pytest.mark.parametrize("number", [1, 2, 3, 4])
    async def test_it_takes_no_more_entries(self, journal: Journal, number: int) -> None:
        await journal.append("A", 1, numbered(2))
        await journal.end("A", 1_000)
        with pytest.raises(TableEnded) as refusal:
            await journal.append("A", number, [b"late"])
        assert refusal.value.code == "table_ended"
        assert await journal.read("A") == numbered(2)

    async def test_it_follows_the_appends_before_it(self, journal: Journal) -> None:
        append = journal.append("A", 1, numbered(2))
        await journal.end("A", 1_000)
        assert append.done()
        assert await live(journal) == {}

    async def test_again_it_changes_nothing(self, journal: Journal) -> None:
        await journal.append("A", 1, numbered(2))
        await journal.end("A", 1_000)
        await journal.end("A", 9_000)
        assert await journal.forget_ended_before(5_000) == 1

    async def test_an_unknown_table(self, journal: Journal) -> None:
        await journal.end("A", 1_000)
        await journal.append("A", 1, [b"one"])
        assert await live(journal) == {"A": [b"one"]}


class TestForget:
    async def test_what_ended_before_is_gone_and_nothing_else(self, journal: Journal) -> None:
        for table in ("old", "edge", "new", "live"):
            await journal.append(table, 1, [table.encode()])
        for table, at_ms in (("old", 999), ("edge", 1_000), ("new", 1_700_000_000_000)):
            await journal.end(table, at_ms)
        assert await journal.forget_ended_before(1_000) == 1
        assert [await journal.read(table) for table in ("old", "edge", "new", "live")] == [[], [b"edge"], [b"new"], [b"live"]]
        assert await journal.forget_ended_before(1_000) == 0

    async def test_many(self, journal: Journal) -> None:
        tables = [f"T{number}" for number in range(130)]
        await asyncio.gather(*(journal.append(table, 1, numbered(3)) for table in tables))
        await asyncio.gather(*(journal.end(table, number) for number, table in enumerate(tables)))
        assert await journal.forget_ended_before(100) == 100
        assert await journal.read("T99") == []
        assert await journal.read("T100") == numbered(3)

    async def test_a_forgotten_name_is_free(self, journal: Journal) -> None:
        await journal.append("A", 1, numbered(5))
        await journal.end("A", 1)
        await journal.forget_ended_before(2)
        await journal.append("A", 1, [b"new"])
        assert await live(journal) == {"A": [b"new"]}


class TestSmallValues:
    async def test_get_and_put(self, journal: Journal) -> None:
        assert await journal.get("key") is None
        await journal.put("key", b"\0one")
        await journal.put("other", b"")
        assert await journal.get("key") == b"\0one"
        assert await journal.get("other") == b""
        await journal.put("key", b"two")
        assert await journal.get("key") == b"two"

    async def test_they_are_no_tables(self, journal: Journal) -> None:
        await journal.put("A", b"value")
        await journal.append("B", 1, [b"one"])
        assert await live(journal) == {"B": [b"one"]}
        assert await journal.read("A") == []
        assert await journal.get("B") is None

    async def test_a_check_leaves_them_alone(self, journal: Journal) -> None:
        await journal.put("key", b"one")
        await asyncio.gather(journal.check(), journal.check(), journal.check())
        assert await journal.get("key") == b"one"
        assert await live(journal) == {}


class TestClose:
    async def test_all_is_there_when_opened_again(self, opener: Opener) -> None:
        first = await opener()
        await first.append("A", 1, numbered(3))
        await first.append("B", 1, numbered(1))
        await first.end("B", 1_000)
        await first.put("key", b"value")
        await first.close()
        second = await opener()
        assert await live(second) == {"A": numbered(3)}
        assert await second.read("B") == numbered(1)
        assert await second.get("key") == b"value"
        await second.append("A", 4, [b"entry 4"])
        with pytest.raises(TableEnded):
            await second.append("B", 2, [b"entry 2"])
        await second.close()

    async def test_what_was_asked_for_is_committed_first(self, opener: Opener) -> None:
        first = await opener()
        appends = [first.append("A", number, [entry]) for number, entry in enumerate(numbered(300), 1)]
        await first.close()
        assert all(append.done() for append in appends)
        await asyncio.gather(*appends)
        second = await opener()
        assert await second.read("A") == numbered(300)
        await second.close()

    async def test_again_it_changes_nothing(self, opener: Opener) -> None:
        journal = await opener()
        await asyncio.gather(journal.close(), journal.close())
        await journal.close()

    async def test_a_closed_journal_refuses(self, opener: Opener) -> None:
        journal = await opener()
        await journal.close()
        for asked in (
            journal.append("A", 1, [b"one"]),
            journal.read("A"),
            live(journal),
            journal.end("A", 1),
            journal.forget_ended_before(1),
            journal.get("key"),
            journal.put("key", b"value"),
            journal.check(),
        ):
            with pytest.raises(JournalClosed):
                await asked


async def test_an_error_is_one_line_with_code_and_hint(journal: Journal) -> None:
    with pytest.raises(JournalError) as refusal:
        await journal.append("A", 2, [b"two"])
    assert str(refusal.value) == (
        "sequence_conflict: entry 2 of table A is refused, the next one is 1. Another writer has appended: read the table again."
    )
