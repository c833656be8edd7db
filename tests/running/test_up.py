"""`marketpost up`: everything comes up, and what is killed comes back."""

import os
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from marketpost.cli.up import can_listen, welcome
from tests.running.live import MARKETPOST, Ann, Live, environment, marketpost, running, until


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """With nothing on standard input, not even an empty one: all below goes as well without."""
    with running(tmp_path_factory.mktemp("up") / "data", start=("bash", "-c", 'exec "$0" "$@" <&-')) as found:
        yield found


@pytest.fixture(scope="module")
def ann(live: Live) -> Ann:
    return Ann(live)


def test_a_sound_service_says_nothing_but_its_message(live: Live) -> None:
    first = live.log().strip().splitlines()[0]

    assert first.startswith("Marketpost is running at")
    assert "Warning" not in live.log()


def test_at_another_port_the_message_says_how_the_client_finds_it(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATA_DIR", str(live.data))

    assert f"  export MARKETPOST_URL={live.url}\n" in live.log()
    assert "MARKETPOST_URL" not in welcome("http://127.0.0.1:8000")


def test_the_message_says_where_letters_are_read_and_where_replies_come_in(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATA_DIR", str(live.data))
    monkeypatch.setenv("MAIL_LISTEN", "127.0.0.1:2626")
    there = welcome("http://127.0.0.1:8000").splitlines()

    assert f"\nLocal mailbox:           {live.url}/mailbox\n" in live.log()
    assert "Replies come in at" not in live.log()
    assert "Replies come in at:      127.0.0.1:2626" in there
    assert len({line.index("http") for line in there[1:4]}) == 1

    monkeypatch.setenv("SMTP_URL", "smtp://mail.example.org")
    assert "mailbox" not in welcome("http://127.0.0.1:8000")


def test_the_commands_of_the_message_play_a_first_move(live: Live) -> None:
    script = "\n".join(line for line in live.log().splitlines() if line.startswith("  "))

    done = subprocess.run(["bash", "-euc", script], env=environment(live.data), capture_output=True, text=True, timeout=60, check=False)

    assert done.returncode == 0, done.stderr
    assert '"status":"applied"' in done.stdout
    assert "BOBBY" in done.stdout


@pytest.mark.parametrize(
    ("how", "body"),
    [("Content-Length: 25", b'{"orders": "bobby 5"}'), ("Transfer-Encoding: chunked", b'0x15\r\n{"orders": "bobby 5"}\r\n0\r\n\r\n')],
    ids=["cut off", "garbled"],
)
def test_a_move_that_did_not_come_whole_is_not_taken(live: Live, ann: Ann, how: str, body: bytes) -> None:
    game = ann.opens()
    head = f"POST /v1/games/{game}/moves HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {ann.token}\r\n"
    head += f"Content-Type: application/json\r\nConnection: close\r\n{how}\r\n\r\n"

    with socket.create_connection(("127.0.0.1", int(live.url.rpartition(":")[2])), timeout=60) as line:
        line.sendall(head.encode() + body)
        line.shutdown(socket.SHUT_WR)
        answer = line.makefile("rb").read()

    assert not answer or answer.startswith(b"HTTP/1.1 400 ")
    assert not live.ports().games.redis.exists(live.ports().games.key(game, "numbers"))


def test_a_killed_api_comes_back_and_callers_only_wait(live: Live, ann: Ann) -> None:
    game = ann.opens()
    killed = live.pids("gunicorn --config python:api.http.gunicorn_settings")

    live.kill(*killed)
    move = ann.moves(game)

    ann.sees_it_decided(game, move)
    assert "api was killed by SIGKILL" in live.log()
    assert not set(killed) & set(live.pids("gunicorn --config python:api.http.gunicorn_settings"))


def test_a_killed_arbiter_takes_its_processes_along(live: Live, ann: Ann) -> None:
    arbiter, *others = sorted(live.pids("gunicorn --config python:api.http.gunicorn_settings"))

    live.kill(arbiter)

    until(lambda: not set(others) & set(live.pids("gunicorn --config python:api.http.gunicorn_settings")))
    ann.sees_it_decided(game := ann.opens(), ann.moves(game))


def test_a_job_that_dies_with_its_worker_is_done_by_another(live: Live, ann: Ann) -> None:
    game = ann.opens()
    workers = live.pids("marketpost.cli.main worker")
    for pid in workers:
        os.kill(pid, signal.SIGSTOP)  # so that the job is handed to somebody who does nothing

    move = ann.moves(game)
    live.kill(*workers)

    ann.sees_it_decided(game, move)
    assert len(live.pids("marketpost.cli.main worker")) == len(workers)


@pytest.mark.parametrize("name", ["games", "queue"])
def test_a_killed_redis_comes_back_with_all_it_must_keep(live: Live, ann: Ann, name: str) -> None:
    game = ann.opens()
    move = ann.moves(game)

    live.kill(*live.pids(f"{name}.sock"))

    ann.sees_it_decided(game, move)
    until(lambda: f"{name} is back" in live.log())


def test_a_second_service_on_the_same_folder_is_refused(live: Live, tmp_path: Path) -> None:
    refused = marketpost(live.data, "up", "--port", "0")
    taken = marketpost(tmp_path / "other", "up", "--port", live.url.rpartition(":")[2])

    assert refused.returncode == taken.returncode == 1
    assert f"is in use by pid {live.process.pid} ({live.url})" in refused.stderr
    assert taken.stderr.count("\n") == 1
    assert "Address already in use. Choose another with --port" in taken.stderr


def test_a_data_folder_that_is_none_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    refused = marketpost(tmp_path, "up", "--port", "0", "--data", str(tmp_path / "file"))

    assert refused.stderr == f"Error: the data folder {tmp_path / 'file'} cannot be used: File exists\n"


def test_a_part_that_keeps_ending_is_started_later_and_later(live: Live) -> None:
    for _ in range(2):
        (pid,) = until(lambda: live.pids("marketpost.cli.main sweeper"))
        live.kill(pid)
        until(lambda pid=pid: pid not in live.pids("marketpost.cli.main sweeper"))

    until(lambda: "sweeper was killed by SIGKILL; it is started again in 0.5 s" in live.log())
    assert "sweeper was killed by SIGKILL; it is started again now" in live.log()


def test_a_taken_door_for_mail_is_told_in_one_line(live: Live) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        done = subprocess.run(
            [str(MARKETPOST), "mail-in"],
            env=environment(live.data, MAIL_LISTEN=address),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

        assert not can_listen(address)

    assert can_listen(address)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert f"cannot listen on {address}" in done.stderr
