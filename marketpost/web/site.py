"""Assemble the pages. Each view registers itself where it is defined."""

from functools import partial

from flask import Flask
from flask_compress import Compress
from werkzeug.exceptions import MethodNotAllowed, NotFound

from api.http.context import inside
from marketpost.mail.inbound.receive import receive
from marketpost.mail.outbound.smtp_server_url import is_private
from marketpost.store.auth_verdict import AuthVerdict
from marketpost.store.local_mailbox import LocalMailbox
from marketpost.store.settings import Settings
from marketpost.web import account_page as account
from marketpost.web import address_forms as addresses
from marketpost.web import bots_page as bots
from marketpost.web import channels_page as channels
from marketpost.web import feed_pages as feeds
from marketpost.web import game_page as game
from marketpost.web import home_page as home
from marketpost.web import installed_page as installed
from marketpost.web import new_table_page as new_table
from marketpost.web import operate_people
from marketpost.web import people_page as people
from marketpost.web import players_page as players
from marketpost.web import push_pages as push
from marketpost.web import rules_page as guide
from marketpost.web import search_page as searching
from marketpost.web import settings_page as settings
from marketpost.web import sign_in_page as signing_in
from marketpost.web import table_actions as actions
from marketpost.web import tournaments_page as tournaments
from marketpost.web import what_if_page as what_if
from marketpost.web.mailbox_page import mailbox_pages, suggestions
from marketpost.web.operate_pages import operate
from marketpost.web.pages import MAILBOX, no_such_page, pages
from marketpost.web.unsubscribe import letters

COMPRESSED = ["text/html", "text/css", "text/javascript"]
"""Media types that are compressed; documents of the REST API are small, and their ETags name exactly what is sent."""
VIEWS = (
    home, installed, new_table, signing_in, game, actions, guide, settings, account, bots, channels, people, feeds, addresses, push,
    tournaments, what_if, players, operate_people, searching,
)  # fmt: skip
"""Modules whose views register themselves when they are imported."""


def install(app: Flask, found: Settings) -> None:
    """Register the pages and the local mailbox with the app, and compress what pages are made of."""
    app.config["COMPRESS_MIMETYPES"] = COMPRESSED
    app.config["COMPRESS_ALGORITHM"] = ["br", "gzip"]  # on pages of this size zstd is a tenth larger
    app.config["COMPRESS_BR_LEVEL"] = 5
    app.config["COMPRESS_LEVEL"] = 9
    Compress(app)
    app.register_blueprint(pages)
    app.register_blueprint(letters)
    if found.operators:
        app.register_blueprint(operate)
    for error in (NotFound, MethodNotAllowed):
        app.register_error_handler(error, no_such_page)
    mailer = inside(app).mailer
    is_open = is_private(found.public_url, found.smtp_url or None, found.proxies)
    app.extensions[MAILBOX] = is_open
    mailbox = LocalMailbox(mailer.ports.games.redis)
    app.register_blueprint(
        mailbox_pages(mailbox, partial(receive, mailer, verdict=AuthVerdict.PASS), found.secret_key, is_open, partial(suggestions, mailer))
    )
