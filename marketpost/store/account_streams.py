"""Event streams of accounts, for players' programs: the newest events in order, written only while somebody reads them."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from redis import RedisError

from marketpost.store.connections import Call, run_all
from marketpost.store.redis_client import RedisClient

MOST_EVENTS = 200
"""Events that are kept for each player."""
FOLLOWED_FOR = 7 * 24 * 3600
"""Seconds after the last connection in which events are written for a player."""
CHANNEL = "account-events"
"""Names of players for whom an event was written: it wakes the processes that stream to them."""
BEGINNING = "0-0"
PARTS = ("events", "seen", "followed")

# APPEND: append an event to the stream of a player.
# KEYS: events, seen. ARGV: id of the notice, its data, most events, seconds until both keys expire, channel, player.
# Result: 1, or 0 if this notice is in the stream. Atomic. Fault: a worker dies after it has written an event and before its notice is
# removed from the outbox; the notice comes again, and its id is found among those seen.
APPEND = """
local events, seen = unpack(KEYS)
if redis.call('ZADD', seen, 'NX', redis.call('TIME')[1], ARGV[1]) == 0 then return 0 end
redis.call('XADD', events, 'MAXLEN', ARGV[3], '*', 'event', ARGV[2])
redis.call('ZREMRANGEBYRANK', seen, 0, -2 * ARGV[3] - 1)
redis.call('EXPIRE', events, ARGV[4])
redis.call('EXPIRE', seen, ARGV[4])
redis.call('PUBLISH', ARGV[5], ARGV[6])
return 1
"""


class StreamedEvent(NamedTuple):
    """An event with its place in the stream."""

    id: str
    data: bytes


class NewEvent(NamedTuple):
    """An event to append to the stream of a player; the same id is written once."""

    player: str
    id: str
    data: bytes


class AccountStreams:
    """Reads and writes the event streams of players."""

    def __init__(self, redis: RedisClient) -> None:
        self.redis = redis
        self._append = redis.register_script(APPEND)

    @staticmethod
    def key(player: str, part: str) -> str:
        """Name the Redis key of one part of a player's stream."""
        return f"account:{{{player}}}:{part}"

    def follow(self, player: str) -> None:
        """Have events written for this player from now on, for `FOLLOWED_FOR`."""
        self.redis.set(self.key(player, "followed"), 1, ex=FOLLOWED_FOR)

    def followed(self, players: Sequence[str]) -> set[str]:
        """Find those of these players for whom events are written."""
        with self.redis.pipeline(transaction=False) as pipe:
            for player in players:
                pipe.exists(self.key(player, "followed"))
            return {player for player, known in zip(players, pipe.execute(), strict=True) if known}

    def append(self, events: Sequence[NewEvent]) -> None:
        """Append events, each once, in this order, and wake their readers."""
        calls: list[Call] = [
            (
                [self.key(each.player, "events"), self.key(each.player, "seen")],
                [each.id, each.data, MOST_EVENTS, FOLLOWED_FOR, CHANNEL, each.player],
            )
            for each in events
        ]
        if calls:
            run_all(self.redis, self._append, calls)

    def read(self, player: str, after: str, most: int) -> list[StreamedEvent]:
        """Read the events after an id."""
        found = self.redis.xrange(self.key(player, "events"), min=f"({after}", count=most)
        return [StreamedEvent(id.decode(), fields[b"event"]) for id, fields in found]

    def newest(self, player: str) -> str:
        """Read the id of the newest event; `BEGINNING` if there is none."""
        found = self.redis.xrevrange(self.key(player, "events"), count=1)
        return found[0][0].decode() if found else BEGINNING

    def has_lost(self, player: str, after: str) -> bool:
        """Whether events after this id may be gone: it is not in the stream any more, or the stream is full and all of it was asked for."""
        if after == BEGINNING:
            return len(self.read(player, after, MOST_EVENTS)) == MOST_EVENTS
        return not self.redis.xrange(self.key(player, "events"), min=after, max=after)

    def wakeups(self) -> Iterator[str]:
        """Yield the names of players for whom there is an event; empty when the connection was made, or lost and made again.

        Fault: what is published while there is no connection is lost. After an empty name every reader must look at its stream.
        """
        while True:
            try:
                with self.redis.pubsub(ignore_subscribe_messages=True) as channel:
                    channel.subscribe(CHANNEL)
                    yield ""
                    while True:
                        message = channel.get_message(timeout=10.0)
                        if message:
                            yield message["data"].decode()
            except RedisError:
                yield ""

    def erase(self, player: str) -> None:
        """Delete the stream of a player."""
        self.redis.delete(*(self.key(player, part) for part in PARTS))
