"""Processes of the API, workers, the sweeper and both Redis servers die while people enter a tournament and while it is paired."""

import random
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from redis.exceptions import RedisError

from marketpost.play.compete.competition import CompetitionStatus
from marketpost.play.compete.competition_actions import CompetitionFormat, CompetitionPlan
from marketpost.play.compete.entering import announce, competition_of
from marketpost.play.compete.plan_request import competition_clock
from tests.chaos.faults import BACK_WITHIN, VICTIMS, Clock
from tests.running.live import READY_WITHIN, Ann, Live, running, until
from tests.seasons.checks import is_paired_alike

CUP = "c-killed"
ENTRANTS, SEATS = 12, 3
ENTRIES, PAIRING = ["api"] * 6, ["api", "worker", "redis", "api", "sweeper", "queue", "worker", "api"]
"""What dies, one after the other."""
BEGINS_IN = 600
"""Seconds, by the service's clock; without a compiler there is none that can be moved, and the test waits."""
WAITS = 90


@contextmanager
def dying(live: Live, parts: Sequence[str], dice: random.Random) -> Iterator[None]:
    """Meanwhile a process of each of these parts is killed, one after the other."""

    def kill() -> None:
        for part in parts:
            time.sleep(dice.uniform(0.05, 0.6))
            found = until(partial(live.pids, VICTIMS[part]), BACK_WITHIN)
            with suppress(ProcessLookupError):
                live.kill(dice.choice(found))

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        yield
    finally:
        killer.join()


def is_open(live: Live) -> bool:
    """Whether the round is paired and all its tables are open."""
    ports = live.ports()
    with suppress(RedisError):
        cup = competition_of(ports, CUP)
        return cup.status == CompetitionStatus.RUNNING and all(
            ports.game(cup.table_id(1, number)) for number in range(len(cup.rounds[0].tables))
        )
    return False


def test_whoever_entered_is_paired_once_whatever_dies(tmp_path: Path) -> None:
    dice, clock = random.Random(23), Clock(tmp_path)
    with running(tmp_path / "data", LIMITS="off", **clock.environment) as live:
        people = [Ann(live, f"P{number:02}") for number in range(ENTRANTS)]
        ports, starts = live.ports(), live.ports().clock() + (BEGINS_IN if clock.works else WAITS) * 1000
        plan = CompetitionPlan("Spring Cup", CompetitionFormat.SWISS, "portobello", SEATS, competition_clock(None), starts)
        announce(ports, CUP, people[0].player, plan)

        with dying(live, ENTRIES, dice):
            for each in people:
                assert each.insist("POST", f"competitions/{CUP}/join", {}, key=f"{each.player}-enters")["entered"]
        assert competition_of(ports, CUP).entrants == [each.player for each in people]

        with dying(live, PAIRING, dice):
            clock.set(2 * BEGINS_IN)
            until(partial(is_open, live), WAITS + READY_WITHIN)
        until(partial(is_open, live), READY_WITHIN)

        ports = live.ports()
        cup = competition_of(ports, CUP)
        assert is_paired_alike(ports, CUP)
        assert sorted(player for table in cup.rounds[0].tables for player in table.players) == sorted(each.player for each in people)
        assert sorted(ports.games.all_games()) == sorted(cup.table_id(1, number) for number in range(ENTRANTS // SEATS))
        shown = people[0].insist("GET", f"competitions/{CUP}")
        assert [tuple(table["players"]) for table in shown["rounds"][0]["tables"]] == [table.players for table in cup.rounds[0].tables]
