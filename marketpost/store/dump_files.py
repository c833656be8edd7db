"""Files of dumps: JSON lines compressed by zstd, written completely or not at all."""

from collections.abc import Iterable, Iterator
from io import BufferedReader
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import zstandard

from marketpost.store.archive_files import Broken, growing_file

T = TypeVar("T")
HEAD = {"marketpost": "dump", "format": 1}
"""The first line of a dump."""


def write_lines(file: Path, lines: Iterable[Any]) -> int:
    """Write each value as a line of JSON, after the head; returns how many there are."""
    count = 0
    with growing_file(file) as raw, zstandard.ZstdCompressor(level=10, write_checksum=True).stream_writer(raw, closefd=False) as packed:
        packed.write(_line(HEAD))
        for line in lines:
            packed.write(_line(line))
            count += 1
    return count


def _line(value: Any) -> bytes:
    return msgspec.json.encode(value) + b"\n"


def read_lines(file: Path, kind: type[T]) -> Iterator[T]:
    """Read the lines of a dump after its head; raises `Broken` for a file that is cut short, changed or no dump."""
    decoder = msgspec.json.Decoder(kind)
    with file.open("rb") as raw, zstandard.ZstdDecompressor().stream_reader(raw) as unpacked:
        try:
            lines = iter(BufferedReader(unpacked))
            if next(lines, b"") != _line(HEAD):
                raise Broken
            yield from map(decoder.decode, lines)
        except (zstandard.ZstdError, msgspec.DecodeError) as error:
            raise Broken from error
