"""Derive the keys of a game's links from the service's secret and the link's number; no key is stored."""

from dataclasses import dataclass

from marketpost.mail.outbound.mailer import Mailer
from marketpost.play.log.actions import LinkKind
from marketpost.play.log.game import Game
from marketpost.store.mail_queue import ReplyContext


@dataclass(frozen=True, slots=True)
class PublishedLink:
    """A link as a player may pass it on."""

    key: str
    url: str
    address: str | None
    """The mail address that joins the game, for a link to a seat."""


def publish_link(mailer: Mailer, game: Game, number: int) -> PublishedLink:
    """Build the URL of a link, and open its mail address if it leads to a seat."""
    key = mailer.token("link", game.id, number)
    is_seat = game.links[number].what == LinkKind.SEAT
    if is_seat:
        mailer.mail_queue.bind(key, ReplyContext("", game.id, version=number))
    url = f"{mailer.settings.public_url}/games/{game.id}?key={key}"
    return PublishedLink(key, url, f"join+{key}@{mailer.settings.mail_domain}" if is_seat else None)


def is_link_key(mailer: Mailer, game: Game, key: str, *what: LinkKind) -> bool:
    """Whether the key belongs to a link of one of these kinds that has not been revoked."""
    return any(mailer.is_token(key, "link", game.id, number) for number, link in game.links.items() if link.what in what)
