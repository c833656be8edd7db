"""What an operator does by hand, on real servers without the service."""

import json
import os
import re
import signal
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from rq import Worker
from rq.utils import utcformat
from rq.worker import BaseWorker

from api.http.serialize import entry
from marketpost.play.log.actions import SeatPlan
from marketpost.play.moves.game_view import record
from marketpost.play.people.registration import register, sign_in
from marketpost.play.ports import Ports
from marketpost.play.table.seating import open_game
from marketpost.store.connections import connect
from tests.games import decide, deciding
from tests.running.live import command, marketpost, stores, until
from tests.service import Service, service, worker
from workers.own_job import JOBS
from workers.queue import BOTS, HOOKS, MAIL, MOVES, WorkQueue
from workers.run import WORKER_TTL


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
        decide(ports, ["finished"], deciding())
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


def test_prometheus_on_another_machine_needs_the_token_of_an_admin() -> None:
    with service(workers=0) as house:
        token = marketpost(house.settings.data, "token", "prometheus@example.org", "--name", "Prometheus", "--admin")
        client = house.app.test_client()
        client.environ_base["REMOTE_ADDR"] = "192.0.2.1"

        assert client.get("/metrics").status_code == 401
        assert client.get("/metrics", headers={"Authorization": f"Bearer {token.stdout.strip()}"}).status_code == 200
        assert [act.what for act in house.ports.audit.read()] == ["admin token"]


def test_every_draw_of_a_finished_game_is_made_again(data: Path, ports: Ports, finished: str, tmp_path: Path) -> None:
    game = ports.game(finished)
    assert game is not None
    page = {"items": [entry(game.rules, each) for each in ports.games.read(finished)], "next": None}
    file = tmp_path / f"{finished}.json"
    file.write_text(json.dumps(page))

    for arguments in ((finished,), (str(file),)):
        done = command(data, "verify", *arguments)
        assert done.returncode == 0, done.stderr
        assert re.search("[1-9]\\d* draws made again", done.stdout)
    piped = command(data, "verify", "-", "--game", finished, given=file.read_text())
    assert piped.stdout == done.stdout
    assert "0 broken" in command(data, "verify", "--all").stdout


def test_a_file_that_tells_its_game_may_have_any_name(data: Path, ports: Ports, finished: str, tmp_path: Path) -> None:
    game = ports.game(finished)
    assert game is not None
    items = [entry(game.rules, each) for each in ports.games.read(finished)]
    file = tmp_path / "saved.json"

    file.write_text(json.dumps({"game": finished, "items": items}))
    told = command(data, "verify", str(file))
    file.write_text(json.dumps({"items": items}))
    untold = command(data, "verify", str(file))

    assert (told.returncode, untold.returncode) == (0, 1)
    assert "If saved is not the id of this game, say --game ID." in untold.stderr


def test_a_file_in_which_people_read_something_else_than_was_chained_is_found(
    data: Path, ports: Ports, finished: str, tmp_path: Path
) -> None:
    game = ports.game(finished)
    assert game is not None
    items = [entry(game.rules, each) for each in ports.games.read(finished)]
    items[3]["by"], items[3]["action"] = "nobody", {"lie": 1}
    file = tmp_path / "saved.json"
    file.write_text(json.dumps({"game": finished, "items": items}))

    done = command(data, "verify", str(file))

    assert done.returncode == 1
    assert "version 4: the entry itself says something else than by, action" in done.stderr


@pytest.mark.parametrize(
    "content", [b"", b"hello", b"\xff\xfe\x00", b"{}", b'{"items": []}', b'[{"version": "x"}]', b"[" * 100_000], ids=range(7)
)
def test_a_file_that_is_no_log_is_called_so(data: Path, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "other.json"
    file.write_bytes(content)

    done = command(data, "verify", str(file))

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"{file}: this is no log as GET /v1/games/{{id}}/events answers it\n"


def test_the_board_of_a_record_goes_into_a_picture(data: Path, ports: Ports, finished: str, tmp_path: Path) -> None:
    png, svg, file = tmp_path / "board.png", tmp_path / "board.svg", tmp_path / "record.txt"
    game = ports.game(finished)
    assert game is not None
    file.write_text(record(ports, game))

    done = command(data, "board", str(file), "--png", str(png), "--svg", str(svg), "--width", "360", "--language", "de")
    file.write_text("nothing")
    unknown = command(data, "board", str(file), "--png", str(png))

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

    done = command(data, "verify", str(file))

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
            decide(ports, [name], deciding())
        key = ports.games.key("bad", "log")
        entries = ports.games.read("bad")
        ports.games.redis.delete(key)
        for each in entries:
            text = each.data.decode()
            ports.games.redis.xadd(key, {"e": _one_byte_changed(text) if each.version == 2 else text}, id=f"{each.version}-0")

        one, both = command(tmp_path, "verify", "bad"), command(tmp_path, "verify", "--all")
        rebuilt = marketpost(tmp_path, "rebuild")

    assert one.returncode == both.returncode == rebuilt.returncode == 1
    assert one.stderr == "game bad: the log does not fit together at version 3\n"
    assert both.stdout == "2 games checked, 1 broken\n"
    assert "game bad: the log does not fit together at version 3" in rebuilt.stderr
    assert rebuilt.stdout == "1 game read, 0 differences put right\n"


def test_rebuild_repairs_lists_and_says_what_differed(data: Path, ports: Ports, finished: str) -> None:
    command(data, "rebuild")
    unchanged = command(data, "rebuild")
    ports.index.redis.delete("index:over")
    ports.index.redis.zadd("index:running", {"ghost": 1})

    done = command(data, "rebuild")

    assert unchanged.stdout.endswith(" 0 differences put right\n")
    assert "index:over: finished was missing" in done.stdout
    assert "index:running: ghost should not have been there" in done.stdout
    assert "2 differences put right" in done.stdout
    assert list(ports.index.contents()["index:over"]) == [finished]
    assert command(data, "rebuild").stdout.endswith(" 0 differences put right\n")


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
    for queue in JOBS:
        assert f"BAD  {f'workers: {queue}':<17}0 at work, " in done.stdout
        assert f"→ start some: `marketpost worker --queue {queue}`" in done.stdout


def test_the_doctor_misses_a_worker_as_soon_as_it_was_killed() -> None:
    with service(workers=0) as house, ExitStack() as stack:
        queues = (MOVES, MOVES, MAIL, BOTS, HOOKS)
        first, _, carrier, _, _ = (stack.enter_context(worker(house.environment, queue)) for queue in queues)
        _until_listening(house, *queues)
        before = _doctor_of_workers(house)
        for killed in (first, carrier):
            killed.kill()
            killed.wait()
        after = _doctor_of_workers(house)

    assert before == {
        "moves": "ok: 2 at work, 0 jobs waiting",
        "bots": "ok: 1 at work, 0 jobs waiting",
        "mail": "ok: 1 at work, 0 jobs waiting",
        "hooks": "ok: 1 at work, 0 jobs waiting",
    }
    lost = rf"no heartbeat from: pid {{}} on {re.escape(socket.gethostname())} \(\d+ s\)"
    assert re.fullmatch(f"ok: 1 at work, 0 jobs waiting; {lost.format(first.pid)}", after["moves"]), after
    assert re.fullmatch(f"BAD: 0 at work, 0 jobs waiting; {lost.format(carrier.pid)}", after["mail"]), after
    assert after["hooks"] == before["hooks"]


def test_the_doctor_misses_a_worker_that_hangs_but_none_that_waits_for_work() -> None:
    with service(workers=0) as house, worker(house.environment) as stuck, worker(house.environment, MAIL):
        [mover, carrier] = _until_listening(house, MOVES, MAIL)
        stuck.send_signal(signal.SIGSTOP)
        try:
            _last_heard_of(mover, seconds_ago=47)
            _last_heard_of(carrier, seconds_ago=WORKER_TTL - 15)
            found = _doctor_of_workers(house)
        finally:
            stuck.send_signal(signal.SIGCONT)

    assert re.match(rf"BAD: 0 at work, 0 jobs waiting; no heartbeat from: pid {stuck.pid} on .* \([45][0-9] s\)$", found["moves"]), found
    assert found["mail"] == "ok: 1 at work, 0 jobs waiting"


def test_the_doctor_names_a_worker_whose_clock_is_ahead() -> None:
    with service(workers=0) as house, worker(house.environment):
        [mover] = _until_listening(house, MOVES)
        _last_heard_of(mover, seconds_ago=-600)
        found = _doctor_of_workers(house)
        clocks = dict(re.findall(r'marketpost_clock_seconds{of="(\w+)"} (\S+)', house.app.test_client().get("/metrics").text))

    assert re.match(r"BAD: 1 at work, .* clocks that are ahead: pid \d+ on .* \([56]\d\d s\)$", found["moves"]), found
    assert float(clocks["workers"]) - float(clocks["api"]) > 500


def _doctor_of_workers(house: Service) -> dict[str, str]:
    """What is said of the workers of each queue, with its mark."""
    done = marketpost(house.settings.data, "doctor")
    said = re.findall(r"^(\w+) +workers: (\w+) +(.*)$", done.stdout, re.MULTILINE)
    return {queue: f"{mark}: {says}" for mark, queue, says in said}


def _until_listening(house: Service, *queues: str) -> list[BaseWorker]:
    """The workers in the order of their queues, once each waits for work."""
    work_queue = WorkQueue(connect(house.settings.queue_redis_url))

    def waiting() -> list[BaseWorker]:
        return [
            each for queue in dict.fromkeys(queues) for each in Worker.all(queue=work_queue.queues[queue]) if each.get_state() == "idle"
        ]

    until(lambda: len(waiting()) == len(queues))
    return waiting()


def _last_heard_of(each: BaseWorker, seconds_ago: int) -> None:
    each.connection.hset(each.key, "last_heartbeat", utcformat(datetime.now(UTC) - timedelta(seconds=seconds_ago)))


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
