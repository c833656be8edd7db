"""The account part of the settings page: tokens, feeds, blocked players, a complaint, the export, and erasing the account."""

from typing import Any

from flask import Response, g, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from api.exports import export
from api.http.context import mailer, ports, token
from api.players import erase_player
from marketpost.notify.feed_links import close_feeds, feed_links, renew_feeds
from marketpost.notify.targets import end_session
from marketpost.play.people.blocking import block
from marketpost.play.people.bot_accounts import bots_of
from marketpost.play.people.preferences import complained_at, undo_complaint
from marketpost.rules.refusal import Refused
from marketpost.store.players import Player
from marketpost.web import session
from marketpost.web.page_language import called, say
from marketpost.web.pages import page
from marketpost.web.seats_shown import moment_shown


def account(player: Player) -> dict[str, Any]:
    """Collect the tokens, bots, feeds, blocked players and complaint that the settings page shows."""
    people = ports().players.find_all(player.blocked)
    return {
        "tokens": _tokens(player),
        "bots": [
            {"id": bot.id, "name": bot.name, "created": moment_shown(bot.created), "tokens": _tokens(bot)}
            for bot in bots_of(ports(), player.id)
        ],
        "complained": moment_shown(at) if (at := complained_at(ports(), player)) else "",
        "feeds": feed_links(mailer(), player),
        "blocked": [(id, called(people[id]) if id in people else say("page.nobody")) for id in player.blocked],
    }


def _tokens(player: Player) -> list[dict[str, Any]]:
    return [
        {
            "id": each.id,
            "label": say("settings.browser") if each.label == session.LABEL else each.label or say("settings.unnamed"),
            "created": moment_shown(each.created),
            "used": moment_shown(max(each.used, each.created)) if each.used else say("settings.never"),
            "scopes": ", ".join(say(f"settings.scope-{scope}") for scope in each.scopes),
            "current": each.id == token().id,
        }
        for each in ports().credentials.tokens_of(player.id)
    ]


@page("/settings/tokens/<id:token_id>", "POST")
def revoke_a_token(token_id: str) -> AnyResponse:
    """Revoke a token; with that of this browser its session ends."""
    player = session.must_be_me()
    if token_id == token().id:
        return session.end(redirect(url_for("pages.home"), 303))
    if not ports().credentials.revoke_token(player.id, token_id):
        raise Refused("no-such-token")
    end_session(mailer(), player.id, token_id)
    return _settings()


@page("/settings/feeds", "POST")
def change_feeds() -> AnyResponse:
    """Switch the feeds on or off, or give them new URLs."""
    (close_feeds if request.form.get("off") else renew_feeds)(mailer(), session.must_be_me())
    return _settings()


@page("/settings/blocks/<id:player>", "POST")
def unblock(player: str) -> AnyResponse:
    """Unblock a player."""
    block(ports(), session.must_be_me(), player, off=True)
    return _settings()


@page("/settings/complaint", "POST")
def undo_my_complaint() -> AnyResponse:
    """Get letters again after a complaint."""
    undo_complaint(ports(), session.must_be_me())
    return _settings()


def _settings() -> AnyResponse:
    return redirect(url_for("pages.show_settings", saved=1), 303)


@page("/settings/export", "POST")
def export_my_data() -> Response:
    """Download everything that is stored about me, as over REST."""
    return export(session.must_be_me(), token())


@page("/settings/erase")
def ask_to_erase() -> str:
    """Show the page that asks whether to erase the account."""
    session.must_be_me()
    return render_template("erase.html", done=False, why="")


@page("/settings/erase", "POST")
def erase_me() -> Any:
    """Erase the account, if the box that confirms it is ticked."""
    player = session.must_be_me()
    if request.form.get("sure") != "yes":
        return render_template("erase.html", done=False, why=say("erase.tick")), 422
    erase_player(player.id)
    g.me = g.token = None
    return session.delete_cookie(Response(render_template("erase.html", done=True, why="")))
