"""What the verbs need from outside: the stores, the time, and a way to wake a worker."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from play.game import Game
from play.notices import Notice
from store.entries import Stored, Waiting
from store.games import Games
from store.heart import Heart
from store.index import Index
from store.people import People

MOST_REMEMBERED = 500


def now() -> int:
    return time.time_ns() // 1_000_000


@dataclass(slots=True)
class Ports:
    games: Games
    people: People
    index: Index
    kick: Callable[[str], None]
    """Tell the workers that there is something to do in this game. May fail silently: the sweeper finds it."""
    clock: Callable[[], int] = now
    tell: Callable[[Sequence[Notice]], None] = lambda notices: None
    """Pass notices from games' outboxes on to the people; told twice, each must stay one."""
    decided: Callable[[Sequence[tuple[str, str, float]]], None] = lambda moves: None
    """Count what became of moves, and how many seconds each took."""
    remembered: dict[str, Game] | None = None
    """Games as a worker saw them last. Never the truth: what the log has more is read before use. Not for threads."""
    secrets: dict[str, bytes] = field(default_factory=dict, repr=False)
    heart: Heart = field(init=False)

    def __post_init__(self) -> None:
        self.heart = Heart(self.games.redis)

    def at_work(self, ids: Iterable[str]) -> "dict[str, tuple[Game | None, Waiting]]":
        """Those of these games in which something waits, as they are now, and what it is."""
        remembered = self.remembered or {}
        found = self.games.work({id: remembered[id].version if id in remembered else 0 for id in ids})
        if self.remembered is not None:
            self.secrets |= self.games.secrets([id for id, waiting in found.items() if waiting.submissions and id not in self.secrets])
        return {id: (self.game(id, waiting.news), waiting) for id, waiting in found.items()}

    def game(self, id: str, news: Sequence[Stored] | None = None) -> Game | None:
        """The game as its log tells it now; `news` is what the log has more than we remember, where that was read already."""
        game = (self.remembered.pop(id, None) if self.remembered else None) or Game(id)
        if news is None or not (news or game.version):
            news = self.games.newer(id, game.version) if game.version else self.games.read(id)
        game.follow(news)
        if not game.version:
            return None
        self._remember(game)
        return game

    def secret(self, game: str) -> bytes:
        """What a game's chance comes from. It never changes, so whoever remembers games remembers it too."""
        return self.secrets.get(game) or self.games.secret(game)

    def _remember(self, game: Game) -> None:
        if self.remembered is None:
            return
        self.remembered[game.id] = game
        if len(self.remembered) > MOST_REMEMBERED:
            gone = next(iter(self.remembered))
            self.remembered.pop(gone)
            self.secrets.pop(gone, None)

    def forget(self, game: str) -> None:
        """Read the whole log next time."""
        if self.remembered:
            self.remembered.pop(game, None)
