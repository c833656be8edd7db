"""REST calls for the secret URLs of a player's Atom and iCalendar feeds."""

from typing import Any

from flask import Response

from api.http.auth import Permission
from api.http.blueprint import Calls
from api.http.context import mailer, me, reader
from api.http.idempotency import OnRepeat, derived, key
from api.http.people_schemas import FeedsResponse
from marketpost.notify.feed_links import FeedLinks, close_feeds, feed_links, renew_feeds

feeds = Calls("feeds", __name__, url_prefix="/v1/players/me/feeds", description="Feeds of my games and deadlines")


@feeds.call("GET", "", access=Permission.PLAY, gives={200: FeedsResponse})
def show_feeds() -> dict[str, Any]:
    """Show the secret URLs of my feeds

    `atom` is for feed readers: decisions and invitations that wait for me, and games that ended in the last two weeks. `calendar` has my
    deadlines as iCalendar; a deadline that is moved keeps its `UID`. Both are in my language, and `null` while they are switched off.
    """
    return feeds_shown(feed_links(mailer(), me()))


@feeds.call("POST", "", access=Permission.PLAY, gives={201: FeedsResponse}, on_repeat=OnRepeat.AGAIN)
def renew_my_feeds() -> dict[str, Any]:
    """Switch my feeds on, or give them new URLs

    Whoever knows a URL reads the feed without a token. The old URLs are 404 from now on.
    """
    return feeds_shown(renew_feeds(mailer(), me(), derived("feed", reader(), key())[:16] if key() else ""))


@feeds.call("DELETE", "", access=Permission.PLAY, gives={204: None}, on_repeat=OnRepeat.AGAIN)
def close_my_feeds() -> Response:
    """Switch my feeds off"""
    close_feeds(mailer(), me())
    return Response(status=204)


def feeds_shown(links: FeedLinks | None) -> dict[str, Any]:
    """Serialize the URLs of the feeds."""
    return {"atom": links.atom, "calendar": links.calendar} if links else {"atom": None, "calendar": None}
