"""Files of backups and archives: copied keys, compressed by xz, written completely or not at all.

A file is one xz stream, checked by SHA-256. It begins with `marketpost 1`, the number of the format, and has one frame for each key.
"""

import lzma
import os
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, cast

import msgspec

from marketpost.store.erasure_list import flush
from marketpost.store.formats import Formats
from marketpost.store.raw_copies import StoredKey

NAME = b"marketpost "
FORMATS: Formats[StoredKey] = Formats()
FAST = [{"id": lzma.FILTER_LZMA2, "preset": 3}]
"""For backups: higher presets take many times as long and save a few bytes."""
SMALL = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 0, "pb": 0}]
"""For archives, which are stored for ever: settings that suit short JSON."""


class Broken(Exception):
    """Raised for a file that is cut short, changed, or of an unknown format."""


_kept = msgspec.msgpack.Decoder(StoredKey)


def save(file: Path, kept: Iterable[StoredKey]) -> int:
    """Write a backup; returns the number of keys."""
    return _write(file, kept, FAST)


def save_archive(file: Path, kept: Iterable[StoredKey]) -> int:
    """Write an archive; returns the number of keys."""
    return _write(file, kept, SMALL)


def _write(file: Path, kept: Iterable[StoredKey], filters: Sequence[Mapping[str, int]]) -> int:
    count = 0
    with growing_file(file) as raw, lzma.open(raw, "wb", check=lzma.CHECK_SHA256, filters=filters) as packed:
        packed.write(NAME + b"%d\n" % FORMATS.newest)
        for each in kept:
            frame = msgspec.msgpack.encode(each)
            packed.write(struct.pack(">I", len(frame)) + frame)
            count += 1
    return count


@contextmanager
def growing_file(file: Path) -> Iterator[IO[bytes]]:
    """Open a temporary file that becomes `file` when it is complete and on the disk; fails if `file` exists."""
    with _part_of(file) as raw:
        yield raw
        raw.flush()
        os.fsync(raw.fileno())
        os.link(raw.name, file)
    flush(file.parent)


def _part_of(file: Path) -> IO[bytes]:
    """Open the temporary file. An error names the file that was asked for, not the temporary one."""
    try:
        return cast("IO[bytes]", NamedTemporaryFile(dir=file.parent, prefix=f"{file.name}.", suffix=".part"))
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(file)) from error


def check(file: Path) -> int:
    """Read a file to its end and count its keys; raises `Broken` if it is damaged."""
    return sum(1 for _ in load(file))


def load(file: Path) -> Iterator[StoredKey]:
    """Iterate over the keys of a file. Damage may be found only at the end: `check` the file before using it."""
    try:
        with lzma.open(file, "rb") as packed:
            name, _, number = packed.readline(32).rpartition(b" ")
            if name + b" " != NAME:
                raise Broken(str(file))
            while head := packed.read(4):
                frame = packed.read(struct.unpack(">I", head)[0])
                yield FORMATS.upcast(int(number), _kept.decode(frame))
    except (lzma.LZMAError, EOFError, ValueError, struct.error, msgspec.DecodeError) as error:
        raise Broken(str(file)) from error
