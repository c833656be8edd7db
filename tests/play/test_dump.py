"""A dump for everybody: the finished public games, replayable, with pseudonyms."""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from backports import zstd

from marketpost.play.keeping.dump import check_dump, dump
from marketpost.play.log.actions import SeatPlan
from marketpost.play.moves.submit import submit
from marketpost.play.people.ratings import ratings
from marketpost.play.people.registration import register
from marketpost.play.people.results import RatingPool
from marketpost.play.ports import Ports
from marketpost.play.table.seating import open_game
from marketpost.rules.bots import bot
from marketpost.rules.ruleset import rulesets
from marketpost.store.archive_files import Broken
from marketpost.store.game_index import GameIndex
from marketpost.store.game_logs import GameLogs
from marketpost.store.players import BOT_ID, Players
from marketpost.store.redis_client import RedisClient
from tests.games import decide, deciding, sealed

RULES = sorted(rulesets())
GAMES = 2 * len(RULES) + 1
"""One of people and one of bots by each ruleset, and one of both, which is not rated."""


def play(ports: Ports, id: str, rules: str, people: list[str], *, public: bool) -> None:
    """To the end, with words to the others behind the orders and seats drawn by chance."""
    game = open_game(ports, id, people[0], rules, [SeatPlan(player=each) for each in people], {}, public, shuffled=True)
    while game.status != "over":
        seat = game.deciders[0]
        orders = bot(game.rules, "greedy")(game.state, seat, sealed(game.version))
        submit(ports, game, game.seats[seat].player or "", f"{orders} # greetings from Ann of Oldtown")
        decide(ports, [id], deciding())
        game = ports.game(id) or game


@dataclass(frozen=True)
class Dumped:
    file: Path
    people: list[str]
    mus: dict[tuple[str, str], list[float]]
    """The ratings that the service has, without the names."""


@pytest.fixture(scope="module")
def dumped(redis: RedisClient, tmp_path_factory: pytest.TempPathFactory) -> Dumped:
    redis.flushall()
    ports = Ports(GameLogs(redis), Players(redis), GameIndex(redis), lambda game: None)
    people = [register(ports, f"{name}@example.org", name).id for name in ("Ann", "Ben")]
    bots = [f"{BOT_ID}{number}" for number in (1, 2)]
    for rules in RULES:
        play(ports, f"{rules}-game", rules, people, public=True)
        play(ports, f"{rules}-bots", rules, bots, public=True)
    play(ports, "mixed-game", "portobello", [people[0], bots[0]], public=True)
    mus = {(rules, pool): sorted(each.mu for each in ratings(ports, rules, pool).values()) for rules in RULES for pool in RatingPool}
    play(ports, "hidden", "portobello", people, public=False)
    open_game(ports, "running-table", people[0], RULES[0], [SeatPlan(player=each) for each in people], {}, public=True)
    file = tmp_path_factory.mktemp("dump") / "games.zst"
    assert dump(ports, file) == GAMES
    return Dumped(file, people, mus)


def test_a_dump_replays_and_verifies_and_gives_the_ratings(dumped: Dumped) -> None:
    found = check_dump([dumped.file])

    assert (found.games, found.faults) == (GAMES, [])
    assert found.draws > 0
    assert {pool: sorted(each.mu for each in table.ratings.values()) for pool, table in found.tables.items()} == dumped.mus


def test_nobody_can_be_found_in_a_dump(dumped: Dumped) -> None:
    text = zstd.decompress(dumped.file.read_bytes()).decode()

    assert "p0000001" in text
    assert "robot-0000003" in text
    assert not [word for word in (*dumped.people, "Ann", "Oldtown", "example.org", "hidden", "running-table") if word in text]


@pytest.mark.parametrize("change", [lambda data: data[: len(data) // 2], lambda data: b"no dump"], ids=["cut", "other"])
def test_a_file_that_is_no_whole_dump_is_refused(dumped: Dumped, tmp_path: Path, change: Callable[[bytes], bytes]) -> None:
    file = tmp_path / "changed.zst"
    file.write_bytes(change(dumped.file.read_bytes()))
    with pytest.raises(Broken):
        check_dump([file])


def test_the_command_checks_a_dump_without_a_service(dumped: Dumped) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "marketpost.cli.main", "dump", "--check", dumped.file], capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr
    assert "0 faults" in done.stdout
    assert "p0000001" in done.stdout
