"""Kill it while people play: `python -m tests.chaos --worker-kills 100 --redis-kills 50`. What was acknowledged must count, once.

A whole service as separate processes; players over REST, each move with a key of its own, repeated until it is acknowledged.
Workers, the API and the Redis of the games are killed with -9 at random. At the end all logs are read.
"""

import json
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import click
from redis import RedisError

from play.log import Moved, decode
from play.people import new_token, register
from play.ports import Ports
from play.submit import outcome
from tests.running.live import Live, running, until

PLAYERS = 6
GAME = {"rules": "portobello", "seats": [{"me": True}, {"me": True}]}
DECIDED_WITHIN = 30.0
UNREACHED = (URLError, OSError, ValueError, HTTPException)
UNDECIDED = f"undecided after {DECIDED_WITHIN:.0f} s"


@dataclass(slots=True)
class Tally:
    acknowledged: list[tuple[str, str]] = field(default_factory=list)
    """Game and move."""
    repeated: int = 0
    unsure: int = 0
    """Requests whose answer never came; they were sent again with the same key."""


def call(url: str, token: str, body: Any = None, **headers: str) -> Any:
    data = None if body is None else json.dumps(body).encode()
    sent = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"} | headers
    with urlopen(Request(url, data, sent), timeout=10) as answer:  # noqa: S310 our own service
        return json.load(answer)


def insist(tally: Tally, stop: threading.Event, url: str, token: str, body: Any, key: str, wait: int = 0) -> Any:
    """Until there is an answer; the key makes it the same request each time."""
    while not stop.is_set():
        try:
            return call(url, token, body, **{"Idempotency-Key": key, "Prefer": f"wait={wait}" if wait else "respond-async"})
        except HTTPError as problem:
            if problem.code < 500:
                return json.load(problem)
        except UNREACHED:
            tally.unsure += 1
        tally.repeated += 1
        time.sleep(0.1)
    return None


def play(url: str, token: str, tally: Tally, stop: threading.Event, seed: int) -> None:
    """One player at both seats of one game after the other, with any legal step."""
    dice = random.Random(seed)
    number = 0
    while not stop.is_set():
        opened = insist(tally, stop, f"{url}/v1/games", token, GAME, f"{seed}-{number}-open")
        number += 1
        if opened:
            _play_game(url, token, tally, stop, dice, opened["id"], f"{seed}-{number}")


def _play_game(url: str, token: str, tally: Tally, stop: threading.Event, dice: random.Random, game: str, name: str) -> None:
    for number in range(60):
        try:
            steps = call(f"{url}/v1/games/{game}/legal", token)["steps"]
        except UNREACHED:
            time.sleep(0.1)
            continue
        if stop.is_set():
            return
        orders = dice.choice(steps) if steps else "end"
        accepted = insist(tally, stop, f"{url}/v1/games/{game}/moves", token, {"orders": orders}, f"{name}-{number}", dice.choice([0, 5]))
        if accepted and "id" in accepted:
            tally.acknowledged.append((game, accepted["id"]))


VICTIMS = {"worker": "cli.main worker", "redis": "games.sock", "api": "cli.main api"}
"""What their command lines have in them."""


def strike(service: Live, kind: str, dice: random.Random, done: Counter[str]) -> None:
    """Kill one of that kind, or delete everything rq knows."""
    time.sleep(dice.uniform(0.3, 1.2))
    if kind == "rq keys":
        redis = service.kicks().redis
        for key in redis.scan_iter("rq:*"):
            redis.delete(key)
        done[kind] += 1
    else:
        service.kill(dice.choice(until(partial(service.pids, VICTIMS[kind]), DECIDED_WITHIN)))
        done[kind] += 1


def count(service: Live, tally: Tally, since: float) -> dict[str, Any]:
    """Read every log and say what became of what was acknowledged."""
    ports = service.ports()
    until(partial(_answers, ports), DECIDED_WITHIN)
    while (waiting := _undecided(ports, tally)) and time.monotonic() < since + DECIDED_WITHIN:
        time.sleep(0.2)
    outcomes = [outcome(ports, *each) for each in tally.acknowledged]
    applied = Counter(deed.move for game in {game for game, _ in tally.acknowledged} for deed in _moves(ports, game))
    should = {each.id for each in outcomes if each and each.version is not None}
    return {
        "acknowledged": len(tally.acknowledged),
        "applied": sum(1 for each in outcomes if each and each.status == "applied"),
        "refused": sum(1 for each in outcomes if each and each.status == "refused"),
        "lost": sum(1 for each in outcomes if each is None) + len(should - applied.keys()),
        "twice": sum(1 for times in applied.values() if times > 1),
        UNDECIDED: waiting,
        "sent again": tally.repeated,
    }


def _answers(ports: Ports) -> bool:
    try:
        return bool(ports.games.redis.ping())
    except RedisError:
        return False


def _undecided(ports: Ports, tally: Tally) -> int:
    found = (outcome(ports, *each) for each in tally.acknowledged)
    return sum(1 for each in found if each and each.status == "queued")


def _moves(ports: Any, game: str) -> Iterator[Moved]:
    for stored in ports.games.read(game):
        deed = decode(stored.data).deed
        if isinstance(deed, Moved):
            yield deed


@contextmanager
def players(service: Live, tally: Tally, seed: int) -> Iterator[None]:
    ports = service.ports()
    token, _ = new_token(ports, register(ports, "chaos@example.org", "Chaos").id, "chaos", ("read", "play"))
    stop = threading.Event()
    threads = [threading.Thread(target=play, args=(service.url, token, tally, stop, seed + number)) for number in range(PLAYERS)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join()


@click.command()
@click.option("--worker-kills", default=100, show_default=True)
@click.option("--redis-kills", default=50, show_default=True)
@click.option("--api-kills", default=10, show_default=True)
@click.option("--rq-wipes", default=3, show_default=True, help="How often everything rq knows is deleted.")
@click.option("--seed", default=None, type=int)
def chaos(worker_kills: int, redis_kills: int, api_kills: int, rq_wipes: int, seed: int | None) -> None:
    """Kill parts of a running service at random, and count."""
    seed = random.SystemRandom().randrange(10**9) if seed is None else seed
    dice, tally, done = random.Random(seed), Tally(), Counter[str]()
    kinds = ["worker"] * worker_kills + ["redis"] * redis_kills + ["api"] * api_kills + ["rq keys"] * rq_wipes
    dice.shuffle(kinds)
    with tempfile.TemporaryDirectory(prefix="marketpost-chaos-") as folder, running(Path(folder) / "data", RATE_LIMITS="off") as service:
        with players(service, tally, seed), click.progressbar(kinds, file=sys.stderr, label=f"seed {seed}") as bar:
            for kind in bar:
                strike(service, kind, dice, done)
        result = count(service, tally, time.monotonic())
    click.echo(f"seed {seed}; killed: " + ", ".join(f"{number} × {kind}" for kind, number in done.items()))
    for name, figure in result.items():
        click.echo(f"{name:>24}  {figure}")
    fine = result["applied"] and not (result["lost"] or result["twice"] or result[UNDECIDED])
    sys.exit(0 if fine else 1)


if __name__ == "__main__":
    chaos()
