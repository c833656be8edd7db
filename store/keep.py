"""What the store holds as plain values in a file, to be put back on whatever server. A game's keys are read in one moment."""

import hashlib
import lzma
import os
import struct
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import closing, contextmanager
from io import BytesIO
from itertools import islice
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, Any, cast

import msgspec
import pyppmd

from store.connect import Client
from store.erased import flush
from store.games import PARTS
from store.packing import loosen, spread, tells, tighten

PLAIN, EARLIER, DENSE = b"marketpost 1\n", b"marketpost 2\n", b"marketpost 3\n"
"""What a file begins with: a backup, pressed by xz, and an archive, pressed by PPMd, which learns from game to game. Earlier archives
were pressed by its variant I."""
ORDER, EARLIER_ORDER, MEMORY = 24, 16, 1 << 26
"""How many letters PPMd looks back, and how much it may learn: they belong to the format."""
PIECE = 1 << 24
"""Bytes that are pressed together."""
BITE = 1 << 13
"""Bytes that PPMd is given at a time: where one bite yields more than 32 kB, what it has pressed may not be loosened again."""
AT_ONCE = 200
EASY = 3
"""How hard xz tries: for a backup more takes many times as long for a few bytes."""
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

# What was put away goes only if it is still what was put away, and nobody has spoken there since; then it is known where it lies.
REMOVE = """
local packed, said, outbox, archived = unpack(KEYS)
if redis.call('GET', packed) ~= ARGV[1] or redis.call('HLEN', said) ~= tonumber(ARGV[2]) then return 0 end
if redis.call('EXISTS', outbox) == 1 then return 0 end
redis.call('DEL', unpack(KEYS))
redis.call('SET', archived, ARGV[3])
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
    groups = _groups(redis)
    for tag in sorted(groups, key=_place):
        yield from _read(redis, groups[tag])


def _place(tag: bytes) -> int:
    """People come first and who was forgotten last: then nobody who is forgotten meanwhile is in the file without standing on that list."""
    return 0 if tag.startswith(b"player:") and tag.count(b":") == 1 else 2 if tag == b"erased" else 1


def read_games(redis: Client, games: Collection[str]) -> Iterator[Kept]:
    """Of each what is packed first, for the rest may follow from it."""
    groups = _groups(redis, "game:{*")
    for game in games:
        yield from _read(redis, sorted(groups.get(game.encode(), []), key=lambda key: not key.endswith(b"}:packed")))


def _groups(redis: Client, pattern: str = "*") -> dict[bytes, list[bytes]]:
    groups: dict[bytes, list[bytes]] = {}
    for key in set(redis.scan_iter(pattern, count=1000)):
        if not key.startswith(NOT_OURS):
            groups.setdefault(key.split(b"{")[1].split(b"}")[0] if b"{" in key else key, []).append(key)
    return groups | {tag: _all_keys(keys) for tag, keys in groups.items() if keys[0].startswith(b"game:{")} | {b"erased": [b"erased"]}


def _all_keys(keys: list[bytes]) -> list[bytes]:
    """A game may be packed, or played in, between this look and the moment when it is read."""
    game = keys[0].rpartition(b":")[0]
    return sorted({*keys, *(game + b":" + part.encode() for part in PARTS)})


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


def remove(redis: Client, kept: Collection[Kept], file: str) -> bool:
    """Take a packed game out of the store, and write down where it is; False if it has changed since it was read."""
    packed = next(each for each in kept if each.kind == "packed")
    game = packed.key.removesuffix(b"packed")
    said = next((len(each.value) // 2 for each in kept if each.key == game + b"said"), 0)
    keys = [packed.key, *(game + part for part in (b"said", b"outbox", b"archived")), *(each.key for each in kept if each is not packed)]
    found: bytes | None = redis.get(packed.key)
    if found is None or loosen(found) != packed.value[0]:
        return False
    return bool(redis.register_script(REMOVE)(keys=keys, args=[found, said, file]))


class Dense:
    """The end of an archive that grows: what is written at once stays in one piece."""

    def __init__(self, raw: IO[bytes]) -> None:
        self.raw, self.piece = raw, bytearray()
        raw.write(DENSE)

    def write(self, data: bytes) -> None:
        self.piece += data
        if len(self.piece) >= PIECE:
            self.close()

    def close(self) -> None:
        if self.piece:
            pressed = _press(bytes(self.piece))
            self.raw.write(struct.pack(">I", len(pressed)) + hashlib.sha256(pressed).digest() + pressed)
            self.piece.clear()


def _press(loose: bytes) -> bytes:
    """PPMd of variant H does not know where it ends: the length stands before it."""
    encoder = pyppmd.Ppmd7Encoder(ORDER, MEMORY)
    bites = [encoder.encode(loose[start : start + BITE]) for start in range(0, len(loose), BITE)]
    return b"".join((struct.pack(">I", len(loose)), *bites, encoder.flush()))


def _loosen(pressed: bytes) -> bytes:
    """The decoder looks one byte ahead."""
    return cast("bytes", pyppmd.Ppmd7Decoder(ORDER, MEMORY).decode(pressed[4:] + b"\0", struct.unpack(">I", pressed[:4])[0]))


def _loosen_earlier(pressed: bytes) -> bytes:
    return cast("bytes", pyppmd.decompress(pressed, max_order=EARLIER_ORDER, mem_size=MEMORY))


LOOSEN = {EARLIER: _loosen_earlier, DENSE: _loosen}


class Loosened:
    """An archive as it was written, piece by piece. Only what is unhurt is loosened."""

    def __init__(self, raw: IO[bytes], loosen: Callable[[bytes], bytes]) -> None:
        self.raw, self.loosen, self.piece = raw, loosen, BytesIO()

    def read(self, size: int = -1) -> bytes:
        if found := self.piece.read(size):
            return found
        self._next()
        return self.piece.read(size)

    def _next(self) -> None:
        if not (head := self.raw.read(4)):
            return
        digest, pressed = self.raw.read(32), self.raw.read(struct.unpack(">I", head)[0])
        if hashlib.sha256(pressed).digest() != digest:
            raise Broken
        self.piece = BytesIO(self.loosen(pressed))


def save(file: Path, kept: Iterable[Kept]) -> int:
    """A backup; how many keys it holds."""
    with _growing(file) as raw, lzma.open(raw, "wb", preset=EASY) as packed:
        return _write_all(packed, kept)


def put_away(file: Path, kept: Iterable[Kept]) -> int:
    """An archive, without what follows from the games in it."""
    with _growing(file) as raw, closing(Dense(raw)) as packed:
        return _write_all(packed, _without_told(kept))


@contextmanager
def _growing(file: Path) -> Iterator[IO[bytes]]:
    """Whole or not at all, and never over one that is there."""
    with NamedTemporaryFile(dir=file.parent, prefix=f"{file.name}.", suffix=".part") as raw:
        yield raw
        raw.flush()
        os.fsync(raw.fileno())
        os.link(raw.name, file)
    flush(file.parent)


def _write_all(packed: Any, kept: Iterable[Kept]) -> int:
    packed.write(PLAIN)
    count, digest = 0, hashlib.sha256(PLAIN)
    for each in kept:
        data = msgspec.msgpack.encode(each)
        frame = struct.pack(">I", len(data)) + data
        digest.update(frame)
        packed.write(frame)
        count += 1
    packed.write(struct.pack(">I", 0) + digest.digest())
    return count


def _without_told(kept: Iterable[Kept]) -> Iterator[Kept]:
    """What follows from a game, which comes first, is told by its number."""
    told: tuple[bytes, ...] = ()
    for each in kept:
        if each.kind == "packed":
            told = tells(spread(each.value[0]))
        is_told = each.kind == "string" and each.value[0] in told
        yield msgspec.structs.replace(each, kind="told", value=[told.index(each.value[0])]) if is_told else each


def _with_told(kept: Iterable[Kept]) -> Iterator[Kept]:
    told: tuple[bytes, ...] = ()
    for each in kept:
        if each.kind == "packed":
            told = tells(spread(each.value[0]))
        yield msgspec.structs.replace(each, kind="string", value=[told[each.value[0]]]) if each.kind == "told" else each


def check(file: Path) -> int:
    """How many keys a file holds; raises `Broken` if it is not as it was written."""
    return sum(1 for _ in load(file))


def load(file: Path) -> Iterator[Kept]:
    """What the file holds. Whether it is whole is known only at its end: `check` it before acting on it."""
    try:
        with file.open("rb") as raw:
            if loosen_piece := LOOSEN.get(raw.read(len(DENSE))):
                yield from _with_told(_frames(Loosened(raw, loosen_piece)))
                if raw.read():
                    raise Broken
                return
            raw.seek(0)
            with lzma.open(raw, "rb") as packed:
                yield from _frames(packed)
    except (lzma.LZMAError, EOFError, ValueError, struct.error, msgspec.DecodeError) as error:
        raise Broken(str(file)) from error


def _frames(packed: Any) -> Iterator[Kept]:
    if packed.read(len(PLAIN)) != PLAIN:
        raise Broken
    digest = hashlib.sha256(PLAIN)
    while size := struct.unpack(">I", head := packed.read(4))[0]:
        frame = packed.read(size)
        digest.update(head + frame)
        yield _kept.decode(frame)
    if packed.read() != digest.digest():
        raise Broken
