"""A table as its players understand it: seats, turns, undo, proposals and clocks, in one process and without a store.

The rules judge orders; everything around them is written here a second time, from what the documents promise.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from marketpost.rules.chance import Domain, Sealed, mix
from marketpost.rules.ruleset import Ruleset, Setting

Occupant = tuple[str, str]
"""`person`, `invited`, `bot` or `open`, and whose it is."""
OPEN: Occupant = ("open", "")
BOT: Occupant = ("bot", "")


@dataclass(frozen=True, slots=True)
class ModelDeadline:
    """A person must decide by a moment; `since` tells one decision from another."""

    by: int
    since: int


@dataclass(frozen=True, slots=True)
class ModelMove:
    """A move that was not undone, and what it changed."""

    seat: int
    before: Any
    has_due: bool
    """Whether something followed that nobody decided."""
    at: int
    times: dict[int, ModelDeadline]
    stand_ins: dict[int, int]


@dataclass(frozen=True, slots=True)
class ModelProposal:
    what: str
    seat: int
    keeps: int | None
    """Of an undo: how many moves are left."""
    agreed: frozenset[int] = frozenset()


class Wrong(Exception):
    """Raised where the service must refuse, with the code."""

    @property
    def code(self) -> str:
        return str(self.args[0])


@dataclass
class TableModel:
    """One game. Times are milliseconds."""

    rules: Ruleset[Any]
    setting: Setting
    host: str
    seats: list[Occupant]
    per_decision: int = 0
    """0 for a game without a clock."""
    at_zero: str = "bot-plays"
    state: Any = None
    ended: str = ""
    key: bytes = b""
    moves: list[ModelMove] = field(default_factory=list)
    applied: int = 0
    """All moves in the log, undone or not."""
    proposal: ModelProposal | None = None
    absent: dict[int, tuple[str, bool]] = field(default_factory=dict)
    """Who lost a seat to a bot because time was up, and whether they may return."""
    stand_ins: dict[int, int] = field(default_factory=dict)
    """The turn in which a bot stands in for a person."""
    times: dict[int, ModelDeadline] = field(default_factory=dict)

    # What is so

    @property
    def status(self) -> str:
        if self.ended or (self.state is not None and self.rules.winners(self.state)):
            return "over"
        return "open" if self.state is None else "running"

    @property
    def deciders(self) -> tuple[int, ...]:
        return tuple(self.rules.deciders(self.state)) if self.status == "running" else ()

    def seat_of(self, person: str) -> int | None:
        return self.seats.index(("person", person)) if ("person", person) in self.seats else None

    def decides(self, person: str) -> bool:
        return self.seat_of(person) in self.deciders

    def has_bot(self, seat: int) -> bool:
        """Whether a bot decides in this seat, for good or for this turn."""
        return self.seats[seat] == BOT or (self.state is not None and self.stand_ins.get(seat) == self.state.turn)

    def asked(self) -> set[str]:
        """Those whose yes the proposal still needs."""
        if not self.proposal:
            return set()
        heard = {self.seats[seat] for seat in (self.proposal.seat, *self.proposal.agreed)}
        return {whose for kind, whose in self.seats if kind == "person" and (kind, whose) not in heard}

    @property
    def is_full(self) -> bool:
        return self.state is None and not self.ended and all(kind in ("person", "bot") for kind, _ in self.seats)

    # Before the beginning

    def join(self, person: str) -> None:
        if self.seat_of(person) is not None:
            return
        if self.ended:
            raise Wrong("not-running")
        wanted = [("invited", person), OPEN]
        seat = next((self.seats.index(each) for each in wanted if each in self.seats), None)
        if seat is None or self.status != "open":
            raise Wrong("no-free-seat" if self.status == "open" else "already-started")
        self.seats[seat] = ("person", person)

    def decline(self, person: str) -> None:
        if self.status == "open":
            self.seats = [OPEN if each == ("invited", person) else each for each in self.seats]

    def leave(self, person: str) -> None:
        if self.status != "open":
            raise Wrong("already-started")
        self.seats = [OPEN if each == ("person", person) else each for each in self.seats]

    def fill(self, person: str) -> None:
        self._check_host(person)
        if self.seat_of(person) is None:
            raise Wrong("not-your-game")
        self.seats = [each if each[0] == "person" else BOT for each in self.seats]

    def cancel(self, person: str) -> None:
        if self.ended == "cancelled" and person == self.host:
            return
        self._check_host(person)
        self.ended = "cancelled"

    def _check_host(self, person: str) -> None:
        if person != self.host:
            raise Wrong("not-the-host")
        if self.status != "open":
            raise Wrong("already-started")

    def begin(self, game: str, secret: bytes, words: Sequence[str], now: int) -> None:
        """Deal, by the secret and the words of the seats."""
        self.key = mix(secret, game, words)
        chance = Sealed(self.key, Domain.DEAL)
        self.state = self.rules.fold(self.rules.start(self.setting, chance))
        self._apply(self.rules.proceed(self.state, chance))
        self._set_times(now, -1, [])

    # Moves

    def play(self, seat: int, orders: str, now: int) -> str:
        """Judge orders; returns the code of their refusal, empty if they were applied to the end."""
        if self.ended:
            return "game-over"
        chance = Sealed(self.key, Domain.DRAW, self.state.drawn)
        verdict = self.rules.judge(self.state, seat, orders, chance)
        code = verdict.refusal.code if verdict.refusal else ""
        if code and not verdict.events:
            return code
        turn, seats = self.state.turn, list(self.seats)
        before, times = self.state.copy(), dict(self.times)
        self._apply(verdict.events)
        due = [] if self.rules.winners(self.state) else list(self.rules.proceed(self.state, chance))
        self._apply(due)
        self.moves.append(ModelMove(seat, before, bool(due), now, times, dict(self.stand_ins)))
        self.applied, self.proposal = self.applied + 1, None
        self._set_times(now, turn, seats)
        return code

    def _apply(self, events: Any) -> None:
        for event in events:
            event.apply(self.state)

    # Agreements

    def undo(self, person: str, now: int) -> None:
        seat = self._own_seat(person)
        place = next((number for number in reversed(range(len(self.moves))) if self.moves[number].seat == seat), None)
        if place is None:
            raise Wrong("nothing-to-undo")
        if self._is_free(seat):
            self._go_back(place, now)
        else:
            self._propose(ModelProposal("undo", seat, place), now)

    def _is_free(self, seat: int) -> bool:
        """Whether the last move is this seat's, the turn is still theirs, and chance has shown nothing."""
        last = self.moves[-1]
        same_turn = last.seat == seat and not last.has_due and seat in self.deciders and last.before.turn == self.state.turn
        return bool(same_turn and last.before.drawn == self.state.drawn)

    def propose(self, person: str, what: str, now: int) -> None:
        self._propose(ModelProposal(what, self._own_seat(person), None), now)

    def _propose(self, mine: ModelProposal, now: int) -> None:
        standing = self.proposal
        if standing and (standing.what, standing.keeps) != (mine.what, mine.keeps):
            raise Wrong("proposal-open")
        if standing:
            self._say_yes(mine.seat, now)
            return
        self.proposal = mine
        self._carry_out_if_agreed(now)

    def agree(self, person: str, now: int, *, right_number: bool) -> None:
        seat = self._own_seat(person)
        if not self.proposal or not right_number:
            raise Wrong("no-such-proposal")
        self._say_yes(seat, now)

    def disagree(self, person: str, now: int, *, right_number: bool) -> None:
        self._own_seat(person)
        if not self.proposal or not right_number:
            raise Wrong("no-such-proposal")
        self.proposal = None

    def _say_yes(self, seat: int, now: int) -> None:
        if self.proposal and self.seats[seat][1] in self.asked():
            self.proposal = replace(self.proposal, agreed=self.proposal.agreed | {seat})
            self._carry_out_if_agreed(now)

    def _carry_out_if_agreed(self, now: int) -> None:
        if not self.proposal or self.asked():
            return
        what, keeps = self.proposal.what, self.proposal.keeps
        self.proposal = None
        if what == "undo":
            self._go_back(keeps or 0, now)
        else:
            self.ended = {"draw": "draw", "abandon": "abandoned"}[what]

    def _go_back(self, keeps: int, now: int) -> None:
        """Set everything back to the position before a move: each seat has the time that it had then."""
        first = self.moves[keeps]
        self.state, self.stand_ins, self.proposal = first.before.copy(), dict(first.stand_ins), None
        del self.moves[keeps:]
        times: dict[int, ModelDeadline] = {}
        for seat in self._waiting():
            then, runs = first.times.get(seat), self.times.get(seat)
            if runs and then and runs.since == then.since:
                times[seat] = runs
                continue
            left = min(self.per_decision, then.by - first.at) if then else self.per_decision
            times[seat] = ModelDeadline(now + max(0, left), now)
        self.times = times

    def resign(self, person: str, now: int) -> None:
        seat, seats = self._own_seat(person), list(self.seats)
        self.seats[seat], self.proposal = BOT, None
        self._end_if_deserted()
        self._set_times(now, self.state.turn, seats)

    def come_back(self, person: str, now: int) -> None:
        if self.status != "running":
            raise Wrong("not-running")
        lost = {seat: may for seat, (whose, may) in self.absent.items() if whose == person and self.seats[seat] == BOT}
        seat = next((seat for seat, may in lost.items() if may), None)
        if seat is None:
            if self.seat_of(person) is None:
                raise Wrong("out-of-time" if lost else "not-your-game")
            return
        seats = list(self.seats)
        if seat in self.deciders:
            self.stand_ins[seat] = self.state.turn
        self.seats[seat] = ("person", person)
        del self.absent[seat]
        self._set_times(now, self.state.turn, seats)

    def _own_seat(self, person: str) -> int:
        seat = self.seat_of(person)
        if seat is None:
            raise Wrong("not-your-game")
        if self.status != "running":
            raise Wrong("not-running")
        return seat

    def _end_if_deserted(self) -> None:
        if not any(kind == "person" for kind, _ in self.seats) and not any(may for _, may in self.absent.values()):
            self.ended, self.proposal = "abandoned", None

    # Time

    def _waiting(self) -> list[int]:
        """The seats whose time runs."""
        people = [seat for seat in self.deciders if self.seats[seat][0] == "person" and not self.has_bot(seat)]
        return people if self.per_decision else []

    def _set_times(self, now: int, turn: int, seats: list[Occupant]) -> None:
        """Give new time for a new decision; one that goes on in the same turn by the same person keeps its own."""
        goes_on = {seat for seat in self.times if self.state.turn == turn and seats[seat] == self.seats[seat]}
        fresh = ModelDeadline(now + self.per_decision, now)
        self.times = {seat: self.times[seat] if seat in goes_on else fresh for seat in self._waiting()}

    def time_out(self, now: int) -> bool:
        """Do the first thing that is due; False if nothing is."""
        seat = next((seat for seat in sorted(self.times) if self.times[seat].by <= now), None)
        if seat is None or self.status != "running":
            return False
        del self.times[seat]
        if self.at_zero == "bot-plays":
            self.stand_ins[seat] = self.state.turn
            return True
        seats = list(self.seats)
        self.absent[seat] = (self.seats[seat][1], self.at_zero == "bot-takes")
        self.seats[seat] = BOT
        self._end_if_deserted()
        self._set_times(now, self.state.turn, seats)
        return True

    def outage(self, start: int, end: int) -> None:
        """Give back the time in which nobody was at work."""
        for seat, time in self.times.items():
            if time.by > start:
                self.times[seat] = replace(time, by=time.by + end - max(start, time.since))
