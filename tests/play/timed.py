"""Games with a clock for tests: time that passes with the service at work, or without it."""

import sys
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from marketpost.play.clock.timeouts import record_heartbeat
from marketpost.play.log.actions import SeatPlan, TimeControl
from marketpost.play.log.entries import Entry
from marketpost.play.log.entries import read as read_log
from marketpost.play.log.game import Game
from marketpost.play.outbox.notices import Notice
from marketpost.play.table.seating import open_game
from marketpost.store.connections import connect
from marketpost.store.players import Player
from marketpost.store.steady_clock import SteadyTime
from tests.games import decide, deciding
from tests.mail.desk import Clock as Watch
from tests.mail.desk import Desk, settings_for
from workers.queue import WorkQueue, make_ports
from workers.run import sweep

MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
STEP = 100
"""Seconds between two heartbeats: below what counts as an outage."""


def timed_game(desk: Desk, *players: Player, id: str = "g1", rules: str = "portobello", **clock: Any) -> Game:
    """Everyone in their seats, with a day for each decision unless said otherwise; the first of them begins."""
    ports, seats = desk.mailer.ports, [SeatPlan(player=each.id) for each in players]
    ports.heartbeat.beat(desk.clock.now)
    open_game(ports, id, players[0].id, rules, seats, {}, clock=TimeControl(**{"per_decision": DAY} | clock))
    desk.decide()
    while desk.game(id).deciders != (0,):
        desk.by_rest(desk.to_play(id), desk.good_orders(id=id), id)
    desk.work()
    return desk.game(id)


def look(desk: Desk) -> None:
    """The sweeper comes by, and whoever it wakes does what is due."""
    ports = desk.mailer.ports
    record_heartbeat(ports, desk.clock.now)
    if sweep(ports, desk.work_queue.enqueue, desk.work_queue.enqueue_behind, desk.clock.now / 1000):
        desk.work()


def live(desk: Desk, **much: float) -> None:
    """Time passes, and the service is at work all the while."""
    ends = Watch(desk.clock.now)
    ends.forward(**much)
    while desk.clock.now < ends.now:
        desk.clock.now = min(desk.clock.now + STEP * 1000, ends.now)
        look(desk)


def live_until(desk: Desk, text: str, zone: str) -> None:
    """Until it is so late there."""
    then = datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp() - desk.clock.now / 1000
    live(desk, seconds=then)


def be_down(desk: Desk, **much: float) -> None:
    """Time passes, and nobody is at work."""
    desk.clock.forward(**much)


def entries(desk: Desk, id: str = "g1") -> list[Entry]:
    return [entry for entry, _ in read_log(id, desk.mailer.ports.games.read(id))]


def left(desk: Desk, seat: int) -> int:
    """Minutes until this seat's deadline."""
    return round((desk.game().times[seat].by - desk.clock.now) / MINUTE)


def saved(desk: Desk, seat: int) -> int:
    """Minutes that this seat has in its bank."""
    return round(desk.game().times[seat].bank / MINUTE)


def play(desk: Desk) -> None:
    """Whoever is to decide plays a turn that a bot would."""
    player, turn = desk.to_play(), desk.game().state.turn
    while desk.game().status == "running" and desk.game().state.turn == turn and desk.to_play().id == player.id:
        desk.by_rest(player, desk.good_orders())
    desk.work()


def of(desk: Desk, kind: type) -> list[object]:
    return [entry.action for entry in entries(desk) if isinstance(entry.action, kind)]


def letters(desk: Desk, player: Player) -> list[str]:
    """Which letters this player got since the game began, oldest first."""
    sent = [mail.letter for mail in reversed(desk.mailer.deliveries.of(player.id, None, 1000)) if mail.status == "sent"]
    return [letter for letter in sent if letter != "started"]


def halting_worker(data: Path, now: int) -> None:
    """A worker that says so when it is about to tell somebody something, and then takes a very long time over it."""
    settings = settings_for(data)
    work_queue = WorkQueue(connect(settings.queue_redis_url))
    ports = make_ports(settings, work_queue)
    ports.clock, ports.steady = Watch(now), SteadyTime
    while games := work_queue.next_games():
        decide(ports, games, deciding(notify=_halt(lambda notice: notice.kind)))


def _halt(say: Callable[[Notice], str]) -> Callable[[Sequence[Notice]], None]:
    def tell(notices: Sequence[Notice]) -> None:
        sys.stdout.write(f"{say(notices[0])}\n")
        sys.stdout.flush()
        time.sleep(60)

    return tell


if __name__ == "__main__":
    halting_worker(Path(sys.argv[1]), int(sys.argv[2]))
