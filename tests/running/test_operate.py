"""What an operator does by hand, on real servers without the service."""

import json
import os
import re
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from rq import Worker
from rq.utils import utcformat
from rq.worker import BaseWorker

from api.dump import entry
from play.decide import decide
from play.deeds import SeatPlan
from play.look import record
from play.open import open_game
from play.people import register, sign_in
from play.ports import Ports
from store.connect import connect
from tests.games import never_tried
from tests.running.live import marketpost, stores
from tests.service import service, worker
from workers.wiring import Kicks


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("operate") / "data"


@pytest.fixture(scope="module")
def ports(data: Path) -> Iterator[Ports]:
    with stores(data) as found:
        yield found


@pytest.fixture(scope="module")
def ann(ports: Ports) -> str:
    return register(ports, "ann@example.org", "Ann").id


@pytest.fixture(scope="module")
def finished(ports: Ports, ann: str) -> str:
    """A game that two bots have played to its end."""
    open_game(ports, "finished", ann, "portobello", [SeatPlan(bot="greedy"), SeatPlan(bot="greedy")], {})
    for _ in range(100):
        decide(ports, ["finished"], never_tried)
        if (game := ports.game("finished")) and game.status == "over":
            return "finished"
    raise AssertionError("the bots do not finish")


def test_a_code_for_a_player_signs_them_in(data: Path, ports: Ports) -> None:
    unknown = marketpost(data, "token", "bob@example.org")
    done = marketpost(data, "token", "bob@example.org", "--name", "Bob")

    assert unknown.returncode == 1
    assert "nobody is registered as bob@example.org" in unknown.stderr
    assert sign_in(ports, "bob@example.org", done.stdout.strip(), "", ("play",))
    assert "Bob" in marketpost(data, "player", "bob@example.org").stdout


def test_every_draw_of_a_finished_game_is_made_again(data: Path, ports: Ports, finished: str, tmp_path: Path) -> None:
    game = ports.game(finished)
    assert game is not None
    page = {"items": [entry(game.rules, each) for each in ports.games.read(finished)], "next": None}
    file = tmp_path / f"{finished}.json"
    file.write_text(json.dumps(page))

    for arguments in ((finished,), (str(file),)):
        done = marketpost(data, "verify", *arguments)
        assert done.returncode == 0, done.stderr
        assert re.search("[1-9]\\d* draws made again", done.stdout)
    piped = marketpost(data, "verify", "-", "--game", finished, given=file.read_text())
    assert piped.stdout == done.stdout
    assert "0 broken" in marketpost(data, "verify", "--all").stdout


def test_a_file_that_tells_its_game_may_have_any_name(data: Path, ports: Ports, finished: str, tmp_path: Path) -> None:
    game = ports.game(finished)
    assert game is not None
    items = [entry(game.rules, each) for each in ports.games.read(finished)]
    file = tmp_path / "saved.json"

    file.write_text(json.dumps({"game": finished, "items": items}))
    told = marketpost(data, "verify", str(file))
    file.write_text(json.dumps({"items": items}))
    untold = marketpost(data, "verify", str(file))

    assert (told.returncode, untold.returncode) == (0, 1)
    assert "If saved is not the id of this game, say --game ID." in untold.stderr


def test_a_file_in_which_people_read_something_else_than_was_chained_is_found(
    data: Path, ports: Ports, finished: str, tmp_path: Path
) -> None:
    game = ports.game(finished)
    assert game is not None
    items = [entry(game.rules, each) for each in ports.games.read(finished)]
    items[3]["by"], items[3]["deed"] = "nobody", {"lie": 1}
    file = tmp_path / "saved.json"
    file.write_text(json.dumps({"game": finished, "items": items}))

    done = marketpost(data, "verify", str(file))

    assert done.returncode == 1
    assert "version 4: the entry itself says something else than by, deed" in done.stderr


def test_the_board_of_a_record_goes_into_a_picture(data: Path, ports: Ports, finished: str, tmp_path: Path) -> None:
    png, svg, file = tmp_path / "board.png", tmp_path / "board.svg", tmp_path / "record.txt"
    game = ports.game(finished)
    assert game is not None
    file.write_text(record(ports, game))

    done = marketpost(data, "board", str(file), "--png", str(png), "--svg", str(svg), "--width", "360", "--language", "de")
    file.write_text("nothing")
    unknown = marketpost(data, "board", str(file), "--png", str(png))

    assert done.returncode == 0, done.stderr
    assert png.read_bytes()[:4] == b"\x89PNG"
    assert "Distrikt 1" in svg.read_text("utf-8")
    assert (unknown.returncode, unknown.stdout) == (1, "")
    assert "A record begins with the line" in unknown.stderr


def test_one_changed_byte_in_a_file_is_found(data: Path, ports: Ports, finished: str, tmp_path: Path) -> None:
    game = ports.game(finished)
    assert game is not None
    items = [entry(game.rules, each) for each in ports.games.read(finished)]
    items[4]["entry"] = _one_byte_changed(items[4]["entry"])
    file = tmp_path / f"{finished}.json"
    file.write_text(json.dumps({"items": items}))

    done = marketpost(data, "verify", str(file))

    assert done.returncode == 1
    assert "game finished: the log does not fit together at version 6" in done.stderr


def _one_byte_changed(text: str) -> str:
    """In the time, so that the entry can still be read."""
    version, at, rest = text.split(",", 2)
    return f"{version},{at[:-1]}{(int(at[-1]) + 1) % 10},{rest}"


def test_one_changed_byte_in_the_store_is_found(tmp_path: Path) -> None:
    with stores(tmp_path) as ports:
        host = register(ports, "ann@example.org", "Ann").id
        for name in ("good", "bad"):
            open_game(ports, name, host, "portobello", [SeatPlan(player=host), SeatPlan(bot="greedy")], {})
            decide(ports, [name], never_tried)
        key = ports.games.key("bad", "log")
        entries = ports.games.read("bad")
        ports.games.redis.delete(key)
        for each in entries:
            text = each.data.decode()
            ports.games.redis.xadd(key, {"e": _one_byte_changed(text) if each.version == 2 else text}, id=f"{each.version}-0")

        one, both = marketpost(tmp_path, "verify", "bad"), marketpost(tmp_path, "verify", "--all")
        rebuilt = marketpost(tmp_path, "rebuild")

    assert one.returncode == both.returncode == rebuilt.returncode == 1
    assert one.stderr == "game bad: the log does not fit together at version 3\n"
    assert both.stdout == "2 games checked, 1 broken\n"
    assert "game bad: the log does not fit together at version 3" in rebuilt.stderr
    assert rebuilt.stdout == "1 game read, 0 differences put right\n"


def test_rebuild_repairs_lists_and_says_what_differed(data: Path, ports: Ports, finished: str) -> None:
    marketpost(data, "rebuild")
    unchanged = marketpost(data, "rebuild")
    ports.index.redis.delete("index:over")
    ports.index.redis.zadd("index:running", {"ghost": 1})

    done = marketpost(data, "rebuild")

    assert unchanged.stdout.endswith(" 0 differences put right\n")
    assert "index:over: finished was missing" in done.stdout
    assert "index:running: ghost should not have been there" in done.stdout
    assert "2 differences put right" in done.stdout
    assert list(ports.index.contents()["index:over"]) == [finished]
    assert marketpost(data, "rebuild").stdout.endswith(" 0 differences put right\n")


def test_the_doctor_sees_what_is_durable_and_what_does_not_run(data: Path, ports: Ports) -> None:
    ports.games.redis.config_set("appendfsync", "everysec")
    try:
        done = marketpost(data, "doctor")
    finally:
        ports.games.redis.config_set("appendfsync", "always")

    lines = done.stdout.splitlines()
    assert done.returncode == 1
    assert "ok   appendonly       yes" in lines
    assert "BAD  appendfsync      everysec: moves that were accepted may be lost at a crash" in lines
    assert "→ set `appendfsync always` in the configuration of the games' Redis" in done.stdout
    assert "BAD  workers          0 alive" in done.stdout


def test_the_doctor_does_not_count_a_worker_that_was_killed() -> None:
    with service(workers=0) as house:
        queue = Kicks(connect(house.settings.queue_redis_url))
        with worker(house.environment) as killed, worker(house.environment):
            both = _until_registered(queue, 2)
            killed.kill()
            killed.wait()
            [gone] = [each for each in both if each.pid == killed.pid]
            queue.redis.hset(gone.key, "last_heartbeat", utcformat(datetime.now(UTC) - timedelta(seconds=47)))
            done = marketpost(house.settings.data, "doctor")

    assert re.search(r"^ok   workers +1 alive, 0 jobs waiting; others not heard of for \d+ s$", done.stdout, re.MULTILINE), done.stdout


def _until_registered(queue: Kicks, count: int) -> list[BaseWorker]:
    while len(found := Worker.all(queue=queue.queue)) < count:
        time.sleep(0.05)
    return found


def test_without_redis_every_command_ends_with_one_line(tmp_path: Path) -> None:
    for arguments in (("token", "ann@example.org"), ("player", "ann@example.org"), ("verify", "--all"), ("rebuild",), ("worker",)):
        done = marketpost(tmp_path / "nothing", *arguments)
        assert done.returncode == 1
        assert done.stderr.count("\n") == 1, done.stderr
        assert "does not answer" in done.stderr
    assert not os.path.exists(tmp_path / "nothing")


def test_the_doctor_of_a_service_that_does_not_run_says_how_to_start_it(tmp_path: Path) -> None:
    done = marketpost(tmp_path / "nothing", "doctor")

    assert done.returncode == 1
    assert "start the service with `marketpost up`" in done.stdout
    assert not (tmp_path / "nothing").exists()
