"""A program that loses its account stream at every event, and a league that is paired while workers die: what they find afterwards."""

import json
import random
import threading
import time
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from typing import Any
from urllib.request import Request, urlopen

from redis import RedisError

from marketpost.play.compete.competition import CompetitionStatus
from marketpost.play.compete.competition_actions import CompetitionFormat, CompetitionPlan
from marketpost.play.compete.entering import announce, competition_of, enter
from marketpost.play.log.actions import AtZero, Moved, TimeControl
from marketpost.play.log.entries import decode
from marketpost.play.people.registration import new_token, register
from marketpost.play.ports import Ports
from marketpost.rules.refusal import Refused
from tests.chaos.players import GAME, UNREACHED, Tally, insist, legal
from tests.running.live import Live, until

MOVES = 6
HEARD_WITHIN = 60.0
PAIRED_WITHIN = 60.0
DAY = 24 * 3_600_000
ENTRANTS = 6
BEGINS_IN = 5
"""Seconds after a league is announced."""


@dataclass(slots=True)
class CutStream:
    """Reads one event, hangs up, and comes back with its id."""

    url: str
    token: str
    last: str = ""
    moved: list[int] = field(default_factory=list)
    """Versions of the moves that it was told of."""

    def hear(self, stop: threading.Event) -> None:
        while not stop.is_set():
            try:
                self._hear_one()
            except UNREACHED:
                time.sleep(0.1)

    def _hear_one(self) -> None:
        headers = {"Authorization": f"Bearer {self.token}", "Accept": "text/event-stream"} | (
            {"Last-Event-ID": self.last} if self.last else {}
        )
        with urlopen(Request(f"{self.url}/v1/events", headers=headers), timeout=5) as stream:
            lines = (line.decode().strip() for line in stream)
            for before, line in pairwise(lines):
                if line.startswith("data: "):
                    self._take(json.loads(line[6:]))
                    return
                if before.startswith("id: ") and not self.last:
                    self.last = before[4:]

    def _take(self, event: dict[str, Any]) -> None:
        self.last = event["id"]
        if event["event"] == "moved":
            self.moved.append(event["version"])


def cut_at_every_event(live: Live, dice: random.Random) -> str:
    """Play a game whose player's program is cut off after each event; empty if it was told of every move, once and in order."""
    ports, name, stop, tally = live.ports(), f"stream-{dice.getrandbits(32)}", threading.Event(), Tally()
    player = register(ports, f"{name}@example.org", "Streamer")
    player.mail = "none"
    ports.players.save(player)
    token, _ = new_token(ports, player.id, "", ("read", "play"))
    stream = CutStream(live.url, token)
    reader = threading.Thread(target=stream.hear, args=(stop,))
    reader.start()
    try:
        until(lambda: stream.last, HEARD_WITHIN)
        game = insist(tally, stop, f"{live.url}/v1/games", token, GAME, name)["id"]
        for number in range(MOVES):
            steps = legal(live.url, game, token, stop) or ["end"]
            insist(tally, stop, f"{live.url}/v1/games/{game}/moves", token, {"orders": dice.choice(steps)}, f"{name}-{number}", 10)
        until(lambda: len(stream.moved) >= len(_moves(ports, game)), HEARD_WITHIN)
    except AssertionError:
        pass  # compared below
    finally:
        stop.set()
        reader.join()
    return "" if stream.moved == _moves(ports, game) else f"{stream.moved} of {_moves(ports, game)}"


def _moves(ports: Ports, game: str) -> list[int]:
    return [stored.version for stored in ports.games.read(game) if isinstance(decode(stored.data).action, Moved)]


def announce_league(live: Live, dice: random.Random, ahead: int) -> str:
    """Announce a league with its players, which begins in a moment by a clock that is so many seconds ahead."""
    ports, id = live.ports(), f"c-{dice.getrandbits(40):x}"
    people = [register(ports, f"{id}-{number}@example.org", f"L{number}") for number in range(ENTRANTS)]
    for each in people:
        each.mail = "none"
        ports.players.save(each)
    starts = ports.clock() + (ahead + BEGINS_IN) * 1000
    clock = TimeControl(DAY, at_zero=AtZero.BOT_PLAYS)
    announce(
        ports, id, people[0].id, CompetitionPlan("Chaos League", CompetitionFormat.LEAGUE, "portobello", 2, clock, starts, every=30 * DAY)
    )
    for each in people:
        enter(ports, id, each.id)
    return id


def make_due(live: Live, id: str) -> None:
    """Have a worker look at it now."""
    live.ports().competitions.make_due(id, 0)
    live.work_queue().enqueue(id)


def unpaired(live: Live, leagues: list[str]) -> int:
    """Count the leagues that are not paired, or of whose tables one is missing."""
    ports, end = live.ports(), time.monotonic() + PAIRED_WITHIN
    while (left := [id for id in leagues if not _is_paired(ports, id)]) and time.monotonic() < end:
        for id in left:
            ports.competitions.make_due(id, 0)
        time.sleep(0.5)
    return len(left)


def _is_paired(ports: Ports, id: str) -> bool:
    """Whether everybody has one table with everybody else. A league that was cut away, or lost its players so, has nothing to pair."""
    try:
        league = competition_of(ports, id)
    except Refused:
        return True
    except RedisError:
        return False
    if league.status != CompetitionStatus.RUNNING:
        return league.status == CompetitionStatus.OVER or len(league.active) < ENTRANTS
    now = league.rounds[-1]
    meetings = {frozenset(table.players) for table in now.tables}
    everybody = {frozenset(pair) for pair in combinations(league.active, 2)}
    tables = (ports.game(league.table_id(now.number, number)) for number in range(len(now.tables)))
    return meetings == everybody and len(now.tables) == len(everybody) and all(tables)
