"""Copies of keys as plain values, for backups and archives: they can be written to any server. The keys of a game are read atomically."""

from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from typing import Any

import msgspec

from marketpost.store.compacted_games import compress_bytes, expand_bytes
from marketpost.store.delivery_queue import Delivery, DeliveryQueue, DeliveryStatus
from marketpost.store.game_logs import PARTS
from marketpost.store.packed_entries import unpack
from marketpost.store.redis_client import RedisClient, RedisPipeline

AT_ONCE = 200
NOT_COPIED = (b"rq:", b"todo", b"tried:", b"probe", b"LIMITS:", b"account:")
"""Prefixes of queues, counters and event streams, which may be lost and are not copied."""

LOGS = (b"game:{", b"competition:{")
"""Prefixes of the keys of games and competitions."""
INBOUND = (b"{mail}:in:", b"{mail}:raw:", b"{mail}:seen:", b"{mail}:unread")
READ_LAST = (b"mail", b"hooks", b"erased")
DELIVERIES, LINES = b"{mail}:out:", b"{mail}:due"
"""Prefixes of deliveries, and of the queues of those that wait."""

# READ: read keys of any type as plain values, independent of the server's own dump format.
# KEYS: any. Result: for each that exists its key, type, expiry in milliseconds since 1970 (below 0: none) and value.
# Atomic, so that the keys of one game are of one moment.
READ = """
local found = {}
for _, key in ipairs(KEYS) do
  local kind, value = redis.call('TYPE', key).ok, nil
  if kind == 'string' then value = {redis.call('GET', key)}
  elseif kind == 'hash' then value = redis.call('HGETALL', key)
  elseif kind == 'list' then value = redis.call('LRANGE', key, 0, -1)
  elseif kind == 'set' then value = redis.call('SMEMBERS', key)
  elseif kind == 'zset' then value = redis.call('ZRANGE', key, 0, -1, 'WITHSCORES')
  elseif kind == 'stream' then value = redis.call('XRANGE', key, '-', '+')
  end
  if value then found[#found + 1] = {key, kind, redis.call('PEXPIRETIME', key), value} end
end
return found
"""

# REMOVE: delete an archived game and record its archive.
# KEYS: compact, said, outbox, archived, then all other keys of the game. ARGV: blob, number of messages, name of the archive.
# Result: 1, or 0 if the game has changed since it was read. Atomic. Race: a worker restores the game, or a player writes to the table,
# while it is archived; then nothing is deleted.
REMOVE = """
local compact, said, outbox, archived = unpack(KEYS)
if redis.call('GET', compact) ~= ARGV[1] or redis.call('HLEN', said) ~= tonumber(ARGV[2]) then return 0 end
if redis.call('EXISTS', outbox) == 1 then return 0 end
redis.call('DEL', unpack(KEYS))
redis.call('SET', archived, ARGV[3])
return 1
"""

# RESTORE_BLOB: write the blob of a restored game.
# KEYS: compact, log. ARGV: blob. Result: 1, or 0 if either exists.
# Atomic. Race: two commands restore the same game, and it is played on in between; the second changes nothing.
RESTORE_BLOB = """
if redis.call('EXISTS', unpack(KEYS)) > 0 then return 0 end
redis.call('SET', KEYS[1], ARGV[1])
return 1
"""


class StoredKey(msgspec.Struct, frozen=True, array_like=True):
    """A Redis key with its type, expiry and value."""

    key: bytes
    kind: str
    until: int
    """Milliseconds since 1970 when it expires; below 0, never."""
    value: Any

    @property
    def game(self) -> str:
        """Id of the game that the key belongs to; empty for other keys."""
        return self.key.split(b"{")[1].split(b"}")[0].decode() if self.key.startswith(b"game:{") else ""


_row = msgspec.json.Decoder(Delivery)


def read_all(redis: RedisClient) -> Iterator[StoredKey]:
    """Read everything but queues, for a backup of a running service. Keys under one hash tag are read atomically, except mail and calls.

    Race: work moves on while the backup reads. Inbound messages are read before the games, and letters after them: what moves on meanwhile
    is in the file twice rather than not at all, and is done once because of its idempotency key.
    """
    groups = _groups(redis)
    for tag in sorted(groups.keys() - READ_LAST, key=_rank):
        yield from _read(redis, groups[tag])
    groups = _groups(redis, "{*")
    for tag in READ_LAST:
        yield from _with_queues(_read(redis, [key for key in groups.get(tag, []) if not key.startswith(LINES)]))


def _with_queues(kept: Iterable[StoredKey]) -> Iterator[StoredKey]:
    """Derive the queues of deliveries that wait from what was read.

    Race: a letter is enqueued while the backup reads. A queue that was read apart could miss it, and it would never be sent.
    """
    waiting: dict[str, list[Any]] = {}
    for each in kept:
        yield each
        if each.key.startswith(DELIVERIES) and (found := _waiting(each.value[0])):
            waiting.setdefault(DeliveryQueue.line(found.channel), []).extend((found.id, found.due))
    yield from (StoredKey(line.encode(), "zset", -1, members) for line, members in waiting.items())


def _waiting(row: bytes) -> Delivery | None:
    """Decode a delivery that waits; None for one that is closed or cannot be decoded."""
    with suppress(msgspec.DecodeError):
        found = _row.decode(row)
        return found if found.status == DeliveryStatus.WAITING else None
    return None


def _rank(tag: bytes) -> int:
    """Order the groups: players, inbound messages, searches for a game, all others.

    A search that becomes a game while the backup runs is in the file, whether or not the game is.

    The erasure list is read last: a player erased while the backup runs is then on it.
    """
    return 0 if tag.startswith(b"player:") and tag.count(b":") == 1 else 1 if tag in (INBOUND[0], b"searches") else 2


def read_games(redis: RedisClient, games: Collection[str]) -> Iterator[StoredKey]:
    """Read all keys of these games."""
    groups = _groups(redis, "game:{*")
    for game in games:
        yield from _read(redis, groups.get(game.encode(), []))


def _groups(redis: RedisClient, pattern: str = "*") -> dict[bytes, list[bytes]]:
    groups: dict[bytes, list[bytes]] = {}
    for key in set(redis.scan_iter(pattern, count=1000)):
        if not key.startswith(NOT_COPIED):
            groups.setdefault(_tag(key), []).append(key)
    return groups | {tag: _all_keys(keys) for tag, keys in groups.items() if keys[0].startswith(LOGS)} | {b"erased": [b"erased"]}


def _tag(key: bytes) -> bytes:
    if key.startswith(INBOUND):
        return INBOUND[0]
    return key.split(b"{")[1].split(b"}")[0] if b"{" in key else key


def _all_keys(keys: list[bytes]) -> list[bytes]:
    """List all keys that the game may have.

    Race: the game is compacted, or a move comes in, between the scan and the read. Keys that did not exist during the scan are read too.
    """
    game = keys[0].rpartition(b":")[0]
    return sorted({*keys, *(game + b":" + part.encode() for part in PARTS)})


def _read(redis: RedisClient, keys: list[bytes]) -> Iterator[StoredKey]:
    script = redis.register_script(READ)
    for start in range(0, len(keys), AT_ONCE):
        for key, kind, until, value in script(keys=keys[start : start + AT_ONCE]):
            if key.endswith(b"}:compact"):  # a file compresses many games together better than each alone
                yield StoredKey(key, "compact", until, [expand_bytes(value[0])])
            elif kind == b"stream" and key.endswith(b"}:log"):
                yield StoredKey(key, "stream", until, [(id, [name, unpack(entry)]) for id, (name, entry) in value])
            else:
                yield StoredKey(key, kind.decode(), until, value)


def write_back(redis: RedisClient, kept: Iterable[StoredKey]) -> None:
    """Write copied keys to a store."""
    kept = iter(kept)
    while some := list(islice(kept, AT_ONCE)):
        with redis.pipeline(transaction=False) as pipe:
            for each in some:
                _write(pipe, each)
            pipe.execute()


def _write(pipe: RedisPipeline, kept: StoredKey) -> None:
    key, value = kept.key, kept.value
    match kept.kind:
        case "string":
            pipe.set(key, value[0])
        case "compact":
            pipe.set(key, compress_bytes(value[0]))
        case "hash":
            pipe.hset(key, mapping=_pairs(value))
        case "list":
            pipe.rpush(key, *value)
        case "set":
            pipe.sadd(key, *value)
        case "zset":
            pipe.zadd(key, {member: float(score) for member, score in _pairs(value).items()})
        case "stream":
            for id, fields in value:
                pipe.xadd(key, _pairs(fields), id=id)
    if kept.until >= 0:
        pipe.pexpireat(key, kept.until)


def _pairs(flat: list[bytes]) -> dict[bytes, bytes]:
    return dict(zip(flat[::2], flat[1::2], strict=True))


def remove(redis: RedisClient, kept: Collection[StoredKey], file: str) -> bool:
    """Delete a compacted game from the store and record its archive; False if it has changed since it was read."""
    compact = next((each for each in kept if each.kind == "compact"), None)
    if compact is None:  # restored since it was chosen
        return False
    game = compact.key.removesuffix(b"compact")
    said = next((len(each.value) // 2 for each in kept if each.key == game + b"said"), 0)
    keys = [compact.key, *(game + part for part in (b"said", b"outbox", b"archived")), *(each.key for each in kept if each is not compact)]
    found = redis.get(compact.key)
    if found is None or expand_bytes(found) != compact.value[0]:
        return False
    return bool(redis.register_script(REMOVE)(keys=keys, args=[found, said, file]))


def replace_game(redis: RedisClient, old: Iterable[StoredKey], new: Iterable[StoredKey]) -> None:
    """Delete the keys of a game and write others in their place. Atomic: a process that dies half-way changes nothing."""
    with redis.pipeline(transaction=True) as pipe:
        for each in old:
            pipe.delete(each.key)
        for each in new:
            _write(pipe, each)
        pipe.execute()


def restore_game(redis: RedisClient, kept: Collection[StoredKey]) -> None:
    """Write an archived game back. The blob comes last: until it is there, the game counts as archived."""
    compact = next((each for each in kept if each.kind == "compact"), None)
    write_back(redis, [each for each in reversed([*kept]) if each is not compact])
    if compact:
        keys = [compact.key, compact.key.removesuffix(b"compact") + b"log"]
        redis.register_script(RESTORE_BLOB)(keys=keys, args=[compress_bytes(compact.value[0])])
