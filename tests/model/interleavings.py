"""The scripts of the store in many threads at once, some of which die between any two commands: what each script promises holds."""

import random
import threading
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import ClassVar

import msgspec

from marketpost.store.account_streams import AccountStreams, NewEvent
from marketpost.store.auth_verdict import AuthVerdict
from marketpost.store.changes import Change, Changes, OrdersAhead, SameKeyOtherMove, Submission
from marketpost.store.channel_targets import ChannelTarget, ChannelTargets
from marketpost.store.compacted_games import CompactedGame
from marketpost.store.competition_logs import CompetitionLogs
from marketpost.store.connections import connect, connect_server
from marketpost.store.credentials import Credentials, Token
from marketpost.store.delivery_queue import EMAIL, Delivery, DeliveryQueue, DeliveryStatus
from marketpost.store.game_index import GameIndex
from marketpost.store.game_logs import GameLogs
from marketpost.store.heartbeat import SILENCE, Heartbeat
from marketpost.store.leases import LEASED
from marketpost.store.letter_counts import LetterCounts, Window
from marketpost.store.mail_queue import InboundMessage, MailQueue, MessageIdUse
from marketpost.store.players import Player, Players
from marketpost.store.rate_counters import RateCounters
from marketpost.store.redis_client import RedisClient
from tests.model.fragile import Died, moments, mortal
from workers.queue import MOVES, WorkQueue

THREADS = 8
LONGEST_LIFE = 12
NOW = 1_772_445_600_000
LATER = NOW + 3_600_000
BODIES = ("a", "b")
Act = Callable[[random.Random], None]


class Contest:
    """Threads that use the same keys. `newcomer` is one thread's own view; `check` says what holds when all have ended."""

    NAME: ClassVar[str]

    def __init__(self, redis: RedisClient, url: str) -> None:
        self.redis, self.url, self.lock, self.deaths = redis, url, threading.Lock(), 0

    def newcomer(self, redis: RedisClient) -> Act:
        raise NotImplementedError

    def check(self) -> None:
        raise NotImplementedError


def _new_or_known(rng: random.Random, known: int) -> int:
    """The number of something that somebody begins now, perhaps together with others, or that was there before."""
    return known + rng.randrange(2) if rng.random() < 0.5 else rng.randrange(known + 1)


class LogContest(Contest):
    """Moves are accepted and committed, notices delivered, and the log compacted and restored, all in one game."""

    NAME = "logs of games"
    logs: ClassVar[type[GameLogs]] = GameLogs

    def __init__(self, redis: RedisClient, url: str) -> None:
        super().__init__(redis, url)
        self.ids: dict[int, set[str]] = defaultdict(set)
        self.told: Counter[bytes] = Counter()
        self.settled: Counter[int] = Counter()
        self.taken_back: set[int] = set()
        self.compactions, self.player = 0, threading.Lock()
        self.game = f"{CompetitionLogs.PREFIX}1" if self.logs is CompetitionLogs else "g1"
        assert self.logs(redis).open(self.game, b"secret", [_entry("", 1)], "hash 1")

    def newcomer(self, redis: RedisClient) -> Act:
        games = self.logs(redis)
        acts: list[Act] = [
            lambda rng: self.accept(games, _new_or_known(rng, len(self.ids)), rng.choice(BODIES)),
            lambda rng: self.judge(games, rng.randint(1, 5)),
            lambda rng: self.judge(games, rng.randint(1, 5)),
            lambda rng: self.tell(games),
            lambda rng: self.come_to_rest(games),
            lambda rng: games.say(self.game, f"s{rng.randrange(5)}", b"hello"),
            lambda rng: self.plan_ahead(games, rng),
            lambda rng: self.settle_ahead(games),
        ]
        return lambda rng: rng.choice(acts)(rng)

    def accept(self, games: GameLogs, key: int, body: str) -> None:
        """The same key comes with one of two bodies; whichever was first stays."""
        try:
            id = games.accept(self.game, Submission("", "ann", 0, f"orders {key}", 1), f"ann {key}", body)
        except SameKeyOtherMove:
            return
        with self.lock:
            self.ids[key].add(f"{id} {body}")

    def judge(self, games: GameLogs, most: int) -> None:
        log, pending = games.read(self.game), games.pending(self.game)[:most]
        if not log:
            return
        version, changes = log[-1].version, list[Change]()
        for move in pending:
            version += not _is_refused(move.id)
            entries = [] if _is_refused(move.id) else [_entry(move.id, version)]
            changes.append(Change(entries, f"hash {version}", [f"notice {move.id}".encode()], move.id, b"{}"))
        if changes:
            games.commit_all([Changes(self.game, log[-1].version, changes, games.head(self.game))])

    def tell(self, games: GameLogs) -> None:
        """Count a notice once it has left the outbox."""
        notices = games.redis.lrange(games.key(self.game, "outbox"), 0, -1)
        games.delivered({self.game: notices})
        with self.lock:
            self.told.update(notices)
            self.told_at_once = max(self.told_at_once, len(notices))

    told_at_once = 0

    def come_to_rest(self, games: GameLogs) -> None:
        """Judge and tell what there is, and compact a log in which nothing seems to wait."""
        self.judge(games, 64)
        self.tell(games)
        self.compact(games)

    def compact(self, games: GameLogs) -> None:
        log, outcomes = games.newer(self.game, 0), games.outcomes(self.game)
        if log:
            finished = CompactedGame(tuple(each.data for each in log), outcomes)
            done = games.compact(self.game, log[-1].version, finished, len(outcomes))
            with self.lock:
                self.compactions += done

    def plan_ahead(self, games: GameLogs, rng: random.Random) -> None:
        """One player leaves orders, and takes them back at times; whoever of the player and the worker is first counts."""
        number = rng.randrange(10**9)
        with self.player:
            games.set_orders_ahead(self.game, "ann", OrdersAhead(0, 1, number, "ahead"))
            if rng.random() < 0.5 and games.delete_orders_ahead(self.game, "ann"):
                self.taken_back.add(number)

    def settle_ahead(self, games: GameLogs) -> None:
        log, orders = games.read(self.game), games.orders_ahead(self.game, "ann")
        if log and orders and games.settle_orders_ahead(self.game, "ann", orders, log[-1].version, Submission("", "ann", 0, "ahead", 1)):
            with self.lock:
                self.settled[orders.turn] += 1

    def check(self) -> None:
        games = self.logs(self.redis)
        games.restore(self.game)
        while games.pending(self.game):
            self.judge(games, 64)
        log = games.read(self.game)
        moves = [msgspec.json.decode(each.data)[1] for each in log[1:]]
        assert [each.version for each in log] == list(range(1, len(log) + 1)), "the log has a gap"
        assert [msgspec.json.decode(each.data)[0] for each in log] == [each.version for each in log]
        assert games.head(self.game) == f"hash {len(log)}", "the hash beside the log is of another entry"
        assert len(moves) == len(set(moves)), "a move is in the log twice"
        assert all(len(ids) == 1 for ids in self.ids.values()), "one idempotency key made two moves"
        accepted = {id.partition(" ")[0] for ids in self.ids.values() for id in ids}
        assert {id for id in accepted if not _is_refused(id)} <= set(moves), "an accepted move is not in the log"
        assert accepted <= games.outcomes(self.game).keys(), "an accepted move has no outcome"
        assert max(self.settled.values(), default=1) == 1, "orders ahead were played twice"
        assert not self.settled.keys() & self.taken_back, "orders ahead were played that had been taken back"
        left = Counter(self.redis.lrange(games.key(self.game, "outbox"), 0, -1))
        assert max(left.values(), default=1) == 1, "a notice is in the outbox twice"
        unknown = {f"notice {move}".encode() for move in moves} - left.keys() - self.told.keys()
        assert len(unknown) <= self.told_at_once * self.deaths, "a notice is lost"
        assert not self.redis.exists(games.key(self.game, "pending")), "something waits that nobody can judge"


def _is_refused(move: str) -> bool:
    """Whether the judges of this contest refuse a move, which adds nothing to the log."""
    return move[-1] in "0123456789"


def _entry(move: str, version: int) -> bytes:
    return msgspec.json.encode([version, move])


class CompetitionContest(LogContest):
    """The same scripts under the keys of competitions."""

    NAME = "logs of competitions"
    logs = CompetitionLogs


class DeliveryContest(Contest):
    """Notifiers enqueue the same letters, some of them held; workers lease, send, delay and close them; held ones are released."""

    NAME = "deliveries"

    def __init__(self, redis: RedisClient, url: str) -> None:
        super().__init__(redis, url)
        self.put, self.sent, self.delayed = Counter[str](), Counter[str](), Counter[str]()
        self.unsure = Counter[str]()
        """Letters that a worker had in hand when it died."""
        self.held_by: dict[str, int] = {}
        self.closed: set[str] = set()

    def newcomer(self, redis: RedisClient) -> Act:
        queue = DeliveryQueue(redis)
        acts: list[Act] = [
            lambda rng: self.enqueue(queue, _new_or_known(rng, len(self.put))),
            lambda rng: self.work(queue, rng, NOW if rng.random() < 0.8 else LATER),
            lambda rng: self.work(queue, rng, NOW),
            lambda rng: self.release(queue),
            lambda rng: self.come_late(queue, rng),
        ]
        return lambda rng: rng.choice(acts)(rng)

    def enqueue(self, queue: DeliveryQueue, number: int) -> None:
        id, held = f"letter-{number}", number % 2 == 0
        if held:
            queue.hold("g1", [id])
        if queue.put([Delivery(id, "ann", "turn", NOW, LATER if held else NOW)]):
            with self.lock:
                self.put[id] += 1

    def release(self, queue: DeliveryQueue) -> None:
        queue.release("g1", NOW)

    def come_late(self, queue: DeliveryQueue, rng: random.Random) -> None:
        """A worker that stood still for longer than its lease puts off a letter that another has sent."""
        with self.lock:
            known = sorted(self.closed)
        if known:
            queue.record_attempt(Delivery(rng.choice(known), "ann", "turn", NOW, NOW, attempts=1))

    def work(self, queue: DeliveryQueue, rng: random.Random, now: int) -> None:
        taken = queue.take(now, 3).deliveries
        me = threading.get_ident()
        with self.lock:
            for each in taken:
                assert each.id not in self.held_by, f"{each.id} is leased to two"
                assert each.id not in self.closed, f"{each.id} is closed and leased again"
                self.held_by[each.id] = me
        for each in taken:
            self.deal_with(queue, each, rng.choice(["close", "close", "delay", "back", "twice"]))

    def deal_with(self, queue: DeliveryQueue, letter: Delivery, how: str) -> None:
        with self.lock:
            self.held_by.pop(letter.id, None)
            self.unsure[letter.id] += 1
            self.sent[letter.id] += how != "back"
            self.delayed[letter.id] += how == "delay"
        if how == "back":
            queue.give_back([letter])
        elif how == "delay":
            queue.record_attempt(msgspec.structs.replace(letter, attempts=letter.attempts + 1, due=NOW))
        else:
            for _ in range(2 if how == "twice" else 1):
                queue.record_attempt(msgspec.structs.replace(letter, status=DeliveryStatus.SENT, done=NOW))
            with self.lock:
                self.closed.add(letter.id)
        with self.lock:
            self.unsure[letter.id] -= 1

    def check(self) -> None:
        queue, line = DeliveryQueue(self.redis), DeliveryQueue.line(EMAIL)
        queue.release("g1", NOW)
        for id in self.redis.zrangebyscore(line, LEASED, "+inf"):
            self.redis.zadd(line, {id: LEASED})
        self.held_by.clear()
        while left := queue.take(LATER, 10).deliveries:
            for each in left:
                assert each.id not in self.closed, f"{each.id} is closed and leased again"
                self.unsure[each.id] += 1
                self.deal_with(queue, each, "close")
                self.unsure[each.id] -= 1
        assert not queue.waiting()
        assert max(self.put.values()) == 1, "a letter was enqueued twice"
        for id, times in self.sent.items():
            assert times <= 1 + self.delayed[id] + self.unsure[id], f"{id} was sent {times} times"
        for id in self.put:
            found = queue.find(id)
            assert found
            assert found.status == DeliveryStatus.SENT


class InboundContest(Contest):
    """Servers send the same mails again and again, and workers read them."""

    NAME = "inbound mail"

    def __init__(self, redis: RedisClient, url: str) -> None:
        super().__init__(redis, url)
        self.read: Counter[str] = Counter()
        self.in_hand: set[str] = set()
        self.first: Counter[str] = Counter()
        self.received: set[str] = set()

    def newcomer(self, redis: RedisClient) -> Act:
        queue = MailQueue(redis)
        acts: list[Act] = [lambda rng: self.receive(queue, _new_or_known(rng, len(self.received))), lambda rng: self.work(queue)]
        return lambda rng: rng.choice(acts)(rng)

    def receive(self, queue: MailQueue, number: int) -> None:
        id = f"mail-{number}"
        queue.receive(InboundMessage(id, NOW, ["desk@games.test"], verdict=AuthVerdict.PASS), b"raw")
        with self.lock:
            self.received.add(id)

    def work(self, queue: MailQueue) -> None:
        for id in queue.take_unread(NOW, 2):
            with self.lock:
                assert id not in self.in_hand, f"{id} is leased to two"
                self.in_hand.add(id)
            found = queue.inbound(id)
            assert found
            use = queue.claim_message_id(f"<{int(id.partition('-')[2]) % 10}@a>", found, "text")
            queue.close_message(found)
            with self.lock:
                self.read[id] += 1
                self.first[str(int(id.partition("-")[2]) % 10)] += use is MessageIdUse.FIRST

    def check(self) -> None:
        assert max(self.read.values(), default=1) == 1, "a mail was read twice"
        assert max(self.first.values(), default=1) == 1, "two mails were the first of one Message-ID"
        line = self.redis.zrange(MailQueue.key("unread"), 0, -1)
        assert {id.decode() for id in line} | set(self.read) | self.in_hand >= self.received


class PeopleContest(Contest):
    """Addresses are claimed and freed, players changed, codes used and tokens revoked."""

    NAME = "addresses, profiles, codes, tokens"

    def __init__(self, redis: RedisClient, url: str) -> None:
        super().__init__(redis, url)
        self.added, self.users = 0, set[str]()
        self.revoked: set[str] = set()
        Players(redis).save(Player("ann", "ann@example.org", "0"))
        Credentials(redis).store_code("ann@example.org", "123456")

    def newcomer(self, redis: RedisClient) -> Act:
        players, credentials, name = Players(redis), Credentials(redis), f"thread-{threading.get_ident()}"
        acts: list[Act] = [
            lambda rng: self.claim(players, name),
            lambda rng: self.add(players),
            lambda rng: self.use_code(credentials, name),
            lambda rng: self.use_token(credentials, rng),
        ]
        return lambda rng: rng.choice(acts)(rng)

    def claim(self, players: Players, name: str) -> None:
        mine = f"{name}-{random.random()}"
        if players.claim("shared@example.org", mine) == mine:
            assert players.player_of("shared@example.org") == mine, "an address has two owners"
            players.release("shared@example.org", "somebody else")
            assert players.player_of("shared@example.org") == mine
            players.release("shared@example.org", mine)

    def add(self, players: Players) -> None:
        found = players.find("ann")
        assert found
        players.change(found, lambda now: {"name": str(int(now.name) + 1)})
        with self.lock:
            self.added += 1

    def use_code(self, credentials: Credentials, name: str) -> None:
        if credentials.use_code("ann@example.org", "123456", name):
            with self.lock:
                self.users.add(name)

    def use_token(self, credentials: Credentials, rng: random.Random) -> None:
        """One is used, and somebody takes it away meanwhile."""
        secret = f"secret-{max(0, len(self.revoked) - 2) + rng.randrange(4)}"
        token = Token(secret, "ann", ("read",), "", NOW, NOW + 10**9)
        if rng.random() < 0.15:
            credentials.drop_token(secret, "ann")
            with self.lock:
                self.revoked.add(secret)
        elif found := credentials.store_token(secret, token):
            credentials.touch_token(secret, found, NOW + rng.randrange(100) * 3_600_000)

    def check(self) -> None:
        found = Players(self.redis).find("ann")
        assert found
        assert 0 <= int(found.name) - self.added <= self.deaths, "a change was lost, or made twice"
        assert len(self.users) <= 1, "a code was used by two"
        assert not any(Credentials(self.redis).token(secret) for secret in self.revoked), "a revoked token is valid again"


class CountContest(Contest):
    """Windows, places and lists with a limit are never fuller than they may be, and an event or an outage is counted once."""

    NAME = "limits, events, outages"
    MOST = 5

    def __init__(self, redis: RedisClient, url: str) -> None:
        super().__init__(redis, url)
        self.ended, self.admitted, self.deleted, self.made = 0, set[str](), set[str](), list[ChannelTarget]()
        Heartbeat(redis).beat(NOW)

    def newcomer(self, redis: RedisClient) -> Act:
        counts, targets, streams, beats = LetterCounts(redis), ChannelTargets(redis), AccountStreams(redis), Heartbeat(redis)
        places, index = RateCounters(connect_server(self.url)), GameIndex(redis)
        acts: list[Act] = [
            lambda rng: self.admit(counts, f"letter-{rng.randrange(50)}"),
            lambda rng: self.register(targets, rng),
            lambda rng: streams.append([NewEvent("ann", f"event-{number}", b"%d" % number) for number in range(rng.randrange(100))]),
            lambda rng: self.beat(beats),
            lambda rng: self.hold(places, f"place-{rng.randrange(50)}"),
            lambda rng: self.announce(index, rng),
        ]
        return lambda rng: rng.choice(acts)(rng)

    def admit(self, counts: LetterCounts, id: str) -> None:
        if counts.admit(id, NOW, [Window("ann", 10**9, self.MOST), Window("all", 10**9, 2 * self.MOST)]) is None:
            with self.lock:
                self.admitted.add(id)

    def register(self, targets: ChannelTargets, rng: random.Random) -> None:
        """A player registers targets and deletes them; a worker that has called one late records it."""
        mine = ChannelTarget(f"target-{rng.randrange(10**9)}", "ann", "https://a.test/", "webhook", NOW)
        if targets.make(mine, self.MOST):
            with self.lock:
                self.made.append(mine)
        with self.lock:
            some = rng.choice(self.made) if self.made else mine
        if rng.random() < 0.5:
            targets.update(some)
        elif targets.delete("ann", some.id):
            with self.lock:
                self.deleted.add(some.id)

    def beat(self, beats: Heartbeat) -> None:
        ended = beats.beat(NOW + 2 * SILENCE)
        with self.lock:
            self.ended += ended

    def hold(self, places: RateCounters, id: str) -> None:
        held = places.hold("streams", "ann", id, self.MOST, 1000.0)
        assert held <= self.MOST

    def announce(self, index: GameIndex, rng: random.Random) -> None:
        """The sweeper drops what it has seen; an announcement after that stays."""
        seen = dict(index.at_work())
        if rng.random() < 0.5 and "g1" in seen:
            index.drop("g1", seen["g1"])
        else:
            index.announce("g1", NOW / 1000 + rng.randrange(10**6))

    def check(self) -> None:
        assert len(self.admitted) <= self.MOST, "a window is fuller than it may be"
        targets = {each.id for each in ChannelTargets(self.redis).of("ann")}
        assert len(targets) <= self.MOST, "a player has more targets than allowed"
        assert not targets & self.deleted, "a deleted target was written again"
        assert len(Heartbeat(self.redis).outages(0)) == 1, "one outage was recorded twice, or not"
        assert self.ended <= 1
        events = [int(each.data) for each in AccountStreams(self.redis).read("ann", "0-0", 1000)]
        assert len(events) == len(set(events)), "an event is in the stream twice"
        for key in self.redis.scan_iter("*streams*", count=1000, _type="zset"):
            assert self.redis.zcard(key) <= self.MOST, "more places are held than there are"


class WorkContest(Contest):
    """Games with work are taken by one worker each, and every attempt is counted once."""

    NAME = "the work queue"

    def __init__(self, redis: RedisClient, url: str) -> None:
        super().__init__(redis, url)
        self.queued, self.taken, self.counted = Counter[str](), Counter[str](), 0

    def newcomer(self, redis: RedisClient) -> Act:
        queue = WorkQueue(connect_server(self.url))
        acts: list[Act] = [
            lambda rng: self.enqueue(queue, f"g{rng.randrange(20)}"),
            lambda rng: self.take(queue),
            lambda rng: self.count(queue),
        ]
        return lambda rng: rng.choice(acts)(rng)

    def enqueue(self, queue: WorkQueue, game: str) -> None:
        with self.lock:
            self.queued[game] += 1
        queue.enqueue(game)

    def take(self, queue: WorkQueue) -> None:
        taken = queue.next_games(MOVES)
        with self.lock:
            self.taken.update(taken)

    def count(self, queue: WorkQueue) -> None:
        attempts = queue.count_attempts(["m1"])
        with self.lock:
            self.counted += 1
        assert attempts[0] >= 1

    def check(self) -> None:
        queue = WorkQueue(connect_server(self.url))
        while games := queue.next_games(MOVES):
            self.taken.update(games)
        assert all(self.taken[game] <= times for game, times in self.queued.items()), "a game was taken twice"
        assert 0 <= queue.count_attempts(["m1"])[0] - 1 - self.counted <= self.deaths, "an attempt was counted twice, or not"


CONTESTS: tuple[type[Contest], ...] = (
    LogContest, CompetitionContest, DeliveryContest, InboundContest, PeopleContest, CountContest, WorkContest,
)  # fmt: skip


def compete(contest: type[Contest], url: str, seed: int, rounds: int) -> Contest:
    """Let threads act so many times each, with a death now and then, and check what is left."""
    redis = connect(url)
    redis.flushdb()
    found, faults = contest(redis, url), list[Exception]()
    threads = [
        threading.Thread(target=_live, args=(found, url, random.Random(f"{seed} {number}"), rounds, faults)) for number in range(THREADS)
    ]
    with mortal():
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    if faults:
        raise faults[0]
    found.check()
    return found


def _live(contest: Contest, url: str, rng: random.Random, rounds: int, faults: list[Exception]) -> None:
    moments.pause = lambda: rng.choice((0.0, 0.0, 0.0, rng.random() / 1000))
    act = contest.newcomer(connect(url))
    for _ in range(rounds):
        if faults:
            return
        moments.left = rng.choice((0, 0, 0, rng.randint(1, LONGEST_LIFE)))
        try:
            act(rng)
        except Died:
            with contest.lock:
                contest.deaths += 1
            moments.left = 0
            act = contest.newcomer(connect(url))
        except Exception as fault:  # noqa: BLE001  told by whoever has started the threads
            faults.append(fault)
