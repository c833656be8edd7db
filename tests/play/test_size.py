"""A finished game takes little room: one of four players 6 kB of Redis once its keys are forgotten, and 3 kB in an archive."""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from uuid import UUID

import msgspec
import pytest

from marketpost.play.keeping.backup import archive, restore_archived
from marketpost.play.keeping.compaction import compact
from marketpost.play.keeping.verify import verify
from marketpost.play.log.actions import Opened, SeatPlan
from marketpost.play.log.entries import write
from marketpost.play.moves.submit import submit
from marketpost.play.ports import Ports
from marketpost.play.table.seating import join
from marketpost.rules.bots import bot
from marketpost.rules.chance import Sealed, seal
from marketpost.rules.ruleset import ruleset
from marketpost.store.connections import connect
from marketpost.store.game_index import GameIndex
from marketpost.store.game_logs import GameLogs
from marketpost.store.players import Players
from marketpost.store.raw_copies import read_all
from tests.games import decide, deciding
from tests.mail.desk import Clock
from tests.redis import games_redis

WITH_KEYS, IN_REDIS, ARCHIVED = 2_400, 1_500, 1_000
"""Bytes for each player."""
FEW = 4
"""Games in an archive."""
PEOPLE = [f"{number:020x}" for number in range(1, 7)]
AN_HOUR = 3_600_000
MISTAKES = 0.02
"""How often somebody writes what is refused, before they find something better."""


@pytest.fixture
def ports(tmp_path: Path) -> Iterator[Ports]:
    with games_redis(tmp_path) as url:
        redis = connect(url)
        yield Ports(GameLogs(redis), Players(redis), GameIndex(redis), lambda game: None, clock=Clock())


def played(ports: Ports, rules: str, seats: int, number: int) -> str:
    """A game to its end by people who think for up to an hour and send every move with a long key: the same to the last byte each time."""
    id, people, secret = f"{number:020x}", PEOPLE[:seats], number.to_bytes(32, "big")
    plans = (*(SeatPlan(player=player) for player in people[:-1]), SeatPlan())
    game = ruleset(rules)
    opened = Opened(rules, game.boards()[0], None, {}, game.colours[:seats], plans, people[0], False, seal(secret))
    ports.games.open(id, secret, *write(0, "", ports.clock(), people[0], f"{rules} 1", [opened]))
    join(ports, id, people[-1])
    dice, mind = random.Random(number), bot(game, "greedy")
    assert isinstance(ports.clock, Clock)
    while True:
        decide(ports, [id], deciding())
        found = ports.game(id)
        assert found
        if found.status == "over":
            return id
        seat = found.deciders[0]
        ports.clock.forward(hours=dice.random())
        if dice.random() < MISTAKES:
            submit(ports, found, people[seat], "4: stall A-A", key=str(UUID(int=dice.getrandbits(128))))
        orders = mind(found.state.copy(), seat, Sealed(dice.randbytes(32), "test"))
        submit(ports, found, people[seat], orders, key=str(UUID(int=dice.getrandbits(128))))


def in_redis(ports: Ports) -> int:
    """Everything there is, for nothing is there but the games."""
    redis = ports.games.redis
    return sum(int(redis.memory_usage(key, samples=0) or 0) for key in redis.scan_iter("*") if key != b"index:work")


def weighed(ports: Ports, games: Sequence[str], file: Path) -> tuple[float, float, float]:
    """Bytes of Redis a game while its keys are known, a day later, and in an archive, from which all come back as they were."""
    for game in games:
        assert compact(ports, game)
        assert not verify(game, ports.games.read(game), ports.games.head(game)).faults
    with_keys, logs = in_redis(ports), [ports.games.compacted(game) for game in games]
    ports.games.redis.delete(*(ports.games.key(game, "keys") for game in games))  # a day later
    before, later = everything(ports), in_redis(ports)
    assert archive(ports, file, ports.clock() + AN_HOUR) == games
    assert restore_archived(ports, file) == games
    assert [ports.games.compacted(game) for game in games] == logs
    assert everything(ports) == before
    return with_keys / len(games), later / len(games), file.stat().st_size / len(games)


def everything(ports: Ports) -> list[bytes]:
    return sorted(msgspec.msgpack.encode(each) for each in read_all(ports.games.redis) if each.game)


@pytest.mark.parametrize(("rules", "seats"), [("portobello", 2), ("portobello", 4), ("alturien", 2), ("alturien", 4), ("alturien", 6)])
def test_a_finished_game_takes_little_room_in_redis_and_less_in_an_archive(ports: Ports, tmp_path: Path, rules: str, seats: int) -> None:
    games = [played(ports, rules, seats, number) for number in range(FEW)]

    with_keys, later, archived = weighed(ports, games, tmp_path / "archive")

    several = max(seats, 4)
    assert with_keys < several * WITH_KEYS
    assert later < several * IN_REDIS
    assert archived < several * ARCHIVED
