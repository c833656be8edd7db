"""One server and one browser for all tests of a process; each test has visitors of its own."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.visitor import CHROMIUM, PATIENCE, Visitor, launch, visit
from tests.served import served
from tests.service import Service

Visit = Callable[..., Visitor]


@pytest.fixture(scope="session")
def site(house: Service) -> Iterator[str]:
    house.app.test_client().get("/")  # draws a board, which takes longer the first time
    with served(house.app) as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if not CHROMIUM.exists():
        pytest.skip(f"{CHROMIUM} is missing: sh tests/debian.sh installs it")
    expect.set_options(timeout=PATIENCE)  # five seconds are too few where other tests take the cores
    with sync_playwright() as playwright:
        running = launch(playwright)
        yield running
        running.close()


@pytest.fixture
def visitor(browser: Browser, site: str) -> Iterator[Visit]:
    """Makes visitors. When the test is over nothing may have gone wrong in any of their browsers."""
    visitors: list[Visitor] = []

    def come(**setting: Any) -> Visitor:
        visitors.append(visit(browser, site, **setting))
        return visitors[-1]

    yield come
    for each in visitors:
        each.context.close()
    assert [fault for each in visitors for fault in each.faults] == []
