"""Games that are over leave for a file and come back without loss."""

import random
from collections.abc import Iterable
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from marketpost.cli.main import main
from marketpost.play.keeping.backup import NotAnArchive, archive, backup, restore_archived
from marketpost.play.keeping.verify import rebuild, verify
from marketpost.play.log.fold import follow
from marketpost.play.log.game import Game
from marketpost.play.moves.submit import submit
from marketpost.play.ports import Ports
from marketpost.play.table.rematch import rematch
from marketpost.play.table.talk import said, say
from marketpost.rules.refusal import Refused
from marketpost.store import archive_files as files
from marketpost.store import raw_copies as keep
from marketpost.store.archive_files import Broken, load, save_archive
from marketpost.store.players import Player
from marketpost.store.raw_copies import StoredKey, read_all
from marketpost.store.redis_client import RedisClient
from tests.play.over import DAY, finish_by_ann, finished, finished_by_ann, greedy, log, ports_at, running, work
from tests.redis import games_redis


def test_archived_games_leave_the_store_and_come_back(ports: Ports, tmp_path: Path) -> None:
    over, going = finished(ports), running(ports)
    before, lists = log(ports, over), ports.index.contents()

    assert archive(ports, tmp_path / "archive", ports.clock() + 1) == [over]

    assert ports.game(over) is None
    assert ports.games.archived(over)
    assert ports.games.all_games() == [going]
    assert not rebuild(ports).differences

    assert restore_archived(ports, tmp_path / "archive") == [over]

    assert log(ports, over) == before
    assert ports.index.contents() == lists
    assert not ports.games.archived(over)
    assert restore_archived(ports, tmp_path / "archive") == []


def test_what_is_said_while_games_are_archived_is_not_lost(ports: Ports, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = finished_by_ann(ports)
    found = ports.game(game)
    assert found
    say(ports, found, "ann", "hello")
    work(ports, game)
    check = files.check

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(files, "check", lambda file: (check(file), say(ports, found, "ann", "goodbye"))[0])
        archive(ports, tmp_path / "archive", ports.clock() + DAY)
    restore_archived(ports, tmp_path / "archive")

    assert [each.text for each in said(ports, game)] == ["hello", "goodbye"]


def test_a_move_that_comes_when_its_game_has_just_been_archived_is_refused(ports: Ports, tmp_path: Path) -> None:
    """Whoever sent it would wait for an answer until the game is restored."""
    id = finished_by_ann(ports)
    as_it_was = follow(Game(id), ports.games.read(id)[:3])
    archive(ports, tmp_path / "archive", ports.clock() + DAY)

    with pytest.raises(Refused, match="archived"):
        submit(ports, as_it_was, "ann", greedy(as_it_was))
    with pytest.raises(Refused, match="archived"):
        say(ports, as_it_was, "ann", "goodbye")

    assert not ports.games.has_work(id)


def test_a_rematch_that_lies_in_the_archive_is_not_opened_anew(ports: Ports, tmp_path: Path) -> None:
    first = finished_by_ann(ports)
    second = rematch(ports, first, "ann").id
    finish_by_ann(ports, second)
    before = log(ports, second)
    archive(ports, tmp_path / "archive", ports.clock() + DAY)
    restore_archived(ports, tmp_path / "archive", [first])

    with pytest.raises(Refused, match="archived"):
        rematch(ports, first, "ann")

    restore_archived(ports, tmp_path / "archive")
    assert log(ports, second) == before


@pytest.mark.parametrize("written", [*range(4), None])
def test_a_game_that_was_not_brought_back_to_the_last_key_or_list_is_brought_back_again(
    ports: Ports, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: int | None
) -> None:
    game = finished_by_ann(ports)
    found = ports.game(game)
    assert found
    say(ports, found, "ann", "hello")
    work(ports, game)
    lists = ports.index.lists_with(game)
    archive(ports, tmp_path / "archive", ports.clock() + DAY)
    write_back = keep.write_back

    def broken_off(redis: RedisClient, kept: Iterable[StoredKey]) -> None:
        write_back(redis, list(kept)[:written])
        raise KeyboardInterrupt

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(keep, "write_back", broken_off)
        with pytest.raises(KeyboardInterrupt):
            restore_archived(ports, tmp_path / "archive")

    assert restore_archived(ports, tmp_path / "archive") == [game]
    assert ports.index.lists_with(game) == lists
    assert [each.text for each in said(ports, game)] == ["hello"]
    assert not verify(game, ports.games.read(game), ports.games.head(game)).faults


def test_a_game_that_is_brought_back_twice_at_once_and_played_on_in_between_is_one_game(
    ports: Ports, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = running(ports)
    first = ports.game(game)
    assert first
    orders = greedy(first)
    move = submit(ports, first, "ann", orders, key="once")
    work(ports, game)
    finish_by_ann(ports, game)
    before = log(ports, game)
    archive(ports, tmp_path / "archive", ports.clock() + DAY)
    write_back = keep.write_back

    def overtaken(redis: RedisClient, kept: Iterable[StoredKey]) -> None:
        monkeypatch.setattr(keep, "write_back", write_back)
        restore_archived(ports, tmp_path / "archive")
        assert submit(ports, first, "ann", orders, key="once") == move
        write_back(redis, kept)

    monkeypatch.setattr(keep, "write_back", overtaken)
    restore_archived(ports, tmp_path / "archive")

    assert submit(ports, first, "ann", orders, key="once") == move
    assert log(ports, game) == before


def test_a_game_that_is_restored_just_when_it_is_archived_stays_and_stops_none_of_the_others(
    ports: Ports, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [finished(ports) for _ in range(3)]
    read_games = keep.read_games

    def just_then(redis: RedisClient, ended: list[str]) -> Iterable[StoredKey]:
        ports.games.restore(ended[0])
        return read_games(redis, ended)

    monkeypatch.setattr(keep, "read_games", just_then)
    moved = archive(ports, tmp_path / "archive", ports.clock() + 1)

    assert set(moved) | set(ports.games.all_games()) == set(games)
    assert len(moved) == 2


def test_an_archive_is_never_written_over_another(ports: Ports, tmp_path: Path) -> None:
    game, file = finished(ports), tmp_path / "archive"
    file.write_bytes(b"what somebody else has put away meanwhile")

    with pytest.raises(FileExistsError):
        archive(ports, file, ports.clock() + DAY)

    assert file.read_bytes() == b"what somebody else has put away meanwhile"
    assert ports.games.read(game)
    assert not list(tmp_path.glob("*.part"))


def test_a_broken_archive_brings_nothing_back(ports: Ports, tmp_path: Path) -> None:
    finished(ports)
    file = tmp_path / "archive"
    archive(ports, file, ports.clock())
    before, data = list(read_all(ports.games.redis)), file.read_bytes()
    harmed = [b"", data[:-1], data[: len(data) // 2], data + b"\0"]
    harmed += [data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :] for at in range(0, len(data), 29)]

    for each in harmed:
        file.write_bytes(each)
        with pytest.raises(Broken):
            restore_archived(ports, file)

    assert sorted(read_all(ports.games.redis), key=lambda kept: kept.key) == sorted(before, key=lambda kept: kept.key)


def test_a_backup_is_no_archive_and_puts_nobody_back(ports: Ports, tmp_path: Path) -> None:
    finished(ports)
    ann = Player("a" * 16, "ann@example.org", "Ann")
    ports.players.save(ann)
    backup(ports, tmp_path / "backup")
    ports.players.save(msgspec.structs.replace(ann, name="Anna"))

    with pytest.raises(NotAnArchive):
        restore_archived(ports, tmp_path / "backup")

    found = ports.players.find(ann.id)
    assert found
    assert found.name == "Anna"


def test_a_game_that_ended_lately_is_not_archived(ports: Ports, tmp_path: Path) -> None:
    finished(ports)

    assert archive(ports, tmp_path / "archive", ports.clock() - 1000) == []
    assert not (tmp_path / "archive").exists()


@pytest.mark.parametrize("seed", [5, 6])
def test_an_archive_of_any_size_and_any_bytes_is_read_as_it_was_written(tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)
    kept = [StoredKey(b"game:{%d}:noise" % number, "string", -1, [dice.randbytes(dice.randrange(1, 60_000))]) for number in range(8)]

    save_archive(tmp_path / "archive", kept)

    assert list(load(tmp_path / "archive")) == kept


def test_whoever_checks_an_archived_game_is_told_where_it_lies(tmp_path: Path) -> None:
    file = tmp_path / "archive"
    with games_redis(tmp_path) as url:
        game = finished(ports_at(url))
        archive(ports_at(url), file, ports_at(url).clock() + DAY)
        told = CliRunner().invoke(main, ["verify", game], env={"REDIS_URL": url, "QUEUE_REDIS_URL": url})

    assert told.exit_code == 1
    assert f"`marketpost archive --back archive {game}` restores it" in told.output


def test_one_game_is_told_as_one(tmp_path: Path) -> None:
    file = str(tmp_path / "archive")
    with games_redis(tmp_path) as url:
        finished(ports_at(url))
        moved, back, none = (
            CliRunner().invoke(main, ["archive", file, *more], env={"REDIS_URL": url, "QUEUE_REDIS_URL": url}).output
            for more in (("--older-than", "-1"), ("--back",), ("--back",))
        )

    assert moved.startswith("1 game moved to ")
    assert (back, none) == ("1 game restored\n", "0 games restored\n")
