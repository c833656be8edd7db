"""The pages that letters link to: the game for its reader, and a way to get no more letters. Plain, and each with a key of its own."""

import hmac
from functools import partial
from typing import Any

from flask import Blueprint, Response, abort, render_template_string, request
from markupsafe import Markup

from api.auth import OPEN
from mail.links import opens
from mail.post import Office
from play.game import Game
from play.links import LOOK
from play.wishes import no_more_letters
from rules.words import COMMON, LANGUAGES, Words
from store.people import Player

STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:52em;margin:2em auto;padding:0 1em;color-scheme:light dark}"
    "pre{overflow-x:auto;line-height:1.15}button{font:inherit;padding:.5em 1em}"
)
PAGE = """<!doctype html><html lang="{{ language }}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{{ title }}</title><style>{{ style }}</style><h1>{{ title }}</h1>{{ body }}</html>"""
GAME = """{% for line in story %}<p>{{ line }}</p>{% endfor %}<pre>{{ board }}</pre>
<details><summary>{{ linear_title }}</summary><p>{{ linear }}</p></details>"""
CONFIRM = """<form method="post"><p>{{ question }}</p><button>{{ button }}</button></form>"""
HOME = """<p>Board games over days: <em>Portobello Market</em> and <em>The Market of Alturien</em>, played by answering mails
or over REST. Every move counts once, every mail is answered, and every draw can be checked.</p>
<ul><li><a href="/docs">The API</a>: open a game, make a move, follow a game</li>
<li><a href="/mailbox">The local mailbox</a>, while no mail server is set: read the letters and answer them</li></ul>"""
LAST_TOLD = 4


def letter_pages(office: Office) -> Blueprint:
    blueprint = Blueprint("letters", __name__)
    for rule, name, view, methods in (
        ("/", "home", _home, ["GET"]),
        ("/games/<id:game>", "game", _show_game, ["GET"]),
        ("/v1/unsubscribe/<id:player>/<id:token>", "ask", _ask, ["GET"]),
        ("/v1/unsubscribe/<id:player>/<id:token>", "unsubscribe", _unsubscribe, ["POST"]),
    ):
        made: Any = partial(view, office)
        made.access = OPEN
        blueprint.add_url_rule(rule, name, made, methods=methods)
    return blueprint


def _home(office: Office) -> Response:
    """What this is, and where to go."""
    return _page("en", "Marketpost", HOME)


def _show_game(office: Office, game: str) -> Response:
    """The board and what happened last, for whoever has the link from their own letter or one to look."""
    found, key = office.ports.game(game), request.args.get("key", "")
    if found is None or found.state is None:
        abort(404)
    language = request.accept_languages.best_match(LANGUAGES, "en") or "en"
    if not opens(office, found, key, LOOK):
        player = _reader(office, request.args.get("as", ""), key, "look", game)
        language = player.language if found.may_see(player.id) else abort(404)
    words = found.rules.in_language(language)
    body = render_template_string(
        GAME,
        story=_last_told(found, words),
        board=found.rules.draw(found.state, words),
        linear=found.rules.linear(found.state, words),
        linear_title=words.say("pages.linear"),
    )
    return _page(language, words.say("story.title"), body)


def _last_told(game: Game, words: Words) -> list[str]:
    before = [event for _, played in game.history[:-LAST_TOLD] for event in played.events]
    after = [event for _, played in game.history[-LAST_TOLD:] for event in played.events]
    return game.rules.story(game.rules.fold(before), after, words)


def _ask(office: Office, player: str, token: str) -> Response:
    """A link that is merely opened, by a mail scanner for instance, changes nothing."""
    found = _reader(office, player, token, "unsubscribe")
    words = _common(found)
    body = render_template_string(CONFIRM, question=words.say("pages.unsubscribe"), button=words.say("pages.unsubscribe-button"))
    return _page(found.language, "Marketpost", body)


def _unsubscribe(office: Office, player: str, token: str) -> Response:
    """One click, from a mail program (RFC 8058) or from the page."""
    found = _reader(office, player, token, "unsubscribe")
    no_more_letters(office.ports, found)
    body = render_template_string("<p>{{ done }}</p>", done=_common(found).say("pages.unsubscribed"))
    return _page(found.language, "Marketpost", body)


def _reader(office: Office, player: str, key: str, *occasion: str) -> Player:
    if not hmac.compare_digest(office.token(*occasion, player).encode(), key.encode(errors="replace")):
        abort(404)
    return office.ports.people.find(player) or abort(404)


def _common(player: Player) -> Words:
    return Words(player.language, COMMON)


def _page(language: str, title: str, body: str) -> Response:
    page = render_template_string(PAGE, language=language, title=title, style=STYLE, body=Markup(body))  # noqa: S704 made by templates above
    answer = Response(page, mimetype="text/html")
    answer.headers["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'"
    answer.headers["Referrer-Policy"] = "no-referrer"
    return answer
