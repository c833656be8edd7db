"""One run of the soak, looked at as the model wants it: what each thing costs, and how much of each there was."""

import math
import random
import resource
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import fmean

from marketpost.play.log.actions import AnyAction, Moved
from marketpost.play.log.entries import decode
from marketpost.play.ports import Ports
from marketpost.store.delivery_queue import EMAIL, DeliveryQueue
from marketpost.store.redis_client import RedisClient
from tests.capacity.model import DAY, SHORTER, Costs
from tests.mail.servers import free_port
from tests.running.live import Live, running, until
from tests.soak.__main__ import DECIDED_WITHIN, is_quiet, let_pass, set_tables, weigh
from tests.soak.players import Seen, at_the_tables, correspondents, letterbox
from tests.soak.streams import Crowd, Listener, accounts, one_api
from tests.soak.watch import EVERY, PLAYERS, Watched, watching
from workers import counters

OF_MOVES = ("api", "worker", "bot worker", "redis: games", "redis: queue")
"""Processes whose time is told by the move."""
OF_LETTERS = ("mail worker", "mail door")
STREAMS = 300
BY_MAIL = 10
"""In one of so many games somebody plays by mail."""
OPENED_WITHIN = 180.0
"""Seconds in which the letters about the beginning of all games are sent."""
WARM = 10.0
"""Seconds of rest, in which idle processes are watched, and of play before it is watched: what is loaded once is not counted."""


@dataclass(frozen=True, slots=True)
class Run:
    """What there was in a run, and what it cost in all."""

    games: int
    seconds: float
    moves: int
    letters: int
    mails: int
    running: int
    entries: int
    """Entries of running games since they were opened."""
    keys: int
    cpu: dict[str, float]
    """Seconds of CPU time of each kind of process while people played."""
    game_bytes: float
    """Of all running games."""
    search: float
    costs: Costs
    """Worked out from this run alone."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """Both runs, and when and where they were made."""

    circumstances: str
    small: Run
    large: Run


def measure(games: int, minutes: float, seed: int) -> Run:
    """Open so many games, let people play them for a while, and look at the service from outside."""
    seen, door, street = Seen(), free_port(), free_port()
    where = {"LIMITS": "off", "SMTP_URL": f"smtp://127.0.0.1:{street}", "MAIL_LISTEN": f"127.0.0.1:{door}"}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="marketpost-capacity-")))
        box = stack.enter_context(letterbox(street))
        live = stack.enter_context(running(folder / "data", **where))
        ports = live.ports()
        empty = _used(ports.games.redis)
        with watching(live) as idle:
            let_pass(WARM, seed)
        with correspondents(box, door, seen, seed):
            with watching(live) as opening:
                tables = set_tables(live, ports, games, seen, BY_MAIL)
            until(lambda: not DeliveryQueue(ports.games.redis).due(ports.clock(), EMAIL), OPENED_WITHIN)
            fresh = State(_weights(ports.games.redis), _logs(ports), _letters(live), len(seen.mails))
            with at_the_tables(live.url, tables, seen, seed):
                let_pass(WARM, seed)
                before = _letters(live)
                with watching(live) as playing:
                    let_pass(minutes * 60, seed)
                letters = _letters(live) - before
        until(partial(is_quiet, live), DECIDED_WITHIN)
        return _weighed(live, folder, seen, Watch(idle, opening, playing), fresh, letters, empty, box.sizes, seed)


@dataclass(frozen=True, slots=True)
class State:
    """What is stored at one moment, and what was sent and read until then."""

    weights: Sequence[tuple[str, int, float]]
    logs: dict[str, list[AnyAction]]
    letters: int
    mails: int

    @property
    def entries(self) -> int:
        return sum(map(len, self.logs.values()))

    @property
    def games(self) -> Counter[str]:
        """Bytes of each game."""
        found = Counter[str]()
        for key, size, _ in self.weights:
            if key.startswith("game:"):
                found[key[6:].partition("}")[0]] += size
        return found

    def moves(self, game: str) -> int:
        return sum(isinstance(each, Moved) for each in self.logs[game])

    def letter_days(self, longest: float = math.inf) -> float:
        """Bytes of all mail times the days for which they stay, if nothing stays for longer than some seconds."""
        return sum(size * min(left, longest) / DAY for key, size, left in self.weights if key.startswith("{mail}") and left > 0)


@dataclass(frozen=True, slots=True)
class Watch:
    """The service at rest, while games are opened, and while they are played."""

    idle: Watched
    opening: Watched
    playing: Watched

    def spent(self, watched: Watched) -> dict[str, float]:
        """Seconds of CPU time by kind of process, without what it needs at rest."""
        lasted, rested = (each.at[-1] - each.at[0] if each.at else 0.0 for each in (watched, self.idle))
        rest = _by_kind(self.idle)
        return {name: max(0.0, seconds - rest.get(name, 0.0) * lasted / max(rested, EVERY)) for name, seconds in _by_kind(watched).items()}


def _letters(live: Live) -> int:
    """Letters that were delivered so far."""
    delivered = counters.read(live.work_queue().redis).deliveries
    return sum(number for (channel, _, outcome), number in delivered.items() if (channel, outcome) == (EMAIL, "delivered"))


def _logs(ports: Ports) -> dict[str, list[AnyAction]]:
    return {id: [decode(each.data).action for each in ports.games.read(id)] for id in ports.games.all_games()}


def _weighed(
    live: Live, folder: Path, seen: Seen, watch: Watch, fresh: State, letters: int, empty: int, sizes: list[int], seed: int
) -> Run:
    """Compare what is stored at the end with what was there when all games were open and nobody had moved."""
    ports = live.ports()
    redis = ports.games.redis
    used = _used(redis) - empty
    last = State(_weights(redis), _logs(ports), _letters(live), len(seen.mails))
    over = set(seen.over)
    going = [id for id in last.logs if id not in over]
    bytes_then, bytes_now = fresh.games, last.games
    later = sum(len(last.logs[id]) - len(fresh.logs[id]) for id in going)
    new_letters = max(1, last.letters - fresh.letters)
    moves = max(1, watch.playing.applied[-1] - watch.playing.applied[0])
    cpu = watch.spent(watch.playing)
    searched, keys = _search(ports), len(last.weights)
    before = _used(redis)
    tokens = accounts(ports, STREAMS)
    account = (_used(redis) - before) / STREAMS
    stream = _stream(live, tokens)
    costs = Costs(
        move={name: cpu.get(name, 0.0) / moves for name in OF_MOVES},
        letter={name: cpu.get(name, 0.0) / max(1, letters) for name in OF_LETTERS},
        opening=sum(watch.spent(watch.opening).values()) / len(fresh.logs),
        entries=(last.entries - fresh.entries) / max(1, sum(map(last.moves, last.logs))),
        moves=fmean(map(last.moves, over)) if over else 0.0,
        game=fmean(bytes_then.values()),
        entry=sum(bytes_now[id] - bytes_then[id] for id in going) / max(1, later),
        finished=weigh(ports, seen, folder, random.Random(seed)).later,
        letters=new_letters / max(1, last.mails - fresh.mails),
        letter_days=(last.letter_days() - fresh.letter_days()) / new_letters,
        letter_days_shorter=(last.letter_days(SHORTER * DAY) - fresh.letter_days(SHORTER * DAY)) / new_letters,
        letter_size=fmean(sizes) if sizes else 0.0,
        account=account,
        stream=stream,
        keys=sum(key.startswith("game:") for key, *_ in last.weights) / len(last.logs),
        search=searched / keys,
        overhead=used / sum(size for _, size, _ in last.weights),
    )
    lasted = watch.playing.at[-1] - watch.playing.at[0]
    in_all = sum(bytes_now[id] for id in going)
    return Run(len(fresh.logs), lasted, moves, letters, len(seen.mails), len(going), later, keys, cpu, in_all, searched, costs)


def _by_kind(watched: Watched) -> dict[str, float]:
    """Seconds of CPU time by kind of process, without the players."""
    found = Counter[str]()
    for name, seconds in watched.computed.items():
        if name != PLAYERS:
            found[name.rstrip(" 0123456789")] += seconds[-1] - seconds[0]
    return dict(found)


def _used(redis: RedisClient) -> int:
    return int(redis.info("memory")["used_memory"])


def _weights(redis: RedisClient) -> list[tuple[str, int, float]]:
    """Every key with its bytes and the seconds it still has; -1 for one that stays."""
    keys, found = redis.scan_iter(count=1000), list[tuple[str, int, float]]()
    while some := list(islice(keys, 1000)):
        found += _some_weights(redis, some)
    return found


def _some_weights(redis: RedisClient, keys: Sequence[bytes]) -> list[tuple[str, int, float]]:
    with redis.pipeline(transaction=False) as pipe:
        for key in keys:
            pipe.memory_usage(key, samples=0)
            pipe.ttl(key)
        found = pipe.execute()
    return [(key.decode(), int(found[2 * n] or 0), float(found[2 * n + 1])) for n, key in enumerate(keys)]


def _search(ports: Ports) -> float:
    """Seconds that a search of all keys takes, as the sweeper does it; the best of three."""
    times = []
    for _ in range(3):
        began = time.perf_counter()
        ports.games.unfinished()
        times.append(time.perf_counter() - began)
    return min(times)


def _stream(live: Live, tokens: Sequence[str]) -> float:
    """Bytes that an API process needs for each open page."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    few = len(tokens) // 3
    with one_api(live) as api:
        warm = Crowd(api.url, [Listener(token) for token in tokens[:few]])
        warm.begin()
        until(lambda: warm.opened() == len(warm.listeners), 120.0)
        small = api.memory()
        crowd = Crowd(api.url, [Listener(token) for token in tokens[few:]])
        crowd.begin()
        until(lambda: crowd.opened() == len(crowd.listeners), 120.0)
        return max(0.0, (api.memory() - small) * 2**20 / len(crowd.listeners))
