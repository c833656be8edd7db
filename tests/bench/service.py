"""A move from end to end on real parts: how long it takes, and how many a second, against rq's own empty jobs."""

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from statistics import median, quantiles
from typing import Any

import click

from api.inside import inside
from play.game import Game
from play.log import SeatPlan
from play.open import open_game
from play.ports import Ports
from play.submit import outcome, store, submit
from rules.ruleset import Setting, ruleset
from store.games import Submission
from tests import games
from tests.bench.measure import STEADY
from tests.games import sealed
from tests.service import service
from workers.wiring import Kicks

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
def running() -> Iterator[Bench]:
    """Two servers and two workers, as in service."""
    with service(WORKERS) as house:
        bench = Bench(house.ports, inside(house.app).kicks, house.person("bench").id)
        _wait_for_job(bench)
        yield bench


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


def latency(bench: Bench, bar: Any) -> Latency:
    """One move at a time, at the first turns of a game and after many, each beside an empty job."""
    orders = script(LATE_TURN + 10)
    begin = next(number for number, _ in enumerate(orders) if number >= len(orders) - 20)
    found: dict[str, list[float]] = {"early": [], "late": [], "rq": [], "again": []}
    for number in range(SAMPLES // 10):
        bar.update(1)
        for name, first in (("early", 0), ("late", begin)):
            game = new_game(bench, f"{name}-{number}")
            for _, step in orders[:first]:
                _send(bench, game.id, step)
            _settled(bench, game.id)
            for _, step in orders[first : first + 10]:
                found["rq"].append(timed(partial(_wait_for_job, bench)))
                found[name].append(timed(partial(_move, bench, game.id, step)))
                found["again"].append(timed(partial(_wait_for_job, bench)))
    return Latency(**found)


def _send(bench: Bench, game: str, orders: str) -> None:
    current = bench.ports.game(game)
    assert current
    submit(bench.ports, current, bench.player, orders)
    _settled(bench, game)


def _settled(bench: Bench, game: str) -> None:
    while bench.ports.games.has_work(game):
        time.sleep(0.001)


def throughput(bench: Bench, bar: Any) -> tuple[list[float], list[float], list[float]]:
    """Moves a second when many wait at once, and rq's empty jobs a second, in turns; then the jobs again."""
    orders = script(12)
    moves, jobs, again = [], [], []
    for number in range(ROUNDS):
        bar.update(1)
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


def report() -> str:
    """Both, as a table: each figure beside rq's own, and what rq's own is against itself."""
    with running() as bench, click.progressbar(length=SAMPLES // 10 + ROUNDS, label="moving", file=sys.stderr) as bar:
        times = latency(bench, bar)
        moves, jobs, again = throughput(bench, bar)
    rq = median(times.rq)
    control, load_control = median(times.again) / rq, median(again) / median(jobs)
    rows = [
        ("rq: an empty job, enqueued to done", _times(times.rq), "", _control(control)),
        ("a move, submitted to applied, first turns", _times(times.early), f"{median(times.early) / rq:.2f}", "≤ 1.50"),
        (f"the same at turn {LATE_TURN}", _times(times.late), f"{median(times.late) / rq:.2f}", ""),
        ("the same, against the first turns", "", f"{median(times.late) / median(times.early):.2f}", "≤ 1.30"),
        ("rq: empty jobs a second", f"{median(jobs):,.0f}/s", "", _control(load_control)),
        ("moves a second under load, every one durable", f"{median(moves):,.0f}/s", f"{median(moves) / median(jobs):.2f}", "≥ 1.00"),
    ]
    head = f"the service: {WORKERS} SimpleWorkers; {SAMPLES} moves one by one, {LOAD_GAMES} games at once; wall time, ratios to rq"
    return "\n".join([head, *(f"  {what:<46} {figure:>26}  {ratio:>6}  {goal}" for what, figure, ratio, goal in rows)])


def _control(ratio: float) -> str:
    """The yardstick against itself; a run in which it strays is not to be believed."""
    steady = STEADY[0] <= ratio <= STEADY[1]
    return f"A/A {ratio:.2f}" if steady else f"A/A {ratio:.2f}, unsteady: measure again"


def _times(samples: Sequence[float]) -> str:
    return f"p50 {median(samples) * 1e3:.1f} ms, p99 {quantiles(samples, n=100)[98] * 1e3:.1f} ms"
