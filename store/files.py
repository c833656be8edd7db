"""Backups and archives: what was kept, in a file that is whole or not at all."""

import hashlib
import lzma
import os
import struct
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from io import BytesIO
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, Any, cast

import msgspec
import pyppmd

from store.erased import flush
from store.keep import Kept
from store.packing import spread, tells

PLAIN, EARLIER, DENSE = b"marketpost 1\n", b"marketpost 2\n", b"marketpost 3\n"
"""What a file begins with: a backup, pressed by xz, and an archive, pressed by PPMd, which learns from game to game. Earlier archives
were pressed by its variant I."""
ORDER, EARLIER_ORDER, MEMORY = 24, 16, 1 << 26
"""How many letters PPMd looks back, and how much it may learn: they belong to the format."""
PIECE = 1 << 24
"""Bytes that are pressed together."""
BITE = 1 << 13
"""Bytes that PPMd is given at a time: where one bite yields more than 32 kB, what it has pressed may not be loosened again."""
EASY = 3
"""How hard xz tries: for a backup more takes many times as long for a few bytes."""


class Broken(Exception):
    """The file was cut off or changed."""


_kept = msgspec.msgpack.Decoder(Kept)


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
    with _part_of(file) as raw:
        yield raw
        raw.flush()
        os.fsync(raw.fileno())
        os.link(raw.name, file)
    flush(file.parent)


def _part_of(file: Path) -> IO[bytes]:
    """Whoever is told why it cannot be made has never heard of a part."""
    try:
        return cast("IO[bytes]", NamedTemporaryFile(dir=file.parent, prefix=f"{file.name}.", suffix=".part"))
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(file)) from error


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
