"""Open a table: at once against a bot, or by the form for a new game; and join one."""

import re
import secrets
from typing import Any

import marshmallow as ma
from flask import g, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from api.games import open_as_asked
from api.http.context import mailer, ports
from api.http.idempotency import derived
from api.http.request_limits import client
from api.http.request_parser import flat
from api.http.request_schemas import NewGame
from marketpost.mail.link_keys import is_link_key
from marketpost.play.log.actions import HintRule, LinkKind, SeatPlan
from marketpost.play.log.game import Game, GameStatus
from marketpost.play.people.guests import new_guest
from marketpost.play.people.names import LONGEST_NAME, check_name
from marketpost.play.table.lobby import has_room, own_games
from marketpost.play.table.opening import open_table
from marketpost.play.table.seating import join
from marketpost.rules.bots import EASY, LEVELS, MEDIUM, usual_bot
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import Ruleset, ruleset
from marketpost.rules.variant import edition_name, option_label, told, unprinted, value_told
from marketpost.rules.words import Words
from marketpost.store.players import Player
from marketpost.web import session
from marketpost.web.page_language import explain, language, say, title
from marketpost.web.pages import page
from marketpost.web.tutorial_shown import begin_tutorial

ADDRESSES = re.compile(r"[\s,;]+")
TIMES = ("12h", "1d", "3d", "7d")
"""Times for each decision that the form offers."""
KEY = re.compile(r"[0-9a-f]{16}")


@page("/play", "POST")
def play() -> AnyResponse:
    """Open a game against a bot; a visitor without session becomes a guest."""
    rules = ruleset(request.form.get("rules", ""))
    player = session.me() or _new_guest()
    chosen = request.form.get("bot") or usual_bot(rules)
    bots = [SeatPlan(bot=chosen)] * _number("bots", 1, 1, rules.players[-1] - 1)
    game = open_table(ports(), _game_id(player), player.id, rules.name, [SeatPlan(player=player.id), *bots], {})
    return _enter(game, player)


@page("/tutorial", "POST")
def play_tutorial() -> AnyResponse:
    """Open a game against the easiest bot with lessons on its page; a visitor without session becomes a guest.

    A guest, who may have one running game of each ruleset, gets the lessons in that one.
    """
    rules = ruleset(request.form.get("rules", ""))
    player = session.me() or _new_guest()
    seats = [SeatPlan(player=player.id), *[SeatPlan(bot=EASY)] * (rules.players[0] - 1)]
    game = _running(player, rules) or open_table(ports(), _game_id(player), player.id, rules.name, seats, {})
    return begin_tutorial(_enter(game, player), game.id)


def _running(player: Player, rules: Ruleset[Any]) -> Game | None:
    """Return the guest's running game of this ruleset."""
    games = [] if player.email else own_games(ports(), player.id)
    return next((game for game in games if game.status == GameStatus.RUNNING and game.rules.name == rules.name), None)


def _new_guest(name: str = "") -> Player:
    if name:
        check_name(name)
    return new_guest(ports(), name or say("page.guest"), language(), client())


def _enter(game: Game, player: Player) -> AnyResponse:
    """Redirect to the game, with a new session cookie if there was none."""
    response = redirect(url_for("pages.show_game", game=game.id), 303)
    return response if g.token else session.begin(response, player.id)


def _game_id(player: Player) -> str:
    """Derive the game id from the form's own key, so that a form that is sent twice opens one game."""
    key = request.form.get("key", "")
    return derived("game", "page", player.id, key)[:20] if KEY.fullmatch(key) and g.token else secrets.token_hex(10)


def _number(name: str, usual: int, least: int, most: int) -> int:
    given = request.form.get(name, "")
    return max(least, min(int(given), most)) if given.isascii() and given.isdecimal() and len(given) < 4 else usual


@page("/join/<id:game>", "POST")
def join_game(game: str) -> AnyResponse:
    """Join a game that is public, that the player is invited to, or that a seat link leads to.

    With a seat link a visitor may sit down as a guest; without one, guests sign in first.
    """
    found, player, key = ports().game(game), session.me(), request.form.get("key", "")
    by_link = found is not None and is_link_key(mailer(), found, key, LinkKind.SEAT)
    if found is None or not (by_link or found.may_see(player.id if player else "")):
        raise Refused("no-such-game")
    if by_link and has_room(found):
        player = player or _new_guest(request.form.get("name", "").strip())
    elif player is None or not player.email:
        return redirect(url_for("pages.sign_in_form", back=url_for("pages.show_game", game=game)), 303)
    return _enter(join(ports(), game, player.id, word=request.form.get("word", "").strip(), by_link=by_link), player)


@page("/new/<id:rules>")
def new_game_form(rules: str) -> str:
    """Show the form for a new game."""
    session.must_be_me()
    return _new_form(_known(rules))


def _new_form(rules: Ruleset[Any], why: str = "") -> str:
    words = rules.in_language(language())
    return render_template(
        "new.html",
        rules=rules,
        title=title(rules),
        bots=LEVELS,
        usual=MEDIUM,
        editions=[(code, edition_name(words, code), _edition_told(rules, words, code)) for code in rules.editions],
        unprinted=unprinted(words, rules.settle(None, {})),
        options=[_option(rules, words, name, values) for name, values in rules.option_values().items()],
        given=request.form,
        times=TIMES,
        longest_name=LONGEST_NAME,
        hint_rules=list(HintRule),
        key=secrets.token_hex(8),
        why=why,
    )


def _edition_told(rules: Ruleset[Any], words: Words, edition: str) -> str:
    """Say what an edition has otherwise than the usual one; of that, all it has."""
    usual = rules.settle(None, {}) if edition != next(iter(rules.editions)) else {}
    return told(words, "", {name: value for name, value in rules.settle(edition, {}).items() if usual.get(name) != value})


def _option(rules: Ruleset[Any], words: Words, name: str, values: list[str]) -> dict[str, Any]:
    """Describe the form field of an option: its label, what holds if nothing is chosen, and a sentence for each value."""
    usual = rules.settle(None, {}).get(name)
    unchosen = say("new.as-edition") if rules.editions else say("new.as-usual", text=value_told(words, name, usual))
    told = [(value, value_told(words, name, value)) for value in values]
    return {"name": name, "label": option_label(words, name), "unchosen": unchosen, "values": told}


@page("/new/<id:rules>", "POST")
def new_game(rules: str) -> Any:
    """Open a game from the form, validated as the same request over REST."""
    player, chosen = session.must_be_me(), _known(rules)
    try:
        body = NewGame().load(_request_body(chosen))
        game = open_as_asked(_game_id(player), player.id, body)
    except ma.ValidationError as error:
        return _new_form(chosen, explain(flat(error.messages_dict)[0][1])), 422
    except Refused as refused:
        return _new_form(chosen, explain(refused.refusal, chosen)), 422
    return _enter(game, player)


def _request_body(rules: Ruleset[Any]) -> dict[str, Any]:
    """Return the form as the body of the same REST request."""
    form, most = request.form, rules.players[-1]
    invited = [{"email": address} for address in ADDRESSES.split(form.get("invite", "").strip()) if address]
    bots = [{"bot": form.get("bot", "random")}] * _number("bots", 0, 0, most)
    free = [{"open": True}] * _number("open", 0, 0, most)
    chosen: dict[str, Any] = {name: form[name] for name in ("board", "edition", "name") if form.get(name, "").strip()}
    if form.get("per_decision"):
        chosen["clock"] = {"per_decision": form["per_decision"], "weekends": bool(form.get("weekends"))}
    options = {name: form[f"option.{name}"] for name in rules.option_values() if form.get(f"option.{name}")}
    seats: list[dict[str, Any]] = [{"me": True}, *invited, *bots, *free]
    order = "random" if form.get("order") else "given"
    later = bool(form.get("join_later"))
    return {
        "rules": rules.name,
        "seats": seats,
        "options": options,
        "order": order,
        "join_later": later,
        "public": bool(form.get("public", free)),
        "hints": form.get("hints") or HintRule.AGAINST_BOTS,
        **chosen,
    }


def _known(rules: str) -> Ruleset[Any]:
    """Return a ruleset by name; a page that does not exist for any other name."""
    try:
        return ruleset(rules)
    except Refused as refused:
        raise Refused("no-such-page") from refused
