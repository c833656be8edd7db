"""REST calls for public profiles, finished games and rating tables."""

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from api.http.auth import Permission
from api.http.blueprint import Calls
from api.http.context import is_admin, ports, reader
from api.http.pagination import page, read_cursor, write_cursor
from api.http.problems import Problem
from api.http.profile_schemas import CareerResponse, FoundPlayersResponse, PlayerStatusesResponse, RatingCurveResponse, RatingPage
from api.http.query_schemas import PageQuery, PlayersQuery, RatingsQuery, StatusQuery
from api.http.request_limits import charge_calls
from api.http.response_schemas import GamePage
from api.http.serialize import moment, summary
from marketpost.play.people.player_status import statuses
from marketpost.play.people.profile import Career, career, find_players, is_shown, rating_curve, shown_player
from marketpost.play.people.ratings import Rating, best_first, ranking
from marketpost.play.ports import Ports
from marketpost.play.table.lobby import find_games
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import ruleset, rulesets
from marketpost.store.players import is_bot_id

T = TypeVar("T")
profiles = Calls("profiles", __name__, url_prefix="/v1/players", description="Players as others see them")
tables = Calls("ratings", __name__, url_prefix="/v1/ratings", description="Ratings")


MOST_FOUND = 50
"""Players that a search by name returns."""


@profiles.call("GET", "", access=Permission.READ, query=PlayersQuery, gives={200: FoundPlayersResponse})
def search_players(query: dict[str, Any]) -> dict[str, Any]:
    """Find players by name

    Those with a word in their name that begins like this, in any case and without accents; at most 50. Hidden players are not found.
    """
    return {"items": [{"id": each.id, "name": each.name} for each in find_players(ports(), query["name"], reader(), MOST_FOUND)]}


@profiles.call("GET", "/status", access=Permission.READ, query=StatusQuery, gives={200: PlayerStatusesResponse}, problems=(429,))
def show_statuses(query: dict[str, Any]) -> dict[str, Any]:
    """Show what several players are doing

    Each counts as a call. Unknown, hidden and erased players are left out.
    """
    charge_calls(len(query["ids"]) - 1)
    found = statuses(ports(), query["ids"], reader())
    return {"items": [msgspec.structs.asdict(each) | {"seen": moment(each.seen) if each.seen else None} for each in found]}


@profiles.call("GET", "/<id:player>", access=Permission.READ, gives={200: CareerResponse})
def show_player(player: str) -> dict[str, Any]:
    """Show a player's results, opponents, ratings and pace

    As any stranger may see them. Hidden and erased players are not found.
    """
    found = shown(career, player)
    return {
        "id": player,
        "name": found.name,
        "bot": is_bot_id(player),
        "since": moment(found.since),
        "played": [_played(found, name) for name in rulesets()],
        "pace": found.pace and found.pace / 1000,
        "decisions": found.decisions,
        "late": found.late,
        "opponents": [{"player": each.player, "name": each.name, **msgspec.structs.asdict(each.score)} for each in found.opponents],
    }


def shown(read: Callable[[Ports, str, str], T], player: str) -> T:
    """Read something of a player whom the reader may see; others are not found."""
    try:
        return read(ports(), player, reader())
    except Refused as refused:
        raise Problem(refused.refusal, 404) from refused


def _played(found: Career, rules: str) -> dict[str, Any]:
    counts = sorted(found.played.get(rules, {}).items())
    return {
        "rules": rules,
        **msgspec.structs.asdict(found.finished(rules)),
        "by_players": [{"players": players, **msgspec.structs.asdict(count)} for players, count in counts],
        "rating": _rating(found.ratings.get(rules)),
    }


@profiles.call("GET", "/<id:player>/games", access=Permission.READ, query=PageQuery, gives={200: GamePage})
def list_finished(query: dict[str, Any], player: str) -> dict[str, Any]:
    """List the games this player has finished, newest first

    Public ones, and those I take part in.
    """
    shown(shown_player, player)
    me, admin = reader(), is_admin()
    found, place = find_games(
        ports(), [f"played:{player}"], lambda game: admin or game.may_see(me), read_cursor(query.get("cursor")), query["limit"]
    )
    return {"items": [summary(ports(), game, me) for game in found], "next": write_cursor(place) if place else None}


@profiles.call("GET", "/<id:player>/ratings/<id:ruleset_name>", access=Permission.READ, gives={200: RatingCurveResponse})
def show_rating_curve(player: str, ruleset_name: str) -> dict[str, Any]:
    """Show a player's rating in a ruleset after each rated game

    The newest 500 games at most, oldest first.
    """
    shown(shown_player, player)
    steps = rating_curve(ports(), player, _known(ruleset_name))
    return {"items": [{"game": each.game, "at": moment(each.at), "points": round(each.points, 2)} for each in steps]}


def _known(name: str) -> str:
    try:
        return ruleset(name).name
    except Refused as refused:
        raise Problem(refused.refusal, 404) from refused


@tables.call("GET", "/<id:ruleset_name>", access=Permission.READ, query=RatingsQuery, gives={200: RatingPage})
def list_ratings(query: dict[str, Any], ruleset_name: str) -> dict[str, Any]:
    """List the ratings of a ruleset, best first

    From finished games between people, or in the pool `bots` between bot accounts; games of both, with built-in bots from the start, and
    imported ones do not count. Hidden and erased players are left out, so a page may be short and not the last: go on while `next` is not
    null.
    """
    found = page(ranking(ports(), _known(ruleset_name), query["pool"]).best_first, best_first, query)
    people = ports().players.find_all(player for player, _ in found["items"])
    shown = [(people[player], rating) for player, rating in found["items"] if player in people and is_shown(people[player])]
    return found | {"items": [{"player": player.id, "name": player.name, **_told(rating)} for player, rating in shown]}


def _rating(rating: Rating | None) -> dict[str, Any] | None:
    return None if rating is None else _told(rating)


def _told(rating: Rating) -> dict[str, Any]:
    rounded = {name: round(getattr(rating, name), 2) for name in ("points", "mu", "sigma")}
    return {**rounded, "games": rating.games, "won": rating.won}
