"""One game as folded from its log: who has which seat, and the position on the board."""

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from marketpost.play.log.actions import Contributed, Ended, Ending, Hinted, HintRule, Linked, Moved, ProposalKind, SeatPlan, TimeControl
from marketpost.rules.chance import DUPLICATE_SCHEME, Domain, Sealed, duplicate_key, mix, shuffle
from marketpost.rules.records import Played
from marketpost.rules.ruleset import Ruleset, Setting
from marketpost.store.changes import Invitation, Stored


class GameStatus(StrEnum):
    """Status of a game; also the names of the lists it is on."""

    OPEN = "open"
    """Seats are free, or invited players have not joined yet."""
    RUNNING = "running"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Proposal:
    """What one player asks all others to agree to."""

    number: int
    seat: int
    what: ProposalKind
    back_to: int | None = None
    agreed: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SeatTime:
    """The time of a seat: running towards a deadline, or stopped with a bank."""

    since: int
    """When this seat had to decide first."""
    by: int
    """Deadline; 0 while the time is stopped."""
    bank: int
    reminded: int = 0
    outage: int = 0
    """End of the last outage that was counted."""
    vacation: int = 0
    """Last change of the player's vacation that was counted."""
    moved: int = 0
    """How often the deadline was moved."""


@dataclass(frozen=True, slots=True)
class Before:
    """The times before a move, so that undoing it gains nobody time."""

    version: int
    at: int
    times: dict[int, SeatTime]
    stand_ins: dict[int, tuple[int, str]]


@dataclass(frozen=True, slots=True)
class Absent:
    """A player who lost the seat to a bot because their time was up."""

    player: str
    may_return: bool


@dataclass(slots=True)
class Game:
    """A game: the fold of its log."""

    id: str
    version: int = 0
    head: str = ""
    """The hash of the newest entry."""
    last: bytes = field(default=b"", repr=False)
    """The newest entry, encoded."""
    rules: Ruleset[Any] = field(init=False)
    setting: Setting = field(init=False)
    seats: list[SeatPlan] = field(default_factory=list)
    host: str = ""
    name: str = ""
    """What the host calls it; empty for nothing."""
    listed: bool = False
    """Whether the game was opened for everybody to see."""
    seal: str = ""
    """The commitment: the SHA-256 of the secret."""
    scheme: int = 1
    """How chance comes from the secret: 1 from it alone, 2 mixed with contributed words, 3 the same at all duplicate tables."""
    words: dict[int, Contributed] = field(default_factory=dict)
    """What each seat has contributed to chance, until the game began."""
    shuffled: bool = False
    """Whether chance draws the order of seats when the game begins."""
    competition: str = ""
    """Id of the competition that the game is a table of; empty for none."""
    found: bool = False
    """Whether it was opened for players who searched for a game."""
    hint_rule: HintRule = HintRule.AGAINST_BOTS
    hints_asked: dict[tuple[int, int], int] = field(default_factory=dict)
    """Versions of the requests for hints, by position and seat."""
    hints: dict[int, Hinted] = field(default_factory=dict)
    """Hints that were given, by version."""
    created: int = 0
    changed: int = 0
    state: Any = None
    secret: str | None = None
    """None until the game is over."""
    imported: bool = False
    began_with: tuple[str | None, ...] = ()
    """Player of each seat when the game began; `None` for a bot."""
    over_at: int = 0
    """When the secret was revealed."""
    history: list[tuple[int, Played]] = field(default_factory=list)
    """What was played by which version and not undone."""
    done: set[str] = field(default_factory=set)
    """Inbound messages and idempotency keys whose actions, beside moves, are in the log."""
    stood: dict[int, Moved] = field(default_factory=dict)
    """Moves that standing orders and orders ahead made, by version."""
    set_backs: list[tuple[int, int]] = field(default_factory=list)
    """Versions that undid something, and the version that each went back to."""
    told: int = 0
    """The last version that comes from an imported record; it cannot be undone."""
    undos: list[tuple[int, int]] = field(default_factory=list)
    """Versions that undid what others had seen, and the version that each went back to."""
    proposal: Proposal | None = None
    offers: dict[int, str] = field(default_factory=dict)
    """Players whom seats are offered to, by seat."""
    links: dict[int, Linked] = field(default_factory=dict)
    """Links that are not revoked, by their numbers."""
    ended: Ended | None = None
    """How the players ended the game before its rules did."""
    clock: TimeControl | None = None
    times: dict[int, SeatTime] = field(default_factory=dict)
    """Times of people's seats, in a game with a clock."""
    stand_ins: dict[int, tuple[int, str]] = field(default_factory=dict)
    """Turn and bot of each seat whose time was up: the bot decides until that turn is over."""
    absent: dict[int, Absent] = field(default_factory=dict)
    earlier: list[Before] = field(default_factory=list)
    """The times before each move, in a game with a clock."""

    @property
    def status(self) -> GameStatus:
        """Open, running or over."""
        if self.ended:
            return GameStatus.OVER
        if self.state is None:
            return GameStatus.OPEN
        return GameStatus.OVER if self.rules.winners(self.state) else GameStatus.RUNNING

    @property
    def winners(self) -> tuple[int, ...]:
        """The winning seats; none while the game runs, and where it ended without a result."""
        if self.ended:
            return self.ended.winners
        return tuple(self.rules.winners(self.state)) if self.state is not None else ()

    @property
    def how_ended(self) -> Ending | None:
        """How the game ended; None before the end."""
        if self.ended:
            return self.ended.how
        return Ending.PLAYED if self.status == GameStatus.OVER else None

    @property
    def stamp(self) -> str:
        """Name and version of the rules that judge in this game: those it began under, also when there are newer ones."""
        return f"{self.rules.name} {self.rules.version}"

    @property
    def deciders(self) -> tuple[int, ...]:
        """The seats whose decision the game waits for."""
        return tuple(self.rules.deciders(self.state)) if self.status == GameStatus.RUNNING else ()

    @property
    def played(self) -> list[Played]:
        """All that was played and not undone, in order."""
        return [played for _, played in self.history]

    @property
    def position(self) -> int:
        """The version that made the present position; an undo leads back to an earlier one."""
        return self.history[-1][0] if self.history else 0

    def hint_for(self, seat: int) -> Hinted | None:
        """Find the hint that a seat was given in the present position."""
        return next((hint for hint in self.hints.values() if (hint.position, hint.seat) == (self.position, seat)), None)

    def awaits_hint(self, seat: int) -> bool:
        """Whether a hint in the present position was asked for and not given yet."""
        return (self.position, seat) in self.hints_asked and self.hint_for(seat) is None

    def is_as_after(self, version: int) -> bool:
        """Whether nothing but requests for hints and hints came after a version: orders for that version are not stale."""
        about_hints = {*self.hints, *self.hints_asked.values()}
        return version <= self.version and all(each in about_hints for each in range(version + 1, self.version + 1))

    def seat_of(self, player: str | None) -> int | None:
        """Find the seat of a player; of several the one that must decide."""
        held = self.seats_of(player) if player is not None else []
        return next((seat for seat in held if seat in self.deciders), held[0] if held else None)

    def seat_since(self, seat: int | None, version: int | None, player: str) -> int | None:
        """Find the seat that a letter of that version is about now: chance may have changed all seats when the game began."""
        seated_anew = self.shuffled and bool(self.history) and (version or 0) < self.history[0][0]
        return self.seat_of(player) if seated_anew and seat is not None else seat

    def seats_of(self, player: str) -> list[int]:
        """List the seats of a player."""
        return [number for number, seat in enumerate(self.seats) if seat.player == player]

    @property
    def is_duplicate(self) -> bool:
        """Whether the same draws come at other tables, so that the end of this one does not reveal its secret."""
        return self.scheme == DUPLICATE_SCHEME

    @property
    def is_sealed(self) -> bool:
        """Whether only its players may see the game, because others may still play a table with the same draws."""
        return self.is_duplicate and self.secret is None

    @property
    def public(self) -> bool:
        """Whether everybody may see the game."""
        return self.listed and not self.is_sealed

    @property
    def people(self) -> set[str]:
        """All players who are seated, invited or offered a seat, who lost a seat to a bot, and the host."""
        seated = {player for seat in self.seats for player in (seat.player, seat.invited) if player}
        return seated | {self.host, *self.offers.values(), *(gone.player for gone in self.absent.values())}

    def may_see(self, player: str) -> bool:
        """Whether a player may see the game."""
        return self.public or player in self.people

    def offered_to(self, player: str) -> int | None:
        """Find the seat that is offered to a player."""
        return next((seat for seat, to in self.offers.items() if to == player), None)

    def asked_by(self, proposal: Proposal) -> set[str]:
        """List the players who must still agree to a proposal; bots are not asked."""
        heard = {self.seats[seat].player for seat in (proposal.seat, *proposal.agreed)}
        return {seat.player for seat in self.seats if seat.player and seat.player not in heard}

    def bot_for(self, seat: int, state: Any = None) -> str | None:
        """Name the bot that decides in this seat, for good or for this turn; None for a person."""
        if self.seats[seat].bot or not self.stand_ins:
            return self.seats[seat].bot
        turn, bot = self.stand_ins.get(seat, (-1, None))
        return bot if turn == (self.state if state is None else state).turn else None

    def chance(self, secret: bytes, domain: Domain, drawn: int = 0) -> Sealed:
        """The chance of this domain after so many draws."""
        return Sealed(secret, self.id, drawn) if self.scheme == 1 else Sealed(self._mixed(secret), domain, drawn)

    def bot_chance(self, secret: bytes, occasion: str) -> Sealed:
        """The chance that a bot uses on this occasion. It is independent of the draws to come, so the bot learns nothing of them."""
        return Sealed(self._mixed(secret), f"{Domain.BOT}|{occasion}")

    def _mixed(self, secret: bytes) -> bytes:
        if self.is_duplicate:
            return duplicate_key(secret, self.competition)
        return mix(secret, self.id, (each.word for each in self.words.values()))

    def drawn_order(self, secret: bytes) -> tuple[int, ...]:
        """Draw the order of seats at the beginning; empty if they stay as they are.

        The seats are sorted by who has them before drawing, so that the order of joining has no influence.
        """
        sitting = sorted(range(len(self.seats)), key=lambda seat: (self.seats[seat].player or "", self.seats[seat].bot or "", seat))
        return shuffle(self.chance(secret, Domain.SEATS), sitting) if self.shuffled else ()

    def ends_with(self, stored: Stored) -> bool:
        """Whether this is the last entry that was folded into the game."""
        return (self.version, self.last) == (stored.version, stored.data)

    def copy(self) -> "Game":
        """Copy the game, so that the copy can be changed."""
        then = copy.copy(self)
        then.state = self.state.copy() if self.state is not None else None
        then.seats, then.history, then.earlier, then.done = self.seats.copy(), self.history.copy(), self.earlier.copy(), self.done.copy()
        then.words = self.words.copy()
        then.times, then.stand_ins, then.absent = self.times.copy(), self.stand_ins.copy(), self.absent.copy()
        then.offers, then.links, then.undos, then.stood = self.offers.copy(), self.links.copy(), self.undos.copy(), self.stood.copy()
        then.set_backs, then.hints, then.hints_asked = self.set_backs.copy(), self.hints.copy(), self.hints_asked.copy()
        return then

    @property
    def has_references(self) -> bool:
        """Whether a seat is reserved for or offered to an invitation, which the log names by a reference."""
        asked = (*(seat.invited for seat in self.seats), *self.offers.values())
        return any(each is not None and each.startswith(Invitation.PREFIX) for each in asked)

    def naming(self, people: Mapping[str, str]) -> "Game":
        """Copy the game with references to invitations replaced by these players."""
        then = self.copy()
        then.seats = [SeatPlan(invited=people.get(seat.invited, seat.invited)) if seat.invited else seat for seat in self.seats]
        then.offers = {seat: people.get(to, to) for seat, to in self.offers.items()}
        return then

    def before(self, back_to: int) -> Before | None:
        """Find the times before the first move after that version."""
        return next((each for each in self.earlier if each.version > back_to), None)
