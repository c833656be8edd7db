"""A move from end to end on real parts, against rq's own empty jobs: one at a time, many at once, among many other games."""

import os
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from multiprocessing import Pool
from multiprocessing.pool import Pool as Clients
from typing import Any

from flask import Flask

from api.http.context import inside
from marketpost.play.log.actions import SeatPlan
from marketpost.play.log.commit import enlist
from marketpost.play.log.game import Game
from marketpost.play.moves.submit import outcome, store, submit
from marketpost.play.ports import Ports
from marketpost.play.table.seating import open_game
from marketpost.rules.ruleset import Setting, ruleset
from marketpost.store.changes import Submission
from marketpost.store.connections import connect
from marketpost.store.settings import Settings
from tests import games
from tests.bench.bare_worker import bare_worker, empty_jobs
from tests.bench.measure import Case, Measured, Work, compared, measure, steady
from tests.games import sealed
from tests.service import Service, service, worker
from workers.queue import MOVES, WAIT_FOR_NEXT, WorkQueue, make_ports

ROUNDS = 7
TRIES = 3
LOAD_GAMES = 24
LATE_TURN = 30
MOVES_A_ROUND = 10
CLIENTS = 2
FEW, MANY, MOST = 10, 10_000, 100_000
PEOPLE = 10_000
AT_ONCE = 500
IDLE = 1.25
"""A move may take so many times as long as an empty job."""
Step = tuple[int, str]
"""A seat and its orders."""
EMPTY_JOB, EMPTY_JOBS = "rq: an empty job, enqueued to done", "rq: an empty job, enqueued before"


@dataclass(frozen=True, slots=True)
class Bench:
    house: Service
    ports: Ports
    work_queue: WorkQueue
    player: str
    numbers: Iterator[int] = field(default_factory=count)
    """Of the games that are opened."""


@contextmanager
def running(workers: int) -> Iterator[Bench]:
    """Two servers and some workers, as in service: on the disk."""
    with service(workers, where=None) as house, ExitStack() as bare:
        bench = Bench(house, house.ports, inside(house.app).work_queue, house.person("bench").id)
        for _ in range(workers):
            bare.enter_context(bare_worker(house.environment))
        if workers:
            _wait_for_job(bench)
        yield bench


def _one_more(bench: Bench, hands: ExitStack) -> None:
    """Start one more worker of ours, and one more for the yardstick."""
    hands.enter_context(worker(bench.house.environment))
    hands.enter_context(bare_worker(bench.house.environment))


def measured(bar: Any) -> Iterator[Measured]:
    yield from _accepting(bar)
    yield from _among_many(bar)
    with running(1) as bench, ExitStack() as hands, Pool(CLIENTS) as clients:
        yield steady(partial(_worked_off, bench, 1, bar), TRIES)
        _one_more(bench, hands)
        yield from _one_by_one(bench, bar)
        yield steady(partial(_worked_off, bench, 2, bar, goal=0.4), TRIES)
        yield steady(partial(_sent_meanwhile, bench, clients, bar), TRIES)
        for _ in range(2):
            _one_more(bench, hands)
        yield steady(partial(_worked_off, bench, 4, bar), TRIES)


# Accepting and committing, without workers.


def _accepting(bar: Any) -> Iterator[Measured]:
    with running(0) as bench:
        game, numbers, person = new_game(bench, "accepting").id, count(), bench.house.person("bench")
        hello = Flask("hello")
        hello.add_url_rule("/", "hello", lambda: "hello")
        bare = hello.test_client()

        def post() -> None:
            headers = {"Idempotency-Key": f"{next(numbers)}"}
            assert person.post(f"/v1/games/{game}/moves", {"orders": "bobby 5"}, headers=headers).status_code == 202

        yield _told(bar, Case("move accepted by the API, CPU time", post, 1, "Flask: a request for “hello”", lambda: bare.get("/"), 1, 4.0))
        yield _told(bar, Case("move committed with its outcome", _commits(bench), 1, "redis-py: XADD", _adds(bench), 1, on_the_wall=True))


def _told(bar: Any, case: Case) -> Measured:
    bar.update(1)
    return measure(case)


def _commits(bench: Bench) -> Work:
    """As a worker does it: log entry, head, notice and outcome in one step, on the disk before it returns."""
    redis_games, versions = bench.ports.games, count()
    entry, notice = os.urandom(150).hex().encode(), os.urandom(80).hex().encode()

    def commit() -> None:
        version = next(versions)
        redis_games.commit("committing", version, [entry], "0" * 64, [notice], f"{version:012x}", notice)

    return commit


def _adds(bench: Bench) -> Work:
    redis, entry = bench.ports.games.redis, os.urandom(150).hex()
    return lambda: redis.xadd("bare", {"e": entry})


# One move at a time, accepted and decided in this process, beside the same in the first turn of one of a few games.


def _among_many(bar: Any) -> Iterator[Measured]:
    """Nothing that a move costs may grow with what else there is, nor with the length of its own game."""
    whole = script(10_000)
    with running(0) as few, running(0) as many:
        _fill(few, FEW)
        early = whole[:MOVES_A_ROUND]
        yield steady(partial(_beside, few, few, "at the last turn", whole[:-MOVES_A_ROUND], whole[-MOVES_A_ROUND:], bar), TRIES)
        for number in range(PEOPLE):
            many.house.person(f"other-{number}")
        yield steady(partial(_beside, few, many, f"with {PEOPLE:,} other players", [], early, bar), TRIES)
        _fill(many, MOST)
        yield steady(partial(_beside, few, many, f"with {MOST:,} other games", [], early, bar), TRIES)


def _beside(few: Bench, other: Bench, what: str, before: Sequence[Step], orders: Sequence[Step], bar: Any) -> Measured:
    rounds, early = [], script(MOVES_A_ROUND)[:MOVES_A_ROUND]
    for _ in range(ROUNDS):
        bar.update(1)
        first, game, again = new_game(few, "first").id, new_game(other, "beside").id, new_game(few, "again").id
        _played(other, game, before)
        rounds.append((_spent(few, first, early), _spent(other, game, orders), _spent(few, again, early)))
    against = f"one in the first turns, {FEW} games"
    what = f"move accepted and decided {what}, CPU time with both Redis"
    return compared(Case(what, _nothing, len(orders), against, _nothing, len(early), 1.3), rounds)


def _spent(bench: Bench, game: str, steps: Sequence[Step]) -> float:
    """Seconds of CPU time in this process and in both servers."""
    before = _cpu(bench)
    _played(bench, game, steps)
    return _cpu(bench) - before


def _cpu(bench: Bench) -> float:
    told = [redis.info("cpu") for redis in (bench.ports.games.redis, bench.work_queue.redis)]
    return time.process_time() + sum(float(each[name]) for each in told for name in ("used_cpu_user", "used_cpu_sys"))


def _played(bench: Bench, game: str, steps: Sequence[Step]) -> None:
    for step in steps:
        _submit_blind(bench.ports, bench.player, game, step)
        games.decide(bench.ports, [game], games.deciding())


# One move at a time, each beside an empty job.


def _one_by_one(bench: Bench, bar: Any) -> Iterator[Measured]:
    """At the first turns of a game and after many; then again among thousands of other games."""
    orders = script(LATE_TURN + 10)
    early, late = orders[:MOVES_A_ROUND], orders[-2 * MOVES_A_ROUND : -MOVES_A_ROUND]
    _fill(bench, FEW)
    yield steady(partial(_latency, bench, f"move submitted to applied, {FEW} games", IDLE, [], early, bar), TRIES)
    yield steady(partial(_latency, bench, f"the same at turn {LATE_TURN}", IDLE, orders[: -2 * MOVES_A_ROUND], late, bar), TRIES)
    _fill(bench, MANY)
    yield steady(partial(_latency, bench, f"the same with {MANY:,} other games", IDLE, [], early, bar), TRIES)


def _latency(bench: Bench, what: str, goal: float, before: Sequence[Step], orders: Sequence[Step], bar: Any) -> Measured:
    rounds = []
    for _ in range(ROUNDS):
        bar.update(1)
        game = new_game(bench, "alone")
        for step in before:
            _submit_blind(bench.ports, bench.player, game.id, step)
        _settled(bench, game.id)
        for step in orders:
            rounds.append((_job(bench), timed(partial(_move, bench, game.id, step[1])), _job(bench)))
    return compared(Case(what, _nothing, 1, EMPTY_JOB, _nothing, 1, goal), rounds)


def _job(bench: Bench) -> float:
    _until_nobody_lingers(bench)
    return timed(partial(_wait_for_job, bench))


def _until_nobody_lingers(bench: Bench) -> None:
    """After a move a worker waits a moment for the next before it takes a job again, also in jobs that were left over: not rq's fault."""
    while len(bench.work_queue.queues[MOVES]):
        time.sleep(WAIT_FOR_NEXT / 10)
    time.sleep(2 * WAIT_FOR_NEXT)


def _move(bench: Bench, game: str, orders: str) -> None:
    current = bench.ports.game(game)
    assert current
    move = submit(bench.ports, current, bench.player, orders)
    while (decided := outcome(bench.ports, game, move)) is None or decided.status == "queued":
        time.sleep(0.0002)
    assert decided.status == "applied", decided


def _fill(bench: Bench, games: int) -> None:
    """So many games in the store: one that was played a little, copied with its place on every list."""
    first = new_game(bench, "model")
    _played(bench, first.id, script(4))
    model, redis = bench.ports.game(first.id), bench.ports.games.redis
    assert model
    kept = {key.decode(): redis.dump(key) for key in redis.scan_iter(bench.ports.games.key(first.id, "*"), count=10_000)}
    for start in range(0, games, AT_ONCE):
        with redis.pipeline(transaction=False) as pipe:
            for number in range(start, min(start + AT_ONCE, games)):
                for key, data in kept.items():
                    pipe.restore(key.replace(first.id, f"other-{games}-{number}"), 0, data)
            pipe.execute()
    for number in range(games):
        model.id = f"other-{games}-{number}"
        enlist(bench.ports, model)


# Many at once.


def _worked_off(bench: Bench, workers: int, bar: Any, goal: float | None = None) -> Measured:
    """Both stored before, and then timed until the last is done."""
    orders, rounds = script(6), []
    moves = LOAD_GAMES * len(orders)
    for _ in range(ROUNDS):
        bar.update(1)
        rounds.append((empty_jobs_done(bench, moves), stored_moves(bench, orders), empty_jobs_done(bench, moves)))
    named = f"{workers} worker{'s' * (workers > 1)}"
    return compared(Case(f"waiting move worked off, {named}", _nothing, moves, f"{EMPTY_JOBS}, {named}", _nothing, moves, goal), rounds)


def stored_moves(bench: Bench, orders: Sequence[Step]) -> float:
    """Every game is played by its own two players, who do not wait for each other's mail to arrive."""
    ids, began = [new_game(bench, "stored").id for _ in range(LOAD_GAMES)], set[int]()
    for id in ids:
        _settled(bench, id)
        began.add(bench.ports.game(id).version)
        for step in orders:
            bench.ports.games.accept(id, _submission(bench.ports, bench.player, *step), "", "")

    def work_off() -> None:
        for id in ids:
            bench.work_queue.enqueue(id)
        for id in ids:
            _settled(bench, id)

    taken = timed(work_off)
    assert {bench.ports.game(id).version for id in ids} == {version + len(orders) for version in began}
    return taken


def _sent_meanwhile(bench: Bench, clients: Clients, bar: Any) -> Measured:
    """From the first request to the last move applied: at every table somebody sends one move after the other, as soon as the one
    before is accepted. The processes that do so take their share of the cores."""
    orders, rounds = script(6), []
    moves = LOAD_GAMES * len(orders)
    for _ in range(ROUNDS + 1):
        bar.update(1)
        ids = [new_game(bench, "meanwhile").id for _ in range(LOAD_GAMES)]
        tasks = [(bench.house.environment, bench.player, ids[share::CLIENTS], orders) for share in range(CLIENTS)]
        before = empty_jobs_done(bench, moves)
        began = time.perf_counter()
        clients.starmap(_send_all, tasks, chunksize=1)
        for id in ids:
            _settled(bench, id)
        rounds.append((before, time.perf_counter() - began, empty_jobs_done(bench, moves)))
    what = f"move sent at {LOAD_GAMES} tables at once and applied, 2 workers"
    case = Case(what, _nothing, moves, f"{EMPTY_JOBS}, 2 workers", _nothing, moves, 1 / 6)
    return compared(case, rounds[1:])  # in the first the clients had yet to load everything


_ports: dict[str, Ports] = {}
"""Of a client's process."""


def _send_all(environment: dict[str, str], player: str, ids: Sequence[str], orders: Sequence[Step]) -> None:
    settings = Settings.read(environment)
    ports = _ports.get(settings.redis_url) or make_ports(settings, WorkQueue(connect(settings.queue_redis_url)))
    _ports[settings.redis_url] = ports

    def send(id: str) -> None:
        for step in orders:
            _submit_blind(ports, player, id, step)

    with ThreadPoolExecutor(len(ids)) as tables:
        list(tables.map(send, ids))


def empty_jobs_done(bench: Bench, number: int) -> float:
    """rq's empty jobs: written and enqueued in one go, and timed from then until the last is done."""
    _until_nobody_lingers(bench)
    queue = empty_jobs(bench.work_queue.server)
    with bench.work_queue.redis.pipeline() as pipe:
        jobs = queue.enqueue_many([queue.prepare_data("builtins.int", (1,), result_ttl=60, timeout=60) for _ in range(number)], pipe)
        began = time.perf_counter()
        pipe.execute()
    while len(queue) or any(bench.work_queue.redis.hget(f"rq:job:{job.id}", "status") != b"finished" for job in jobs[-4:]):
        time.sleep(0.002)
    return time.perf_counter() - began


def _wait_for_job(bench: Bench) -> None:
    """rq's own empty job, from enqueueing to its result."""
    job = empty_jobs(bench.work_queue.server).enqueue_call("builtins.int", args=(1,), result_ttl=60, timeout=60)
    while bench.work_queue.redis.hget(f"rq:job:{job.id}", "status") != b"finished":
        time.sleep(0.0002)


def script(turns: int) -> list[Step]:
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
    return open_game(bench.ports, f"{name}-{next(bench.numbers)}", bench.player, "portobello", seats, {})


def _submit_blind(ports: Ports, player: str, game: str, step: Step) -> None:
    store(ports, game, _submission(ports, player, *step), "", "")


def _submission(ports: Ports, player: str, seat: int, orders: str) -> Submission:
    return Submission("", player, seat, orders, ports.clock())


def _settled(bench: Bench, game: str) -> None:
    while bench.ports.games.has_work(game):
        time.sleep(0.001)


def timed(action: Work) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def _nothing() -> None:
    """Timed elsewhere."""
