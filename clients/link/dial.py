"""One attempt to open a WebSocket, its failures told in our own errors."""

import ssl
from typing import Final

from websockets.asyncio.client import connect
from websockets.exceptions import InvalidHandshake, InvalidStatus, InvalidURI, WebSocketException
from websockets.typing import Subprotocol

from durak.clients.link.address import is_loopback, socket_url, web_url
from durak.clients.link.errors import CannotConnect
from durak.clients.link.socket import WebSocket

OPEN_S: Final = 10.0
CLOSE_S: Final = 2.0
LARGEST_FRAME: Final = 4 * 1024 * 1024


async def dial(url: str, subprotocol: str) -> WebSocket:
    """An open WebSocket to the server. Raises `CannotConnect`."""
    address = socket_url(url)
    try:
        # The server pings and sends heartbeats: pings of our own, and compression, would only cost.
        socket = await connect(
            address,
            subprotocols=[Subprotocol(subprotocol)],
            compression=None,
            ping_interval=None,
            open_timeout=OPEN_S,
            close_timeout=CLOSE_S,
            max_size=LARGEST_FRAME,
            proxy=None if is_loopback(address) else True,
            user_agent_header="durak",
        )
    except InvalidStatus as error:
        retry_after = error.response.headers.get("Retry-After", "")
        raise _of_status(error.response.status_code, address, retry_after) from None
    except TimeoutError:
        raise CannotConnect(
            "unreachable", f"{address} does not answer; is the address right, and no firewall between?", temporary=True
        ) from None
    except ConnectionRefusedError:
        raise _refused(url) from None
    except ssl.SSLError as error:
        raise CannotConnect(
            "tls", f"{address}: no secure connection ({error.reason or error}); is it http instead of https?"
        ) from None
    except InvalidURI:
        raise CannotConnect("bad_url", f"{url!r} is no server's address") from None
    except (InvalidHandshake, EOFError) as error:
        raise CannotConnect("not_durak", f"{address} is no Durak server ({error})") from None
    except (OSError, WebSocketException) as error:
        raise _of_system(error, url) from None
    if socket.subprotocol != subprotocol:
        await socket.close()
        raise CannotConnect("not_durak", f"{address} does not speak {subprotocol}; is it a Durak server, and of this version?")
    return WebSocket(socket)


def _refused(url: str) -> CannotConnect:
    return CannotConnect(
        "connection_refused",
        f"nothing listens at {web_url(url)}; start a server with 'durak serve', or check the port",
        temporary=True,
    )


def _of_system(error: Exception, url: str) -> CannotConnect:
    several = getattr(error, "exceptions", (error,))
    if any(isinstance(one, ConnectionRefusedError) for one in several) or "Connect call failed" in str(error):
        return _refused(url)  # what asyncio makes of several addresses that all refuse
    detail = getattr(error, "strerror", None) or str(error)
    return CannotConnect("unreachable", f"{web_url(url)} cannot be reached ({detail})", temporary=True)


def _of_status(status: int, address: str, retry_after: str) -> CannotConnect:
    wait_s = float(retry_after) if retry_after.isascii() and retry_after.isdigit() else 0.0
    if status in (429, 502, 503, 504):
        return CannotConnect("busy", f"{address} takes no connections now (HTTP {status})", temporary=True, retry_after_s=wait_s)
    if status == 404:
        return CannotConnect("wrong_path", f"there is a web server, but no table server at {address}; is the path right?")
    if status == 403:
        return CannotConnect("forbidden", f"{address} does not allow connections from here (HTTP 403)")
    return CannotConnect("not_durak", f"{address} answers HTTP {status}; is it a Durak server?")
