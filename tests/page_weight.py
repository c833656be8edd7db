"""What the page of a game costs in a real browser, in requests and compressed bytes: `python -m tests.page_weight [--proof]`."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from playwright.sync_api import Page, expect, sync_playwright

from marketpost.rules.ruleset import rulesets
from tests.browser.visitor import Visitor, launch, visit
from tests.proof import table, write
from tests.served import served
from tests.service import service

REQUESTS = 4
"""At most so many at a first view: the page, its style, its script, and the stream that tells of moves."""
A_MOVE = 30_000
"""Bytes of a turn at most: every step previewed, the orders sent, and the answer of a bot. It took 180 kB once."""
STEPS = "#draft .steps button.order"
MOST_TURNS = 40


@dataclass
class Traffic:
    """What a page has asked for and received over the network; what its browser had is not counted."""

    asked: dict[str, str] = field(default_factory=dict)
    received: dict[str, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.asked)

    @property
    def size(self) -> int:
        """Bytes, as they were sent and with their headers."""
        return sum(self.received.values())

    def begin(self) -> None:
        """Count from now on."""
        self.asked.clear()
        self.received.clear()

    def _ask(self, told: dict[str, Any]) -> None:
        if told["request"]["url"].startswith("http"):
            self.asked[told["requestId"]] = told["request"]["url"]

    def _begin_answer(self, told: dict[str, Any]) -> None:
        if told["response"].get("fromDiskCache"):
            self._take_from_cache(told)
        else:
            self._add(told["requestId"], told["response"]["encodedDataLength"])

    def _take_from_cache(self, told: dict[str, Any]) -> None:
        self.asked.pop(told["requestId"], None)

    def _receive(self, told: dict[str, Any]) -> None:
        self._add(told["requestId"], told["encodedDataLength"])

    def _finish(self, told: dict[str, Any]) -> None:
        if told["requestId"] in self.asked:
            self.received[told["requestId"]] = int(told["encodedDataLength"])

    def _add(self, request: str, count: float) -> None:
        if request in self.asked:
            self.received[request] = self.received.get(request, 0) + int(count)


def watch(visitor: Visitor) -> Traffic:
    """Count what the page of this visitor asks for."""
    traffic, devtools = Traffic(), visitor.context.new_cdp_session(visitor.page)
    for event, take in (
        ("requestWillBeSent", traffic._ask),
        ("requestServedFromCache", traffic._take_from_cache),
        ("responseReceived", traffic._begin_answer),
        ("dataReceived", traffic._receive),
        ("loadingFinished", traffic._finish),
    ):
        devtools.on(f"Network.{event}", take)
    devtools.send("Network.enable")
    return traffic


def view(page: Page, address: str) -> None:
    """Look at a page until it follows the game."""
    with page.expect_response(lambda answer: "/events" in answer.url):
        page.goto(address)
    page.wait_for_load_state("load")


def play_turn(page: Page) -> None:
    """Take the first step offered until the turn is whole, send it, and wait for the next one."""
    while page.locator(STEPS).count():
        written = page.input_value("#orders")
        page.locator(STEPS).first.click()
        expect(page.locator("#orders")).not_to_have_value(written)
    page.click("#send")
    expect(page.locator("#outcome")).to_have_text("Your orders have been carried out.")
    page.wait_for_selector(f"{STEPS}, .table:not(:has(.scores .decides))")
    page.wait_for_timeout(50)  # what was asked for last arrives


@contextmanager
def newcomer(browser: Any, site: str, title: str) -> Iterator[tuple[Visitor, str]]:
    """Somebody at the first turn of a game, in a browser that has never seen it."""
    opening = visit(browser, site)
    game = opening.play_a_bot(title)
    ann = visit(browser, site)
    ann.context.add_cookies(opening.context.cookies())  # type: ignore[arg-type]
    opening.context.close()
    yield ann, f"{site}/games/{game}"
    ann.context.close()


def measure(browser: Any, site: str, title: str) -> list[str]:
    """A row: the first view, the second, and the turns of a game."""
    with newcomer(browser, site, title) as (ann, address):
        traffic, views, turns = watch(ann), [], []
        for _ in range(2):
            traffic.begin()
            view(ann.page, address)
            views.append((len(traffic), traffic.size))
        while len(turns) < MOST_TURNS and ann.page.locator(STEPS).count():
            traffic.begin()
            play_turn(ann.page)
            turns.append((len(traffic), traffic.size))
    usual, heaviest = median(size for _, size in turns), max(turns, key=lambda turn: turn[1])
    return [
        title,
        *(f"{count} requests, {size / 1000:.1f} kB" for count, size in views),
        f"{median(count for count, _ in turns):.0f} requests, {usual / 1000:.1f} kB",
        f"{heaviest[0]} requests, {heaviest[1] / 1000:.1f} kB",
        f"{sum(size <= A_MOVE for _, size in turns)} of {len(turns)}",
        "ok" if views[0][0] <= REQUESTS and heaviest[1] <= A_MOVE else "short",
    ]


def main(arguments: list[str]) -> None:
    with service() as house, served(house.app) as site, sync_playwright() as playwright:
        browser = launch(playwright)
        titles = [str(rules.title(rules.in_language("en"))) for rules in rulesets().values()]
        rows = [measure(browser, site, title) for title in titles]
        browser.close()
    head = ["game", "first view", "second view", "a turn, median", "the heaviest turn", f"turns within {A_MOVE // 1000} kB", ""]
    lines = table([head, *rows])
    sys.stdout.write("\n".join(lines) + "\n")
    if "--proof" in arguments:
        write("make weight", lines)


if __name__ == "__main__":
    main(sys.argv[1:])
