"""Finds games: a player's own, and those that anybody may watch or join."""

import math
from collections.abc import Callable

from marketpost.play.clock.deadlines import running
from marketpost.play.log.actions import SeatPlan
from marketpost.play.log.game import Game, GameStatus
from marketpost.play.people.blocking import may_sit_with
from marketpost.play.ports import Ports

Place = tuple[float, str]
"""Score and id of the last game of a page: where the next page begins."""
LOOKED_AT = 200
"""Most games that are read for one page; so a short page need not be the last."""
AT_ONCE = 50


def find_games(
    ports: Ports, lists: list[str], fits: Callable[[Game], bool], before: Place | None, most: int
) -> tuple[list[Game], Place | None]:
    """List games that fit, newest first, and the place to go on from; None when nothing is left."""
    found: list[Game] = []
    for _ in range(LOOKED_AT // AT_ONCE):
        page = _newest(ports, lists, before)
        for place in page:
            before, game = place, ports.sound_game(place[1])
            if game and fits(game):
                found.append(game)
            if len(found) == most:
                return found, before
        if len(page) < AT_ONCE:
            return found, None
    return found, before


def _newest(ports: Ports, lists: list[str], before: Place | None) -> list[Place]:
    places = {place for name in lists for place in ports.index.page(name, before, AT_ONCE)}
    return sorted(places, reverse=True)[:AT_ONCE]


def own_games(ports: Ports, player: str) -> list[Game]:
    """List a player's games that are not over: those that wait for the player by deadline, then the others, newest first."""
    found = [game for game in ports.sound_games(ports.index.unfinished_of(player)) if takes_part(game, player)]
    return sorted(found, key=lambda game: (not waits_for(game, player), due(game, player), -game.changed))


def watched_games(ports: Ports, reader: str, before: Place | None, most: int) -> tuple[list[Game], Place | None]:
    """List public games of others that run, newest first, and the place to go on from."""
    return find_games(ports, ["public"], lambda game: game.status == GameStatus.RUNNING and not takes_part(game, reader), before, most)


def waits_for(game: Game, player: str) -> bool:
    """Whether a game waits for a decision of this player, or for an answer to an invitation."""
    return any(seat in game.deciders for seat in game.seats_of(player)) or any(seat.invited == player for seat in game.seats)


def due(game: Game, player: str) -> float:
    """Find the moment by which the player must decide; infinite without a clock."""
    times = running(game)
    return min((times[seat].by for seat in game.seats_of(player) if seat in times), default=math.inf)


def takes_part(game: Game, player: str) -> bool:
    """Whether a player is at the table, invited, or the host."""
    return player in game.people


def has_room(game: Game) -> bool:
    """Whether a seat is free for anybody."""
    return game.status == GameStatus.OPEN and SeatPlan() in game.seats


def is_offered(ports: Ports, game: Game, player: str) -> bool:
    """Whether a game is shown in the lobby: not an open one with somebody whom the player has blocked, or who has blocked the player."""
    return takes_part(game, player) or game.status != GameStatus.OPEN or may_sit_with(ports, game, player)
