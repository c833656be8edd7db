"""REST calls for public profiles, finished games and rating tables."""

from typing import Any

from api.http.auth import Permission
from api.http.blueprint import Calls
from api.http.context import is_admin, ports, reader
from api.http.pagination import page, read_cursor, write_cursor
from api.http.problems import Problem
from api.http.request_schemas import PageQuery
from api.http.response_schemas import CareerResponse, GamePage, RatingPage
from api.http.serialize import moment, summary
from marketpost.play.people.profile import career
from marketpost.play.people.ratings import Rating, ratings
from marketpost.play.table.lobby import find_games
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import ruleset, rulesets

profiles = Calls("profiles", __name__, url_prefix="/v1/players", description="Players as others see them")
tables = Calls("ratings", __name__, url_prefix="/v1/ratings", description="Ratings")


@profiles.call("GET", "/<id:player>", access=Permission.READ, gives={200: CareerResponse})
def show_player(player: str) -> dict[str, Any]:
    """Show a player's results, ratings and pace

    As any stranger may see them. An erased player has a pseudonym.
    """
    try:
        found = career(ports(), player)
    except Refused as refused:
        raise Problem(refused.refusal, 404) from refused
    played = [
        {"rules": name, "finished": found.finished[name], "won": found.won[name], "rating": _rating(found.ratings.get(name))}
        for name in rulesets()
    ]
    since = None if found.since is None else moment(found.since)
    return {"id": player, "name": found.name, "since": since, "played": played, "pace": found.pace and found.pace / 1000}


@profiles.call("GET", "/<id:player>/games", access=Permission.READ, query=PageQuery, gives={200: GamePage})
def list_finished(query: dict[str, Any], player: str) -> dict[str, Any]:
    """List the games this player has finished, newest first

    Public ones, and those I take part in.
    """
    me, admin = reader(), is_admin()
    found, place = find_games(
        ports(), [f"played:{player}"], lambda game: admin or game.may_see(me), read_cursor(query.get("cursor")), query["limit"]
    )
    return {"items": [summary(ports(), game) for game in found], "next": write_cursor(place) if place else None}


@tables.call("GET", "/<id:ruleset_name>", access=Permission.READ, query=PageQuery, gives={200: RatingPage})
def list_ratings(query: dict[str, Any], ruleset_name: str) -> dict[str, Any]:
    """List the ratings of a ruleset, best first

    From finished games between people; games with bots from the start and imported ones do not count.
    """
    try:
        ruleset(ruleset_name)
    except Refused as refused:
        raise Problem(refused.refusal, 404) from refused
    known = sorted(ratings(ports(), ruleset_name).items(), key=_best_first)
    found = page(known, _best_first, query)
    found["items"] = [_row(player, rating) for player, rating in found["items"]]
    return found


def _best_first(row: tuple[str, Rating]) -> tuple[float, str]:
    return -row[1].points, row[0]


def _row(player: str, rating: Rating) -> dict[str, Any]:
    known = ports().players.find(player)
    return {"player": player, "name": known.name if known else None, **_told(rating)}


def _rating(rating: Rating | None) -> dict[str, Any] | None:
    return None if rating is None else _told(rating)


def _told(rating: Rating) -> dict[str, Any]:
    rounded = {name: round(getattr(rating, name), 2) for name in ("points", "mu", "sigma")}
    return {**rounded, "games": rating.games, "won": rating.won}
