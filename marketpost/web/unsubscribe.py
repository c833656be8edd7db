"""The unsubscribe page that letters link to; each link has its own key."""

from flask import Blueprint, render_template

from api.http.auth import Permission, declared
from api.http.context import mailer, ports
from marketpost.play.people.preferences import no_more_letters
from marketpost.rules.refusal import Refused
from marketpost.rules.words import COMMON, Words
from marketpost.store.players import Player
from marketpost.web.pages import dressed

LINK = "/v1/unsubscribe/<id:player>/<id:token>"
letters = dressed(Blueprint("letters", __name__, template_folder="templates"))


def ask(player: str, token: str) -> str:
    """Show the form. Opening the link changes nothing, because mail scanners open links too."""
    return _page(_reader(player, token), False)


def unsubscribe(player: str, token: str) -> str:
    """Unsubscribe, by a mail program's one-click POST (RFC 8058, without cookie or form key) or by the form."""
    found = _reader(player, token)
    no_more_letters(ports(), found)
    return _page(found, True)


def _reader(player: str, key: str) -> Player:
    """Return the player of an unsubscribe link, if its key is right."""
    found = ports().players.find(player) if mailer().is_token(key, "unsubscribe", player) else None
    if found is None:
        raise Refused("no-such-page")
    return found


def _page(player: Player, done: bool) -> str:
    words = Words(player.language, COMMON)
    return render_template("unsubscribe.html", language=player.language, words=words, done=done)


for view, method in ((ask, "GET"), (unsubscribe, "POST")):
    letters.add_url_rule(LINK, view.__name__, declared(view, Permission.PAGE), methods=[method])
