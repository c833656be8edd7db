"""The pages put together. Each view registers itself where it is defined."""

from functools import partial

from flask import Flask

from api.inside import inside
from mail.incoming import receive
from mail.server import is_private
from store.mailbox import Mailbox
from store.settings import Settings
from web import game, guide, home, settings
from web.letters import letters
from web.mailbox import mailbox_pages, suggestions
from web.page import MAILBOX, pages

VIEWS = (home, game, guide, settings)


def install(app: Flask, found: Settings) -> None:
    """For people rather than programs: the pages, and the local mailbox."""
    app.register_blueprint(pages)
    app.register_blueprint(letters)
    office = inside(app).office
    is_open = is_private(found.public_url, found.smtp_url or None, found.proxies)
    app.extensions[MAILBOX] = is_open
    mailbox = Mailbox(office.ports.games.redis)
    app.register_blueprint(mailbox_pages(mailbox, partial(receive, office), found.secret_key, is_open, partial(suggestions, office)))
