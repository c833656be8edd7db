"""Finding games: those one plays in, and those anyone may look at or join."""

from collections.abc import Callable

from marketpost.play.log.actions import SeatPlan
from marketpost.play.log.game import Game, GameStatus
from marketpost.play.people.blocking import may_sit_with
from marketpost.play.ports import Ports

Place = tuple[float, str]
"""Where a list goes on: after the game made at this moment."""
LOOKED_AT = 200
"""So many games are read for one page at most; a page may be short and still not be the last."""
AT_ONCE = 50


def find_games(
    ports: Ports, lists: list[str], fits: Callable[[Game], bool], before: Place | None, most: int
) -> tuple[list[Game], Place | None]:
    """Newest first. The place to go on from is `None` when nothing is left."""
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


def takes_part(game: Game, player: str) -> bool:
    return player in game.people


def has_room(game: Game) -> bool:
    """Whether anyone may still sit down."""
    return game.status == GameStatus.OPEN and SeatPlan() in game.seats


def is_offered(ports: Ports, game: Game, player: str) -> bool:
    """Whether a game is shown in the lobby: not an open one of somebody whom the player has blocked, or who has blocked the player."""
    return takes_part(game, player) or game.status != GameStatus.OPEN or may_sit_with(ports, game, player)
