"""Everything the store holds goes into a file, and into another store."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from marketpost.cli.main import main
from marketpost.play.keeping.backup import NotEmpty, Watch, backup, restore
from marketpost.play.keeping.compaction import compact
from marketpost.play.keeping.verify import rebuild
from marketpost.play.moves.submit import outcome, submit
from marketpost.play.people.erasure import erase
from marketpost.play.people.registration import new_token, register
from marketpost.play.ports import Ports
from marketpost.play.table.talk import said, say
from marketpost.store.archive_files import Broken
from marketpost.store.game_index import GameIndex
from marketpost.store.game_logs import GameLogs
from marketpost.store.players import Players
from marketpost.store.raw_copies import StoredKey
from tests.play.over import everything, finished, log, ports_at, running, work
from tests.redis import games_redis


@pytest.fixture
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ports]:
    with games_redis(tmp_path_factory.mktemp("elsewhere")) as url:
        yield ports_at(url)


def test_a_backup_restored_elsewhere_is_the_same_store(ports: Ports, elsewhere: Ports, tmp_path: Path) -> None:
    over, going = finished(ports), running(ports)
    compact(ports, over)
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


def then(act: Callable[[], object]) -> Watch[StoredKey]:
    """Something happens as soon as the first key has been read."""

    def watch(items: Iterable[StoredKey]) -> Iterator[StoredKey]:
        for number, item in enumerate(items):
            yield item
            if not number:
                act()

    return watch


def test_a_game_that_is_compacted_while_a_backup_is_made_is_in_it(ports: Ports, elsewhere: Ports, tmp_path: Path) -> None:
    game = finished(ports)
    register(ports, "ann@example.org", "Ann")

    backup(ports, tmp_path / "backup", then(lambda: compact(ports, game)))

    assert ports.games.compacted(game)
    assert restore(elsewhere, tmp_path / "backup").games == 1
    assert log(elsewhere, game) == log(ports, game)


def test_a_move_accepted_while_a_backup_is_made_is_in_it_with_its_key_or_not_at_all(ports: Ports, elsewhere: Ports, tmp_path: Path) -> None:
    game = running(ports)
    found = ports.game(game)
    assert found
    submit(ports, found, "ann", "bobby 5", key="one")
    work(ports, game)
    register(ports, "ann@example.org", "Ann")

    backup(ports, tmp_path / "backup", then(lambda: submit(ports, found, "ann", "4:", key="two")))

    restore(elsewhere, tmp_path / "backup")
    assert outcome(elsewhere, game, submit(elsewhere, found, "ann", "4:", key="two"))


def test_whoever_is_erased_while_a_backup_is_made_stays_erased(ports: Ports, elsewhere: Ports, tmp_path: Path) -> None:
    player = register(ports, "bob@example.org", "Bob")
    ports.players.set_notes(player.id, "game", "mine alone")

    backup(ports, tmp_path / "backup", then(lambda: erase(ports, player.id)))

    restore(elsewhere, tmp_path / "backup")
    assert list(elsewhere.players.redis.scan_iter("*")) == [b"erased"]


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


class Busy(GameLogs):
    """A bot moves between a look at the log and one at what is kept beside it."""

    def head(self, game: str) -> str:
        if self.newer(game, 0)[-1].version < 4:
            work(Ports(GameLogs(self.redis), Players(self.redis), GameIndex(self.redis), lambda _: None), game)
        return super().head(game)


def test_a_game_that_goes_on_while_it_is_read_again_is_not_taken_for_broken(ports: Ports, elsewhere: Ports, tmp_path: Path) -> None:
    going = ports.game(running(ports))
    assert going
    submit(ports, going, "ann", "4: stall A-B")
    backup(ports, tmp_path / "backup")
    elsewhere.games = Busy(elsewhere.games.redis)

    done = restore(elsewhere, tmp_path / "backup")

    assert done.broken == ()
    assert len(log(elsewhere, going.id)) > len(log(ports, going.id))


def test_whoever_was_erased_after_the_backup_stays_erased(ports: Ports, elsewhere: Ports, tmp_path: Path) -> None:
    game = finished(ports)
    player = register(ports, "bob@example.org", "Bob")
    backup(ports, tmp_path / "backup")
    erase(ports, player.id)
    backup(ports, tmp_path / "newer")

    done = restore(elsewhere, tmp_path / "backup", ports.players.erased())

    assert done.erased == 1
    assert elsewhere.players.find(player.id) is None
    assert elsewhere.players.player_of("bob@example.org") is None
    assert log(elsewhere, game)


def test_a_disk_that_takes_no_backup_is_told_in_one_line(tmp_path: Path) -> None:
    with games_redis(tmp_path) as url:
        done = CliRunner().invoke(main, ["backup", str(tmp_path / "nowhere/backup")], env={"REDIS_URL": url})

    assert (done.exit_code, done.output.count("\n")) == (1, 1)
    assert f"{tmp_path / 'nowhere/backup'}: No such file or directory" in done.output
