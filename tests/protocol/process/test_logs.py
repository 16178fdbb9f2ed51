"""What may stand in a log, and what may not: a line is built from what is allowed."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest

from durak.protocol.process import logs

TOKEN = "eyJwbGF5ZXIiOiJndWVzdDoxIn0.aBcDeF.0123456789abcdefghijklmnop"


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    """What is logged; afterwards logging is as before."""
    root, ours = logging.getLogger(), logging.getLogger("durak")
    before, level, own = root.handlers[:], root.level, ours.level
    yield io.StringIO()
    root.handlers[:] = before
    root.setLevel(level)
    ours.setLevel(own)


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_a_line_has_time_level_logger_message_and_the_fields_that_are_known(stream: io.StringIO) -> None:
    logs.set_up("json", stream=stream)
    logging.getLogger("durak.x").warning("append failed", extra={"table": "4T7KZQ", "seq": 3, "cid": "c1", "code": "data_full"})
    (line,) = lines(stream)
    assert line.pop("time").endswith("Z")
    assert line == {
        "level": "WARNING",
        "logger": "durak.x",
        "message": "append failed",
        "table": "4T7KZQ",
        "seq": 3,
        "cid": "c1",
        "code": "data_full",
    }


@pytest.mark.parametrize("form", ["json", "text"])
def test_a_field_that_is_not_on_the_list_or_not_plain_is_left_out(stream: io.StringIO, form: str) -> None:
    logs.set_up(form, stream=stream)
    logging.getLogger("durak").info("a", extra={"hand": "7H 9S", "token": TOKEN, "cid": TOKEN, "code": "two words", "table": None})
    logging.getLogger("durak").info("a", extra={"cid": "7H", "table": "7H", "seq": "7H", "code": "7H"})
    logging.getLogger("durak").info("a", extra={"cid": TOKEN[:40]})
    assert not any(word in stream.getvalue() for word in ("7H", "9S", TOKEN[:10], "two words", "None"))


@pytest.mark.parametrize("form", ["json", "text"])
@pytest.mark.parametrize("name", ["durak.live", "asyncio"])
def test_an_exception_is_told_without_its_text(stream: io.StringIO, form: str, name: str) -> None:
    logs.set_up(form, stream=stream)
    hands = {"7H": 1}
    try:
        hands["QD"]
    except KeyError:
        logging.getLogger(name).exception("telling of a step failed")
    told = stream.getvalue()
    assert "builtins.KeyError" in told
    assert "test_logs.py" in told
    assert "Traceback" in told
    assert "QD" not in told


def test_an_exception_of_the_system_is_told_with_its_text(stream: io.StringIO) -> None:
    logs.set_up("text", stream=stream)
    try:
        open("/no/such/file")  # noqa: SIM115
    except OSError:
        logging.getLogger("durak").exception("can't read")
    assert "No such file" in stream.getvalue()


@pytest.mark.parametrize("form", ["json", "text"])
def test_another_librarys_message_is_told_without_what_it_puts_in(stream: io.StringIO, form: str) -> None:
    logs.set_up(form, stream=stream)
    logging.getLogger("aiohttp.server").error("Error handling request from %s", TOKEN)
    assert "Error handling request from" in stream.getvalue()
    assert TOKEN not in stream.getvalue()


def test_levels(stream: io.StringIO) -> None:
    logs.set_up("json", "debug", stream=stream)
    logging.getLogger("durak").debug("ours")
    logging.getLogger("asyncio").debug("another's")
    assert [line["message"] for line in lines(stream)] == ["ours"]
    logs.set_up("json", "warning", stream=stream)
    logging.getLogger("durak").info("ours again")
    assert len(lines(stream)) == 1
