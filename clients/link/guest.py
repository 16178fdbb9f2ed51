"""A guest's token for a name."""

import asyncio
import urllib.error
import urllib.request
from typing import Any, Final

import msgspec

from durak.clients.link.address import is_loopback, web_url
from durak.clients.link.errors import CannotConnect, LinkError, NameRefused

ANSWER_S: Final = 10.0
LARGEST_ANSWER: Final = 64 * 1024


class Guest(msgspec.Struct, frozen=True):
    """A player without an account: the token to connect with, the player's id and the name as the server keeps it."""

    token: str
    player: str
    name: str


async def guest_token(url: str, name: str) -> Guest:
    """Ask the server for a guest's token. Raises `NameRefused` or `CannotConnect`."""
    return await asyncio.to_thread(_ask, f"{web_url(url)}/api/guest", name)


def _ask(address: str, name: str) -> Guest:
    request = urllib.request.Request(
        address, data=msgspec.json.encode({"name": name}), headers={"Content-Type": "application/json", "User-Agent": "durak"}
    )
    handlers = [urllib.request.ProxyHandler({})] if is_loopback(address) else []
    try:
        with urllib.request.build_opener(*handlers).open(request, timeout=ANSWER_S) as answer:
            return msgspec.json.decode(answer.read(LARGEST_ANSWER), type=Guest)
    except urllib.error.HTTPError as error:
        with error:
            raise _refusal(error.code, address, name, error.read(LARGEST_ANSWER)) from None
    except msgspec.DecodeError:
        raise CannotConnect("not_durak", f"{address} does not answer as a Durak server does; is the address right?") from None
    except OSError as error:  # URLError is one
        reason = getattr(error, "reason", error)
        server = address.removesuffix("/api/guest")
        if isinstance(reason, ConnectionRefusedError):
            hint = f"nothing listens at {server}; start a server with 'durak serve', or check the port"
            raise CannotConnect("connection_refused", hint, temporary=True) from None
        raise CannotConnect("unreachable", f"{server} cannot be reached ({reason})", temporary=True) from None


def _refusal(status: int, address: str, name: str, body: bytes) -> LinkError:
    try:
        answer: Any = msgspec.json.decode(body)
        code = answer.get("error") if isinstance(answer, dict) else None
    except msgspec.DecodeError:
        code = None
    if status in (429, 502, 503, 504):
        return CannotConnect("busy", f"{address} gives no tokens now (HTTP {status}); try again in a minute", temporary=True)
    if status in (404, 405):
        return CannotConnect("wrong_path", f"there is a web server, but no table server at {address}; is the path right?")
    if isinstance(code, str):
        return NameRefused(code, f"the server does not take the name {name!r} ({code}); a name has 1 to 24 visible characters")
    return CannotConnect("not_durak", f"{address} answers HTTP {status}; is it a Durak server?")
