"""One server for the tests that only talk to it, and one for each test that ends it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from tests.system.client import Client
from tests.system.serving import Served, serving

Connect = Callable[..., Awaitable[Client]]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server for developers, shared by the tests of a module: nobody kills it."""
    with serving(tmp_path_factory.mktemp("serve"), "--dev") as served:
        yield served


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Served]:
    """A server for developers that the test may kill."""
    with serving(tmp_path, "--dev") as served:
        yield served


@pytest.fixture
async def clients() -> AsyncIterator[list[Client]]:
    """Clients that are closed after the test."""
    opened: list[Client] = []
    yield opened
    for client in opened:
        await client.close()


@pytest.fixture
def connect(clients: list[Client]) -> Connect:
    """`await connect(server, "Ann")`: a client that is closed after the test; keywords as of `Client.open`."""

    async def opened(served: Served, name: str = "Ann", **options: object) -> Client:
        client = await Client.open(served.url, name, **options)  # type: ignore[arg-type]
        clients.append(client)
        return client

    return opened
