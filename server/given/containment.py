"""Keeping a bug where it is: logged and counted, and everybody else goes on."""

import logging
from collections.abc import Callable
from typing import ParamSpec

from durak.server.given.meter import Meter, Place

logger = logging.getLogger(__name__)
P = ParamSpec("P")


def contain(meter: Meter, where: Place, act: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> None:
    """Call, and keep from the caller what it raises."""
    try:
        act(*args, **kwargs)
    except Exception:
        note_bug(meter, where)


def note_bug(meter: Meter, where: Place, table: str | None = None) -> None:
    """Note the exception that is being handled."""
    meter.failed(where)
    logger.exception("a bug in the server: %s", where, extra={"table": table})
