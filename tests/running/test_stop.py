"""However the service ends, nothing that was accepted is lost and no process is left behind."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.running.live import Ann, Live, exists, running, until


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("stop") / "data"


@pytest.fixture(scope="module")
def made(data: Path) -> tuple[Ann, str, str]:
    """A move in a game, which nobody had judged when everything was killed."""
    with running(data) as live:
        ann = Ann(live)
        game = ann.opens()
        for pid in live.pids("marketpost.cli.main worker"):
            os.kill(pid, signal.SIGSTOP)
        move = ann.moves(game)
        pids = live.all_pids()
        live.kill(live.process.pid)
        live.process.wait()
        until(lambda: not [pid for pid in pids if exists(pid)], 5)
    return ann, game, move


@pytest.fixture(scope="module")
def restarted(made: tuple[Ann, str, str], data: Path) -> Iterator[Live]:
    with running(data) as live:
        yield live


def test_a_move_made_before_everything_was_killed_is_there_after_the_restart(made: tuple[Ann, str, str], restarted: Live) -> None:
    ann, game, move = made
    ann.live = restarted

    ann.sees_it_decided(game, move)


def test_ctrl_c_stops_everything_and_kills_what_is_stuck(restarted: Live) -> None:
    pids = restarted.all_pids()
    os.kill(restarted.pids("marketpost.cli.main sweeper")[0], signal.SIGSTOP)  # one that is stuck

    restarted.stop(signal.SIGINT)

    assert not [pid for pid in pids if exists(pid)]
    assert restarted.process.returncode == 0
    assert "sweeper does not stop and is killed" in restarted.log()
