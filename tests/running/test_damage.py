"""A byte flipped in the file of the games: the operator hears of it everywhere, once, and the player at once."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from marketpost.play.keeping.verify import clear_repaired
from marketpost.play.log.actions import SeatPlan
from marketpost.play.people.registration import register
from marketpost.play.ports import Ports
from marketpost.play.table.seating import open_game
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

    [line] = [line for line in told.splitlines() if "damaged games" in line]
    assert line.startswith("BAD")
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
    entries = ports.games.redis.xrange(key, "-")
    ports.games.redis.delete(key)
    for id, fields in entries:
        ports.games.redis.xadd(key, {b"e": fields[b"e"].replace(FLIPPED, WORD)}, id=id)

    clear_repaired(ports)

    assert not ports.damaged.all()
    assert ports.game("g1")
