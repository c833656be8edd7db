"""Files of dumps: JSON lines compressed by zstd, written completely or not at all."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from backports import zstd

from marketpost.store.archive_files import Broken, growing_file

T = TypeVar("T")
HEAD = {"marketpost": "dump", "format": 1}
"""The first line of a dump."""
CHECKED: dict[int, int] = {zstd.CompressionParameter.compression_level: 10, zstd.CompressionParameter.checksum_flag: 1}


def write_lines(file: Path, lines: Iterable[Any]) -> int:
    """Write each value as a line of JSON, after the head; returns how many there are."""
    count = 0
    with growing_file(file) as raw, zstd.open(raw, "wb", options=CHECKED) as packed:
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
    with zstd.open(file, "rb") as lines:
        try:
            if lines.readline() != _line(HEAD):
                raise Broken
            yield from map(decoder.decode, lines)
        except (zstd.ZstdError, EOFError, msgspec.DecodeError) as error:
            raise Broken from error
