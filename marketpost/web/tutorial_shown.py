"""The tutorial: a real game against a bot, with lessons on its page. Which game it is, the browser keeps in a cookie."""

from typing import Any

from flask import redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from marketpost.play.log.game import Game
from marketpost.rules.tutorial import learnt
from marketpost.web.page_language import language
from marketpost.web.pages import page

COOKIE = "tutorial"
FOR_A_MONTH = 30 * 24 * 3600


def begin_tutorial(response: AnyResponse, game: str) -> AnyResponse:
    """Make this game the browser's tutorial."""
    response.set_cookie(COOKIE, game, max_age=FOR_A_MONTH, path="/", samesite="Lax", httponly=True)
    return response


def lesson_shown(game: Game, seat: int | None) -> dict[str, Any] | None:
    """Return the lesson that the page of a game shows to a seat; `None` if the game is not this browser's tutorial."""
    course = game.rules.tutorial(language())
    if seat is None or not course or request.cookies.get(COOKIE) != game.id:
        return None
    number = learnt(course, (played.events for played in game.played if played.seat == seat))
    return {"number": number + 1, "count": len(course), "lesson": course[number] if number < len(course) else None}


@page("/games/<id:game>/tutorial/end", "POST")
def end_tutorial(game: str) -> AnyResponse:
    """Show no more lessons; the game goes on."""
    response = redirect(url_for("pages.show_game", game=game), 303)
    response.delete_cookie(COOKIE, path="/")
    return response
