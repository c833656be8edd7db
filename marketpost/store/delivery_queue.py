"""Deliveries that wait or were made: one row for each notification to one target, and one queue for each channel."""

import logging
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

import msgspec

from marketpost.store.connections import Call, run_all
from marketpost.store.leases import LEASED, Leases
from marketpost.store.provider_pace import ProviderPace
from marketpost.store.redis_client import RedisClient
from marketpost.store.stored_addresses import AddressRemoval, address_pattern

DAY = 24 * 3600
EMAIL = "email"
"""The channel of letters. Its targets are the players' addresses; those of all other channels are stored as `ChannelTarget`."""
OTHERS = "others"
"""Stands for all other channels, whose deliveries to one player are one list."""
LETTER_LIVES = 90 * DAY
"""Seconds for which a closed letter stays stored."""
CALL_LIVES = 30 * DAY
"""Seconds for which a closed delivery of another channel stays stored: the history that the player sees."""


class DeliveryStatus(StrEnum):
    """What became of a delivery. The values are stored."""

    WAITING = "waiting"
    SENT = "sent"
    SUPERSEDED = "superseded"
    """Another letter has the same news, or the news was outdated when it was due."""
    NOT_WANTED = "not-wanted"
    """The player was erased, has no working address or target, or does not want such news."""
    HELD_BACK = "held-back"
    """A rate limit for letters was reached."""
    REFUSED = "refused"
    """The recipient's server refused it for good."""
    GIVEN_UP = "given-up"
    """It could not be composed, or its delivery failed for days."""


class Delivery(msgspec.Struct, omit_defaults=True):
    """One notification to one player through one channel. The id follows from the occasion, so that the same occasion is enqueued once."""

    id: str
    player: str
    letter: str
    """The kind of letter that tells this; other channels tell the same in their form."""
    at: int
    due: int
    game: str | None = None
    version: int | None = None
    seat: int | None = None
    values: dict[str, Any] = {}
    by: str | None = None
    """The player who caused it, if one did."""
    status: DeliveryStatus = DeliveryStatus.WAITING
    reason: str = ""
    attempts: int = msgspec.field(default=0, name="tries")
    failing_since: int | None = None
    """When its first attempt failed; being put off behind another letter or by a limit is no failure."""
    done: int | None = None
    channel: str = EMAIL
    target: str = ""
    """Id of the target; empty for the player's own address."""


class Leased(NamedTuple):
    """Deliveries that are leased to one worker, and how many others were taken off the queue because they cannot be decoded."""

    deliveries: list[Delivery]
    unreadable: int = 0


# PUT: enqueue a delivery.
# KEYS: the delivery, the queue of its channel, the player's deliveries. ARGV: delivery, id, when it is due, when it was written.
# Result: 1, or 0 if this id was enqueued before. Atomic, so that a notice that is delivered twice becomes one delivery.
PUT = """
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('SET', KEYS[1], ARGV[1])
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[2])
redis.call('ZADD', KEYS[3], ARGV[4], ARGV[2])
redis.call('PERSIST', KEYS[3])
return 1
"""

# CLOSE: close a delivery that was made or given up.
# KEYS: the delivery, the queue of its channel, the player's deliveries. ARGV: delivery, id, seconds for which it is still known, moment
# before which older ones leave the player's list. Result: 1, or 0 if the delivery is gone.
# Atomic. Race: the player is erased, or another worker closes the delivery, while this one makes it. An erased one is not written
# again, and a closed one stays as it is.
CLOSE = """
local out, due, of = unpack(KEYS)
local row, id, lives, old = unpack(ARGV)
if redis.call('EXISTS', out) == 0 then
  redis.call('ZREM', due, id)
  return 0
end
if not redis.call('ZSCORE', due, id) then return 1 end
redis.call('SET', out, row, 'EX', lives)
redis.call('ZREM', due, id)
redis.call('EXPIRE', of, lives)
redis.call('ZREMRANGEBYSCORE', of, '-inf', old)
return 1
"""

# PUT_OFF: make a delivery due again later.
# KEYS: the delivery, the queue of its channel. ARGV: delivery as it was read, delivery, id, when it is due.
# Result: 1, or 0 if it has changed since it was read: the caller reads it again.
# Atomic. Race: a player named in a letter is erased while a worker attempts to send it; the erased text is not written back.
PUT_OFF = """
local out, due = unpack(KEYS)
local seen, row, id, at = unpack(ARGV)
if redis.call('GET', out) ~= seen then return 0 end
if redis.call('ZSCORE', due, id) then
  redis.call('SET', out, row)
  redis.call('ZADD', due, at, id)
end
return 1
"""

# RELEASE: make held letters of a game due now.
# KEYS: their ids, the queue. ARGV: now, LEASED. Result: how many.
# Atomic. Race: a worker leases a letter whose time has come at the same moment; a leased one is left alone, else it would be sent twice.
RELEASE = """
local count = 0
for _, id in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  local due = tonumber(redis.call('ZSCORE', KEYS[2], id) or 0)
  if due > tonumber(ARGV[1]) and due < tonumber(ARGV[2]) then
    redis.call('ZADD', KEYS[2], ARGV[1], id)
    count = count + 1
  end
end
redis.call('DEL', KEYS[1])
return count
"""

log = logging.getLogger("marketpost.delivery")
_delivery = msgspec.json.Decoder(Delivery)


class DeliveryQueue:
    """Stores deliveries, and leases those that are due to workers, channel by channel: no channel waits behind another."""

    def __init__(self, redis: RedisClient) -> None:
        self.redis = redis
        self._put = redis.register_script(PUT)
        self._close = redis.register_script(CLOSE)
        self._put_off = redis.register_script(PUT_OFF)
        self._release = redis.register_script(RELEASE)
        self._leases = Leases(redis)
        self._addresses = AddressRemoval(redis)
        self.pace = ProviderPace(redis)

    @staticmethod
    def key(*parts: str) -> str:
        """Name a key. All deliveries have one hash tag: they are queued for the whole service, not by game."""
        return ":".join(("{mail}", *parts))

    @classmethod
    def line(cls, channel: str) -> str:
        """Name the queue of a channel."""
        return cls.key("due") if channel == EMAIL else cls.key("due", channel)

    def _list(self, player: str, channel: str) -> str:
        """Name the list of a player's letters, or that of their deliveries by all other channels."""
        return self.key("of" if channel == EMAIL else "calls", player)

    def _places(self, delivery: Delivery) -> list[str]:
        return [self.key("out", delivery.id), self.line(delivery.channel), self._list(delivery.player, delivery.channel)]

    def put(self, deliveries: Sequence[Delivery]) -> bool:
        """Enqueue deliveries; False if all of them were enqueued before."""
        calls: list[Call] = [(self._places(each), [msgspec.json.encode(each), each.id, each.due, each.at]) for each in deliveries]
        return any(run_all(self.redis, self._put, calls))

    def hold(self, game: str, letters: Sequence[str]) -> None:
        """Note letters that wait for something about their game; each is sent when its own time has come in any case."""
        held = self.key("awaiting", game)
        with self.redis.pipeline(transaction=True) as pipe:
            pipe.sadd(held, *letters)
            pipe.expire(held, DAY)
            pipe.execute()

    def release(self, game: str, now: int) -> bool:
        """Make the held letters of a game due now; False if there are none."""
        return bool(self._release(keys=[self.key("awaiting", game), self.line(EMAIL)], args=[now, LEASED]))

    def take(self, now: int, most: int, channel: str = EMAIL) -> Leased:
        """Lease up to `most` deliveries of a channel that are due.

        Fault: a backup may read delivery and queue at different moments. One that is closed or gone, and still queued after a restore, is
        taken off. One that cannot be decoded is taken off, too; what is stored of it stays, for the operator.
        """
        line = self.line(channel)
        leased = self._leases.take(line, now, most)
        found = {id: _readable(id, row) for id, row in self._rows(leased).items()}
        if closed := [id for id in leased if (each := found.get(id)) is None or each.status != DeliveryStatus.WAITING]:
            self.redis.zrem(line, *closed)
        unreadable = sum(1 for each in found.values() if each is None)
        return Leased([each for each in found.values() if each and each.status == DeliveryStatus.WAITING], unreadable)

    def _all(self, ids: list[str]) -> list[Delivery]:
        """Read deliveries in one request; those that are gone or cannot be decoded are left out."""
        return [delivery for id, row in self._rows(ids).items() if (delivery := _readable(id, row))]

    def _rows(self, ids: list[str]) -> dict[str, bytes]:
        found = self.redis.mget([self.key("out", id) for id in ids]) if ids else []
        return {id: row for id, row in zip(ids, found, strict=True) if row}

    def find(self, id: str) -> Delivery | None:
        """Read a delivery; None if it is unknown or too old."""
        found = self.redis.get(self.key("out", id))
        return _delivery.decode(found) if found else None

    def record_attempt(self, delivery: Delivery) -> bool:
        """Store the result of an attempt: the delivery is due again later, or closed. False if it was erased meanwhile."""
        if delivery.status == DeliveryStatus.WAITING:
            return self._delay(delivery)
        lives = LETTER_LIVES if delivery.channel == EMAIL else CALL_LIVES
        args: list[str | bytes | int | float] = [msgspec.json.encode(delivery), delivery.id, lives, delivery.at - lives * 1000]
        return bool(self._close(self._places(delivery), args))

    def give_back(self, deliveries: Iterable[Delivery]) -> None:
        """Return leased deliveries that were not begun to the queue."""
        with self.redis.pipeline(transaction=False) as pipe:
            for each in deliveries:
                pipe.zadd(self.line(each.channel), {each.id: each.due}, xx=True)
            pipe.execute()

    def discard(self, delivery: Delivery) -> None:
        """Delete a delivery that was not made, because another tells all of it."""
        out, line, listed = self._places(delivery)
        with self.redis.pipeline(transaction=True) as pipe:
            pipe.zrem(line, delivery.id)
            pipe.zrem(listed, delivery.id)
            pipe.delete(out)
            pipe.execute()

    def _delay(self, delivery: Delivery) -> bool:
        """Make a delivery due again with the values that are stored now. Race: an erasure removes a name from it while a worker attempts to
        make it; the script compares what was read, and the worker reads again."""
        out, line, _ = self._places(delivery)
        while found := self.redis.get(out):
            row = msgspec.json.encode(msgspec.structs.replace(delivery, values=_delivery.decode(found).values))
            if self._put_off(keys=[out, line], args=[found, row, delivery.id, delivery.due]):
                return True
        self.redis.zrem(line, delivery.id)
        return False

    def of(self, player: str, before: float | None = None, most: int = 50, channel: str = EMAIL) -> list[Delivery]:
        """List the deliveries to a player that were caused before a moment, newest first: letters, or those of all other channels."""
        return self.of_all([(player, before)], most, channel)[0]

    def of_all(self, asked: Sequence[tuple[str, float | None]], most: int = 50, channel: str = EMAIL) -> list[list[Delivery]]:
        """List the deliveries to each of these players, newest first, caused before the moment beside their id."""
        with self.redis.pipeline(transaction=False) as pipe:
            for player, before in asked:
                top = "+inf" if before is None else f"({before!r}"
                pipe.zrevrangebyscore(self._list(player, channel), top, "-inf", start=0, num=most)
            listed = [[id.decode() for id in ids] for ids in pipe.execute()]
        found = {each.id: each for each in self._all([*dict.fromkeys(id for ids in listed for id in ids)])}
        return [[each for id in ids if (each := found.get(id))] for ids in listed]

    def history(self, player: str, most: int) -> list[Delivery]:
        """List the newest letters and other deliveries to a player, newest first."""
        found = self.of(player, most=most) + self.of(player, most=most, channel=OTHERS)
        return sorted(found, key=lambda each: -each.at)[:most]

    def erase(self, player: str, address: str) -> None:
        """Delete all deliveries to a player, and remove their address from those to others that wait."""
        lines = [line.decode() for line in self.redis.scan_iter(self.key("due*"), count=1000)]
        for listed in (self.key("of", player), self.key("calls", player)):
            for id in self.redis.zrange(listed, 0, -1):
                self.redis.delete(self.key("out", id.decode()))
                for line in lines:
                    self.redis.zrem(line, id)
            self.redis.delete(listed)
        theirs = address_pattern(address)
        for id in (id for line in lines for id in self.redis.zrange(line, 0, -1)):
            self._addresses.remove(self.key("out", id.decode()), theirs)

    def due(self, now: int, *channels: str) -> int:
        """Count the deliveries of these channels that are due."""
        return self._leases.due(now, *map(self.line, channels)) if channels else 0

    def oldest(self, channel: str, now: int) -> int | None:
        """Return when the oldest delivery of a channel was caused that is due, leased or was tried; None if there is none.

        Those that wait for their hour, such as a digest, do not count. Reads the first thousand of the queue.
        """
        return min((each.at for each in self._first(channel) if each.due <= now or each.attempts), default=None)

    def failing_letters(self) -> list[Delivery]:
        """List the letters that have failed and wait for another attempt, first failure first. Reads the first thousand of the queue."""
        failing = ((each.failing_since, each) for each in self._first(EMAIL))
        return [each for since, each in sorted(failing, key=lambda pair: pair[0] or 0) if since is not None]

    def _first(self, channel: str) -> list[Delivery]:
        return self._all([id.decode() for id in self.redis.zrange(self.line(channel), 0, 999)])

    def waiting(self, channel: str = EMAIL) -> int:
        """Count the deliveries of a channel that wait, due or not."""
        return self.redis.zcard(self.line(channel))


def _readable(id: str, row: bytes) -> Delivery | None:
    """Decode a delivery. One that cannot be decoded is logged and left out, so that the others are still made."""
    try:
        return _delivery.decode(row)
    except msgspec.DecodeError:
        log.exception("delivery %(delivery)s cannot be decoded", {"delivery": id})
        return None
