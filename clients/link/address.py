"""Where a server is: what people type, as the address of its WebSocket and of its web page."""

from typing import Final
from urllib.parse import SplitResult, urlsplit, urlunsplit

from durak.clients.link.errors import CannotConnect

SECURE: Final = {"http": False, "https": True, "ws": False, "wss": True}
LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")


def web_url(url: str) -> str:
    """The http(s) address of a server, without a slash at its end, from any of `host:8080`, `http://…`, `ws://…/ws`.

    Raises `CannotConnect` (bad_url).
    """
    parts = _split(url)
    path = parts.path.rstrip("/").removesuffix("/ws")
    return urlunsplit(("https" if SECURE[parts.scheme] else "http", parts.netloc, path, "", ""))


def socket_url(url: str) -> str:
    """The ws(s) address of a server's WebSocket. Raises `CannotConnect` (bad_url)."""
    return "ws" + web_url(url).removeprefix("http") + "/ws"


def is_loopback(url: str) -> bool:
    """True if the server is on this machine, where no proxy is wanted."""
    return _split(url).hostname in LOOPBACK


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url if "://" in url else f"http://{url}")
        valid = parts.scheme in SECURE and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is no number, a bracket that is not closed
        valid = False
    if not valid:
        raise CannotConnect("bad_url", f"{url!r} is no server's address; it looks like http://127.0.0.1:8080 or wss://example.org")
    return parts
