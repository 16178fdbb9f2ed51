"""Lines in and out: nothing that steers a terminal, cards that stay whole, input from anything."""

import asyncio
import io
import os
from pathlib import Path

import pytest

from durak.clients.cli.terminal import Lines, Screen
from durak.protocol.rules.cards import PACK
from tests.clients.cli.shown import ENGLISH_SPEECH


@pytest.mark.parametrize("evil", ["\x1b[2J", "a\rb", "a\nGame over: you won.", "\u202eabc", "\x9b31m", "\x00", "\u2028"])
def test_names_of_strangers_steer_nothing(evil: str) -> None:
    out = io.StringIO()
    Screen(out, lambda: 80).say([f"{evil} attacks."])
    printed = out.getvalue()
    assert printed.count("\n") == 1
    assert all(letter.isprintable() for letter in printed.rstrip("\n"))


def test_for_a_pipe_a_sentence_stays_one_line() -> None:
    out = io.StringIO()
    Screen(out, lambda: None).say([ENGLISH_SPEECH.hand(PACK)])
    assert out.getvalue().count("\n") == 1
    assert "\u00a0" not in out.getvalue()


# ---------------------------------------------------------------- input


async def all_lines(descriptor: int) -> list[str]:
    return [line async for line in Lines(descriptor)]


async def test_lines_of_a_pipe() -> None:
    read, write = os.pipe()
    lines = Lines(read)
    os.write(write, "7♠\npa".encode())
    assert await anext(lines) == "7♠"
    os.write(write, b"ss\r\nlast")
    os.close(write)
    assert (await anext(lines)).strip() == "pass"
    assert await anext(lines) == "last"
    with pytest.raises(StopAsyncIteration):
        await anext(lines)
    os.close(read)


async def test_lines_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "moves").write_bytes(b"1\n\xff\xfe\n3")
    with (tmp_path / "moves").open("rb") as file:
        assert await all_lines(file.fileno()) == ["1", "\ufffd\ufffd", "3"]


async def test_a_closed_descriptor_is_an_end() -> None:
    read, write = os.pipe()
    os.close(write)
    os.close(read)
    assert await all_lines(read) == []


async def test_a_line_without_end_takes_no_more_than_its_room() -> None:
    read, write = os.pipe()

    def flood() -> None:
        for _ in range(40):
            os.write(write, b"x" * 1000)
        os.close(write)

    lines, _ = await asyncio.gather(all_lines(read), asyncio.to_thread(flood))
    assert sum(map(len, lines)) == 40_000
    assert max(map(len, lines)) < 10_000
    os.close(read)


async def test_more_lines_than_are_read_ahead() -> None:
    read, write = os.pipe()
    os.write(write, b"1\n" * 500)
    os.close(write)
    assert len(await all_lines(read)) == 500
    os.close(read)
