"""Pages of players: the rating list with a search by name, and the profile of one player."""

from datetime import datetime, timedelta
from typing import Any

from babel.dates import format_date, format_timedelta, get_timezone
from flask import redirect, render_template, request, url_for

from api.http.context import ports
from api.http.pagination import page as paged
from api.http.pagination import read_cursor, write_cursor
from marketpost.mail.outbound.letters.times import decimal, locale
from marketpost.play.people.profile import Career, career, find_players, is_shown, rating_curve
from marketpost.play.people.ratings import best_first, ranking
from marketpost.play.table.lobby import find_games
from marketpost.rules.chart import curve
from marketpost.rules.refusal import Refused
from marketpost.rules.ruleset import ruleset, rulesets
from marketpost.rules.svg import Style
from marketpost.rules.words import fold
from marketpost.web import session
from marketpost.web.page_language import language, name_of, say, title
from marketpost.web.pages import page
from marketpost.web.seats_shown import rows

ON_A_PAGE = 50
"""Rows of the rating list, and players that a search shows."""
FINISHED = 10
"""Finished games that a profile lists at once."""
FEWEST = 2
"""Rated games from which on a curve is drawn."""


@page("/players")
def list_players() -> str:
    """Show the rating list of a ruleset; `?name=` searches for players instead."""
    name = request.args.get("name", "").strip()[:40]
    rules = request.args.get("rules", "")
    chosen = rules if rules in rulesets() else _first_rated()
    shown = {"found": find_players(ports(), name, _reader(), ON_A_PAGE)} if name else _ratings(chosen)
    kinds = [(each.name, title(each)) for each in rulesets().values()]
    return render_template("players.html", name=name, chosen=chosen, rulesets=kinds, **shown)


def _first_rated() -> str:
    """Return the first ruleset in which somebody has a rating; the first of all if nobody has."""
    return next((rules for rules in rulesets() if ranking(ports(), rules).best_first), next(iter(rulesets())))


def _ratings(rules: str) -> dict[str, Any]:
    """Return one page of the rating list; the number of its first row is in the link to it."""
    found = paged(ranking(ports(), rules).best_first, best_first, {"cursor": request.args.get("cursor"), "limit": ON_A_PAGE})
    people = ports().players.find_all(player for player, _ in found["items"])
    rows = [(people[player], rating) for player, rating in found["items"] if player in people and is_shown(people[player])]
    first = request.args.get("first", "")
    start = int(first) if first.isascii() and first.isdecimal() and len(first) < 7 else 1
    return {"rows": list(enumerate(rows, start)), "next": found["next"], "first": start + len(rows)}


def _reader() -> str:
    player = session.me()
    return player.id if player else ""


@page("/players/<name>")
def show_profile(name: str) -> Any:
    """Show the profile of the player with this id; a name leads to the player, or to all whose name begins so."""
    try:
        found = career(ports(), name, _reader())
    except Refused:
        return _by_name(name)
    before = read_cursor(request.args.get("cursor"))
    games, place = find_games(ports(), [f"played:{name}"], lambda game: game.may_see(_reader()), before, FINISHED)
    return render_template(
        "player.html",
        player=found,
        shown_name=name_of(found.name),
        since=_day(found.since),
        kinds=[_kind(found, rules) for rules in rulesets() if rules in found.played],
        curves=[drawn for rules in found.ratings if (drawn := _curve(found.player, rules))],
        pace=_pace(found),
        decisions=found.decisions,
        late=found.late,
        opponents=found.opponents,
        games=rows(games, _reader()),
        next=write_cursor(place) if place else None,
    )


def _by_name(name: str) -> Any:
    """Go on to the only player with this name, or to the search for it; nobody found is refused."""
    found = find_players(ports(), name, _reader(), ON_A_PAGE)
    if not found:
        raise Refused("no-such-page")
    exact = [each for each in found if fold(each.name) == fold(name)]
    if len(exact) == 1:
        return redirect(url_for("pages.show_profile", name=exact[0].id), 303)
    return redirect(url_for("pages.list_players", name=name), 303)


def _kind(found: Career, rules: str) -> dict[str, Any]:
    rating = found.ratings.get(rules)
    counts = sorted(found.played[rules].items())
    return {"title": title(ruleset(rules)), "counts": counts, "rating": decimal(rating.points, language()) if rating else "–"}


def _curve(player: str, rules: str) -> str:
    """Draw the ratings of a player after each rated game; nothing for a single one."""
    points = [each.points for each in rating_curve(ports(), player, rules)]
    if len(points) < FEWEST:
        return ""
    head = say("players.chart", title=title(ruleset(rules)))
    return curve(points, say("players.chart-name"), head, say("players.chart-below"), Style("light", f"curve-{rules}"))


def _pace(found: Career) -> str:
    if found.pace is None:
        return ""
    return format_timedelta(timedelta(milliseconds=found.pace), threshold=1.5, locale=locale(language()))


def _day(at: int) -> str:
    player = session.me()
    there = datetime.fromtimestamp(at / 1000, get_timezone(player.timezone if player else "UTC"))
    return format_date(there.date(), "long", locale=locale(language()))
