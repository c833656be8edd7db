"""What the store holds as plain values in a file, to be put back on whatever server. A game's keys are read in one moment."""

import hashlib
import lzma
import os
import struct
from collections.abc import Collection, Iterable, Iterator
from itertools import islice
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import msgspec

from store.connect import Client
from store.erased import flush
from store.packing import loosen, tighten

TITLE = b"marketpost 1\n"
AT_ONCE = 200
EASY, HARD = 3, 6 | lzma.PRESET_EXTREME
"""How hard xz tries. What is kept for years is worth it; for a backup it takes many times as long for a few bytes."""
NOT_OURS = (b"rq:", b"todo", b"tried:", b"probe", b"LIMITS:")
"""Queues and counters: they may be lost, and make themselves anew."""

# As plain values, whatever the server's own format is.
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

# What was put away goes only if it is still what was put away.
REMOVE = """
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('DEL', unpack(KEYS))
return 1
"""


class Broken(Exception):
    """The file was cut off or changed."""


class Kept(msgspec.Struct, frozen=True, array_like=True):
    key: bytes
    kind: str
    until: int
    """Milliseconds since 1970 when it expires; below 0, never."""
    value: Any

    @property
    def game(self) -> str:
        return self.key.split(b"{")[1].split(b"}")[0].decode() if self.key.startswith(b"game:{") else ""


_kept = msgspec.msgpack.Decoder(Kept)


def read_all(redis: Client) -> Iterator[Kept]:
    """Everything but queues; what stands under one hash tag is read in one moment."""
    for keys in _groups(redis).values():
        yield from _read(redis, keys)


def read_games(redis: Client, games: Collection[str]) -> Iterator[Kept]:
    groups = _groups(redis, "game:{*")
    for game in games:
        yield from _read(redis, groups.get(game.encode(), []))


def _groups(redis: Client, pattern: str = "*") -> dict[bytes, list[bytes]]:
    groups: dict[bytes, list[bytes]] = {}
    for key in set(redis.scan_iter(pattern, count=1000)):
        if not key.startswith(NOT_OURS):
            groups.setdefault(key.split(b"{")[1].split(b"}")[0] if b"{" in key else key, []).append(key)
    return groups


def _read(redis: Client, keys: list[bytes]) -> Iterator[Kept]:
    script = redis.register_script(READ)
    for start in range(0, len(keys), AT_ONCE):
        for key, kind, until, value in script(keys=keys[start : start + AT_ONCE]):
            if key.endswith(b"}:packed"):  # compressed with its like, it takes less room than alone
                yield Kept(key, "packed", until, [loosen(value[0])])
            else:
                yield Kept(key, kind.decode(), until, value)


def write_back(redis: Client, kept: Iterable[Kept]) -> None:
    kept = iter(kept)
    while some := list(islice(kept, AT_ONCE)):
        with redis.pipeline(transaction=False) as pipe:
            for each in some:
                _write(pipe, each)
            pipe.execute()


def _write(pipe: Client, kept: Kept) -> None:
    key, value = kept.key, kept.value
    match kept.kind:
        case "string":
            pipe.set(key, value[0])
        case "packed":
            pipe.set(key, tighten(value[0]))
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


def remove(redis: Client, kept: Collection[Kept]) -> bool:
    """Take a packed game out of the store; False if it has changed since it was read."""
    packed = next(each for each in kept if each.kind == "packed")
    keys = [packed.key, *(each.key for each in kept if each is not packed)]
    return bool(redis.register_script(REMOVE)(keys=keys, args=[tighten(packed.value[0])]))


def save(file: Path, kept: Iterable[Kept], effort: int = EASY) -> int:
    """Into a new file, whole or not at all, and never over one that is there; how many keys it holds."""
    count, digest = 0, hashlib.sha256(TITLE)
    with NamedTemporaryFile(dir=file.parent, prefix=f"{file.name}.", suffix=".part") as raw, lzma.open(raw, "wb", preset=effort) as packed:
        packed.write(TITLE)
        for each in kept:
            frame = msgspec.msgpack.encode(each)
            frame = struct.pack(">I", len(frame)) + frame
            digest.update(frame)
            packed.write(frame)
            count += 1
        packed.write(struct.pack(">I", 0) + digest.digest())
        packed.close()
        raw.flush()
        os.fsync(raw.fileno())
        os.link(raw.name, file)
    flush(file.parent)
    return count


def check(file: Path) -> int:
    """How many keys a file holds; raises `Broken` if it is not as it was written."""
    return sum(1 for _ in load(file))


def load(file: Path) -> Iterator[Kept]:
    """What the file holds. Whether it is whole is known only at its end: `check` it before acting on it."""
    try:
        with lzma.open(file, "rb") as packed:
            yield from _frames(packed, hashlib.sha256(TITLE))
    except (lzma.LZMAError, EOFError, struct.error, msgspec.DecodeError) as error:
        raise Broken(str(file)) from error


def _frames(packed: Any, digest: Any) -> Iterator[Kept]:
    if packed.read(len(TITLE)) != TITLE:
        raise Broken
    while size := struct.unpack(">I", head := packed.read(4))[0]:
        frame = packed.read(size)
        digest.update(head + frame)
        yield _kept.decode(frame)
    if packed.read() != digest.digest():
        raise Broken
