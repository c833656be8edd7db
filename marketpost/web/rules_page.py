"""The pages with the whole rules of a ruleset, and of one game with its options."""

import secrets
from typing import Any

from flask import render_template, request

from marketpost.rules.guide import whole
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import Ruleset, Setting, ruleset
from marketpost.rules.variant import edition_name
from marketpost.web.game_reader import reader_of
from marketpost.web.page_language import language, title
from marketpost.web.pages import page


@page("/rules/<id:rules>")
def show_rules(rules: str) -> str:
    """Show the rules of a ruleset in the usual edition or the requested one."""
    try:
        game = ruleset(rules)
    except Refused as refused:
        raise Refused("no-such-page") from refused
    asked = request.args.get("edition", "")
    edition = asked if asked in game.editions else next(iter(game.editions), None)
    return _show(game, Setting(game.colours[: game.players[0]], game.boards()[0], edition), editions=_editions(game))


def _editions(game: Ruleset[Any]) -> list[tuple[str, str]]:
    words = game.in_language(language())
    return [(code, edition_name(words, code)) for code in game.editions]


@page("/games/<id:game>/rules")
def show_game_rules(game: str) -> str:
    """Show the rules of a game with its edition and options."""
    reader = reader_of(game)
    return _show(reader.game.rules, reader.game.setting, game=reader.game, link=reader.link)


def _show(game_rules: Ruleset[Any], setting: Setting, **more: Any) -> str:
    words = game_rules.in_language(language())
    orders = words.say("help.orders").strip("\n") if words.knows("help.orders") else ""
    told = {"title": title(game_rules), "sections": whole(game_rules.guide(setting, language())), "orders": orders}
    return render_template("rules.html", key=secrets.token_hex(8), rules=game_rules, setting=setting, **told, **more)
