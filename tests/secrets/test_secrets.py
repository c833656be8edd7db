"""Secrets stay secret, and chance is not known before it shows."""

import logging
from collections.abc import Iterator
from typing import Any

import pytest

from tests.secrets.hunt import House, Table, house, play, search, search_stores

GAMES = 3


@pytest.fixture(scope="module")
def hunted() -> Iterator[House]:
    with house(7) as found:
        yield found


def test_no_byte_tells_a_secret_in_random_games(hunted: House) -> None:
    for number in range(GAMES):
        play(hunted, number + 2)
    search_stores(hunted)

    assert hunted.hits == set()
    assert hunted.letters_read > GAMES
    assert hunted.calls_read > GAMES


@pytest.mark.parametrize("form", [bytes, bytes.hex], ids=["raw", "hexadecimal"])
def test_a_secret_that_leaks_is_found(hunted: House, form: Any) -> None:
    ann = hunted.people[0]
    game = ann.post("/v1/games", {"rules": "portobello", "seats": [{"me": True}, {"bot": "greedy"}]}).json["id"]
    secret = hunted.service.ports.games.secret(game)
    leak = form(secret)
    hunted.service.ports.players.set_notes(ann.id, game, leak if isinstance(leak, str) else "")
    hunted.desk.work_queue.redis.set("leak", leak)
    logging.getLogger("marketpost.leak").debug("%s for %s", secret.hex(), ann.email)

    search(Table(hunted, game, secret))
    search_stores(hunted)

    found, hunted.hits = hunted.hits, set()
    hunted.desk.work_queue.redis.delete("leak")
    hunted.service.ports.players.set_notes(ann.id, game, "")
    assert {
        "a game's secret in the service's log",
        "the address of ann in the service's log",
        f"the secret of {game} in the key leak",
    } <= found
