"""Under which keys the moves of a finished game were sent: six bytes a move, for as long as a key is promised to be known."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from store.packing import loosen, named, numbered, numbers_of, tighten

NAME, BODY = 8, 4
"""Digits that are kept of the hash of a key, and of what was asked under it: whatever fits by chance, a finished game stays as it is."""
EARLIER_NAME = 12


class Sent(msgspec.Struct, frozen=True, array_like=True):
    names: bytes
    bodies: bytes
    moves: tuple[int | bytes, ...]
    salt: bytes


_sent = msgspec.msgpack.Decoder(Sent | dict[str, bytes])
"""It was a dictionary earlier."""


def names(key: str) -> tuple[str, ...]:
    """A key as it came, and what it is called in packed games. Keys have a space in them, behind the player's id; their names have none."""
    digest = hashlib.sha256(key.encode()).hexdigest() if " " in key else key
    return key, digest[:EARLIER_NAME], digest[:NAME]


def pack_sent(keys: Mapping[str, bytes], salt: bytes) -> bytes:
    """Keys with the id of their move and the hash of what they asked for, in the order of the moves."""
    if not keys:
        return b""
    order = numbers_of(salt, len(keys))
    rows = [(names(key)[-1], *told.decode().split(" ")) for key, told in keys.items()]
    rows.sort(key=lambda row: order.get(row[1], 0))
    name, moves, bodies = zip(*rows, strict=True)
    short = (body[:BODY] for body in bodies)
    return tighten(msgspec.msgpack.encode(Sent(_bytes(name), _bytes(short), numbered(moves, salt), salt)))


def unpack_sent(data: bytes) -> dict[str, bytes]:
    found: Sent | dict[str, bytes] = _sent.decode(loosen(data))
    if not isinstance(found, Sent):
        return found
    rows = zip(_digits(found.names, NAME), named(found.moves, found.salt), _digits(found.bodies, BODY), strict=True)
    return {name: f"{move} {body}".encode() for name, move, body in rows}


def _bytes(digits: Iterable[str]) -> bytes:
    return bytes.fromhex("".join(digits))


def _digits(data: bytes, wide: int) -> Iterator[str]:
    digits = data.hex()
    return (digits[start : start + wide] for start in range(0, len(digits), wide))
