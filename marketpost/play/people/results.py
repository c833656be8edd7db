"""How a game ended for those who began it: their places, and how long they thought. All of it follows from the log."""

from collections.abc import Iterable, Iterator

import msgspec

from marketpost.play.log.actions import Moved
from marketpost.play.log.entries import decode
from marketpost.play.log.fold import follow
from marketpost.play.log.game import Game
from marketpost.play.ports import Ports
from marketpost.store.changes import Stored


class Result(msgspec.Struct, frozen=True, array_like=True):
    rules: str
    players: tuple[str | None, ...]
    """By seat, as they sat when the game began; `None` for a bot."""
    places: tuple[int, ...]
    """1 for the winners; equals share a place, and whoever gave up is behind all who stayed."""
    took: tuple[tuple[int, ...], ...]
    """For each seat, the milliseconds of every decision that the player made."""


_result = msgspec.json.Decoder(Result)


def is_played(game: Game) -> bool:
    """Played here to a result, be it a draw that all agreed to. Records from elsewhere and games without a winner are nobody's."""
    return game.secret is not None and not game.imported and bool(game.winners)


def is_rated(game: Game) -> bool:
    """Only people against people count, each in one seat, which they kept or gave up; at least one must have stayed."""
    people = [player for player in game.began_with if player]
    if not is_played(game) or len(people) < len(game.began_with) or len(set(people)) < len(people):
        return False
    stayed = _stayed(game)
    handed_on = any(seat.player and not stays for seat, stays in zip(game.seats, stayed, strict=True))
    return any(stayed) and not handed_on


def _stayed(game: Game) -> list[bool]:
    return [seat.player == player for seat, player in zip(game.seats, game.began_with, strict=True)]


def result_of(game: Game, stored: Iterable[Stored]) -> Result:
    """Of a game that was played to its end, from its whole log."""
    took: list[list[int]] = [[] for _ in game.seats]
    for seat, milliseconds in _decisions(game.id, stored):
        took[seat].append(milliseconds)
    return Result(game.rules.name, game.began_with, _places(game), tuple(map(tuple, took)))


def _places(game: Game) -> tuple[int, ...]:
    """Scores as records write them: the last of several numbers counts first. Ties that the rules break, the winners tell."""
    winners, scores = game.winners, game.rules.scores(game.state)
    counted = [[] if game.ended else [int(part) for part in reversed(score.split("+"))] for score in scores]
    worth = [(stays, seat in winners, score) for seat, (stays, score) in enumerate(zip(_stayed(game), counted, strict=True))]
    return tuple(1 + sum(other > own for other in worth) for own in worth)


def _decisions(id: str, stored: Iterable[Stored]) -> Iterator[tuple[int, int]]:
    """Seat and duration of every decision by the player who began there, from when it became theirs."""
    game, since = Game(id), dict[int, int]()
    for each in stored:
        entry = decode(each.data)
        follow(game, [each])
        action = entry.action
        if isinstance(action, Moved) and not action.standing and entry.by and entry.by == game.began_with[action.seat]:
            yield action.seat, entry.at - since.pop(action.seat, entry.at)
        since = {seat: since.get(seat, entry.at) for seat in game.deciders}


def results(ports: Ports, games: list[str]) -> dict[str, Result]:
    """Of games that are over. Whatever was worked out before is kept, also of games that have gone into an archive since."""
    known = ports.index.derived([f"result:{game}" for game in games])
    found = ((game, _result.decode(data) if data else _work_out(ports, game)) for game, data in zip(games, known, strict=True))
    return {game: result for game, result in found if result}


def _work_out(ports: Ports, id: str) -> Result | None:
    found = read_result(ports, id)
    if found:
        ports.index.keep_derived(f"result:{id}", msgspec.json.encode(found))
    return found


def read_result(ports: Ports, id: str) -> Result | None:
    """From the log, if it is here."""
    game, stored = ports.sound_game(id), ports.games.read(id)
    return result_of(game, stored) if game and stored else None


def lasts(name: str) -> bool:
    """Lists on which a game stays when it goes into an archive: nobody loses what they have won."""
    return name.startswith(("played:", "rated:"))
