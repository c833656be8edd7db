"""One game as its log tells it: who sits where, and the position on the board."""

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from marketpost.play.log.actions import Contributed, Ended, Ending, Linked, Moved, ProposalKind, SeatPlan, TimeControl
from marketpost.rules.chance import Domain, Sealed, mix, shuffle
from marketpost.rules.records import Played
from marketpost.rules.ruleset import Ruleset, Setting
from marketpost.store.changes import Invitation, Stored


class GameStatus(StrEnum):
    """Where a game stands; also the names of the lists it is on."""

    OPEN = "open"
    """Seats are free, or somebody has not accepted yet."""
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
    """A seat's time: running towards a moment, or standing with what is saved."""

    since: int
    """When the decision became this seat's."""
    by: int
    """0 while it stands."""
    bank: int
    reminded: int = 0
    outage: int = 0
    """The end of the last outage that was given back."""
    vacation: int = 0
    """The last change of the player's vacation that was counted."""


@dataclass(frozen=True, slots=True)
class Before:
    """How the times stood when a move came, so that taking it back gains nobody time."""

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
    id: str
    version: int = 0
    head: str = ""
    """The hash of the newest entry."""
    last: bytes = field(default=b"", repr=False)
    """The newest entry as it lies in the log."""
    rules: Ruleset[Any] = field(init=False)
    setting: Setting = field(init=False)
    seats: list[SeatPlan] = field(default_factory=list)
    host: str = ""
    public: bool = False
    seal: str = ""
    """The commitment: the SHA-256 of the secret."""
    scheme: int = 1
    """How chance comes from the secret."""
    words: dict[int, Contributed] = field(default_factory=dict)
    """What each seat has contributed to chance. Fixed when the game begins."""
    shuffled: bool = False
    """Chance seats everybody anew when the game begins."""
    created: int = 0
    changed: int = 0
    state: Any = None
    secret: str | None = None
    """Known once the game is over."""
    imported: bool = False
    began_with: tuple[str | None, ...] = ()
    """Who sat where when the game began; `None` for a bot."""
    over_at: int = 0
    """When the secret was revealed."""
    history: list[tuple[int, Played]] = field(default_factory=list)
    """What was played and by which version, for undo and for the record."""
    done: set[str] = field(default_factory=set)
    """What mails asked for, beside moves, and got."""
    stood: dict[int, Moved] = field(default_factory=dict)
    """Moves that standing orders made, by version."""
    told: int = 0
    """The last version that was taken from a record; nobody can take it back."""
    undos: list[tuple[int, int]] = field(default_factory=list)
    """Versions that took back what others had seen, and to which version each went back."""
    proposal: Proposal | None = None
    offers: dict[int, str] = field(default_factory=dict)
    """Seats that are offered to somebody else."""
    links: dict[int, Linked] = field(default_factory=dict)
    """Those that open something, by their numbers."""
    ended: Ended | None = None
    """How the table ended the game, if it was not played out."""
    clock: TimeControl | None = None
    times: dict[int, SeatTime] = field(default_factory=dict)
    """By seat; only people have one, and only in a game with a clock."""
    stand_ins: dict[int, tuple[int, str]] = field(default_factory=dict)
    """Seats whose time was up: until which turn is over a bot plays for them, and which."""
    absent: dict[int, Absent] = field(default_factory=dict)
    earlier: list[Before] = field(default_factory=list)
    """The times before each move; kept only in a game with a clock."""

    @property
    def status(self) -> GameStatus:
        if self.ended:
            return GameStatus.OVER
        if self.state is None:
            return GameStatus.OPEN
        return GameStatus.OVER if self.rules.winners(self.state) else GameStatus.RUNNING

    @property
    def winners(self) -> tuple[int, ...]:
        """Empty while the game runs, and where it ended without a result."""
        if self.ended:
            return self.ended.winners
        return tuple(self.rules.winners(self.state)) if self.state is not None else ()

    @property
    def how_ended(self) -> Ending | None:
        """None before the end."""
        if self.ended:
            return self.ended.how
        return Ending.PLAYED if self.status == GameStatus.OVER else None

    @property
    def stamp(self) -> str:
        """The rules that judge in this game: those it began under, also when there are newer ones."""
        return f"{self.rules.name} {self.rules.version}"

    @property
    def deciders(self) -> tuple[int, ...]:
        return tuple(self.rules.deciders(self.state)) if self.status == GameStatus.RUNNING else ()

    @property
    def played(self) -> list[Played]:
        return [played for _, played in self.history]

    def seat_of(self, player: str | None) -> int | None:
        """Where this player sits; for one who holds several seats, the one that must decide."""
        held = self.seats_of(player) if player is not None else []
        return next((seat for seat in held if seat in self.deciders), held[0] if held else None)

    def seat_since(self, seat: int | None, version: int | None, player: str) -> int | None:
        """Where the player of a letter of that version sits now: when the game began, chance may have seated everybody anew."""
        seated_anew = self.shuffled and bool(self.history) and (version or 0) < self.history[0][0]
        return self.seat_of(player) if seated_anew and seat is not None else seat

    def seats_of(self, player: str) -> list[int]:
        return [number for number, seat in enumerate(self.seats) if seat.player == player]

    @property
    def people(self) -> set[str]:
        """Everyone at the table, those who are asked to come, who lost a seat to a bot, and the host."""
        seated = {player for seat in self.seats for player in (seat.player, seat.invited) if player}
        return seated | {self.host, *self.offers.values(), *(gone.player for gone in self.absent.values())}

    def may_see(self, player: str) -> bool:
        return self.public or player in self.people

    def offered_to(self, player: str) -> int | None:
        return next((seat for seat, to in self.offers.items() if to == player), None)

    def asked_by(self, proposal: Proposal) -> set[str]:
        """Who has still to say yes to it. Bots have no opinion."""
        heard = {self.seats[seat].player for seat in (proposal.seat, *proposal.agreed)}
        return {seat.player for seat in self.seats if seat.player and seat.player not in heard}

    def bot_for(self, seat: int, state: Any = None) -> str | None:
        """The bot that decides in this seat, be it for this turn only."""
        if self.seats[seat].bot or not self.stand_ins:
            return self.seats[seat].bot
        turn, bot = self.stand_ins.get(seat, (-1, None))
        return bot if turn == (self.state if state is None else state).turn else None

    def chance(self, secret: bytes, domain: Domain, drawn: int = 0) -> Sealed:
        """The outcomes of this domain after so many of them."""
        return Sealed(secret, self.id, drawn) if self.scheme == 1 else Sealed(self._mixed(secret), domain, drawn)

    def bot_chance(self, secret: bytes, occasion: str) -> Sealed:
        """What a bot decides by on this occasion. It tells the bot nothing about the outcomes to come."""
        return Sealed(self._mixed(secret), f"{Domain.BOT}|{occasion}")

    def _mixed(self, secret: bytes) -> bytes:
        return mix(secret, self.id, (each.word for each in self.words.values()))

    def drawn_order(self, secret: bytes) -> tuple[int, ...]:
        """The seats as chance draws them when the game begins; empty if they stay as they are.

        They are drawn from a list sorted by who sits there: which of two players came first decides nothing.
        """
        sitting = sorted(range(len(self.seats)), key=lambda seat: (self.seats[seat].player or "", self.seats[seat].bot or "", seat))
        return shuffle(self.chance(secret, Domain.SEATS), sitting) if self.shuffled else ()

    def ends_with(self, stored: Stored) -> bool:
        """Whether this is the last entry that it took in."""
        return (self.version, self.last) == (stored.version, stored.data)

    def copy(self) -> "Game":
        """One that can go on from here, while this one stays as it is."""
        then = copy.copy(self)
        then.state = self.state.copy() if self.state is not None else None
        then.seats, then.history, then.earlier, then.done = self.seats.copy(), self.history.copy(), self.earlier.copy(), self.done.copy()
        then.words = self.words.copy()
        then.times, then.stand_ins, then.absent = self.times.copy(), self.stand_ins.copy(), self.absent.copy()
        then.offers, then.links, then.undos, then.stood = self.offers.copy(), self.links.copy(), self.undos.copy(), self.stood.copy()
        return then

    @property
    def has_references(self) -> bool:
        """Whether a seat is kept for or offered to somebody whom the log only refers to."""
        asked = (*(seat.invited for seat in self.seats), *self.offers.values())
        return any(each is not None and each.startswith(Invitation.PREFIX) for each in asked)

    def naming(self, people: Mapping[str, str]) -> "Game":
        """The same with the players behind these references; this one stays as it is."""
        then = self.copy()
        then.seats = [SeatPlan(invited=people.get(seat.invited, seat.invited)) if seat.invited else seat for seat in self.seats]
        then.offers = {seat: people.get(to, to) for seat, to in self.offers.items()}
        return then

    def before(self, back_to: int) -> Before | None:
        """How the times stood when that version was left by a move."""
        return next((each for each in self.earlier if each.version > back_to), None)
