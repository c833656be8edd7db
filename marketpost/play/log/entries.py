"""Entries of a game's log. Each has the hash of the one before it, so that a change of the past is noticed."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol, TypeVar

import msgspec

from marketpost.play.log.actions import AnyAction, SeatDeadline
from marketpost.store.changes import Stored
from marketpost.store.formats import FIRST, Formats, UnknownFormat


class Entry(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One entry of a log."""

    version: int
    at: int
    """Milliseconds since 1970, UTC."""
    by: str | None
    """Id of the player who acted; `None` for the service."""
    action: AnyAction
    rules: str
    """The ruleset and the version of its rules that judged."""
    before: str
    """The SHA-256 of the entry before; empty for the first."""
    via: str = ""
    """Inbound message or idempotency key that asked for it, so that it is done once."""
    deadlines: tuple[SeatDeadline, ...] = ()
    """Deadlines that change with this entry, in a game with a clock."""

    @property
    def rules_version(self) -> int:
        """Version of the ruleset that judged."""
        return int(self.rules.rpartition(" ")[2])


class NumberedEntry(Entry, frozen=True, array_like=True, gc=False):
    """An entry with the number of its format, which is written from format 2 on."""

    format: int = FIRST


class ChainedEntry(Protocol):
    """What every entry of a log has, whatever it is the log of."""

    @property
    def version(self) -> int: ...

    @property
    def before(self) -> str: ...


A = TypeVar("A")
E = TypeVar("E", bound=ChainedEntry)
FIELDS = 8
"""Number of fields of an entry of format 1. From format 2 on a ninth field has the number of the format."""
BEFORE = 5
"""Place of the hash of the entry before, in every format. The version stands at place 0."""
FORMATS: Formats[list[Any]] = Formats()
_entry = msgspec.json.Decoder(NumberedEntry)


class Tampered(Exception):
    """Raised for a log whose chain of hashes is broken, or whose entries cannot be applied."""

    def __init__(self, game: str, version: int) -> None:
        super().__init__(f"game {game}: the log does not fit together at version {version}")
        self.game, self.version = game, version


class WrittenByNewer(Exception):
    """Raised for a log that is whole, but that a newer Marketpost wrote: whoever meets it leaves the game to newer processes."""

    def __init__(self, game: str, version: int, why: str) -> None:
        super().__init__(f"game {game}: version {version} of its log was written by a newer Marketpost ({why})")
        self.game, self.version = game, version


def digest(data: bytes) -> str:
    """Compute the hash of an entry."""
    return hashlib.sha256(data).hexdigest()


def decode(data: bytes, formats: Formats[list[Any]] = FORMATS) -> Entry:
    """Parse an entry of any format. The stored bytes stay as they are, because the next entry has their hash."""
    if formats.newest == FIRST:
        entry = _entry.decode(data)
        if entry.format != FIRST:
            raise UnknownFormat(f"entry of format {entry.format}")
        return entry
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
    """Serialize entries for these actions, each with the hash of the one before; returns them and the hash of the last.

    The last entry has the deadlines that hold after all of them.
    """
    last = version + len(actions)

    def encode(number: int, action: AnyAction, after: str) -> bytes:
        return msgspec.json.encode(Entry(number, at, by, action, rules, after, via, deadlines if number == last else ()))

    return chain(version, before, actions, encode)


def chain(version: int, before: str, actions: Sequence[A], encode: Callable[[int, A, str], bytes]) -> tuple[list[bytes], str]:
    """Serialize one entry for each action, with its number and the hash of the entry before; returns them and the hash of the last."""
    written = []
    for number, action in enumerate(actions, version + 1):
        written.append(encode(number, action, before))
        before = digest(written[-1])
    return written, before


def read(game: str, stored: Iterable[Stored], version: int = 0, before: str = "") -> Iterator[tuple[Entry, str]]:
    """Parse entries, each with its own hash; raises `Tampered` where one does not follow from the one before."""
    return read_chain(game, stored, decode, version, before)


def read_chain(
    log: str, stored: Iterable[Stored], parse: Callable[[bytes], E], version: int = 0, before: str = ""
) -> Iterator[tuple[E, str]]:
    """Parse entries of any kind of log, each with its own hash; raises `Tampered` where one does not follow from the one before."""
    for each in stored:
        version += 1
        try:
            entry = parse(each.data)
        except (msgspec.DecodeError, UnknownFormat) as error:
            is_new = _place(each.data) == (version, before)
            raise WrittenByNewer(log, version, str(error)) if is_new else Tampered(log, version) from error
        if (each.version, entry.version, entry.before) != (version, version, before):
            raise Tampered(log, version)
        before = digest(each.data)
        yield entry, before


def broken_at(stored: Sequence[Stored], head: str) -> int | None:
    """Find the version at which the chain of hashes breaks, whoever wrote it and whatever it says; None if it is whole."""
    before = ""
    for version, each in enumerate(stored, 1):
        if (each.version, _place(each.data)) != (version, (version, before)):
            return version
        before = digest(each.data)
    return len(stored) if head and head != before else None


def _place(data: bytes) -> tuple[Any, Any] | None:
    """Read the version of an entry and the hash before it, also of an entry that says something unknown; None if there are none."""
    try:
        fields = msgspec.json.decode(data)
        return fields[0], fields[BEFORE]
    except (msgspec.DecodeError, ValueError, LookupError, TypeError):
        return None
