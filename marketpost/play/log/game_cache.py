"""A cache of folded games, so that a process folds only the entries that are new. The log decides; a cached game may be stale."""

from collections import OrderedDict
from threading import Lock

from marketpost.play.log.game import Game

MOST_ENTRIES = 25_000
"""Most entries of all cached games together: long games need more memory than short ones. The least recently used are evicted first."""


class GameCache:
    """The games that were used last, up to a total number of entries. Safe for several threads."""

    def __init__(self) -> None:
        self._games: OrderedDict[str, tuple[Game, int]] = OrderedDict()
        """Each with its number of entries when it was added; it may have more by now."""
        self._entries = 0
        self._lock = Lock()

    def get(self, id: str) -> Game | None:
        """Look a game up without removing it."""
        found = self._games.get(id)
        return found[0] if found else None

    def version(self, id: str) -> int:
        """Version of a cached game; 0 if it is not cached."""
        game = self.get(id)
        return game.version if game else 0

    def put(self, game: Game) -> list[str]:
        """Add a game; returns the ids of the games that were evicted for it."""
        with self._lock:
            self._take(game.id)
            self._games[game.id] = game, game.version
            self._entries += game.version
            gone = []
            while self._entries > MOST_ENTRIES and len(self._games) > 1:
                gone.append(next(iter(self._games)))
                self._take(gone[-1])
            return gone

    def take(self, id: str) -> Game | None:
        """Remove a game from the cache and return it."""
        with self._lock:
            return self._take(id)

    def _take(self, id: str) -> Game | None:
        game, entries = self._games.pop(id, (None, 0))
        self._entries -= entries
        return game
