"""What the verbs need from outside: the stores, the time, and a way to wake a worker."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from play.game import Game
from play.notices import Notice
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
    tell: Callable[[Notice], None] = lambda notice: None
    """Pass a notice from a game's outbox on to the person; told twice, it must stay one."""
    decided: Callable[[str, float], None] = lambda outcome, seconds: None
    """Count what became of a move, and how long it took."""
    remembered: dict[str, Game] | None = None
    """Games as a worker saw them last. Never the truth: what the log has more is read before use. Not for threads."""
    secrets: dict[str, bytes] = field(default_factory=dict, repr=False)
    heart: Heart = field(init=False)

    def __post_init__(self) -> None:
        self.heart = Heart(self.games.redis)

    def game(self, id: str) -> Game | None:
        """The game as its log tells it now."""
        game = (self.remembered.pop(id, None) if self.remembered else None) or Game(id)
        game.follow(self.games.newer(id, game.version) if game.version else self.games.read(id))
        if not game.version:
            return None
        self._remember(game)
        return game

    def secret(self, game: str) -> bytes:
        """What a game's chance comes from. It never changes, so a worker that remembers games remembers it too."""
        known = self.secrets.get(game) or self.games.secret(game)
        if self.remembered is not None:
            self.secrets[game] = known
        return known

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
