"""What can go wrong between a client and a server: a stable `code` for programs, a sentence for people.

LinkError
├── CannotConnect     no connection came about (connection_refused, unreachable, tls, bad_url, wrong_path, not_durak, busy, silent)
├── LinkClosed        the server has closed the connection for good (replaced, bad_token, seat_gone, …)
├── NameRefused       the server gives no token for this name
└── Refused           a command was refused; nothing has changed
"""

from typing import Final

from durak.protocol.messages import CloseCode, Error

CLOSED: Final = {
    CloseCode.REPLACED: ("replaced", "another connection has taken this player's place; close one of the two"),
    CloseCode.BAD_TOKEN: (
        "bad_token",
        "the server does not accept this token: it is mistyped, has expired or was revoked; get a new one",
    ),
    CloseCode.BAD_FRAME: ("bad_frame", "the server could not read what this client sent; their versions probably differ"),
    CloseCode.NO_HELLO: ("no_hello", "the server closed the connection because it was not greeted in time"),
    CloseCode.FLOODING: ("flooding", "the server closed the connection because it received too much; wait a minute"),
    CloseCode.SEAT_GONE: ("seat_gone", "the seat does not exist any more: the table is closed, or somebody else plays it"),
}


class LinkError(Exception):
    """Base of all errors of a link: `code` is stable, `hint` says in words what happened and what helps."""

    def __init__(self, code: str, hint: str) -> None:
        super().__init__(code, hint)
        self.code = code
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.hint} [{self.code}]"


class CannotConnect(LinkError):
    """No connection came about. `temporary`: trying again later may help; `retry_after_s`: the server said when."""

    def __init__(self, code: str, hint: str, *, temporary: bool = False, retry_after_s: float = 0.0) -> None:
        super().__init__(code, hint)
        self.temporary = temporary
        self.retry_after_s = retry_after_s


class LinkClosed(LinkError):
    """The connection is closed for good, by the server (4100-4199) or by ourselves (1000)."""

    def __init__(self, close_code: int, reason: str = "") -> None:
        code, hint = CLOSED.get(close_code, ("closed", "the connection is closed"))
        super().__init__(code, hint)
        self.close_code = close_code
        self.reason = reason


class NameRefused(LinkError):
    """The server gives no token for this name."""


class Refused(LinkError):
    """A command was refused and nothing has changed; `error` is the server's message."""

    def __init__(self, error: Error) -> None:
        wait = "" if error.retry_after_ms is None else f"; try again in {error.retry_after_ms / 1000:.1f} s"
        rule = "" if error.rule is None else f" (rule {error.rule})"
        super().__init__(error.code, f"the server refused: {error.code.replace('_', ' ')}{rule}{wait}")
        self.error = error
