"""The work queue, which wakes workers by rq jobs, and the stores of one process."""

import threading
import time
from collections.abc import Sequence

from redis import Redis, RedisError
from rq.serializers import JSONSerializer

from marketpost.play.limits import Limits, read_limits
from marketpost.play.ports import Ports
from marketpost.store.connections import ANSWER_WITHIN, Absence, connect, connect_server, typed
from marketpost.store.game_index import GameIndex
from marketpost.store.game_logs import GameLogs
from marketpost.store.players import Players
from marketpost.store.rate_counters import RateCounters
from marketpost.store.settings import Settings
from workers import counters
from workers.own_job import JOBS, OwnJob, OwnQueue

MOVES, BOTS, MAIL, HOOKS = "moves", "bots", "mail", "hooks"
GAMES_WITH_WORK = {MOVES: "todo", BOTS: "todo:bots"}
"""Keys of the games with work for each queue of games. There is one queue for each kind of worker; each worker listens to one."""
ENOUGH_WAITING = 2
"""No more jobs are enqueued than this: they wake idle workers, and busy ones go on by themselves."""
JOB_TIMEOUT = 60
MOST_AT_ONCE = 16
WAIT_FOR_NEXT = 0.1
"""Seconds that a worker waits for the next game before its job ends: while many play, few jobs are needed."""
ATTEMPTS_LIVE = 3600
BEHIND_MOVES = 60.0
"""Seconds by which a game with a due clock is queued behind games with new moves; no delay where the queue is empty."""
BEHIND_PEOPLE = 2.0
"""Seconds by which a game with a bot's or a guest's move is queued behind games with moves of people."""
BEHIND_OTHER_BOTS = 600.0
"""Seconds by which bots in a game of a guest are queued behind those in games of people."""
stopping = threading.Event()
"""Set when this worker is told to stop: the running job ends early and leaves the rest to others."""

# TAKE: take half of the waiting games, oldest first, so that other workers get their share. Games whose time has come are not taken
# together with others, and games with moves of bots or guests one by one: a person's move waits for one of those at most.
# KEYS: games with work. ARGV: most games, now, the latest moment of moves of bots or guests. Result: the games.
# Atomic, so that two workers do not take the same game.
TAKE = """
local most = math.min(math.ceil(redis.call('ZCARD', KEYS[1]) / 2), tonumber(ARGV[1]))
local due = redis.call('ZCOUNT', KEYS[1], '-inf', ARGV[2])
if due > 0 then most = math.min(most, due)
elseif redis.call('ZCOUNT', KEYS[1], '-inf', ARGV[3]) > 0 then most = 1 end
local games = redis.call('ZRANGE', KEYS[1], 0, most - 1)
if #games > 0 then redis.call('ZREM', KEYS[1], unpack(games)) end
return games
"""

# COUNT_ATTEMPTS: count one more attempt to judge each move.
# KEYS: one counter for each move. ARGV: seconds for which they live. Result: for each move its attempts; 0 for one that was attempted
# before and is among others: it may have killed its worker, so it is judged alone.
# Atomic, so that two workers never count the same attempt.
COUNT_ATTEMPTS = """
local counts = {}
for number, key in ipairs(KEYS) do
  local begins = #KEYS == 1 or redis.call('EXISTS', key) == 0
  counts[number] = begins and redis.call('INCR', key) or 0
  if begins then redis.call('EXPIRE', key, ARGV[1]) end
end
return counts
"""


class WorkQueue:
    """Wakes workers by rq jobs, and lists the games with work. All of it may be lost: the sweeper enqueues the games again."""

    def __init__(self, redis: Redis) -> None:
        self.server, self.redis, self.absence = redis, typed(redis), Absence()
        self._take = self.redis.register_script(TAKE)
        self._count_attempts = self.redis.register_script(COUNT_ATTEMPTS)
        self.queues = {name: OwnQueue(name, connection=redis, serializer=JSONSerializer, job_class=OwnJob) for name in JOBS}

    def enqueue(self, game: str, behind: float = 0.0) -> None:
        """Add a game to the games with work and wake a worker. If the queue does not answer, the sweeper does it later."""
        self._enqueue([game], MOVES, behind)

    def call_bots(self, games: Sequence[str], behind: float = 0.0) -> None:
        """Wake a worker that lets bots decide in these games. Bots have their own workers, so that no person waits for them."""
        if games:
            self._enqueue(games, BOTS, behind)

    def _enqueue(self, games: Sequence[str], name: str, behind: float = 0.0) -> None:
        if self.absence.lasts():
            return
        try:
            with self.redis.pipeline(transaction=False) as pipe:
                pipe.zadd(GAMES_WITH_WORK[name], dict.fromkeys(games, time.time() + behind), lt=True)
                pipe.llen(self.queues[name].key)
                if pipe.execute()[1] < ENOUGH_WAITING:
                    self._enqueue_job(name)
        except RedisError as error:
            self.absence.note(error)

    def enqueue_behind(self, game: str) -> None:
        """Enqueue a game whose clock is due behind the moves of players: thousands of games may be due at once."""
        self.enqueue(game, BEHIND_MOVES)

    def enqueue_behind_people(self, game: str) -> None:
        """Enqueue a game in which a bot or a guest has moved behind the moves of people."""
        self.enqueue(game, BEHIND_PEOPLE)

    def wake(self, name: str = MAIL) -> None:
        """Wake a worker of this queue, unless enough jobs wait already."""
        if self.absence.lasts():
            return
        try:
            if self.redis.llen(self.queues[name].key) < ENOUGH_WAITING:
                self._enqueue_job(name)
        except RedisError as error:
            self.absence.note(error)

    def _enqueue_job(self, name: str) -> None:
        self.queues[name].enqueue_call(JOBS[name], timeout=JOB_TIMEOUT, result_ttl=0, failure_ttl=600)

    def next_games(self, name: str = MOVES) -> list[str]:
        """Take the games that have waited longest. If the worker dies, the sweeper enqueues them again."""
        most, now = MOST_AT_ONCE if name == MOVES else 1, time.time()
        return [game.decode() for game in self._take(keys=[GAMES_WITH_WORK[name]], args=[most, now, now + BEHIND_PEOPLE])]

    def next_to_come(self, name: str = MOVES) -> list[str]:
        """Wait `WAIT_FOR_NEXT` seconds for the next game; empty if none comes."""
        found = self.redis.bzpopmin(GAMES_WITH_WORK[name], WAIT_FOR_NEXT)
        return [found[1].decode()] if found else []

    def probe(self) -> None:
        """Raise if the queue does not answer or takes no writes."""
        self.redis.set("probe", 1, ex=60)

    def waiting(self, name: str = MOVES) -> int:
        """Count the games that wait for a worker."""
        return self.redis.zcard(GAMES_WITH_WORK[name])

    def oldest(self, name: str = MOVES) -> float | None:
        """Return the seconds for which the first game of a queue has waited; None if none waits."""
        first = self.redis.zrange(GAMES_WITH_WORK[name], 0, 0, withscores=True)
        return max(0.0, time.time() - first[0][1]) if first else None

    def count_attempts(self, moves: Sequence[str]) -> list[int]:
        """Count one more attempt to judge each move. Of several, one that was attempted before is left out: its number is 0."""
        return list(self._count_attempts(keys=[counters.attempts_key(move) for move in moves], args=[ATTEMPTS_LIVE]))


def make_queue(settings: Settings, *, answer_within: float = ANSWER_WITHIN) -> WorkQueue:
    """Connect to the work queue. A worker, which waits for its jobs there, needs the usual time."""
    return WorkQueue(connect_server(settings.queue_redis_url, answer_within=answer_within))


def make_ports(settings: Settings, work_queue: WorkQueue, *, answer_within: float = 10.0) -> Ports:
    """Connect to the stores and assemble the ports of a process."""
    redis = connect(settings.redis_url, answer_within=answer_within)
    limits = Limits(read_limits(settings.limits), RateCounters(work_queue.server, work_queue.absence), settings.secret_key)
    return Ports(GameLogs(redis, settings.wait_replicas), Players(redis), GameIndex(redis), work_queue.enqueue, limits=limits)
