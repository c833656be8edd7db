"""Serve the feeds of a player by their secret URLs, which need no session."""

from flask import Response, request

from api.http.auth import Permission, declared
from api.http.context import mailer, ports
from marketpost.notify.feed_links import ATOM, CALENDAR, FeedLinks, feed_links, reader_of
from marketpost.notify.feeds import atom, calendar
from marketpost.play.limits import Limit
from marketpost.rules.refusal import Refused
from marketpost.store.players import Player
from marketpost.web.pages import pages


def games_feed(secret: str) -> Response:
    """Send the Atom feed of what waits for the player."""
    player, links = _reader(secret)
    return _sent(atom(mailer(), player, links), "application/atom+xml")


def deadlines_feed(secret: str) -> Response:
    """Send the calendar of the player's deadlines."""
    player, _ = _reader(secret)
    return _sent(calendar(mailer(), player), "text/calendar")


def _reader(secret: str) -> tuple[Player, FeedLinks]:
    """Return the player whose feeds these are, and counts the request; a page that does not exist for a wrong secret."""
    player = reader_of(mailer(), secret)
    links = feed_links(mailer(), player) if player else None
    if player is None or links is None:
        raise Refused("no-such-page")
    ports().limits.spend(Limit.FEEDS_PLAYER, player.owner or player.id)
    return player, links


def _sent(data: bytes, kind: str) -> Response:
    """Send a feed, or 304 to a program that has it already."""
    response = Response(data, content_type=f"{kind}; charset=utf-8", headers={"Cache-Control": "private, no-cache"})
    response.add_etag()
    response.make_conditional(request)
    return response


for name, view in ((ATOM, games_feed), (CALENDAR, deadlines_feed)):
    pages.add_url_rule(f"/feeds/<id:secret>/{name}", view.__name__, declared(view, Permission.OPEN))
