"""Values that are read from and written to a game's log, inbox and outbox."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar

import msgspec


class CommitResult(Enum):
    """What became of one change."""

    DONE = b"done"
    DECIDED = b"decided"
    """Another worker has decided this move."""
    GROWN = b"grown"
    """Another worker has appended to the log since it was read: reload the log and judge again."""


class GameArchived(Exception):
    """The game is in an archive and must be restored before anything is written to it."""


class Submission(msgspec.Struct, frozen=True, omit_defaults=True):
    """A move as it was accepted, waiting to be judged."""

    id: str
    """Empty until it is accepted."""
    player: str
    seat: int
    orders: str
    at: int
    if_match: int | None = None
    via: str = ""
    """The mail it came in, or that called the bot or the standing orders which made it."""
    standing: bool = False
    """Whether the player's standing orders made it."""


class Invitation(msgspec.Struct, frozen=True, array_like=True):
    """Whom a seat is kept for or offered to. The log has a reference to it, which tells nobody who that is."""

    PREFIX: ClassVar[str] = "i-"
    """Of references."""
    player: str
    by_address: bool
    """Whether the one who invited knew no more than an address."""


@dataclass(frozen=True, slots=True)
class Stored:
    """One entry of a log, still encoded."""

    version: int
    data: bytes


class Change(msgspec.Struct, frozen=True):
    """What is written to a game together: entries with the hash of the last one, notices, and the outcome of a move."""

    entries: Sequence[bytes] = ()
    head: str = ""
    notices: Sequence[bytes] = ()
    move: str = ""
    outcome: bytes = b""


class Changes(msgspec.Struct, frozen=True):
    """Changes of a game, one on top of the other, the first on top of this version."""

    game: str
    version: int
    changes: Sequence[Change]
    before: bytes = b""
    """That version's entry, where it is known."""


class PendingWork(msgspec.Struct, frozen=True):
    """Moves to judge and notices to deliver in a game, and the entries that are new to the caller."""

    submissions: list[Submission]
    """Moves that wait for a judgement, first come first."""
    notices: list[bytes]
    """To be told."""
    news: list[Stored]
    """What the log has from the last entry on that the asker knew."""


class SameKeyOtherMove(Exception):
    """The idempotency key was used before, for something else."""
