"""Results of finished games: the places of those who began, and how long they thought. Derived from the log."""

from collections.abc import Iterable, Iterator
from enum import StrEnum

import msgspec

from marketpost.play.log.actions import HintRule, Moved, TimedOut
from marketpost.play.log.entries import decode
from marketpost.play.log.fold import follow
from marketpost.play.log.game import Game
from marketpost.play.ports import Ports
from marketpost.store.changes import Stored
from marketpost.store.players import is_bot_id


class RatingPool(StrEnum):
    """Who is rated together: people never with bots."""

    PEOPLE = "people"
    BOTS = "bots"
    """Bot accounts."""


class Result(msgspec.Struct, frozen=True, array_like=True):
    """Result of one game."""

    rules: str
    players: tuple[str | None, ...]
    """Player of each seat when the game began; `None` for a bot."""
    places: tuple[int, ...]
    """Place of each seat: 1 for the winners; ties share a place, and players who gave up are behind all who stayed."""
    took: tuple[tuple[int, ...], ...]
    """For each seat, the milliseconds of every decision that the player made."""
    late: tuple[int, ...] = ()
    """For each seat, how often the time of the player was up."""


_result = msgspec.json.Decoder(Result)


def is_played(game: Game) -> bool:
    """Whether the game was played here to a result, also an agreed draw. Imported games and games without a winner do not count."""
    return game.secret is not None and not game.imported and bool(game.winners)


def pool_of(game: Game) -> RatingPool | None:
    """Name the pool that a game counts for; None if it is not rated.

    It is rated if all who began are people, or all are bot accounts, each in one seat, kept or given up to a built-in bot, and at least one
    kept theirs. A game in which people may ask for hints is not: a rating is for what one finds oneself.
    """
    began = [player for player in game.began_with if player]
    if not is_played(game) or game.hint_rule == HintRule.ALLOWED or len(began) < len(game.began_with) or len(set(began)) < len(began):
        return None
    kept = stayed(game)
    handed_on = any(seat.player and not stays for seat, stays in zip(game.seats, kept, strict=True))
    bots = sum(map(is_bot_id, began))
    if handed_on or not any(kept) or 0 < bots < len(began):
        return None
    return RatingPool.BOTS if bots else RatingPool.PEOPLE


def rated_list(rules: str, pool: RatingPool) -> str:
    """Name the list of the rated games of a ruleset in a pool."""
    return f"rated:{rules}" if pool == RatingPool.PEOPLE else f"rated:{rules}:{pool}"


def stayed(game: Game) -> list[bool]:
    """Say for each seat whether the player who began there still has it."""
    return [seat.player == player for seat, player in zip(game.seats, game.began_with, strict=True)]


def result_of(game: Game, stored: Iterable[Stored]) -> Result:
    """Compute the result of a finished game from its whole log."""
    took: list[list[int]] = [[] for _ in game.seats]
    late = [0 for _ in game.seats]
    for seat, milliseconds in _decisions(game.id, stored):
        if milliseconds is None:
            late[seat] += 1
        else:
            took[seat].append(milliseconds)
    return Result(game.rules.name, game.began_with, places(game), tuple(map(tuple, took)), tuple(late))


def places(game: Game) -> tuple[int, ...]:
    """Compute the places. Of a score with several numbers the last counts first; ties that the rules break are taken from the winners."""
    winners, scores = game.winners, game.rules.scores(game.state)
    counted = [[] if game.ended else [int(part) for part in reversed(score.split("+"))] for score in scores]
    worth = [(stays, seat in winners, score) for seat, (stays, score) in enumerate(zip(stayed(game), counted, strict=True))]
    return tuple(1 + sum(other > own for other in worth) for own in worth)


def _decisions(id: str, stored: Iterable[Stored]) -> Iterator[tuple[int, int | None]]:
    """List seat and duration of every decision by the player who began there, from when it became theirs; None if their time was up."""
    game, since = Game(id), dict[int, int]()
    for each in stored:
        entry = decode(each.data)
        action = entry.action
        if isinstance(action, TimedOut) and game.seats[action.seat].player == game.began_with[action.seat]:
            yield action.seat, None
        follow(game, [each])
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
