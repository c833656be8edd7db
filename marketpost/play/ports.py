"""What every use case gets as its first argument: the stores, the clock, and a way to enqueue a game for the workers."""

import logging
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from marketpost.play.limits import Limits
from marketpost.play.log.entries import Tampered
from marketpost.play.log.fold import follow
from marketpost.play.log.game import Game
from marketpost.play.log.game_cache import GameCache
from marketpost.store.changes import PendingWork, Stored
from marketpost.store.game_index import GameIndex
from marketpost.store.game_logs import GameLogs
from marketpost.store.guest_activity import GuestActivity
from marketpost.store.heartbeat import Heartbeat
from marketpost.store.operator_records import AuditLog, Reports
from marketpost.store.players import Players

log = logging.getLogger("marketpost.ports")


def now() -> int:
    """Milliseconds since 1970, UTC."""
    return time.time_ns() // 1_000_000


@dataclass(slots=True)
class Ports:
    """The stores, limits and cache of a process."""

    games: GameLogs
    players: Players
    index: GameIndex
    enqueue: Callable[[str], None]
    """Enqueue a game that has work. May fail silently: the sweeper finds the game."""
    clock: Callable[[], int] = now
    limits: Limits = field(default_factory=Limits, repr=False)
    cache: GameCache = field(default_factory=GameCache, repr=False)
    """Newer entries of the log are read before a cached game is used."""
    secrets: dict[str, bytes] = field(default_factory=dict, repr=False)
    heartbeat: Heartbeat = field(init=False)
    reports: Reports = field(init=False)
    audit: AuditLog = field(init=False)
    guests: GuestActivity = field(init=False)

    def __post_init__(self) -> None:
        redis = self.games.redis
        self.heartbeat, self.reports, self.audit = Heartbeat(redis), Reports(redis), AuditLog(redis)
        self.guests = GuestActivity(redis)

    def at_work(self, ids: Iterable[str]) -> "dict[str, tuple[Game | None, PendingWork]]":
        """Read the games that have work, and their work, in one request."""
        found = self.games.work({id: self.cache.version(id) for id in ids})
        self.secrets |= self.games.secrets([id for id, waiting in found.items() if waiting.submissions and id not in self.secrets])
        return {id: (self.game(id, waiting.news), waiting) for id, waiting in found.items()}

    def games_now(self, ids: Iterable[str]) -> dict[str, Game]:
        """Read several games in one request; those that do not exist are left out."""
        known = {id: max(0, self.cache.version(id) - 1) for id in ids}
        found = {id: self.game(id, news) for id, news in self.games.newer_all(known).items()}
        return {id: game for id, game in found.items() if game}

    def game(self, id: str, news: Sequence[Stored] | None = None) -> Game | None:
        """Read a game, folding only the entries that are new to the cache; None if there is none.

        `news` is the log from the last cached entry on, if it was read already. Race: another thread may use the cached game, so new
        entries are folded into a copy.
        """
        known = self.cache.take(id)
        if known and news is None:
            news = self.games.newer(id, known.version - 1)
        if known and news and known.ends_with(news[0]):
            game = follow(known.copy(), news[1:]) if news[1:] else known
        else:  # not cached, compacted, archived, restored, or the store was restored from a backup
            game = follow(Game(id), news if news and news[0].version == 1 else self.games.read(id))
        if not game.version:
            return None
        if game.has_references:
            game = game.naming({reference: each.player for reference, each in self.games.invitations(id).items()})
        for gone in self.cache.put(game):
            self.secrets.pop(gone, None)
        return game

    def sound_game(self, id: str) -> Game | None:
        """Read a game; None if its log is damaged, so that a loop over many games goes on."""
        try:
            return self.game(id)
        except Tampered as broken:
            log.warning("%s", broken)
            return None

    def secret(self, game: str) -> bytes:
        """Read the secret that a game's chance comes from; it never changes and is cached."""
        return self.secrets.get(game) or self.games.secret(game)

    def evict(self, game: str) -> None:
        """Drop a game from the cache: its log is read from the beginning next time."""
        self.cache.take(game)
