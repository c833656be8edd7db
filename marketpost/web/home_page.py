"""The home page: my games, those that wait for me first; the lobby; public games to watch; and games that are over."""

import secrets
from typing import Any

from flask import redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from api.http.context import ports
from api.http.pagination import read_cursor, write_cursor
from marketpost.play.log.game import Game, GameStatus
from marketpost.play.table.lobby import Place, find_games, has_room, is_offered, own_games, takes_part, waits_for, watched_games
from marketpost.rules.ruleset import rulesets
from marketpost.store.players import Player
from marketpost.web import session
from marketpost.web.board_picture import sample_svg
from marketpost.web.new_table_page import TIMES
from marketpost.web.page_language import language, title
from marketpost.web.pages import page
from marketpost.web.search_page import search_rows
from marketpost.web.seats_shown import rows

ON_A_PAGE = 20
"""How many games a list shows at once."""
MINE_ON_A_PAGE = 100
FEW = 5
"""Up to so many games of mine no filter is shown."""
WATCHED = 6
"""How many public games the home page offers to watch."""


@page("/")
def home() -> str:
    """Show the home page; `?page=` pages through my games, `?game=` and `?whose=` filter them, `?rules=` and `?players=` the lobby."""
    player = session.me()
    own = own_games(ports(), player.id) if player else []
    mine = [game for game in own if player and _is_wanted(game, player.id)]
    leaf = _leaf(len(mine))
    return render_template(
        "home.html",
        rulesets=[(rules.name, title(rules), rules.players) for rules in rulesets().values()],
        lessons=[(rules.name, title(rules)) for rules in rulesets().values() if rules.tutorial(language())],
        board=sample_svg("portobello", language()),
        mine=_rows(mine[(leaf["page"] - 1) * MINE_ON_A_PAGE :][:MINE_ON_A_PAGE], player),
        **leaf,
        has_filters=len(own) > FEW,
        waiting=sum(waits_for(game, player.id) for game in own) if player else 0,
        has_finished=bool(player and ports().index.count(f"player:{player.id}") > len(own)),
        lobby=_rows(_lobby(player), player),
        watched=_rows(watched_games(ports(), _id(player), None, WATCHED)[0], player),
        wanted={name: request.args.get(name, "") for name in ("rules", "players", "game", "whose")},
        most_players=max(rules.players[-1] for rules in rulesets().values()),
        key=secrets.token_hex(8),
        searches=search_rows(player),
        times=TIMES,
    )


def _rows(games: list[Game], player: Player | None) -> list[dict[str, Any]]:
    return rows(games, _id(player))


def _id(player: Player | None) -> str:
    return player.id if player else ""


def _leaf(count: int) -> dict[str, int]:
    """Return the page of my games that is asked for, and how many there are; the nearest one if there is no such page."""
    given, pages = request.args.get("page", ""), max(1, -(-count // MINE_ON_A_PAGE))
    number = int(given) if given.isascii() and given.isdecimal() and len(given) < 6 else 1
    return {"page": max(1, min(number, pages)), "pages": pages}


def _is_wanted(game: Game, player: str) -> bool:
    """Whether a game of mine is of the kind that is asked for: of a ruleset, and waiting for me or for others."""
    rules, whose = request.args.get("game", ""), request.args.get("whose", "")
    return rules in ("", game.rules.name) and whose in ("", "mine" if waits_for(game, player) else "others")


def _lobby(player: Player | None) -> list[Game]:
    """Return public games with an open seat in which the player has none, of the kind that is asked for."""
    rules, players = request.args.get("rules", ""), request.args.get("players", "")

    def fits(game: Game) -> bool:
        return has_room(game) and rules in ("", game.rules.name) and players in ("", str(len(game.seats))) and _is_for(game, player)

    return find_games(ports(), ["public"], fits, None, ON_A_PAGE)[0]


def _is_for(game: Game, player: Player | None) -> bool:
    """Whether a list of others' games shows this one: not the reader's own, and not with somebody whom they have blocked."""
    return player is None or (not takes_part(game, player.id) and is_offered(ports(), game, player.id))


@page("/finished")
def show_finished() -> str:
    """Show my games that are over, newest first, page by page."""
    player = session.must_be_me()
    found, place = _finished(player, read_cursor(request.args.get("cursor")), ON_A_PAGE)
    return _list("finished", found, place)


@page("/watch")
def show_watched() -> str:
    """Show public games that run, newest first, page by page."""
    player, before = session.me(), read_cursor(request.args.get("cursor"))
    return _list("watch", *watched_games(ports(), _id(player), before, ON_A_PAGE))


def _list(name: str, games: list[Game], place: Place | None) -> str:
    """Show one page of a list of games, and the way to the next."""
    shown = _rows(games, session.me())
    return render_template("games.html", name=name, games=shown, next=write_cursor(place) if place else None)


def _finished(player: Player, before: Place | None, most: int) -> tuple[list[Game], Place | None]:
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
