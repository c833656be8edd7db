"""The keys of a game's links: they follow from the service's secret and the number of the link, so that none is stored."""

from dataclasses import dataclass

from marketpost.mail.outbound.mailer import Mailer
from marketpost.play.log.game import Game
from marketpost.play.table.invite_links import SEAT
from marketpost.store.mail_queue import ReplyContext


@dataclass(frozen=True, slots=True)
class PublishedLink:
    key: str
    url: str
    address: str | None
    """Where a mail takes a free seat."""


def publish_link(mailer: Mailer, game: Game, number: int) -> PublishedLink:
    """A link as it may be passed on."""
    key = mailer.token("link", game.id, number)
    is_seat = game.links[number].what == SEAT
    if is_seat:
        mailer.mail_queue.bind(key, ReplyContext("", game.id, version=number))
    url = f"{mailer.settings.public_url}/games/{game.id}?key={key}"
    return PublishedLink(key, url, f"join+{key}@{mailer.settings.mail_domain}" if is_seat else None)


def is_link_key(mailer: Mailer, game: Game, key: str, *what: str) -> bool:
    """Whether this is the key of a link to any of these that nobody has revoked."""
    return any(mailer.is_token(key, "link", game.id, number) for number, link in game.links.items() if link.what in what)
