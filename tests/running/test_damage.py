"""A byte flipped in the file of the games: the operator hears of it everywhere, once, and the player at once."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from marketpost.play.clock.deadlines import running
from marketpost.play.keeping.backup import backup
from marketpost.play.keeping.verify import clear_repaired, find_damage
from marketpost.play.log.actions import SeatPlan, TimeControl
from marketpost.play.moves.submit import OutcomeStatus, outcome, submit
from marketpost.play.people.registration import register
from marketpost.play.ports import Ports
from marketpost.play.table.seating import open_game
from marketpost.rules.ruleset import rulesets
from tests.games import deciding
from tests.running.live import marketpost, stores
from workers.jobs import decide_safely
from workers.run import check_some, sweep

INCREMENT = "games/appendonlydir/appendonly.aof.1.incr.aof"
WORD, FLIPPED = b'"began"', b'"cegan"'


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with two games; in the log of one a byte was flipped while the server was away."""
    folder = tmp_path_factory.mktemp("damage") / "data"
    with stores(folder) as ports:
        ann, ben = (register(ports, f"{name}@example.org", name) for name in ("ann", "ben"))
        for id in ("g1", "g2"):
            open_game(ports, id, ann.id, "portobello", [SeatPlan(player=ann.id), SeatPlan(player=ben.id)], {})
    file = folder / INCREMENT
    written = file.read_bytes()
    at = written.index(WORD) + 1
    file.write_bytes(written[:at] + bytes([written[at] ^ 1]) + written[at + 1 :])
    return folder


@pytest.fixture(scope="module")
def ports(data: Path) -> Iterator[Ports]:
    with stores(data) as found:
        yield found


def test_the_sweeper_finds_it_though_nobody_plays_and_leaves_the_game_alone(ports: Ports, caplog: pytest.LogCaptureFixture) -> None:
    for _ in range(3):
        check_some(ports, [])
        decide_safely(ports, ["g1"], deciding())
    clear_repaired(ports)
    enqueued: list[str] = []
    sweep(ports, enqueued.append, enqueued.append, ports.clock() / 1000)

    assert ports.damaged.all().keys() == {"g1"}
    [told] = [record.message for record in caplog.records if record.levelname in ("WARNING", "ERROR")]
    assert "game g1: the log does not fit together at version" in told
    assert "`marketpost verify g1`" in told
    assert "g1" not in enqueued


def test_the_doctor_names_it_and_says_what_to_do(ports: Ports, data: Path) -> None:
    check_some(ports, [])

    told = marketpost(data, "doctor").stdout

    [line] = [line for line in told.splitlines() if line.startswith("BAD  damaged games")]
    assert "1: g1 (version" in line


def test_a_backup_is_written_and_says_that_the_game_is_damaged(ports: Ports, data: Path, tmp_path: Path) -> None:
    done = marketpost(data, "backup", str(tmp_path / "file"))

    assert done.returncode == 1
    assert (tmp_path / "file").exists()
    assert "game g1 is damaged" in done.stderr
    assert "g2" not in done.stderr


def test_a_repaired_game_is_damaged_no_more(ports: Ports) -> None:
    check_some(ports, [])
    key = ports.games.key("g1", "log")
    entries = ports.games.read("g1")
    ports.games.redis.delete(key)
    for each in entries:
        ports.games.redis.xadd(key, {b"e": each.data.replace(FLIPPED, WORD)}, id=f"{each.version}-0")

    clear_repaired(ports)

    assert not ports.damaged.all()
    assert ports.game("g1")


@pytest.fixture
def whole(ports: Ports, tmp_path: Path) -> Path:
    """A backup in which all games fit together, of a while ago."""
    clear_repaired(ports)
    file = tmp_path / "backup"
    backup(ports, file)
    return file


def flip(ports: Ports, id: str) -> None:
    """Change a byte in the newest entry of a game."""
    key, newest = ports.games.key(id, "log"), ports.games.read(id)[-1]
    ports.games.redis.xdel(key, f"{newest.version}-0")
    ports.games.redis.xadd(key, {"e": newest.data.replace(b'"', b"#", 1)}, id=f"{newest.version}-1")
    ports.evict(id)


@pytest.mark.parametrize("rules", rulesets())
def test_a_damaged_game_is_restored_from_a_backup_with_the_time_that_was_lost(ports: Ports, data: Path, tmp_path: Path, rules: str) -> None:
    id, ann = f"timed-{rules}", register(ports, "ann@example.org", "ann").id
    game = open_game(ports, id, ann, rules, [SeatPlan(player=ann)] * 2, {}, clock=TimeControl(24 * 3_600_000))
    (before,) = {time.by for seat, time in running(game).items() if seat in game.deciders}
    backup(ports, tmp_path / "file")
    flip(ports, id)
    assert list(find_damage(ports, [id])) == [id]
    time.sleep(0.5)

    done = marketpost(data, "restore", str(tmp_path / "file"), "--game", id)

    assert (done.returncode, done.stderr) == (0, "")
    assert f"game {id} is as it was" in done.stdout
    ports.evict(id)
    found = ports.game(id)
    assert found
    assert found.state == game.state
    assert min(time.by for seat, time in running(found).items() if seat in found.deciders) >= before + 500
    assert not list(find_damage(ports, [id]))
    assert id not in ports.damaged.all()
    assert id in {each for each, _ in ports.index.at_work()}


def test_a_game_that_fits_together_is_never_set_back(ports: Ports, data: Path, whole: Path) -> None:
    before = ports.games.read("g2")

    done = marketpost(data, "restore", str(whole), "--game", "g2")

    assert done.returncode == 1
    assert "game g2 fits together and stays as it is; nothing was changed" in done.stderr
    assert ports.games.read("g2") == before
    assert "there is no game g9" in marketpost(data, "restore", str(whole), "--game", "g9").stderr


def test_a_copy_that_is_damaged_too_changes_nothing(ports: Ports, data: Path, tmp_path: Path) -> None:
    flip(ports, "g2")
    backup(ports, tmp_path / "file")
    before = ports.games.read("g2")

    done = marketpost(data, "restore", str(tmp_path / "file"), "--game", "g2")

    assert done.returncode == 1
    assert "is damaged in" in done.stderr
    assert "try an older backup" in done.stderr
    assert ports.games.read("g2") == before


UNREADABLE = {
    "an entry of something else": lambda redis, key: redis.xadd(key, {"x": b"no entry"}),
    "no log at all": lambda redis, key: (redis.delete(key), redis.set(key, b"no log")),
}


@pytest.mark.parametrize("fault", UNREADABLE)
def test_of_several_games_only_the_one_that_cannot_be_read_is_damaged(fault: str, tmp_path: Path) -> None:
    with stores(tmp_path / "data") as ports:
        ann, ben = (register(ports, f"{name}@example.org", name) for name in ("ann", "ben"))
        for id in ("g1", "g2"):
            open_game(ports, id, ann.id, "portobello", [SeatPlan(player=ann.id), SeatPlan(player=ben.id)], {})
        moves = {
            id: submit(ports, game, game.seats[game.deciders[0]].player or "", "bobby 5") for id in ("g1", "g2") if (game := ports.game(id))
        }
        UNREADABLE[fault](ports.games.redis, ports.games.key("g1", "log"))
        for id in ("g1", "g2"):
            ports.evict(id)

        decide_safely(ports, ["g1", "g2"], deciding())

        assert [game.id for game in ports.sound_games(["g1", "g2"])] == ["g2"]
        assert (decided := outcome(ports, "g2", moves["g2"]))
        assert decided.status == OutcomeStatus.APPLIED
        assert list(find_damage(ports, ["g2", "g1"])) == ["g1"]
        assert ports.damaged.all().keys() == {"g1"}
