"""What every use case gets as its first argument: the stores, the clock, and a way to enqueue a game for the workers."""

import logging
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from marketpost.play.limits import Limits
from marketpost.play.log.entries import Tampered, WrittenByNewer, broken_at
from marketpost.play.log.fold import follow
from marketpost.play.log.game import Game
from marketpost.play.log.game_cache import GameCache
from marketpost.store.account_streams import AccountStreams
from marketpost.store.analysis_queue import AnalysisQueue
from marketpost.store.callers import Caller, Callers
from marketpost.store.changes import PendingWork, Stored
from marketpost.store.compacted_games import DamagedBlob
from marketpost.store.competition_logs import CompetitionLogs
from marketpost.store.credentials import Credentials
from marketpost.store.damaged_games import DamagedGames
from marketpost.store.drain_flag import DrainFlag
from marketpost.store.formats import UnknownFormat
from marketpost.store.game_index import GameIndex
from marketpost.store.game_logs import GameLogs
from marketpost.store.guest_activity import GuestActivity
from marketpost.store.heartbeat import Heartbeat
from marketpost.store.operator_records import AuditLog, Reports
from marketpost.store.players import Players
from marketpost.store.searches import Searches
from marketpost.store.steady_clock import SteadyTime, steady_time
from marketpost.store.suppressions import Suppressions

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
    steady: Callable[[], SteadyTime] = steady_time
    """A clock that nobody sets, by which outages are measured."""
    limits: Limits = field(default_factory=Limits, repr=False)
    cache: GameCache = field(default_factory=GameCache, repr=False)
    """Newer entries of the log are read before a cached game is used."""
    secrets: dict[str, bytes] = field(default_factory=dict, repr=False)
    rankings: dict[str, Any] = field(default_factory=dict, repr=False)
    """The newest `Ranking` of each ruleset."""
    callers: Callers = field(init=False)
    credentials: Credentials = field(init=False)
    heartbeat: Heartbeat = field(init=False)
    reports: Reports = field(init=False)
    audit: AuditLog = field(init=False)
    guests: GuestActivity = field(init=False)
    suppressions: Suppressions = field(init=False)
    damaged: DamagedGames = field(init=False)
    streams: AccountStreams = field(init=False)
    competitions: CompetitionLogs = field(init=False)
    searches: Searches = field(init=False)
    drain: DrainFlag = field(init=False)
    analyses: AnalysisQueue = field(init=False)
    left_to_newer: set[str] = field(default_factory=set, repr=False)
    """Games to which a newer Marketpost has written, each told once."""

    def __post_init__(self) -> None:
        redis = self.games.redis
        self.streams, self.competitions = AccountStreams(redis), CompetitionLogs(redis, self.games.replicas)
        self.analyses, self.searches = AnalysisQueue(redis), Searches(redis)
        self.heartbeat, self.reports, self.audit = Heartbeat(redis), Reports(redis), AuditLog(redis)
        self.drain, self.credentials, self.callers = DrainFlag(redis), Credentials(redis), Callers(redis)
        self.guests, self.damaged, self.suppressions = GuestActivity(redis), DamagedGames(redis), Suppressions(redis)

    def at_work(self, ids: Iterable[str]) -> "dict[str, tuple[Game | None, PendingWork]]":
        """Read the games that have work, and their work, in one request."""
        found = self.games.work({id: self.cache.version(id) for id in ids})
        self.secrets |= self.games.secrets([id for id, waiting in found.items() if waiting.submissions and id not in self.secrets])
        return {id: (self.game(id, waiting.news), waiting) for id, waiting in found.items()}

    def caller(self, secret: str, game: str = "") -> Caller:
        """Read the token with this secret and its player, and from the last cached entry on the log of a game, if the game is cached."""
        version = self.cache.version(game)
        return self.callers.read(secret, game if version else "", version - 1)

    def games_now(self, ids: Iterable[str]) -> dict[str, Game]:
        """Read several games in one request; those that do not exist are left out."""
        return {id: game for id, news in self._news(ids).items() if (game := self.game(id, news))}

    def _news(self, ids: Iterable[str]) -> dict[str, list[Stored]]:
        """Read the log of each game from the last cached entry on."""
        return self.games.newer_all({id: max(0, self.cache.version(id) - 1) for id in ids})

    def game(self, id: str, news: Sequence[Stored] | None = None) -> Game | None:
        """Read a game, folding only the entries that are new to the cache; None if there is none.

        `news` is the log from the last cached entry on, if it was read already. Race: another thread may use the cached game, so new
        entries are folded into a copy.
        """
        try:
            game = self._followed(id, news)
        except (Tampered, WrittenByNewer, DamagedBlob, UnknownFormat) as error:
            raise self._told(self._unplayable(id, error)) from error
        if not game.version:
            return None
        if game.has_references:
            game = game.naming({reference: each.player for reference, each in self.games.invitations(id).items()})
        for gone in self.cache.put(game):
            self.secrets.pop(gone, None)
        return game

    def _followed(self, id: str, news: Sequence[Stored] | None) -> Game:
        known = self.cache.take(id)
        if known and (news is None or (news and news[0].version != known.version)):
            news = self.games.newer(id, known.version - 1)
        if known and news and known.ends_with(news[0]):
            return follow(known.copy(), news[1:]) if news[1:] else known
        # not cached, compacted, archived, restored, or the store was restored from a backup
        game = follow(Game(id), news if news and news[0].version == 1 and not known else self.games.read(id))
        self._check_head(game)
        if known and 0 < game.version < known.version:
            self._note_set_back(game, known.version)
        return game

    def _note_set_back(self, game: Game, known: int) -> None:
        """Tell the operator once that a log is shorter than it was: entries were acknowledged and are lost.

        Fault: the store came back with less than it had written, or a replica was promoted that lacked the newest entries. Only a process
        that had read them and lives on can tell.
        """
        if self.damaged.add_set_back(game.id, self.clock()):
            told = {"game": game.id, "version": game.version, "known": known}
            log.error("game %(game)s was set back from version %(known)s to %(version)s: the store has lost what it had acknowledged", told)

    def _check_head(self, game: Game) -> None:
        """Raise `Tampered` if the newest entry is not the one whose hash is stored beside the log: no later entry vouches for it.

        Race: a worker may append after the log was read; then all of it is read again.
        """
        if (head := self.games.head(game.id)) and head != game.head and (version := broken_at(*self.log_and_head(game.id))):
            raise Tampered(game.id, version)

    def log_and_head(self, id: str) -> tuple[list[Stored], str]:
        """Read a log and the hash of its newest entry. Race: a worker may append between the two reads; then both are read again."""
        stored = self.games.read(id)
        head = self.games.head(id)
        return self.log_and_head(id) if self.games.read(id, stored[-1].version if stored else 0) else (stored, head)

    def _unplayable(self, id: str, error: Exception) -> Tampered | WrittenByNewer:
        """Tell a damaged log from one that a newer process wrote: only in the latter all hashes fit."""
        if isinstance(error, UnknownFormat):
            return WrittenByNewer(id, 1, str(error))
        if isinstance(error, WrittenByNewer):
            return error if (version := broken_at(*self.log_and_head(id))) is None else Tampered(id, version)
        return error if isinstance(error, Tampered) else Tampered(id, 1)

    def _told(self, error: Tampered | WrittenByNewer) -> Tampered | WrittenByNewer:
        """Tell the operator once: of a damaged game in one process of all, of one that is too new in each that leaves it to others."""
        if isinstance(error, Tampered):
            self.note_damage(error)
        elif error.game not in self.left_to_newer:
            self.left_to_newer.add(error.game)
            log.warning("%s; this process leaves the game to newer ones: update it to the version of the others", error)
        return error

    def note_damage(self, broken: Tampered) -> None:
        """Count a damaged game for `/metrics` and `doctor`, and log it the first time."""
        if self.damaged.add(broken.game, broken.version):
            log.error(
                "%s. The game is damaged and nobody can play on in it: `marketpost verify %s` looks at it again, "
                "`marketpost restore FILE --game %s` brings it back from a backup",
                broken,
                broken.game,
                broken.game,
            )

    def sound_game(self, id: str, news: Sequence[Stored] | None = None) -> Game | None:
        """Read a game; None if its log is damaged or too new, so that a loop over many games goes on."""
        try:
            return self.game(id, news)
        except (Tampered, WrittenByNewer):
            return None

    def sound_games(self, ids: Iterable[str]) -> list[Game]:
        """Read several games in one request; those that do not exist, are damaged or too new are left out."""
        return [game for id, news in self._news(ids).items() if (game := self.sound_game(id, news))]

    def secret(self, game: str) -> bytes:
        """Read the secret that a game's chance comes from; it never changes and is cached."""
        return self.secrets.get(game) or self.games.secret(game)

    def evict(self, game: str) -> None:
        """Drop a game from the cache: its log is read from the beginning next time."""
        self.cache.take(game)
