"""Games that are over take little room, and leave for a file and come back without loss."""

import secrets
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from cli.main import main
from play.decide import decide
from play.forget import forget
from play.game import Game
from play.keep import NotAnArchive, NotEmpty, archive, backup, bring_back, restore
from play.log import Moved, SeatPlan, decode
from play.open import open_game
from play.people import new_token, register
from play.ports import Ports
from play.settle import settle
from play.submit import outcome, sent_before, submit
from play.talk import said, say
from play.verify import rebuild, verify
from rules.chance import Sealed
from store.connect import connect
from store.entries import SameKeyOtherMove
from store.games import Games
from store.index import Index
from store.keep import Broken, read_all
from store.people import People, Player
from tests.games import never_tried
from tests.logs import FOLDER, read
from tests.redis import games_redis
from workers.run import sweep

DAY = 24 * 3600
TODAY, PACKINGS = FOLDER / "today", FOLDER / "packings"
FORMS = sorted(each.name for each in PACKINGS.iterdir())


def ports_at(url: str) -> Ports:
    redis = connect(url)
    return Ports(Games(redis), People(redis), Index(redis), lambda game: None)


@pytest.fixture
def ports(tmp_path: Path) -> Iterator[Ports]:
    with games_redis(tmp_path) as url:
        yield ports_at(url)


@pytest.fixture
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ports]:
    with games_redis(tmp_path_factory.mktemp("elsewhere")) as url:
        yield ports_at(url)


def work(ports: Ports, game: str) -> None:
    decide(ports, [game], never_tried)


def finished(ports: Ports, rules: str = "portobello") -> str:
    """A game of bots, to its end."""
    id = secrets.token_hex(10)
    open_game(ports, id, "host", rules, [SeatPlan(bot="random"), SeatPlan(bot="random")], {})
    while Game(id).follow(ports.games.read(id)).status != "over":
        work(ports, id)
    return id


def running(ports: Ports) -> str:
    id = secrets.token_hex(10)
    open_game(ports, id, "ann", "portobello", [SeatPlan(player="ann"), SeatPlan(bot="greedy")], {})
    return id


def log(ports: Ports, game: str) -> list[bytes]:
    return [each.data for each in ports.games.read(game)]


def everything(ports: Ports) -> list[bytes]:
    return sorted(map(msgspec.msgpack.encode, read_all(ports.games.redis)))


@pytest.mark.parametrize("rules", ["portobello", "alturien"])
def test_a_packed_game_has_the_same_log_to_the_last_byte(ports: Ports, rules: str) -> None:
    game = finished(ports, rules)
    before = log(ports, game)

    assert settle(ports, game)

    assert log(ports, game) == before
    assert [each.version for each in ports.games.read(game, 3, 2)] == [4, 5]
    assert not verify(game, ports.games.read(game), ports.games.head(game)).faults


def test_a_packed_game_takes_less_than_ten_kilobytes(ports: Ports) -> None:
    game = finished(ports)
    settle(ports, game)

    keys = list(ports.games.redis.scan_iter(f"game:{{{game}}}:*"))

    assert sum(ports.games.redis.memory_usage(key, samples=0) for key in keys) < 10_000


def test_what_became_of_a_move_is_known_after_packing(ports: Ports) -> None:
    game = running(ports)
    found = ports.game(game)
    assert found
    refused = submit(ports, found, "ann", "3: stall A-A", key="once")
    work(ports, game)
    moves = [refused]
    while (found := ports.game(game)) and found.status != "over":
        moves.append(submit(ports, found, "ann", greedy(found), key=secrets.token_hex(4)))
        work(ports, game)
    before = [outcome(ports, game, move) for move in moves]

    assert settle(ports, game)

    assert [outcome(ports, game, move) for move in moves] == before
    assert before[0]
    assert before[0].status == "refused"
    assert outcome(ports, game, "unknown") is None


def greedy(game: Game) -> str:
    return game.rules.bots["greedy"](game.state, 0, Sealed(secrets.token_bytes(32), "test"))


def test_a_move_sent_again_after_packing_is_still_the_same_move(ports: Ports) -> None:
    game = finished_by_ann(ports)
    found = ports.game(game)
    assert found
    move = submit(ports, found, "ann", "pass", key="late")
    work(ports, game)
    settle(ports, game)

    assert submit(ports, found, "ann", "pass", key="late") == move
    assert ports.games.packed(game) is None
    assert outcome(ports, game, move).code == "game-over"


def finished_by_ann(ports: Ports) -> str:
    game = running(ports)
    while (found := ports.game(game)) and found.status != "over":
        submit(ports, found, "ann", greedy(found))
        work(ports, game)
    return game


def test_only_what_is_over_and_quiet_is_packed(ports: Ports) -> None:
    game, over = running(ports), finished_by_ann(ports)
    found = ports.game(over)
    assert found
    submit(ports, found, "ann", "pass")

    assert not settle(ports, game)
    assert not settle(ports, over)


def test_the_sweeper_packs_what_has_been_quiet(ports: Ports) -> None:
    game = finished(ports)

    sweep(ports, lambda game: None, ports.clock() / 1000 + 1000)

    assert ports.games.packed(game)


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
            bring_back(ports, file)

    assert sorted(read_all(ports.games.redis), key=lambda kept: kept.key) == sorted(before, key=lambda kept: kept.key)


def test_a_backup_is_no_archive_and_puts_nobody_back(ports: Ports, tmp_path: Path) -> None:
    finished(ports)
    ann = Player("a" * 16, "ann@example.org", "Ann")
    ports.people.save(ann)
    backup(ports, tmp_path / "backup")
    ports.people.save(msgspec.structs.replace(ann, name="Anna"))

    with pytest.raises(NotAnArchive):
        bring_back(ports, tmp_path / "backup")

    found = ports.people.find(ann.id)
    assert found
    assert found.name == "Anna"


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


def test_archived_games_leave_the_store_and_come_back(ports: Ports, tmp_path: Path) -> None:
    over, going = finished(ports), running(ports)
    before, lists = log(ports, over), ports.index.contents()

    assert archive(ports, tmp_path / "archive", ports.clock() + 1) == [over]

    assert ports.game(over) is None
    assert ports.games.archived(over)
    assert ports.games.all_games() == [going]
    assert not rebuild(ports).differences

    assert bring_back(ports, tmp_path / "archive") == [over]

    assert log(ports, over) == before
    assert ports.index.contents() == lists
    assert not ports.games.archived(over)
    assert bring_back(ports, tmp_path / "archive") == []


def test_an_archive_is_never_written_over_another(ports: Ports, tmp_path: Path) -> None:
    game, file = finished(ports), tmp_path / "archive"
    file.write_bytes(b"what somebody else has put away meanwhile")

    with pytest.raises(FileExistsError):
        archive(ports, file, ports.clock() + DAY)

    assert file.read_bytes() == b"what somebody else has put away meanwhile"
    assert ports.games.read(game)
    assert not list(tmp_path.glob("*.part"))


def test_a_disk_that_takes_no_backup_is_told_in_one_line(tmp_path: Path) -> None:
    with games_redis(tmp_path) as url:
        done = CliRunner().invoke(main, ["backup", str(tmp_path / "nowhere/backup")], env={"REDIS_URL": url})

    assert (done.exit_code, done.output.count("\n")) == (1, 1)
    assert "No such file or directory" in done.output


def test_a_game_that_ended_lately_is_not_archived(ports: Ports, tmp_path: Path) -> None:
    finished(ports)

    assert archive(ports, tmp_path / "archive", ports.clock() - 1000) == []
    assert not (tmp_path / "archive").exists()


def test_one_game_is_told_as_one(tmp_path: Path) -> None:
    file = str(tmp_path / "archive")
    with games_redis(tmp_path) as url:
        finished(ports_at(url))
        moved, back, none = (
            CliRunner().invoke(main, ["archive", file, *more], env={"REDIS_URL": url, "QUEUE_REDIS_URL": url}).output
            for more in (("--older-than", "-1"), ("--back",), ("--back",))
        )

    assert moved.startswith("1 game moved to ")
    assert (back, none) == ("1 game brought back\n", "0 games brought back\n")


def test_every_move_of_a_finished_game_can_be_sent_again_for_a_day(ports: Ports) -> None:
    game = running(ports)
    sent: list[tuple[Game, str, str, str]] = []
    while (found := ports.game(game)) and found.status != "over":
        key, orders = secrets.token_urlsafe(60), greedy(found)
        sent.append((found, orders, key, submit(ports, found, "ann", orders, key=key)))
        work(ports, game)
    before = log(ports, game)
    settle(ports, game)

    assert all(sent_before(ports, game, "ann", key) for _, _, key, _ in sent)
    assert not sent_before(ports, game, "ann", "another")
    assert ports.games.redis.ttl(ports.games.key(game, "sent")) > DAY
    assert [submit(ports, found, "ann", orders, key=key) for found, orders, key, _ in sent] == [move for *_, move in sent]
    with pytest.raises(SameKeyOtherMove):
        submit(ports, sent[0][0], "ann", "pass", key=sent[0][2])
    assert settle(ports, game)
    assert [submit(ports, found, "ann", orders, key=key) for found, orders, key, _ in sent] == [move for *_, move in sent]
    work(ports, game)
    assert log(ports, game) == before


def test_a_move_sent_again_after_its_key_has_gone_changes_nothing(ports: Ports) -> None:
    game = running(ports)
    sent: list[tuple[Game, str]] = []
    while (found := ports.game(game)) and found.status != "over":
        sent.append((found, greedy(found)))
        submit(ports, found, "ann", sent[-1][1], key=str(len(sent)))
        work(ports, game)
    before = log(ports, game)
    settle(ports, game)
    ports.games.redis.delete(ports.games.key(game, "sent"))

    moves = [submit(ports, found, "ann", orders, key=str(number)) for number, (found, orders) in enumerate(sent, 1)]
    work(ports, game)

    assert {outcome(ports, game, move).code for move in moves} == {"game-over"}  # type: ignore[union-attr]
    assert log(ports, game) == before


def test_no_two_moves_have_the_same_id_however_often_a_game_is_packed(ports: Ports) -> None:
    game = finished_by_ann(ports)
    found = ports.game(game)
    assert found
    moves = [deed.move for deed in (decode(data).deed for data in log(ports, game)) if isinstance(deed, Moved)]
    for _ in range(3):
        assert settle(ports, game)
        moves += [submit(ports, found, "ann", "pass") for _ in range(3)]
        work(ports, game)

    assert len(set(moves)) == len(moves)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("rules", ["portobello", "alturien"])
def test_a_game_packed_in_any_form_is_the_same_game(ports: Ports, rules: str, form: str) -> None:
    then, stored = read(TODAY / f"{rules}-whole.jsonl")
    game = then["game"]
    for part in ("packed", "sent"):  # the keys were packed with the game at first
        if (file := PACKINGS / form / f"{rules}-whole.{part}").exists():
            ports.games.redis.set(ports.games.key(game, part), file.read_bytes())

    assert ports.games.read(game) == stored
    assert outcome(ports, game, "0123456789ab").code == "game-over"  # type: ignore[union-attr]
    assert sent_before(ports, game, "ann", "once")

    ports.games.unpack(game)

    assert sent_before(ports, game, "ann", "once")
    assert settle(ports, game)
    assert ports.games.read(game) == stored
    assert sent_before(ports, game, "ann", "once")


@pytest.mark.parametrize("form", FORMS)
def test_games_come_back_from_an_archive_of_any_form(ports: Ports, form: str) -> None:
    logs = {then["game"]: stored for then, stored in (read(TODAY / f"{rules}-whole.jsonl") for rules in ("portobello", "alturien"))}

    assert sorted(bring_back(ports, PACKINGS / form / "both.archive")) == sorted(logs)

    for game, stored in logs.items():
        assert ports.games.read(game) == stored
        assert not verify(game, ports.games.read(game), ports.games.head(game)).faults
        assert ports.game(game)


@pytest.mark.parametrize("rules", ["portobello", "alturien"])
def test_a_game_packed_in_an_earlier_form_can_be_archived(ports: Ports, tmp_path: Path, rules: str) -> None:
    then, stored = read(TODAY / f"{rules}-whole.jsonl")
    game = then["game"]
    for form in FORMS:
        ports.games.redis.set(ports.games.key(game, "packed"), (PACKINGS / form / f"{rules}-whole.packed").read_bytes())

        assert archive(ports, tmp_path / form, ports.clock()) == [game]
        assert bring_back(ports, tmp_path / form) == [game]
        assert ports.games.read(game) == stored
