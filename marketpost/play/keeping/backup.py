"""Backups and archives: games are copied or moved from the store to a file, and restored without loss."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TypeVar

from marketpost.play.clock.deadlines import time_given_back
from marketpost.play.keeping.compaction import compact
from marketpost.play.keeping.verify import find_damage, verify
from marketpost.play.log.commit import change, enlist
from marketpost.play.log.entries import Tampered, WrittenByNewer
from marketpost.play.log.game import GameStatus
from marketpost.play.people.erasure import erase
from marketpost.play.people.results import is_played, is_result_list, results
from marketpost.play.ports import Ports
from marketpost.play.table.talk import erase_talk_in
from marketpost.store import archive_files as files
from marketpost.store import raw_copies
from marketpost.store.compacted_games import DamagedBlob
from marketpost.store.raw_copies import StoredKey

T = TypeVar("T")
Watch = Callable[[Iterable[T]], Iterable[T]]
"""Passes items through and shows the progress."""


class NotEmpty(Exception):
    """Raised for a restore into a store that has games: a backup is not mixed with others."""


class NotAnArchive(Exception):
    """Raised for a file that holds more than games: restoring it would set people and lists back to an earlier state."""


class NotDamaged(Exception):
    """Raised if a game that fits together is to be replaced by an older copy."""


@dataclass(frozen=True, slots=True)
class Restored:
    """What a restore found."""

    keys: int
    games: int
    broken: tuple[str, ...]
    """Games whose log is damaged."""
    erased: int
    """Number of players who were erased again."""


def backup(ports: Ports, file: Path, watch: Watch[StoredKey] = iter) -> int:
    """Write everything that the store holds to a file; returns the number of keys."""
    return files.save(file, watch(raw_copies.read_all(ports.games.redis)))


def restore(ports: Ports, file: Path, erased: Collection[str] = (), watch: Watch[StoredKey] = iter) -> Restored:
    """Restore a backup into an empty store, erase players again who were erased since, and verify every log."""
    if ports.games.all_games():
        raise NotEmpty
    keys = files.check(file)
    raw_copies.write_back(ports.games.redis, watch(files.load(file)))
    leaving = ports.players.leaving()
    again = [player for player in ports.players.erased().union(erased) if player in leaving or ports.players.find(player)]
    for player in again:
        erase(ports, player)
    games = ports.games.all_games()
    return Restored(keys, len(games), tuple(_broken(ports, games)), len(again))


def _broken(ports: Ports, games: Iterable[str]) -> Iterator[str]:
    for id in games:
        try:
            verify(id, *ports.log_and_head(id))
        except WrittenByNewer:
            continue
        except (Tampered, DamagedBlob):
            yield id


def replace_damaged(ports: Ports, file: Path, id: str) -> None:
    """Replace a damaged game by its copy in a backup, with the time given back that passed since then.

    A whole game is never set back: raises `NotDamaged`. LookupError if the file does not have it, `Tampered` if the copy is damaged too;
    then everything is as it was.
    """
    files.check(file)
    new = [each for each in files.load(file) if each.game == id]
    if not new:
        raise LookupError(id)
    if not list(find_damage(ports, [id])):
        raise NotDamaged(id)
    old = list(raw_copies.read_games(ports.games.redis, [id]))
    raw_copies.replace_game(ports.games.redis, old, new)
    ports.evict(id)
    if list(_broken(ports, [id])):
        raw_copies.replace_game(ports.games.redis, new, old)
        raise Tampered(id, 1)
    ports.damaged.remove(id)
    erase_talk_in(ports, id, ports.players.erased())
    enlist(ports, change(ports, id, None, lambda game: (time_given_back(ports, game), [])))
    ports.index.announce(id, ports.clock() / 1000)


def archive(ports: Ports, file: Path, before: int, watch: Watch[str] = iter) -> list[str]:
    """Move the games that ended before a moment into a file. They are deleted from the store only when the file is complete and checked."""
    ended = [game for game in watch(ports.games.all_games()) if _ended(ports, game, before)]
    if not ended:
        return []
    kept = list(raw_copies.read_games(ports.games.redis, ended))
    files.save_archive(file, kept)
    files.check(file)
    return [game for game, keys in _by_game(kept) if _remove(ports, game, keys, file.name)]


def _ended(ports: Ports, id: str, before: int) -> bool:
    game = ports.sound_game(id)
    if game is None or game.status != GameStatus.OVER or game.changed >= before:
        return False
    return ports.games.compacted(id) is not None or compact(ports, id)


def _remove(ports: Ports, id: str, kept: Collection[StoredKey], file: str) -> bool:
    game = ports.game(id)
    if game is None:
        return False
    if is_played(game):
        results(ports, [id])
    if not raw_copies.remove(ports.games.redis, kept, file):
        return False
    ports.index.place(id, {}, {name for name in ports.index.lists_with(id) if not is_result_list(name)})
    ports.evict(id)
    return True


def restore_archived(ports: Ports, file: Path, wanted: Collection[str] = ()) -> list[str]:
    """Restore games from an archive, all or those wanted; a game that is in the store stays as it is."""
    files.check(file)
    if not all(each.game for each in files.load(file)):
        raise NotAnArchive
    found = ((id, kept) for id, kept in _by_game(files.load(file)) if not wanted or id in wanted)
    return [id for id, kept in found if _restore_game(ports, id, kept)]


def _restore_game(ports: Ports, id: str, kept: Sequence[StoredKey]) -> bool:
    """Restore one game; False if it was not archived.

    Fault: the process may die half-way. The mark that it is archived is deleted last, so that the command can be run again.
    """
    is_there = bool(ports.games.read(id))
    if is_there and not ports.games.archived(id):
        return False
    if not is_there:
        raw_copies.restore_game(ports.games.redis, kept)
        erase_talk_in(ports, id, ports.players.erased())
    if game := ports.game(id):
        enlist(ports, game)
    ports.games.clear_archived(id)
    return True


def _by_game(kept: Iterable[StoredKey]) -> Iterator[tuple[str, list[StoredKey]]]:
    """Group keys by game; the keys of a game follow one another in a file."""
    for game, keys in groupby(kept, lambda each: each.game):
        yield game, list(keys)
