"""REST calls that list boards and rulesets; open to everyone."""

import json
from pathlib import Path
from typing import Any

from api.http.auth import Permission
from api.http.blueprint import Calls
from api.http.context import speak
from api.http.pagination import page
from api.http.problems import Problem, language
from api.http.query_schemas import PageQuery, RulesQuery
from api.http.refusal_codes import refusals_in
from api.http.rules_schemas import BoardPage, BoardResponse, RulesResponse
from api.rules import document, setting_of
from marketpost.rules.refusal import Refusal, Refused
from marketpost.rules.ruleset import ruleset, rulesets
from marketpost.rules.words import COMMON

boards = Calls("boards", __name__, url_prefix="/v1/boards", description="Boards")
rules = Calls("rules", __name__, url_prefix="/v1/rules", description="Rules")


@boards.call("GET", "", access=Permission.OPEN, query=PageQuery, gives={200: BoardPage})
def list_boards(query: dict[str, Any]) -> dict[str, Any]:
    """List all boards"""
    named = sorted((name, game.name) for game in rulesets().values() for name in game.boards())
    found = page(named, lambda each: (0.0, each[0]), query)
    found["items"] = [{"name": name, "rules": game} for name, game in found["items"]]
    return found


@boards.call("GET", "/<id:name>", access=Permission.OPEN, gives={200: BoardResponse})
def show_board(name: str) -> dict[str, Any]:
    """Show one board, in the form in which a new game accepts a board of your own"""
    for game in rulesets().values():
        if name in game.boards():
            return {"name": name, "rules": game.name, "document": _document(game.words.parent, name)}
    known = sorted(each for game in rulesets().values() for each in game.boards())
    raise Problem(Refusal("unknown-board", 0, {"board": name, "boards": known}), 404)


def _document(folder: Path, name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "boards" / f"{name}.json").read_text("utf-8"))
    return found


@rules.call("GET", "/<id:ruleset_name>", access=Permission.OPEN, query=RulesQuery, gives={200: RulesResponse}, problems=(422,))
def show_rules(query: dict[str, Any], ruleset_name: str) -> dict[str, Any]:
    """Show the whole rules of a ruleset, and who can play it

    `sections` hold everything needed to play, with the `edition` and the `options` of the query; `orders` says how orders are written,
    `refusals` why they may be refused.
    """
    try:
        game = ruleset(ruleset_name)
    except Refused as refused:
        raise Problem(refused.refusal, 404) from refused
    speak(game)
    spoken = query.get("language", language())
    refusals = refusals_in(COMMON, spoken) | refusals_in(game.words, spoken)
    return document(game, setting_of(game, query), spoken) | {"refusals": refusals}
