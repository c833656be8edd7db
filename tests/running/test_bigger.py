"""On more than one machine: a Cluster for the games, Sentinels for the queue."""

import time
from pathlib import Path

from tests.bigger import site, strike_all
from tests.chaos.count import UNDECIDED, count
from tests.chaos.players import Tally


def test_nothing_acknowledged_is_lost_when_masters_are_killed_and_workers_come_and_go(tmp_path: Path) -> None:
    tally = Tally()

    with site(tmp_path, 1, replicas=1) as there:
        strike_all(there, tally, 1, between=2.0)
        result = count(there.live, tally, time.monotonic())

    assert result["applied"]
    assert (result["lost"], result["twice"], result[UNDECIDED]) == (0, 0, 0)
