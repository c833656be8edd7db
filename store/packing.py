"""A finished game in one piece. The hash of the entry before stands in every entry and can be reckoned again: it is left out."""

import hashlib
import zlib
from collections.abc import Mapping, Sequence

import msgspec

LEFT_OUT = b"\0"
"""Never found in an entry, which is JSON."""


class Packed(msgspec.Struct, frozen=True, array_like=True):
    """What is left of a game that is over: its log, and what its log does not tell of the moves."""

    entries: tuple[bytes, ...]
    outcomes: Mapping[str, bytes] = {}
    keys: Mapping[str, bytes] = {}


_packed = msgspec.msgpack.Decoder(Packed)


def pack(packed: Packed) -> bytes:
    lean = Packed(tuple(_lean(packed.entries)), packed.outcomes, packed.keys)
    return tighten(msgspec.msgpack.encode(lean))


def tighten(lean: bytes) -> bytes:
    return zlib.compress(lean, 9)


def loosen(data: bytes) -> bytes:
    return zlib.decompress(data)


def unpack(data: bytes) -> Packed:
    lean = _packed.decode(loosen(data))
    return Packed(tuple(_whole(lean.entries)), lean.outcomes, lean.keys)


def _lean(entries: Sequence[bytes]) -> list[bytes]:
    hashes = [b"", *map(_hash, entries)]
    return [entry.replace(before, LEFT_OUT) if before else entry for entry, before in zip(entries, hashes, strict=False)]


def _whole(entries: Sequence[bytes]) -> list[bytes]:
    whole: list[bytes] = []
    for entry in entries:
        whole.append(entry.replace(LEFT_OUT, _hash(whole[-1])) if whole else entry)
    return whole


def _hash(entry: bytes) -> bytes:
    return hashlib.sha256(entry).hexdigest().encode()
