"""A game that is damaged or too new for this process, as those who ask for it over REST are told."""

import re

import msgspec
import pytest

from marketpost.play.log.entries import digest
from marketpost.store.changes import Stored
from marketpost.store.game_logs import GameLogs
from tests.service import Person, Service


def rewrite_newest(house: Service, game: str, old: bytes, new: bytes, vouched: bool) -> None:
    """Change the newest entry in the store; `vouched` if its hash is to fit, as that of a newer process does."""
    ports = house.ports
    ports.evict(game)
    stored = ports.games.read(game)
    key, changed = GameLogs.key(game, "log"), stored[-1].data.replace(old, new)
    assert changed != stored[-1].data
    ports.games.redis.delete(key)
    for each in [*stored[:-1], Stored(stored[-1].version, changed)]:
        ports.games.redis.xadd(key, {b"e": each.data}, id=f"{each.version}-0")
    if vouched:
        ports.games.redis.set(GameLogs.key(game, "head"), digest(changed))


def damaged(person: Person) -> float:
    """How many damaged games the metrics count; other tests of this process damage theirs."""
    told = person.get("/metrics").get_data(as_text=True)
    return float(re.findall(r"^marketpost_games_damaged ([0-9.]+)$", told, re.MULTILINE)[0])


@pytest.mark.parametrize(("vouched", "status", "code"), [(False, 500, "game-damaged"), (True, 503, "game-too-new")])
def test_players_are_told_plainly_at_once(house: Service, vouched: bool, status: int, code: str) -> None:
    ann = house.person("ann")
    before = damaged(ann)
    game = house.against_bot(ann)
    newest = msgspec.json.decode(house.ports.games.read(game)[-1].data)[3][0]
    rewrite_newest(house, game, f'"{newest}"'.encode(), b'"fireworks"', vouched)

    for path, send in ((f"/v1/games/{game}", ann.get), (f"/v1/games/{game}/moves", lambda path: ann.post(path, {"orders": "bobby 5"}))):
        answer = send(path)
        assert (answer.status_code, answer.json["code"]) == (status, code)

    assert damaged(ann) == before + (0 if vouched else 1)
    house.ports.damaged.remove(game)
    house.ports.games.delete(game)
