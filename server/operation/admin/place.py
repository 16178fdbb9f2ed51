"""Where the admin socket is. Its mode, 0600, is the only key: no port, no password, nothing that a browser can reach."""

import contextlib
import os
import socket
from collections.abc import Iterator
from pathlib import Path

SOCKET = "admin.sock"
LONGEST = 100
"""Bytes of a path that every system takes for a socket."""


class NoAdminSocket(Exception):
    """There can be no admin socket here; the text says why."""


@contextlib.contextmanager
def address_in(directory: Path) -> Iterator[str]:
    """The socket's address; that of a long path goes through a descriptor of its directory. Raises `NoAdminSocket`, `OSError`."""
    if not hasattr(socket, "AF_UNIX"):
        raise NoAdminSocket("this system has no sockets in directories")
    path = str(directory / SOCKET)
    if len(os.fsencode(path)) <= LONGEST:
        yield path
        return
    if not Path("/proc/self/fd").is_dir():
        raise NoAdminSocket(f"{path} is too long for a socket; choose a shorter data directory")
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        yield f"/proc/self/fd/{descriptor}/{SOCKET}"
    finally:
        os.close(descriptor)


def listening(directory: Path) -> socket.socket:
    """A socket that listens there, for this user alone; what an earlier server has left is removed. Raises as `address_in`."""
    with address_in(directory) as address:
        (directory / SOCKET).unlink(missing_ok=True)
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        before = os.umask(0o177)  # from its first moment on nobody else can open it
        try:
            listener.bind(address)
        except OSError:
            listener.close()
            raise
        finally:
            os.umask(before)
    listener.listen(8)
    listener.setblocking(False)
    return listener
