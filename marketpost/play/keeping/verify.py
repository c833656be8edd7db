"""Verifies logs, by their chain of hashes and every draw, and rebuilds all that is derived from them."""

import logging
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import msgspec

from marketpost.play.compete.advance import list_competition
from marketpost.play.compete.entering import competition_of
from marketpost.play.log.actions import Began, Contributed, Moved
from marketpost.play.log.commit import lists_of
from marketpost.play.log.entries import Entry, Tampered, WrittenByNewer, broken_at, decode, read
from marketpost.play.log.fold import follow
from marketpost.play.log.game import Game
from marketpost.play.people.profile import careers_again
from marketpost.play.people.ratings import ratings_again
from marketpost.play.people.results import RatingPool, is_played, is_result_list, read_result
from marketpost.play.ports import Ports
from marketpost.rules.chance import SCHEME, Domain, drawn_word, seal
from marketpost.rules.ruleset import rulesets
from marketpost.store.changes import Stored
from marketpost.store.compacted_games import DamagedBlob
from marketpost.store.formats import UnknownFormat

log = logging.getLogger("marketpost.verify")


@dataclass(frozen=True, slots=True)
class Verified:
    """Result of verifying a log."""

    entries: int
    draws: int
    sealed: bool
    """Whether the secret is not public yet, because the game is not over: its draws cannot be verified."""
    faults: tuple[str, ...] = ()


def find_damage(ports: Ports, games: Iterable[str]) -> Iterator[str]:
    """Check the hashes of these games, note those whose log is damaged, and yield them."""
    for id in games:
        try:
            version = broken_at(*ports.log_and_head(id))
        except UnknownFormat:
            continue
        except DamagedBlob:
            version = 1
        if version is not None:
            ports.note_damage(Tampered(id, version))
            yield id


def clear_repaired(ports: Ports) -> None:
    """Take those games off the list of damaged ones whose logs fit together again."""
    for id in ports.damaged.all():
        ports.evict(id)
        try:
            verify(id, *ports.log_and_head(id))
        except (Tampered, WrittenByNewer, DamagedBlob, UnknownFormat):
            continue
        ports.damaged.remove(id)
        log.warning("game %(game)s fits together again: play goes on in it", {"game": id})


def verify(id: str, stored: Sequence[Stored], head: str = "") -> Verified:
    """Check a public log from its first entry to its last; raises `Tampered` where the chain is broken.

    `head` is the hash of the last entry, if it is known from elsewhere: no later entry has that hash to compare.
    """
    game = follow(Game(id), stored)
    if head and head != game.head:
        raise Tampered(id, game.version)
    entries = [entry for entry, _ in read(id, stored)]
    secret = None if game.secret is None else bytes.fromhex(game.secret)
    faults = list(_contribution_faults(id, stored, secret))
    if secret is None:
        return Verified(len(stored), 0, True, tuple(faults))
    faults += [] if seal(secret) == game.seal else ["the secret is not the one that was sealed at the start"]
    draws, wrong = _draws(game, secret, _told(game, entries))
    return Verified(len(stored), draws, False, (*faults, *wrong))


def _contribution_faults(id: str, stored: Sequence[Stored], secret: bytes | None) -> Iterator[str]:
    """List faults in the contributions to chance and in the order of seats, as far as they can be found without the secret."""
    game = Game(id)
    for each in stored:
        entry = decode(each.data)
        match entry.action:
            case Contributed() as contributed:
                yield from _word_faults(game, contributed, entry, secret)
            case Began(order=order) if not game.imported:
                silent = [
                    number for number, seat in enumerate(game.seats) if seat.player and number not in game.words and game.scheme == SCHEME
                ]
                yield from (f"version {entry.version}: seat {number + 1} has contributed nothing to chance" for number in silent)
                if secret and order != (drawn := game.drawn_order(secret)):
                    yield f"version {entry.version}: the log says the order of seats {order}, the secret gives {drawn}"
        follow(game, [each])


def _word_faults(game: Game, contributed: Contributed, entry: Entry, secret: bytes | None) -> Iterator[str]:
    """List faults of one contribution; `game` is as it was before it."""
    seat, player = contributed.seat, game.seats[contributed.seat].player
    if game.state is not None:
        yield f"version {entry.version}: seat {seat + 1} contributes to chance after the game began"
    if not player or not (contributed.drawn or entry.by == player):
        yield f"version {entry.version}: this is no word of the player in seat {seat + 1}"
    if secret and contributed.drawn and contributed.word != drawn_word(secret, game.id, seat):
        yield f"version {entry.version}: the word of seat {seat + 1} was chosen, not drawn"


def _told(game: Game, entries: Sequence[Entry]) -> set[int]:
    """List the versions whose chance comes from an imported record and cannot be verified."""
    return {
        entry.version
        for entry in entries
        if (isinstance(entry.action, Moved) and entry.action.told) or (isinstance(entry.action, Began) and game.imported)
    }


def _draws(game: Game, secret: bytes, told: set[int]) -> tuple[int, list[str]]:
    """Draw every outcome again from the secret; returns how many there are and the differences."""
    state = game.rules.blank()
    checked, wrong = 0, []
    for version, played in game.history:
        domain = Domain.DEAL if version == game.history[0][0] else Domain.DRAW
        for event in played.events:
            chance = game.chance(secret, domain, state.drawn)
            for options, outcome in game.rules.draws(state, event):
                checked += 1
                if not options:  # entries that were moved or left out
                    wrong.append(f"version {version}: the log says {outcome}, but nothing was left to draw from")
                elif version not in told and (rolled := chance.pick(options)) != outcome:
                    wrong.append(f"version {version}: the log says {outcome}, the secret gives {rolled}")
            event.apply(state)
    return checked, wrong


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """Result of a rebuild."""

    games: int
    differences: tuple[str, ...]
    broken: tuple[str, ...]
    """Games whose log is damaged; they stay on their lists."""


def rebuild(ports: Ports, progress: Any = iter) -> Rebuilt:
    """Compute all derived data again from the logs, store it, and list what was different."""
    before = ports.index.contents()
    found = {id: ports.sound_game(id) for id in progress(ports.games.all_games())}
    games, broken = [game for game in found.values() if game], tuple(id for id, game in found.items() if game is None)
    wanted = _staying(ports, before, broken)
    for game in games:
        lists = lists_of(ports, game)
        for name, score in lists.items():
            wanted.setdefault(f"index:{name}", {})[game.id] = score
        ports.index.place(game.id, lists, _lists_with(before, game.id))
        if ports.games.has_work(game.id):
            ports.index.announce(game.id, ports.clock() / 1000)
    for id in _without_log(ports, before, found):
        ports.index.place(id, {}, {name for name in _lists_with(before, id) if id not in wanted[f"index:{name}"]})
    for id in ports.competitions.all_games():
        list_competition(ports, competition_of(ports, id))
    ports.players.list_names()
    return Rebuilt(len(games), (*_differences(before, wanted), *_derive_again(ports, games)), broken)


def _derive_again(ports: Ports, games: Sequence[Game]) -> list[str]:
    """Compute results and ratings again from the logs and the new lists; lists what was wrong."""
    played = {game.id: found for game in games if is_played(game) and (found := read_result(ports, game.id))}
    right = {f"result:{game}": msgspec.json.encode(result) for game, result in played.items()}
    for rules, pool in product(rulesets(), RatingPool):
        right |= ratings_again(ports, rules, pool, played)
    right |= careers_again(ports, {player for result in played.values() for player in result.players if player}, played)
    kept = dict(zip(right, ports.index.derived(list(right)), strict=True))
    for name, data in right.items():
        ports.index.store_derived(name, data)
    return [f"derived:{name}: was wrong" for name, data in kept.items() if data not in (None, right[name])]


def _staying(ports: Ports, before: dict[str, dict[str, float]], broken: Collection[str]) -> dict[str, dict[str, float]]:
    """List where games belong though there is no readable log to say so: the game is archived, or its log is damaged."""

    def stays(name: str, game: str) -> bool:
        return game in broken or (is_result_list(name.removeprefix("index:")) and bool(ports.games.archived(game)))

    return {name: {game: score for game, score in games.items() if stays(name, game)} for name, games in before.items()}


def _without_log(ports: Ports, before: dict[str, dict[str, float]], found: Collection[str]) -> list[str]:
    """List games on the lists that do not exist. Each is looked for again: one that was being compacted may have been missed."""
    listed = {id for games in before.values() for id in games}
    return [id for id in listed.difference(found) if not ports.games.read(id)]


def _lists_with(before: dict[str, dict[str, float]], game: str) -> set[str]:
    """List the lists that had this game; it stays only on those that its log says. Games opened meanwhile are not touched."""
    return {name.removeprefix("index:") for name, games in before.items() if game in games}


def _differences(before: dict[str, dict[str, float]], after: dict[str, dict[str, float]]) -> list[str]:
    found = []
    for name in sorted(before.keys() | after.keys()):
        old, new = before.get(name, {}), after.get(name, {})
        found += [f"{name}: {game} was missing" for game in sorted(new.keys() - old.keys())]
        found += [f"{name}: {game} should not have been there" for game in sorted(old.keys() - new.keys())]
        found += [f"{name}: {game} stood in the wrong place" for game in sorted(new.keys() & old.keys()) if new[game] != old[game]]
    return found
