"""Dumps for everybody: all finished public games as records and logs, with pseudonyms for the players."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from marketpost.play.keeping.verify import verify
from marketpost.play.log.actions import Moved
from marketpost.play.log.entries import Entry, decode, digest
from marketpost.play.log.fold import follow
from marketpost.play.log.game import Game, GameStatus
from marketpost.play.people.ratings import RatingTable, fold
from marketpost.play.people.results import RatingPool, Result, pool_of, result_of
from marketpost.play.ports import Ports
from marketpost.rules import records
from marketpost.rules.replay import replay
from marketpost.store.changes import Stored
from marketpost.store.dump_files import read_lines, write_lines
from marketpost.store.players import BOT_ID, is_bot_id

Watch = Callable[[Iterable[Any]], Iterable[Any]]
"""Passes items through and shows the progress."""


class DumpedGame(msgspec.Struct, frozen=True):
    """One line of a dump."""

    game: str
    record: str
    """The game as text, which `marketpost replay` checks."""
    log: list[msgspec.Raw]
    """Its log, which `marketpost verify` checks."""

    @property
    def stored(self) -> list[Stored]:
        """The log in the form in which the store gives it."""
        return [Stored(version, bytes(data)) for version, data in enumerate(self.log, 1)]


@dataclass(slots=True)
class CheckedDump:
    """What a dump was found to hold."""

    games: int = 0
    draws: int = 0
    faults: list[str] = field(default_factory=list)
    tables: dict[tuple[str, RatingPool], RatingTable] = field(default_factory=dict)
    """The ratings of each ruleset and pool, computed from the logs alone."""


def dump(ports: Ports, file: Path, watch: Watch = iter) -> int:
    """Write all finished public games to a file; returns how many."""
    games = [id for id in ports.games.all_games() if _is_public(ports.sound_game(id))]
    names = pseudonyms(person for id in games for person in _people(ports, id))
    return write_lines(file, (_dumped(ports, id, names) for id in watch(games)))


def _is_public(game: Game | None) -> bool:
    return game is not None and game.public and game.status == GameStatus.OVER and game.state is not None


def pseudonyms(people: Iterable[str]) -> dict[str, str]:
    """Number the players by the order of their ids; those of bot accounts are seen to be such.

    The order of seats is drawn from the players sorted by id: pseudonyms in the same order keep that draw verifiable. Ids of bot accounts
    come behind those of all people, and so do their pseudonyms.
    """
    return {id: f"{BOT_ID if is_bot_id(id) else 'p'}{number:07}" for number, id in enumerate(sorted(set(people)), 1)}


def _people(ports: Ports, id: str) -> Iterator[str]:
    """List everybody whom the log of a game names."""
    game = Game(id)
    for each in ports.games.read(id):
        entry = decode(each.data)
        follow(game, [each])
        yield from (person for person in (entry.by, game.host, *game.people, *game.offers.values()) if person and ":" not in person)


def _dumped(ports: Ports, id: str, names: Mapping[str, str]) -> DumpedGame:
    before, log = "", list[msgspec.Raw]()
    for each in ports.games.read(id):
        entry = msgspec.structs.replace(_without_text(decode(each.data)), before=before, via="")
        data = msgspec.json.encode(_renamed(msgspec.json.decode(msgspec.json.encode(entry)), names))
        before = digest(data)
        log.append(msgspec.Raw(data))
    return dumped(id, log)


def dumped(id: str, log: list[msgspec.Raw]) -> DumpedGame:
    """Write the record beside the log of a finished game."""
    game = follow(Game(id), DumpedGame(id, "", log).stored)
    return DumpedGame(id, records.write(game.rules, game.played), log)


def _without_text(entry: Entry) -> Entry:
    """Leave out what a player wrote, which may hold words to others; the events say what the orders did."""
    if not isinstance(entry.action, Moved):
        return entry
    return msgspec.structs.replace(entry, action=msgspec.structs.replace(entry.action, orders=""))


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    match value:
        case str():
            return names.get(value, value)
        case dict():
            return {key: _renamed(each, names) for key, each in value.items()}
        case list() | tuple():
            return [_renamed(each, names) for each in value]
        case _:
            return value


def check_dump(files: Sequence[Path], watch: Watch = iter) -> CheckedDump:
    """Replay every record of dumps, verify every log and draw, and compute the ratings. A game in several of them counts once."""
    found, seen = CheckedDump(), set[str]()
    rated = list[tuple[int, str, RatingPool, Result]]()
    for each in watch(line for file in files for line in read_lines(file, DumpedGame)):
        if each.game in seen:
            continue
        seen.add(each.game)
        found.games += 1
        verified = verify(each.game, each.stored)
        found.draws += verified.draws
        game = follow(Game(each.game), each.stored)
        found.faults += [f"game {each.game}: {fault}" for fault in (*verified.faults, *_record_faults(game, each.record))]
        if pool := pool_of(game):
            rated.append((game.over_at, each.game, pool, result_of(game, each.stored)))
    for _, id, pool, result in sorted(rated, key=lambda each: each[:2]):
        fold(found.tables.setdefault((result.rules, pool), RatingTable(ratings={})), [id], {id: result})
    return found


def _record_faults(game: Game, text: str) -> Iterator[str]:
    board = game.setting.board
    again = replay(records.read(text, lambda name: board if isinstance(board, dict) else name))
    if again.state != game.state:
        yield "the record ends in another position than the log"
