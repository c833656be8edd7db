"""However the service ends, nothing that was accepted is lost and no process is left behind."""

import os
import signal
from pathlib import Path

from tests.running.live import Ann, exists, running, until


def test_ctrl_c_stops_everything_within_five_seconds(tmp_path: Path) -> None:
    with running(tmp_path / "data") as live:
        pids = live.all_pids()
        os.kill(live.pids("cli.main sweeper")[0], signal.SIGSTOP)  # one that is stuck

        took = live.stop(signal.SIGINT)

    assert took < 5
    assert not [pid for pid in pids if exists(pid)]
    assert live.process.returncode == 0
    assert "sweeper does not stop and is killed" in live.log()
    assert not list(live.data.glob("*.sock"))


def test_a_move_made_before_everything_was_killed_is_there_after_the_restart(tmp_path: Path) -> None:
    with running(tmp_path / "data") as live:
        ann = Ann(live)
        game = ann.opens()
        for pid in live.pids("cli.main worker"):
            os.kill(pid, signal.SIGSTOP)
        move = ann.moves(game)
        pids = live.all_pids()
        live.kill(live.process.pid)
        live.process.wait()
        until(lambda: not [pid for pid in pids if exists(pid)], 5)

    with running(tmp_path / "data") as live:
        ann.live = live

        ann.sees_it_decided(game, move)
