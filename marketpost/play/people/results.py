"""Results of finished games: the places of those who began, and how long they thought. Derived from the log."""

from collections.abc import Iterable, Iterator

import msgspec

from marketpost.play.log.actions import Moved
from marketpost.play.log.entries import decode
from marketpost.play.log.fold import follow
from marketpost.play.log.game import Game
from marketpost.play.ports import Ports
from marketpost.store.changes import Stored


class Result(msgspec.Struct, frozen=True, array_like=True):
    """Result of one game."""

    rules: str
    players: tuple[str | None, ...]
    """Player of each seat when the game began; `None` for a bot."""
    places: tuple[int, ...]
    """Place of each seat: 1 for the winners; ties share a place, and players who gave up are behind all who stayed."""
    took: tuple[tuple[int, ...], ...]
    """For each seat, the milliseconds of every decision that the player made."""


_result = msgspec.json.Decoder(Result)


def is_played(game: Game) -> bool:
    """Whether the game was played here to a result, also an agreed draw. Imported games and games without a winner do not count."""
    return game.secret is not None and not game.imported and bool(game.winners)


def is_rated(game: Game) -> bool:
    """Whether the game counts for ratings: only people, each in one seat, kept or given up to a bot; at least one kept theirs."""
    people = [player for player in game.began_with if player]
    if not is_played(game) or len(people) < len(game.began_with) or len(set(people)) < len(people):
        return False
    stayed = _stayed(game)
    handed_on = any(seat.player and not stays for seat, stays in zip(game.seats, stayed, strict=True))
    return any(stayed) and not handed_on


def _stayed(game: Game) -> list[bool]:
    return [seat.player == player for seat, player in zip(game.seats, game.began_with, strict=True)]


def result_of(game: Game, stored: Iterable[Stored]) -> Result:
    """Compute the result of a finished game from its whole log."""
    took: list[list[int]] = [[] for _ in game.seats]
    for seat, milliseconds in _decisions(game.id, stored):
        took[seat].append(milliseconds)
    return Result(game.rules.name, game.began_with, _places(game), tuple(map(tuple, took)))


def _places(game: Game) -> tuple[int, ...]:
    """Compute the places. Of a score with several numbers the last counts first; ties that the rules break are taken from the winners."""
    winners, scores = game.winners, game.rules.scores(game.state)
    counted = [[] if game.ended else [int(part) for part in reversed(score.split("+"))] for score in scores]
    worth = [(stays, seat in winners, score) for seat, (stays, score) in enumerate(zip(_stayed(game), counted, strict=True))]
    return tuple(1 + sum(other > own for other in worth) for own in worth)


def _decisions(id: str, stored: Iterable[Stored]) -> Iterator[tuple[int, int]]:
    """List seat and duration of every decision by the player who began there, from when it became theirs."""
    game, since = Game(id), dict[int, int]()
    for each in stored:
        entry = decode(each.data)
        follow(game, [each])
        action = entry.action
        if isinstance(action, Moved) and not action.standing and entry.by and entry.by == game.began_with[action.seat]:
            yield action.seat, entry.at - since.pop(action.seat, entry.at)
        since = {seat: since.get(seat, entry.at) for seat in game.deciders}


def results(ports: Ports, games: list[str]) -> dict[str, Result]:
    """Read or compute the results of finished games. Results are stored, so that those of archived games stay known."""
    known = ports.index.derived([f"result:{game}" for game in games])
    found = ((game, _result.decode(data) if data else _compute(ports, game)) for game, data in zip(games, known, strict=True))
    return {game: result for game, result in found if result}


def _compute(ports: Ports, id: str) -> Result | None:
    found = read_result(ports, id)
    if found:
        ports.index.store_derived(f"result:{id}", msgspec.json.encode(found))
    return found


def read_result(ports: Ports, id: str) -> Result | None:
    """Compute a result from the log; None if the log is not in the store."""
    game, stored = ports.sound_game(id), ports.games.read(id)
    return result_of(game, stored) if game and stored else None


def is_result_list(name: str) -> bool:
    """Whether a game stays on this list when it is archived: lists of results do."""
    return name.startswith(("played:", "rated:"))
