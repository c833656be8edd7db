"""A program that follows its account hears of every move once, whatever is killed meanwhile."""

import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pytest

from marketpost.client import ApiRefused, ApiUnreachable, Client
from marketpost.client.documents import Orders
from tests.running.live import Ann, Live, running, until

T = TypeVar("T")
API, WORKERS, STORES = "gunicorn --config python:api.http.gunicorn_settings", "marketpost.cli.main worker", "valkey-server"
ROUNDS = (API, WORKERS, STORES)
"""What is killed after each move of Ann's."""


@pytest.fixture
def live(tmp_path: Path) -> Any:
    with running(tmp_path / "data", LIMITS="off") as found:
        yield found


def test_no_move_is_missed_and_none_comes_twice_though_api_workers_and_redis_are_killed(live: Live) -> None:
    ann = Ann(live)
    heard: list[int | None] = []
    with Client(live.url, ann.token) as client, Client(live.url, ann.token) as other:
        client.list_account_events(limit=1)
        game = ann.opens()
        threading.Thread(target=_listen, args=(other, heard), daemon=True).start()
        for number, victim in enumerate(ROUNDS):
            until(partial(_moves, client, game, number), 120.0)
            live.kill(*live.pids(victim))
        until(partial(_moves, client, game, len(ROUNDS)), 120.0)
        until(lambda: len(heard) > len(ROUNDS) and heard == _moved(client, game), 120.0)

    assert len(set(heard)) == len(heard)


def _listen(client: Client, heard: list[int | None]) -> None:
    with suppress(Exception):  # the service is stopped at the end, and the client is closed
        for event in client.stream_account_events(after=0, events="moved"):
            heard.append(event["version"])


def _moves(client: Client, game: str, number: int) -> bool:
    """Whether Ann has made her next move."""
    with suppress(ApiUnreachable, Busy):
        legal = _asked(lambda: client.list_legal(game))
        orders: Orders = {"orders": legal["steps"][-1]} if legal["steps"] else {}
        return bool(orders) and bool(_asked(lambda: client.submit_orders(game, orders, key=f"move-{number}-{legal['version']}")))
    return False


def _moved(client: Client, game: str) -> list[int]:
    """List the versions that moves have made."""
    with suppress(ApiUnreachable, Busy):
        entries = _asked(lambda: list(client.pages(client.list_events, game)))
        return [entry["version"] for entry in entries if entry["kind"] == "moved"]
    return []


class Busy(Exception):
    """The store or a worker is not back yet."""


def _asked(call: Callable[[], T]) -> T:
    try:
        return call()
    except ApiRefused as refused:
        if refused.status != 503:
            raise
        raise Busy from refused
