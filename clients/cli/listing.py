"""The tables of a server: fetched, and laid out in columns."""

import urllib.error
import urllib.request
from collections.abc import Sequence
from typing import Final

from durak.clients.link import CannotConnect
from durak.clients.link.address import is_loopback, web_url
from durak.clients.link.wire import UnreadableFrame, Wire
from durak.clients.words.layout import aligned
from durak.clients.words.speech import Speech
from durak.protocol.messages import SUBPROTOCOL_JSON, LobbyState, TableListing

ANSWER_S: Final = 10.0
LARGEST_ANSWER: Final = 16 * 1024 * 1024


def fetch(server: str) -> list[TableListing]:
    """The listed tables of a server. Raises `CannotConnect`."""
    address = web_url(server)
    handlers = [urllib.request.ProxyHandler({})] if is_loopback(address) else []
    request = urllib.request.Request(f"{address}/api/tables", headers={"User-Agent": "durak"})
    try:
        with urllib.request.build_opener(*handlers).open(request, timeout=ANSWER_S) as answer:
            message = Wire(SUBPROTOCOL_JSON).decode(answer.read(LARGEST_ANSWER)).message
    except urllib.error.HTTPError as error:
        with error:
            raise CannotConnect("not_durak", f"{address} answers HTTP {error.code}; is it a Durak server?") from None
    except UnreadableFrame:
        raise _no_table_server(address) from None
    except OSError as error:  # URLError is one
        reason = getattr(error, "reason", error)
        if isinstance(reason, ConnectionRefusedError):
            hint = f"nothing listens at {address}; start a server with 'durak serve', or check the port"
            raise CannotConnect("connection_refused", hint, temporary=True) from None
        raise CannotConnect("unreachable", f"{address} cannot be reached ({reason})", temporary=True) from None
    if not isinstance(message, LobbyState):
        raise _no_table_server(address)
    return message.tables


def _no_table_server(address: str) -> CannotConnect:
    return CannotConnect("not_durak", f"{address} does not answer as a Durak server does; is the address right?")


def rows(tables: Sequence[TableListing], speech: Speech) -> list[str]:
    """The tables as aligned columns under a head."""
    cells = [speech("tables.head").split("|")] + [_cells(table, speech) for table in tables]
    return aligned(cells)


def _cells(table: TableListing, speech: Speech) -> list[str]:
    return [
        table.table,
        table.name,
        table.preset,
        speech(f"tables.{table.status}"),
        f"{table.taken}/{table.chairs}",
        str(table.bots),
        speech("tables.no_clock") if table.turn_clock_s is None else f"{table.turn_clock_s} s",
        str(table.watchers),
    ]
