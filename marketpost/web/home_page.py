"""The home page: my games, those that wait for me first; the lobby; public games to watch; and games that are over."""

import secrets
from typing import Any

from flask import redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from api.http.context import ports
from api.http.pagination import read_cursor, write_cursor
from marketpost.play.log.game import Game, GameStatus
from marketpost.play.table.lobby import find_games, has_room, is_offered, own_games, takes_part, waits_for
from marketpost.rules.ruleset import rulesets
from marketpost.store.players import Player
from marketpost.web import session
from marketpost.web.board_picture import sample_svg
from marketpost.web.page_language import language, title
from marketpost.web.pages import page
from marketpost.web.seats_shown import row

ON_A_PAGE = 20
"""How many games a list shows at once."""
WATCHED = 6
"""How many public games the home page offers to watch."""


@page("/")
def home() -> str:
    """Show the home page; `?page=` pages through my games, `?rules=` and `?players=` filter the lobby."""
    player = session.me()
    mine = own_games(ports(), player.id) if player else []
    leaf = _leaf(len(mine))
    return render_template(
        "home.html",
        rulesets=[(rules.name, title(rules), rules.players) for rules in rulesets().values()],
        board=sample_svg("portobello", language()),
        mine=_rows(mine[(leaf["page"] - 1) * ON_A_PAGE :][:ON_A_PAGE], player),
        **leaf,
        waiting=sum(waits_for(game, player.id) for game in mine) if player else 0,
        has_finished=bool(player and _finished(player, None, 1)[0]),
        lobby=_rows(_lobby(player), player),
        watched=_rows(_public(player, GameStatus.RUNNING, WATCHED), player),
        wanted={name: request.args.get(name, "") for name in ("rules", "players")},
        most_players=max(rules.players[-1] for rules in rulesets().values()),
        key=secrets.token_hex(8),
    )


def _rows(games: list[Game], player: Player | None) -> list[dict[str, Any]]:
    return [row(game, player.id if player else "") for game in games]


def _leaf(count: int) -> dict[str, int]:
    """Return the page of my games that is asked for, and how many there are; the nearest one if there is no such page."""
    given, pages = request.args.get("page", ""), max(1, -(-count // ON_A_PAGE))
    number = int(given) if given.isascii() and given.isdecimal() and len(given) < 6 else 1
    return {"page": max(1, min(number, pages)), "pages": pages}


def _lobby(player: Player | None) -> list[Game]:
    """Return public games with an open seat in which the player has none, of the kind that is asked for."""
    rules, players = request.args.get("rules", ""), request.args.get("players", "")

    def fits(game: Game) -> bool:
        return has_room(game) and rules in ("", game.rules.name) and players in ("", str(len(game.seats))) and _is_for(game, player)

    return find_games(ports(), ["public"], fits, None, ON_A_PAGE)[0]


def _public(player: Player | None, status: GameStatus, most: int) -> list[Game]:
    """Return public games of others."""
    return find_games(ports(), ["public"], lambda game: game.status == status and _is_for(game, player), None, most)[0]


def _is_for(game: Game, player: Player | None) -> bool:
    """Whether a list of others' games shows this one: not the reader's own, and not with somebody whom they have blocked."""
    return player is None or (not takes_part(game, player.id) and is_offered(ports(), game, player.id))


@page("/finished")
def show_finished() -> str:
    """Show my games that are over, newest first, page by page."""
    player = session.must_be_me()
    found, place = _finished(player, read_cursor(request.args.get("cursor")), ON_A_PAGE)
    return render_template("finished.html", games=_rows(found, player), next=write_cursor(place) if place else None)


def _finished(player: Player, before: tuple[float, str] | None, most: int) -> tuple[list[Game], tuple[float, str] | None]:
    def fits(game: Game) -> bool:
        return game.status == GameStatus.OVER and takes_part(game, player.id)

    return find_games(ports(), [f"player:{player.id}"], fits, before, most)


@page("/next")
def next_game() -> AnyResponse:
    """Go on to the next of my games that waits for me, behind the one that `?after=` names; home if there is none."""
    player, left = session.must_be_me(), request.args.get("after", "")
    waiting = [game.id for game in own_games(ports(), player.id) if waits_for(game, player.id)]
    behind = waiting[waiting.index(left) + 1 :] if left in waiting else []
    found = next((id for id in behind + waiting if id != left), None)
    return redirect(url_for("pages.show_game", game=found) if found else url_for("pages.home"), 303)
