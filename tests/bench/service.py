"""A move from end to end on real parts: how long it takes, and how many a second, against rq's own empty jobs."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles

from play.game import Game
from play.log import SeatPlan
from play.open import open_game
from play.people import register
from play.ports import Ports
from play.submit import outcome, store, submit
from rules.ruleset import Setting, ruleset
from store.connect import connect
from store.games import Submission
from store.settings import Settings
from tests import games
from tests.games import sealed
from tests.redis import games_redis, queue_redis
from workers.wiring import Kicks, make_ports

WORKERS = 2
SAMPLES = 120
ROUNDS = 7
LOAD_GAMES = 24
LATE_TURN = 30


@dataclass(frozen=True, slots=True)
class Bench:
    ports: Ports
    kicks: Kicks
    player: str


@contextmanager
def service() -> Iterator[Bench]:
    """Two servers and two workers, as in service."""
    with ExitStack() as stack:
        data = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        stack.enter_context(games_redis(data))
        stack.enter_context(queue_redis(data))
        environment = os.environ | {"DATA_DIR": str(data)}
        for name in ("REDIS_URL", "QUEUE_REDIS_URL"):
            environment.pop(name, None)
        for _ in range(WORKERS):
            stack.enter_context(_worker(environment))
        settings = Settings.read(environment)
        kicks = Kicks(connect(settings.queue_redis_url))
        ports = make_ports(settings, kicks)
        bench = Bench(ports, kicks, register(ports, "bench@example.org", "Bench").id)
        _wait_for_job(bench)
        yield bench


@contextmanager
def _worker(environment: dict[str, str]) -> Iterator[None]:
    command = [sys.executable, "-c", "from workers.run import work; work()"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            yield
        finally:
            process.kill()


def _empty_job(bench: Bench) -> str:
    job = bench.kicks.queue.enqueue_call("builtins.int", args=(1,), result_ttl=60, timeout=60)
    return str(job.id)


def _wait_for_job(bench: Bench) -> None:
    """rq's own empty job, from enqueueing to its result."""
    key = f"rq:job:{_empty_job(bench)}"
    while bench.kicks.redis.hget(key, "status") != b"finished":
        time.sleep(0.0002)


def script(turns: int) -> list[tuple[int, str]]:
    """Orders for two players that need no chance, so that they are legal in every game alike."""
    rules, chance = ruleset("portobello"), sealed(1)
    state, _ = games.open_game(rules, Setting(rules.colours[:2], rules.boards()[0]), chance)
    orders = []
    while not rules.winners(state) and state.turn <= turns:
        seat = rules.deciders(state)[0]
        legal = [each for each in rules.legal(state, seat) if not each.startswith("customer")]
        step = chance.pick([each for each in legal if not each.startswith("bobby")] or legal)
        verdict = rules.judge(state, seat, step, chance)
        for event in verdict.events:
            event.apply(state)
        orders.append((seat, step))
    return orders


def new_game(bench: Bench, name: str) -> Game:
    seats = [SeatPlan(player=bench.player), SeatPlan(player=bench.player)]
    return open_game(bench.ports, name, bench.player, "portobello", seats, {})


def _move(bench: Bench, game: str, orders: str) -> None:
    current = bench.ports.game(game)
    assert current
    move = submit(bench.ports, current, bench.player, orders)
    while (decided := outcome(bench.ports, game, move)) is None or decided.status == "queued":
        time.sleep(0.0002)
    assert decided.status == "applied", decided


def timed(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


@dataclass(frozen=True, slots=True)
class Latency:
    early: Sequence[float]
    late: Sequence[float]
    rq: Sequence[float]
    again: Sequence[float]
    """The yardstick against itself."""


def latency(bench: Bench, progress: Callable[[Sequence[int]], Sequence[int]]) -> Latency:
    """One move at a time, at the first turns of a game and after many, each beside an empty job."""
    orders = script(LATE_TURN + 10)
    begin = next(number for number, _ in enumerate(orders) if number >= len(orders) - 20)
    found: dict[str, list[float]] = {"early": [], "late": [], "rq": [], "again": []}
    for number in progress(range(SAMPLES // 10)):
        for name, first in (("early", 0), ("late", begin)):
            game = new_game(bench, f"{name}-{number}")
            for _, step in orders[:first]:
                _send(bench, game.id, step)
            _settled(bench, game.id)
            for _, step in orders[first : first + 10]:
                found["rq"].append(timed(lambda: _wait_for_job(bench)))
                found[name].append(timed(lambda game=game, step=step: _move(bench, game.id, step)))  # type: ignore[misc]
                found["again"].append(timed(lambda: _wait_for_job(bench)))
    return Latency(**found)


def _send(bench: Bench, game: str, orders: str) -> None:
    current = bench.ports.game(game)
    assert current
    submit(bench.ports, current, bench.player, orders)
    _settled(bench, game)


def _settled(bench: Bench, game: str) -> None:
    while bench.ports.games.has_work(game):
        time.sleep(0.001)


def throughput(bench: Bench, progress: Callable[[Sequence[int]], Sequence[int]]) -> tuple[list[float], list[float], list[float]]:
    """Moves a second when many wait at once, and rq's empty jobs a second, in turns; then the jobs again."""
    orders = script(12)
    moves, jobs, again = [], [], []
    for number in progress(range(ROUNDS)):
        jobs.append(_jobs_a_second(bench, LOAD_GAMES * len(orders)))
        moves.append(_moves_a_second(bench, number, orders))
        again.append(_jobs_a_second(bench, LOAD_GAMES * len(orders)))
    return moves, jobs, again


def _moves_a_second(bench: Bench, number: int, orders: Sequence[tuple[int, str]]) -> float:
    """Every game is played by its own two players, who do not wait for each other's mail to arrive."""
    ids = [new_game(bench, f"load-{number}-{each}").id for each in range(LOAD_GAMES)]
    start = time.perf_counter()
    for seat, step in orders:
        for id in ids:
            _submit_blind(bench, id, seat, step)
    for id in ids:
        _settled(bench, id)
    taken = time.perf_counter() - start
    versions = {len(bench.ports.games.read(id)) for id in ids}
    assert versions == {2 + len(orders)}, versions
    return len(ids) * len(orders) / taken


def _submit_blind(bench: Bench, game: str, seat: int, orders: str) -> None:
    submission = Submission(os.urandom(12).hex(), bench.player, seat, orders, bench.ports.clock())
    store(bench.ports, game, submission, "", "")


def _jobs_a_second(bench: Bench, count: int) -> float:
    start = time.perf_counter()
    last = [_empty_job(bench) for _ in range(count)][-WORKERS:]
    while any(bench.kicks.redis.hget(f"rq:job:{job}", "status") != b"finished" for job in last) or len(bench.kicks.queue):
        time.sleep(0.002)
    return count / (time.perf_counter() - start)


def p50(samples: Sequence[float]) -> float:
    return median(samples)


def p99(samples: Sequence[float]) -> float:
    return quantiles(samples, n=100)[98]
