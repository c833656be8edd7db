"""One game as its log tells it: who sits where, and the position on the board."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from play.log import Began, Entry, Joined, Left, Moved, Opened, Resigned, Revealed, SeatPlan, Undone, read
from rules.records import Played
from rules.ruleset import Ruleset, Setting, ruleset
from store.games import Stored

RULES_VERSION = 1


@dataclass(slots=True)
class Game:
    id: str
    version: int = 0
    head: str = ""
    """The hash of the newest entry."""
    rules: Ruleset[Any] = field(init=False)
    setting: Setting = field(init=False)
    seats: list[SeatPlan] = field(default_factory=list)
    host: str = ""
    public: bool = False
    seal: str = ""
    created: int = 0
    changed: int = 0
    state: Any = None
    secret: str | None = None
    """Known once the game is over."""
    imported: bool = False
    history: list[tuple[int, Played]] = field(default_factory=list)
    """What was played and by which version, for undo and for the record."""

    @property
    def status(self) -> str:
        if self.state is None:
            return "open"
        return "over" if self.rules.winners(self.state) else "running"

    @property
    def stamp(self) -> str:
        return f"{self.rules.name} {RULES_VERSION}"

    @property
    def deciders(self) -> tuple[int, ...]:
        return tuple(self.rules.deciders(self.state)) if self.status == "running" else ()

    @property
    def played(self) -> list[Played]:
        return [played for _, played in self.history]

    def seat_of(self, player: str | None) -> int | None:
        """Where this player sits; for one who holds several seats, the one that must decide."""
        held = [number for number, seat in enumerate(self.seats) if player is not None and seat.player == player]
        return next((seat for seat in held if seat in self.deciders), held[0] if held else None)

    def may_see(self, player: str) -> bool:
        return self.public or self.host == player or any(player in (seat.player, seat.invited) for seat in self.seats)

    def follow(self, stored: Iterable[Stored]) -> "Game":
        """Take in what was added to the log since."""
        for entry, own_hash in read(self.id, stored, self.version, self.head):
            self._take(entry)
            self.version, self.head, self.changed = entry.version, own_hash, entry.at
        return self

    def _take(self, entry: Entry) -> None:
        match entry.deed:
            case Opened():
                self._open(entry.deed, entry.at)
            case Joined(seat, player):
                self.seats[seat] = SeatPlan(player=player)
            case Left(seat):
                self.seats[seat] = SeatPlan()
            case Began(events):
                self.state = self.rules.blank()
                self._play(entry.version, None, self.rules.decode(events))
            case Moved(seat, _, _, events, due):
                self._play(entry.version, seat, self.rules.decode(events))
                self._play(entry.version, None, self.rules.decode(due))
            case Resigned(seat, bot):
                self.seats[seat] = SeatPlan(bot=bot)
            case Undone(_, back_to):
                self._go_back(back_to)
            case Revealed(secret):
                self.secret = secret

    def _open(self, deed: Opened, at: int) -> None:
        self.rules = ruleset(deed.rules)
        self.setting = Setting(deed.colours, deed.board, deed.edition, deed.options)
        self.seats, self.host, self.public = list(deed.seats), deed.host, deed.public
        self.seal, self.imported, self.created = deed.seal, deed.imported, at

    def _play(self, version: int, seat: int | None, events: Sequence[Any]) -> None:
        if not events:
            return
        for event in events:
            event.apply(self.state)
        self.history.append((version, Played(seat, events)))

    def _go_back(self, version: int) -> None:
        self.history = [(number, played) for number, played in self.history if number <= version]
        self.state = self.rules.fold([event for played in self.played for event in played.events])
