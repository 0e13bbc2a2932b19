"""Fixtures of the browser tests: a server, a browser, visitors. A test fails if a page complains or asks strangers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from hexholm.host.web.static_files import FOLDER
from tests.host.servers import run_server

from . import chromium, friends
from .host_process import Host
from .visitor import DESKTOP, PATIENCE_MS, Visitor

Invite = Callable[..., Visitor]
Play = Callable[..., friends.Table]
expect.set_options(timeout=PATIENCE_MS)  # what comes late on a busy machine comes


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whole games first: begun last, one of them would keep everybody waiting at the end."""
    items.sort(key=lambda item: "test_whole_games" not in item.nodeid)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser program for all tests of a worker; each visitor has a world of its own in it."""
    program = chromium.find()
    if program is None:
        pytest.fail(chromium.missing_text(), pytrace=False)
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=program, args=list(chromium.FLAGS)) as launched,
    ):
        yield launched


@pytest.fixture(scope="session")
def built() -> None:
    """The browser client is built."""
    if not (FOLDER / "index.html").is_file():
        pytest.fail("The browser client is not built: make web", pytrace=False)


@pytest.fixture
def server(houses: ExitStack) -> str:
    """The URL of a server in this process: bots answer at once, nothing is kept, nobody's requests are counted."""
    return houses.enter_context(run_server())


@pytest.fixture
def host(houses: ExitStack, tmp_path: Path) -> Host:
    """A server of its own process that can be killed and started again, on the same port with the same database."""
    return houses.enter_context(Host(tmp_path / "h.db"))


@pytest.fixture
def houses(built: None) -> Iterator[ExitStack]:
    """Servers of a test, and lines to them; they end after the visitors have gone."""
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def play(houses: ExitStack) -> Play:
    """Sets up a table of friends on a server of its own, with scripted dice: `play("dice 4 4", hand_limit=2)`."""

    def call(*outcomes: str, **options: Any) -> friends.Table:
        return houses.enter_context(friends.run_friends_table(*outcomes, **options))

    return call


@pytest.fixture
def invite(browser: Browser, houses: ExitStack) -> Iterator[Invite]:
    """Calls in a visitor: `invite(url, PHONE, has_touch=True)`. What goes on in their pages is looked at in the end."""
    visitors: list[Visitor] = []

    def call(url: str, size: tuple[int, int] = DESKTOP, **context: Any) -> Visitor:
        visitors.append(Visitor(browser, url, size, **context))
        return visitors[-1]

    yield call
    faults = [fault for visitor in visitors for fault in visitor.faults]
    for visitor in visitors:
        visitor.close()
    assert not faults, "\n".join(faults)


@pytest.fixture
def visitor(server: str, invite: Invite) -> Visitor:
    """One visitor of the server."""
    return invite(server)


@pytest.fixture
def page(visitor: Visitor) -> Page:
    """The page of one visitor of the server; `page.goto("/")` begins."""
    return visitor.page
