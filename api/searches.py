"""REST calls for those who search for a game."""

import secrets
from typing import Any

from flask import Response, request, url_for

from api.http.auth import Permission
from api.http.blueprint import Calls, answer
from api.http.context import ports, reader, speak
from api.http.idempotency import derived, key
from api.http.search_schemas import NewSearch, SearchListResponse, SearchResponse
from api.http.serialize import moment
from marketpost.play.table.search_request import SearchRequest
from marketpost.play.table.searching import opens_by, search, searches_of, withdraw_search
from marketpost.rules.ruleset import ruleset
from marketpost.store.searches import Search

searches = Calls("searches", __name__, url_prefix="/v1/searches", description="Find me a game")
ID_DIGITS = 24


@searches.call("POST", "", access=Permission.PLAY, body=NewSearch, gives={201: SearchResponse}, problems=(429,))
def search_game(body: dict[str, Any]) -> Any:
    """Search for a game

    A table opens as soon as enough players search for the same game, number of players and time for a decision and accept each other's
    ratings; after an hour it opens with those who are there, and bots have the other seats. Then the search is gone, and the game is among
    mine. Who has blocked somebody never sits with them, and newcomers sit with patient players or bots.
    """
    made = search_as_asked(new_search_id(), reader(), body)
    return answer(search_document(made), 201, {"Location": url_for("searches.list_searches")})


def search_as_asked(id: str, player: str, body: dict[str, Any]) -> Search:
    """Begin the search that a request body describes."""
    rules = ruleset(body["rules"])
    speak(rules)
    asked = SearchRequest(rules.name, body.get("players"), body.get("per_decision"), body["strength"], body.get("least"), body.get("most"))
    return search(ports(), player, asked.plan(ports(), player), id)


def new_search_id() -> str:
    """Return the id of a new search. With an idempotency key it is derived from the key, so that a repeated request finds it."""
    return derived("search", request.path, reader(), key())[:ID_DIGITS] if key() else secrets.token_hex(ID_DIGITS // 2)


@searches.call("GET", "", access=Permission.READ, gives={200: SearchListResponse})
def list_searches() -> dict[str, Any]:
    """List my searches that wait, the longest first"""
    return {"items": [search_document(each) for each in searches_of(ports(), reader())]}


@searches.call("DELETE", "/<id:search_id>", access=Permission.PLAY, gives={204: None}, problems=(404,))
def end_search(search_id: str) -> Response:
    """Withdraw a search

    `404` if a table was found meanwhile: its game is among mine.
    """
    withdraw_search(ports(), reader(), search_id)
    return Response(status=204)


def search_document(made: Search) -> dict[str, Any]:
    """Serialize a search."""
    plan = made.plan
    return {
        "id": made.id,
        "rules": plan.rules,
        "players": plan.players,
        "per_decision": plan.pace // 1000,
        "least": plan.least,
        "most": plan.most,
        "since": moment(made.since),
        "opens_by": moment(opens_by(made)),
    }
