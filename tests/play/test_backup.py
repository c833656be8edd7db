"""Everything the store holds goes into a file, and into another store."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.main import main
from play.forget import forget
from play.keep import NotEmpty, backup, restore
from play.people import new_token, register
from play.ports import Ports
from play.settle import settle
from play.submit import submit
from play.talk import said, say
from play.verify import rebuild
from store.keep import Broken
from tests.play.over import everything, finished, log, ports_at, running, work
from tests.redis import games_redis


@pytest.fixture
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ports]:
    with games_redis(tmp_path_factory.mktemp("elsewhere")) as url:
        yield ports_at(url)


def test_a_backup_restored_elsewhere_is_the_same_store(ports: Ports, elsewhere: Ports, tmp_path: Path) -> None:
    over, going = finished(ports), running(ports)
    settle(ports, over)
    found = ports.game(going)
    assert found
    submit(ports, found, "ann", "4: stall A-B", key="k")
    say(ports, found, "ann", "hello")
    player = register(ports, "ann@example.org", "Ann")
    new_token(ports, player.id, "test", ("read",))
    backup(ports, tmp_path / "backup")

    done = restore(elsewhere, tmp_path / "backup")

    assert (done.games, done.broken, done.erased) == (2, (), 0)
    assert everything(elsewhere) == everything(ports)
    assert log(elsewhere, over) == log(ports, over)
    assert [each.text for each in said(elsewhere, going)] == ["hello"]
    assert not rebuild(elsewhere).differences
    work(elsewhere, going)
    assert len(log(elsewhere, going)) > len(log(ports, going))


def test_a_backup_goes_only_into_an_empty_store(ports: Ports, tmp_path: Path) -> None:
    running(ports)
    backup(ports, tmp_path / "backup")

    with pytest.raises(NotEmpty):
        restore(ports, tmp_path / "backup")


@pytest.mark.parametrize("harm", ["cut", "flipped", "emptied"])
def test_a_broken_backup_restores_nothing(ports: Ports, elsewhere: Ports, tmp_path: Path, harm: str) -> None:
    running(ports)
    file = tmp_path / "backup"
    backup(ports, file)
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes({"cut": bytes(data[: len(data) // 2]), "flipped": bytes(data), "emptied": b""}[harm])

    with pytest.raises(Broken):
        restore(elsewhere, file)

    assert not elsewhere.games.redis.dbsize()


def test_whoever_was_forgotten_after_the_backup_stays_forgotten(ports: Ports, elsewhere: Ports, tmp_path: Path) -> None:
    game = finished(ports)
    player = register(ports, "bob@example.org", "Bob")
    backup(ports, tmp_path / "backup")
    forget(ports, player.id)
    backup(ports, tmp_path / "newer")

    done = restore(elsewhere, tmp_path / "backup", ports.people.erased())

    assert done.erased == 1
    assert elsewhere.people.find(player.id) is None
    assert elsewhere.people.player_of("bob@example.org") is None
    assert log(elsewhere, game)


def test_a_disk_that_takes_no_backup_is_told_in_one_line(tmp_path: Path) -> None:
    with games_redis(tmp_path) as url:
        done = CliRunner().invoke(main, ["backup", str(tmp_path / "nowhere/backup")], env={"REDIS_URL": url})

    assert (done.exit_code, done.output.count("\n")) == (1, 1)
    assert "No such file or directory" in done.output
