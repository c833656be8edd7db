"""A machine without a time-zone database: moves wait, and are judged when there is one."""

import sys
import zoneinfo
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from marketpost.cli.doctor import time_zones
from marketpost.play.moves.decide import MOST_TRIES
from marketpost.play.moves.submit import outcome, submit
from marketpost.store.players import Player
from tests.mail.desk import Desk
from tests.play.timed import timed_game
from workers.jobs import decide_safely


@contextmanager
def no_time_zones() -> Iterator[None]:
    """Neither those of the system nor those of the package tzdata."""
    usual, loaded = zoneinfo.TZPATH, {name: sys.modules.pop(name) for name in [*sys.modules] if name.partition(".")[0] == "tzdata"}
    zoneinfo.reset_tzpath(to=())
    zoneinfo.ZoneInfo.clear_cache()
    sys.modules["tzdata"] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules["tzdata"]
        sys.modules.update(loaded)
        zoneinfo.reset_tzpath(to=usual)
        zoneinfo.ZoneInfo.clear_cache()


def test_moves_wait_and_the_log_says_what_to_install(desk: Desk, ann: Player, ben: Player, caplog: pytest.LogCaptureFixture) -> None:
    timed_game(desk, ann, ben, quiet=(22, 8))
    ports, callbacks = desk.mailer.ports, replace(desk.callbacks, count_attempts=desk.work_queue.count_attempts)
    move = submit(ports, desk.game(), ann.id, desk.good_orders())
    with no_time_zones():
        found = time_zones()
        for _ in range(2 * MOST_TRIES):
            decide_safely(ports, ["g1"], callbacks)
        waiting = outcome(ports, "g1", move)
    decide_safely(ports, ["g1"], callbacks)
    decided = outcome(ports, "g1", move)

    assert waiting
    assert waiting.status == "queued"
    assert decided
    assert decided.status == "applied"
    assert "this machine has no time zones" in caplog.text
    assert "tzdata" in found.advice
    assert not time_zones().advice
