"""The operator's pages about people: search, suspension, suppressed addresses, reports and the audit log."""

from typing import Any

from flask import redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from api.http.context import mailer, ports
from marketpost.mail.outbound.gate import DEAD_AFTER
from marketpost.mail.outbound.message import ADDRESS
from marketpost.mail.trace import trace_game
from marketpost.play.log.entries import Tampered, WrittenByNewer
from marketpost.play.people.bot_accounts import bots_of
from marketpost.play.people.reporting import close_report
from marketpost.play.people.search import FoundPlayers, matches, search_players
from marketpost.play.people.suppressing import lift_suppression, suppress
from marketpost.play.people.suspension import suspend, unsuspend
from marketpost.rules.refusal import Refused
from marketpost.store.players import Player
from marketpost.web.operate_pages import operator_page, reason, who
from marketpost.web.page_language import name_of

MOST_FOUND = 50
SEARCH_WITHIN = 3.0
"""Seconds that a search may read players."""
GAMES_SHOWN = 25
WAY_SHOWN = 300
"""Lines of the way of a game, newest first."""
ACTS_SHOWN = 100


@operator_page("/search")
def search() -> str:
    """Search for players by name, address or id, and for games by id; without a text, list suspended players and the newest games."""
    text = request.args.get("text", "").strip()[:100]
    found = _players(text)
    games = [text] if text and ports().games.head(text) else []
    if not text:
        games = [game for _, game in ports().index.page("all", None, GAMES_SHOWN)]
    return render_template("operate-search.html", text=text, found=found, games=_games(games), name_of=name_of)


def _players(text: str) -> FoundPlayers:
    """Find players; one whose whole id or address is given is found without reading the others."""
    if exact := ports().players.find(text) if text else None:
        return FoundPlayers([exact])
    if exact := ports().players.at_address(text) if "@" in text else None:
        return FoundPlayers([exact])
    return search_players(ports(), lambda each: matches(each, text) if text else bool(each.suspended), MOST_FOUND, SEARCH_WITHIN)


def _games(ids: list[str]) -> list[dict[str, Any]]:
    """Describe games; one whose log is damaged or too new is only named."""
    found = ((id, ports().sound_game(id)) for id in ids)
    return [{"id": id, "game": game, "rules": game.rules.name if game else "", "status": game.status if game else ""} for id, game in found]


def _player(id: str) -> Player:
    found = ports().players.find(id)
    if found is None:
        raise Refused("no-such-player")
    return found


@operator_page("/players/<id:player>")
def show_player_to_operator(player: str) -> str:
    """Show what is stored about a player, and their newest games."""
    found = _player(player)
    games = [game for _, game in ports().index.page(f"player:{player}", None, GAMES_SHOWN)]
    return render_template(
        "operate-player.html",
        player=found,
        name=name_of(found.name),
        bots=bots_of(ports(), player),
        games=_games(games),
        suppressed=ports().suppressions.find(found.email) if found.email else None,
        dead=found.bounces >= DEAD_AFTER,
    )


@operator_page("/players/<id:player>/<any(suspend, unsuspend):verb>", "POST")
def suspend_player(player: str, verb: str) -> AnyResponse:
    """Suspend a player or end a suspension; what is so already stays."""
    found, why = _player(player), reason()
    if bool(found.suspended) != (verb == "suspend"):
        (suspend if verb == "suspend" else unsuspend)(ports(), found, who(), why)
    return redirect(url_for("operate.show_player_to_operator", player=player), 303)


@operator_page("/games/<id:game>")
def show_game_to_operator(game: str) -> str:
    """Show the state of a game and its way: entries, moves and deliveries with times, newest first."""
    try:
        found = ports().game(game)
    except (Tampered, WrittenByNewer) as broken:
        return render_template("operate-game.html", id=game, broken=str(broken))
    if found is None:
        raise Refused("no-such-game")
    way = trace_game(ports(), mailer().deliveries, found)
    people = ports().players.find_all(found.people)
    names = {id: name_of(each.name) for id, each in people.items()}
    return render_template(
        "operate-game.html", id=game, game=found, names=names, way=way[: -WAY_SHOWN - 1 : -1], left_out=max(0, len(way) - WAY_SHOWN)
    )


@operator_page("/suppressions")
def list_suppressions() -> str:
    """List the addresses to which no letters are sent: by the operator, by a complaint, or because letters came back."""
    bouncing = search_players(ports(), lambda each: each.bounces >= DEAD_AFTER, MOST_FOUND, SEARCH_WITHIN)
    return render_template("operate-suppressions.html", listed=ports().suppressions.all(), bouncing=bouncing)


@operator_page("/suppressions/<any(add, lift):verb>", "POST")
def change_suppression(verb: str) -> AnyResponse:
    """Send nothing more to an address, or letters again."""
    address, why = request.form.get("address", "").strip(), reason()
    if not ADDRESS.fullmatch(address):
        raise Refused("field-email")
    if verb == "add":
        suppress(ports(), address, who(), why)
    elif not lift_suppression(ports(), address, who(), why):
        raise Refused("no-such-address")
    return redirect(url_for("operate.list_suppressions"), 303)


@operator_page("/reports")
def list_reports() -> str:
    """List what players have reported, open ones only unless all are asked for."""
    everything = "all" in request.args
    listed = [each for each in ports().reports.all() if everything or not each.done]
    people = ports().players.find_all({id for each in listed for id in (each.by, each.about)})
    names = {id: name_of(each.name) for id, each in people.items()}
    return render_template("operate-reports.html", listed=listed, names=names, everything=everything)


@operator_page("/reports/<id:report>/done", "POST")
def finish_report(report: str) -> AnyResponse:
    """Put a report aside."""
    if not close_report(ports(), report, who(), reason()):
        raise Refused("no-such-page")
    return redirect(url_for("operate.list_reports"), 303)


@operator_page("/audit")
def show_audit() -> str:
    """Show every act of an operator, newest first."""
    given = request.args.get("skip", "")
    skip = int(given) if given.isascii() and given.isdecimal() and len(given) < 9 else 0
    acts = ports().audit.newest(ACTS_SHOWN + 1, skip)
    return render_template("operate-audit.html", acts=acts[:ACTS_SHOWN], older=skip + ACTS_SHOWN if len(acts) > ACTS_SHOWN else 0)
