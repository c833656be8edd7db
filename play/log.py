"""Entries of a game's log. Each carries the hash of the one before it, so that nobody can change the past unseen."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from play.deeds import AnyDeed, Asked, Moved
from store.entries import Stored


class Entry(msgspec.Struct, frozen=True, array_like=True, gc=False):
    version: int
    at: int
    """Milliseconds since 1970, UTC."""
    by: str | None
    """A player's id; `None` for what nobody decided."""
    deed: AnyDeed
    rules: str
    """The ruleset and the version of its rules that judged."""
    before: str
    """The SHA-256 of the entry before; empty for the first."""
    via: str = ""
    """The mail that asked for it: what it asks is done once."""
    asked: tuple[Asked, ...] = ()
    """Whose time runs from now on and whose stands, where the game has a clock."""


class FirstMoved(msgspec.Struct, frozen=True, array_like=True, tag="moved"):
    """A move as the first logs have it: what was due stands beside what was decided, not at its end."""

    seat: int
    move: str
    orders: str
    events: list[msgspec.Raw]
    due: list[msgspec.Raw]
    told: bool = False

    def today(self) -> Moved:
        events = b",".join(map(bytes, (*self.events, *self.due)))
        return Moved(self.seat, self.move, self.orders, msgspec.Raw(b"[%b]" % events), len(self.due), self.told)


class FirstEntry(msgspec.Struct, frozen=True, array_like=True):
    version: int
    at: int
    by: str | None
    deed: FirstMoved
    rules: str
    before: str


_entry, _first = msgspec.json.Decoder(Entry), msgspec.json.Decoder(FirstEntry)


class Tampered(Exception):
    """The chain of hashes is broken."""

    def __init__(self, game: str, version: int) -> None:
        super().__init__(f"game {game}: the log does not fit together at version {version}")
        self.game, self.version = game, version


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def decode(data: bytes) -> Entry:
    try:
        return _entry.decode(data)
    except msgspec.ValidationError:
        old = _first.decode(data)
        return Entry(old.version, old.at, old.by, old.deed.today(), old.rules, old.before)


def write(
    version: int,
    before: str,
    at: int,
    by: str | None,
    rules: str,
    deeds: Sequence[AnyDeed],
    via: str = "",
    asked: tuple[Asked, ...] = (),
) -> tuple[list[bytes], str]:
    """Entries for these deeds, each bound to the one before; and the hash the next one will need.

    Whose time runs after all of them is told in the last.
    """
    written = []
    last = version + len(deeds)
    for deed in deeds:
        version += 1
        written.append(msgspec.json.encode(Entry(version, at, by, deed, rules, before, via, asked if version == last else ())))
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
