"""Entries of a game's log. Each carries the hash of the one before it, so that nobody can change the past unseen."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from store.entries import Stored

BOT_PLAYS, BOT_TAKES, OUT = "bot-plays", "bot-takes", "out"
"""What happens when a player's time is up: a bot plays this turn, or takes the seat until the player comes back, or for good."""
AT_ZERO = (BOT_PLAYS, BOT_TAKES, OUT)
OUTAGE, VACATION = "outage", "vacation"


class Deed(msgspec.Struct, frozen=True, array_like=True):
    """What somebody did at the table, beside the game's own events."""


class SeatPlan(msgspec.Struct, frozen=True, array_like=True):
    """Who may sit here: a player, an invited player, a bot, or whoever comes."""

    player: str | None = None
    invited: str | None = None
    bot: str | None = None


class Clock(msgspec.Struct, frozen=True, array_like=True):
    """How long each may think. Times in milliseconds of playing time."""

    per_decision: int
    bank: int = 0
    """Time saved is kept up to this much."""
    weekends: bool = True
    """Whether they count."""
    quiet: tuple[int, int] | None = None
    """Hours that do not count, in the player's own timezone."""
    at_zero: str = BOT_PLAYS


class Asked(msgspec.Struct, frozen=True, array_like=True):
    """From this entry on a seat has to decide by a moment; or nobody waits for it any more, and this much is saved."""

    seat: int
    by: int
    """Milliseconds since 1970, UTC; 0 when nobody waits for it."""
    bank: int
    """How much of the time was saved earlier."""


class Opened(Deed, frozen=True, array_like=True, tag="opened"):
    rules: str
    board: str | dict[str, Any]
    edition: str | None
    options: dict[str, str]
    colours: tuple[str, ...]
    seats: tuple[SeatPlan, ...]
    host: str
    public: bool
    seal: str
    """The SHA-256 of the secret that all chance will come from."""
    imported: bool = False
    """Moves up to the start of play here were told by a record; their chance is not ours."""
    clock: Clock | None = None


class Joined(Deed, frozen=True, array_like=True, tag="joined"):
    seat: int
    player: str


class Left(Deed, frozen=True, array_like=True, tag="left"):
    seat: int


class Began(Deed, frozen=True, array_like=True, tag="began"):
    """All seats were filled: the game's opening, and what followed from it by itself."""

    events: msgspec.Raw
    due: int = 0
    """How many of the events, the last ones, followed from the opening, such as a set-up that was dealt."""


class Moved(Deed, frozen=True, array_like=True, gc=False, tag="moved"):
    seat: int
    move: str
    orders: str
    """As the player wrote them."""
    events: msgspec.Raw
    due: int = 0
    """How many of the events, the last ones, happened without anybody's decision, such as a roll."""
    told: bool = False
    """Taken from a record that was imported."""
    standing: bool = False
    """Made by the player's standing orders."""


class Resigned(Deed, frozen=True, array_like=True, tag="resigned"):
    """A bot plays on in this seat."""

    seat: int
    bot: str


class Undone(Deed, frozen=True, array_like=True, tag="undone"):
    """The position is again what it was after that version. Nothing is erased."""

    seat: int
    back_to: int
    agreed: bool = False
    """The others said yes to it; otherwise it was free."""


class Proposed(Deed, frozen=True, array_like=True, tag="proposed"):
    """An `undo`, a `draw` or to `abandon` the game. Its number is the version of its entry. Any move makes it lapse."""

    seat: int
    what: str
    back_to: int | None = None
    """For an undo: the version whose position is wanted."""


class Agreed(Deed, frozen=True, array_like=True, tag="agreed"):
    seat: int
    number: int


class Disagreed(Deed, frozen=True, array_like=True, tag="disagreed"):
    """One no ends a proposal."""

    seat: int
    number: int


class Ended(Deed, frozen=True, array_like=True, tag="ended"):
    """The table ended the game, not its rules."""

    how: str
    """`cancelled` before it began, `abandoned` without a result, or a `draw`."""
    winners: tuple[int, ...] = ()


class Offered(Deed, frozen=True, array_like=True, tag="offered"):
    """A seat is offered to somebody, who has to accept it; `None` when the offer is off."""

    seat: int
    player: str | None


class HandedOver(Deed, frozen=True, array_like=True, tag="handed-over"):
    """Somebody else, or a bot, plays on in this seat."""

    seat: int
    to: SeatPlan


class Linked(Deed, frozen=True, array_like=True, tag="linked"):
    """Whoever has the link may take a free `seat`, or `look`. Its key follows from the version of this entry and is not told here."""

    what: str
    player: str


class Unlinked(Deed, frozen=True, array_like=True, tag="unlinked"):
    """The link made by that version opens nothing any more."""

    number: int


class Postponed(Deed, frozen=True, array_like=True, tag="postponed"):
    """The seat has to decide by another moment now, for a reason that lies outside the game."""

    seat: int
    by: int
    why: str
    """An outage, or a vacation that was taken, changed or ended."""
    reckoned: int
    """The moment of what was the reason: the end of the outage, the change of the vacation. It is reckoned once."""


class Reminded(Deed, frozen=True, array_like=True, tag="reminded"):
    seat: int
    nth: int
    """1 when half of the time is left, 2 when a tenth is."""


class TimedOut(Deed, frozen=True, array_like=True, tag="timed-out"):
    seat: int
    what: str
    """As the game's clock says."""
    bot: str


class Returned(Deed, frozen=True, array_like=True, tag="returned"):
    """A player whose seat a bot had taken plays on, from the next turn on."""

    seat: int
    player: str


class Revealed(Deed, frozen=True, array_like=True, tag="revealed"):
    """The game is over: everyone can check the chance."""

    secret: str


AnyDeed = (
    Opened
    | Joined
    | Left
    | Began
    | Moved
    | Resigned
    | Undone
    | Proposed
    | Agreed
    | Disagreed
    | Ended
    | Offered
    | HandedOver
    | Linked
    | Unlinked
    | Revealed
    | Postponed
    | Reminded
    | TimedOut
    | Returned
)
Done = tuple[list[AnyDeed], list[bytes]]
"""What a change writes to the log, and the notices of it."""


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
