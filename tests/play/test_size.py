"""A finished game takes little room: at most 10 kB of Redis, and 2 kB in an archive."""

import random
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from uuid import UUID

import pytest

from play.decide import decide
from play.game import RULES_VERSION
from play.keep import archive
from play.log import Opened, SeatPlan, write
from play.open import join
from play.ports import Ports
from play.settle import settle
from play.submit import submit
from play.verify import verify
from rules.bots import bot
from rules.chance import Sealed, seal
from rules.ruleset import ruleset
from store.connect import connect
from store.games import Games
from store.index import Index
from store.people import People
from tests.games import never_tried
from tests.redis import games_redis

IN_REDIS, ARCHIVED = 10_000, 2_000
PEOPLE = [f"{number:020x}" for number in range(1, 7)]
AN_HOUR = 3_600_000


@pytest.fixture
def ports(tmp_path: Path) -> Iterator[Ports]:
    with games_redis(tmp_path) as url:
        redis, moments = connect(url), hours()
        yield Ports(Games(redis), People(redis), Index(redis), lambda game: None, clock=lambda: next(moments))


def hours() -> Iterator[int]:
    """Moments as people make them, and the same whenever they are asked for."""
    dice, now = random.Random(1), 1_772_445_600_000
    while True:
        now += dice.randrange(AN_HOUR)
        yield now


def played(ports: Ports, rules: str, seats: int, number: int) -> str:
    """A game to its end by people who send every move with a long key: the same to the last byte each time."""
    id, people, secret = f"{number:020x}", PEOPLE[:seats], number.to_bytes(32, "big")
    plans = (*(SeatPlan(player=player) for player in people[:-1]), SeatPlan())
    game = ruleset(rules)
    opened = Opened(rules, game.boards()[0], None, {}, game.colours[:seats], plans, people[0], False, seal(secret))
    ports.games.open(id, secret, *write(0, "", ports.clock(), people[0], f"{rules} {RULES_VERSION}", [opened]))
    join(ports, id, people[-1])
    dice = random.Random(number)
    for turn in count():
        decide(ports, [id], never_tried)
        found = ports.game(id)
        assert found
        if found.status == "over":
            return id
        seat = found.deciders[0]
        orders = bot(game, "greedy")(found.state.copy(), seat, Sealed(bytes(32), str(turn)))
        submit(ports, found, people[seat], orders, key=str(UUID(int=dice.getrandbits(128))))
    raise AssertionError


def in_redis(ports: Ports) -> int:
    """Everything there is, for nothing is there but the games."""
    redis = ports.games.redis
    return sum(int(redis.memory_usage(key, samples=0) or 0) for key in redis.scan_iter("*") if key != b"index:work")


@pytest.mark.parametrize(("rules", "seats"), [("portobello", 2), ("portobello", 4), ("alturien", 2), ("alturien", 4)])
def test_a_finished_game_takes_ten_kilobytes_at_most_and_two_in_an_archive(ports: Ports, tmp_path: Path, rules: str, seats: int) -> None:
    games = [played(ports, rules, seats, number) for number in range(1, 5)]
    for game in games:
        assert settle(ports, game)
        assert not verify(game, ports.games.read(game), ports.games.head(game)).faults
    packed = in_redis(ports)
    ports.games.redis.delete(*(ports.games.key(game, "sent") for game in games))  # a day later

    assert archive(ports, tmp_path / "archive", ports.clock() + AN_HOUR) == games

    assert packed / len(games) < IN_REDIS
    assert (tmp_path / "archive").stat().st_size / len(games) < ARCHIVED
