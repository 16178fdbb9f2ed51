"""What a log may hold: every process of ours writes through this, and nothing of a hand, a token or a password gets by.

A line is built from an allow-list, not cleaned afterwards: our own messages, which name no card; the named fields in `FIELDS`; of
an exception its type and where it came from, never its text, which may quote what was being worked on; of another library's
message its form without what it puts in.
"""

import json
import logging
import re
import sys
import time
import traceback
from typing import Any, TextIO

CODE = r"[a-z_]{1,40}"
FIELDS = {
    "table": re.compile(r"[0-9A-Z]{6}"),
    "seq": re.compile(r"[0-9]{1,18}"),
    "cid": re.compile(r"[0-9a-f-]{1,40}"),
    "code": re.compile(CODE),
    "action": re.compile(CODE),
    "outcome": re.compile(CODE),
    "uid": re.compile(r"[0-9]{1,10}"),
}
"""What `extra` may add to a line, and how it looks; anything else is left out. A command's id is the client's own choice, and may
be a card or a piece of its token: only such as our clients make, hexadecimal, are shown."""
OURS = ("durak", "__main__")
TOLD_IN_FULL: tuple[type[BaseException], ...] = (OSError,)
"""Exceptions whose text is the system's, about files and sockets."""


def fields_of(record: logging.LogRecord) -> dict[str, str | int]:
    """The fields of a line that are allowed, and plain."""
    found: dict[str, str | int] = {}
    for name, form in FIELDS.items():
        value = getattr(record, name, None)
        if isinstance(value, str | int) and form.fullmatch(str(value)):
            found[name] = value
    return found


def message_of(record: logging.LogRecord) -> str:
    """Our own message; of another library's only the form."""
    ours = record.name.split(".")[0] in OURS
    return record.getMessage() if ours else str(record.msg)


def exception_of(error: BaseException) -> str:
    """Its type and the places it went through, the latest last."""
    lines = ["Traceback (most recent call last):"]
    for frame in traceback.extract_tb(error.__traceback__):
        lines.append(f"  {frame.filename}:{frame.lineno} in {frame.name}")
    text = f": {error}" if isinstance(error, TOLD_IN_FULL) else ""
    lines.append(f"{type(error).__module__}.{type(error).__qualname__}{text}")
    return "\n".join(lines)


class JsonFormatter(logging.Formatter):
    """One object a line: time (UTC), level, logger, message, the allowed fields, exception."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        line: dict[str, Any] = {  # strings, numbers
            "time": f"{at}.{int(record.msecs):03}Z",
            "level": record.levelname,
            "logger": record.name,
            "message": message_of(record),
            **fields_of(record),
        }
        if record.exc_info and record.exc_info[1] is not None:
            line["exception"] = exception_of(record.exc_info[1])
        return json.dumps(line, ensure_ascii=False)


class TextFormatter(logging.Formatter):
    """The same for a person at a terminal."""

    def __init__(self, form: str = "%(asctime)s %(levelname)s %(name)s: %(message)s") -> None:
        super().__init__(form)

    def format(self, record: logging.LogRecord) -> str:
        """The line, and those of an exception."""
        fields = "".join(f" {name}={value}" for name, value in fields_of(record).items())
        shown = logging.makeLogRecord({**record.__dict__, "msg": message_of(record) + fields, "args": None, "exc_info": None})
        text = super().format(shown)
        if record.exc_info and record.exc_info[1] is not None:
            text += "\n" + exception_of(record.exc_info[1])
        return text


def set_up(form: str, level: str = "info", *, text: str | None = None, stream: TextIO | None = None) -> None:
    """Log to standard error as `json`, as `text`, or (`auto`) as text on a terminal and as JSON elsewhere."""
    stream = sys.stderr if stream is None else stream
    as_text = form == "text" or (form == "auto" and stream.isatty())
    handler = logging.StreamHandler(stream)
    handler.setFormatter((TextFormatter(text) if text else TextFormatter()) if as_text else JsonFormatter())
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    logging.getLogger("durak").setLevel(level.upper())
