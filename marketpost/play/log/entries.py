"""Entries of a game's log. Each carries the hash of the one before it, so that nobody can change the past unseen."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from marketpost.play.log.actions import AnyAction, SeatDeadline
from marketpost.store.changes import Stored
from marketpost.store.formats import FIRST, Formats


class Entry(msgspec.Struct, frozen=True, array_like=True, gc=False):
    version: int
    at: int
    """Milliseconds since 1970, UTC."""
    by: str | None
    """A player's id; `None` for what nobody decided."""
    action: AnyAction
    rules: str
    """The ruleset and the version of its rules that judged."""
    before: str
    """The SHA-256 of the entry before; empty for the first."""
    via: str = ""
    """The mail that asked for it: what it asks is done once."""
    deadlines: tuple[SeatDeadline, ...] = ()
    """Whose time runs from now on and whose stands, where the game has a clock."""

    @property
    def rules_version(self) -> int:
        return int(self.rules.rpartition(" ")[2])


FIELDS = 8
"""Of an entry of format 1. From format 2 on a ninth field tells the number."""
FORMATS: Formats[list[Any]] = Formats()
_entry = msgspec.json.Decoder(Entry)


class Tampered(Exception):
    """The chain of hashes is broken."""

    def __init__(self, game: str, version: int) -> None:
        super().__init__(f"game {game}: the log does not fit together at version {version}")
        self.game, self.version = game, version


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def decode(data: bytes, formats: Formats[list[Any]] = FORMATS) -> Entry:
    """Read an entry of any format. The stored bytes stay as they are, for their hash is in the entry after them."""
    if formats.newest == FIRST:
        return _entry.decode(data)
    fields = msgspec.json.decode(data, type=list[Any])
    number = fields[FIELDS] if len(fields) > FIELDS else FIRST
    return _entry.decode(msgspec.json.encode(formats.upcast(number, fields[:FIELDS])))


def write(
    version: int,
    before: str,
    at: int,
    by: str | None,
    rules: str,
    actions: Sequence[AnyAction],
    via: str = "",
    deadlines: tuple[SeatDeadline, ...] = (),
) -> tuple[list[bytes], str]:
    """Entries for these deeds, each bound to the one before; and the hash the next one will need.

    Whose time runs after all of them is told in the last.
    """
    written = []
    last = version + len(actions)
    for action in actions:
        version += 1
        written.append(msgspec.json.encode(Entry(version, at, by, action, rules, before, via, deadlines if version == last else ())))
        before = digest(written[-1])
    return written, before


def read(game: str, stored: Iterable[Stored], version: int = 0, before: str = "") -> Iterator[tuple[Entry, str]]:
    """Entries with their own hashes; raises `Tampered` where one does not follow from the one before."""
    for each in stored:
        version += 1
        try:
            entry = decode(each.data)
        except msgspec.DecodeError as error:
            raise Tampered(game, version) from error
        if (each.version, entry.version, entry.before) != (version, version, before):
            raise Tampered(game, version)
        before = digest(each.data)
        yield entry, before
