"""`durak admin`: look after the server that runs on a data directory of this machine."""

import argparse
import http.client
import json
import os
import socket
import sys
from pathlib import Path
from typing import Any

from durak.server.journal.directory import default_directory
from durak.server.operation.admin.place import SOCKET, NoAdminSocket, address_in

TIMEOUT_S = 10.0
WITH_TABLE = ("inspect", "freeze", "void")
EPILOG = """\
what can be done:
  list             every table
  inspect TABLE    one table as a spectator sees it, with its clocks and its queue
  drain, undrain   open no new tables (and be not ready); open some again
  freeze TABLE     take no more commands at a table, until the server is started again
  void TABLE       end the running game without result and without score
  audit            what operators have done
  metrics          what Prometheus would be told

It talks to the server through admin.sock in the data directory, which only the server's own user can open.
"""


class Refused(Exception):
    """The server can't be reached, or has refused; the text is one line."""


class ThroughSocket(http.client.HTTPConnection):
    """HTTP through the socket of a data directory."""

    def __init__(self, directory: Path) -> None:
        super().__init__("localhost", timeout=TIMEOUT_S)
        self._directory = directory

    def connect(self) -> None:
        """Connect. Raises `OSError`, `NoAdminSocket`."""
        with address_in(self._directory) as address:
            self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            self.sock.settimeout(TIMEOUT_S)
            self.sock.connect(address)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EPILOG
    everything = ["list", "inspect", "drain", "undrain", "freeze", "void", "audit", "metrics"]
    parser.add_argument("what", choices=everything, help="what to do")
    parser.add_argument("table", nargs="?", metavar="TABLE", help="the table's code")
    default = os.environ.get("DURAK_DATA") or default_directory()
    parser.add_argument("--data", metavar="DIR", type=Path, default=Path(default), help="the server's data directory (%(default)s)")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Do it, and print the answer."""
    if (args.what in WITH_TABLE) != (args.table is not None):
        args.usage_error(f"{args.what} {'needs the code of a table' if args.what in WITH_TABLE else 'is for no single table'}")
    try:
        print(told(args.what, args.table, ask(args.data, args.what, args.table), as_json=args.json))
    except Refused as error:
        print(f"durak admin: {error}", file=sys.stderr)
        return 1
    return 0


def ask(directory: Path, what: str, table: str | None) -> Any:
    """The server's answer: text, or what its JSON holds. Raises `Refused`."""
    path = {"list": "/tables", "inspect": f"/tables/{table}"}.get(what, f"/{what}" if table is None else f"/tables/{table}/{what}")
    if table is not None and not table.isalnum():
        raise Refused(f"no_such_table: {table!r} is no code of a table. 'durak admin list' lists them.")
    connection = ThroughSocket(directory)
    try:
        connection.request("GET" if what in ("list", "inspect", "audit", "metrics") else "POST", path)
        response = connection.getresponse()
        body = response.read()
    except PermissionError:
        raise Refused(f"not_allowed: {directory / SOCKET} belongs to another user. Run this as the server's user.") from None
    except (OSError, NoAdminSocket, http.client.HTTPException) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise Refused(
            f"no_server: no server answers at {directory / SOCKET} ({why}). Name its data directory with --data."
        ) from None
    finally:
        connection.close()
    if response.status != 200:
        refusal = json.loads(body)
        raise Refused(f"{refusal['error']}: {refusal['hint']}.")
    return body.decode() if what == "metrics" else json.loads(body)


def told(what: str, table: str | None, answer: Any, *, as_json: bool) -> str:
    """The answer for people."""
    if isinstance(answer, str):
        return answer.rstrip()
    if as_json or what == "inspect":
        return json.dumps(answer, indent=1, ensure_ascii=False)
    match what:
        case "list" | "audit":
            return table_of(answer) if answer else "none"
        case "drain":
            return f"No new tables are opened; {answer['tables']} go on."
        case "undrain":
            return "New tables are opened again."
        case "freeze":
            return f"Table {answer['table']} takes no more commands."
        case _:
            return f"The game at table {answer['table']} is over, without result."


def table_of(lines: list[dict[str, Any]]) -> str:
    """Aligned columns under their names."""
    names = list(dict.fromkeys(name for line in lines for name in line))
    cells = [names, *([str(line.get(name, "")) for name in names] for line in lines)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(names))]
    return "\n".join("  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells)
