"""A real headless Chromium, a server with bots, a stage; the screens of a test that fails are kept in test-results/."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Generator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

from tests.conftest import needed
from tests.system.client import Client
from tests.system.serving import Served, serving
from tests.system.web.person import Person
from tests.system.web.stage import Stage, staging

if TYPE_CHECKING:
    from playwright.async_api import Browser

RESULTS = Path(__file__).parents[3] / "test-results"
CHROMIUM_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
FAILED = pytest.StashKey[bool]()

Open = Callable[..., Awaitable[Person]]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Remember whether the test has failed, for the fixtures that end after it."""
    report = yield
    if report.failed:
        item.stash[FAILED] = True
    return report


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser(chromium_path: str) -> AsyncIterator[Browser]:
    """One Chromium for all; every person in it has a context of their own."""
    needed("playwright")
    from playwright.async_api import async_playwright

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium_path, args=CHROMIUM_ARGUMENTS)
        yield browser
        await browser.close()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def server(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Served]:
    """A server for developers whose bots are there; nobody kills it."""
    with serving(tmp_path_factory.mktemp("web"), "--dev", "--bot-seats", "60") as served:
        await wait_for_bots(served)
        yield served


async def wait_for_bots(served: Served) -> None:
    """Wait until tables can have bots."""
    client = await Client.open(served.url, "Early")
    try:
        while (await client.ask("create", sit=False, speed="fast", bots=["easy", "normal"], private=True))["t"] == "error":
            pass
    finally:
        await client.close()


@pytest_asyncio.fixture(loop_scope="session")
async def stage() -> AsyncIterator[Stage]:
    """A server of which the test decides what it shows."""
    async with staging() as put_up:
        yield put_up


@pytest_asyncio.fixture(loop_scope="session")
async def people(request: pytest.FixtureRequest, browser: Browser) -> AsyncIterator[list[Person]]:
    """Whoever has opened a page in this test: no script of theirs may have failed, and a failed test keeps their screens."""
    opened: list[Person] = []
    yield opened
    failed = request.node.stash.get(FAILED, False)
    complaints = [complaint for person in opened for complaint in person.complaints]
    if failed or complaints:
        RESULTS.mkdir(exist_ok=True)
        name = re.sub(r"\W+", "-", request.node.name).strip("-")
        for number, person in enumerate(opened):
            if not person.page.is_closed():
                await person.page.screenshot(path=RESULTS / f"{name}-{number}.png")
    for context in {person.context for person in opened}:
        await context.close()
    assert failed or not complaints, complaints


@pytest.fixture
def opens(people: list[Person], browser: Browser) -> Open:
    """`await opens(url, "/t/CODE", guest=…)`: somebody who looks at this page; keywords as of `Person.at`."""

    async def opened(url: str, path: str = "/", **options: object) -> Person:
        person = await Person.at(browser, url, path, **options)  # type: ignore[arg-type]
        people.append(person)
        return person

    return opened


@pytest.fixture
def comes(opens: Open, stage: Stage) -> Callable[..., Awaitable[Person]]:
    """`await comes(size=…)`: somebody who sits at the table on the stage."""

    async def came(**options: object) -> Person:
        person = await opens(stage.url, stage.path, guest=stage.guest, **options)
        await person.look(f"table('{stage.title}', 5000)")
        return person

    return came
